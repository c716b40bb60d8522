//! Pull evaluation with a memo: the one function that all ways to run the engine are made of.
//!
//! ```text
//!   ready(N, t)    while fewer than t rounds of leaf N have drawn, and it is not covered:
//!                    finish(N, s); finish(M, s) for each leaf M that reaches N's uncovered box
//!                    draw the candidates of round s
//!   finish(N, t)   ready(N, t); decide every undecided candidate of N
//!   decide(x)      for x's leaf and each leaf M that its disk touches:
//!                    ready(M, round of x)
//!                    decide(y) for each undecided y of smaller priority that conflicts with x
//!                    stop if x was rejected
//!                  accept(x)
//!   accept(x)      in each leaf that the disk touches: note the point, cover the parts in its
//!                  disk, reject the candidates that conflict with it
//! ```
//!
//! It is exact in any order. An accepted point rejects every undecided candidate that conflicts
//! with it, whichever was known first; so to learn of points early changes nothing. `decide` calls
//! for smaller priorities and `ready` for earlier rounds only; so it ends.
//!
//! # Stack
//! Decisions nest, by some twenty in practice. At [`DEEPEST`] the evaluator gives up, notes what it
//! was about to do, and does that first, from the bottom of the stack; what was found out until then
//! stays found out. So the stack is bounded whatever the field.

use super::block::Block;
use super::draw::draw;
use super::lattice::{Image, clip, image, opposite};
use super::law::{Law, MaxLaw, MeanLaw, MinLaw, OwnLaw, PriorLaw};
use super::leaf::{Candidate, Fragment, Leaf};
use super::neighbourhood::{Placed, square_between};
use super::space::Space;
use super::tree::{FINISHED, Kind, NONE, Tree};
use crate::rule::Rule;
use density::Bounds;

/// Calls nest up to this deep.
const DEEPEST: u32 = 64;

/// Memory is measured each time that so many more leaves were opened.
const OPENED_BETWEEN: u32 = 256;

/// Why the evaluator stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stop {
    /// It would take more memory than it may, bytes.
    OutOfMemory { bytes: u64 },
    /// Calls are nested too deep: something has to be done first.
    TooDeep(Goal),
}

/// Something to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// To decide all candidates of the first rounds of a leaf: of node and number of rounds.
    Finish(u32, u8),
    /// To decide a candidate: of node, batch and lane.
    Decide(u32, u32, u32),
}

/// A finished leaf's points.
#[derive(Clone, Debug, Default)]
pub(super) struct Finished<const D: usize> {
    /// In the order of their ids.
    pub(super) points: Box<[Placed<D>]>,
    /// The middles and volumes of cells that were neither covered nor divided further.
    pub(super) unresolved: Box<[([f64; D], f64)]>,
}

/// What was found out so far.
#[derive(Debug)]
pub(super) struct Evaluator<const D: usize> {
    tree: Tree<D>,
    leaves: Vec<Leaf<D>>,
    /// States that can be used again: at once, and when no call is under way.
    free: Vec<u32>,
    closing: Vec<u32>,
    finished: Vec<Finished<D>>,
    /// Of these, the numbers that can be used again.
    idle: Vec<u32>,
    /// How many points these hold.
    points: usize,
    scratch: Vec<Fragment<D>>,
    depth: u32,
    opened: u32,
}

impl<const D: usize> Evaluator<D> {
    /// Nothing is known yet.
    pub(super) fn new() -> Self {
        Self {
            tree: Tree::new(),
            leaves: Vec::new(),
            free: Vec::new(),
            closing: Vec::new(),
            finished: Vec::new(),
            idle: Vec::new(),
            points: 0,
            scratch: Vec::new(),
            depth: 0,
            opened: 0,
        }
    }

