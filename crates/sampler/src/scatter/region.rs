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
use super::guests::Guests;
use super::lattice::{Cell, Parts, unfold};
use super::law::Law;
use super::queue::{Candidate, FEW, Queue};
use super::rounds::spot;
use super::shade::Shade;
use super::slivers::Open;
use super::store::{Placed, Spot, Store};
use super::tree::{Base, Tree};
use super::unknown::{Patch, Unknown};
use super::view::View;
use density::{Bounds, RadiusField};

/// How often the cells of a tile throw into their open parts before these become cells.
const ROUNDS: u32 = 2;

/// To ask this many points of a tile costs more than to ask the field.
const MANY: u32 = 48;

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

/// A tile of which the candidates are to be decided whose turns come before `until`.
#[derive(Clone, Copy, Debug)]
struct Due {
    tile: u32,
    until: u64,
    /// So many of the tiles that matter to its next candidate are far enough.
    seen: u32,
}

/// The memory of a region, to be used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Region<const D: usize> {
    pub(super) tree: Tree<D>,
    pub(super) store: Store<D>,
    pub(super) cover: Cover<D>,
    pub(super) unknown: Unknown<D>,
    pub(super) shade: Shade<D>,
    pub(super) guests: Guests<D>,
    /// Tiles that are not covered.
    pub(super) alive: Vec<u32>,
    /// The round of each tile in which a point that matters to it was last accepted.
    pub(super) changed: Vec<u32>,
    pub(super) open: Vec<Open<D>>,
    pub(super) next: Vec<Open<D>>,
    pub(super) queue: Queue<D>,
    due: Vec<Due>,
}

