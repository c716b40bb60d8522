//! Unity: a lazy foreach that instantiates an object at each point. It may stop early, at the cost
//! of the points taken so far, and continue later.

use anyhow::{Result, ensure};
use density::{Bounds, DistRange, FnField};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing};
use std::sync::atomic::{AtomicU64, Ordering};

const FIRST: usize = 250;

/// An object that a game would instantiate.
struct Tree {
    foot: [f64; 2],
    height: f64,
}

fn instantiate(point: &Sample<2>) -> Tree {
    Tree {
        foot: point.position,
        height: 2.2 * point.min_dist,
    }
}

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let world = Bounds::from_size([100.0, 100.0])?;
    // Counts evaluations of the field, which take most of the time.
    let asked = AtomicU64::new(0);
    let field = FnField::new(DistRange::new(2.4, 3.6)?, 0.012, |p: [f64; 2]| {
        asked.fetch_add(1, Ordering::Relaxed);
        2.4 + 0.012 * p[1]
    })?;

    let mut points = Bridson::new(&field, world, BridsonOptions::default())?;
    let start = asked.load(Ordering::Relaxed);
    let mut forest = Vec::new();
    for point in &mut points {
        forest.push(instantiate(&point));
        if forest.len() == FIRST {
            break;
        }
    }
    let few = asked.load(Ordering::Relaxed) - start;
    ensure!(
        !points.is_complete(),
        "a stopped run must not look finished"
    );
    let early = draw(&run, world, &forest)?;

    // The iterator continues after the last point taken.
    for point in &mut points {
        forest.push(instantiate(&point));
    }
    let all = asked.load(Ordering::Relaxed) - start;
    ensure!(points.is_complete(), "nothing stopped the rest");
    let whole = draw(&run, world, &forest)?;

    let fresh = Bridson::new(&field, world, BridsonOptions::default())?;
    let fresh: Vec<Sample<2>> = fresh.collect();
    check_spacing(&fresh, Rule::Max)?;
    let same = fresh
        .iter()
        .map(|s| s.position)
        .eq(forest.iter().map(|t| t.foot));
    ensure!(
        same,
        "a run with a stop in it must give the points of one without"
    );
    let (few_each, each) = (few as f64 / FIRST as f64, all as f64 / forest.len() as f64);
    println!(
        "{FIRST} trees took {few} questions to the field, {few_each:.1} each; all {} took \
         {all}, {each:.1} each",
        forest.len()
    );
    ensure!(few_each < 1.2 * each, "stopping early must not cost extra");
    run.save("unity_foreach", &Canvas::beside(&[early, whole], 12)?)
}

fn draw(run: &Run, world: Bounds<2>, forest: &[Tree]) -> Result<Canvas> {
    let mut canvas = Canvas::new(world, run.length(480.0), Color::hex(0x00dd_e6c8))?;
    // Draws from back to front.
    let mut trees: Vec<&Tree> = forest.iter().collect();
    trees.sort_by(|a, b| a.foot[1].total_cmp(&b.foot[1]));
    for Tree { foot, height } in trees {
        let [x, y] = *foot;
        let at = |dx: f64, up: f64| [x + dx * height, y - up * height];
        canvas.disk(at(0.1, 0.0), 0.16 * height, Color::INK.faint(0.18));
        canvas.line(
            &[at(0.0, 0.0), at(0.0, 0.2)],
            0.07 * height,
            Color::hex(0x006b_4a2e),
        );
        for (half, low, high) in [(0.25, 0.14, 0.55), (0.2, 0.36, 0.76), (0.14, 0.58, 1.0)] {
            let (light, dark) = (Color::hex(0x004c_8a4f), Color::hex(0x0029_5e3a));
            canvas.polygon(&[at(-half, low), at(0.0, high), at(half, low)], light);
            canvas.polygon(&[at(0.0, low), at(0.0, high), at(half, low)], dark);
        }
    }
    Ok(canvas)
}
