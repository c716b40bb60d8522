//! Deciding candidates: what each waits for, whom it asks, and what an accepted one covers.
//!
//! ```text
//!   round 0   A . B . C . D      In the plane all tiles throw, then all are decided, round by
//!   round 1   A . B . C . D      round: what waits for what is found tile by tile.
//!
//!   0 0 0 0 . .                  In space, where a tile has four times as much memory, tiles
//!   1 1 1 0 . .                  throw on demand: those which the next round of a tile hangs on
//!   2 2 1 0 . .                  are decided first, and what is worked on stays in the cache.
//! ```

use super::lattice::{Parts, unfold};
use super::law::Law;
use super::queue::{Candidate, FEW, NEVER, Queue};
use super::region::Region;
use super::rounds::{ROUNDS, spot};
use super::steep::most_beside;
use super::store::{Placed, Spot};
use super::throw::first_turn;
use super::tree::Tree;
use super::view::View;
use density::RadiusField;

/// To ask this many points of a tile costs more than to ask the field.
const MANY: u32 = 48;

/// A tile of which the candidates are to be decided whose turns come before `until`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    tile: u32,
    until: u64,
    /// So many of the tiles that matter to what it does next are far enough.
    seen: u32,
}

impl Due {
    fn new(tile: u32, until: u64) -> Self {
        Self {
            tile,
            until,
            seen: 1,
        }
    }
}

