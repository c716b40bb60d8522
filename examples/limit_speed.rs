//! How long the gradient limit takes on a large map, of noise with hard edges in it. Prints the CPU
//! time; draws nothing.

use anyhow::Result;
use cpu_time::ProcessTime;
use density::{
    Combine, DistMap, DistRange, PerlinMapOptions, PerlinOptions, Side, White, combine,
    dilate_local, limit, perlin_map,
};
use spinney_examples::{Run, Scale};

fn main() -> Result<()> {
    let side = match Run::from_args()?.scale {
        Scale::Full => 4096,
        Scale::Small => 256,
    };
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
    let distances = DistMap::new(&map, DistRange::new(4.0, 64.0)?, White::Sparse, [1.0; 2])?;
    println!("{side} x {side} pixels, CPU time");
    for keep in [Side::Dense, Side::Sparse] {
        let start = ProcessTime::now();
        let limited = limit(&distances, 0.25, keep)?;
        let seconds = start.elapsed().as_secs_f64();
        let changed = limited.distances().iter().zip(distances.distances());
        let changed = changed.filter(|(a, b)| a != b).count();
        let share = 100.0 * changed as f64 / distances.distances().len() as f64;
        println!(
            "limit 0.25, keep {}: {seconds:.2} s, {share:.0} % of the pixels changed",
            keep.name()
        );
    }
    for grows in [Side::Dense, Side::Sparse] {
        let start = ProcessTime::now();
        dilate_local(&distances, 1.0, grows)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "dilate by 1 x the local distance, {} grows: {seconds:.2} s",
            grows.name()
        );
    }
    Ok(())
}
