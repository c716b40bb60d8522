//! Pull evaluation with a memo: the one function that all ways to run the engine are made of.
//!
//! ```text
//!   ready(N, t)    while s < t rounds of leaf N have drawn, and it is not covered:
//!                    finish(N, s), which it is ready for
//!                    decide_beside(M, s, U) for each leaf M that reaches U, what is uncovered of N
//!                    draw the candidates of the next round
//!   finish(N, t)   ready(N, t); decide every undecided candidate of N
//!   decide_beside(M, t, U)
//!                  decide every undecided candidate of M that reaches U, round by round, up to round t
//!                  or until what is uncovered of M reaches U no more
//!   decide(x)      for x's leaf and each leaf M that its disk touches:
//!                    ready(M, rounds that x's leaf has drawn), while what is uncovered of M reaches x
//!                    decide(y) for each undecided y of that round of M, of smaller priority than x,
//!                      that conflicts with x
//!                    stop if x was rejected
//!                  accept(x)
//!   accept(x)      in each leaf that the disk touches: note the point, cover the parts in its
//!                  disk, reject the candidates that conflict with it
//! ```
//!
//! It is exact in any order. An accepted point rejects every undecided candidate that conflicts
//! with it, whichever was known first; so to learn of points early changes nothing. `decide` calls
//! for smaller priorities and for draws up to its own round, and a round is drawn after decisions of
//! earlier ones; so it ends. A leaf beside what was asked for decides a round whole only before it
//! draws the next.
//!
//! # Numbers
//! A *node* is a cell of the tree. Its *slot* is the number of its [`Leaf`] state while it is worked on, and
//! of its [`Finished`] points afterwards. Candidates of a leaf stand in *batches* of eight *lanes*, the leaves
//! around it in *rows* of eight lanes. An *image* is a copy of a periodic domain. `drawn` counts the
//! rounds that a node has drawn, `decided` those of which all candidates are decided: all that it has drawn,
//! or all but the last.
//!
//! # Obstacles
//! Obstacles, and the points of earlier passes, are shown to a leaf when it is opened. Each pass has
//! an evaluator, which owns that of the pass before and asks it for its points around the leaf.
//!
//! # Forgetting
//! A leaf may be forgotten at any time, and is evaluated again when something asks for it. An
//! accepted point reaches leaves that are open only; so a leaf that is opened again learns of the
//! points of finished leaves around, each in its round: what it draws is what it drew before.
//!
//! # Stack
//! Decisions nest, by some twenty in practice. At [`DEEPEST`] the evaluator gives up, notes what it
//! was about to do, and does that first, from the bottom of the stack; what was found out until then
//! stays found out. A leaf for which earlier passes have work to do is put off in the same way, so
//! that passes do not nest deeper than a few calls each. So the stack is bounded whatever the field.

use super::block::Block;
use super::draw::draw;
use super::hash::round;
use super::keep::Keep;
use super::lattice::{Image, image, opposite};
use super::leaf::{Candidate, Known, Leaf, Place};
use super::near::NONE;
use super::neighbourhood::{Placed, square_between};
use super::shape::Fragment;
use super::space::Space;
use super::tree::{FINISHED, Kind, Node, Tree};
use crate::boxes::{grown, shifted};
use crate::steps::for_each;
use density::Bounds;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// Calls nest up to this deep.
const DEEPEST: u32 = 64;

/// Memory is measured each time that so many more leaves were opened, or as many as there are states.
const UNMEASURED: u32 = 256;

/// Why the evaluator stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stop {
    /// It would take more memory than it may, bytes.
    OutOfMemory { bytes: u64 },
    /// Something has to be done first: calls are nested too deep, or earlier passes have work to do here.
    PutOff(Goal),
    /// The caller did not want to go on.
    BrokenOff,
}

/// Something to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// To decide all candidates of the first rounds of a leaf.
    Finish { node: u32, rounds: u8 },
    /// To decide a candidate.
    Decide { node: u32, batch: u32, lane: u32 },
    /// To find the points of earlier passes around a leaf.
    CollectObstacles { node: u32 },
}

/// The grey value at a point, and its layer's number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) value: f64,
    pub(super) layer: Option<u32>,
}