impl<const D: usize> Region<D> {
    /// The rounds in which tiles throw.
    pub(super) fn first_rounds<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
    ) {
        let tiles: Vec<u32> = (0..self.tree.tiles.len() as u32).collect();
        if Queue::<D>::ON_DEMAND {
            self.decide::<F, L>(view, queue, &tiles, first_turn(ROUNDS + 1), 0);
        } else {
            for round in 0..=ROUNDS {
                queue.clear();
                for &tile in &tiles {
                    self.throw::<F, L>(view, queue, tile);
                }
                self.decide::<F, L>(view, queue, &tiles, first_turn(round + 1), 0);
            }
        }
    }

    /// A round of the cells that are open.
    pub(super) fn later_round<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        round: u32,
    ) {
        let mut tiles: Vec<u32> = self.open.iter().map(|cell| cell.tile).collect();
        tiles.dedup();
        self.decide::<F, L>(view, queue, &tiles, NEVER, round);
    }

    /// Decides the candidates of tiles whose turns come before `until`, those that they have thrown
    /// and those that they throw until then, and all that these wait for.
    fn decide<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        tiles: &[u32],
        until: u64,
        round: u32,
    ) {
        for &tile in tiles {
            self.due.push(Due::new(tile, until));
            while let Some(mut next) = self.due.pop() {
                while self.decide_line::<F, L>(view, queue, next, round) {
                    self.throw::<F, L>(view, queue, next.tile);
                    next.seen = 1;
                }
            }
        }
    }

    /// Decides the candidates of a tile that are due, until one has to wait for others. Whether
    /// it is the tile's turn to throw.
    #[inline]
    fn decide_line<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        Due {
            tile,
            until,
            mut seen,
        }: Due,
        round: u32,
    ) -> bool {
        let mut decided = 0;
        let mut waits = false;
        let line = queue.line(tile);
        for candidate in line {
            if candidate.id >= until {
                break;
            }
            let spot = spot(candidate.at);
            if !self.cover.is_covered(tile, spot)
                && !self.falls_in_shadow::<F, L>(view, tile, candidate)
            {
                let list = self.tree.list(Self::list_of(tile, spot));
                // The first one is the tile itself.
                let near = list.get(seen as usize..).unwrap_or_default();
                // Amid many it is worth a look whether it conflicts already: whoever is there
                // and too near came earlier.
                let early = if seen == 1 && near.len() > FEW {
                    Some(self.ask_amid_many::<F, L>(view, tile, candidate))
                } else {
                    None
                };
                if early != Some(None) {
                    if let Some((ready, before)) =
                        self.waits_for::<F, L>(view, queue, tile, candidate, near)
                    {
                        let seen = seen + ready as u32;
                        self.due.push(Due { tile, until, seen });
                        self.due.push(Due::new(near[ready], before));
                        waits = true;
                        break;
                    }
                    // Nothing was decided since.
                    let asked = early.unwrap_or_else(|| self.ask::<F, L>(view, tile, candidate));
                    if let Some(asked) = asked {
                        self.accept::<F, L>(view, tile, candidate, asked, round);
                    }
                }
            }
            seen = 1;
            decided += 1;
        }
        queue.advance(tile, decided);
        if waits || !Queue::<D>::ON_DEMAND {
            return false;
        }
        let turn = queue.turn(tile);
        if turn >= until {
            return false;
        }
        // Nothing is left of what it threw. What it throws next hangs on what is covered by then.
        let near = self.tree.lists_of(tile);
        let near = near.get(seen as usize..).unwrap_or_default();
        let Some(ready) = queue.first_before(near, turn) else {
            return true;
        };
        let seen = seen + ready as u32;
        self.due.push(Due { tile, until, seen });
        self.due.push(Due::new(near[ready], turn));
        false
    }

    /// As [`ask`](Self::ask), where many points matter. In its own function, as few candidates are
    /// asked this; the next one is in the innermost loop.
    #[inline(never)]
    fn ask_amid_many<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        tile: u32,
        candidate: &Candidate<D>,
    ) -> Option<([f64; D], f64)> {
        let spot = self.spot(view, tile, candidate)?;
        let r = self.asks_for(view, &spot)?;
        (!self.conflicts::<F, L>(view, &spot, r)).then_some((spot.p, r))
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
        if tile.is_even() || self.store.count(number) <= MANY {
            let store = &self.store;
            if store.conflicts::<L>(&self.tree, &view.lattice, &spot, tile.lo) {
                return None;
            }
            if tile.is_even() {
                let guest = self.conflicts_with_guest::<F, L>(view, &spot, tile.lo);
                return (!guest).then_some((spot.p, tile.lo));
            }
        }
        let r = self.asks_for(view, &spot)?;
        (!self.conflicts::<F, L>(view, &spot, r)).then_some((spot.p, r))
    }

    /// Where a candidate falls, if that is inside the domain.
    #[inline]
    pub(super) fn spot<F: RadiusField<D>>(
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
    pub(super) fn asks_for<F: RadiusField<D>>(
        &self,
        view: &View<'_, D, F>,
        spot: &Spot<D>,
    ) -> Option<f64> {
        let tile = &self.tree.tiles[spot.tile as usize];
        if tile.is_even() {
            return Some(tile.lo);
        }
        view.field
            .min_dist(spot.p)
            .filter(|&r| r <= self.asks[spot.tile as usize])
    }

    /// Whether a candidate that asks for `r` conflicts with a point that is there. For no less
    /// than was seen in the tile, which a field that cannot bound itself might ask for: some are
    /// compared by that alone.
    #[inline(never)]
    pub(super) fn conflicts<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        let (tree, lattice) = (&self.tree, &view.lattice);
        let r = r.max(tree.tiles[spot.tile as usize].lo);
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
        !self.guests.are_seen() && self.guests.conflict::<F, L>(view, &self.tree, spot, r)
    }

    /// A candidate becomes a point, unless it might conflict with something unknown.
    #[inline]
    fn accept<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        number: u32,
        &Candidate { id, at }: &Candidate<D>,
        (p, r): ([f64; D], f64),
        round: u32,
    ) {
        if self.is_clouded(view, number, at, (p, r)) {
            return;
        }
        let (tree, lattice) = (&self.tree, &view.lattice);
        let list = tree.list(Self::list_of(number, spot(at)));
        self.store.insert(Placed { p, r, id }, number);
        let many = list.len() > FEW;
        for &near in list {
            // In a tile that is covered as a whole nobody will ask for it. That is worth a look where
            // many are.
            if many && self.cover.is_full(near) {
                continue;
            }
            let tile = &tree.tiles[near as usize];
            let x = tree.seen_from(lattice, near, number, p);
            let away2 = tile.away2(x);
            let reach = L::RULE.distance(r, tile.hi);
            if away2 > reach * reach * 1.000_01 {
                continue;
            }
            if tile.is_steep() {
                let asks = &mut self.asks[near as usize];
                let reach = L::RULE.distance(r, *asks);
                if away2 > reach * reach * 1.000_01 {
                    continue;
                }
                let most = most_beside(L::RULE, r, 1.000_02 * tile.far2(x).sqrt());
                *asks = if most < *asks { most } else { *asks };
            }
            self.changed[near as usize] = round;
            let keep = L::RULE.distance(r, tile.lo);
            // On steep ground most tiles lie too far away for any part of them to be covered.
            if away2 < keep * keep {
                self.cover.stamp(near, tile, x, keep);
                if keep >= f64::from(tile.side) && self.cover.is_full(near) {
                    continue;
                }
            }
            self.store.show(near, x.map(|x| x as f32), r);
        }
    }

    pub(super) fn list_of(tile: u32, spot: u16) -> u32 {
        Tree::list_of(
            tile,
            unfold::<D>(u32::from(spot), Parts::<D>::WIDTH.ilog2()),
        )
    }
}
