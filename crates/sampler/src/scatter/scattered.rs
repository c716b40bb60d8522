//! The results of the engine.

use crate::sample::Sample;
use std::ops::ControlFlow;

/// The points of a domain, of a part of it or of a window.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Scatter, ScatterOptions};
///
/// let domain = Bounds::from_size([100.0, 100.0])?;
/// let trees = Scatter::new(Constant::new(1.0)?, domain, ScatterOptions::default())?.points()?;
/// assert!(trees.complete);
/// // No room is left for one more, but in a millionth of the area at most.
/// assert!(trees.unresolved_volume < 1e-6 * domain.volume());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scattered<const D: usize> {
    /// The points, in an order that is the same every time; with [ranks](Sample::rank) by rank, then by `id`, so that
    /// those of each level come first. An `id` is a hash of the cell that drew the point: it stays the same when
    /// windows or far parts of the field change. Of two points, the one with the smaller `id` was decided earlier.
    pub samples: Vec<Sample<D>>,
    /// Whether these are all points there: `false` when a [`PointLimit::Cap`](crate::PointLimit::Cap) cut
    /// some off. Points counted by [`Counted::dropped`](crate::Counted::dropped) do not make it `false`.
    pub complete: bool,
    /// Number of cells at the finest resolution that may have room for one more point.
    pub unresolved: u64,
    /// The area (volume) of these cells, world units.
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

/// The progress of a run.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Progress, Scatter, ScatterOptions};
/// use std::ops::ControlFlow;
///
/// let domain = Bounds::from_size([2000.0, 2000.0])?;
/// let trees = Scatter::new(Constant::new(2.0)?, domain, ScatterOptions::default())?;
/// let stop = |progress: Progress| {
///     assert!(progress.done <= progress.of);
///     ControlFlow::Break(())
/// };
/// assert_eq!(trees.points_with(stop)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Parts of the domain that are done.
    pub done: usize,
    /// Number of parts.
    pub of: usize,
    /// Points found so far, before any cap.
    pub points: u64,
}

/// A callback for the progress of a run.
pub(super) type Tell<'v> = &'v mut dyn FnMut(Progress) -> ControlFlow<()>;

/// A callback that tells, now and then, whether to go on.
pub(super) type MayGoOn<'v> = &'v mut dyn FnMut() -> ControlFlow<()>;

/// A callback for the parts of a run, one by one.
pub(super) type VisitPart<'v, const D: usize> =
    &'v mut dyn FnMut(Scattered<D>, Progress) -> ControlFlow<()>;
