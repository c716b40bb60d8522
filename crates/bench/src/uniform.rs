//! The uniform groups: one `min_dist` everywhere, in the plane and in space.

use crate::contender::{Contender, Run, Target, World, run};
use crate::{Effort, ours, peers, table, textbook, timing};
use density::{Bounds, Constant};
use std::convert::Infallible;
use std::error::Error;

/// The `min_dist` of every world here; only its ratio to the domain's size matters.
const MIN_DIST: f64 = 1.0;
/// Expected density constants of Bridson's algorithm with 30 tries.
const C_2D: f64 = 0.615;
const C_3D: f64 = 0.576;

/// Where the textbook stands in both lists: costs are compared with it.
const TEXTBOOK: usize = 2;

/// A square or cube that takes about `points` points, and the uniform field in it. Its side
/// is a whole number, so that a peer that works in `f32` fills the very same domain.
fn side_for<const D: usize>(points: f64, c: f64) -> f64 {
    (points / c).powf(1.0 / D as f64).round()
}

fn world<const D: usize>(field: &Constant, side: f64) -> Result<World<'_, D>, Box<dyn Error>> {
    let bounds = Bounds::from_size([side; D])?;
    Ok(World {
        field,
        bounds,
        unit_count: bounds.volume() / MIN_DIST.powi(D as i32),
    })
}

fn contender<'a, const D: usize>(
    name: &str,
    world: World<'a, D>,
    run: impl Fn(u64) -> Result<Run<D>, Box<dyn Error>> + 'a,
) -> Contender<'a, D> {
    Contender {
        name: name.to_owned(),
        world,
        baseline: TEXTBOOK,
        twin: None,
        targets: Vec::new(),
        run: Box::new(run),
    }
}

/// Runs and prints the plane's tables.
///
/// # Errors
/// Whatever a contender or the clock reports.
pub(crate) fn in_2d(effort: Effort, rounds: usize) -> Result<(), Box<dyn Error>> {
    let sizes: &[f64] = match effort {
        Effort::Quick => &[1e4, 1e5],
        Effort::Full => &[1e4, 1e5, 1e6],
    };
    for &size in sizes {
        let side = side_for::<2>(size, C_2D);
        let field = Constant::new(MIN_DIST)?;
        let world = world(&field, side)?;
        let contenders = [
            Contender {
                targets: match size {
                    // The ratio is the same target for a machine of another speed.
                    1e6 => vec![Target::NsPerPoint(1e3), Target::RelativeCost(1e3 / 2.7e3)],
                    _ => Vec::new(),
                },
                ..contender("**Spinney** Bridson", world, move |seed| {
                    ours::bridson(&field, world.bounds, seed)
                })
            },
            Contender {
                twin: Some(0),
                ..contender("Spinney on plain lists", world, move |seed| {
                    ours::bridson_with_lists(&field, world.bounds, seed)
                })
            },
            contender("textbook Bridson", world, move |seed| {
                run(
                    || Ok::<_, Infallible>(textbook::bridson_2d(side, MIN_DIST, seed)),
                    |p| *p,
                )
            }),
            contender("`fast_poisson` 1.0.2", world, move |seed| {
                run(
                    || Ok::<_, Infallible>(peers::fast_poisson(side, MIN_DIST, seed)),
                    |p| *p,
                )
            }),
            contender("`poisson-diskus` 1.0", world, move |seed| {
                run(|| peers::poisson_diskus(side, MIN_DIST, seed), |p| *p)
            }),
            contender("`bluenoise` 0.2.2, 4 tries", world, move |seed| {
                run(
                    || Ok::<_, Infallible>(peers::bluenoise(side, MIN_DIST, seed, 4)),
                    |p| p.map(f64::from),
                )
            }),
            contender("`bluenoise` 0.2.2, 30 tries", world, move |seed| {
                run(
                    || Ok::<_, Infallible>(peers::bluenoise(side, MIN_DIST, seed, 30)),
                    |p| p.map(f64::from),
                )
            }),
        ];
        let title = format!("Uniform 2D, {} points", table::grouped(size));
        eprintln!("{title}");
        let outcomes = timing::rounds(&contenders, rounds)?;
        table::print(&title, "textbook", &contenders, &outcomes);
    }
    Ok(())
}

/// Runs and prints space's table.
///
/// # Errors
/// Whatever a contender or the clock reports.
pub(crate) fn in_3d(effort: Effort, rounds: usize) -> Result<(), Box<dyn Error>> {
    let size = match effort {
        Effort::Quick => 3e4,
        Effort::Full => 3e5,
    };
    let side = side_for::<3>(size, C_3D);
    let field = Constant::new(MIN_DIST)?;
    let world = world(&field, side)?;
    let contenders = [
        Contender {
            targets: match effort {
                Effort::Quick => Vec::new(),
                Effort::Full => vec![Target::NsPerPoint(5e3)],
            },
            ..contender("**Spinney** Bridson", world, move |seed| {
                ours::bridson(&field, world.bounds, seed)
            })
        },
        Contender {
            twin: Some(0),
            ..contender("Spinney on plain lists", world, move |seed| {
                ours::bridson_with_lists(&field, world.bounds, seed)
            })
        },
        contender("textbook Bridson", world, move |seed| {
            run(
                || Ok::<_, Infallible>(textbook::bridson_3d(side, MIN_DIST, seed)),
                |p| *p,
            )
        }),
        contender("`fast_poisson` 1.0.2", world, move |seed| {
            run(
                || Ok::<_, Infallible>(peers::fast_poisson(side, MIN_DIST, seed)),
                |p| *p,
            )
        }),
        contender("`poisson-diskus` 1.0", world, move |seed| {
            run(|| peers::poisson_diskus(side, MIN_DIST, seed), |p| *p)
        }),
    ];
    let title = format!("Uniform 3D, {} points", table::grouped(size));
    eprintln!("{title}");
    let outcomes = timing::rounds(&contenders, rounds)?;
    table::print(&title, "textbook", &contenders, &outcomes);
    Ok(())
}