/// A finished leaf's points.
#[derive(Clone, Debug, Default)]
pub(super) struct Finished<const D: usize> {
    /// In the order of their ids.
    pub(super) points: Box<[Placed<D>]>,
    /// Points that were accepted and then given up, as they lie outside of the pass's territory.
    given_up: Box<[Placed<D>]>,
    /// What a world knows of each point beside.
    pub(super) labels: Box<[Label]>,
    /// The middles and volumes of cells that were neither covered nor divided further.
    pub(super) unresolved: Box<[([f64; D], f64)]>,
}

impl<const D: usize> Finished<D> {
    /// How many points it holds.
    fn held(&self) -> usize {
        self.points.len() + self.given_up.len()
    }
}

/// What was found out so far.
#[derive(Debug)]
pub(super) struct Evaluator<const D: usize> {
    tree: Tree<D>,
    leaves: Vec<Leaf<D>>,
    /// States that can be used again.
    free: Vec<u32>,
    /// States of leaves that were closed in the call under way: callers up the stack may still read them.
    /// They become free when it returns.
    closing: Vec<u32>,
    finished: Vec<Finished<D>>,
    /// Of these, the numbers that can be used again.
    idle: Vec<u32>,
    /// How many points `finished` holds.
    points: usize,
    scratch: Vec<Fragment<D>>,
    /// How deep calls are nested. Errors leave it as it is; each goal begins at 0.
    depth: u32,
    /// The window that was asked for last. Leaves whose lowest corner lies in it will be finished anyway, so
    /// they are decided whole. That changes the order of work only, never a point.
    wanted: Option<Bounds<D>>,
    opened: u64,
    /// How many leaves were opened since memory was measured, long lists counted as more.
    unmeasured: u32,
    /// The number of its pass.
    number: usize,
    /// The evaluator of the pass before.
    below: Option<Box<Self>>,
    obstacles: Vec<Obstacle<D>>,
}

/// An obstacle near a leaf: one of the run's, or a point of an earlier pass.
#[derive(Clone, Copy, Debug)]
struct Obstacle<const D: usize> {
    placed: Placed<D>,
    image: Image,
    keep: Keep,
}

/// A leaf that looks for obstacles.
#[derive(Clone, Copy)]
struct Asking<'s, const D: usize> {
    /// The pass of the leaf. Earlier ones answer.
    later: &'s Space<'s, D>,
    place: Bounds<D>,
    /// The greatest radius in it.
    hi: f64,
    /// Whether leaves that are not finished are worked on.
    work: Work,
}

/// What to do about leaves that are not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Finish,
    PutOff,
}

/// Shown the finished leaves one by one.
pub(super) type Visit<'v, const D: usize> = &'v mut dyn FnMut(&mut Finished<D>) -> ControlFlow<()>;

impl<const D: usize> Evaluator<D> {
    /// Nothing is known yet of so many passes, at least one: the evaluator of the last.
    pub(super) fn new(passes: usize) -> Self {
        let number = passes.saturating_sub(1);
        Self {
            number,
            below: (number > 0).then(|| Box::new(Self::new(number))),
            obstacles: Vec::new(),
            tree: Tree::new(),
            leaves: Vec::new(),
            free: Vec::new(),
            closing: Vec::new(),
            finished: Vec::new(),
            idle: Vec::new(),
            points: 0,
            scratch: Vec::new(),
            depth: 0,
            wanted: None,
            opened: 0,
            unmeasured: 0,
        }
    }

    /// Forgets all leaves that are open, if they take more than so many bytes. What is finished stays.
    pub(super) fn forget_unfinished(&mut self, most: usize) {
        if self.open_bytes() <= most {
            return;
        }
        for leaf in self.leaves.iter().filter(|leaf| leaf.node != NONE) {
            self.tree.nodes[leaf.node as usize].forget_work();
        }
        self.leaves = Vec::new();
        self.free.clear();
    }

