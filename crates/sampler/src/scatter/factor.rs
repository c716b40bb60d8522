//! The factor by which all distances are multiplied for a given number of points, found by trials.

use super::bounded_plan::BoundedPlan;
use super::lattice::inverse_power_of_two;
use super::options::ScatterOptions;
use super::scattered::{Scattered, Tell};
use crate::error::SampleError;
use crate::obstacles::AvoidError;
use crate::point_limit::PointLimit;
use crate::preflight::root;

/// Number of trials after the first that approach the requested number of points step by step.
const STEPS: u32 = 12;

/// Maximum number of trials. Those after the steps have factors around the best one.
const MOST_TRIALS: u32 = 60;

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
    pub(super) bounded: BoundedPlan<'f, D>,
}

/// Returns the plan of a run with all distances multiplied by a factor.
pub(super) type Build<'b, 'f, const D: usize> =
    &'b mut dyn FnMut(f64, ScatterOptions) -> Result<BoundedPlan<'f, D>, SampleError>;

/// Returns `count` points; `None` when `progress` breaks the search off.
pub(super) fn fit<'f, const D: usize>(
    build: Build<'_, 'f, D>,
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
    let mut search = Search::new(D, count);
    let Some(first) = first_factor(build, options, search.target())? else {
        return Err(SampleError::CountOutOfReach { count, most: 0 });
    };
    let mut next = Some(first);
    let mut too_far_apart = None;
    while let Some(factor) = next {
        let run = build(factor, options).and_then(|bounded| bounded.all_points(progress));
        let (came, points) = match run {
            Ok(Some(points)) => (points.samples.len() as u64, Some(points)),
            Ok(None) => return Ok(None),
            // Happens in a thin domain, where the estimate is mostly the room at the edges.
            Err(SampleError::TooManyPoints { expected, .. }) => (expected as u64, None),
            // Smaller distances may give as many points.
            Err(
                error @ (SampleError::TileTooSmall { .. }
                | SampleError::Avoid(AvoidError::TileTooSmall { .. })),
            ) => {
                too_far_apart = Some(error);
                (0, None)
            }
            Err(_) if search.best.is_some() => break,
            Err(error) => return Err(error),
        };
        search.record(factor, came, points);
        next = search.next_factor(factor, came);
    }
    // With more than about twice the requested points, too many would be dropped.
    let is_near = |best: &Best<_>| best.came / 2 <= count;
    if let Some(error) = too_far_apart
        && !search.best.as_ref().is_some_and(is_near)
    {
        return Err(error);
    }
    let Some(best) = search.best else {
        return Err(SampleError::CountOutOfReach {
            count,
            most: search.most_seen,
        });
    };
    let mut points = best.points;
    keep(&mut points, count);
    Ok(Some(Fitted {
        points,
        factor: best.factor,
        dropped: best.came - count,
        bounded: build(best.factor, options)?,
    }))
}

/// Estimates are tried for factors from 2 to the power of this down to its inverse.
const MOST_HALVINGS: i32 = 48;

/// Maximum number of estimates that approach the requested number of points.
const ESTIMATES: u32 = 8;

/// Returns a factor for which about `target` points are expected; `None` if none are for any factor. The distances as they
/// are may be impossible, or leave no room beside obstacles: then those nearest to them count.
fn first_factor<const D: usize>(
    build: Build<'_, '_, D>,
    options: ScatterOptions,
    target: f64,
) -> Result<Option<f64>, SampleError> {
    let options = ScatterOptions {
        limit: PointLimit::Refuse(u64::MAX),
        max_bytes: None,
        ..options
    };
    let mut expected =
        |factor| -> Result<f64, SampleError> { Ok(build(factor, options)?.expected_inside()) };
    let mut first: Result<Option<f64>, SampleError> = Ok(None);
    let mut found = None;
    for halvings in std::iter::once(0).chain((1..=MOST_HALVINGS).flat_map(|k| [k, -k])) {
        let factor = inverse_power_of_two(halvings);
        match expected(factor) {
            Ok(points) if points > 0.0 => {
                found = Some((factor, points));
                break;
            }
            Err(error) if halvings == 0 => first = Err(error),
            Ok(_) | Err(_) => {}
        }
    }
    let Some((mut factor, mut points)) = found else {
        return first;
    };
    // A field alone gives as many as expected at once, but beside obstacles there is more room for smaller distances.
    for _ in 0..ESTIMATES {
        factor *= root(points / target, D);
        match expected(factor) {
            Ok(more) if more > 0.0 => points = more,
            _ => break,
        }
        if (0.5..2.0).contains(&(points / target)) {
            break;
        }
    }
    Ok(Some(factor))
}

