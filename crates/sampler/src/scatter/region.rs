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
use super::order::Order;
use super::rounds::thrown;
use super::store::{Patch, Placed, Spot, Store};
use super::throw::Throw;
use super::tree::{Base, Tree};
use super::unknown::Unknown;
use super::view::View;
use density::{Bounds, RadiusField};

/// How often the cells of a tile throw into their open parts before these become cells.
const ROUNDS: u32 = 3;

/// So many candidates are made ready together: they lie all over the region, and the memory
/// that they need comes at once and not one wait after the other.
const AT_ONCE: usize = 32;

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

/// A dart in the air: little more than its turn, for there are many of them, and most fall on
/// what is covered. Where it falls is found out again by what threw it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub(super) id: u64,
    /// The tile that threw it; later the open cell.
    pub(super) by: u32,
    /// The part of it that it falls into.
    pub(super) spot: u16,
}

/// A candidate where it falls.
#[derive(Clone, Copy, Debug)]
struct Dart<const D: usize> {
    p: [f64; D],
    tile: u32,
    spot: u16,
    lo: f64,
    /// Whether the distance is the same in all of its cell, and the least there.
    even: bool,
}

/// The memory of a region, to be used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Region<const D: usize> {
    pub(super) tree: Tree<D>,
    pub(super) store: Store<D>,
    pub(super) cover: Cover<D>,
    pub(super) unknown: Unknown<D>,
    pub(super) guests: Guests<D>,
    /// Tiles that are not covered.
    pub(super) alive: Vec<u32>,
    /// The round of each tile in which a point that matters to it was last accepted.
    pub(super) changed: Vec<u32>,
    pub(super) open: Vec<Open<D>>,
    pub(super) next: Vec<Open<D>>,
    pub(super) candidates: Vec<Candidate>,
    darts: Vec<(u64, Dart<D>)>,
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
        self.expect_guests(view, &task.area, least);

        self.alive.clear();
        self.changed.clear();
        self.changed.resize(self.tree.tiles.len(), 0);
        self.candidates.clear();
        for tile in 0..self.tree.tiles.len() as u32 {
            self.alive.push(tile);
            self.clip(view, tile);
            self.seat_guests::<F, L>(view, tile);
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

    /// Decides the candidates of a round, in their order.
    fn decide<F: RadiusField<D>, L: Law>(&mut self, view: &View<'_, D, F>, round: u32) {
        let mut candidates = std::mem::take(&mut self.candidates);
        self.order.sort(&mut candidates);
        let mut darts = std::mem::take(&mut self.darts);
        for few in candidates.chunks(AT_ONCE) {
            darts.clear();
            darts.extend(
                few.iter()
                    .filter_map(|c| Some((c.id, self.dart(view, *c, round)?))),
            );
            for (_, dart) in &darts {
                let list = self.tree.list(Self::list_of(dart.tile, dart.spot));
                std::hint::black_box(self.store.touched(list));
            }
            for (id, dart) in &darts {
                if !self.cover.is_covered(dart.tile, dart.spot) {
                    self.throw::<F, L>(view, *id, dart, round);
                }
            }
        }
        self.darts = darts;
        candidates.clear();
        self.candidates = candidates;
    }

    /// Decides a candidate whose predecessors are decided.
    #[inline]
    fn throw<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        id: u64,
        dart: &Dart<D>,
        round: u32,
    ) {
        let spot = self.spot_of(dart.tile, dart.p);
        let list = self.tree.list(Self::list_of(dart.tile, dart.spot));
        let (tree, lattice) = (&self.tree, &view.lattice);
        let conflicts = |r: f64| {
            self.guests.conflict::<F, L>(view, tree, &spot, r)
                || self.store.conflicts::<L>(tree, lattice, list, &spot, r)
        };
        // Most fall to the least distance there may be, which costs nothing to find out.
        if conflicts(dart.lo) {
            return;
        }
        let r = if dart.even {
            dart.lo
        } else {
            match view.field.min_dist(dart.p) {
                Some(r) if r == dart.lo || !conflicts(r) => r,
                _ => return,
            }
        };
        if self.unknown.clouds(list, &spot, r) {
            self.unknown.add(tree, &spot, r);
            return;
        }
        let placed = Placed { p: dart.p, r, id };
        self.store.insert(&spot, placed);
        for &number in list {
            self.changed[number as usize] = round;
            let tile = &tree.tiles[number as usize];
            let turn = tree.turn(dart.tile, number);
            let carried = if turn == [0; D] {
                [0.0; D]
            } else {
                lattice.carried(turn)
            };
            let keep = L::RULE.distance(r, tile.lo);
            self.cover.stamp(number, tile, &placed, carried, keep);
        }
    }

    /// What a candidate is, unless it falls on what is covered or out of the domain.
    #[inline]
    fn dart<F: RadiusField<D>>(
        &self,
        view: &View<'_, D, F>,
        c: Candidate,
        round: u32,
    ) -> Option<Dart<D>> {
        let dart = if round > ROUNDS {
            let open = &self.open[c.by as usize];
            if self.cover.is_covered(open.tile, open.spot) {
                return None;
            }
            let throw = Throw::new(view.seed, open.cell, round);
            let part = open.cell.piece(u32::from(c.spot));
            Dart {
                p: view.lattice.place(part, throw.share()),
                tile: open.tile,
                spot: open.spot,
                lo: open.lo,
                even: open.even,
            }
        } else {
            if self.cover.is_covered(c.by, c.spot) {
                return None;
            }
            let tile = &self.tree.tiles[c.by as usize];
            Dart {
                p: thrown(view, tile.cell, c.spot, round),
                tile: c.by,
                spot: c.spot,
                lo: tile.lo,
                even: tile.even,
            }
        };
        let outside = view.domain.is_some_and(|domain| !domain.contains(dart.p));
        (!outside).then_some(dart)
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
