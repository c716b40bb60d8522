//! What takes part, and in which world.

use crate::timing::timed;
use density::{Bounds, RadiusField};
use std::convert::Infallible;
use std::error::Error;
use std::time::Duration;

/// The place and the field that a contender fills; what its points are checked against.
#[derive(Clone, Copy)]
pub(crate) struct World<'a, const D: usize> {
    /// The minimum distance asked for.
    pub(crate) field: &'a dyn RadiusField<D>,
    /// The domain.
    pub(crate) bounds: Bounds<D>,
    /// The integral of `1/min_dist^D` over the domain: points there would be at c = 1.
    pub(crate) unit_count: f64,
}

/// One run: how long it took and what it gave.
pub(crate) struct Run<const D: usize> {
    /// CPU time of constructing the sampler and generating into a `Vec`.
    pub(crate) cpu: Duration,
    /// The points, in their order.
    pub(crate) points: Vec<[f64; D]>,
}

/// What is hoped of a figure.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// At most so many CPU nanoseconds per point.
    NsPerPoint(f64),
    /// At most so many times a baseline's cost per point.
    Relative {
        /// Which of the table's baselines, from 0.
        baseline: usize,
        /// How many times.
        most: f64,
    },
}

impl Target {
    /// At most so many times the cost per point of one of the table's baselines.
    pub(crate) fn at_most(most: f64, baseline: usize) -> Self {
        Self::Relative { baseline, most }
    }
}

/// A contender's run, given a seed.
pub(crate) type RunFn<'a, const D: usize> = Box<dyn Fn(u64) -> Result<Run<D>, Box<dyn Error>> + 'a>;

/// Somebody who takes part in a group.
pub(crate) struct Contender<'a, const D: usize> {
    /// Its name in the table.
    pub(crate) name: String,
    /// The world it fills.
    pub(crate) world: World<'a, D>,
    /// Which contenders of the group its cost is compared with, one entry for each of the
    /// table's baselines.
    pub(crate) baselines: Vec<Option<usize>>,
    /// Which contender of the group must give the same points, if any.
    pub(crate) twin: Option<usize>,
    /// What the issue asks of it.
    pub(crate) targets: Vec<Target>,
    /// One run.
    pub(crate) run: RunFn<'a, D>,
}

/// A run of `work`, timed; `position` is applied to its points after the clock has stopped.
///
/// # Errors
/// Whatever `work` or the clock reports.
pub(crate) fn run<const D: usize, T, E: Into<Box<dyn Error>>>(
    work: impl FnOnce() -> Result<Vec<T>, E>,
    position: impl Fn(&T) -> [f64; D],
) -> Result<Run<D>, Box<dyn Error>> {
    let (cpu, result) = timed(work)?;
    let points = result.map_err(Into::into)?.iter().map(position).collect();
    Ok(Run { cpu, points })
}

/// A run of `work` that cannot fail, timed; `position` is applied to its points after the clock has
/// stopped.
///
/// # Errors
/// Whatever the clock reports.
pub(crate) fn run_infallible<const D: usize, T>(
    work: impl FnOnce() -> Vec<T>,
    position: impl Fn(&T) -> [f64; D],
) -> Result<Run<D>, Box<dyn Error>> {
    run(|| Ok::<_, Infallible>(work()), position)
}