/// A trial that gave enough points.
struct Best<P> {
    factor: f64,
    came: u64,
    points: P,
}

/// The search for a factor that gives a few more points than requested. `P` are the points of a trial.
///
/// It has two phases. After the first trial up to [`STEPS`] more approach the requested number: each scales the factor
/// by the root of the surplus, or halves the interval between the factors that gave enough points and those that gave
/// too few. Few points appear and vanish several at a time, so the steps may jump over the number; then further trials,
/// up to [`MOST_TRIALS`] in all, test factors around the best one.
struct Search<P> {
    dimensions: usize,
    count: u64,
    /// Number of trials recorded.
    trials: u32,
    /// The trial with the smallest surplus.
    best: Option<Best<P>>,
    /// The greatest factor that gave enough points.
    enough: f64,
    /// The least factor that gave too few points.
    too_few: f64,
    /// The greatest number of points of any trial.
    most_seen: u64,
}

impl<P> Search<P> {
    fn new(dimensions: usize, count: u64) -> Self {
        Self {
            dimensions,
            count,
            trials: 0,
            best: None,
            enough: 0.0,
            too_few: f64::INFINITY,
            most_seen: 0,
        }
    }

    /// Returns the number of points that trials aim at: in the middle between those requested and those that are close
    /// enough.
    fn target(&self) -> f64 {
        self.count.saturating_add(self.count / 400) as f64
    }

    /// Records that a trial came to `came` points. `points` is `None` if it was refused, and `came` an estimate.
    fn record(&mut self, factor: f64, came: u64, points: Option<P>) {
        self.trials += 1;
        if came >= self.count {
            self.enough = f64::max(self.enough, factor);
        } else {
            self.too_few = f64::min(self.too_few, factor);
        }
        let Some(points) = points else { return };
        self.most_seen = self.most_seen.max(came);
        if came >= self.count && self.best.as_ref().is_none_or(|best| came < best.came) {
            self.best = Some(Best {
                factor,
                came,
                points,
            });
        }
    }

    /// Returns the factor of the next trial, after one of factor `last` that came to `came` points; `None` if that is
    /// close enough or no trial is left.
    fn next_factor(&self, last: f64, came: u64) -> Option<f64> {
        let most = self.count.saturating_add(self.count / 200);
        if (self.count..=most).contains(&came) || self.trials == MOST_TRIALS {
            return None;
        }
        if self.trials <= STEPS {
            return Some(self.step_from(last, came));
        }
        if self.count > MANY {
            return None;
        }
        let tries = self.trials - STEPS - 1;
        match &self.best {
            Some(best) => Some(best.factor * self.beside(tries)),
            None => Some(0.97 * last),
        }
    }

    /// Returns the factor that approaches the target from one that came to `came` points.
    fn step_from(&self, last: f64, came: u64) -> f64 {
        let surplus = (came.max(1) as f64 / self.target()).clamp(0.01, 100.0);
        let factor = last * root(surplus, self.dimensions);
        let is_between = self.enough < factor && factor < self.too_few;
        let is_bracketed = self.enough > 0.0 && self.too_few < f64::INFINITY;
        if is_bracketed && !is_between {
            self.enough.sqrt() * self.too_few.sqrt()
        } else {
            factor
        }
    }

