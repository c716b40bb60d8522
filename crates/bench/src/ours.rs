//! This project's sampler.

use crate::contender::{Run, run};
use density::{Bounds, RadiusField};
use sampler::{Bridson, BridsonOptions, NeighbourIndex, Sample, Scatter, ScatterOptions};
use std::error::Error;

/// Bridson as users get it.
///
/// # Errors
/// When the run is refused or stops early.
pub(crate) fn bridson<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: Bounds<D>,
    seed: u64,
) -> Result<Run<D>, Box<dyn Error>> {
    run(
        || collect(Bridson::new(field, domain, options(seed))?),
        |sample| sample.position,
    )
}

/// Scatter, the whole domain, on as many threads as there are: all of them are paid for.
///
/// # Errors
/// When the run is refused.
pub(crate) fn scatter<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: Bounds<D>,
    seed: u64,
) -> Result<Run<D>, Box<dyn Error>> {
    let options = ScatterOptions {
        seed,
        ..ScatterOptions::default()
    };
    run(
        || -> Result<_, Box<dyn Error>> {
            Ok(Scatter::new(field, domain, options)?.points().samples)
        },
        |sample| sample.position,
    )
}

/// Bridson on the plain grid of lists.
///
/// # Errors
/// When the run is refused or stops early.
pub(crate) fn bridson_with_lists<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: Bounds<D>,
    seed: u64,
) -> Result<Run<D>, Box<dyn Error>> {
    run(
        || collect(Bridson::with_lists(field, domain, options(seed))?),
        |sample| sample.position,
    )
}

/// 30 tries, rule `max`.
fn options(seed: u64) -> BridsonOptions {
    BridsonOptions {
        seed,
        ..BridsonOptions::default()
    }
}

fn collect<const D: usize, F: RadiusField<D>, I: NeighbourIndex<D>>(
    mut points: Bridson<D, F, I>,
) -> Result<Vec<Sample<D>>, Box<dyn Error>> {
    let samples = points.by_ref().collect();
    if points.is_complete() {
        Ok(samples)
    } else {
        Err("the run stopped early, so its time means nothing".into())
    }
}
