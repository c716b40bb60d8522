//! The gradient limit of a large map, and dilation by the local distance beside it.

use crate::Effort;
use crate::table::verdict;
use crate::timing::{median, timed};
use density::{
    Combine, DistMap, DistRange, PerlinMapOptions, PerlinOptions, Side, White, combine,
    dilate_local, limit, perlin_map,
};
use std::error::Error;

/// The target: seconds of CPU for the limit of 4096 x 4096 pixels.
const MOST_SECONDS: f64 = 2.0;

/// What the limit allows: so much farther apart for each unit of distance.
const SLOPE: f64 = 0.25;

/// Noise with hard edges in it, as distances from 4 to 64 pixels.
fn distances(side: u32) -> Result<DistMap, Box<dyn Error>> {
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
    let range = DistRange::new(4.0, 64.0)?;
    Ok(DistMap::new(&map, range, White::Sparse, [1.0; 2])?)
}

/// Runs and prints the table.
///
/// # Errors
/// Whatever the fields or the clock report.
pub(crate) fn print(effort: Effort, rounds: usize) -> Result<(), Box<dyn Error>> {
    let side = match effort {
        Effort::Quick => 512,
        Effort::Full => 4096,
    };
    let distances = distances(side)?;
    println!("### Shaping a map of {side} x {side} pixels, noise with hard edges\n");
    println!("| what | CPU, s | pixels changed | target |");
    println!("|---|--:|--:|---|");
    for keep in [Side::Dense, Side::Sparse] {
        let (mut seconds, mut changed) = (vec![], 0);
        for _ in 0..rounds {
            let (cpu, limited) = timed(|| limit(&distances, SLOPE, keep))?;
            let pairs = limited?;
            let pairs = pairs.distances().iter().zip(distances.distances());
            changed = pairs.filter(|(a, b)| a != b).count();
            seconds.push(cpu.as_secs_f64());
        }
        let share = 100.0 * changed as f64 / distances.distances().len() as f64;
        let target = match effort {
            Effort::Quick => String::new(),
            Effort::Full => {
                let met = median(&seconds) <= MOST_SECONDS;
                format!("<= {MOST_SECONDS} s: {}", verdict(met))
            }
        };
        println!(
            "| limit {SLOPE}, keep {} | {:.2} | {share:.0} % | {target} |",
            keep.name(),
            median(&seconds),
        );
    }
    for grows in [Side::Dense, Side::Sparse] {
        let mut seconds = vec![];
        for _ in 0..rounds {
            let (cpu, dilated) = timed(|| dilate_local(&distances, 1.0, grows))?;
            dilated?;
            seconds.push(cpu.as_secs_f64());
        }
        println!(
            "| dilate by the local distance, {} grows | {:.2} | | |",
            grows.name(),
            median(&seconds),
        );
    }
    println!();
    Ok(())
}
