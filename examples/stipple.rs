//! A photograph in dots: darker parts are denser, so that the tones look the same.

use anyhow::Result;
use density::{Bounds, DistRange, GridField, MapOptions, RadiusMap};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing, load_map, smoothstep};

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let photograph = load_map("boots.jpg")?;
    let world = Bounds::from_size([900.0, 600.0])?;
    let options = MapOptions {
        bounds: Some(world),
        ..MapOptions::default()
    };
    // Used for its greys only; the distances are arbitrary.
    let tones = RadiusMap::new(photograph, DistRange::new(1.0, 2.0)?, options)?;
    let range = DistRange::new(1.25, 16.0)?;
    // The share of the paper that dots of one size cover is proportional to their number per area,
    // which is c / min_dist^2. So min_dist is proportional to 1 / sqrt(darkness).
    let field = GridField::new(range, 0.5, move |p| {
        let darkness = 1.0 - smoothstep(0.0, 1.04, tones.grey_at(p).unwrap_or(1.0));
        range.lo() / darkness.max(1e-6).sqrt()
    })?;
    // The rule whose density follows the map most closely.
    let options = BridsonOptions {
        rule: Rule::Mean,
        ..BridsonOptions::default()
    };
    let dots: Vec<Sample<2>> = Bridson::new(&field, world, options)?.collect();
    check_spacing(&dots, Rule::Mean)?;

    let mut canvas = Canvas::new(world, run.length(900.0), Color::WHITE)?;
    for dot in &dots {
        canvas.disk(dot.position, 0.8, Color::hex(0x0010_1418));
    }
    println!("{} dots", dots.len());
    run.save("stipple", &canvas)
}
