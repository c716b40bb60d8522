//! What comes out of the engine.

use crate::sample::Sample;

/// The points of a domain, of a part of it or of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Scattered<const D: usize> {
    /// The points, block by block; their order says nothing, but is the same every time. An
    /// `id` is a hash of the cell that threw the point: it stays when windows or far parts of
    /// the field change. Of two points, the one with the smaller `id` was decided earlier.
    pub samples: Vec<Sample<D>>,
    /// Whether these are all points there: `false` when a
    /// [`PointLimit::Cap`](crate::PointLimit::Cap) cut some off.
    pub complete: bool,
    /// Cells at the finest resolution in which one more point might still have gone; of a field
    /// that cannot bound itself also larger ones, where it asks for more than was seen of it around. Of a
    /// window that came from [`Windows`](crate::Windows) or has ranks, those of all blocks
    /// that it touches.
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