    /// Returns the ratio of try number `tries` to the best factor, above and below 1 by turns. Tries lie about a third
    /// of a point apart; for more than [`FEW`] points ever farther apart.
    fn beside(&self, tries: u32) -> f64 {
        let turn = tries / 2 + 1;
        let thirds = if self.count > FEW {
            turn * (turn + 1) / 2
        } else {
            turn
        };
        let far = f64::from(thirds) / (3.0 * self.dimensions as f64 * self.count as f64);
        if tries.is_multiple_of(2) {
            1.0 + far
        } else {
            1.0 - far
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches for `count` points, of which a trial gives `points(factor)`. Returns the trials.
    fn trials(count: u64, first: f64, points: impl Fn(f64) -> u64) -> (Search<()>, Vec<f64>) {
        let mut search = Search::new(2, count);
        let (mut tried, mut next) = (Vec::new(), Some(first));
        while let Some(factor) = next {
            let came = points(factor);
            search.record(factor, came, Some(()));
            next = search.next_factor(factor, came);
            tried.push(factor);
        }
        (search, tried)
    }

    #[test]
    fn smooth_counts_are_found_in_a_few_steps() {
        for count in [1000, 300_000] {
            for wrong_by in [0.2, 1.0, 7.0] {
                let points = |factor: f64| (1e5 / (factor * factor)) as u64;
                let first = wrong_by * (1e5 / count as f64).sqrt();
                let (search, tried) = trials(count, first, points);
                let best = search.best.expect("a trial that gave enough");
                assert!((count..=count + count / 200).contains(&best.came));
                assert!(tried.len() <= 4, "{tried:?}");
            }
        }
    }

    /// Points that come 7 at a time never come to 100: the least surplus is 5.
    #[test]
    fn counts_that_jump_end_at_the_least_surplus() {
        let points = |factor: f64| (1e5 / (7.0 * factor * factor)) as u64 * 7;
        let (search, tried) = trials(100, 20.0, points);
        assert_eq!(search.best.map(|best| best.came), Some(105));
        assert_eq!(tried.len(), 60);
        // The last tries lie at both sides of the best factor, and ever farther from it.
        let far: Vec<f64> = tried[13..].iter().map(|f| f / tried[13] - 1.0).collect();
        assert!(far[1] < 0.0 && far[2] > 0.0 && far[4] > far[2], "{far:?}");
        // If many points are requested, some are left out instead.
        let points = |factor: f64| 10_000_u64 << (20.0 / factor) as u32;
        let (search, tried) = trials(50_000, 20.0, points);
        assert_eq!(search.best.map(|best| best.came), Some(80_000));
        assert_eq!(tried.len(), 13);
    }

    /// A tile has no points at all beyond some factor.
    #[test]
    fn steps_stay_between_enough_and_too_few() {
        let points = |factor: f64| if factor < 2.0 { 300 } else { 0 };
        let mut search = Search::new(2, 200);
        let mut factor = 1.0;
        for _ in 0..STEPS {
            search.record(factor, points(factor), Some(()));
            let next = search.next_factor(factor, points(factor));
            factor = next.expect("a step");
            assert!(
                search.too_few.is_infinite() || search.enough < factor && factor < search.too_few
            );
        }
        assert!((factor - 2.0).abs() < 0.01, "{factor}");
    }

    #[test]
    fn the_greatest_count_does_not_overflow() {
        let mut search = Search::<()>::new(2, u64::MAX);
        search.record(1.0, 5, None);
        assert_eq!(search.next_factor(1.0, 5), Some(0.1));
    }

    #[test]
    fn refused_trials_lead_on_but_are_no_result() {
        let mut search = Search::<()>::new(2, 100);
        search.record(1.0, 10_000, None);
        assert_eq!(search.next_factor(1.0, 10_000), Some(10.0));
        assert!(search.best.is_none() && search.most_seen == 0);
    }
}
