//! Dev.Mag, figure 10: droplets on glass. Each of three layers of circles has a smaller `min_dist`
//! than the previous layer, and avoids its circles. The local `min_dist` gives the radius of a
//! circle.

use anyhow::Result;
use density::{Bounds, DistRange, Perlin, PerlinOptions};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Circle, Circles, Color, Run, check_spacing, smoothstep};

/// Least and greatest `min_dist` of each layer, and the ratio of a circle's radius to `min_dist`.
const LAYERS: [(f64, f64, f64); 3] = [(11.0, 30.0, 0.3), (4.2, 9.0, 0.36), (1.5, 3.6, 0.38)];

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let world = Bounds::from_size([150.0, 100.0])?;
    let mut drops = Circles::new(world, 12.0)?;
    for (seed, (least, most, share)) in (1..).zip(LAYERS) {
        let noise = PerlinOptions {
            seed,
            frequency: 1.0 / (3.0 * most),
            ..PerlinOptions::default()
        };
        let field = Perlin::new(DistRange::new(least, most)?, noise)?;
        let options = BridsonOptions {
            seed,
            ..BridsonOptions::default()
        };
        let free = drops.outside(&field, |r| share * r)?;
        let points: Vec<Sample<2>> = Bridson::new(free, world, options)?.collect();
        check_spacing(&points, Rule::Max)?;
        println!("layer {seed}: {} drops", points.len());
        for point in points {
            drops.add(Circle {
                center: point.position,
                radius: share * point.min_dist,
            });
        }
    }
    drops.check_apart()?;

    let mut canvas = Canvas::new(world, run.length(800.0), Color::WHITE)?;
    canvas.backdrop(glass);
    for drop in drops.all() {
        paint_drop(&mut canvas, drop);
    }
    run.save("devmag_figure10_droplets", &canvas)
}

/// Returns the colour of green bottle glass, lit from the left.
fn glass([x, y]: [f64; 2]) -> Color {
    let (dark, light) = (Color::hex(0x000b_3b2e), Color::hex(0x003f_9468));
    let slant = x + 0.12 * y;
    let sheen = 0.8 * (smoothstep(8.0, 34.0, slant) - smoothstep(34.0, 78.0, slant))
        + 0.3 * (smoothstep(118.0, 136.0, slant) - smoothstep(136.0, 150.0, slant));
    dark.to(light, 0.12 + sheen - 0.12 * y / 100.0)
}

/// Paints a lens: its shadow, the glass upside down, a rim and a glint.
fn paint_drop(canvas: &mut Canvas, drop: &Circle) {
    let Circle { center, radius } = *drop;
    let [x, y] = center;
    let at = |dx: f64, dy: f64| [x + dx * radius, y + dy * radius];
    canvas.disk(
        at(0.14, 0.2),
        1.03 * radius,
        Color::hex(0x0003_1a14).faint(0.4),
    );
    let behind = glass([150.0 - x, y]);
    let bright = behind.to(Color::hex(0x00d9_ffe6), 0.62);
    let deep = behind.to(Color::hex(0x0004_2a20), 0.5);
    canvas.ball(center, radius, [0.3, 0.55], [bright, deep]);
    canvas.ring(
        center,
        0.96 * radius,
        0.08 * radius,
        Color::hex(0x0003_1a14).faint(0.35),
    );
    canvas.disk(at(-0.36, -0.42), 0.2 * radius, Color::WHITE.faint(0.9));
    canvas.disk(at(-0.1, -0.6), 0.09 * radius, Color::WHITE.faint(0.75));
}
