//! The holes that Bridson's algorithm leaves, even with 30 tries, and Scatter does not: places with
//! room for one more point, found by probing every pixel.

use anyhow::{Result, ensure};
use density::{Bounds, Constant};
use sampler::{Bridson, BridsonOptions, Rule, Sample, Scatter, ScatterOptions};
use spinney_examples::{Canvas, Color, Run, check_spacing};
use std::collections::BTreeMap;

/// The distance between points, and below it the side of the world; world units.
const KEEP: f64 = 1.0;
const SIDE: f64 = 34.0;

/// Number of probes along a unit of length.
const PROBES: u32 = 60;

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let field = Constant::new(KEEP)?;
    let world = Bounds::from_size([SIDE; 2])?;
    let bridson: Vec<_> = Bridson::new(field, world, BridsonOptions::default())?.collect();
    let scatter = Scatter::new(field, world, ScatterOptions::default())?.points()?;
    // Cells too small to decide are counted, and too small to be visible holes.
    let undecided = scatter.unresolved_volume / (SIDE * SIDE);
    println!("Scatter left {undecided:.1e} of the area undecided");
    ensure!(undecided < 1e-6, "too much was left undecided");

    let mut panels = Vec::new();
    for (name, points) in [
        ("Bridson, 30 tries", &bridson),
        ("Scatter", &scatter.samples),
    ] {
        check_spacing(points, Rule::Max)?;
        let probes = open_places(points);
        let holes = one_of_each(&probes);
        let share = probes.len() as f64 / (SIDE * f64::from(PROBES)).powi(2);
        println!(
            "{name}: {} points, {} holes, {share:.1e} of the area",
            points.len(),
            holes.len()
        );
        ensure!(
            holes.is_empty() == (name == "Scatter"),
            "{name}: not as promised"
        );
        panels.push(draw(&run, world, points, &probes, &holes)?);
    }
    run.save("holes", &Canvas::beside(&panels, 12)?)
}

/// Returns the probes at which one more point has room.
fn open_places(points: &[Sample<2>]) -> Vec<[f64; 2]> {
    let cell = |p: [f64; 2]| p.map(|x| (x / KEEP).floor() as i32);
    let mut cells: BTreeMap<[i32; 2], Vec<[f64; 2]>> = BTreeMap::new();
    for point in points {
        let list = cells.entry(cell(point.position)).or_default();
        list.push(point.position);
    }
    let near = |p: [f64; 2]| {
        let [cx, cy] = cell(p);
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [cx + dx, cy + dy]));
        let mut points = around.filter_map(|c| cells.get(&c)).flatten();
        points.any(|q| {
            let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
            dx * dx + dy * dy < KEEP * KEEP
        })
    };
    let along = (SIDE * f64::from(PROBES)) as u32;
    let place = |i: u32| (f64::from(i) + 0.5) / f64::from(PROBES);
    let all = (0..along).flat_map(|y| (0..along).map(move |x| [place(x), place(y)]));
    all.filter(|&p| !near(p)).collect()
}

/// Returns one place in every hole, as holes are smaller than the distance between points.
fn one_of_each(probes: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut holes: Vec<[f64; 2]> = Vec::new();
    for &p in probes {
        let known = |q: &[f64; 2]| (p[0] - q[0]).abs() + (p[1] - q[1]).abs() < 0.7 * KEEP;
        if !holes.iter().any(known) {
            holes.push(p);
        }
    }
    holes
}

fn draw(
    run: &Run,
    world: Bounds<2>,
    points: &[Sample<2>],
    probes: &[[f64; 2]],
    holes: &[[f64; 2]],
) -> Result<Canvas> {
    let red = Color::hex(0x00d4_3d1a);
    let mut canvas = Canvas::new(world, run.length(520.0), Color::WHITE)?;
    for hole in holes {
        canvas.disk(*hole, 0.75 * KEEP, red.faint(0.22));
    }
    let half = 0.5 / f64::from(PROBES);
    for p in probes {
        let (min, max) = (p.map(|x| x - half), p.map(|x| x + half));
        canvas.fill_box(Bounds::new(min, max)?, red);
    }
    for point in points {
        canvas.disk(point.position, 0.16 * KEEP, Color::INK);
    }
    for hole in holes {
        canvas.ring(*hole, 0.75 * KEEP, 0.08 * KEEP, red);
    }
    Ok(canvas)
}
