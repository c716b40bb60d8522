//! The tiles of a region, which fit the field, and for each the tiles that matter to it.
//!
//! ```text
//!   +-------+---+---+    A tile's diagonal is at most 6.75 times the least distance in it (so that
//!   |       |   |   |    some seven points lie in it; amid guests, more or less), or it is cut in 2^D. For
//!   |   .   +---+---+    each of its 2^D corners there is a list of the tiles that hold points which
//!   |       | . |   |    may conflict with something there: in a uniform field four in the
//!   +-------+---+---+    plane, eight in space.
//! ```
//!
//! What is too far away to matter is not cut (`remote.rs`).

use super::base::Ring;
use super::lattice::{Cell, Lattice, Parts, Turn};
use super::law::Law;
use super::node::{Node, Outline};
use super::region::Task;
use super::shade::Shade;
use super::tile::{Frame, Tile};
use super::view::{Sight, View};
use crate::rule::Rule;
use density::RadiusField;

/// "No such node".
pub(super) const NONE: u32 = u32::MAX;

/// Where a node's guests are found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Within {
    /// Among those of a cell that it lies in, or in the crowd.
    Cell(u32),
    /// They were spread over the cells: its number among them.
    Spread(u32),
}

/// The tiles of a region and their lists. Reused from region to region.
#[derive(Clone, Debug)]
pub(super) struct Tree<const D: usize> {
    pub(super) tiles: Vec<Tile<D>>,
    /// Where they lie.
    pub(super) frames: Vec<Frame<D>>,
    /// Where the region's own coordinates start in the world.
    pub(super) origin: [f64; D],
    /// Of a region whose opposite sides are one.
    ring: Option<Ring<D>>,
    /// `spans[t * LISTS + k]` says from where to where the list of corner k of tile t stands in
    /// `lists`. Corners may share one.
    pub(super) spans: Vec<[u32; 2]>,
    pub(super) lists: Vec<u32>,
    pub(super) nodes: Vec<Node<D>>,
    /// Of each node.
    pub(super) outlines: Vec<Outline<D>>,
    /// The tiles among them: place on a curve, and in the lower half of the bits the number.
    pub(super) order: Vec<u64>,
    pub(super) pool: Vec<u32>,
    /// Tiles near one, and which of its corners.
    pub(super) near: Vec<(u32, u32)>,
    /// The cells of the base level, row by row: nodes, and in the end tiles.
    pub(super) grid: Vec<u32>,
    /// Where all of them are tiles: how far in the grid those lie that may matter to one, and to
    /// which of its corners.
    pub(super) around: Vec<(isize, u32)>,
    /// The same, one corner's after the other's.
    pub(super) beside: Vec<isize>,
    /// The greatest coordinate of a tile's centre, or of what guests cover.
    pub(super) far: f32,
}

impl<const D: usize> Default for Tree<D> {
    fn default() -> Self {
        Self {
            tiles: Vec::new(),
            frames: Vec::new(),
            origin: [0.0; D],
            ring: None,
            spans: Vec::new(),
            lists: Vec::new(),
            nodes: Vec::new(),
            outlines: Vec::new(),
            order: Vec::new(),
            pool: Vec::new(),
            near: Vec::new(),
            grid: Vec::new(),
            around: Vec::new(),
            beside: Vec::new(),
            far: 0.0,
        }
    }
}

impl<const D: usize> Tree<D> {
    /// Lists a tile has: one for each corner.
    pub(super) const LISTS: u32 = 1 << D;

    /// All corners of a tile, a bit each.
    pub(super) const ALL: u32 = (1 << Self::LISTS) - 1;

    /// The list of tiles that matter to a part of a tile; `at` counts parts from its corner.
    #[inline]
    pub(super) fn list_of(tile: u32, at: [u32; D]) -> u32 {
        let upper = |a: usize| at[a] >> (Parts::<D>::WIDTH.ilog2() - 1);
        tile * Self::LISTS + (0..D).map(|a| upper(a) << a).sum::<u32>()
    }

