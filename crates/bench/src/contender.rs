//! The contenders of a group, and the world that each fills.

use crate::timing::timed;
use density::{Bounds, RadiusField};
use std::convert::Infallible;
use std::error::Error;
use std::time::Duration;

/// The domain and the field that a contender fills, and that its points are checked against.
#[derive(Clone, Copy)]
pub(crate) struct World<'a, const D: usize> {
    /// The field of `min_dist`s.
    pub(crate) field: &'a dyn RadiusField<D>,
    /// The domain.
    pub(crate) bounds: Bounds<D>,
}

/// The CPU time and the points of one run.
pub(crate) struct Run<const D: usize> {
    /// CPU time of constructing the sampler and generating into a `Vec`.
    pub(crate) cpu: Duration,
    /// The points, in their order.
    pub(crate) points: Vec<[f64; D]>,
}

impl<const D: usize> Run<D> {
    /// Returns the CPU nanoseconds per point.
    pub(crate) fn ns_per_point(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e9 / self.points.len().max(1) as f64
    }
}

/// A run, or the reason why there is none.
pub(crate) type Ran<const D: usize> = Result<Run<D>, Box<dyn Error>>;

/// The target of a figure.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// Maximum CPU nanoseconds per point.
    NsPerPoint(f64),
    /// Maximum cost per point as a multiple of a baseline's, and the baseline's index in the table, from 0.
    Times(f64, usize),
}

/// A sampler that takes part in a group.
pub(crate) struct Contender<'a, const D: usize> {
    /// Its name in the table.
    pub(crate) name: String,
    /// The world it fills.
    pub(crate) world: World<'a, D>,
    /// Contenders of the group whose cost this one's is compared with, one entry for each of the
    /// table's baselines.
    pub(crate) baselines: Vec<Option<usize>>,
    /// Targets of its figures.
    pub(crate) targets: Vec<Target>,
    /// The function that makes one run, given a seed.
    pub(crate) run: Box<dyn Fn(u64) -> Ran<D> + 'a>,
}

/// Returns a timed run of `work`; `position` is applied to its points after the clock has stopped.
///
/// # Errors
/// The errors of `work` and of the clock.
pub(crate) fn run<const D: usize, T, E: Into<Box<dyn Error>>>(
    work: impl FnOnce() -> Result<Vec<T>, E>,
    position: impl Fn(&T) -> [f64; D],
) -> Ran<D> {
    let (cpu, result) = timed(work)?;
    let points = result.map_err(Into::into)?.iter().map(position).collect();
    Ok(Run { cpu, points })
}

/// Returns a timed run of `work`, which cannot fail; `position` is applied to its points after the
/// clock has stopped.
///
/// # Errors
/// The errors of the clock.
pub(crate) fn run_infallible<const D: usize, T>(
    work: impl FnOnce() -> Vec<T>,
    position: impl Fn(&T) -> [f64; D],
) -> Ran<D> {
    run(|| Ok::<_, Infallible>(work()), position)
}
