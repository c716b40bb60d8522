//! Measures a map in tiles against the same map in memory.

use crate::table::target;
use crate::timing::{median, median_ratio, timed};
use crate::{Effort, ours};
use density::numbers::about;
use density::{
    Bounds, DistRange, GreyMap, MapError, MapOptions, MapPart, PixelGrid, PixelRect, RadiusField,
    RadiusMap, TiledMap, White, YAxis,
};
use sampler::Scatter;
use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

/// The target: maximum cost of a stream over tiles, as a multiple of that over memory.
const MOST_TIMES: f64 = 1.3;

/// Pixels along a side of a tile.
const TILE: u32 = 256;

/// A window's side in units of the least `min_dist`.
const WINDOW: f64 = 64.0;

/// Initial width of a part's margin around a window, in greatest distances.
const MARGIN: f64 = 10.0;

/// Returns smooth hills with a period of some 300 pixels.
fn hills(x: u32, y: u32) -> f64 {
    let (u, v) = (f64::from(x) * 0.021, f64::from(y) * 0.019);
    0.5 + 0.24 * (u.sin() + (v + 0.4 * u).cos())
}

/// Runs and prints the table.
///
/// # Errors
/// The errors of the engine and of the clock.
pub(crate) fn print(effort: Effort, rounds: usize) -> Result<(), Box<dyn Error>> {
    let side: u32 = match effort {
        Effort::Quick => 1024,
        Effort::Full => 4096,
    };
    let whole = GreyMap::from_fn(side, side, hills)?;
    let world = Bounds::from_size([f64::from(side); 2])?;
    let grid = PixelGrid::new([side; 2], world, YAxis::Down)?;
    let range = DistRange::new(4.0, 16.0)?;
    let options = MapOptions {
        bounds: Some(world),
        ..MapOptions::default()
    };
    let memory = RadiusMap::new(whole.clone(), range, options)?;
    // Less than the map takes, so that tiles are evicted and fetched again.
    let kept = 4 * side as usize * TILE as usize * 5;
    let pool = ours::threads(1)?;
    let mut found = [const { Vec::new() }; 4];
    let mut points = 0;
    for round in 0..rounds as u64 {
        let stream = |field: &dyn RadiusField<2>| -> Result<(Duration, usize), Box<dyn Error>> {
            let (cpu, count) = timed(|| pool.install(|| count(field, world, round)))?;
            Ok((cpu, count.map_err(here)?))
        };
        let (in_memory, count) = stream(&memory)?;
        let read = |rect: PixelRect| -> Result<GreyMap, MapError> { whole.cut(rect) };
        let tiles = || TiledMap::new([TILE; 2], read, grid, range, White::Sparse);
        let tiled = tiles()?.with_memory(kept);
        let (out_of_tiles, same) = stream(&tiled)?;
        if count != same {
            return Err("tiles give other points".into());
        }
        points = count;
        let window = Bounds::with_origin([0.4 * f64::from(side); 2], [WINDOW * range.lo(); 2])?;
        let scatter = ours::engine(&memory, world, round)?;
        let (warm, of_whole) = timed(|| pool.install(|| scatter.points_in(&window)))?;
        let of_whole = of_whole?.samples.len();
        let cold = || -> Result<usize, Box<dyn Error + Send + Sync>> {
            let mut rect = grid.around(&window, MARGIN * range.hi());
            loop {
                let part = MapPart::new(grid, rect.min, whole.cut(rect)?, range, White::Sparse)?;
                let scatter = ours::engine(&part, world, round)?;
                part.forget_asked();
                let samples = scatter.points_in(&window)?.samples;
                match part.asked_beyond() {
                    None => return Ok(samples.len()),
                    Some(wider) => rect = wider,
                }
            }
        };
        let (part, of_part) = timed(|| pool.install(cold))?;
        if of_part.map_err(here)? != of_whole {
            return Err("a part gives other points".into());
        }
        for (all, cpu) in found.iter_mut().zip([in_memory, out_of_tiles, warm, part]) {
            all.push(cpu.as_secs_f64());
        }
    }
    let [in_memory, out_of_tiles, warm, part] = &found;
    let ns = |all: &[f64]| about(median(all) * 1e9 / points as f64);
    let times = median_ratio(out_of_tiles, in_memory);
    println!("### A map of {side} x {side} pixels in tiles of {TILE}, beside the same in memory\n");
    println!("| points | in memory, ns/point | in tiles, ns/point | x | target |");
    println!("|--:|--:|--:|--:|---|");
    println!(
        "| {} | {} | {} | {times:.2} | {} |\n",
        about(points as f64),
        ns(in_memory),
        ns(out_of_tiles),
        target(effort, format_args!("<= {MOST_TIMES}"), times <= MOST_TIMES),
    );
    println!("| one window of {WINDOW} r, ms | of the map in memory | of a part, cut out for it |");
    println!("|---|--:|--:|");
    let ms = |all: &[f64]| 1e3 * median(all);
    println!("| | {:.1} | {:.1} |\n", ms(warm), ms(part));
    Ok(())
}

/// Turns an error that may cross threads into a plain one.
fn here(error: Box<dyn Error + Send + Sync>) -> Box<dyn Error> {
    error
}

/// Returns the number of points of a stream.
fn count(
    field: &dyn RadiusField<2>,
    world: Bounds<2>,
    seed: u64,
) -> Result<usize, Box<dyn Error + Send + Sync>> {
    let scatter: Scatter<'_, 2> = ours::engine(field, world, seed)?;
    let mut count = 0;
    let _ = scatter.stream_with(|part, _| {
        count += part.samples.len();
        ControlFlow::Continue(())
    })?;
    Ok(count)
}
