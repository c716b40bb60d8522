//! The whole of a map beside the same points sampled window by window, in a shuffled order. The
//! windows' borders are drawn, as they would be invisible otherwise.

use anyhow::{Result, ensure};
use density::{Bounds, DistRange, MapOptions, RadiusMap};
use sampler::{Rule, Sample, Scatter, ScatterOptions};
use spinney_examples::{Canvas, Color, Dice, Run, check_spacing, load_map};

/// Borders of the windows along x, at irregular positions.
const COLUMNS: [f64; 7] = [0.0, 61.3, 143.8, 200.0, 311.9, 407.2, 512.0];
const ROWS: [f64; 6] = [0.0, 97.1, 170.6, 288.8, 391.4, 512.0];

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let map = load_map("meadow.png")?;
    let field = RadiusMap::new(map, DistRange::new(4.0, 16.0)?, MapOptions::default())?;
    let world = field.bounds();
    let scatter = Scatter::new(field, world, ScatterOptions::default())?;
    let whole = scatter.points()?;
    check_spacing(&whole.samples, Rule::Max)?;

    let mut windows = Vec::new();
    for x in COLUMNS.windows(2) {
        for y in ROWS.windows(2) {
            windows.push(Bounds::new([x[0], y[0]], [x[1], y[1]])?);
        }
    }
    let mut dice = Dice::new(5);
    let mut pieces: Vec<Sample<2>> = Vec::new();
    let mut left = windows.clone();
    while let Some(next) = dice.below(left.len()) {
        pieces.extend(scatter.points_in(&left.swap_remove(next))?.samples);
    }
    ensure!(
        bits(&pieces) == bits(&whole.samples),
        "the windows must give the points of the whole"
    );
    println!(
        "{} points, the same from {} windows",
        pieces.len(),
        windows.len()
    );

    let mut panels = [&whole.samples, &pieces].map(|points| draw(&run, world, points));
    if let Ok(panel) = &mut panels[1] {
        for window in &windows {
            panel.frame(*window, 1.0, Color::hex(0x00c2_4f2d));
        }
    }
    let [left, right] = panels;
    run.save("windows", &Canvas::beside(&[left?, right?], 12)?)
}

fn draw(run: &Run, world: Bounds<2>, points: &[Sample<2>]) -> Result<Canvas> {
    let mut canvas = Canvas::new(world, run.length(520.0), Color::WHITE)?;
    for point in points {
        canvas.disk(point.position, 0.3 * point.min_dist, Color::INK);
    }
    Ok(canvas)
}

/// Returns the points as bits, in an order that does not depend on the sampling.
fn bits(points: &[Sample<2>]) -> Vec<(u64, [u64; 2])> {
    let mut bits: Vec<_> = points
        .iter()
        .map(|s| (s.id, s.position.map(f64::to_bits)))
        .collect();
    bits.sort_unstable();
    bits
}
