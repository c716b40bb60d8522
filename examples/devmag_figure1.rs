//! Dev.Mag, figure 1: the same number of points at random, on a jittered grid, and as Poisson
//! disks.

use anyhow::Result;
use density::{Bounds, Constant};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Dice, Run, check_spacing};

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let world = Bounds::from_size([30.0, 30.0])?;

    let disks = Bridson::new(Constant::new(1.0)?, world, BridsonOptions::default())?;
    let disks: Vec<Sample<2>> = disks.collect();
    check_spacing(&disks, Rule::Max)?;

    let mut dice = Dice::new(1);
    let at_random = disks
        .iter()
        .map(|_| [30.0 * dice.unit(), 30.0 * dice.unit()]);
    let at_random: Vec<[f64; 2]> = at_random.collect();
    // A square grid with about as many cells as there are disks.
    let cells = (disks.len() as f64).sqrt().round() as u32;
    let side = 30.0 / f64::from(cells);
    let mut jittered = Vec::new();
    for i in 0..cells * cells {
        let (column, row) = (f64::from(i % cells), f64::from(i / cells));
        jittered.push([(column + dice.unit()) * side, (row + dice.unit()) * side]);
    }
    let disks: Vec<[f64; 2]> = disks.iter().map(|s| s.position).collect();

    let mut panels = Vec::new();
    for points in [&at_random, &jittered, &disks] {
        let mut panel = Canvas::new(world, run.length(340.0), Color::WHITE)?;
        for &point in points {
            panel.disk(point, 0.2, Color::INK);
        }
        panels.push(panel);
    }
    run.save("devmag_figure1", &Canvas::beside(&panels, 12)?)?;
    let [random, jittered, disks] = [at_random, jittered, disks].map(|points| closest(&points));
    println!("closest pair: random {random:.3}, jittered {jittered:.3}, disks {disks:.3}");
    Ok(())
}

fn closest(points: &[[f64; 2]]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, a) in points.iter().enumerate() {
        for b in &points[..i] {
            least = least.min((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2));
        }
    }
    least.sqrt()
}