    /// What stands in a list.
    #[inline]
    pub(super) fn list(&self, list: u32) -> &[u32] {
        match self.spans.get(list as usize) {
            Some(&[from, to]) => &self.lists[from as usize..to as usize],
            None => &[],
        }
    }

    /// What stands in all lists of a tile: every tile in one of whose lists it stands itself.
    pub(super) fn lists_of(&self, tile: u32) -> &[u32] {
        let [from, _] = self.spans[(tile * Self::LISTS) as usize];
        let [_, to] = self.spans[((tile + 1) * Self::LISTS - 1) as usize];
        &self.lists[from as usize..to as usize]
    }

    /// What gives the region's own coordinates when added to those of the world, in a turn.
    pub(super) fn shift(&self, lattice: &Lattice<D>, turn: Turn<D>) -> [f64; D] {
        let carried = lattice.carried(turn);
        std::array::from_fn(|a| carried[a] - self.origin[a])
    }

    /// By how many turns one tile is ahead of another.
    #[inline]
    pub(super) fn turn(&self, tile: u32, other: u32) -> Turn<D> {
        let [there, here] = [tile, other].map(|b| self.tiles[b as usize].turn);
        let ahead = std::array::from_fn(|a| there[a] - here[a]);
        let Some(ring) = &self.ring else {
            return ahead;
        };
        let [to, from] = [tile, other].map(|b| self.frames[b as usize].center);
        ring.turn(ahead, from, to)
    }

    /// Where something lies seen from `here`: of a ring, the nearest image.
    #[inline]
    pub(super) fn image(&self, here: &Frame<D>, there: &Frame<D>) -> Frame<D> {
        let Some(ring) = &self.ring else {
            return *there;
        };
        Frame {
            center: ring.image(here.center, there.center),
            half: there.half,
        }
    }

    /// A place in a tile, counted from the corner of one near it.
    #[inline]
    pub(super) fn seen_from(
        &self,
        lattice: &Lattice<D>,
        near: u32,
        tile: u32,
        p: [f64; D],
    ) -> [f64; D] {
        let x = self.tiles[near as usize].relative(p);
        if lattice.turn_size().is_none() {
            return x;
        }
        let carried = lattice.carried(self.turn(tile, near));
        std::array::from_fn(|a| x[a] + carried[a])
    }

    /// What is known of the guests of a tile, in the [`Shade`].
    #[inline]
    pub(super) fn guests(&self, tile: u32) -> u32 {
        self.nodes[self.order[tile as usize] as u32 as usize].guests
    }

