//! Runs this project's samplers.

use crate::contender::{Ran, run};
use density::{Bounds, RadiusField};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use sampler::{Bridson, BridsonOptions, PointLimit, Sample, SampleError, Scatter, ScatterOptions};
use std::error::Error;

/// Runs Bridson as users do.
///
/// # Errors
/// If the run is refused or stops early.
pub(crate) fn bridson<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: Bounds<D>,
    seed: u64,
) -> Ran<D> {
    run(
        || collect(Bridson::new(field, domain, options(seed))?),
        |sample| sample.position,
    )
}

/// Runs Scatter over the whole domain, on one thread.
///
/// # Errors
/// If the run is refused.
pub(crate) fn scatter<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: Bounds<D>,
    seed: u64,
) -> Ran<D> {
    let pool = threads(1)?;
    run(
        || {
            pool.install(|| -> Result<_, SampleError> {
                Ok(engine(field, domain, seed)?.points()?.samples)
            })
        },
        |sample| sample.position,
    )
}

/// Returns a run of Scatter, with rule `max`.
///
/// # Errors
/// If the run is refused.
pub(crate) fn engine<'f, const D: usize>(
    field: impl RadiusField<D> + 'f,
    domain: Bounds<D>,
    seed: u64,
) -> Result<Scatter<'f, D>, SampleError> {
    let options = ScatterOptions {
        seed,
        limit: PointLimit::Refuse(1_000_000_000),
        ..ScatterOptions::default()
    };
    Scatter::new(field, domain, options)
}

/// Returns a pool of `count` threads.
///
/// # Errors
/// If the system has none left.
pub(crate) fn threads(count: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(count).build()
}

/// Returns options with 30 tries and rule `max`.
fn options(seed: u64) -> BridsonOptions {
    BridsonOptions {
        seed,
        ..BridsonOptions::default()
    }
}

fn collect<const D: usize, F: RadiusField<D>>(
    mut points: Bridson<D, F>,
) -> Result<Vec<Sample<D>>, Box<dyn Error>> {
    let samples = points.by_ref().collect();
    if points.is_complete() {
        Ok(samples)
    } else {
        Err("the run stopped early, so its time means nothing".into())
    }
}
