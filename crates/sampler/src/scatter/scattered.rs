//! What comes out of the engine.

use crate::sample::Sample;
use std::ops::ControlFlow;

/// The points of a domain, of a part of it or of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Scattered<const D: usize> {
    /// The points, in an order that is the same every time. An `id` is a hash of the cell that drew
    /// the point: it stays when windows or far parts of the field change. Of two points, the one with
    /// the smaller `id` was decided earlier.
    pub samples: Vec<Sample<D>>,
    /// Whether these are all points there: `false` when a
    /// [`PointLimit::Cap`](crate::PointLimit::Cap) cut some off.
    pub complete: bool,
    /// Cells at the finest resolution in which one more point might still have gone.
    pub unresolved: u64,
    /// Their area (volume), world units.
    pub unresolved_volume: f64,
}

impl<const D: usize> Default for Scattered<D> {
    fn default() -> Self {
        Self {
            samples: Vec::new(),
            complete: true,
            unresolved: 0,
            unresolved_volume: 0.0,
        }
    }
}

impl<const D: usize> Scattered<D> {
    /// Counts those of some unresolved cells, by their middles and volumes, that are wanted.
    pub(super) fn add_unresolved(
        &mut self,
        cells: &[([f64; D], f64)],
        wanted: impl Fn([f64; D]) -> bool,
    ) {
        for (_, volume) in cells.iter().filter(|(middle, _)| wanted(*middle)) {
            self.unresolved += 1;
            self.unresolved_volume += volume;
        }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Parts of the domain that are done.
    pub done: usize,
    /// Parts in all.
    pub of: usize,
    /// Points found so far, before any cap.
    pub points: u64,
}

/// Told how far a run has come.
pub(super) type Tell<'v> = &'v mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Shown the parts of a run one by one.
pub(super) type VisitPart<'v, const D: usize> =
    &'v mut dyn FnMut(Scattered<D>, Progress) -> ControlFlow<()>;