    /// Divides a region, leaving out what guests cover. Its own coordinates start where it does.
    pub(super) fn build<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        shade: &mut Shade<D>,
        task: &Task<D>,
    ) {
        let base = &task.base;
        self.nodes.clear();
        self.outlines.clear();
        self.pool.clear();
        self.origin = task.area.min();
        self.ring = base.ring(&view.lattice);
        self.far = f32::MIN_POSITIVE;
        let most = self.roots::<F, L>(view, shade, task);
        if self.nodes.iter().all(|node| node.fits) {
            self.number_grid::<L>(base, most, view.lattice.sides(base.level));
            return;
        }
        self.list_roots::<L>(base, most, view.lattice.sides(base.level));
        let (mut from, mut to) = (0, self.nodes.len());
        while from < to {
            let any_cut = self.cut::<F, L>(view, shade, task, from, to);
            if any_cut {
                self.settle::<L>(to);
            }
            (from, to) = (to, self.nodes.len());
        }
        self.number::<L>();
    }

    /// Adds a node, if guests leave anything of it; `within` is what is known of the guests of what
    /// it lies in.
    pub(super) fn add<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        shade: &mut Shade<D>,
        task: &Task<D>,
        (cell, turn): (Cell<D>, Turn<D>),
        sight: &Sight<D>,
        within: Within,
    ) -> Option<u32> {
        let shift = self.shift(&view.lattice, turn);
        let index = self.nodes.len();
        let remote = task.is_remote(view, turn, sight);
        let (node, outline) = Node::new(view, cell, turn, shift, sight, remote);
        self.nodes.push(node);
        self.outlines.push(outline);
        let node = &mut self.nodes[index];
        if node.fits {
            let center = outline.frame.center;
            self.far = center.into_iter().fold(self.far, f32::max);
        }
        if let Some(crowd) = view.crowd {
            let guests = match within {
                Within::Spread(number) if node.fits => Some(number),
                Within::Spread(_) => shade.cell::<L>(crowd, &sight.place, &sight.bounds, NONE),
                Within::Cell(within) if node.fits => {
                    shade.tile::<L>(crowd, &node.tile, &sight.place, within)
                }
                Within::Cell(within) => shade.cell::<L>(crowd, &sight.place, &sight.bounds, within),
            };
            let Some(guests) = guests else {
                self.nodes.truncate(index);
                self.outlines.truncate(index);
                return None;
            };
            node.guests = guests;
        }
        Some(index as u32)
    }

    /// Cuts those of the nodes `from..to` that are too large. Whether any was.
    fn cut<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        shade: &mut Shade<D>,
        task: &Task<D>,
        from: usize,
        to: usize,
    ) -> bool {
        for index in from..to {
            let node = &self.nodes[index];
            if node.fits {
                continue;
            }
            let guests = node.guests;
            let Tile { cell, turn, .. } = node.tile;
            let start = self.nodes.len() as u32;
            for half in 0..1 << D {
                let half = cell.half(half);
                let Some(place) = view.place(half) else {
                    continue;
                };
                if task.is_beyond(&view.lattice, &place, turn) {
                    continue;
                }
                // Cheaper than a look.
                if shade.covers::<L>(guests, &place) {
                    self.note_far(view.lattice.place(half, [0.5; D]));
                    continue;
                }
                if let Some(sight) = view.look_at(place, half.level) {
                    let within = Within::Cell(guests);
                    self.add::<F, L>(view, shade, task, (half, turn), &sight, within);
                }
            }
            let count = self.nodes.len() as u32 - start;
            self.outlines[index].parts = (if count > 0 { start } else { NONE }, count);
        }
        self.nodes.len() > to
    }
}

/// The square of the farthest that points of two distances may conflict, with a margin for
/// what single precision loses.
#[inline]
pub(super) fn reach2<L: Law>(a: f32, b: f32) -> f32 {
    // Both are numbers: `f32::max`, which has to think of others, takes several times as long.
    let (least, most) = if a < b { (a, b) } else { (b, a) };
    let reach = match L::RULE {
        Rule::Mean => 0.5 * (least + most),
        Rule::Min => least,
        // Either may be the earlier one.
        Rule::Max | Rule::Own | Rule::Parent | Rule::Prior => most,
    };
    let reach = 1.01 * reach;
    reach * reach
}

#[cfg(test)]
mod tests {
    use super::super::law::{MaxLaw, MeanLaw, MinLaw, OwnLaw, PriorLaw};
    use super::*;

    #[test]
    fn points_reach_as_far_as_the_rule_says_of_either_order() {
        fn check<L: Law>() {
            for (a, b) in [(1.0, 1.0), (1.0, 4.0), (7.5, 0.5)] {
                let [either, other] = [(a, b), (b, a)].map(|(a, b)| L::RULE.distance(a, b));
                let reach = either.max(other);
                let found = f64::from(reach2::<L>(a as f32, b as f32)).sqrt() / reach;
                assert!((1.009..1.011).contains(&found), "{:?}: {found}", L::RULE);
            }
        }
        check::<MaxLaw>();
        check::<MeanLaw>();
        check::<MinLaw>();
        check::<OwnLaw>();
        check::<PriorLaw>();
    }
}
