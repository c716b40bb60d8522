//! Dev.Mag, figure 7: a fall-off around a place. r = d leaves the centre empty; r = s * sqrt(d)
//! does not.

use anyhow::Result;
use density::{Bounds, DistRange, Falloff};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing};

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let world = Bounds::new([-40.0, -40.0], [40.0, 40.0])?;
    let range = DistRange::new(1.0, 100.0)?;
    let linear = Falloff::linear([0.0, 0.0], 1.0, range)?;
    let sqrt = Falloff::sqrt([0.0, 0.0], 0.7, range)?;
    let mut panels = Vec::new();
    let mut counts = Vec::new();
    for field in [linear, sqrt] {
        let points = Bridson::new(field, world, BridsonOptions::default())?;
        let points: Vec<Sample<2>> = points.collect();
        check_spacing(&points, Rule::Max)?;
        let mut panel = Canvas::new(world, run.length(480.0), Color::WHITE)?;
        for point in &points {
            let half = 0.5 * point.min_dist;
            panel.disk(point.position, half, Color::hex(0x0027_6fbf).faint(0.13));
            panel.ring(
                point.position,
                half,
                0.16,
                Color::hex(0x0027_6fbf).faint(0.5),
            );
        }
        for point in &points {
            panel.disk(point.position, 0.45, Color::INK);
        }
        panels.push(panel);
        counts.push(points.len());
    }
    println!(
        "r = d: {} points; r = 0.7 sqrt(d): {}",
        counts[0], counts[1]
    );
    run.save("devmag_figure7_falloff", &Canvas::beside(&panels, 12)?)
}
