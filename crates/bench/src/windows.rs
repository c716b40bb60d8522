//! Measures a domain window by window against the whole of it, and one window of an endless world alone.

use crate::beside::{self, counted};
use crate::table::target;
use crate::timing::{median, timed};
use crate::{Effort, fields, ours};
use density::numbers::about;
use density::{Bounds, Constant, DistRange, Perlin, PerlinOptions, RadiusField};
use sampler::{SampleError, Scatter, ScatterOptions, World};
use std::error::Error;
use std::sync::Arc;

/// A window's side in units of the least `min_dist`.
const WINDOW: f64 = 64.0;

/// Memory that a world may use for the windows, bytes: about that of the points of two rows of
/// them.
const CACHE_BYTES: usize = 100 << 20;

/// The targets: maximum cost of all windows as a multiple of the whole's, and maximum milliseconds
/// of one cold window in the plane.
const MOST_TIMES: f64 = 1.6;
const MOST_MS: f64 = 10.0;

/// Runs and prints the table.
///
/// # Errors
/// The errors of the engine and of the clock.
pub(crate) fn print(effort: Effort) -> Result<(), Box<dyn Error>> {
    let side = effort.pick(4.0, 20.0) * WINDOW;
    let title = format!("Windows of {WINDOW} r in scan order, warm, beside the whole");
    beside::head(&title, "domain", ["whole", "windows"]);
    let one = Constant::new(1.0)?;
    line("one `min_dist`", one, side, effort)?;
    // Twice as wide, as the map is a quarter as dense.
    let side = 2.0 * side;
    let smooth = fields::field(&fields::smooth_map()?, 4.0, side)?;
    line("smooth, ratio 4", Arc::new(smooth), side, effort)?;
    println!();
    cold(effort)
}

/// Cycles of the noise per unit of length: hills of some dozen greatest distances.
const FREQUENCY: f64 = 0.02;

/// Prints the cost of one window of endless worlds in which nothing was evaluated before.
fn cold(effort: Effort) -> Result<(), Box<dyn Error>> {
    println!("### One cold window of an endless world\n");
    println!("| world | window | points | ms | target |");
    println!("|---|--:|--:|--:|---|");
    let one = Constant::new(1.0)?;
    let noise = Perlin::new(
        DistRange::new(1.0, 4.0)?,
        PerlinOptions {
            frequency: FREQUENCY,
            ..PerlinOptions::default()
        },
    )?;
    cold_line::<2, _>("plane, one `min_dist`", &one, WINDOW, effort)?;
    cold_line::<2, _>("plane, noise from 1 to 4", &noise, WINDOW, effort)?;
    cold_line::<3, _>("space, one `min_dist`", &one, 12.0, effort)?;
    cold_line::<3, _>("space, noise from 1 to 4", &noise, 30.0, effort)?;
    println!();
    Ok(())
}

fn cold_line<const D: usize, F: RadiusField<D> + Clone + 'static>(
    name: &str,
    field: &F,
    side: f64,
    effort: Effort,
) -> Result<(), Box<dyn Error>> {
    let pool = ours::threads(1)?;
    let (mut points, mut ms) = (Vec::new(), Vec::new());
    for round in 0..effort.rounds as u64 {
        let options = ScatterOptions {
            seed: round,
            ..ScatterOptions::default()
        };
        let world = World::new(field.clone(), options)?;
        // Anywhere, at a different place in the grid of blocks each round.
        let origin = std::array::from_fn(|a| 137.0 * round as f64 + 1001.0 * a as f64);
        let window = Bounds::with_origin(origin, [side; D])?;
        let (cpu, found) = timed(|| pool.install(|| world.window(&window)))?;
        points.push(found?.samples.len() as f64);
        ms.push(cpu.as_secs_f64() * 1e3);
    }
    let (points, ms) = (about(median(&points)), median(&ms));
    let target = match D {
        2 => target(effort, format_args!("<= {MOST_MS}"), ms <= MOST_MS),
        _ => String::new(),
    };
    println!("| {name} | {side}^{D} | {points} | {ms:.1} | {target} |");
    Ok(())
}

fn line<F: RadiusField<2> + Clone + 'static>(
    name: &str,
    field: F,
    side: f64,
    effort: Effort,
) -> Result<(), Box<dyn Error>> {
    let domain = Bounds::from_size([side; 2])?;
    let pool = ours::threads(1)?;
    let whole = |seed| {
        let scatter = ours::engine(field.clone(), domain, seed)?;
        counted(|| pool.install(|| scatter.points().map(|all| all.samples.len())))
    };
    let windows = |seed| {
        let scatter = ours::engine(field.clone(), domain, seed)?;
        counted(|| pool.install(|| count_in_windows(scatter, side)))
    };
    match beside::line(name, effort, MOST_TIMES, [&whole, &windows])? {
        [whole, windows] if whole == windows => Ok(()),
        _ => Err("the windows do not make up the whole".into()),
    }
}

/// Returns the number of points of all windows, requested row by row.
fn count_in_windows(scatter: Scatter<'static, 2>, side: f64) -> Result<usize, SampleError> {
    let world = World::bounded(scatter).with_budget(CACHE_BYTES);
    let count = (side / WINDOW).round() as usize;
    let mut points = 0;
    for i in 0..count * count {
        let origin = [i % count, i / count].map(|k| k as f64 * WINDOW);
        // Always a valid box: square, and near the origin.
        if let Ok(window) = Bounds::with_origin(origin, [WINDOW; 2]) {
            points += world.window(&window)?.samples.len();
        }
    }
    Ok(points)
}
