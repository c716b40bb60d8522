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
use super::lattice::{Cell, Parts, Turn, fold, unfold};
use super::law::Law;
use super::order::Order;
use super::store::{Patch, Placed, Spot, Store};
use super::throw::Throw;
use super::tree::{Base, Tile, Tree};
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
struct Open<const D: usize> {
    cell: Cell<D>,
    tile: u32,
    /// The part of the tile that it is or lies in.
    spot: u16,
    /// Which of its own parts no single point covers.
    parts: u32,
    lo: f64,
    hi: f64,
    even: bool,
}

#[derive(Clone, Copy, Debug)]
struct Candidate<const D: usize> {
    id: u64,
    p: [f64; D],
    tile: u32,
    spot: u16,
    /// Whether the distance is the same in all of its cell, and the least there.
    even: bool,
    lo: f64,
}

/// The memory of a region, to be used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Region<const D: usize> {
    tree: Tree<D>,
    store: Store<D>,
    cover: Cover<D>,
    unknown: Unknown<D>,
    /// Tiles that are not covered.
    alive: Vec<u32>,
    /// The round of each tile in which a point that matters to it was last accepted.
    changed: Vec<u32>,
    open: Vec<Open<D>>,
    next: Vec<Open<D>>,
    candidates: Vec<Candidate<D>>,
    order: Order,
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

    /// Takes the parts of a tile out that lie outside the domain.
    fn clip<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile { cell, cut_off, .. } = self.tree.tiles[tile as usize];
        if cut_off {
            let bits = Parts::<D>::WIDTH.ilog2();
            for spot in 0..1 << (bits * D as u32) {
                if view.place(cell.inside(bits, unfold(spot, bits))).is_none() {
                    self.cover.close(tile, spot as u16);
                }
            }
        }
    }

    /// The blind candidates of a tile: one of each cell.
    fn throw_blindly<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile {
            cell,
            lo,
            even,
            part,
            ..
        } = self.tree.tiles[tile as usize];
        let along = Parts::<D>::ALONG as f64;
        let volume: f64 = part.iter().map(|s| lo / (along * s)).product();
        let scale = (volume * most_volume(D)).min(1.0);
        let bits = Parts::<D>::CELL_HALVINGS;
        for row in (0..Parts::<D>::CELLS).step_by(1 << bits) {
            let first = cell.inside(bits, unfold(row, bits));
            let throws = Throw::row(view.seed, first, 0);
            for x in 0..1_u32 << bits {
                let throw = throws.throw(first.at[0] + i64::from(x));
                let share = throw.share();
                let step: [u32; D] = unfold(row + x, bits);
                let cell = cell.inside(bits, step);
                // Which part it falls into.
                let at: [u32; D] = std::array::from_fn(|a| {
                    step[a] << Parts::<D>::HALVINGS | (share[a] * along) as u32
                });
                self.candidates.push(Candidate {
                    id: throw.arrival(scale),
                    p: view.lattice.place(cell, share),
                    tile,
                    spot: fold(at, Parts::<D>::WIDTH.ilog2()) as u16,
                    even,
                    lo,
                });
            }
        }
    }

    /// Throws into one open part of each cell of a tile that has any. Whether one has.
    fn throw_into_tile<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        tile: u32,
        round: u32,
    ) -> bool {
        if self.cover.is_full(tile) {
            return false;
        }
        let Tile {
            cell, lo, hi, even, ..
        } = self.tree.tiles[tile as usize];
        let bits = Parts::<D>::CELL_HALVINGS;
        let at_edge = round == 1 && self.unknown.is_at_edge(tile);
        let mut row = [0; 4];
        for index in 0..Parts::<D>::CELLS {
            let step: [u32; D] = unfold(index, bits);
            if step[0] == 0 {
                row = self.cover.open_parts(tile, step);
            }
            let parts = row[step[0] as usize];
            if parts == 0 {
                continue;
            }
            let inside = cell.inside(bits, step);
            if at_edge {
                let patch = self.patch(tile, view, inside);
                if self.unknown.hides(&patch, lo) {
                    self.unknown.add_box(&self.tree, &patch, hi);
                    for part in 0..Parts::<D>::COUNT {
                        self.cover.close(tile, Self::spot(step, part));
                    }
                    continue;
                }
            }
            let throw = Throw::new(view.seed, inside, round);
            if let Some(part) = throw.pick(parts) {
                self.candidates.push(Candidate {
                    id: throw.turn(round),
                    p: view.lattice.place(inside.part(part), throw.share()),
                    tile,
                    spot: Self::spot(step, part),
                    even,
                    lo,
                });
            }
        }
        true
    }

    /// The number in its tile of a cell's part.
    fn spot(cell: [u32; D], part: u32) -> u16 {
        let bits = Parts::<D>::HALVINGS;
        let part: [u32; D] = unfold(part, bits);
        let at: [u32; D] = std::array::from_fn(|a| cell[a] << bits | part[a]);
        fold(at, Parts::<D>::WIDTH.ilog2()) as u16
    }

    /// Makes cells of what is still open in tiles.
    fn open_tiles<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>) {
        self.open.clear();
        let bits = Parts::<D>::WIDTH.ilog2();
        for &tile in &self.alive {
            let whole = self.tree.tiles[tile as usize];
            for spot in self.cover.open_spots(tile) {
                let open = Open {
                    cell: whole.cell.inside(bits, unfold(u32::from(spot), bits)),
                    tile,
                    spot,
                    parts: Parts::<D>::ALL,
                    lo: whole.lo,
                    hi: whole.hi,
                    even: whole.even,
                };
                self.open.extend(sharpened(view, open));
            }
        }
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

    /// Finds out which parts of a cell are open, and throws into one of them. Whether there
    /// are any.
    fn throw_into<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        open: &mut Open<D>,
        round: u32,
    ) -> bool {
        let patch = self.patch(open.tile, view, open.cell);
        let list = Self::list_of(open.tile, open.spot);
        if !self.update::<F, L>(view, open, &patch, list) {
            return false;
        }
        let tiles = self.tree.list(list);
        // Late: the smaller the cell, the less its loss clouds.
        if self.unknown.hides(&patch, open.lo) || self.unknown.may_cover(tiles, &patch, open.lo) {
            self.unknown.add_box(&self.tree, &patch, open.hi);
            return false;
        }
        let throw = Throw::new(view.seed, open.cell, round);
        if let Some(part) = throw.pick(open.parts) {
            self.candidates.push(Candidate {
                id: throw.turn(round),
                p: view.lattice.place(open.cell.part(part), throw.share()),
                tile: open.tile,
                spot: open.spot,
                even: open.even,
                lo: open.lo,
            });
        }
        true
    }

    /// Strikes out the parts of a cell that are covered. Whether any is left.
    fn update<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        open: &mut Open<D>,
        patch: &Patch<D>,
        list: u32,
    ) -> bool {
        let exact = |q: &Placed<D>, turn: Turn<D>, part: u32| {
            let Some(place) = view.lattice.bounds(open.cell.part(part)) else {
                return true;
            };
            let carried = view.lattice.carried(turn);
            let (min, max) = (place.min(), place.max());
            let square: f64 = (0..D)
                .map(|a| {
                    let (below, above) = (q.p[a] - min[a], q.p[a] - max[a]);
                    let (below, above) = (below + carried[a], above + carried[a]);
                    below.abs().max(above.abs())
                })
                .map(|d| d * d)
                .sum();
            let keep = L::RULE.distance(q.r, open.lo);
            square < keep * keep
        };
        let tiles = self.tree.list(list);
        let (tree, parts) = (&self.tree, open.parts);
        open.parts = self
            .store
            .uncovered::<L>(tree, tiles, patch, open.lo, parts, exact);
        open.parts != 0
    }

    /// Makes cells of the open parts of cells.
    fn divide<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
        round: u32,
        outcome: &mut Outcome<D>,
    ) {
        self.next.clear();
        let mut cells = std::mem::take(&mut self.open);
        for whole in &mut cells {
            // Nothing near it has changed since it threw, mostly.
            if self.changed[whole.tile as usize] == round {
                let patch = self.patch(whole.tile, view, whole.cell);
                let list = Self::list_of(whole.tile, whole.spot);
                if !self.update::<F, L>(view, whole, &patch, list) {
                    continue;
                }
            }
            let mut parts = whole.parts;
            while parts != 0 {
                let cell = whole.cell.part(parts.trailing_zeros());
                parts &= parts - 1;
                let part = Open {
                    cell,
                    parts: Parts::<D>::ALL,
                    ..*whole
                };
                let Some(part) = sharpened(view, part) else {
                    continue;
                };
                if !view.is_finest(part.lo, part.hi, cell.level) {
                    self.next.push(part);
                } else if let Some(place) = view.place(cell)
                    && task.block.contains(place.center())
                {
                    outcome.unresolved += 1;
                    outcome.unresolved_volume += place.volume();
                }
            }
        }
        std::mem::swap(&mut self.open, &mut self.next);
        self.next = cells;
    }

    fn list_of(tile: u32, spot: u16) -> u32 {
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

    fn patch<F: RadiusField<D>>(
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

/// A cell with its own bounds in place of those of what it lies in; `None` when no point may
/// lie in it.
fn sharpened<const D: usize, F: RadiusField<D>>(
    view: &View<'_, D, F>,
    open: Open<D>,
) -> Option<Open<D>> {
    let place = view.place(open.cell)?;
    if open.even {
        return Some(open);
    }
    let sight = view.look_at(place, open.cell.level)?;
    Some(Open {
        lo: sight.lo,
        hi: sight.hi,
        even: sight.even,
        ..open
    })
}

/// One by the most that the volume of a distance can be of a cell that fits it: a cell with
/// twice the sides would not fit.
fn most_volume(dimensions: usize) -> f64 {
    let side = 0.5 / (dimensions as f64).sqrt();
    (0..dimensions).map(|_| side).product()
}
