//! The engine: the process inside one region, exact about what it cannot know.
//!
//! Candidates are decided in the one order of the definition, that of their ids. Each is one
//! of three things:
//!
//! ```text
//!   rejected   it conflicts with a point that is certainly there
//!   unknown    else, if it might conflict with something outside the region or unknown itself
//!   accepted   else
//! ```
//!
//! What is accepted or rejected here would be so in the whole world; only the unknown would
//! have to be looked at with a larger region around it. That a cell may be covered by an
//! unknown point needs no mark of its own: each of its candidates would conflict with that
//! point, and becomes unknown by that.

use super::cover::Cover;
use super::lattice::{Cell, Parts, unfold};
use super::law::Law;
use super::order::Order;
use super::store::{Patch, Placed, Spot, Store};
use super::tree::{Base, Tree};
use super::unknown::Unknown;
use super::view::View;
use density::{Bounds, RadiusField};

/// How often the cells of a tile throw into their open parts before these become cells.
const ROUNDS: u32 = 3;

/// What a region is to find out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<const D: usize> {
    /// The cells of the region.
    pub(super) base: Base<D>,
    /// Where they lie, and with which of its sides something lies behind.
    pub(super) area: Bounds<D>,
    pub(super) open: [[bool; 2]; D],
    /// The greatest distance of a point that may matter to the region.
    pub(super) widest: f64,
    /// The box inside it whose points are wanted.
    pub(super) block: Bounds<D>,
}

/// What came of a region, for the block inside it.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome<const D: usize> {
    /// In no particular order.
    pub(super) points: Vec<Placed<D>>,
    /// Cells of the block that were neither covered nor halved further, and their volume.
    pub(super) unresolved: u64,
    pub(super) unresolved_volume: f64,
}

/// A part of a tile, or of such a part, in which more points may land.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<const D: usize> {
    pub(super) cell: Cell<D>,
    pub(super) tile: u32,
    /// The part of the tile that it is or lies in.
    pub(super) spot: u16,
    /// Which of its own parts no single point covers.
    pub(super) parts: u32,
    pub(super) lo: f64,
    pub(super) hi: f64,
    pub(super) even: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<const D: usize> {
    pub(super) id: u64,
    pub(super) p: [f64; D],
    pub(super) tile: u32,
    pub(super) spot: u16,
    /// Whether the distance is the same in all of its cell, and the least there.
    pub(super) even: bool,
    pub(super) lo: f64,
}

/// The memory of a region, to be used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Region<const D: usize> {
    pub(super) tree: Tree<D>,
    pub(super) store: Store<D>,
    pub(super) cover: Cover<D>,
    pub(super) unknown: Unknown<D>,
    /// Tiles that are not covered.
    pub(super) alive: Vec<u32>,
    /// The round of each tile in which a point that matters to it was last accepted.
    pub(super) changed: Vec<u32>,
    pub(super) open: Vec<Open<D>>,
    pub(super) next: Vec<Open<D>>,
    pub(super) candidates: Vec<Candidate<D>>,
    pub(super) order: Order,
}

