//! Ranks the points of each layer: of a whole domain, or of parts of it with as much of their surroundings
//! as needed.

use super::layer::Layer;
use super::pass::Edges;
use super::plan::Plan;
use super::rank::{Ranking, rank};
use super::scattered::{MayGoOn, Scattered};
use crate::boxes::grown;
use crate::error::SampleError;
use crate::sample::Sample;
use density::Bounds;
use std::ops::ControlFlow;

/// The first width of the surroundings, in greatest distances at the coarsest level.
const HALO: f64 = 5.0;

/// The factor by which surroundings that are too narrow are widened.
const WIDEN: f64 = 1.5;

/// Returns the factor of distances at a level.
fn times(level: u32) -> f64 {
    (1_u64 << level) as f64
}

/// Sorts points by (rank, id), so that the points of each level come first.
pub(super) fn sort_by_rank<const D: usize>(samples: &mut [Sample<D>]) {
    samples.sort_unstable_by_key(|sample| (sample.rank, sample.id));
}

impl<const D: usize> Plan<'_, D> {
    /// Sets the ranks of `samples`, which are all points in `place`. Returns `false` if the rank of a
    /// `wanted` point depends on points outside; `None` if `may_go_on` breaks it off.
    ///
    /// # Errors
    /// When there is not enough memory for an index of the points.
    pub(super) fn rank(
        &self,
        samples: &mut [Sample<D>],
        place: &Bounds<D>,
        may_go_on: MayGoOn<'_>,
        wanted: &dyn Fn([f64; D]) -> bool,
    ) -> Result<Option<bool>, SampleError> {
        let mut all = true;
        for (number, layer) in self.layers.iter().enumerate() {
            let mine = |s: &Sample<D>| s.layer.is_none_or(|layer| layer as usize == number);
            let own: Vec<&Sample<D>> = samples.iter().filter(|s| mine(s)).collect();
            let Some(ranks) = rank(&own, &self.ranking(layer, place), may_go_on)? else {
                return Ok(None);
            };
            let own = samples.iter_mut().filter(|s| mine(s));
            for (sample, rank) in own.zip(ranks) {
                sample.rank = rank;
                all &= rank.is_some() || !wanted(sample.position);
            }
        }
        Ok(Some(all))
    }

    /// Returns the points in `area` with their ranks, in the order of (rank, id); `fetch` returns all points of a box,
    /// without ranks.
    pub(super) fn ranked(
        &self,
        area: &Bounds<D>,
        fetch: &mut dyn FnMut(&Bounds<D>) -> Result<Scattered<D>, SampleError>,
    ) -> Result<Scattered<D>, SampleError> {
        let mut halo = self.halo(area);
        loop {
            let place = self.around(area, halo);
            let mut found = fetch(&place)?;
            let wanted = &|p| area.contains(p);
            let go_on = &mut || ControlFlow::Continue(());
            let all = self.rank(&mut found.samples, &place, go_on, wanted)?;
            // No callback breaks it off.
            if all.unwrap_or(true) {
                found
                    .samples
                    .retain(|sample| area.contains(sample.position));
                sort_by_rank(&mut found.samples);
                return Ok(found);
            }
            halo *= WIDEN;
        }
    }

    /// Returns the area whose points nearly always decide the ranks in `area`; `area` itself without ranks.
    pub(super) fn surroundings(&self, area: &Bounds<D>) -> Bounds<D> {
        match self.options.levels {
            0 => *area,
            _ => self.around(area, self.halo(area)),
        }
    }

    /// Returns the first width of the surroundings of an area.
    fn halo(&self, area: &Bounds<D>) -> f64 {
        let coarsest = times(self.options.levels);
        let layers = self.layers.iter();
        let reaches = layers.map(|layer| Self::reach(layer, area, coarsest));
        HALO * coarsest * reaches.fold(0.0, f64::max)
    }

    /// Returns an area with its surroundings of this width.
    fn around(&self, area: &Bounds<D>, halo: f64) -> Bounds<D> {
        match (self.domain, self.edges) {
            (None, _) => grown(area, halo),
            (Some(domain), Edges::Open) => grown(area, halo).intersection(&domain).unwrap_or(*area),
            // The surroundings wrap around the whole domain.
            (Some(domain), Edges::Tiled) => domain,
        }
    }

    /// Returns the parameters for ranking the points of a layer in an area.
    fn ranking(&self, layer: &Layer<'_, D>, area: &Bounds<D>) -> Ranking<D> {
        let levels = self.options.levels;
        let open = |a: usize| match &self.domain {
            None => [true; 2],
            Some(domain) => [
                area.min()[a] > domain.min()[a],
                area.max()[a] < domain.max()[a],
            ],
        };
        Ranking {
            rule: self.options.rule,
            levels,
            place: *area,
            range: layer.field.range(),
            open: std::array::from_fn(open),
            widest: (0..=levels)
                .map(|k| Self::reach(layer, area, times(k)))
                .collect(),
            period: self.tile().map(|tile| tile.size()),
        }
    }

    /// Returns a bound on the distances of a layer's points that, multiplied by `times`, may reach into a
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

#[cfg(test)]
mod tests {
    use super::super::options::ScatterOptions;
    use super::*;
    use density::Constant;
    use std::sync::Arc;

    /// The side of a place so wide that an index of it cannot be allocated.
    const WIDE: f64 = 1e25;

    fn sample(position: [f64; 2]) -> Sample<2> {
        Sample {
            id: 1,
            position,
            min_dist: 1.0,
            value: 0.0,
            parent: None,
            rank: None,
            layer: None,
        }
    }

    /// An index that cannot be allocated is an error: neither the end of a run that was broken off, nor a
    /// reason to look farther around.
    #[test]
    fn an_index_too_large_is_an_error() {
        let options = ScatterOptions {
            levels: 1,
            ..ScatterOptions::default()
        };
        let field = Arc::new(Constant::new(1.0).expect("a good field"));
        let plan = Plan::single(field, None, Edges::Open, options).expect("a plan");
        let place = Bounds::from_size([WIDE; 2]).expect("a good box");
        let go_on = &mut || ControlFlow::Continue(());
        let all = plan.rank(&mut [sample([1.0; 2])], &place, go_on, &|_| true);
        assert!(
            matches!(all, Err(SampleError::OutOfMemory { .. })),
            "{all:?}"
        );
        let mut fetched = 0;
        let found = plan.ranked(&place, &mut |_| {
            fetched += 1;
            assert_eq!(fetched, 1, "looked farther around");
            Ok(Scattered {
                samples: vec![sample([1.0; 2])],
                ..Scattered::default()
            })
        });
        assert!(
            matches!(found, Err(SampleError::OutOfMemory { .. })),
            "{found:?}"
        );
    }
}
