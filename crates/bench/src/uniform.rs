//! The uniform groups: one `min_dist` everywhere, in the plane and in space.

use crate::contender::{Contender, Ran, Target, World, run_infallible};
use crate::{Effort, ours, peers, table, textbook};
use density::numbers::about;
use density::{Bounds, Constant};
use std::error::Error;

/// The `min_dist` of every world here; only its ratio to the domain's size matters.
const MIN_DIST: f64 = 1.0;
/// Expected density constants of Bridson's algorithm with 30 tries.
const C_2D: f64 = 0.615;
const C_3D: f64 = 0.576;

/// Indices of the textbook and the fastest peer in the lists of contenders: costs are compared with
/// them.
const TEXTBOOK: usize = 2;
const BLUENOISE: usize = 5;
const BASELINES: [&str; 2] = ["textbook", "`bluenoise`, 4 tries"];

/// Returns the side of a square or cube that takes about `points` points. It is a whole number, so
/// that a peer that works in `f32` fills the very same domain.
fn side_for<const D: usize>(points: f64, c: f64) -> f64 {
    (points / c).powf(1.0 / D as f64).round()
}

fn world<const D: usize>(field: &Constant, side: f64) -> Result<World<'_, D>, Box<dyn Error>> {
    let bounds = Bounds::from_size([side; D])?;
    Ok(World { field, bounds })
}

fn contender<'a, const D: usize>(
    name: &str,
    world: World<'a, D>,
    run: impl Fn(u64) -> Ran<D> + 'a,
) -> Contender<'a, D> {
    Contender {
        name: name.to_owned(),
        world,
        baselines: [Some(TEXTBOOK), Some(BLUENOISE)][..if D == 2 { 2 } else { 1 }].to_vec(),
        targets: Vec::new(),
        run: Box::new(run),
    }
}

/// Returns ours with their targets, the textbook's, and the peers that fill both the plane and
/// space.
fn contenders<'a, const D: usize>(
    field: &'a Constant,
    world: World<'a, D>,
    [scatter, bridson]: [Vec<Target>; 2],
    textbook: fn(f64, f64, u64) -> Vec<[f64; D]>,
) -> Vec<Contender<'a, D>> {
    let (bounds, side) = (world.bounds, world.bounds.size()[0]);
    vec![
        Contender {
            targets: scatter,
            ..contender("**Spinney** Scatter (maximal)", world, move |seed| {
                ours::scatter(field, bounds, seed)
            })
        },
        Contender {
            targets: bridson,
            ..contender("**Spinney** Bridson", world, move |seed| {
                ours::bridson(field, bounds, seed)
            })
        },
        contender("textbook Bridson", world, move |seed| {
            run_infallible(|| textbook(side, MIN_DIST, seed), |p| *p)
        }),
        contender("`fast_poisson` 1.0.2", world, move |seed| {
            peers::fast_poisson(side, MIN_DIST, seed)
        }),
        contender("`poisson-diskus` 1.0", world, move |seed| {
            peers::poisson_diskus(side, MIN_DIST, seed)
        }),
    ]
}

/// Runs and prints the plane's tables.
///
/// # Errors
/// The errors of a contender and of the clock.
pub(crate) fn in_2d(effort: Effort) -> Result<(), Box<dyn Error>> {
    let sizes: &[f64] = effort.pick(&[1e4, 1e5], &[1e4, 1e5, 1e6]);
    for &size in sizes {
        let side = side_for::<2>(size, C_2D);
        let field = Constant::new(MIN_DIST)?;
        let world = world(&field, side)?;
        // The ratios are the same target for a machine of another speed.
        let scatter = [
            Target::NsPerPoint(280.0),
            Target::Times(1.0 / 9.5, 0),
            Target::Times(1.0 / 2.5, 1),
        ];
        let bridson = [Target::NsPerPoint(1e3), Target::Times(1e3 / 2.7e3, 0)];
        let targets = match size {
            1e6 => [scatter.to_vec(), bridson.to_vec()],
            _ => [Vec::new(), Vec::new()],
        };
        let mut contenders = contenders(&field, world, targets, textbook::bridson_2d);
        for tries in [4, 30] {
            let name = format!("`bluenoise` 0.2.2, {tries} tries");
            contenders.push(contender(&name, world, move |seed| {
                peers::bluenoise(side, MIN_DIST, seed, tries)
            }));
        }
        let title = format!("Uniform 2D, {} points", about(size));
        table::print(&title, effort, &BASELINES, &contenders)?;
    }
    if !effort.quick {
        ten_millions(effort)?;
    }
    Ok(())
}

/// Measures whether the cost per point grows with the number of points.
fn ten_millions(effort: Effort) -> Result<(), Box<dyn Error>> {
    let field = Constant::new(MIN_DIST)?;
    let [large, small] = [1e7, 1e6].map(|size| world(&field, side_for::<2>(size, C_2D)));
    let (large, small) = (large?, small?);
    let side = large.bounds.size()[0];
    let run_in = |bounds| move |seed| ours::scatter(&field, bounds, seed);
    let mut contenders = [
        Contender {
            targets: vec![Target::Times(1.2, 0)],
            ..contender(
                "**Spinney** Scatter (maximal), 10M",
                large,
                run_in(large.bounds),
            )
        },
        contender(
            "**Spinney** Scatter (maximal), 1M",
            small,
            run_in(small.bounds),
        ),
        contender("**Spinney** Bridson, 10M", large, move |seed| {
            ours::bridson(&field, large.bounds, seed)
        }),
        contender("`bluenoise` 0.2.2, 4 tries, 10M", large, move |seed| {
            peers::bluenoise(side, MIN_DIST, seed, 4)
        }),
    ];
    for contender in &mut contenders {
        contender.baselines = vec![Some(1), Some(3)];
    }
    let title = "Uniform 2D, 10,000,000 points beside 1,000,000";
    let baselines = ["Scatter, 1M", BASELINES[1]];
    table::print(title, effort, &baselines, &contenders)
}

/// Runs and prints space's table.
///
/// # Errors
/// The errors of a contender and of the clock.
pub(crate) fn in_3d(effort: Effort) -> Result<(), Box<dyn Error>> {
    let size = effort.pick(3e4, 3e5);
    let targets = [2.5e3, 5e3].map(|most| vec![Target::NsPerPoint(most)]);
    let field = Constant::new(MIN_DIST)?;
    let world = world(&field, side_for::<3>(size, C_3D))?;
    let contenders = contenders(&field, world, targets, textbook::bridson_3d);
    let title = format!("Uniform 3D, {} points", about(size));
    table::print(&title, effort, &BASELINES[..1], &contenders)
}