    /// Forgets everything and frees all memory.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.number + 1);
    }

    /// Memory in use for open leaves, bytes.
    fn open_bytes(&self) -> usize {
        self.leaves.iter().map(Leaf::bytes).sum()
    }

    /// Memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        let finished = self.finished.capacity() * size_of::<Finished<D>>();
        let below = self.below.as_ref().map_or(0, |below| below.bytes());
        self.tree.bytes()
            + self.open_bytes()
            + finished
            + self.points * size_of::<(Placed<D>, Label)>()
            + below
    }

    /// The evaluator of a pass: this one, or one of those before.
    pub(super) fn of(&mut self, space: &Space<'_, D>) -> &mut Self {
        let number = space.number();
        let mut evaluator = self;
        while evaluator.number > number {
            match evaluator.below {
                Some(ref mut below) => evaluator = below,
                None => break,
            }
        }
        evaluator
    }

    /// Returns `true` if every leaf that an area touches is finished.
    pub(super) fn is_finished(&mut self, space: &Space<'_, D>, area: &Bounds<D>) -> bool {
        let visit: Visit<'_, D> = &mut |_| ControlFlow::Continue(());
        self.visit_area(space, area, Work::PutOff, visit) == Ok(true)
    }

    /// Shows every leaf that an area touches to `visit`, finished. Where work is to be put off, returns
    /// `false` as soon as one is not, and may show others beside the area.
    pub(super) fn visit_area(
        &mut self,
        space: &Space<'_, D>,
        area: &Bounds<D>,
        work: Work,
        visit: Visit<'_, D>,
    ) -> Result<bool, Stop> {
        let Some(area) = space.inside(area) else {
            return Ok(true);
        };
        if work == Work::Finish {
            self.wanted = Some(area);
        }
        let (first, last) = space.lattice.roots(&area);
        let mut finished = Ok(true);
        for_each(first, last, |at| {
            if finished == Ok(true) {
                let root = self.tree.root(space, at);
                finished = self.visit_node(space, root, &area, work, visit);
            }
        });
        finished
    }

    /// Adds the points of this pass and those before that matter to a leaf. Returns `false` if that
    /// takes work which is to be put off.
    fn add_earlier_points(
        &mut self,
        space: &Space<'_, D>,
        asking: Asking<'_, D>,
        found: &mut Vec<Obstacle<D>>,
    ) -> Result<bool, Stop> {
        let keep = asking.later.keep(space.number());
        let range = space.field.range();
        let mut reach = keep.distance(range.hi(), asking.hi);
        // Beyond the edges of a periodic domain the field does not go on as the domain does.
        if reach > 0.0 && range.lo() < range.hi() && !space.lattice.is_periodic() {
            let near = space.field.range_in(&grown(&asking.place, reach));
            reach = near.map_or(0.0, |near| keep.distance(near.range.hi(), asking.hi));
        }
        if reach > 0.0 {
            for image in 0..space.lattice.images() {
                let shift = space.lattice.shift(image);
                let area = shifted(&grown(&asking.place, 1.000_1 * reach), shift);
                let Some(area) = area else { continue };
                let finished = self.visit_area(space, &area, asking.work, &mut |leaf| {
                    let near = leaf.points.iter().filter(|q| area.contains(q.p));
                    found.extend(near.map(|&placed| Obstacle {
                        placed,
                        image,
                        keep,
                    }));
                    ControlFlow::Continue(())
                })?;
                if !finished {
                    return Ok(false);
                }
            }
        }
        match (&mut self.below, space.below()) {
            (Some(below), Some(space)) => below.add_earlier_points(&space, asking, found),
            _ => Ok(true),
        }
    }

    /// Shows the points of every leaf of a block that a window touches to `visit`, along a Morton
    /// curve.
    pub(super) fn visit(
        &mut self,
        space: &Space<'_, D>,
        block: Block<D>,
        window: &Bounds<D>,
        visit: Visit<'_, D>,
    ) -> Result<(), Stop> {
        if block.level < 0 {
            let inside = block.bounds(space.lattice);
            if inside.is_some_and(|place| place.intersection(window).is_some()) {
                for child in block.children() {
                    self.visit(space, child, window, visit)?;
                }
            }
            if block.is_page() && space.domain == Some(*window) {
                self.leave_page(space, block);
            }
            return Ok(());
        }
        self.wanted = Some(*window);
        let root = block.at.map(|x| x >> block.level);
        if space.lattice.is_beyond(root) {
            return Ok(());
        }
        let mut number = self.tree.root(space, root);
        for level in (0..block.level).rev() {
            if self.tree.nodes[number as usize].kind != Kind::Divided {
                break;
            }
            let upper = |a: usize| (block.at[a] >> level & 1) as u32;
            let child: u32 = (0..D).map(|a| upper(a) << a).sum();
            number = self.tree.children(space, number) + child;
        }
        self.visit_node(space, number, window, Work::Finish, visit)?;
        Ok(())
    }

    /// Takes note that the points of all leaves of the page that a block lies in were given out.
    /// What nothing can ask for any more is forgotten.
    pub(super) fn leave_page(&mut self, space: &Space<'_, D>, block: Block<D>) {
        let Self {
            tree,
            finished,
            idle,
            points,
            ..
        } = self;
        tree.leave_page(space, block.page(), |slot| {
            if let Some(leaf) = finished.get_mut(slot as usize) {
                *points -= std::mem::take(leaf).held();
                idle.push(slot);
            }
        });
    }

    /// Begins a new request: what is touched from now on was touched last.
    pub(super) fn tick(&mut self) {
        self.tree.tick();
        if let Some(below) = &mut self.below {
            below.tick();
        }
    }

    /// How many leaves were opened so far, of all passes.
    pub(super) fn work(&self) -> u64 {
        self.opened + self.below.as_ref().map_or(0, |below| below.work())
    }

    /// Forgets what was last touched more than `age` requests ago, and unfinished leaves beside it.
    pub(super) fn forget(&mut self, age: u64) {
        let places = self.tree.older(age);
        self.forget_places(&places);
        if let Some(below) = &mut self.below {
            below.forget(age);
        }
    }

    /// Forgets the cells of level 0 that an area touches, and unfinished leaves beside them. Only of
    /// this pass.
    pub(super) fn forget_area(&mut self, space: &Space<'_, D>, area: &Bounds<D>) {
        let mut places = Vec::new();
        for image in 0..space.lattice.images() {
            let area = shifted(area, space.lattice.shift(image));
            if let Some(inside) = area.and_then(|area| space.inside(&area)) {
                let (first, last) = space.lattice.roots(&inside);
                places.extend(self.tree.between(first, last));
            }
        }
        self.forget_places(&places);
    }

    fn forget_places(&mut self, places: &[usize]) {
        let inside = self.tree.nodes_in(places);
        self.tree.forgetful |= !places.is_empty();
        for (slot, leaf) in self.leaves.iter_mut().enumerate() {
            if leaf.node == NONE {
                continue;
            }
            // It knows nodes around by their numbers, which are used again.
            let is_inside = |node: u32| inside.get(node as usize) == Some(&true);
            let mut near = leaf.near.iter().flat_map(|near| near.node);
            if is_inside(leaf.node) || near.any(is_inside) {
                self.tree.nodes[leaf.node as usize].forget_work();
                *leaf = Leaf::new();
                self.free.push(slot as u32);
            }
        }
        let Self {
            tree,
            finished,
            idle,
            points,
            ..
        } = self;
        for &place in places {
            tree.forget(place, &mut |slot| {
                if let Some(leaf) = finished.get_mut(slot as usize) {
                    *points -= std::mem::take(leaf).held();
                    idle.push(slot);
                }
            });
        }
        tree.forget_empty_pages();
    }

    /// [`visit_area`](Self::visit_area) of a node and all below it.
    fn visit_node(
        &mut self,
        space: &Space<'_, D>,
        number: u32,
        area: &Bounds<D>,
        work: Work,
        visit: Visit<'_, D>,
    ) -> Result<bool, Stop> {
        let node = &self.tree.nodes[number as usize];
        if node.kind == Kind::Closed {
            return Ok(true);
        }
        let is_finished = node.decided == FINISHED;
        // Who puts off work wants to know of points near a leaf, and to pick them is cheaper.
        if !(is_finished && work == Work::PutOff) {
            let place = space.lattice.bounds(node.shape.cell);
            if place.is_none_or(|place| place.intersection(area).is_none()) {
                return Ok(true);
            }
        }
        if node.kind == Kind::Divided {
            let first = self.tree.children(space, number);
            for child in first..first + (1 << D) {
                if !self.visit_node(space, child, area, work, visit)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if !is_finished {
            if work == Work::PutOff {
                return Ok(false);
            }
            self.complete(space, number)?;
        }
        let slot = self.tree.nodes[number as usize].slot;
        if let Some(leaf) = self.finished.get_mut(slot as usize)
            && visit(leaf).is_break()
        {
            return Err(Stop::BrokenOff);
        }
        Ok(true)
    }

    /// Finishes a leaf: all of its rounds.
    fn complete(&mut self, space: &Space<'_, D>, number: u32) -> Result<(), Stop> {
        while self.tree.nodes[number as usize].decided != FINISHED {
            let rounds = self.tree.nodes[number as usize].decided + 1;
            let (mut goal, mut later) = (
                Goal::Finish {
                    node: number,
                    rounds,
                },
                Vec::new(),
            );
            loop {
                self.depth = 0;
                match self.pursue(space, goal) {
                    Ok(()) => match later.pop() {
                        Some(next) => goal = next,
                        None => break,
                    },
                    Err(Stop::PutOff(first)) => later.push(std::mem::replace(&mut goal, first)),
                    Err(stop) => return Err(stop),
                }
            }
        }
        self.free.append(&mut self.closing);
        Ok(())
    }

    /// Does what is to be done.
    fn pursue(&mut self, space: &Space<'_, D>, goal: Goal) -> Result<(), Stop> {
        match goal {
            Goal::Finish { node, rounds } => self.finish(space, node, rounds),
            Goal::Decide { node, batch, lane } => self.decide(space, node, batch, lane),
            Goal::CollectObstacles { node } => self
                .collect_obstacles(space, node, Work::Finish)
                .map(|_| ()),
        }
    }

    /// Finds the obstacles and the points of earlier passes that matter to a leaf. Returns `false` if
    /// that takes work which is to be put off.
    fn collect_obstacles(
        &mut self,
        space: &Space<'_, D>,
        number: u32,
        work: Work,
    ) -> Result<bool, Stop> {
        self.obstacles.clear();
        let earlier = space.below();
        if earlier.is_none() && space.obstacles.is_none() {
            return Ok(true);
        }
        let shape = &self.tree.nodes[number as usize].shape;
        let Some(place) = space.lattice.bounds(shape.cell) else {
            return Ok(true);
        };
        let hi = shape.hi;
        if let Some(obstacles) = space.obstacles {
            for image in 0..space.lattice.images() {
                let Some(place) = shifted(&place, space.lattice.shift(image)) else {
                    continue;
                };
                obstacles.visit_near(&place, hi, space.rule, |obstacle| {
                    self.obstacles.push(Obstacle {
                        placed: Placed {
                            p: obstacle.position,
                            r: obstacle.min_dist,
                            id: 0,
                        },
                        image,
                        keep: Keep::By(space.rule),
                    });
                });
            }
        }
        let (Some(below), Some(earlier)) = (&mut self.below, earlier) else {
            return Ok(true);
        };
        let asking = Asking {
            later: space,
            place,
            hi,
            work,
        };
        below.add_earlier_points(&earlier, asking, &mut self.obstacles)
    }

    /// Sees to it that a leaf has drawn candidates in so many rounds, or is finished.
    fn ready(&mut self, space: &Space<'_, D>, number: u32, rounds: u8) -> Result<(), Stop> {
        loop {
            let drawn = self.tree.nodes[number as usize].drawn;
            if drawn >= rounds {
                return Ok(());
            }
            if drawn == 0 {
                self.open(space, number)?;
            } else {
                self.finish(space, number, drawn)?;
                self.decide_around(space, number, drawn)?;
            }
            let slot = self.tree.nodes[number as usize].slot as usize;
            let leaf = &mut self.leaves[slot];
            if leaf.bitmap.is_all_covered() || !draw(space, leaf, &mut self.scratch, drawn) {
                self.close(space, number);
                return Ok(());
            }
            leaf.learn_known(space.lattice, drawn);
            self.tree.nodes[number as usize].drawn = drawn + 1;
        }
    }

    /// Decides those candidates of the first rounds, in all leaves around a leaf, that reach what is
    /// uncovered of it.
    fn decide_around(&mut self, space: &Space<'_, D>, number: u32, rounds: u8) -> Result<(), Stop> {
        let slot = self.tree.nodes[number as usize].slot;
        let leaf = &self.leaves[slot as usize];
        if leaf.bitmap.is_all_covered() {
            return Ok(());
        }
        if !leaf.knows_near {
            self.find_near(space, number)?;
        }
        let leaf = &self.leaves[slot as usize];
        let open = leaf.uncovered_box();
        for row in 0..leaf.near.len() {
            let leaf = &self.leaves[slot as usize];
            let near = &leaf.near[row];
            let mut lanes = near.reached(space.rule, open.center, open.half, leaf.most as f32);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let other = self.leaves[slot as usize].near[row].node[lane];
                if self.tree.nodes[other as usize].decided < rounds {
                    let leaf = &self.leaves[slot as usize];
                    let place = open.seen_from(leaf.near[row].corner(lane));
                    let r = leaf.most;
                    self.decide_beside(space, other, rounds, &place, r)?;
                }
                if self.tree.nodes[other as usize].decided == FINISHED {
                    self.leaves[slot as usize].near[row].forget(lane);
                }
            }
        }
        Ok(())
    }

    /// Decides those candidates of a leaf's first rounds that reach a place, which counts from the leaf's
    /// corner, and points there of radii up to `r`.
    fn decide_beside(
        &mut self,
        space: &Space<'_, D>,
        number: u32,
        rounds: u8,
        place: &Place<D>,
        r: f64,
    ) -> Result<(), Stop> {
        loop {
            let Node {
                drawn,
                decided,
                slot,
                ..
            } = self.tree.nodes[number as usize];
            if drawn > rounds {
                return Ok(());
            }
            // One that is to be finished has all of its rounds decided sooner or later.
            if self.is_wanted(number) {
                return self.finish(space, number, rounds);
            }
            if decided < drawn {
                for batch in 0..self.leaves[slot as usize].batches().len() {
                    let mut lanes = self.leaves[slot as usize].reaching(batch, place, r);
                    while lanes != 0 {
                        self.decide(space, number, batch as u32, lanes.trailing_zeros())?;
                        lanes &= lanes - 1;
                    }
                }
            }
            if drawn == rounds || !self.may_draw_beside(number, place, r) {
                return Ok(());
            }
            self.ready(space, number, drawn + 1)?;
        }
    }

    /// Returns `true` if a leaf is to be finished.
    #[inline]
    fn is_wanted(&self, number: u32) -> bool {
        let min = self.tree.nodes[number as usize].shape.min;
        self.wanted.is_some_and(|wanted| wanted.contains(min))
    }

    /// Returns `true` if candidates that a leaf has still to draw may reach a place, as
    /// [`decide_beside`](Self::decide_beside) takes it: they lie in what is uncovered, and that shrinks
    /// only.
    fn may_draw_beside(&mut self, number: u32, place: &Place<D>, r: f64) -> bool {
        let node = &self.tree.nodes[number as usize];
        match node.drawn {
            0 => return true,
            FINISHED => return false,
            _ => {}
        }
        let leaf = &mut self.leaves[node.slot as usize];
        if node.decided < node.drawn {
            leaf.measure_uncovered();
        }
        !leaf.bitmap.is_all_covered() && leaf.uncovered_reaches(place, r)
    }

    /// Sees to it that all candidates of a leaf's first rounds are decided.
    fn finish(&mut self, space: &Space<'_, D>, number: u32, rounds: u8) -> Result<(), Stop> {
        if self.tree.nodes[number as usize].decided >= rounds {
            return Ok(());
        }
        if self.depth >= DEEPEST {
            return Err(Stop::PutOff(Goal::Finish {
                node: number,
                rounds,
            }));
        }
        self.depth += 1;
        self.ready(space, number, rounds)?;
        let node = &self.tree.nodes[number as usize];
        if node.decided != FINISHED {
            let slot = node.slot as usize;
            for batch in 0..self.leaves[slot].batches().len() as u32 {
                loop {
                    let undecided = self.leaves[slot].batches()[batch as usize].undecided;
                    if undecided == 0 {
                        break;
                    }
                    self.decide(space, number, batch, undecided.trailing_zeros())?;
                }
            }
            self.leaves[slot].measure_uncovered();
            let node = &mut self.tree.nodes[number as usize];
            node.decided = node.decided.max(rounds);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Begins the work on a leaf.
    #[inline(never)]
    fn open(&mut self, space: &Space<'_, D>, number: u32) -> Result<(), Stop> {
        self.opened += 1;
        self.unmeasured += 1;
        // To measure goes through all states.
        if self.unmeasured > UNMEASURED.max(self.leaves.len() as u32) {
            self.unmeasured = 0;
            let bytes = self.bytes() as u64;
            if bytes > space.max_bytes {
                return Err(Stop::OutOfMemory { bytes });
            }
        }
        if !self.collect_obstacles(space, number, Work::PutOff)? {
            return Err(Stop::PutOff(Goal::CollectObstacles { node: number }));
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.leaves.push(Leaf::new());
            self.leaves.len() as u32 - 1
        });
        let node = &mut self.tree.nodes[number as usize];
        node.slot = slot;
        let leaf = &mut self.leaves[slot as usize];
        leaf.node = number;
        leaf.open(space.lattice, space.rule, node.shape);
        if node.shape.cut_off {
            leaf.bitmap
                .close_slabs(|axis, index| space.is_slab_outside(node.shape.cell, axis, index));
        }
        for obstacle in self.obstacles.drain(..) {
            let Obstacle {
                placed,
                image,
                keep,
            } = obstacle;
            // It comes before all points of this pass.
            let placed = Placed { id: 0, ..placed };
            let shift = space.lattice.shift(image);
            let min = leaf.shape.min;
            let x = std::array::from_fn(|a| (placed.p[a] - min[a]) + shift[a]);
            leaf.show(space.lattice, placed, keep, image, x);
        }
        if self.tree.has_to_learn(number) {
            self.find_near(space, number)?;
            self.remember(space, slot);
        }
        Ok(())
    }

    /// Finds the leaves around an open leaf, once, when something is to be decided in it for the first time:
    /// by then points beside it have bounded the radii that are still possible.
    fn find_near(&mut self, space: &Space<'_, D>, number: u32) -> Result<(), Stop> {
        let slot = self.tree.nodes[number as usize].slot as usize;
        let mut near = std::mem::take(&mut self.leaves[slot].near);
        let leaves = &self.leaves;
        let most = |node: &Node<D>| match node.drawn {
            0 | FINISHED => node.shape.hi,
            _ => leaves[node.slot as usize].most,
        };
        let found = self.tree.find_near(space, number, most, &mut near);
        // Between distances that differ much, lists are long.
        self.unmeasured += near.len() as u32 / 8;
        self.leaves[slot].near = near;
        self.leaves[slot].knows_near = true;
        if found.is_none() {
            let bytes = self.bytes() as u64;
            return Err(Stop::OutOfMemory { bytes });
        }
        Ok(())
    }

    /// Collects the accepted points around that a leaf has to learn of.
    fn remember(&mut self, space: &Space<'_, D>, slot: u32) {
        let mut known = std::mem::take(&mut self.leaves[slot as usize].known);
        let leaf = &self.leaves[slot as usize];
        let min = leaf.shape.min;
        for near in &leaf.near {
            for (&other, &image) in near.node.iter().zip(&near.image) {
                let Some(node) = self.tree.nodes.get(other as usize) else {
                    continue;
                };
                let points: [&[Placed<D>]; 2] = match node.drawn {
                    0 => continue,
                    FINISHED => match self.finished.get(node.slot as usize) {
                        Some(finished) => [&finished.points, &finished.given_up],
                        None => continue,
                    },
                    _ => [&self.leaves[node.slot as usize].own, &[]],
                };
                let shift = space.lattice.shift(image);
                known.extend(points.into_iter().flatten().map(|&placed| Known {
                    round: round(placed.id),
                    placed,
                    image,
                    x: std::array::from_fn(|a| (placed.p[a] - min[a]) + shift[a]),
                }));
            }
        }
        known.sort_unstable_by_key(|known| Reverse(known.round));
        self.leaves[slot as usize].known = known;
    }

    /// Ends the work on a leaf.
    fn close(&mut self, space: &Space<'_, D>, number: u32) {
        let node = &mut self.tree.nodes[number as usize];
        let leaf = &mut self.leaves[node.slot as usize];
        leaf.node = NONE;
        leaf.own.sort_unstable_by_key(|placed| placed.id);
        let mut given_up = Vec::new();
        if let Some(territory) = &space.pass().territory {
            given_up.extend(leaf.own.extract_if(.., |q| !territory.holds(q.p, q.r)));
            // A later pass looks for what is left.
            leaf.unresolved.clear();
        }
        self.closing.push(node.slot);
        let empty = leaf.own.is_empty() && given_up.is_empty() && leaf.unresolved.is_empty();
        node.slot = if empty {
            NONE
        } else {
            let finished = Finished {
                points: leaf.own.as_slice().into(),
                given_up: given_up.into(),
                labels: Box::default(),
                unresolved: leaf.unresolved.as_slice().into(),
            };
            self.points += finished.held();
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
    fn decide(
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
            return Err(Stop::PutOff(Goal::Decide {
                node: number,
                batch,
                lane,
            }));
        }
        let leaf = &mut self.leaves[slot as usize];
        if leaf.is_radius_unknown(batch, lane) && !ask(space, leaf, batch, lane) {
            return Ok(());
        }
        if !self.leaves[slot as usize].knows_near {
            self.find_near(space, number)?;
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
        // Beside small distances, what a large leaf loses by single precision is not nothing.
        let half = [leaf.loss(); D];
        // Rivals in its own leaf come first: mostly one of them rejects it.
        let own = image([0; D]);
        let mut survives = self.survives(space, number, own, &this, spot.x, 0.0)?;
        let mut row = 0;
        while survives && row < self.leaves[slot as usize].near.len() {
            let near = &self.leaves[slot as usize].near[row];
            let mut lanes = near.reached(space.rule, this.x, half, this.r as f32);
            while survives && lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let near = &self.leaves[slot as usize].near[row];
                let (other, image, corner) = (near.node[lane], near.image[lane], near.corner(lane));
                let x = std::array::from_fn(|a| this.x[a] - corner[a]);
                let node = &self.tree.nodes[other as usize];
                if node.drawn == FINISHED {
                    // Its points have had their say.
                    self.leaves[slot as usize].near[row].forget(lane);
                    continue;
                }
                if node.drawn != 0 {
                    let leaf = &self.leaves[node.slot as usize];
                    if leaf.is_beyond(x, this.r) {
                        // The radii that are still possible there are too small to reach it.
                        let most = leaf.most;
                        self.leaves[slot as usize].near[row].limit(lane, most);
                        continue;
                    }
                }
                let place = Place { center: x, half };
                // All that reaches it was decided of earlier rounds before it was drawn. So if the other leaf
                // has drawn more rounds, it has no rival; if as many, some of its undecided candidates are;
                // if fewer, and that stays so, nothing that it can draw reaches this candidate.
                while self.tree.nodes[other as usize].drawn < rounds
                    && (self.is_wanted(other) || self.may_draw_beside(other, &place, this.r))
                {
                    let next = self.tree.nodes[other as usize].drawn + 1;
                    self.ready(space, other, next)?;
                }
                let node = &self.tree.nodes[other as usize];
                if node.drawn == rounds && node.decided < rounds {
                    let far = corner.iter().fold(0.0, |sum, x| sum + x.abs());
                    survives = self.survives(space, other, image, &this, x, far)?;
                }
            }
            row += 1;
        }
        if survives {
            // What comes in earlier rounds and reaches it was decided before it was drawn.
            debug_assert!(self.leaves[slot as usize].is_undecided(batch, lane));
            self.accept(space, &this);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Decides the candidates of a leaf that come before `this` and conflict with it. Returns `true`
    /// if none of them rejects it. `image` of the leaf is near; `this` lies at `x` from its corner.
    #[inline]
    fn survives(
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
            let rivals = self.leaves[slot as usize].rivals(batch, this, x, far);
            if rivals != 0
                && !self.survives_some(space, (number, image), batch as u32, rivals, this)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline(never)]
    fn survives_some(
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
            if leaf.is_radius_unknown(batch, lane) && !ask(space, leaf, batch, lane) {
                continue;
            }
            let rival = leaf.spot(space.lattice, batch, lane);
            let keep = space.rule.distance(leaf.radius(batch, lane), this.r);
            let shift = space.lattice.shift(image);
            if square_between(rival.p, this.p, shift) >= keep * keep {
                continue;
            }
            self.decide(space, number, batch, lane)?;
            if !self.leaves[this.leaf as usize].is_undecided(this.batch, this.lane) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A candidate becomes a point.
    #[inline(never)]
    fn accept(&mut self, space: &Space<'_, D>, this: &Candidate<D>) {
        let Candidate { leaf, p, r, id, .. } = *this;
        let placed = Placed { p, r, id };
        let own = image([0; D]);
        let state = &mut self.leaves[leaf as usize];
        state.settle(this.batch, this.lane);
        state.own.push(placed);
        let x = std::array::from_fn(|a| p[a] - state.shape.min[a]);
        state.learn(space.lattice, &placed, own, x);
        let half = [state.loss(); D];
        for row in 0..self.leaves[leaf as usize].near.len() {
            let near = &self.leaves[leaf as usize].near[row];
            let mut lanes = near.reached(space.rule, this.x, half, r as f32);
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
                state.learn(space.lattice, &placed, image, x);
            }
        }
    }
}

/// Asks the field for the radius of a candidate. Returns `true` if it is still in the race.
#[inline(never)]
fn ask<const D: usize>(space: &Space<'_, D>, leaf: &mut Leaf<D>, batch: u32, lane: u32) -> bool {
    let spot = leaf.spot(space.lattice, batch, lane);
    if let Some(r) = space.field.min_dist(spot.p)
        && r <= leaf.most
        && !leaf.conflicts(space.lattice, &spot, r)
    {
        leaf.set_radius(batch, lane, r);
        true
    } else {
        leaf.settle(batch, lane);
        false
    }
}
