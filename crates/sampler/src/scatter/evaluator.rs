//! Pull evaluation with a memo: the one function behind all ways to run the engine.
//!
//! ```text
//!   ready(N, t)    while leaf N is not covered and has drawn s < t rounds:
//!                    decide_rounds(N, s)
//!                    decide_reaching(M, s, U) for each neighbour M that reaches U, the uncovered part of N
//!                    draw the candidates of the next round
//!   decide_rounds(N, t)
//!                  ready(N, t); decide every undecided candidate of N
//!   decide_reaching(M, t, U)
//!                  round by round, up to round t or until the uncovered part of M no longer reaches U:
//!                    decide every undecided candidate of M that reaches U
//!   decide(x)      for x's leaf, then for each neighbour M that x reaches:
//!                    draw_reaching(M, t, x), where x's leaf has drawn t rounds
//!                    decide(y) for each undecided y of round t of M that conflicts with x
//!                      and has a smaller priority
//!                    stop if x was rejected
//!                  accept(x)
//!   draw_reaching(M, t, U)
//!                  ready(M, 1), ready(M, 2), .. ready(M, t), until the uncovered part of M no longer reaches U
//!   accept(x)      in each open leaf that x reaches: add the point, cover the parts in its
//!                  disk, reject the candidates that conflict with it
//! ```
//!
//! A candidate *reaches* a region if it could conflict with a point there, whose radius may be the larger one; a
//! leaf, or its uncovered part, reaches it if one of its candidates could.
//!
//! The result does not depend on the order of evaluation. A candidate is rejected once a point of smaller priority
//! that conflicts with it is accepted. Under a symmetric rule a replayed point of greater priority rejects it too: it
//! would not be a point if the candidate were one.
//!
//! The recursion ends: `decide` calls itself for smaller priorities and draws up to its own round only, and a
//! round is drawn after decisions of earlier rounds. So no call draws into a leaf, or closes it, while a caller works
//! on that leaf. A leaf that does not begin in the requested window decides a whole round only before it draws the next.
//!
//! # Terms
//! A *node* is a cell of the tree. The *slot* of a leaf is the index of its [`Leaf`] state while it is open, and of
//! its [`Finished`] points afterwards. Candidates of a leaf are stored in *batches* of eight *lanes*, its
//! neighbours in *rows* of eight lanes. An *image* is a copy of a periodic domain. `drawn` is the number of
//! rounds that a node has drawn, `decided` the number of rounds of which all candidates are decided: equal
//! to `drawn`, or one less. Rounds are numbered from 0, so a leaf holds the candidates of round `drawn - 1`.
//!
//! # Obstacles
//! Obstacles and the points of earlier passes are added to a leaf when it is opened. Each pass has an
//! evaluator, which owns the evaluator of the pass before and collects its points around the leaf. Where these may
//! lie more than [`CLOSE`] sides of the leaf away, a near point that covers the leaf replaces all others. This only
//! saves time.
//!
//! # Forgetting
//! Between requests any leaf may be forgotten; it is evaluated again when it is needed. Accepted points are added
//! to open leaves only. So a leaf that is opened again collects the points of its neighbours, finished ones
//! included, and replays them: it adds each in the point's own round, and so draws the same candidates as
//! before.
//!
//! # Stack
//! Decisions nest, by some twenty calls in practice. At depth [`DEEPEST`] the evaluator returns with the goal
//! that it could not start, and pursues that goal first, from the bottom of the stack; all decisions made
//! so far are kept. Calls of `ready` between them are not counted, as each is for an earlier round. A leaf that
//! needs unfinished work of earlier passes is postponed in the same way, so that only one pass nests deep at a
//! time. So the stack is bounded for every field.

use super::block::page;
use super::draw::draw;
use super::lanes::ones;
use super::lattice::{Cell, Image, image, opposite};
use super::leaf::{Candidate, Leaf, MOST_IN_A_LEAF, Replayed};
use super::margin::WIDE;
use super::near_points::{Placed, square_between};
use super::neighbour_search::NeighbourSearch;
use super::neighbours::{NONE, Neighbour};
use super::pass_view::PassView;
use super::separation::Separation;
use super::shape::{Fragment, LocalBox};
use super::tree::{FINISHED, Kind, Node, Tree};
use crate::boxes::{grown, moved_back, square};
use crate::steps;
use density::Bounds;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// The greatest depth of nested calls of [`decide`](Evaluator::decide) and
/// [`decide_rounds`](Evaluator::decide_rounds). Each takes some 1 kB of stack, so that 64 kB are enough.
const DEEPEST: u32 = 32;

/// Memory is measured each time that this many leaves were opened, or a quarter of the number of states if that
/// is more. Measuring visits all states, and these are added as leaves are opened.
const UNMEASURED: u32 = 256;

/// The reason why the evaluator stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stop {
    /// The evaluator would take more memory than allowed; the memory needed, bytes.
    OutOfMemory { bytes: u64 },
    /// One leaf has more candidates than any should.
    BoundsTooWide,
    /// Another goal comes first: calls are nested too deep, or earlier passes have unfinished leaves here.
    PutOff(Goal),
    /// A leaf is not finished, and may not be finished now.
    Unfinished,
    /// The caller broke the run off.
    BrokenOff,
}

/// A unit of work that can be postponed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// Decide all candidates of the first `rounds` rounds of a leaf.
    DecideRounds { node: u32, rounds: u8 },
    /// Decide a candidate.
    Decide { node: u32, batch: u32, lane: u32 },
    /// Finish the leaves of earlier passes around a leaf. The collected obstacles are dropped: opening the leaf
    /// collects them again.
    CollectObstacles { node: u32 },
}

