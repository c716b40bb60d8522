//! The errors of samplers.

use crate::layers_error::LayersError;
use crate::obstacles::AvoidError;
use density::FieldError;
use std::error::Error;

/// The reason for which a run was refused or stopped. It is displayed with the names of options in this crate;
/// [`SampleError::refusal`] words it for front ends.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{SampleError, Scatter, ScatterOptions};
///
/// // A distance in kilometres over a domain in metres.
/// let domain = Bounds::from_size([1e6, 1e6])?;
/// let refused = Scatter::new(Constant::new(1.0)?, domain, ScatterOptions::default());
/// assert!(matches!(
///     refused,
///     Err(SampleError::TooManyPoints { expected, ceiling: 100_000_000 }) if expected > 6e11
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SampleError {
    /// `tries` was 0, so that no candidate would ever be drawn.
    NoTries,
    /// More points are expected than the ceiling allows.
    TooManyPoints {
        /// Points expected.
        expected: f64,
        /// The ceiling in force.
        ceiling: u64,
    },
    /// More memory is expected to be needed than is allowed.
    TooMuchMemory {
        /// Points expected.
        expected: f64,
        /// Memory needed for them, in units of 10^6 bytes.
        megabytes: f64,
        /// Memory allowed, in units of 10^6 bytes.
        limit_megabytes: f64,
    },
    /// The run needs more memory than is allowed, though less was expected.
    MemorySpent {
        /// Memory in use on one thread when the run stopped, in units of 10^6 bytes.
        megabytes: f64,
        /// Memory that one thread may use, in units of 10^6 bytes: its share of the memory allowed. A
        /// request to a [`World`](crate::World) runs on one thread, which may use all of it.
        limit_megabytes: f64,
    },
    /// One place would fall into millions of pieces. The bounds of a field or region are too wide, or a region meets the
    /// domain in a line or a sheet without thickness, which no piece is fine enough to settle.
    BoundsTooWide,
    /// The memory for points or their index could not be allocated, or [`Bridson`](crate::Bridson) needs more than is
    /// allowed, though less was expected.
    OutOfMemory {
        /// Memory expected to be needed, or in use if that is more, in units of 10^6 bytes.
        megabytes: f64,
    },
    /// The domain is so large, or so far from the origin, that coordinates are too coarse for the least
    /// distance between points.
    TooFine {
        /// The largest absolute coordinate or extent of the domain.
        extent: f64,
        /// The least distance of the field.
        min_dist: f64,
        /// The largest extent possible for that distance.
        limit: f64,
    },
    /// A distance is so small or so large that its square is not a normal number.
    OutOfScale {
        /// The least distance of the field.
        lo: f64,
        /// The greatest distance of the field.
        hi: f64,
        /// The least distance possible.
        least: f64,
        /// The greatest distance possible.
        most: f64,
    },
    /// The field's distances span too wide a range.
    RatioTooLarge {
        /// The least distance of the field.
        lo: f64,
        /// The greatest distance of the field.
        hi: f64,
        /// Their ratio.
        ratio: f64,
        /// The largest ratio possible.
        limit: f64,
    },
    /// Rule `parent` was given to an engine in which points have no parents.
    NoParents,
    /// A tile is too small for its points to keep their distance from their own copies.
    TileTooSmall {
        /// Index of the axis, from 0.
        axis: usize,
        /// Length of the tile along the axis.
        size: f64,
        /// The greatest distance of the field.
        max_dist: f64,
    },
    /// Too many points are expected: to find the first ones, all would have to be decided.
    TooManyToCap {
        /// Points expected.
        expected: f64,
        /// Number of points to keep.
        cap: u64,
        /// Maximum number of points that may be decided.
        most: f64,
    },
    /// The domain is too large compared with its greatest distance: it has too many blocks to walk
    /// over.
    TooManyBlocks {
        /// Number of blocks in the domain.
        blocks: f64,
        /// Maximum number of blocks.
        most: f64,
    },
    /// More levels of detail are requested than are possible.
    TooManyLevels {
        /// Number of levels requested.
        levels: u32,
        /// Maximum number of levels.
        most: u32,
    },
    /// The requested number of points is 0.
    NoCount,
    /// More points are requested than the options allow.
    CountAboveLimit {
        /// Number of points requested.
        count: u64,
        /// Maximum number of points.
        ceiling: u64,
    },
    /// No scaling of the distances gives as many points as are requested.
    CountOutOfReach {
        /// Number of points requested.
        count: u64,
        /// The largest number of points that any scaling gave.
        most: u64,
    },
    /// Points have 2 or 3 coordinates only.
    Dimensions {
        /// Number of dimensions requested.
        dimensions: usize,
    },
    /// The layers, or the distances between them, are invalid.
    Layers(LayersError),
    /// The points to avoid are invalid.
    Avoid(AvoidError),
    /// A field is invalid.
    Field(FieldError),
}

impl Error for SampleError {}

impl From<LayersError> for SampleError {
    fn from(error: LayersError) -> Self {
        Self::Layers(error)
    }
}

impl From<AvoidError> for SampleError {
    fn from(error: AvoidError) -> Self {
        Self::Avoid(error)
    }
}

impl From<FieldError> for SampleError {
    fn from(error: FieldError) -> Self {
        Self::Field(error)
    }
}
