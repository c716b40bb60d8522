//! What a run will need, before anything is allocated.

use crate::error::SampleError;
use crate::level_grid::LevelGrid;
use crate::options::{BridsonOptions, PointLimit};
use density::{Bounds, RadiusField};

/// What a run is expected to give and to need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Points expected: c times the integral of `1 / min_dist^D` over the domain.
    pub points: f64,
    /// Memory expected, in bytes.
    pub bytes: f64,
}

/// Coordinates up to this many times the least distance can tell points apart.
const MOST_DISTANCES: f64 = 2_147_483_648.0;

/// Probes along each axis.
const fn probes(dimensions: usize) -> usize {
    match dimensions {
        1 => 4096,
        2 => 256,
        3 => 40,
        _ => 8,
    }
}

/// Points per `min_dist^D` of volume that Bridson's algorithm reaches with 30 tries.
const fn bridson_density(dimensions: usize) -> f64 {
    match dimensions {
        2 => 0.615,
        3 => 0.576,
        _ => 0.6,
    }
}

/// Integral of `1 / min_dist^D` over the domain where points may lie, by the midpoint rule.
fn integral<const D: usize, F: RadiusField<D>>(field: &F, domain: &Bounds<D>) -> f64 {
    let range = field.range();
    let share = |r: f64| (0..D).map(|_| 1.0 / r).product::<f64>();
    if range.lo() == range.hi() && field.mask_detail().is_none() {
        // Divided axis by axis: the volume alone may overflow.
        return domain.size().iter().map(|s| s / range.lo()).product();
    }
    let n = probes(D);
    let (min, size) = (domain.min(), domain.size());
    let total = n.pow(D as u32);
    let sum: f64 = (0..total)
        .filter_map(|i| {
            let p = std::array::from_fn(|a| {
                let step = i / n.pow(a as u32) % n;
                min[a] + size[a] * ((step as f64 + 0.5) / n as f64)
            });
            field.min_dist(p)
        })
        // Relative to the least distance, or a sum of large numbers could overflow.
        .map(|r| share(r / range.lo()))
        .sum();
    size.iter().map(|s| s / range.lo()).product::<f64>() * (sum / total as f64)
}

/// Checks everything that can be known before the start.
pub(crate) fn check<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: &Bounds<D>,
    options: &BridsonOptions,
) -> Result<Estimate, SampleError> {
    if options.tries == 0 {
        return Err(SampleError::NoTries);
    }
    let range = field.range();
    let extent = (0..D)
        .flat_map(|a| {
            [
                domain.min()[a].abs(),
                domain.max()[a].abs(),
                domain.size()[a],
            ]
        })
        .fold(0.0, f64::max);
    let limit = MOST_DISTANCES * range.lo();
    if extent > limit {
        return Err(SampleError::TooFine {
            extent,
            min_dist: range.lo(),
            limit,
        });
    }
    let most_ratio = (1_u64 << LevelGrid::<D>::MAX_LEVELS) as f64;
    if range.hi() / range.lo() > most_ratio {
        return Err(SampleError::RatioTooLarge {
            lo: range.lo(),
            hi: range.hi(),
            ratio: range.hi() / range.lo(),
            limit: most_ratio,
        });
    }
    let estimate = estimate(field, domain, options.limit);
    if let PointLimit::Refuse(ceiling) = options.limit
        && estimate.points > ceiling as f64
    {
        return Err(SampleError::TooManyPoints {
            expected: estimate.points,
            ceiling,
        });
    }
    if let Some(limit) = options.max_bytes
        && estimate.bytes > limit as f64
    {
        return Err(SampleError::TooMuchMemory {
            expected: estimate.points,
            megabytes: estimate.bytes / 1e6,
            limit_megabytes: limit as f64 / 1e6,
        });
    }
    Ok(estimate)
}

fn estimate<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: &Bounds<D>,
    limit: PointLimit,
) -> Estimate {
    // At least one point fits into any domain that may hold points.
    let points = (bridson_density(D) * integral(field, domain)).max(1.0);
    let kept = points.min(limit.most() as f64);
    Estimate {
        points,
        bytes: LevelGrid::<D>::bytes_for(domain, field.range(), kept) + kept * 40.0,
    }
}