impl<const D: usize> Region<D> {
    /// Runs the process. `None` when the region is too small to know all of the block.
    pub(super) fn run<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
    ) -> Option<Outcome<D>> {
        let origin = task.area.min();
        self.tree.build(view, L::RULE, &task.base, origin);
        let least = self.tree.tiles.iter().map(|b| b.lo);
        let least = least.fold(f64::INFINITY, f64::min);
        let extent = task.area.longest_side();
        self.store.reset(self.tree.tiles.len(), extent, least);
        self.cover.reset(self.tree.tiles.len());
        self.unknown.reset(&self.tree, task, L::RULE);

        self.alive.clear();
        self.changed.clear();
        self.changed.resize(self.tree.tiles.len(), 0);
        self.candidates.clear();
        for tile in 0..self.tree.tiles.len() as u32 {
            self.alive.push(tile);
            self.clip(view, tile);
            self.throw_blindly(view, tile);
        }
        self.decide::<F, L>(view, 0);
        for round in 1..=ROUNDS {
            let mut alive = std::mem::take(&mut self.alive);
            alive.retain(|&tile| self.throw_into_tile(view, tile, round));
            self.alive = alive;
            self.decide::<F, L>(view, round);
        }
        let mut outcome = Outcome::default();
        self.open_tiles(view);
        for round in ROUNDS + 1.. {
            let mut open = std::mem::take(&mut self.open);
            open.retain_mut(|cell| self.throw_into::<F, L>(view, cell, round));
            self.open = open;
            if self.open.is_empty() {
                break;
            }
            self.decide::<F, L>(view, round);
            self.divide::<F, L>(view, task, round, &mut outcome);
        }
        self.finish(task, outcome)
    }

    /// Decides the candidates of a round, in their order.
    fn decide<F: RadiusField<D>, L: Law>(&mut self, view: &View<'_, D, F>, round: u32) {
        self.order.sort(self.candidates.iter().map(|c| c.id));
        for &index in self.order.sorted() {
            let c = self.candidates[index as usize];
            if self.cover.is_covered(c.tile, c.spot) {
                continue;
            }
            if view.domain.is_some_and(|domain| !domain.contains(c.p)) {
                continue;
            }
            let spot = self.spot_of(c.tile, c.p);
            let list = self.tree.list(Self::list_of(c.tile, c.spot));
            let (tree, lattice) = (&self.tree, &view.lattice);
            let conflicts = |r: f64| self.store.conflicts::<L>(tree, lattice, list, &spot, r);
            // Most fall to the least distance there may be, which costs nothing to find out.
            if conflicts(c.lo) {
                continue;
            }
            let r = if c.even {
                c.lo
            } else {
                match view.field.min_dist(c.p) {
                    Some(r) if r == c.lo || !conflicts(r) => r,
                    _ => continue,
                }
            };
            if self.unknown.clouds(list, &spot, r) {
                self.unknown.add(tree, &spot, r);
                continue;
            }
            let placed = Placed {
                p: c.p,
                r,
                id: c.id,
            };
            self.store.insert(&spot, placed);
            for &number in list {
                self.changed[number as usize] = round;
                let tile = &tree.tiles[number as usize];
                let turn = tree.turn(c.tile, number);
                let carried = if turn == [0; D] {
                    [0.0; D]
                } else {
                    lattice.carried(turn)
                };
                let keep = L::RULE.distance(r, tile.lo);
                self.cover.stamp(number, tile, &placed, carried, keep);
            }
        }
        self.candidates.clear();
    }

    pub(super) fn list_of(tile: u32, spot: u16) -> u32 {
        Tree::list_of(
            tile,
            unfold::<D>(u32::from(spot), Parts::<D>::WIDTH.ilog2()),
        )
    }

    fn spot_of(&self, tile: u32, p: [f64; D]) -> Spot<D> {
        let shift = self.tree.tiles[tile as usize].shift;
        Spot {
            tile,
            p,
            own: std::array::from_fn(|a| (p[a] + shift[a]) as f32),
        }
    }

    pub(super) fn patch<F: RadiusField<D>>(
        &self,
        tile: u32,
        view: &View<'_, D, F>,
        cell: Cell<D>,
    ) -> Patch<D> {
        let shift = self.tree.tiles[tile as usize].shift;
        let sides = view.lattice.sides(cell.level);
        let center = view.lattice.place(cell, [0.5; D]);
        Patch {
            tile,
            center: std::array::from_fn(|a| (center[a] + shift[a]) as f32),
            half: sides.map(|s| (0.5 * s) as f32),
        }
    }

    /// What of all this lies in the block, if that is known.
    fn finish(&self, task: &Task<D>, mut outcome: Outcome<D>) -> Option<Outcome<D>> {
        let origin = task.area.min();
        let own = |p: [f64; D]| std::array::from_fn(|a| (p[a] - origin[a]) as f32);
        if self
            .unknown
            .reaches(own(task.block.min()), own(task.block.max()))
        {
            return None;
        }
        for (number, tile) in self.tree.tiles.iter().enumerate() {
            if tile.turn != [0; D] {
                continue;
            }
            let points = self.store.points(number as u32);
            outcome
                .points
                .extend(points.filter(|q| task.block.contains(q.p)));
        }
        Some(outcome)
    }
}
