//! Dev.Mag, figure 9: hard edges. Under the article's own rule, `parent`, dense squares spill into
//! sparse ones; dilating the sparse squares prevents most of that. Under `max` nothing spills, but
//! few points of a sparse square fit between dense neighbours.

use anyhow::Result;
use density::shape::{Shade, dilate};
use density::{Bounds, DistRange, MapOptions, RadiusMap};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing, load_map};

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let board = load_map("checkerboard.png")?;
    // Five squares of 32 by 32.
    let world = Bounds::from_size([160.0, 160.0])?;
    let range = DistRange::new(2.0, 11.0)?;
    let plain = RadiusMap::new(board.clone(), range, MapOptions::default())?;
    let painted = |p: [f64; 2]| plain.grey_at(p).unwrap_or(0.0) < 0.5;

    let mut panels = Vec::new();
    for (rule, radius) in [(Rule::Parent, 0.0), (Rule::Parent, 2.0), (Rule::Max, 0.0)] {
        let map = dilate(&board, radius, Shade::Bright)?;
        let field = RadiusMap::new(map, range, MapOptions::default())?;
        let options = BridsonOptions {
            rule,
            ..BridsonOptions::default()
        };
        let points: Vec<Sample<2>> = Bridson::new(&field, world, options)?.collect();
        check_spacing(&points, rule)?;
        let mut panel = Canvas::new(world, run.length(350.0), Color::WHITE)?;
        panel.backdrop(|p| {
            if painted(p) {
                Color::hex(0x00f0_dca4)
            } else {
                Color::WHITE
            }
        });
        for point in &points {
            panel.disk(point.position, 0.8, Color::INK);
        }
        let dense = points.iter().filter(|p| painted(p.position)).count();
        println!(
            "rule {}, dilated by {radius}: {dense} points in dense squares, {} in sparse ones",
            rule.name(),
            points.len() - dense
        );
        panels.push(panel);
    }
    run.save("devmag_figure9_checkerboard", &Canvas::beside(&panels, 12)?)
}
