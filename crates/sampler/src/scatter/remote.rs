//! What lies in a region but too far from its block to matter, counted in the distances on the way.
//!
//! ```text
//!   +-----+ - - - - - - +    A region is a box as wide as the greatest distance near its block has
//!   |     |. .          |    it. Where points lie closer together only a strip of it matters: what
//!   |block|. . remote   |    is remote stays undivided, and nothing in it is known.
//!   +-----+. .          |
//!    . . . . . . . - - -+    . surroundings
//! ```

use super::lattice::Turn;
use super::region::{Region, Task};
use super::view::{Sight, View};
use density::{Bounds, RadiusField};

/// Surroundings are this many times deeper in the distances on the way than a region's are in the
/// greatest one: their rim is longer, in those distances. With 1, blocks of a checkerboard have to be
/// looked at again; with 2 and 3, smooth maps take up to 3 and 6 % more.
const DEEPER: f64 = 1.5;

/// As near to the block nothing is remote, in distances of the greatest point that matters: single
/// precision cannot tell.
const NEAR: f64 = 0.01;

impl<const D: usize> Task<D> {
    /// Whether a cell, in a turn of a tiling, lies too far away to matter to the block. That is a
    /// guess: where it is wrong the unknown reaches the block, and that place is looked at again.
    #[inline]
    pub(super) fn is_remote<F: RadiusField<D>>(
        &self,
        view: &View<'_, D, F>,
        turn: Turn<D>,
        sight: &Sight<D>,
    ) -> bool {
        if self.base.turns.is_some() {
            return false;
        }
        let carried = view.lattice.carried(turn);
        let [min, max] = [sight.place.min(), sight.place.max()]
            .map(|corner| std::array::from_fn::<f64, D, _>(|a| corner[a] + carried[a]));
        let (first, last) = (self.block.min(), self.block.max());
        let gap2 = (0..D).fold(0.0, |sum, a| {
            let gap = (first[a] - max[a]).max(min[a] - last[a]).max(0.0);
            sum + gap * gap
        });
        let is_far = |most: f64| {
            let depth = DEEPER * self.halo * most;
            gap2 > depth * depth
        };
        if !is_far(sight.bounds.hi()) || gap2 <= (NEAR * self.widest) * (NEAR * self.widest) {
            return false;
        }
        // All between it and what of the block is nearest to it, and what reaches there.
        let way = Bounds::new(
            std::array::from_fn(|a| min[a].min(last[a])),
            std::array::from_fn(|a| max[a].max(first[a])),
        );
        let most = way.ok().and_then(|way| view.widest_near(&way, self.widest));
        most.is_some_and(is_far)
    }
}

impl<const D: usize> Region<D> {
    /// Gives up what is remote.
    pub(super) fn give_up_remote<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>) {
        for number in 0..self.tree.tiles.len() as u32 {
            let tile = &self.tree.tiles[number as usize];
            if tile.remote {
                let patch = self.patch(number, view, tile.cell);
                self.unknown.give_up(&self.tree, &patch, tile.hi);
                self.cover.close_all(number);
            }
        }
    }
}
