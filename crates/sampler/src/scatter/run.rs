//! Evaluates a plan over an area, block by block, on all threads.
//!
//! An evaluator works on one block at a time: leaves at the border of two blocks may be evaluated twice, with the
//! same result. Where a block follows the one that an evaluator had, the evaluator is used again. An evaluator of one
//! pass forgets the leaves behind its front. One of several passes forgets everything once that is much.

use super::ahead::in_order;
use super::block::{blocks, page};
use super::evaluator::{Evaluator, Stop, Work};
use super::lattice::Cell;
use super::pass_view::PassView;
use super::plan::Plan;
use super::scattered::Scattered;
use crate::error::SampleError;
use density::Bounds;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// Open leaves are forgotten when they take more than this, bytes. They lie along all of an evaluator's
/// front, which is as long as the domain is wide.
const fn most_open(dimensions: usize) -> usize {
    if dimensions < 3 { 1 << 25 } else { 1 << 31 }
}

/// Evaluators of several passes forget everything when they take more than this, bytes.
const MOST_KEPT: usize = 1 << 28;

/// A plan over an area.
#[derive(Debug)]
pub(super) struct Run<'s, const D: usize> {
    plan: &'s Plan<'s, D>,
    window: Bounds<D>,
    /// The area where unresolved cells are counted.
    counted: Bounds<D>,
    max_bytes: u64,
    /// The pass with the least distances. Blocks are made of cells of its lattice.
    densest: usize,
    blocks: Vec<Cell<D>>,
    /// Evaluators between two blocks.
    idle: Mutex<Vec<Idle<D>>>,
}

/// An evaluator between two blocks.
#[derive(Debug)]
struct Idle<const D: usize> {
    /// The number of the block that it can continue with: it evaluated the one before.
    next: usize,
    /// The page in the middle of which it began. Other leaves may still depend on parts that it did not
    /// visit there, so that this page is never retired.
    entered: Option<Cell<D>>,
    /// Number of points of the block before.
    points: usize,
    evaluator: Evaluator<D>,
}

impl<'s, const D: usize> Run<'s, D> {
    /// Creates the run of a plan over `window`. Unresolved cells are counted in `counted` alone.
    pub(super) fn new(
        plan: &'s Plan<'s, D>,
        window: Bounds<D>,
        counted: Bounds<D>,
    ) -> Result<Self, SampleError> {
        let max_bytes = plan.options.max_bytes.unwrap_or(u64::MAX);
        let least = |pass: usize| plan.passes[pass].field.range().lo();
        let mut by_distance: Vec<usize> = (0..plan.passes.len()).collect();
        by_distance.sort_by(|&a, &b| least(a).total_cmp(&least(b)));
        let mut run = Self {
            plan,
            window,
            counted,
            max_bytes,
            densest: by_distance[0],
            blocks: Vec::new(),
            idle: Mutex::default(),
        };
        let views: Vec<_> = by_distance.into_iter().map(|pass| run.view(pass)).collect();
        let blocks = blocks(&views, &window);
        let threads = rayon::current_num_threads();
        let listed = (blocks.capacity() * size_of::<Cell<D>>()) as u64;
        let Some(left) = max_bytes.checked_sub(listed) else {
            return Err(run.error(Stop::OutOfMemory { bytes: listed }));
        };
        // Each thread has an evaluator.
        run.max_bytes = left / threads as u64;
        run.blocks = blocks;
        Ok(run)
    }

