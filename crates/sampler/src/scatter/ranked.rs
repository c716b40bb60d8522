//! Ranks for the whole, and for windows by as much of their surroundings as it takes.

use super::blocks::Block;
use super::cache::Cache;
use super::engine::Scatter;
use super::rank::{Ranking, rank};
use super::scattered::Scattered;
use crate::boxes::{grown, hull};
use crate::error::SampleError;
use crate::sample::Sample;
use density::{Bounds, RadiusField};
use std::ops::ControlFlow;
use std::sync::Arc;

/// How far the surroundings reach at first, in greatest distances of the coarsest level.
const HALO: f64 = 5.0;

/// By what they are widened when they were too narrow.
const WIDEN: f64 = 1.5;

fn stretch(level: u32) -> f64 {
    (1_u64 << level) as f64
}

impl<const D: usize, F: RadiusField<D>> Scatter<D, F> {
    /// Gives all points of a domain their ranks; `None` when `pause` breaks it off.
    pub(super) fn rank_whole(
        &self,
        samples: &mut [Sample<D>],
        pause: impl FnMut() -> ControlFlow<()>,
    ) -> Option<()> {
        let place = self.domain()?;
        let task = Ranking {
            open: [[false; 2]; D],
            ..self.ranking(&place)
        };
        let ranks = rank(samples, &task, pause)?;
        for (sample, rank) in samples.iter_mut().zip(ranks) {
            sample.rank = rank;
        }
        Some(())
    }

    /// All points of a tile with ranks, whatever the cap.
    pub(super) fn uncut(&self) -> Scattered<D> {
        let mut found = self.gathered();
        let _ = self.rank_whole(&mut found.samples, || ControlFlow::Continue(()));
        found
    }

    /// What ranking the points of an area has to know.
    fn ranking(&self, area: &Bounds<D>) -> Ranking<D> {
        let options = self.options();
        let levels = options.levels;
        let open = |a: usize| match self.domain() {
            None => [true; 2],
            Some(domain) => [
                area.min()[a] > domain.min()[a],
                area.max()[a] < domain.max()[a],
            ],
        };
        Ranking {
            rule: options.rule,
            levels,
            place: *area,
            range: self.field().range(),
            open: std::array::from_fn(open),
            widest: (0..=levels).map(|k| self.reach(area, stretch(k))).collect(),
            turn: self.view().lattice.turn_size(),
        }
    }

    /// A bound of the distances of points whose distance, stretched, may reach into a place.
    fn reach(&self, place: &Bounds<D>, stretch: f64) -> f64 {
        let mut reach = self.field().range().hi();
        for _ in 0..8 {
            let grown = grown(place, stretch * reach);
            let most = self.view().most_in(&grown).unwrap_or(0.0);
            if most >= reach {
                break;
            }
            reach = most;
        }
        reach
    }

    /// A group of the plan with its ranks, in a bounded domain.
    pub(super) fn ranked_group(&self, cache: &Cache<D>, blocks: &[Block<D>]) -> Scattered<D> {
        let mut found = Scattered::default();
        // Only in an endless world may the surroundings be too much.
        for part in self.ranked(cache, blocks).unwrap_or_default() {
            found.samples.extend_from_slice(&part.samples);
            found.unresolved += part.unresolved;
            found.unresolved_volume += part.unresolved_volume;
        }
        found
    }

    /// Blocks of the fixed grid with their ranks, from the cache or computed.
    pub(super) fn ranked(
        &self,
        cache: &Cache<D>,
        blocks: &[Block<D>],
    ) -> Result<Vec<Arc<Scattered<D>>>, SampleError> {
        let cached: Vec<_> = blocks.iter().map(|b| cache.get(b, true)).collect();
        let missing: Vec<Block<D>> = cached
            .iter()
            .zip(blocks)
            .filter_map(|(found, block)| found.is_none().then_some(*block))
            .collect();
        let mut new = self.rank_blocks(cache, &missing)?.into_iter();
        let parts = cached.into_iter().zip(blocks);
        Ok(parts
            .filter_map(|(found, block)| {
                found.or_else(|| {
                    let found = Arc::new(new.next()?);
                    cache.put(block, &found, true);
                    Some(found)
                })
            })
            .collect())
    }

    fn rank_blocks(
        &self,
        cache: &Cache<D>,
        blocks: &[Block<D>],
    ) -> Result<Vec<Scattered<D>>, SampleError> {
        let places = blocks.iter().map(|b| b.place);
        let Some(hull) = places.reduce(|a, b| hull(&a, &b)) else {
            return Ok(Vec::new());
        };
        let coarsest = stretch(self.options().levels);
        let mut halo = HALO * coarsest * self.reach(&hull, coarsest);
        loop {
            let area = self.snapped(&grown(&hull, halo));
            self.check_window(&area)?;
            let grid = self.grid(&area);
            let parts = self.fetch(cache, &grid);
            let samples = parts.iter().flat_map(|part| &part.samples);
            let samples: Vec<Sample<D>> = samples.copied().collect();
            let task = self.ranking(&area);
            let ranks = rank(&samples, &task, || ControlFlow::Continue(()));
            let ranks = ranks.unwrap_or_default();
            let mut start = 0;
            let spans = parts.iter().map(|part| {
                start += part.samples.len();
                start - part.samples.len()..start
            });
            let spans: Vec<_> = spans.collect();
            let find = |block: &Block<D>| {
                let at = grid.iter().position(|b| b.place == block.place)?;
                let (part, ranks) = (&parts[at], ranks.get(spans[at].clone())?);
                let samples = part.samples.iter().zip(ranks);
                let samples =
                    samples.map(|(&sample, &rank)| rank.map(|_| Sample { rank, ..sample }));
                Some(Scattered {
                    samples: samples.collect::<Option<_>>()?,
                    ..**part
                })
            };
            if let Some(found) = blocks.iter().map(find).collect() {
                return Ok(found);
            }
            halo *= WIDEN;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::ScatterOptions;
    use density::Constant;

    /// How deep into an area it is felt that nothing is known outside.
    #[test]
    fn what_hangs_on_the_outside_lies_near_it() {
        for levels in [1, 2, 4] {
            let options = ScatterOptions {
                levels,
                ..ScatterOptions::default()
            };
            let field = Constant::new(1.0).expect("a good field");
            let scatter = Scatter::endless(field, options).expect("a good run");
            let mut deepest = 0.0_f64;
            for x in 0..3 {
                let size = [10.0 * stretch(levels); 2];
                let place = Bounds::with_origin([f64::from(x) * 500.0, 0.0], size);
                let place = scatter.snapped(&place.expect("a good box"));
                let cache = Cache::new(usize::MAX);
                let parts = scatter.fetch(&cache, &scatter.grid(&place));
                let samples = parts.iter().flat_map(|part| &part.samples);
                let samples: Vec<Sample<2>> = samples.copied().collect();
                let go_on = || ControlFlow::Continue(());
                let ranks = rank(&samples, &scatter.ranking(&place), go_on).expect("ranks");
                for (sample, _) in samples
                    .iter()
                    .zip(&ranks)
                    .filter(|(_, rank)| rank.is_none())
                {
                    let depth = (0..2).fold(f64::INFINITY, |depth: f64, a| {
                        let x = sample.position[a];
                        depth.min(x - place.min()[a]).min(place.max()[a] - x)
                    });
                    deepest = deepest.max(depth / stretch(levels));
                }
            }
            println!("{levels} levels: {deepest:.2} of the coarsest distances deep");
            assert!(
                deepest > 0.5 && deepest < HALO,
                "{levels} levels: {deepest}"
            );
        }
    }
}
