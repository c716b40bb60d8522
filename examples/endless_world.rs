//! An endless world of Perlin noise, seen through the window of a moving camera. Nothing is
//! computed beforehand. Where two frames overlap they show the same points, to the last bit,
//! whatever was computed before.

use anyhow::{Result, ensure};
use density::{Bounds, DistRange, Perlin, PerlinOptions, RadiusField};
use sampler::{Rule, Sample, ScatterOptions, World};
use spinney_examples::{Canvas, Color, Run, check_spacing};

/// Size of the camera's view, world units.
const VIEW: [f64; 2] = [150.0, 260.0];
const FRAMES: i32 = 7;

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let noise = PerlinOptions {
        seed: 11,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(DistRange::new(4.0, 16.0)?, noise)?;
    let world = World::new(field.clone(), ScatterOptions::default())?.with_budget(16 << 20);

    let mut frames: Vec<(Bounds<2>, Vec<Sample<2>>)> = Vec::new();
    for step in 0..FRAMES {
        let t = f64::from(step);
        // The path is a bend far from the origin.
        let corner = [-52_000.0 + 60.0 * t, 7_000.0 + 5.0 * t * t];
        let view = Bounds::with_origin(corner, VIEW)?;
        let points = world.window(&view)?.samples;
        check_spacing(&points, Rule::Max)?;
        frames.push((view, points));
    }

    let mut shared = 0;
    for (i, (a, first)) in frames.iter().enumerate() {
        for (b, second) in &frames[i + 1..] {
            let seen = inside(first, b);
            ensure!(seen == inside(second, a), "two frames disagree");
            shared += seen.len();
        }
        // A world without earlier queries must give the same points.
        let other = World::new(field.clone(), ScatterOptions::default())?;
        let cold = other.window(a)?.samples;
        ensure!(inside(first, a) == inside(&cold, a), "the way matters");
    }
    let seen: usize = frames.iter().map(|(_, points)| points.len()).sum();
    println!("{FRAMES} frames of {seen} points in all; {shared} were seen in two and were equal");
    ensure!(shared > 1000, "the frames hardly overlap");

    let mut panels = Vec::new();
    for (i, (view, points)) in frames.iter().enumerate() {
        let mut panel = Canvas::new(*view, run.length(150.0), Color::PAPER)?;
        let (sparse, dense) = (Color::hex(0x00ef_ead6), Color::hex(0x00a9_c199));
        panel.backdrop(|p| dense.to(sparse, field.value(p)));
        for point in points {
            let green = Color::hex(0x0025_4d33).to(Color::hex(0x005e_7a2e), point.value);
            panel.disk(point.position, 0.36 * point.min_dist, green);
        }
        // The overlap with the previous frame.
        if let Some((before, _)) = i.checked_sub(1).and_then(|before| frames.get(before)) {
            panel.frame(*before, 1.6, Color::hex(0x00c2_4f2d));
        }
        panels.push(panel);
    }
    run.save("endless_world", &Canvas::beside(&panels, 8)?)
}

/// Returns the points in a window, as bits, in an order that does not depend on the query.
fn inside(points: &[Sample<2>], window: &Bounds<2>) -> Vec<(u64, [u64; 3])> {
    let inside = points.iter().filter(|s| window.contains(s.position));
    let mut found: Vec<_> = inside
        .map(|s| {
            let [x, y] = s.position;
            (s.id, [x, y, s.min_dist].map(f64::to_bits))
        })
        .collect();
    found.sort_unstable();
    found
}
