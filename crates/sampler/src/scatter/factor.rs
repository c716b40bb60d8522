//! The factor by which a field is multiplied for a given number of points, found by trials.

use super::domain::Domain;
use super::options::ScatterOptions;
use super::pass::Edges;
use super::scattered::{Scattered, Tell};
use crate::error::SampleError;
use crate::packing::packing;
use crate::point_limit::PointLimit;
use crate::preflight::{self, root};
use density::{Bounds, RadiusField, Scaled};
use std::sync::Arc;

/// Number of trials that approach the requested number of points step by step.
const STEPS: u32 = 12;

/// Number of further trials, with factors around the best one, when the steps led to none.
const TRIES: u32 = 48;

/// Above this count, nearby factors may give the same number of points, so trials move farther and farther
/// away.
const FEW: u64 = 1000;

/// Above this count, the steps come close enough.
const MANY: u64 = 20_000;

/// A given number of points.
pub(super) struct Fitted<'f, const D: usize> {
    pub(super) points: Scattered<D>,
    pub(super) factor: f64,
    /// Number of surplus points of the scaled field.
    pub(super) dropped: u64,
    /// The run that gives the points.
    pub(super) domain: Domain<'f, D>,
}

/// Returns `count` points; `None` when `progress` breaks the search off.
pub(super) fn fit<'f, const D: usize>(
    field: &Arc<dyn RadiusField<D> + 'f>,
    bounds: Bounds<D>,
    edges: Edges,
    options: ScatterOptions,
    count: u64,
    progress: Tell<'_>,
) -> Result<Option<Fitted<'f, D>>, SampleError> {
    let ceiling = options.limit.most();
    if count == 0 {
        return Err(SampleError::NoCount);
    }
    if count > ceiling {
        return Err(SampleError::CountAboveLimit { count, ceiling });
    }
    // Neither the estimate nor the result of a trial is exact.
    let limit = PointLimit::Refuse(count.saturating_mul(4).saturating_add(1000));
    let options = ScatterOptions { limit, ..options };
    let most = count + count / 200;
    let target = (count + count / 400) as f64;
    let expected = preflight::expected(field, &bounds, packing(D));
    if expected <= 0.0 {
        return Err(SampleError::CountOutOfReach { count, most: 0 });
    }
    let mut factor = root(expected / target, D);
    // The factor and the points of the trial with the smallest surplus.
    let mut best: Option<(f64, Scattered<D>)> = None;
    let mut most_seen = 0;
    let mut too_far_apart = None;
    // The greatest factor that gave enough points, and the least that gave too few.
    let (mut enough, mut too_few) = (0.0, f64::INFINITY);
    for step in 0..STEPS + TRIES {
        let run = build(field, bounds, edges, options, factor)
            .and_then(|domain| domain.all_points(progress));
        let came = match run {
            Ok(Some(points)) => {
                let came = points.samples.len() as u64;
                most_seen = most_seen.max(came);
                let is_less = |best: &(_, Scattered<D>)| came < best.1.samples.len() as u64;
                if came >= count && best.as_ref().is_none_or(is_less) {
                    best = Some((factor, points));
                }
                came
            }
            Ok(None) => return Ok(None),
            // Happens in a thin domain, where the estimate is mostly the room at the edges.
            Err(SampleError::TooManyPoints { expected, .. }) => expected as u64,
            // Smaller distances may give as many points.
            Err(error @ SampleError::TileTooSmall { .. }) => {
                too_far_apart = Some(error);
                0
            }
            Err(_) if best.is_some() => break,
            Err(error) => return Err(error),
        };
        if (count..=most).contains(&came) {
            break;
        }
        if came >= count {
            enough = f64::max(enough, factor);
        } else {
            too_few = f64::min(too_few, factor);
        }
        if step < STEPS {
            factor *= root((came.max(1) as f64 / target).clamp(0.01, 100.0), D);
            let between = enough < factor && factor < too_few;
            if !between && enough > 0.0 && too_few < f64::INFINITY {
                factor = enough.sqrt() * too_few.sqrt();
            }
        } else if let Some((best, _)) = &best {
            // Few points appear and vanish in steps: try factors around the best, about a third of a point
            // apart; for more points ever farther apart.
            let turn = (step - STEPS) / 2 + 1;
            let thirds = if count > FEW {
                turn * (turn + 1) / 2
            } else {
                turn
            };
            let far = f64::from(thirds) / (3.0 * D as f64 * count as f64);
            let side = if step % 2 == 0 { 1.0 + far } else { 1.0 - far };
            factor = best * side;
        } else {
            factor *= 0.97;
        }
        if count > MANY && step >= STEPS {
            break;
        }
    }
    // With more than about twice the requested points, too many would be dropped.
    let is_near = |(_, found): &(_, Scattered<D>)| found.samples.len() as u64 / 2 <= count;
    if let Some(error) = too_far_apart
        && !best.as_ref().is_some_and(is_near)
    {
        return Err(error);
    }
    let Some((factor, mut points)) = best else {
        return Err(SampleError::CountOutOfReach {
            count,
            most: most_seen,
        });
    };
    let dropped = points.samples.len() as u64 - count;
    keep(&mut points, count);
    Ok(Some(Fitted {
        points,
        factor,
        dropped,
        domain: build(field, bounds, edges, options, factor)?,
    }))
}

fn build<'f, const D: usize>(
    field: &Arc<dyn RadiusField<D> + 'f>,
    bounds: Bounds<D>,
    edges: Edges,
    options: ScatterOptions,
    factor: f64,
) -> Result<Domain<'f, D>, SampleError> {
    let range = field.range();
    let field = Scaled::new(Arc::clone(field), factor).map_err(|_| SampleError::OutOfScale {
        lo: factor * range.lo(),
        hi: factor * range.hi(),
        least: preflight::SCALE.0,
        most: preflight::SCALE.1,
    })?;
    Domain::single(Arc::new(field), bounds, edges, options)
}

/// Removes the last points in the order of (rank, id).
fn keep<const D: usize>(points: &mut Scattered<D>, count: u64) {
    let samples = &mut points.samples;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if samples.len() <= count {
        return;
    }
    let mut order: Vec<_> = samples.iter().map(|s| (s.rank, s.id)).collect();
    let (_, &mut last, _) = order.select_nth_unstable(count - 1);
    let mut room = count;
    samples.retain(|s| {
        let kept = (s.rank, s.id) <= last && room > 0;
        room -= usize::from(kept);
        kept
    });
}