    /// Memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        let leaves: usize = self.leaves.iter().map(Leaf::bytes).sum();
        let finished = self.finished.capacity() * size_of::<Finished<D>>();
        self.tree.bytes() + leaves + finished + self.points * size_of::<Placed<D>>()
    }

    /// Shows the points of every leaf of a block that a window touches to `visit`, along a Morton
    /// curve.
    pub(super) fn visit(
        &mut self,
        space: &Space<'_, D>,
        block: Block<D>,
        window: &Bounds<D>,
        visit: &mut dyn FnMut(&mut Finished<D>),
    ) -> Result<(), Stop> {
        if block.level < 0 {
            let inside = block.bounds(space.lattice);
            if inside.is_some_and(|place| clip(&place, window).is_some()) {
                for child in block.children() {
                    self.visit(space, child, window, visit)?;
                }
            }
            if block.is_page() && space.domain == Some(*window) {
                self.leave_page(space, block);
            }
            return Ok(());
        }
        let root = block.at.map(|x| x >> block.level);
        let mut number = self.tree.root(space, root);
        for level in (0..block.level).rev() {
            if self.tree.nodes[number as usize].kind != Kind::Divided {
                break;
            }
            let upper = |a: usize| (block.at[a] >> level & 1) as u32;
            let child: u32 = (0..D).map(|a| upper(a) << a).sum();
            number = self.tree.children(space, number) + child;
        }
        self.visit_node(space, number, window, visit)
    }

    /// Takes note that the points of all leaves of the page that a block lies in were given out.
    /// What nothing can ask for any more is forgotten.
    pub(super) fn leave_page(&mut self, space: &Space<'_, D>, block: Block<D>) {
        let finished = &mut self.finished;
        let idle = &mut self.idle;
        self.tree.leave_page(space, block.page(), |slot| {
            if let Some(leaf) = finished.get_mut(slot as usize) {
                *leaf = Finished::default();
                idle.push(slot);
            }
        });
    }

    fn visit_node(
        &mut self,
        space: &Space<'_, D>,
        number: u32,
        window: &Bounds<D>,
        visit: &mut dyn FnMut(&mut Finished<D>),
    ) -> Result<(), Stop> {
        let node = &self.tree.nodes[number as usize];
        if node.kind == Kind::Closed {
            return Ok(());
        }
        let place = space.lattice.bounds(node.shape.cell);
        if place.is_none_or(|place| clip(&place, window).is_none()) {
            return Ok(());
        }
        if node.kind == Kind::Divided {
            let first = self.tree.children(space, number);
            for child in first..first + (1 << D) {
                self.visit_node(space, child, window, visit)?;
            }
            return Ok(());
        }
        self.complete(space, number)?;
        let slot = self.tree.nodes[number as usize].slot;
        if let Some(finished) = self.finished.get_mut(slot as usize) {
            let before = finished.points.len();
            visit(finished);
            self.points -= before - finished.points.len();
        }
        Ok(())
    }

    /// Finishes a leaf.
    fn complete(&mut self, space: &Space<'_, D>, number: u32) -> Result<(), Stop> {
        while self.tree.nodes[number as usize].decided != FINISHED {
            let rounds = self.tree.nodes[number as usize].decided + 1;
            let (mut goal, mut later) = (Goal::Finish(number, rounds), Vec::new());
            loop {
                self.depth = 0;
                match self.reach(space, goal) {
                    Ok(()) => match later.pop() {
                        Some(next) => goal = next,
                        None => break,
                    },
                    Err(Stop::TooDeep(first)) => later.push(std::mem::replace(&mut goal, first)),
                    Err(stop) => return Err(stop),
                }
            }
        }
        self.free.append(&mut self.closing);
        Ok(())
    }

    /// Does what is to be done, by the rule of the run.
    fn reach(&mut self, space: &Space<'_, D>, goal: Goal) -> Result<(), Stop> {
        match space.rule {
            Rule::Max => self.reach_by::<MaxLaw>(space, goal),
            Rule::Mean => self.reach_by::<MeanLaw>(space, goal),
            Rule::Min => self.reach_by::<MinLaw>(space, goal),
            // No constructor lets `Parent` in; it would be the same for points without one.
            Rule::Own | Rule::Parent => self.reach_by::<OwnLaw>(space, goal),
            Rule::Prior => self.reach_by::<PriorLaw>(space, goal),
        }
    }

    fn reach_by<L: Law>(&mut self, space: &Space<'_, D>, goal: Goal) -> Result<(), Stop> {
        match goal {
            Goal::Finish(number, rounds) => self.finish::<L>(space, number, rounds),
            Goal::Decide(number, batch, lane) => self.decide::<L>(space, number, batch, lane),
        }
    }

    /// Sees to it that a leaf has drawn candidates in so many rounds, or is finished.
    fn ready<L: Law>(&mut self, space: &Space<'_, D>, number: u32, rounds: u8) -> Result<(), Stop> {
        loop {
            let node = &self.tree.nodes[number as usize];
            let round = node.drawn;
            if round >= rounds {
                return Ok(());
            }
            if round == 0 {
                self.open::<L>(space, number)?;
            } else {
                self.finish::<L>(space, number, round)?;
                let slot = self.tree.nodes[number as usize].slot;
                if self.leaves[slot as usize].bitmap.is_full() {
                    self.close(number);
                    return Ok(());
                }
                self.finish_around::<L>(space, slot, round)?;
                if self.leaves[slot as usize].bitmap.is_full() {
                    self.close(number);
                    return Ok(());
                }
            }
            let slot = self.tree.nodes[number as usize].slot;
            if draw::<D, L>(
                space,
                &mut self.leaves[slot as usize],
                &mut self.scratch,
                round,
            ) {
                self.tree.nodes[number as usize].drawn = round + 1;
            } else {
                self.close(number);
                return Ok(());
            }
        }
    }

    /// Finishes the first rounds of all leaves that reach what is uncovered of a leaf: no others
    /// have a say in what is drawn there.
    fn finish_around<L: Law>(
        &mut self,
        space: &Space<'_, D>,
        slot: u32,
        rounds: u8,
    ) -> Result<(), Stop> {
        let leaf = &self.leaves[slot as usize];
        let (center, half) = leaf.uncovered_box();
        for row in 0..leaf.near.len() {
            let leaf = &self.leaves[slot as usize];
            let near = &leaf.near[row];
            let mut lanes = near.reached::<L>(center, half, leaf.most as f32);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let other = self.leaves[slot as usize].near[row].node[lane];
                if self.tree.nodes[other as usize].decided < rounds {
                    self.finish::<L>(space, other, rounds)?;
                }
            }
        }
        Ok(())
    }

    /// Sees to it that all candidates of a leaf's first rounds are decided.
    fn finish<L: Law>(
        &mut self,
        space: &Space<'_, D>,
        number: u32,
        rounds: u8,
    ) -> Result<(), Stop> {
        if self.tree.nodes[number as usize].decided >= rounds {
            return Ok(());
        }
        if self.depth >= DEEPEST {
            return Err(Stop::TooDeep(Goal::Finish(number, rounds)));
        }
        self.depth += 1;
        self.ready::<L>(space, number, rounds)?;
        let node = &self.tree.nodes[number as usize];
        if node.decided != FINISHED {
            let slot = node.slot as usize;
            for batch in 0..self.leaves[slot].batches().len() as u32 {
                loop {
                    let undecided = self.leaves[slot].batches()[batch as usize].undecided;
                    if undecided == 0 {
                        break;
                    }
                    self.decide::<L>(space, number, batch, undecided.trailing_zeros())?;
                }
            }
            let node = &mut self.tree.nodes[number as usize];
            node.decided = node.decided.max(rounds);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Begins the work on a leaf.
    #[inline(never)]
    fn open<L: Law>(&mut self, space: &Space<'_, D>, number: u32) -> Result<(), Stop> {
        self.opened += 1;
        if self.opened.is_multiple_of(OPENED_BETWEEN) {
            let bytes = self.bytes() as u64;
            if bytes > space.max_bytes {
                return Err(Stop::OutOfMemory { bytes });
            }
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.leaves.push(Leaf::new());
            self.leaves.len() as u32 - 1
        });
        let mut near = std::mem::take(&mut self.leaves[slot as usize].near);
        self.tree.find_near::<L>(space, number, &mut near);
        let node = &mut self.tree.nodes[number as usize];
        node.slot = slot;
        let leaf = &mut self.leaves[slot as usize];
        leaf.near = near;
        leaf.open(space.lattice, node.shape);
        if node.shape.cut_off {
            leaf.bitmap
                .close_slabs(|axis, index| space.is_slab_outside(node.shape.cell, axis, index));
        }
        Ok(())
    }

    /// Ends the work on a leaf.
    fn close(&mut self, number: u32) {
        let node = &mut self.tree.nodes[number as usize];
        let leaf = &mut self.leaves[node.slot as usize];
        leaf.own.sort_unstable_by_key(|placed| placed.id);
        self.closing.push(node.slot);
        self.points += leaf.own.len();
        node.slot = if leaf.own.is_empty() && leaf.unresolved.is_empty() {
            NONE
        } else {
            let finished = Finished {
                points: leaf.own.as_slice().into(),
                unresolved: leaf.unresolved.as_slice().into(),
            };
            if let Some(slot) = self.idle.pop() {
                self.finished[slot as usize] = finished;
                slot
            } else {
                self.finished.push(finished);
                self.finished.len() as u32 - 1
            }
        };
        node.drawn = FINISHED;
        node.decided = FINISHED;
    }

    /// Decides a candidate: rivals of smaller priority come first. It becomes a point unless one of
    /// them rejects it.
    fn decide<L: Law>(
        &mut self,
        space: &Space<'_, D>,
        number: u32,
        batch: u32,
        lane: u32,
    ) -> Result<(), Stop> {
        let node = &self.tree.nodes[number as usize];
        let (slot, rounds) = (node.slot, node.drawn);
        if !self.leaves[slot as usize].is_undecided(batch, lane) {
            return Ok(());
        }
        if self.depth >= DEEPEST {
            return Err(Stop::TooDeep(Goal::Decide(number, batch, lane)));
        }
        let leaf = &mut self.leaves[slot as usize];
        if leaf.is_radius_unknown(batch, lane) && !ask::<D, L>(space, leaf, batch, lane) {
            return Ok(());
        }
        self.depth += 1;
        let leaf = &self.leaves[slot as usize];
        let spot = leaf.spot(space.lattice, batch, lane);
        let this = Candidate {
            leaf: slot,
            batch,
            lane,
            x: spot.x,
            p: spot.p,
            r: leaf.radius(batch, lane),
            id: spot.id,
        };
        let own = image([0; D]);
        let mut survives = self.survives::<L>(space, number, own, &this, spot.x, 0.0)?;
        let mut row = 0;
        while survives && row < self.leaves[slot as usize].near.len() {
            let near = &self.leaves[slot as usize].near[row];
            let mut lanes = near.reached::<L>(this.x, [0.0; D], this.r as f32);
            while survives && lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let near = &self.leaves[slot as usize].near[row];
                let (other, image, corner) = (near.node[lane], near.image[lane], near.corner(lane));
                let x = std::array::from_fn(|a| this.x[a] - corner[a]);
                let node = &self.tree.nodes[other as usize];
                let beyond = node.drawn != 0
                    && node.drawn != FINISHED
                    && self.leaves[node.slot as usize].is_beyond::<L>(x, this.r);
                if node.drawn == FINISHED || beyond {
                    continue;
                }
                if node.drawn < rounds {
                    self.ready::<L>(space, other, rounds)?;
                }
                let node = &self.tree.nodes[other as usize];
                if node.drawn == rounds && node.decided < rounds {
                    let far = corner.iter().fold(0.0, |sum, x| sum + x.abs());
                    survives = self.survives::<L>(space, other, image, &this, x, far)?;
                }
            }
            row += 1;
        }
        if survives {
            self.accept::<L>(space, &this);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Decides the candidates of a leaf that come before `this` and conflict with it. Returns `true`
    /// if none of them rejects it. `image` of the leaf is near; `this` lies at `x` from its corner.
    #[inline]
    fn survives<L: Law>(
        &mut self,
        space: &Space<'_, D>,
        number: u32,
        image: Image,
        this: &Candidate<D>,
        x: [f32; D],
        far: f32,
    ) -> Result<bool, Stop> {
        let slot = self.tree.nodes[number as usize].slot;
        for batch in 0..self.leaves[slot as usize].batches().len() {
            let rivals = self.leaves[slot as usize].rivals::<L>(batch, this, x, far);
            if rivals != 0
                && !self.survives_some::<L>(space, (number, image), batch as u32, rivals, this)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline(never)]
    fn survives_some<L: Law>(
        &mut self,
        space: &Space<'_, D>,
        (number, image): (u32, Image),
        batch: u32,
        mut rivals: u8,
        this: &Candidate<D>,
    ) -> Result<bool, Stop> {
        let slot = self.tree.nodes[number as usize].slot;
        while rivals != 0 {
            let lane = rivals.trailing_zeros();
            rivals &= rivals - 1;
            let leaf = &mut self.leaves[slot as usize];
            if leaf.id(batch, lane) >= this.id || !leaf.is_undecided(batch, lane) {
                continue;
            }
            if leaf.is_radius_unknown(batch, lane) && !ask::<D, L>(space, leaf, batch, lane) {
                continue;
            }
            let rival = leaf.spot(space.lattice, batch, lane);
            let keep = L::RULE.distance(leaf.radius(batch, lane), this.r);
            let shift = space.lattice.shift(image);
            if square_between(rival.p, this.p, shift) >= keep * keep {
                continue;
            }
            self.decide::<L>(space, number, batch, lane)?;
            if !self.leaves[this.leaf as usize].is_undecided(this.batch, this.lane) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A candidate becomes a point.
    #[inline(never)]
    fn accept<L: Law>(&mut self, space: &Space<'_, D>, this: &Candidate<D>) {
        let Candidate { leaf, p, r, id, .. } = *this;
        let placed = Placed { p, r, id };
        let own = image([0; D]);
        let state = &mut self.leaves[leaf as usize];
        state.settle(this.batch, this.lane);
        state.own.push(placed);
        let x = std::array::from_fn(|a| p[a] - state.shape.min[a]);
        state.learn::<L>(space.lattice, &placed, own, x);
        for row in 0..self.leaves[leaf as usize].near.len() {
            let near = &self.leaves[leaf as usize].near[row];
            let mut lanes = near.reached::<L>(this.x, [0.0; D], r as f32);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let near = &self.leaves[leaf as usize].near[row];
                let (other, image) = (near.node[lane], opposite::<D>(near.image[lane]));
                let node = &self.tree.nodes[other as usize];
                if node.drawn == 0 || node.drawn == FINISHED {
                    continue;
                }
                let shift = space.lattice.shift(image);
                let state = &mut self.leaves[node.slot as usize];
                let min = state.shape.min;
                let x = std::array::from_fn(|a| (p[a] - min[a]) + shift[a]);
                state.learn::<L>(space.lattice, &placed, image, x);
            }
        }
    }
}

/// Asks the field for the radius of a candidate. Returns `true` if it is still in the race.
#[inline(never)]
fn ask<const D: usize, L: Law>(
    space: &Space<'_, D>,
    leaf: &mut Leaf<D>,
    batch: u32,
    lane: u32,
) -> bool {
    let spot = leaf.spot(space.lattice, batch, lane);
    if let Some(r) = space.field.min_dist(spot.p)
        && r <= leaf.most
        && !leaf.conflicts::<L>(space.lattice, &spot, r)
    {
        leaf.set_radius(batch, lane, r);
        true
    } else {
        leaf.settle(batch, lane);
        false
    }
}
