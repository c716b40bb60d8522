//! Measures a run on one thread and on two, and two runs of one thread side by side: two threads cannot
//! be faster than those. Times are wall-clock: on a machine that is otherwise busy they say little.

use crate::table::target;
use crate::timing::{median, median_ratio};
use crate::{Effort, fields, ours};
use density::numbers::about;
use density::{Bounds, Constant, RadiusField};
use std::error::Error;
use std::hint::black_box;
use std::panic::resume_unwind;
use std::time::Instant;

/// The target: minimum speed-up of two threads.
const LEAST_TIMES: f64 = 1.8;

/// Runs and prints the table.
///
/// # Errors
/// The errors of the engine.
pub(crate) fn print(effort: Effort) -> Result<(), Box<dyn Error>> {
    let side = effort.pick(400.0, 1200.0);
    println!("### One thread and two, time on the wall\n");
    println!(
        "| domain | points | one thread, ms | two threads, ms | times as fast | two runs side by side | target |"
    );
    println!("|---|--:|--:|--:|--:|--:|---|");
    let one = Constant::new(1.0)?;
    line("one `min_dist`", &one, side, effort)?;
    let side = 4.0 * side;
    let smooth = fields::field(&fields::smooth_map()?, 16.0, side)?;
    line("smooth, ratio 16", &smooth, side, effort)?;
    println!();
    Ok(())
}

fn line<F: RadiusField<2>>(
    name: &str,
    field: &F,
    side: f64,
    effort: Effort,
) -> Result<(), Box<dyn Error>> {
    let domain = Bounds::from_size([side; 2])?;
    let pools = [ours::threads(1)?, ours::threads(2)?];
    let second = ours::threads(1)?;
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    let mut points = 0;
    for round in 0..effort.rounds as u64 {
        let scatter = ours::engine(field, domain, round)?;
        for (pool, times) in pools.iter().zip(&mut times) {
            let start = Instant::now();
            let found = black_box(pool.install(|| scatter.points()))?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
            points = found.samples.len();
        }
        let start = Instant::now();
        let other = || black_box(pools[0].install(|| scatter.points()));
        std::thread::scope(|scope| {
            let beside = scope.spawn(other);
            let own = black_box(second.install(|| scatter.points()));
            own.and(beside.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })?;
        times[2].push(0.5 * start.elapsed().as_secs_f64() * 1e3);
    }
    let faster = median_ratio(&times[0], &times[1]);
    let most = median_ratio(&times[0], &times[2]);
    println!(
        "| {name} | {} | {} | {} | {faster:.2} | {most:.2} | {} |",
        about(points as f64),
        about(median(&times[0])),
        about(median(&times[1])),
        target(
            effort,
            format_args!(">= {LEAST_TIMES}"),
            faster >= LEAST_TIMES
        ),
    );
    Ok(())
}