    /// Returns the number of blocks.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    fn view(&self, pass: usize) -> PassView<'s, D> {
        let Plan { passes, domain, .. } = self.plan;
        PassView::new(passes, pass, *domain, self.max_bytes, None)
    }

    /// Passes the points of each block to `visit`, in order, on the calling thread, until `visit` breaks off.
    pub(super) fn visit(
        &self,
        visit: &mut dyn FnMut(Scattered<D>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SampleError> {
        let mut failed = None;
        let flow = in_order(
            self.len(),
            |block| self.block_points(block),
            |points| match points {
                Ok(points) => visit(points),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        match failed {
            Some(error) => Err(error),
            None => Ok(flow),
        }
    }

    /// Returns the points of one block.
    pub(super) fn block_points(&self, number: usize) -> Result<Scattered<D>, SampleError> {
        let Idle {
            mut evaluator,
            entered,
            points,
            ..
        } = self.take(number);
        let mut found = Scattered::default();
        // Blocks have similar numbers of points.
        found.samples.reserve(points);
        let block = self.blocks[number];
        let next = self.blocks.get(number + 1);
        let last = next.is_none_or(|next| page(*next) != page(block));
        let ends_page = last && Some(page(block)) != entered;
        let done = match self.plan.passes.len() {
            1 => self.block(&mut evaluator, block, ends_page, &mut found),
            _ => self.block_of_passes(&mut evaluator, block, &mut found),
        };
        done.map_err(|stop| self.error(stop))?;
        self.put(Idle {
            next: number + 1,
            entered,
            points: found.samples.len(),
            evaluator,
        });
        Ok(found)
    }

    fn error(&self, stop: Stop) -> SampleError {
        let needed = match stop {
            Stop::OutOfMemory { bytes } => bytes,
            Stop::BoundsTooWide => return SampleError::BoundsTooWide,
            // Never returned here: no callback breaks off, and postponed work is done.
            Stop::PutOff(_) | Stop::Unfinished | Stop::BrokenOff => 0,
        };
        SampleError::MemorySpent {
            megabytes: needed as f64 / 1e6,
            limit_megabytes: self.max_bytes as f64 / 1e6,
        }
    }

    /// Adds the points of a block of one pass.
    fn block(
        &self,
        evaluator: &mut Evaluator<D>,
        block: Cell<D>,
        ends_page: bool,
        found: &mut Scattered<D>,
    ) -> Result<(), Stop> {
        let view = self.view(0);
        let window = &self.window;
        let whole = self.plan.domain == Some(self.window);
        evaluator.visit_block(&view, block, window, &mut |leaf| {
            let wanted = |p| whole || window.contains(p);
            self.plan.collect(0, leaf, wanted, &self.counted, found);
            ControlFlow::Continue(())
        })?;
        // A larger block retires its pages while it is visited.
        if whole && ends_page {
            evaluator.retire_page(&view, block);
        }
        evaluator.forget_unfinished(self.most_kept(most_open(D)));
        Ok(())
    }

    /// Adds the points of all passes in a block.
    fn block_of_passes(
        &self,
        evaluator: &mut Evaluator<D>,
        block: Cell<D>,
        found: &mut Scattered<D>,
    ) -> Result<(), Stop> {
        let Some(area) = self.view(self.densest).lattice.bounds(block) else {
            return Ok(());
        };
        let Some(area) = area.intersection(&self.window) else {
            return Ok(());
        };
        for pass in 0..self.plan.passes.len() {
            let view = self.view(pass);
            let of_pass = evaluator.of_pass(&view);
            of_pass.visit_area(&view, &area, Work::Finish, &mut |leaf| {
                let wanted = |p| area.contains(p);
                self.plan.collect(pass, leaf, wanted, &self.counted, found);
                ControlFlow::Continue(())
            })?;
        }
        if evaluator.bytes() > self.most_kept(MOST_KEPT) {
            evaluator.reset();
        }
        Ok(())
    }

    /// Returns the memory that an evaluator may keep between blocks, bytes: at most `most`, and at most
    /// half of its limit, so that the next block has room.
    fn most_kept(&self, most: usize) -> usize {
        usize::try_from(self.max_bytes / 2).map_or(most, |half| most.min(half))
    }

    /// Returns the evaluator that evaluated the block before block `number`; if there is none, a new one.
    fn take(&self, number: usize) -> Idle<D> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = idle.iter().position(|idle| idle.next == number) {
            return idle.swap_remove(at);
        }
        // The evaluator put back last is most likely this thread's own. It holds leaves elsewhere, so it is
        // dropped.
        let unneeded = idle.pop();
        drop(idle);
        drop(unneeded);
        let own = page(self.blocks[number]);
        let before = number
            .checked_sub(1)
            .map(|before| page(self.blocks[before]));
        Idle {
            next: number,
            entered: (before == Some(own)).then_some(own),
            points: 0,
            evaluator: Evaluator::new(self.plan.passes.len()),
        }
    }

    fn put(&self, last: Idle<D>) {
        if last.next < self.len() {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(last);
        }
    }
}