/// The grey value and the layer's number of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) value: f64,
    pub(super) layer: Option<u32>,
}

/// The points of a finished leaf.
#[derive(Clone, Debug, Default)]
pub(super) struct Finished<const D: usize> {
    /// Sorted by id.
    pub(super) points: Box<[Placed<D>]>,
    /// Points that were accepted and then dropped, as they lie outside of the pass's territory. Kept, as neighbours that
    /// are opened again have to replay them.
    given_up: Box<[Placed<D>]>,
    /// The label of each point, in worlds only.
    pub(super) labels: Box<[Label]>,
    /// The centres and volumes of unresolved cells.
    pub(super) unresolved: Box<[([f64; D], f64)]>,
}

/// The finished leaves, by slot.
#[derive(Debug)]
struct Store<const D: usize> {
    leaves: Vec<Finished<D>>,
    /// Slots that can be reused.
    free: Vec<u32>,
    /// Number of points in all leaves.
    points: usize,
}

impl<const D: usize> Store<D> {
    fn new() -> Self {
        Self {
            leaves: Vec::new(),
            free: Vec::new(),
            points: 0,
        }
    }

    /// Adds a leaf and returns its slot.
    fn add(&mut self, leaf: Finished<D>) -> u32 {
        self.points += leaf.points.len() + leaf.given_up.len();
        if let Some(slot) = self.free.pop() {
            self.leaves[slot as usize] = leaf;
            return slot;
        }
        self.leaves.push(leaf);
        self.leaves.len() as u32 - 1
    }

    /// Returns the leaf in a slot; `None` for [`NONE`].
    fn get(&self, slot: u32) -> Option<&Finished<D>> {
        self.leaves.get(slot as usize)
    }

    /// Forgets the leaf in a slot, if there is one.
    fn free(&mut self, slot: u32) {
        if let Some(leaf) = self.leaves.get_mut(slot as usize) {
            let leaf = std::mem::take(leaf);
            self.points -= leaf.points.len() + leaf.given_up.len();
            self.free.push(slot);
        }
    }

    /// Returns the memory in use, bytes.
    fn bytes(&self) -> usize {
        self.leaves.capacity() * size_of::<Finished<D>>()
            + self.points * size_of::<(Placed<D>, Label)>()
    }
}

/// The memo of one pass, and of the passes before it.
#[derive(Debug)]
pub(super) struct Evaluator<const D: usize> {
    tree: Tree<D>,
    search: NeighbourSearch,
    leaves: Vec<Leaf<D>>,
    /// Slots of states that can be reused.
    free: Vec<u32>,
    finished: Store<D>,
    scratch: Vec<Fragment<D>>,
    /// Depth of nested calls. It is not reset on errors; each goal starts at 0.
    depth: u32,
    /// The depth at which goals are put off: [`DEEPEST`], or less in tests.
    pub(super) deepest: u32,
    /// The last requested window. A leaf that begins in it is decided a whole round at a time, as most such leaves
    /// will be finished here. That changes only the order of work, never a point.
    window: Option<Bounds<D>>,
    opened: u64,
    /// Number of leaves opened since memory was measured; long neighbour lists count as more.
    unmeasured: u32,
    /// The number of the pass.
    pass: usize,
    /// The evaluator of the pass before.
    below: Option<Box<Self>>,
    obstacles: Vec<NearObstacle<D>>,
}

/// Points of earlier passes within this number of a leaf's sides are looked at before those farther out.
const CLOSE: f64 = 8.0;

/// The id of obstacles: they come before all points of a pass.
const FIRST: u64 = 0;

/// An obstacle near a leaf: one that was put into a world, or a point of an earlier pass. Other runs have no obstacles of
/// their own: [`Avoiding`](crate::Avoiding) closes their field.
#[derive(Clone, Copy, Debug)]
struct NearObstacle<const D: usize> {
    placed: Placed<D>,
    image: Image,
    separation: Separation,
}

/// A leaf for which obstacles are collected.
#[derive(Clone, Copy)]
struct ObstacleQuery<'s, const D: usize> {
    /// The pass of the leaf; points are collected from earlier passes.
    later: &'s PassView<'s, D>,
    place: Bounds<D>,
    /// The least and the greatest radius in the leaf.
    lo: f64,
    hi: f64,
    /// The treatment of unfinished leaves of earlier passes.
    work: Work,
}

impl<const D: usize> ObstacleQuery<'_, D> {
    /// Returns `true` if a point of the pass `of` surely conflicts with every place in the leaf, in single precision
    /// too.
    fn is_covered_by(&self, of: &PassView<'_, D>, obstacle: &NearObstacle<D>) -> bool {
        let p = obstacle.placed.p;
        let Some(place) = moved_back(&self.place, of.lattice.shift(obstacle.image)) else {
            return false;
        };
        let (min, max) = (place.min(), place.max());
        let far = square::<D>(|a| (p[a] - min[a]).max(max[a] - p[a]));
        let distance = obstacle.separation.distance(obstacle.placed.r, self.lo);
        far * WIDE * WIDE < distance * distance
    }
}

/// The treatment of unfinished leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// They are finished.
    Finish,
    /// The first one ends the work, with [`Stop::Unfinished`].
    Refuse,
}

/// A callback for finished leaves, one by one.
pub(super) type Visit<'v, const D: usize> = &'v mut dyn FnMut(&mut Finished<D>) -> ControlFlow<()>;

