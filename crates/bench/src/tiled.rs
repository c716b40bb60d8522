//! Measures a map in tiles against the same map in memory.

use crate::beside::{self, counted};
use crate::timing::{median, timed};
use crate::{Effort, ours};
use density::{
    Bounds, DistRange, GreyMap, MapError, MapOptions, MapPart, PixelGrid, PixelRect, RadiusField,
    RadiusMap, TiledMap, White, YAxis,
};
use sampler::Scatter;
use std::error::Error;
use std::ops::ControlFlow;

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
pub(crate) fn print(effort: Effort) -> Result<(), Box<dyn Error>> {
    let side: u32 = effort.pick(1024, 4096);
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
    let stream = |field: &dyn RadiusField<2>, seed| {
        counted(|| pool.install(|| count(field, world, seed)).map_err(here))
    };
    let in_memory = |seed| stream(&memory, seed);
    let in_tiles = |seed| {
        let read = |rect: PixelRect| -> Result<GreyMap, MapError> { whole.cut(rect) };
        let tiles = TiledMap::new([TILE; 2], read, grid, range, White::Sparse)?;
        stream(&tiles.with_memory(kept), seed)
    };
    let title =
        format!("A map of {side} x {side} pixels in tiles of {TILE}, beside the same in memory");
    beside::head(&title, "run", ["in memory", "in tiles"]);
    let [all, same] = beside::line("streamed", effort, MOST_TIMES, [&in_memory, &in_tiles])?;
    if all != same {
        return Err("tiles give other points".into());
    }
    let mut found = [const { Vec::new() }; 2];
    for round in 0..effort.rounds as u64 {
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
        for (ms, cpu) in found.iter_mut().zip([warm, part]) {
            ms.push(1e3 * cpu.as_secs_f64());
        }
    }
    let [warm, part] = found.map(|ms| median(&ms));
    println!(
        "\n| one window of {WINDOW} r, ms | of the map in memory | of a part, cut out for it |"
    );
    println!("|---|--:|--:|\n| | {warm:.1} | {part:.1} |\n");
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
