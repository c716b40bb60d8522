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
//! have to be looked at with a larger region around it. What an unknown point may cover is marked as its
//! shadow: whoever falls there is unknown, as it would conflict with that point, and waits for nobody. That
//! decides nothing; and what else is thrown does not hang on it.

use super::base::Base;
use super::blocks::WIDEN;
use super::cover::Cover;
use super::decide::Due;
use super::guests::Guests;
use super::lattice::{Cell, Lattice, Turn, clip};
use super::law::Law;
use super::queue::Queue;
use super::rounds::ROUNDS;
use super::shade::Shade;
use super::slivers::Open;
use super::store::{Placed, Store};
use super::tree::Tree;
use super::unknown::{Patch, Unknown};
use super::unsure;
use super::view::View;
use density::{Bounds, RadiusField};

/// What a region is to find out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<const D: usize> {
    /// The cells of the region.
    pub(super) base: Base<D>,
    /// Where they lie.
    pub(super) area: Bounds<D>,
    /// What of that is looked at, and at which of its sides something lies behind, which is unknown.
    pub(super) known: Bounds<D>,
    pub(super) open: [[bool; 2]; D],
    /// The greatest distance of a point that may matter to the region.
    pub(super) widest: f64,
    /// The box inside it whose points are wanted.
    pub(super) block: Bounds<D>,
    /// How far its surroundings reach, in the greatest distances near it.
    pub(super) halo: f64,
}

impl<const D: usize> Task<D> {
    /// Whether all of a cell, in a turn of a tiling, lies where nothing is looked at.
    #[inline]
    pub(super) fn is_beyond(&self, lattice: &Lattice<D>, place: &Bounds<D>, turn: Turn<D>) -> bool {
        let carried = lattice.carried(turn);
        (0..D).any(|a| {
            let [below, above] = self.open[a];
            let (first, last) = (place.min()[a] + carried[a], place.max()[a] + carried[a]);
            (below && last <= self.known.min()[a]) || (above && first >= self.known.max()[a])
        })
    }
}

/// What came of one region or more, for a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome<const D: usize> {
    /// In no particular order.
    pub(super) points: Vec<Placed<D>>,
    /// Cells of the block that were neither covered nor halved further, and their volume.
    pub(super) unresolved: u64,
    pub(super) unresolved_volume: f64,
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
    /// The round of each tile in which a point that matters to it was last accepted.
    pub(super) changed: Vec<u32>,
    /// Of each tile: whoever asks for more in it is too near to a point that is there.
    pub(super) asks: Vec<f64>,
    pub(super) open: Vec<Open<D>>,
    pub(super) next: Vec<Open<D>>,
    pub(super) queue: Queue<D>,
    pub(super) due: Vec<Due>,
    /// Cells that were neither covered nor halved further.
    pub(super) specks: Vec<Bounds<D>>,
}

impl<const D: usize> Region<D> {
    /// Runs the process, and adds what is known of the block to the outcome. Gives the places of the
    /// block of which it knows too little: nothing in them was added.
    #[must_use = "what it knows too little of is missing"]
    pub(super) fn run<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
        outcome: &mut Outcome<D>,
    ) -> Vec<Bounds<D>> {
        self.expect_guests(view, &task.known);
        self.tree.build::<F, L>(view, &mut self.shade, task);
        self.store.reset(self.tree.tiles.len());
        self.cover.reset(self.tree.tiles.len());
        self.unknown.reset(&self.tree, task, L::RULE);
        self.give_up_remote(view);
        self.receive_guests(view);

        self.asks.clear();
        self.asks.extend(self.tree.tiles.iter().map(|tile| tile.hi));
        self.changed.clear();
        self.changed.resize(self.tree.tiles.len(), 0);
        self.queue.reset(self.tree.tiles.len());
        let mut queue = std::mem::take(&mut self.queue);
        self.first_rounds::<F, L>(view, &mut queue);
        self.specks.clear();
        self.look_between::<F, L>(view, task, &mut queue);
        self.queue = queue;
        self.finish(task, outcome)
    }

    /// The later rounds, which find what room is left between disks.
    fn look_between<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
        queue: &mut Queue<D>,
    ) {
        self.open_tiles::<F, L>(view);
        for round in ROUNDS + 1.. {
            self.throw_into_cells::<F, L>(view, queue, round);
            if self.open.is_empty() {
                break;
            }
            self.later_round::<F, L>(view, queue, round);
            self.divide::<F, L>(view, task, round);
        }
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

    /// Adds what of all this lies in the block. Gives the places of which it is not known.
    fn finish(&self, task: &Task<D>, outcome: &mut Outcome<D>) -> Vec<Bounds<D>> {
        let origin = task.area.min();
        let own = |p: [f64; D]| std::array::from_fn(|a| (p[a] - origin[a]) as f32);
        let world = |x: [f32; D]| std::array::from_fn(|a| origin[a] + f64::from(x[a]));
        let block = &task.block;
        let reaching = self.unknown.reaching(own(block.min()), own(block.max()));
        let reaching = reaching.filter_map(|[min, max]| {
            let place = Bounds::new(world(min), world(max));
            place.map_or(Some(*block), |place| clip(&place, block))
        });
        let unsure = unsure::places(block, reaching, WIDEN * task.halo * task.widest);
        let wanted =
            |p: [f64; D]| block.contains(p) && !unsure.iter().any(|place| place.contains(p));
        let inside = |(q, tile): &&(Placed<D>, u32)| {
            let turn = self.tree.tiles[*tile as usize].turn;
            turn == [0; D] && wanted(q.p)
        };
        let points = self.store.points().iter().filter(inside);
        outcome.points.extend(points.map(|(q, _)| *q));
        for speck in self.specks.iter().filter(|speck| wanted(speck.center())) {
            outcome.unresolved += 1;
            outcome.unresolved_volume += speck.volume();
        }
        unsure
    }
}
