//! The evaluators of all passes behind one interface, so that they are compiled in this crate, once for
//! the plane and once for space, and not again in each program.

use super::block::Block;
use super::evaluator::{Evaluator, Stop, Visit, Work};
use super::space::Space;
use density::Bounds;
use std::any::Any;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// What was found out so far about some passes. Each call is about the pass of its [`Space`].
pub(super) trait Engine<const D: usize>: Send + Debug {
    /// Shows the points of every leaf of a block that a window touches to `visit`, along a Morton
    /// curve. Only of the last pass.
    fn visit_block(
        &mut self,
        space: &Space<'_, D>,
        block: Block<D>,
        window: &Bounds<D>,
        visit: Visit<'_, D>,
    ) -> Result<(), Stop>;

    /// Shows every leaf that an area touches to `visit`, finished.
    fn visit_area(
        &mut self,
        space: &Space<'_, D>,
        area: &Bounds<D>,
        visit: Visit<'_, D>,
    ) -> Result<(), Stop>;

    /// Returns `true` if every leaf that an area touches is finished.
    fn is_finished(&mut self, space: &Space<'_, D>, area: &Bounds<D>) -> bool;

    /// Takes note that the points of all leaves of the page that a block lies in were given out.
    /// What nothing can ask for any more is forgotten. Only of a single pass.
    fn leave_page(&mut self, space: &Space<'_, D>, block: Block<D>);

    /// Begins a new request: what is touched from now on was touched last.
    fn tick(&mut self);

    /// Forgets what was last touched more than `age` requests ago, and unfinished leaves beside it.
    fn forget(&mut self, age: u64);

    /// Forgets what lies in cells that an area touches, and unfinished leaves beside it.
    fn forget_area(&mut self, space: &Space<'_, D>, area: &Bounds<D>);

    /// Forgets all leaves of the last pass that are open, if they take more than so many bytes. What is
    /// finished stays.
    fn forget_unfinished(&mut self, most: usize);

    /// Forgets everything and frees all memory.
    fn reset(&mut self);

    /// How many leaves were opened so far.
    fn work(&self) -> u64;

    /// Memory in use, bytes.
    fn bytes(&self) -> usize;
}

/// An evaluator of so many passes.
#[derive(Debug)]
struct Passes<const D: usize> {
    last: Evaluator<D>,
    count: usize,
}

impl<const D: usize> Passes<D> {
    fn new(count: usize) -> Self {
        Self {
            last: Evaluator::new(count),
            count,
        }
    }

    fn of(&mut self, space: &Space<'_, D>) -> &mut Evaluator<D> {
        self.last.before(self.count - 1 - space.number())
    }
}

impl<const D: usize> Engine<D> for Passes<D> {
    fn visit_block(
        &mut self,
        space: &Space<'_, D>,
        block: Block<D>,
        window: &Bounds<D>,
        visit: Visit<'_, D>,
    ) -> Result<(), Stop> {
        self.last.visit(space, block, window, visit)
    }

    fn visit_area(
        &mut self,
        space: &Space<'_, D>,
        area: &Bounds<D>,
        visit: Visit<'_, D>,
    ) -> Result<(), Stop> {
        let work = Work::Finish;
        self.of(space).visit_area(space, area, work, visit)?;
        Ok(())
    }

    fn is_finished(&mut self, space: &Space<'_, D>, area: &Bounds<D>) -> bool {
        let of = self.of(space);
        let visit: Visit<'_, D> = &mut |_| ControlFlow::Continue(());
        of.visit_area(space, area, Work::PutOff, visit) == Ok(true)
    }

    fn leave_page(&mut self, space: &Space<'_, D>, block: Block<D>) {
        self.last.leave_page(space, block);
    }

    fn tick(&mut self) {
        self.last.tick();
    }

    fn forget(&mut self, age: u64) {
        self.last.forget(age);
    }

    fn forget_area(&mut self, space: &Space<'_, D>, area: &Bounds<D>) {
        self.of(space).forget_area(space, area);
    }

    fn forget_unfinished(&mut self, most: usize) {
        self.last.forget_unfinished(most);
    }

    fn reset(&mut self) {
        *self = Self::new(self.count);
    }

    fn work(&self) -> u64 {
        self.last.work()
    }

    fn bytes(&self) -> usize {
        self.last.bytes()
    }
}

/// Returns an engine for so many passes, at least one; `None` of dimensions other than 2 and 3.
pub(super) fn engine<const D: usize>(passes: usize) -> Option<Box<dyn Engine<D>>> {
    let engine: Box<dyn Any> = match D {
        2 => Box::new(in_the_plane(passes)),
        3 => Box::new(in_space(passes)),
        _ => return None,
    };
    // `D` is one of these, so that it is what it is taken for.
    let engine = engine.downcast::<Box<dyn Engine<D>>>();
    engine.ok().map(|engine| *engine)
}

// Neither is generic: both are compiled here.
fn in_the_plane(passes: usize) -> Box<dyn Engine<2>> {
    Box::new(Passes::<2>::new(passes))
}

fn in_space(passes: usize) -> Box<dyn Engine<3>> {
    Box::new(Passes::<3>::new(passes))
}
