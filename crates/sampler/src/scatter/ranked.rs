//! Ranks of the points of each layer: for a whole domain, and for parts of it by as much of their
//! surroundings as it takes.

use super::layer::Layer;
use super::options::ScatterOptions;
use super::pass::Edges;
use super::rank::{Ranking, rank};
use super::scattered::Scattered;
use crate::boxes::grown;
use crate::error::SampleError;
use crate::sample::Sample;
use density::Bounds;
use std::ops::ControlFlow;

/// How far the surroundings reach at first, in greatest distances of the coarsest level.
const HALO: f64 = 5.0;

/// By what they are widened when they were too narrow.
const WIDEN: f64 = 1.5;

/// What ranks are a function of, beside the points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranks<'s, const D: usize> {
    pub(super) layers: &'s [Layer<'s, D>],
    pub(super) domain: Option<Bounds<D>>,
    pub(super) edges: Edges,
    pub(super) options: &'s ScatterOptions,
}

/// How much longer distances are at a level.
fn times(level: u32) -> f64 {
    (1_u64 << level) as f64
}

impl<const D: usize> Ranks<'_, D> {
    /// Gives the points of `place`, which are all that lie there, their ranks. Returns `false` if
    /// some could not be decided without those outside; `None` if `pause` breaks it off.
    pub(super) fn rank(
        &self,
        samples: &mut [Sample<D>],
        place: &Bounds<D>,
        mut pause: impl FnMut() -> ControlFlow<()>,
        wanted: impl Fn([f64; D]) -> bool,
    ) -> Option<bool> {
        let mut all = true;
        for (number, layer) in self.layers.iter().enumerate() {
            let mine = |s: &Sample<D>| s.layer.is_none_or(|layer| layer as usize == number);
            let own: Vec<Sample<D>> = samples.iter().filter(|s| mine(s)).copied().collect();
            let ranks = rank(&own, &self.ranking(layer, place), &mut pause)?;
            let own = samples.iter_mut().filter(|s| mine(s));
            for (sample, rank) in own.zip(ranks) {
                sample.rank = rank;
                all &= rank.is_some() || !wanted(sample.position);
            }
        }
        Some(all)
    }

    /// The points in `area` with their ranks; `fetch` gives all points of a box, without ranks.
    pub(super) fn ranked(
        &self,
        area: &Bounds<D>,
        mut fetch: impl FnMut(&Bounds<D>) -> Result<Scattered<D>, SampleError>,
    ) -> Result<Scattered<D>, SampleError> {
        let coarsest = times(self.options.levels);
        let reaches = self
            .layers
            .iter()
            .map(|layer| Self::reach(layer, area, coarsest));
        let mut halo = HALO * coarsest * reaches.fold(0.0, f64::max);
        loop {
            let mut place = grown(area, halo);
            if let Some(domain) = &self.domain {
                place = super::lattice::clip(&place, domain).unwrap_or(place);
            }
            let mut found = fetch(&place)?;
            let wanted = |p| area.contains(p);
            let go_on = || ControlFlow::Continue(());
            let all = self.rank(&mut found.samples, &place, go_on, wanted);
            if all == Some(true) {
                found
                    .samples
                    .retain(|sample| area.contains(sample.position));
                return Ok(found);
            }
            halo *= WIDEN;
        }
    }

    /// What ranking the points of a layer in an area has to know.
    fn ranking(&self, layer: &Layer<'_, D>, area: &Bounds<D>) -> Ranking<D> {
        let levels = self.options.levels;
        let open = |a: usize| match &self.domain {
            None => [true; 2],
            Some(domain) => [
                area.min()[a] > domain.min()[a],
                area.max()[a] < domain.max()[a],
            ],
        };
        let period = self.domain.filter(|_| self.edges == Edges::Tiled);
        Ranking {
            rule: self.options.rule,
            levels,
            place: *area,
            range: layer.field.range(),
            open: std::array::from_fn(open),
            widest: (0..=levels)
                .map(|k| Self::reach(layer, area, times(k)))
                .collect(),
            turn: period.map(|domain| domain.size()),
        }
    }

    /// A bound of the distances of a layer's points that, so many times longer, may reach into a
    /// place.
    fn reach(layer: &Layer<'_, D>, place: &Bounds<D>, times: f64) -> f64 {
        let mut reach = layer.field.range().hi();
        for _ in 0..8 {
            let near = layer.field.range_in(&grown(place, times * reach));
            let most = near.map_or(0.0, |near| near.range.hi());
            if most >= reach {
                break;
            }
            reach = most;
        }
        reach
    }
}
