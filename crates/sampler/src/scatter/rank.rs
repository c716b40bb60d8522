//! Levels of detail: the same order-free rule, applied to finished points at twice the distance, and again
//! and again.
//!
//! `S_0` is the set of all points. The points of `S_k` are a subset of `S_(k-1)`: they keep `2^k` times the rule's
//! distance from each other. It is the lexicographically first maximal such subset, in the order of a hash of the ids.
//! So each set is maximal in the one before, has the spacing of a scattering of its own, and depends only on the points
//! around: the greatest distance that matters doubles with each level.
//!
//! A point's rank is K less the highest k with the point in `S_k`.

use super::hash::mix;
use super::scattered::MayGoOn;
use crate::boxes::square;
use crate::error::SampleError;
use crate::index::NeighbourIndex;
use crate::level_grid::LevelGrid;
use crate::rule::Rule;
use crate::sample::Sample;
use crate::steps;
use density::{Bounds, DistRange};
use rayon::prelude::*;

/// The parameters of a ranking.
#[derive(Clone, Debug)]
pub(super) struct Ranking<const D: usize> {
    pub(super) rule: Rule,
    pub(super) levels: u32,
    /// The area whose points are all given.
    pub(super) place: Bounds<D>,
    pub(super) range: DistRange,
    /// Whether more points may lie beyond the lower and the upper side of the area, for each axis.
    pub(super) open: [[bool; 2]; D],
    /// A bound, for each level, on the distances of the points beyond the sides that matter.
    pub(super) widest: Vec<f64>,
    /// The size of the periodic domain, if the area is one.
    pub(super) period: Option<[f64; D]>,
}

/// Number of points between two calls of `may_go_on`.
const CALL_EVERY: usize = 1 << 16;

/// Returns the key that points are sorted by. A hash of the id and not the id itself: ids tell how late a
/// point was drawn, and the late ones fill gaps.
fn order_key(id: u64) -> u64 {
    mix(id ^ 0xd1b5_4a32_d192_ed03)
}

/// The rank that a point has if it is in no further level.
#[derive(Clone, Copy)]
struct Standing {
    rank: u32,
    /// `false` once the decision of a level depended on points outside the area.
    is_sure: bool,
}

/// Returns the ranks of points; `None` for a point whose rank depends on points outside the area. Returns
/// `None` instead of ranks when `may_go_on` breaks off.
///
/// # Errors
/// When the memory for an index could not be had, or there are more points than an index can hold.
pub(super) fn rank<const D: usize>(
    samples: &[&Sample<D>],
    task: &Ranking<D>,
    may_go_on: MayGoOn<'_>,
) -> Result<Option<Vec<Option<u32>>>, SampleError> {
    let count = u32::try_from(samples.len());
    let numbers = 0..count.map_err(|_| out_of_memory(task, task.range, samples.len()))?;
    let mut order: Vec<(u64, u32)> = numbers
        .into_par_iter()
        .zip(samples)
        .map(|(i, sample)| (order_key(sample.id), i))
        .collect();
    order.par_sort_unstable();
    // Level 0 holds all points.
    let start = Standing {
        rank: task.levels,
        is_sure: true,
    };
    let mut standings = vec![start; samples.len()];
    for level in 1..=task.levels {
        let mut sieve = Sieve::new(samples, task, level, order.len())?;
        let mut kept = 0;
        for at in 0..order.len() {
            if (at + 1) % CALL_EVERY == 0 && may_go_on().is_break() {
                return Ok(None);
            }
            let (_, i) = order[at];
            let standing = &mut standings[i as usize];
            match sieve.decide(i, standing.is_sure)? {
                Verdict::Out => continue,
                Verdict::In => standing.rank = task.levels - level,
                Verdict::Unknown => standing.is_sure = false,
            }
            order[kept] = order[at];
            kept += 1;
        }
        order.truncate(kept);
    }
    let rank = |standing: Standing| standing.is_sure.then_some(standing.rank);
    Ok(Some(standings.into_iter().map(rank).collect()))
}

/// The decision whether a point is in a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    In,
    Out,
    /// It depends on points outside the area.
    Unknown,
}

/// The points of one level, as far as they are decided.
struct Sieve<'s, const D: usize> {
    samples: &'s [&'s Sample<D>],
    task: &'s Ranking<D>,
    /// The factor of distances at this level.
    stretch: f64,
    /// A bound on the distances of points outside the area that matter.
    widest: f64,
    /// The points that are surely in the level, with distances multiplied by `stretch`.
    inside: LevelGrid<D>,
    /// The points that may be in the level.
    unknown: Option<LevelGrid<D>>,
}

