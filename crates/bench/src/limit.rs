//! Measures the gradient limit of a large map, and dilation by the local distance.

use crate::Effort;
use crate::table::target;
use crate::timing::{median, timed};
use density::shape::{
    Combine, DistMap, PerlinMapOptions, ShapeError, Side, combine, dilate_local, limit, perlin_map,
};
use density::{DistRange, PerlinOptions, White};
use std::error::Error;

/// The target: maximum seconds of CPU for the limit of 4096 x 4096 pixels.
const MOST_SECONDS: f64 = 2.0;

/// The slope that the limit allows, in `min_dist` per unit of distance.
const SLOPE: f64 = 0.25;

/// Returns noise with hard edges in it.
fn distances(side: u32, range: DistRange) -> Result<DistMap, Box<dyn Error>> {
    let smooth = PerlinMapOptions::default();
    let blobs = PerlinMapOptions {
        noise: PerlinOptions {
            seed: 1,
            ..PerlinOptions::default()
        },
        threshold: Some(0.5),
        ..smooth
    };
    let map = combine(
        &perlin_map(side, side, smooth)?,
        &perlin_map(side, side, blobs)?,
        Combine::Max,
    )?;
    Ok(DistMap::new(&map, range, White::Sparse, [1.0; 2])?)
}

/// Returns the median of the CPU time, and the result of the last round.
fn seconds(
    rounds: usize,
    shape: impl Fn() -> Result<DistMap, ShapeError>,
) -> Result<(f64, DistMap), Box<dyn Error>> {
    let (cpu, mut shaped) = timed(&shape)?;
    let mut seconds = vec![cpu.as_secs_f64()];
    for _ in 1..rounds {
        let (cpu, again) = timed(&shape)?;
        seconds.push(cpu.as_secs_f64());
        shaped = again;
    }
    Ok((median(&seconds), shaped?))
}

/// Runs and prints the table.
///
/// # Errors
/// The errors of the fields and of the clock.
pub(crate) fn print(effort: Effort) -> Result<(), Box<dyn Error>> {
    let side = effort.pick(512, 4096);
    // In pixels.
    let range = DistRange::new(4.0, 64.0)?;
    let distances = distances(side, range)?;
    println!("### Shaping a map of {side} x {side} pixels, noise with hard edges\n");
    println!("| what | CPU, s | pixels changed | target |");
    println!("|---|--:|--:|---|");
    for keep in [Side::Dense, Side::Sparse] {
        let (seconds, limited) = seconds(effort.rounds, || limit(&distances, SLOPE, keep))?;
        let pairs = limited.distances().iter().zip(distances.distances());
        let changed = pairs.filter(|(a, b)| a != b).count();
        let share = 100.0 * changed as f64 / distances.distances().len() as f64;
        let met = seconds <= MOST_SECONDS;
        let target = target(effort, format_args!("<= {MOST_SECONDS} s"), met);
        let name = keep.name();
        println!("| limit {SLOPE}, keep {name} | {seconds:.2} | {share:.0} % | {target} |");
    }
    for grows in [Side::Dense, Side::Sparse] {
        let (seconds, _) = seconds(effort.rounds, || dilate_local(&distances, 1.0, grows))?;
        println!(
            "| dilate by the local distance, {} grows | {seconds:.2} | | |",
            grows.name(),
        );
    }
    println!();
    Ok(())
}
