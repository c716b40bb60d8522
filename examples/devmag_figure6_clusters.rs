//! Dev.Mag, figure 6: Perlin noise drives `min_dist`, and plants grow in clusters.

use anyhow::Result;
use density::{Bounds, DistRange, GridField, Perlin, PerlinOptions, RadiusField};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing, smoothstep};

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let world = Bounds::from_size([150.0, 110.0])?;
    let noise = PerlinOptions {
        seed: 17,
        frequency: 1.0 / 48.0,
        ..PerlinOptions::default()
    };
    let range = DistRange::new(1.5, 13.0)?;
    let noise = Perlin::new(range, noise)?;
    // Raises the contrast of the noise, for clear ground between dense clumps.
    let grey = move |p: [f64; 2]| smoothstep(0.2, 0.75, noise.value(p));
    let field = GridField::new(range, 0.75, {
        let grey = grey.clone();
        move |p| range.at(grey(p))
    })?;
    // The rule whose density follows the map most closely.
    let options = BridsonOptions {
        rule: Rule::Mean,
        ..BridsonOptions::default()
    };
    let mut points: Vec<Sample<2>> = Bridson::new(&field, world, options)?.collect();
    check_spacing(&points, Rule::Mean)?;

    let width = run.length(520.0);
    let mut map = Canvas::new(world, width, Color::WHITE)?;
    map.backdrop(|p| Color::grey(grey(p)));
    let mut plants = Canvas::new(world, width, Color::hex(0x00ee_e6cf))?;
    // Draws from back to front.
    points.sort_by(|a, b| a.position[1].total_cmp(&b.position[1]));
    for point in &points {
        let [x, y] = point.position;
        let size = 0.8 + 0.8 * smoothstep(1.5, 6.0, point.min_dist);
        let dark = Color::hex(0x002f_6b3a).to(Color::hex(0x0081_9a3c), point.value * 1.6);
        plants.disk(
            [x + 0.3 * size, y + 0.35 * size],
            size,
            Color::INK.faint(0.16),
        );
        for (dx, dy, lit) in [(-0.45, 0.2, 0.0), (0.45, 0.15, 0.08), (0.0, -0.35, 0.2)] {
            let leaf = [x + dx * size, y + dy * size];
            plants.disk(leaf, 0.68 * size, dark.to(Color::hex(0x00e8_efa0), lit));
        }
    }
    println!("{} plants", points.len());
    run.save(
        "devmag_figure6_clusters",
        &Canvas::beside(&[map, plants], 12)?,
    )
}
