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
use super::queue::{Candidate, Queue};
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
                // The first one is the tile itself. Whether any has to come first, without a
                // branch for each: they are few, and hard to foresee.
                let near = list.get(seen as usize..).unwrap_or_default();
                let waits = |near: u32| queue.has_before(near, candidate.id);
                if near.iter().fold(false, |any, &near| any | waits(near)) {
                    let ready = near.iter().take_while(|&&near| !waits(near)).count();
                    let seen = seen + ready as u32;
                    due.push(Due { tile, until, seen });
                    due.push(Due {
                        tile: near[ready],
                        until: candidate.id,
                        seen: 1,
                    });
                    break;
                }
                self.throw::<F, L>(view, tile, candidate, spot, round);
            }
            seen = 1;
            decided += 1;
        }
        queue.advance(tile, decided);
    }

    /// Decides a candidate whose predecessors are decided.
    #[inline]
    fn throw<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        number: u32,
        candidate: &Candidate<D>,
        spot: u16,
        round: u32,
    ) {
        let (tree, lattice) = (&self.tree, &view.lattice);
        let tile = &tree.tiles[number as usize];
        let p = tile.place(view, candidate.at);
        if tile.cut_off && view.domain.is_some_and(|domain| !domain.contains(p)) {
            return;
        }
        let place = Spot {
            tile: number,
            p,
            x: tile.relative(p).map(|x| x as f32),
            side: tile.side,
        };
        let conflicts = |r: f64| {
            self.store.conflicts::<L>(tree, lattice, &place, r)
                || (view.crowd.is_some() && self.guests.conflict::<F, L>(view, tree, &place, r))
        };
        // Most fall to the least distance there may be, which costs nothing to find out.
        if conflicts(tile.lo) {
            return;
        }
        let r = if tile.even {
            tile.lo
        } else {
            match view.field.min_dist(p) {
                // More than was seen in the tile, by far, which a field that cannot bound itself
                // may ask for: who might be too near was not looked at.
                Some(r) if r > tile.hi => return,
                Some(r) if r == tile.lo || !conflicts(r) => r,
                _ => return,
            }
        };
        let list = tree.list(Self::list_of(number, spot));
        if self.unknown.minds(number) {
            let shift = tree.shift(lattice, tile.turn);
            let own = std::array::from_fn(|a| (p[a] + shift[a]) as f32);
            if self.unknown.clouds(number, list, own, r) {
                self.unknown.add(tree, number, own, r);
                return;
            }
        }
        let id = candidate.id;
        self.store.insert(Placed { p, r, id }, number);
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
