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

use super::lattice::{Cell, Parts, Turn};
use super::law::Law;
use super::store::{Patch, Placed, Spot, Store};
use super::throw::Throw;
use super::tree::{Base, Bucket, Tree};
use super::unknown::Unknown;
use super::view::View;
use density::{Bounds, RadiusField};

/// The stage from which a cell is given up that an unknown point may cover: the smaller the
/// cell, the less its loss clouds.
const PATIENCE: u32 = 1;

/// How often a cell throws into its open parts before these become cells.
const fn rounds(stage: u32) -> u32 {
    match stage {
        0 => 4,
        _ => 1,
    }
}

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

/// A cell in which more points may land. Its bounds are those of a cell it is part of, at
/// least.
#[derive(Clone, Copy, Debug)]
struct Open<const D: usize> {
    cell: Cell<D>,
    bucket: u32,
    /// Which of its parts no single point covers.
    parts: u32,
    lo: f64,
    hi: f64,
    even: bool,
}

#[derive(Clone, Copy, Debug)]
struct Candidate<const D: usize> {
    id: u64,
    p: [f64; D],
    bucket: u32,
    list: u32,
    /// The least distance in its cell.
    lo: f64,
    /// Whether it is the same in all of it.
    even: bool,
}

/// The memory of a region, to be used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Region<const D: usize> {
    tree: Tree<D>,
    store: Store<D>,
    unknown: Unknown<D>,
    open: Vec<Open<D>>,
    next: Vec<Open<D>>,
    todo: Vec<Cell<D>>,
    candidates: Vec<Candidate<D>>,
    order: Vec<(u64, u32)>,
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
        let least = self.tree.buckets.iter().map(|b| b.lo);
        let least = least.fold(f64::INFINITY, f64::min);
        let extent = task.area.longest_side();
        self.store.reset(self.tree.buckets.len(), extent, least);
        let size = task.area.size();
        let ends = std::array::from_fn(|a| {
            let [below, above] = task.open[a];
            [
                if below { 0.0 } else { f32::NEG_INFINITY },
                if above { size[a] as f32 } else { f32::INFINITY },
            ]
        });
        self.unknown.reset(&self.tree, ends, task.widest, L::RULE);

        self.open.clear();
        self.candidates.clear();
        for bucket in 0..self.tree.buckets.len() as u32 {
            self.throw_blindly(view, bucket);
        }
        self.decide::<F, L>(view);
        let mut outcome = Outcome::default();
        let mut round = 0;
        for stage in 0.. {
            for _ in 0..rounds(stage) {
                round += 1;
                let mut open = std::mem::take(&mut self.open);
                open.retain_mut(|cell| self.look::<F, L>(view, cell, stage, round));
                self.open = open;
                self.decide::<F, L>(view);
            }
            self.divide::<F, L>(view, task, &mut outcome);
            if self.open.is_empty() {
                break;
            }
        }
        self.finish(task, outcome)
    }

    /// The blind candidates of a bucket: one of each cell that fits the field.
    fn throw_blindly<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, bucket: u32) {
        let whole = self.tree.buckets[bucket as usize];
        self.todo.clear();
        self.todo.push(whole.cell);
        while let Some(cell) = self.todo.pop() {
            let Bucket {
                mut lo,
                mut hi,
                mut even,
                ..
            } = whole;
            let fits = if even {
                view.lattice.diagonal(cell.level) <= lo
            } else {
                let Some(sight) = view.look(cell) else {
                    continue;
                };
                (lo, hi, even) = (sight.lo, sight.hi, sight.even);
                view.fits(&sight, cell.level)
            };
            if !fits {
                // Last in, first out: the first half comes first.
                self.todo.extend((0..1 << D).rev().map(|i| cell.half(i)));
                continue;
            }
            let sides = view.lattice.sides(cell.level);
            let volume: f64 = sides.iter().map(|s| lo / s).product();
            let scale = volume * most_volume(D);
            let throw = Throw::new(view.seed, cell, 0);
            let open = Open {
                cell,
                bucket,
                parts: Parts::<D>::ALL,
                lo,
                hi,
                even,
            };
            self.push(view, open, throw, throw.arrival(scale.min(1.0)));
            self.open.push(open);
        }
    }

    /// Adds a candidate, unless it lies outside the domain.
    fn push<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        open: Open<D>,
        throw: Throw,
        id: u64,
    ) {
        let Open { cell, bucket, .. } = open;
        let p = view.lattice.place(cell, throw.share());
        if view.domain.is_some_and(|domain| !domain.contains(p)) {
            return;
        }
        self.candidates.push(Candidate {
            id,
            p,
            bucket,
            list: self.tree.list_of(bucket, cell),
            lo: open.lo,
            even: open.even,
        });
    }

    /// Decides the candidates of a round, in their order.
    fn decide<F: RadiusField<D>, L: Law>(&mut self, view: &View<'_, D, F>) {
        self.order.clear();
        let ids = self.candidates.iter().zip(0..).map(|(c, i)| (c.id, i));
        self.order.extend(ids);
        self.order.sort_unstable();
        for &(_, index) in &self.order {
            let c = self.candidates[index as usize];
            let spot = self.spot(c.bucket, c.p);
            let list = self.tree.list(c.list);
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
                self.unknown.add(&spot, r);
            } else {
                let placed = Placed {
                    p: c.p,
                    r,
                    id: c.id,
                };
                self.store.insert(&spot, placed);
            }
        }
        self.candidates.clear();
    }

    /// Finds out which parts of a cell are open, and throws into one of them. Whether there
    /// are any.
    fn look<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        open: &mut Open<D>,
        stage: u32,
        round: u32,
    ) -> bool {
        let patch = self.patch(open.bucket, view, open.cell);
        let list = self.tree.list_of(open.bucket, open.cell);
        if !self.update::<F, L>(view, open, &patch, list) {
            return false;
        }
        let buckets = self.tree.list(list);
        if self.unknown.hides(&patch, open.lo)
            || (stage >= PATIENCE && self.unknown.may_cover(buckets, &patch, open.lo))
        {
            self.unknown.add_box(&patch, open.hi);
            return false;
        }
        let throw = Throw::new(view.seed, open.cell, round);
        if let Some(part) = throw.pick(open.parts) {
            let part = Open {
                cell: open.cell.part(part),
                ..*open
            };
            self.push(view, part, throw, throw.turn(round));
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
        let buckets = self.tree.list(list);
        let (tree, parts) = (&self.tree, open.parts);
        open.parts = self
            .store
            .uncovered::<L>(tree, buckets, patch, open.lo, parts, exact);
        open.parts != 0
    }

    /// Makes cells of the open parts of cells.
    fn divide<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
        outcome: &mut Outcome<D>,
    ) {
        self.next.clear();
        let mut cells = std::mem::take(&mut self.open);
        for cell in &mut cells {
            let patch = self.patch(cell.bucket, view, cell.cell);
            let list = self.tree.list_of(cell.bucket, cell.cell);
            if !self.update::<F, L>(view, cell, &patch, list) {
                continue;
            }
            let mut parts = cell.parts;
            while parts != 0 {
                let index = parts.trailing_zeros();
                parts &= parts - 1;
                self.open_part(view, task, cell, index, outcome);
            }
        }
        std::mem::swap(&mut self.open, &mut self.next);
        self.next = cells;
    }

    fn open_part<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
        whole: &Open<D>,
        index: u32,
        outcome: &mut Outcome<D>,
    ) {
        let cell = whole.cell.part(index);
        let Some(place) = view.place(cell) else {
            return;
        };
        let mut part = Open {
            cell,
            parts: Parts::<D>::ALL,
            ..*whole
        };
        if !whole.even {
            let Some(sight) = view.look_at(place, cell.level) else {
                return;
            };
            (part.lo, part.hi, part.even) = (sight.lo, sight.hi, sight.even);
        }
        if !view.is_finest(part.lo, part.hi, cell.level) {
            self.next.push(part);
        } else if task.block.contains(place.center()) {
            outcome.unresolved += 1;
            outcome.unresolved_volume += place.volume();
        }
    }

    fn spot(&self, bucket: u32, p: [f64; D]) -> Spot<D> {
        let shift = self.tree.buckets[bucket as usize].shift;
        Spot {
            bucket,
            p,
            own: std::array::from_fn(|a| (p[a] + shift[a]) as f32),
        }
    }

    fn patch<F: RadiusField<D>>(
        &self,
        bucket: u32,
        view: &View<'_, D, F>,
        cell: Cell<D>,
    ) -> Patch<D> {
        let shift = self.tree.buckets[bucket as usize].shift;
        let sides = view.lattice.sides(cell.level);
        let center = view.lattice.place(cell, [0.5; D]);
        Patch {
            bucket,
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
        for (number, bucket) in self.tree.buckets.iter().enumerate() {
            if bucket.turn != [0; D] {
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

/// One by the most that the volume of a distance can be of a cell that fits it: a cell with
/// twice the sides would not fit.
fn most_volume(dimensions: usize) -> f64 {
    let side = 0.5 / (dimensions as f64).sqrt();
    (0..dimensions).map(|_| side).product()
}