impl<const D: usize> Region<D> {
    /// Runs the process. `None` when the region is too small to know all of the block.
    pub(super) fn run<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
    ) -> Option<Outcome<D>> {
        let origin = task.area.min();
        self.expect_guests(view, &task.area);
        self.tree
            .build::<F, L>(view, &mut self.shade, &task.base, origin);
        self.store.reset(self.tree.tiles.len());
        self.cover.reset(self.tree.tiles.len());
        self.unknown.reset(&self.tree, task, L::RULE);
        self.receive_guests(view);

        self.alive.clear();
        self.changed.clear();
        self.changed.resize(self.tree.tiles.len(), 0);
        self.queue.reset(self.tree.tiles.len());
        for tile in 0..self.tree.tiles.len() as u32 {
            self.alive.push(tile);
            self.clip(view, tile);
            self.seat_guests(view, tile);
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
            self.throw_into_cells::<F, L>(view, round);
            if self.open.is_empty() {
                break;
            }
            self.decide::<F, L>(view, round);
            self.divide::<F, L>(view, task, round, &mut outcome);
        }
        self.finish(task, outcome)
    }

    /// Decides the candidates of a round.
    fn decide<F: RadiusField<D>, L: Law>(&mut self, view: &View<'_, D, F>, round: u32) {
        let mut queue = std::mem::take(&mut self.queue);
        let mut due = std::mem::take(&mut self.due);
        for index in 0..queue.len() {
            due.push(Due {
                tile: queue.tile(index),
                until: u64::MAX,
                seen: 1,
            });
            while let Some(next) = due.pop() {
                self.decide_tile::<F, L>(view, &mut queue, &mut due, next, round);
            }
        }
        queue.clear();
        self.queue = queue;
        self.due = due;
    }

    /// Decides the candidates of a tile that are due, until one has to wait for others.
    #[inline]
    fn decide_tile<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        due: &mut Vec<Due>,
        Due {
            tile,
            until,
            mut seen,
        }: Due,
        round: u32,
    ) {
        let mut decided = 0;
        let line = queue.line(tile);
        for candidate in line {
            if candidate.id >= until {
                break;
            }
            let spot = spot(candidate.at);
            if !self.cover.is_covered(tile, spot) {
                let list = self.tree.list(Self::list_of(tile, spot));
                // The first one is the tile itself.
                let near = list.get(seen as usize..).unwrap_or_default();
                // Amid many it is worth a look whether it conflicts already: whoever is there
                // and too near came earlier.
                let amid_many = seen == 1 && near.len() > FEW;
                if !(amid_many && self.falls::<F, L>(view, tile, candidate)) {
                    if let Some(ready) = queue.first_before(near, candidate.id) {
                        let seen = seen + ready as u32;
                        due.push(Due { tile, until, seen });
                        due.push(Due {
                            tile: near[ready],
                            until: candidate.id,
                            seen: 1,
                        });
                        break;
                    }
                    if let Some((p, r)) = self.ask::<F, L>(view, tile, candidate) {
                        let id = candidate.id;
                        self.accept::<F, L>(view, tile, &Placed { p, r, id }, spot, round);
                    }
                }
            }
            seen = 1;
            decided += 1;
        }
        queue.advance(tile, decided);
    }

    /// Whether a candidate conflicts already with a point that is there. In its own function, as
    /// few candidates are asked this; the next one is in the innermost loop.
    #[inline(never)]
    fn falls<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        tile: u32,
        candidate: &Candidate<D>,
    ) -> bool {
        self.spot(view, tile, candidate)
            .and_then(|spot| self.asks_for(view, &spot).map(|r| (spot, r)))
            .is_none_or(|(spot, r)| self.conflicts::<F, L>(view, &spot, r))
    }

    /// Where a candidate falls and what it asks for; `None` when it conflicts with a point that
    /// is there, or no point may lie there.
    #[inline]
    fn ask<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        number: u32,
        candidate: &Candidate<D>,
    ) -> Option<([f64; D], f64)> {
        let tile = &self.tree.tiles[number as usize];
        let spot = self.spot(view, number, candidate)?;
        // Most fall to the least distance there may be, which costs nothing to find out where
        // few points matter.
        if tile.even || self.store.count(number) <= MANY {
            let store = &self.store;
            if store.conflicts::<L>(&self.tree, &view.lattice, &spot, tile.lo) {
                return None;
            }
            if tile.even {
                let guest = self.conflicts_with_guest::<F, L>(view, &spot, tile.lo);
                return (!guest).then_some((spot.p, tile.lo));
            }
        }
        let r = self.asks_for(view, &spot)?;
        (!self.conflicts::<F, L>(view, &spot, r)).then_some((spot.p, r))
    }

    /// Where a candidate falls, if that is inside the domain.
    #[inline]
    fn spot<F: RadiusField<D>>(
        &self,
        view: &View<'_, D, F>,
        number: u32,
        candidate: &Candidate<D>,
    ) -> Option<Spot<D>> {
        let tile = &self.tree.tiles[number as usize];
        let p = tile.place(view, candidate.at);
        if tile.cut_off && view.domain.is_some_and(|domain| !domain.contains(p)) {
            return None;
        }
        Some(Spot {
            tile: number,
            p,
            x: tile.relative(p).map(|x| x as f32),
            side: tile.side,
        })
    }

    /// What a point there asks for. No more than was seen in the tile, which a field that cannot
    /// bound itself might do: who would be too near was not looked at.
    #[inline]
    fn asks_for<F: RadiusField<D>>(&self, view: &View<'_, D, F>, spot: &Spot<D>) -> Option<f64> {
        let tile = &self.tree.tiles[spot.tile as usize];
        if tile.even {
            return Some(tile.lo);
        }
        view.field.min_dist(spot.p).filter(|&r| r <= tile.hi)
    }

    /// Whether a candidate that asks for `r` conflicts with a point that is there.
    #[inline(never)]
    fn conflicts<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        let (tree, lattice) = (&self.tree, &view.lattice);
        self.store.conflicts::<L>(tree, lattice, spot, r)
            || self.conflicts_with_guest::<F, L>(view, spot, r)
    }

    /// The same, of guests that are not among the points that tiles see.
    #[inline]
    fn conflicts_with_guest<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        view.crowd.is_some() && self.guests.conflict::<F, L>(view, &self.tree, spot, r)
    }

    /// A candidate becomes a point, unless it might conflict with something unknown.
    #[inline]
    fn accept<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        number: u32,
        placed: &Placed<D>,
        spot: u16,
        round: u32,
    ) {
        let (tree, lattice) = (&self.tree, &view.lattice);
        let &Placed { p, r, .. } = placed;
        let list = tree.list(Self::list_of(number, spot));
        if self.unknown.minds(number) {
            let shift = tree.shift(lattice, tree.tiles[number as usize].turn);
            let own = std::array::from_fn(|a| (p[a] + shift[a]) as f32);
            if self.unknown.clouds(number, list, own, r) {
                self.unknown.add(tree, number, own, r);
                return;
            }
        }
        self.store.insert(*placed, number);
        let tiled = lattice.turn_size().is_some();
        for &near in list {
            let tile = &tree.tiles[near as usize];
            let mut x = tile.relative(p);
            if tiled {
                let carried = lattice.carried(tree.turn(number, near));
                x = std::array::from_fn(|a| x[a] + carried[a]);
            }
            if !tile.is_within(x, L::RULE.distance(r, tile.hi)) {
                continue;
            }
            self.changed[near as usize] = round;
            let keep = L::RULE.distance(r, tile.lo);
            self.cover.stamp(near, tile, x, keep);
            // In a tile that it covers as a whole nobody will ask for it.
            if keep < f64::from(tile.side) || !self.cover.is_full(near) {
                self.store.show(near, x.map(|x| x as f32), r);
            }
        }
    }

    pub(super) fn list_of(tile: u32, spot: u16) -> u32 {
        Tree::list_of(
            tile,
            unfold::<D>(u32::from(spot), Parts::<D>::WIDTH.ilog2()),
        )
    }

    /// A cell in the region's own coordinates.
    pub(super) fn patch<F: RadiusField<D>>(
        &self,
        tile: u32,
        view: &View<'_, D, F>,
        cell: Cell<D>,
    ) -> Patch<D> {
        let turn = self.tree.tiles[tile as usize].turn;
        let shift = self.tree.shift(&view.lattice, turn);
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
        let inside = |(q, tile): &&(Placed<D>, u32)| {
            let turn = self.tree.tiles[*tile as usize].turn;
            turn == [0; D] && task.block.contains(q.p)
        };
        let points = self.store.points().iter().filter(inside);
        outcome.points.extend(points.map(|(q, _)| *q));
        Some(outcome)
    }
}