impl<const D: usize> Evaluator<D> {
    /// Creates the evaluator of the last of `passes` passes (at least one), with an empty memo.
    pub(super) fn new(passes: usize) -> Self {
        let pass = passes.saturating_sub(1);
        Self {
            pass,
            below: (pass > 0).then(|| Box::new(Self::new(pass))),
            obstacles: Vec::new(),
            tree: Tree::new(),
            search: NeighbourSearch::new(),
            leaves: Vec::new(),
            free: Vec::new(),
            finished: Store::new(),
            scratch: Vec::new(),
            depth: 0,
            deepest: DEEPEST,
            window: None,
            opened: 0,
            unmeasured: 0,
        }
    }

    /// Forgets all open leaves if they take more than `most` bytes. Finished leaves stay.
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
        *self = Self::new(self.pass + 1);
    }

    /// Returns the memory in use for open leaves, bytes.
    fn open_bytes(&self) -> usize {
        self.leaves.iter().map(Leaf::bytes).sum()
    }

    /// Returns the memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        let below = self.below.as_ref().map_or(0, |below| below.bytes());
        self.tree.bytes() + self.search.bytes() + self.open_bytes() + self.finished.bytes() + below
    }

    /// Returns the evaluator of a pass: this one, or one of an earlier pass.
    pub(super) fn of_pass(&mut self, view: &PassView<'_, D>) -> &mut Self {
        let mut evaluator = self;
        while evaluator.pass > view.number() {
            match evaluator.below {
                Some(ref mut below) => evaluator = below,
                None => break,
            }
        }
        evaluator
    }

    /// Returns `true` if every leaf that an area touches is finished.
    pub(super) fn is_finished(&mut self, view: &PassView<'_, D>, area: &Bounds<D>) -> bool {
        let visit: Visit<'_, D> = &mut |_| ControlFlow::Continue(());
        self.visit_area(view, area, Work::Refuse, visit).is_ok()
    }

    /// Passes every leaf that an area touches, and that holds points or unresolved cells, to `visit`, finished.
    /// With [`Work::Refuse`] it may visit leaves outside of the area.
    pub(super) fn visit_area(
        &mut self,
        view: &PassView<'_, D>,
        area: &Bounds<D>,
        work: Work,
        visit: Visit<'_, D>,
    ) -> Result<(), Stop> {
        let Some(area) = view.inside(area) else {
            return Ok(());
        };
        if work == Work::Finish {
            self.window = Some(area);
        }
        let (first, last) = view.lattice.roots(&area);
        let mut result = Ok(());
        steps::any(first, last, |at| {
            let root = self.tree.root(view, at);
            result = self.visit_node(view, root, &area, work, visit);
            result.is_err()
        });
        result
    }

    /// Collects the points of this pass and earlier ones that could conflict with points of a leaf. Where these may lie
    /// far away, a near point that covers the leaf replaces all that was found.
    fn add_earlier_points(
        &mut self,
        view: &PassView<'_, D>,
        query: ObstacleQuery<'_, D>,
        found: &mut Vec<NearObstacle<D>>,
    ) -> Result<(), Stop> {
        let separation = query.later.separation(view.number());
        let range = view.field.range();
        let mut reach = separation.distance(range.hi(), query.hi);
        // The field itself is not periodic, so its local bounds say nothing across the edges of a periodic
        // domain.
        if reach > 0.0 && range.lo() < range.hi() && !view.lattice.is_periodic() {
            let near = view.field.range_in(&grown(&query.place, reach));
            reach = near.map_or(0.0, |near| separation.distance(near.range.hi(), query.hi));
        }
        // A distance between layers may be large, with many points within it: one near the leaf may cover it.
        let mut look = CLOSE * query.place.longest_side();
        while look < reach {
            let begin = found.len();
            self.add_points_within(view, query, look, found)?;
            if let Some(&covering) = found[begin..].iter().find(|q| query.is_covered_by(view, q)) {
                found.clear();
                found.push(covering);
                return Ok(());
            }
            found.truncate(begin);
            look *= 4.0;
        }
        if reach > 0.0 {
            self.add_points_within(view, query, reach, found)?;
        }
        match (&mut self.below, view.below()) {
            (Some(below), Some(view)) => below.add_earlier_points(&view, query, found),
            _ => Ok(()),
        }
    }

    /// Collects the points of this pass in a box around a leaf, `reach` wide.
    fn add_points_within(
        &mut self,
        view: &PassView<'_, D>,
        query: ObstacleQuery<'_, D>,
        reach: f64,
        found: &mut Vec<NearObstacle<D>>,
    ) -> Result<(), Stop> {
        let separation = query.later.separation(view.number());
        for image in 0..view.lattice.images() {
            let shift = view.lattice.shift(image);
            let area = moved_back(&grown(&query.place, WIDE * reach), shift);
            let Some(area) = area else { continue };
            self.visit_area(view, &area, query.work, &mut |leaf| {
                let near = leaf.points.iter().filter(|q| area.contains(q.p));
                found.extend(near.map(|&placed| NearObstacle {
                    placed: Placed {
                        id: FIRST,
                        ..placed
                    },
                    image,
                    separation,
                }));
                ControlFlow::Continue(())
            })?;
        }
        Ok(())
    }

    /// Passes every leaf of a block that a window touches, and that holds points or unresolved cells, to `visit`,
    /// finished, in Morton order. If the window is the whole domain, [retires](Self::retire_page) the pages in the
    /// block.
    pub(super) fn visit_block(
        &mut self,
        view: &PassView<'_, D>,
        block: Cell<D>,
        window: &Bounds<D>,
        visit: Visit<'_, D>,
    ) -> Result<(), Stop> {
        if block.level < 0 {
            let inside = view.lattice.bounds(block);
            if inside.is_some_and(|place| place.intersection(window).is_some()) {
                for child in block.children() {
                    self.visit_block(view, child, window, visit)?;
                }
            }
            if page(block) == block && view.domain == Some(*window) {
                self.retire_page(view, block);
            }
            return Ok(());
        }
        self.window = Some(*window);
        let root = block.at.map(|x| x >> block.level);
        if view.lattice.is_beyond(root) {
            return Ok(());
        }
        let inside = view.lattice.bounds(block);
        let Some(inside) = inside.and_then(|place| place.intersection(window)) else {
            return Ok(());
        };
        let root = self.tree.root(view, root);
        self.visit_node(view, root, &inside, Work::Finish, visit)
    }

    /// Marks the page of a block as retired: the points of all its leaves were handed out. Forgets the pages
    /// that no other leaf can depend on any more.
    pub(super) fn retire_page(&mut self, view: &PassView<'_, D>, block: Cell<D>) {
        let Self { tree, finished, .. } = self;
        tree.retire_page(view, page(block).at, &mut |slot| finished.free(slot));
    }

    /// Begins a new request: the age of everything that was touched before grows by one.
    pub(super) fn tick(&mut self) {
        self.tree.tick();
        if let Some(below) = &mut self.below {
            below.tick();
        }
    }

    /// Returns the number of leaves opened so far, in all passes.
    pub(super) fn work(&self) -> u64 {
        self.opened + self.below.as_ref().map_or(0, |below| below.work())
    }

    /// Forgets cells that were last touched more than `age` requests ago, and the open leaves next to them.
    pub(super) fn forget(&mut self, age: u64) {
        let cells = self.tree.pages.not_used_for(age);
        self.forget_cells(&cells);
        if let Some(below) = &mut self.below {
            below.forget(age);
        }
    }

    /// Forgets the cells of level 0 that an area touches, and the open leaves next to them, in this pass
    /// only.
    pub(super) fn forget_area(&mut self, view: &PassView<'_, D>, area: &Bounds<D>) {
        let mut cells = Vec::new();
        for image in 0..view.lattice.images() {
            let area = moved_back(area, view.lattice.shift(image));
            if let Some(inside) = area.and_then(|area| view.inside(&area)) {
                let (first, last) = view.lattice.roots(&inside);
                cells.extend(self.tree.pages.between(first, last));
            }
        }
        self.forget_cells(&cells);
    }

    /// Forgets the cells at these indices in the tree's `pages`, and the open leaves next to them.
    fn forget_cells(&mut self, cells: &[usize]) {
        let inside = self.tree.nodes_in(cells);
        for (slot, leaf) in self.leaves.iter_mut().enumerate() {
            if leaf.node == NONE {
                continue;
            }
            // The leaf refers to its neighbours by node numbers, and these are reused.
            let is_inside = |node: u32| inside.get(node as usize) == Some(&true);
            let mut near = leaf.neighbours.iter().flat_map(|row| row.node);
            if is_inside(leaf.node) || near.any(is_inside) {
                self.tree.nodes[leaf.node as usize].forget_work();
                *leaf = Leaf::new();
                self.free.push(slot as u32);
            }
        }
        let Self { tree, finished, .. } = self;
        tree.forget(cells, &mut |slot| finished.free(slot));
    }

    /// Performs [`visit_area`](Self::visit_area) for a node and all nodes below it.
    fn visit_node(
        &mut self,
        view: &PassView<'_, D>,
        number: u32,
        area: &Bounds<D>,
        work: Work,
        visit: Visit<'_, D>,
    ) -> Result<(), Stop> {
        let node = &self.tree.nodes[number as usize];
        if node.kind == Kind::Closed {
            return Ok(());
        }
        let is_finished = node.decided == FINISHED;
        // With `Refuse` the caller filters the points by position, which is cheaper than this test.
        if !(is_finished && work == Work::Refuse) {
            let place = view.lattice.bounds(node.shape.cell);
            if place.is_none_or(|place| place.intersection(area).is_none()) {
                return Ok(());
            }
        }
        if node.kind == Kind::Divided {
            let first = self.tree.children(view, number);
            for child in first..first + (1 << D) {
                self.visit_node(view, child, area, work, visit)?;
            }
            return Ok(());
        }
        if !is_finished {
            match work {
                Work::Finish => self.finish(view, number)?,
                Work::Refuse => return Err(Stop::Unfinished),
            }
        }
        let slot = self.tree.nodes[number as usize].slot;
        if let Some(leaf) = self.finished.leaves.get_mut(slot as usize)
            && visit(leaf).is_break()
        {
            return Err(Stop::BrokenOff);
        }
        Ok(())
    }

    /// Finishes a leaf: decides all of its rounds.
    fn finish(&mut self, view: &PassView<'_, D>, node: u32) -> Result<(), Stop> {
        let mut goal = Goal::DecideRounds {
            node,
            rounds: FINISHED,
        };
        let mut later = Vec::new();
        loop {
            self.depth = 0;
            match self.pursue(view, goal) {
                Ok(()) => match later.pop() {
                    Some(next) => goal = next,
                    None => break,
                },
                Err(Stop::PutOff(first)) => later.push(std::mem::replace(&mut goal, first)),
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Pursues a goal.
    fn pursue(&mut self, view: &PassView<'_, D>, goal: Goal) -> Result<(), Stop> {
        match goal {
            Goal::DecideRounds { node, rounds } => self.decide_rounds(view, node, rounds),
            Goal::Decide { node, batch, lane } => self.decide(view, node, batch, lane),
            Goal::CollectObstacles { node } => self.collect_obstacles(view, node, Work::Finish),
        }
    }

    /// Collects into `obstacles` all obstacles and points of earlier passes that could conflict with points
    /// of a leaf, or a near one that covers it.
    fn collect_obstacles(
        &mut self,
        view: &PassView<'_, D>,
        number: u32,
        work: Work,
    ) -> Result<(), Stop> {
        self.obstacles.clear();
        let earlier = view.below();
        if earlier.is_none() && view.obstacles.is_none() {
            return Ok(());
        }
        let shape = &self.tree.nodes[number as usize].shape;
        let Some(place) = view.lattice.bounds(shape.cell) else {
            return Ok(());
        };
        let (lo, hi) = (shape.lo, shape.hi);
        if let Some(obstacles) = view.obstacles {
            for image in 0..view.lattice.images() {
                let Some(place) = moved_back(&place, view.lattice.shift(image)) else {
                    continue;
                };
                obstacles.visit_near(&place, hi, view.rule, |obstacle| {
                    self.obstacles.push(NearObstacle {
                        placed: Placed {
                            p: obstacle.position,
                            r: obstacle.min_dist,
                            id: FIRST,
                        },
                        image,
                        separation: Separation::ByRule(view.rule),
                    });
                });
            }
        }
        let (Some(below), Some(earlier)) = (&mut self.below, earlier) else {
            return Ok(());
        };
        let query = ObstacleQuery {
            later: view,
            place,
            lo,
            hi,
            work,
        };
        below.add_earlier_points(&earlier, query, &mut self.obstacles)
    }

    /// Ensures that a leaf has drawn `rounds` rounds of candidates, or is finished.
    fn ready(&mut self, view: &PassView<'_, D>, number: u32, rounds: u8) -> Result<(), Stop> {
        debug_assert!(self.depth <= self.deepest);
        loop {
            let drawn = self.tree.nodes[number as usize].drawn;
            if drawn >= rounds {
                return Ok(());
            }
            if drawn == 0 {
                self.open(view, number)?;
            } else {
                self.decide_rounds(view, number, drawn)?;
                self.decide_around(view, number, drawn)?;
            }
            let slot = self.tree.nodes[number as usize].slot as usize;
            let leaf = &mut self.leaves[slot];
            let is_covered = leaf.bitmap.is_all_covered();
            let has_drawn = !is_covered && draw(view, leaf, &mut self.scratch, drawn);
            if !has_drawn {
                self.close(view, number);
                return Ok(());
            }
            // A field that is steeper than its bounds say, or a region with wide bounds, may divide one leaf without
            // end.
            let bytes = leaf.candidate_bytes();
            if bytes > view.max_bytes {
                return Err(Stop::OutOfMemory { bytes });
            }
            if bytes > MOST_IN_A_LEAF {
                return Err(Stop::BoundsTooWide);
            }
            leaf.replay(view.lattice, drawn);
            self.tree.nodes[number as usize].drawn = drawn + 1;
        }
    }

    /// Decides the candidates of the first `rounds` rounds, in all neighbours of a leaf, that reach its
    /// uncovered part.
    fn decide_around(
        &mut self,
        view: &PassView<'_, D>,
        number: u32,
        rounds: u8,
    ) -> Result<(), Stop> {
        let slot = self.tree.nodes[number as usize].slot;
        let leaf = &self.leaves[slot as usize];
        if leaf.bitmap.is_all_covered() {
            return Ok(());
        }
        if !leaf.neighbours_known {
            self.find_neighbours(view, number)?;
        }
        let leaf = &self.leaves[slot as usize];
        let open = leaf.uncovered_box();
        for row in 0..leaf.neighbours.len() {
            let leaf = &self.leaves[slot as usize];
            let near = &leaf.neighbours[row];
            let max_radius = leaf.max_radius as f32;
            for lane in ones(near.lanes_in_reach(view.rule, &open, max_radius)) {
                let leaf = &self.leaves[slot as usize];
                let near = leaf.neighbours[row].get(lane);
                if self.tree.nodes[near.node as usize].decided < rounds {
                    let (place, r) = (open.relative_to(near.corner), leaf.max_radius);
                    self.decide_reaching(view, near.node, rounds, &place, r)?;
                }
                if self.tree.nodes[near.node as usize].decided == FINISHED {
                    self.leaves[slot as usize].neighbours[row].forget(lane);
                }
            }
        }
        Ok(())
    }

    /// Decides those candidates of a leaf's first `rounds` rounds that reach `place`: that could conflict
    /// with a point there of radius up to `r`. `place` is relative to the leaf's corner.
    fn decide_reaching(
        &mut self,
        view: &PassView<'_, D>,
        number: u32,
        rounds: u8,
        place: &LocalBox<D>,
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
            if self.begins_in_window(number) {
                return self.decide_rounds(view, number, rounds);
            }
            if decided < drawn {
                for batch in 0..self.leaves[slot as usize].batches().len() {
                    for lane in ones(self.leaves[slot as usize].reaching(batch, place, r)) {
                        self.decide(view, number, batch as u32, lane)?;
                    }
                }
            }
            if drawn == rounds {
                return Ok(());
            }
            self.measure_uncovered(number);
            if !self.may_draw_reaching(number, place, r) {
                return Ok(());
            }
            self.ready(view, number, drawn + 1)?;
        }
    }

    /// Ensures that a leaf has drawn all candidates of its first `rounds` rounds that reach `place`, with the arguments
    /// of [`decide_reaching`](Self::decide_reaching).
    fn draw_reaching(
        &mut self,
        view: &PassView<'_, D>,
        number: u32,
        rounds: u8,
        place: &LocalBox<D>,
        r: f64,
    ) -> Result<(), Stop> {
        loop {
            let drawn = self.tree.nodes[number as usize].drawn;
            if drawn >= rounds {
                return Ok(());
            }
            if !self.begins_in_window(number) {
                self.measure_uncovered(number);
                if !self.may_draw_reaching(number, place, r) {
                    return Ok(());
                }
            }
            self.ready(view, number, drawn + 1)?;
        }
    }

    /// Measures the uncovered part of a leaf in the middle of a round. Once all candidates of the round are decided, it is
    /// known already: it was measured then, and only shrinks.
    fn measure_uncovered(&mut self, number: u32) {
        let node = &self.tree.nodes[number as usize];
        if node.decided < node.drawn {
            self.leaves[node.slot as usize].measure_uncovered();
        }
    }

    /// Returns `true` if the lowest corner of a leaf lies in the requested window.
    #[inline]
    fn begins_in_window(&self, number: u32) -> bool {
        let min = self.tree.nodes[number as usize].shape.min;
        self.window.is_some_and(|window| window.contains(min))
    }

    /// Returns `true` if candidates that a leaf has not drawn yet may reach `place`, with the arguments of
    /// [`decide_reaching`](Self::decide_reaching). They lie in the uncovered part, as last measured.
    fn may_draw_reaching(&self, number: u32, place: &LocalBox<D>, r: f64) -> bool {
        let node = &self.tree.nodes[number as usize];
        match node.drawn {
            0 => return true,
            FINISHED => return false,
            _ => {}
        }
        let leaf = &self.leaves[node.slot as usize];
        !leaf.bitmap.is_all_covered() && leaf.uncovered_reaches(place, r)
    }

    /// Ensures that all candidates of a leaf's first `rounds` rounds are decided.
    fn decide_rounds(
        &mut self,
        view: &PassView<'_, D>,
        number: u32,
        rounds: u8,
    ) -> Result<(), Stop> {
        if self.tree.nodes[number as usize].decided >= rounds {
            return Ok(());
        }
        if self.depth >= self.deepest {
            return Err(Stop::PutOff(Goal::DecideRounds {
                node: number,
                rounds,
            }));
        }
        self.depth += 1;
        self.ready(view, number, rounds)?;
        let node = &self.tree.nodes[number as usize];
        if node.decided != FINISHED {
            let slot = node.slot as usize;
            for batch in 0..self.leaves[slot].batches().len() as u32 {
                loop {
                    let undecided = self.leaves[slot].batches()[batch as usize].undecided;
                    if undecided == 0 {
                        break;
                    }
                    self.decide(view, number, batch, undecided.trailing_zeros())?;
                }
            }
            self.leaves[slot].measure_uncovered();
            let node = &mut self.tree.nodes[number as usize];
            node.decided = node.decided.max(rounds);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Checks the limit on memory, now and then.
    fn check_memory(&mut self, view: &PassView<'_, D>) -> Result<(), Stop> {
        self.unmeasured += 1;
        if self.unmeasured > UNMEASURED.max(self.leaves.len() as u32 / 4) {
            self.unmeasured = 0;
            let bytes = self.bytes() as u64;
            if bytes > view.max_bytes {
                return Err(Stop::OutOfMemory { bytes });
            }
        }
        Ok(())
    }

    /// Opens a leaf: sets up its state, with obstacles and points that it has to replay.
    #[inline(never)]
    fn open(&mut self, view: &PassView<'_, D>, number: u32) -> Result<(), Stop> {
        self.opened += 1;
        self.check_memory(view)?;
        match self.collect_obstacles(view, number, Work::Refuse) {
            Err(Stop::Unfinished) => {
                return Err(Stop::PutOff(Goal::CollectObstacles { node: number }));
            }
            collected => collected?,
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.leaves.push(Leaf::new());
            self.leaves.len() as u32 - 1
        });
        let node = &mut self.tree.nodes[number as usize];
        node.slot = slot;
        let leaf = &mut self.leaves[slot as usize];
        leaf.node = number;
        leaf.open(view.lattice, view.rule, node.shape);
        if node.shape.cut_off {
            leaf.bitmap
                .close_slabs(|axis, index| view.is_slab_outside(node.shape.cell, axis, index));
        }
        for obstacle in self.obstacles.drain(..) {
            let NearObstacle {
                placed,
                image,
                separation,
            } = obstacle;
            let shift = view.lattice.shift(image);
            let min = leaf.shape.min;
            let x = std::array::from_fn(|a| (placed.p[a] - min[a]) + shift[a]);
            leaf.add_obstacle(view.lattice, placed, separation, image, x);
        }
        if self.tree.needs_replay(number) {
            self.find_neighbours(view, number)?;
            self.collect_replay(view, slot);
        }
        Ok(())
    }

    /// Finds the neighbours of an open leaf, once. It is called as late as possible, since points nearby lower the
    /// radii that are still possible; at once if the leaf has points to replay.
    fn find_neighbours(&mut self, view: &PassView<'_, D>, number: u32) -> Result<(), Stop> {
        let slot = self.tree.nodes[number as usize].slot as usize;
        let mut neighbours = std::mem::take(&mut self.leaves[slot].neighbours);
        let leaves = &self.leaves;
        let max_radius = |node: &Node<D>| match node.drawn {
            0 | FINISHED => node.shape.hi,
            _ => leaves[node.slot as usize].max_radius,
        };
        let found = self
            .search
            .find(&mut self.tree, view, number, max_radius, &mut neighbours);
        // Where distances differ much, lists are long.
        self.unmeasured += neighbours.len() as u32 / 8;
        self.leaves[slot].neighbours = neighbours;
        self.leaves[slot].neighbours_known = true;
        if found.is_none() {
            let bytes = self.bytes() as u64;
            return Err(Stop::OutOfMemory { bytes });
        }
        Ok(())
    }

    /// Collects the accepted points around a leaf that it has to replay.
    fn collect_replay(&mut self, view: &PassView<'_, D>, slot: u32) {
        let mut to_replay = std::mem::take(&mut self.leaves[slot as usize].to_replay);
        let leaf = &self.leaves[slot as usize];
        let min = leaf.shape.min;
        for row in &leaf.neighbours {
            for (&other, &image) in row.node.iter().zip(&row.image) {
                let Some(node) = self.tree.nodes.get(other as usize) else {
                    continue;
                };
                let points: [&[Placed<D>]; 2] = match node.drawn {
                    0 => continue,
                    FINISHED => match self.finished.get(node.slot) {
                        Some(finished) => [&finished.points, &finished.given_up],
                        None => continue,
                    },
                    _ => [&self.leaves[node.slot as usize].own, &[]],
                };
                let shift = view.lattice.shift(image);
                to_replay.extend(points.into_iter().flatten().map(|&placed| Replayed {
                    placed,
                    image,
                    x: std::array::from_fn(|a| (placed.p[a] - min[a]) + shift[a]),
                }));
            }
        }
        to_replay.sort_unstable_by_key(|replayed| Reverse(replayed.round()));
        self.leaves[slot as usize].to_replay = to_replay;
    }

    /// Closes a leaf: keeps its points and releases its state.
    fn close(&mut self, view: &PassView<'_, D>, number: u32) {
        let node = &mut self.tree.nodes[number as usize];
        let leaf = &mut self.leaves[node.slot as usize];
        leaf.node = NONE;
        leaf.own.sort_unstable_by_key(|placed| placed.id);
        let mut given_up = Vec::new();
        if let Some(territory) = &view.pass.territory {
            given_up.extend(leaf.own.extract_if(.., |q| !territory.holds(q.p, q.r)));
            // It does not count: the rest belongs to a later pass.
            leaf.unresolved.clear();
        }
        self.free.push(node.slot);
        let empty = leaf.own.is_empty() && given_up.is_empty() && leaf.unresolved.is_empty();
        node.slot = if empty {
            NONE
        } else {
            self.finished.add(Finished {
                points: leaf.own.as_slice().into(),
                given_up: given_up.into(),
                labels: Box::default(),
                unresolved: leaf.unresolved.as_slice().into(),
            })
        };
        node.drawn = FINISHED;
        node.decided = FINISHED;
    }

    /// Decides a candidate, after all its rivals of smaller priority. It is accepted unless one of them
    /// rejects it.
    fn decide(
        &mut self,
        view: &PassView<'_, D>,
        number: u32,
        batch: u32,
        lane: u32,
    ) -> Result<(), Stop> {
        let Node { slot, drawn, .. } = self.tree.nodes[number as usize];
        if !self.leaves[slot as usize].is_undecided(batch, lane) {
            return Ok(());
        }
        if self.depth >= self.deepest {
            return Err(Stop::PutOff(Goal::Decide {
                node: number,
                batch,
                lane,
            }));
        }
        let leaf = &mut self.leaves[slot as usize];
        if leaf.is_radius_unknown(batch, lane) && !evaluate_radius(view, leaf, batch, lane) {
            return Ok(());
        }
        if !self.leaves[slot as usize].neighbours_known {
            self.find_neighbours(view, number)?;
        }
        self.depth += 1;
        let leaf = &self.leaves[slot as usize];
        let spot = leaf.spot(view.lattice, batch, lane);
        let this = Candidate {
            leaf: slot,
            batch,
            lane,
            x: spot.x,
            p: spot.p,
            r: leaf.radius(batch, lane),
            id: spot.id,
        };
        let own = Neighbour {
            node: number,
            image: image([0; D]),
            corner: [0.0; D],
        };
        // Rivals in its own leaf come first: mostly one of them rejects it.
        if self.survives(view, own, &this)? && self.survives_around(view, &this, drawn)? {
            // All rivals of earlier rounds were decided before this candidate was drawn.
            debug_assert!(self.leaves[slot as usize].is_undecided(batch, lane));
            self.accept(view, &this);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Decides the rivals of `this`, a candidate of round number `rounds - 1`, in the neighbours of its leaf. Returns
    /// `true` if none of them rejects it.
    #[inline]
    fn survives_around(
        &mut self,
        view: &PassView<'_, D>,
        this: &Candidate<D>,
        rounds: u8,
    ) -> Result<bool, Stop> {
        let slot = this.leaf as usize;
        let here = self.leaves[slot].box_around(this.x);
        for row in 0..self.leaves[slot].neighbours.len() {
            let near = &self.leaves[slot].neighbours[row];
            for lane in ones(near.lanes_in_reach(view.rule, &here, this.r as f32)) {
                let near = self.leaves[slot].neighbours[row].get(lane);
                let place = here.relative_to(near.corner);
                let node = &self.tree.nodes[near.node as usize];
                if node.drawn == FINISHED {
                    // Its points have already rejected all candidates that conflict with them.
                    self.leaves[slot].neighbours[row].forget(lane);
                    continue;
                }
                if node.drawn != 0 {
                    let other = &self.leaves[node.slot as usize];
                    if other.is_beyond(&place, this.r) {
                        // The radii that are still possible there are too small to reach this candidate.
                        let max_radius = other.max_radius;
                        self.leaves[slot].neighbours[row].limit(lane, max_radius);
                        continue;
                    }
                }
                self.draw_reaching(view, near.node, rounds, &place, this.r)?;
                // A leaf that has drawn more rounds has decided this one. Rivals of earlier rounds were decided before
                // this candidate was drawn.
                let node = &self.tree.nodes[near.node as usize];
                let may_hold_rivals = node.drawn == rounds && node.decided < rounds;
                if may_hold_rivals && !self.survives(view, near, this)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Decides the rivals of `this` in a leaf: the candidates of smaller priority that conflict with it. Returns `true`
    /// if none of them rejects it.
    #[inline]
    fn survives(
        &mut self,
        view: &PassView<'_, D>,
        near: Neighbour<D>,
        this: &Candidate<D>,
    ) -> Result<bool, Stop> {
        let slot = self.tree.nodes[near.node as usize].slot as usize;
        let x = std::array::from_fn(|a| this.x[a] - near.corner[a]);
        let far = near.far(self.leaves[this.leaf as usize].shape.side);
        for batch in 0..self.leaves[slot].batches().len() {
            let rivals = self.leaves[slot].rivals(batch, this, x, far);
            if rivals != 0 && !self.survives_batch(view, near, batch as u32, rivals, this)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Decides candidates of one batch of a leaf, in the lanes `rivals`. Returns `true` if none of them rejects `this`.
    #[inline(never)]
    fn survives_batch(
        &mut self,
        view: &PassView<'_, D>,
        near: Neighbour<D>,
        batch: u32,
        rivals: u8,
        this: &Candidate<D>,
    ) -> Result<bool, Stop> {
        let slot = self.tree.nodes[near.node as usize].slot;
        for lane in ones(rivals) {
            let leaf = &mut self.leaves[slot as usize];
            if leaf.id(batch, lane) >= this.id || !leaf.is_undecided(batch, lane) {
                continue;
            }
            if leaf.is_radius_unknown(batch, lane) && !evaluate_radius(view, leaf, batch, lane) {
                continue;
            }
            let rival = leaf.spot(view.lattice, batch, lane);
            let distance = view.rule.distance(leaf.radius(batch, lane), this.r);
            let shift = view.lattice.shift(near.image);
            if square_between(rival.p, this.p, shift) >= distance * distance {
                continue;
            }
            self.decide(view, near.node, batch, lane)?;
            if !self.leaves[this.leaf as usize].is_undecided(this.batch, this.lane) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Accepts a candidate: adds the point to every open leaf that it reaches.
    #[inline(never)]
    fn accept(&mut self, view: &PassView<'_, D>, this: &Candidate<D>) {
        let Candidate { leaf, p, r, id, .. } = *this;
        let placed = Placed { p, r, id };
        let own = image([0; D]);
        let state = &mut self.leaves[leaf as usize];
        state.settle(this.batch, this.lane);
        state.own.push(placed);
        let x = std::array::from_fn(|a| p[a] - state.shape.min[a]);
        state.add_point(view.lattice, &placed, own, x);
        let here = state.box_around(this.x);
        for row in 0..self.leaves[leaf as usize].neighbours.len() {
            let near = &self.leaves[leaf as usize].neighbours[row];
            for lane in ones(near.lanes_in_reach(view.rule, &here, r as f32)) {
                let near = self.leaves[leaf as usize].neighbours[row].get(lane);
                let image = opposite::<D>(near.image);
                let node = &self.tree.nodes[near.node as usize];
                if node.drawn == 0 || node.drawn == FINISHED {
                    continue;
                }
                let shift = view.lattice.shift(image);
                let state = &mut self.leaves[node.slot as usize];
                // A forgotten leaf accepts the same points again.
                if self.tree.forgetful && state.around.contains(id, image) {
                    continue;
                }
                let min = state.shape.min;
                let x = std::array::from_fn(|a| (p[a] - min[a]) + shift[a]);
                state.add_point(view.lattice, &placed, image, x);
            }
        }
    }
}

/// Sets the radius of a candidate: the field's there, or that of a leaf of one distance. Rejects the candidate if it lies
/// on closed ground, its radius is no longer possible, or it conflicts with a point. Returns `true` if it is still
/// undecided.
#[inline(never)]
fn evaluate_radius<const D: usize>(
    view: &PassView<'_, D>,
    leaf: &mut Leaf<D>,
    batch: u32,
    lane: u32,
) -> bool {
    let spot = leaf.spot(view.lattice, batch, lane);
    let r = if leaf.is_uniform() {
        Some(leaf.shape.lo)
    } else {
        view.field.min_dist(spot.p)
    };
    if let Some(r) = r
        && r <= leaf.max_radius
        && !leaf.conflicts(view.lattice, &spot, r)
    {
        leaf.set_radius(batch, lane, r);
        true
    } else {
        leaf.settle(batch, lane);
        false
    }
}