impl<'s, const D: usize> Sieve<'s, D> {
    fn new(
        samples: &'s [&'s Sample<D>],
        task: &'s Ranking<D>,
        level: u32,
        points: usize,
    ) -> Result<Self, SampleError> {
        let stretch = (1_u64 << level) as f64;
        Ok(Self {
            samples,
            task,
            stretch,
            widest: task.widest[level as usize],
            inside: grid(task, stretch, points)?,
            unknown: None,
        })
    }

    /// Decides if a point is in the level, after all points that come earlier. `is_sure` tells if it is surely
    /// in the level before.
    fn decide(&mut self, number: u32, is_sure: bool) -> Result<Verdict, SampleError> {
        let Sample {
            position, min_dist, ..
        } = *self.samples[number as usize];
        let (rule, stretch) = (self.task.rule, self.stretch);
        let (samples, task) = (self.samples, self.task);
        let out_of_memory = |_| out_of_memory(task, task.range, samples.len());
        let conflict = |other: u32, p: [f64; D]| {
            let q = samples[other as usize];
            let square = square::<D>(|a| q.position[a] - p[a]);
            let distance = stretch * rule.distance(q.min_dist, min_dist);
            square < distance * distance
        };
        let near = |p: [f64; D]| {
            let r = stretch * min_dist;
            self.inside.any_near(p, rule, r, |q| conflict(q, p))
        };
        if self.any_image(position, min_dist, near) {
            return Ok(Verdict::Out);
        }
        let near = |p: [f64; D]| {
            let reach = (rule, min_dist, stretch);
            let unknown = self.unknown.as_ref();
            unknown.is_some_and(|grid| grid.any_stretched(p, reach, |q| conflict(q, p)))
        };
        if is_sure && !self.at_edge(position, min_dist) && !self.any_image(position, min_dist, near)
        {
            let inserted = self.inside.insert(number, position, stretch * min_dist);
            inserted.map_err(out_of_memory)?;
            return Ok(Verdict::In);
        }
        let unknown = match &mut self.unknown {
            Some(unknown) => unknown,
            none => none.insert(grid(self.task, 1.0, samples.len())?),
        };
        let inserted = unknown.insert(number, position, min_dist);
        inserted.map_err(out_of_memory)?;
        Ok(Verdict::Unknown)
    }

    /// Returns `true` if a point outside the area might conflict with this one.
    fn at_edge(&self, p: [f64; D], r: f64) -> bool {
        let distance = self.stretch * self.task.rule.distance(self.widest, r);
        let (min, max) = (self.task.place.min(), self.task.place.max());
        (0..D).any(|a| {
            let [below, above] = self.task.open[a];
            (below && p[a] - min[a] < distance) || (above && max[a] - p[a] < distance)
        })
    }

    /// Returns `true` if `near` is true for an image of a position that matters.
    fn any_image(&self, p: [f64; D], r: f64, mut near: impl FnMut([f64; D]) -> bool) -> bool {
        let Some(size) = self.task.period else {
            return near(p);
        };
        let reach = self.stretch * self.task.rule.distance(self.task.range.hi(), r);
        let (min, max) = (self.task.place.min(), self.task.place.max());
        steps::any([-1_i64; D], [1; D], |image| {
            let image = std::array::from_fn(|a| p[a] + image[a] as f64 * size[a]);
            let matters = (0..D).all(|a| image[a] + reach >= min[a] && image[a] - reach <= max[a]);
            matters && near(image)
        })
    }
}

/// Returns an index for `points` points, for distances multiplied by `stretch`.
fn grid<const D: usize>(
    task: &Ranking<D>,
    stretch: f64,
    points: usize,
) -> Result<LevelGrid<D>, SampleError> {
    let range = DistRange::new(stretch * task.range.lo(), stretch * task.range.hi());
    let index = range
        .ok()
        .and_then(|range| LevelGrid::new(&task.place, range, points as f64));
    index.ok_or_else(|| out_of_memory(task, range.unwrap_or(task.range), points))
}

/// Returns the error for an index of this many points.
fn out_of_memory<const D: usize>(
    task: &Ranking<D>,
    range: DistRange,
    points: usize,
) -> SampleError {
    SampleError::OutOfMemory {
        megabytes: LevelGrid::bytes_for(&task.place, range, points as f64) / 1e6,
    }
}
