//! The order in which a bounded domain is worked through.

use super::blocks::Block;
use super::engine::Scatter;
use super::lattice::clip;
use super::region::Region;
use super::scattered::Scattered;
use crate::steps::for_each;
use density::{Bounds, RadiusField};
use std::sync::{Arc, Mutex, PoisonError};

/// Coarsest cells along the side of a block of the whole.
pub(super) const fn block_side(_dimensions: usize) -> i64 {
    64
}

/// Coarsest cells along the side of a block of the fixed grid.
pub(super) const fn grid_side(dimensions: usize) -> i64 {
    if dimensions == 3 { 8 } else { 20 }
}

/// Memory of regions, lent to whichever thread needs one. A clone lends the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regions<const D: usize>(Arc<Mutex<Vec<Region<D>>>>);

impl<const D: usize> Regions<D> {
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Region<D>) -> T) -> T {
        let shelf = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut region = shelf().pop().unwrap_or_default();
        let result = work(&mut region);
        shelf().push(region);
        result
    }
}

impl<const D: usize, F: RadiusField<D>> Scatter<D, F> {
    /// The blocks of the fixed grid that an area touches.
    pub(super) fn grid(&self, area: &Bounds<D>) -> Vec<Block<D>> {
        self.view().blocks_of_grid(area, grid_side(D))
    }

    /// An area, grown to whole blocks of the fixed grid, inside the domain.
    pub(super) fn snapped(&self, area: &Bounds<D>) -> Bounds<D> {
        let side = grid_side(D);
        let lattice = self.view().lattice;
        let (first, last) = lattice.cells(area, 0);
        let first = first.map(|c| c.div_euclid(side) * side);
        let last = last.map(|c| c.div_euclid(side) * side + side - 1);
        let area = lattice.span(first, last, 0).unwrap_or(*area);
        match &self.domain() {
            Some(domain) => clip(&area, domain).unwrap_or(area),
            None => area,
        }
    }

    /// The domain in groups of blocks, in the order of all results. With levels of detail they
    /// are blocks of the fixed grid, a square of them a group, so large that its surroundings,
    /// which have to be known for the ranks, are not much larger.
    pub(super) fn plan(&self) -> Vec<Vec<Block<D>>> {
        let Some(domain) = self.domain() else {
            return Vec::new();
        };
        let levels = self.options().levels;
        if levels == 0 {
            let blocks = self.view().even_blocks(&domain, block_side(D));
            return blocks.into_iter().map(|block| vec![block]).collect();
        }
        let side = grid_side(D) << (levels - 1).min(4);
        let lattice = self.view().lattice;
        let (first, last) = lattice.cells(&domain, 0);
        let mut groups = Vec::new();
        for_each(
            first.map(|c| c.div_euclid(side)),
            last.map(|c| c.div_euclid(side)),
            |at| {
                let first = at.map(|c| c * side);
                let place = lattice.span(first, first.map(|c| c + side - 1), 0);
                if let Some(place) = place.and_then(|place| clip(&place, &domain)) {
                    let blocks = self.grid(&place);
                    if !blocks.is_empty() {
                        groups.push(blocks);
                    }
                }
            },
        );
        groups
    }

    /// The points of a group, without ranks.
    pub(super) fn group(&self, regions: &Regions<D>, blocks: &[Block<D>]) -> Scattered<D> {
        let mut found = Scattered::default();
        for block in blocks {
            let mut part = regions.with(|region| self.block(region, block));
            if self.options().levels > 0 {
                // The order that they come in from the fixed grid's cache.
                part.samples.sort_unstable_by_key(|s| s.id);
            }
            if found.samples.is_empty() {
                found.samples = part.samples;
            } else {
                found.samples.append(&mut part.samples);
            }
            found.unresolved += part.unresolved;
            found.unresolved_volume += part.unresolved_volume;
        }
        found
    }
}
