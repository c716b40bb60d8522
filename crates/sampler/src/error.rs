//! The errors of samplers.

use crate::layers_error::LayersError;
use density::numbers::{bytes, plain};
use thiserror::Error;

/// The reason for which a run was refused or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SampleError {
    /// `tries` was 0, so that no candidate would ever be drawn.
    #[error("tries must be at least 1")]
    NoTries,
    /// More points are expected than the ceiling allows.
    #[error(
        "about {expected:.3e} points are expected, more than the ceiling of {ceiling}; \
         raise min_dist, shrink the size, or set the maximum number of points"
    )]
    TooManyPoints {
        /// Points expected.
        expected: f64,
        /// The ceiling in force.
        ceiling: u64,
    },
    /// More memory is expected to be needed than is allowed, or is needed by [`Bridson`](crate::Bridson).
    #[error(
        "about {expected:.3e} points would need about {} of memory, more than the {} allowed; raise \
         min_dist, shrink the size, or set a lower maximum number of points",
        bytes(megabytes * 1e6), bytes(limit_megabytes * 1e6)
    )]
    TooMuchMemory {
        /// Points expected.
        expected: f64,
        /// Memory needed for them, or in use when the run stopped, in units of 10^6 bytes.
        megabytes: f64,
        /// Memory allowed, in units of 10^6 bytes.
        limit_megabytes: f64,
    },
    /// The run needs more memory than is allowed, though less was expected.
    #[error(
        "the run needs {} of memory on one thread, more than its share of {}; raise min_dist, shrink \
         the size, smooth the map, use fewer threads, or allow more memory",
        bytes(megabytes * 1e6), bytes(limit_megabytes * 1e6)
    )]
    MemorySpent {
        /// Memory in use on one thread when the run stopped, in units of 10^6 bytes.
        megabytes: f64,
        /// Memory that one thread may use, in units of 10^6 bytes: its share of the memory allowed. A
        /// request to a [`World`](crate::World) runs on one thread, which may use all of it.
        limit_megabytes: f64,
    },
    /// The bounds of a field or region are so wide that one place falls into millions of pieces, or a region meets the
    /// domain in a line or a sheet without thickness, which no piece is fine enough to settle.
    #[error(
        "the bounds of a field or region are so wide that one place falls into millions of pieces: give the region a \
         detail, or a slope nearer to its steepest one, and a number everywhere; if the region meets the domain only in \
         a line or a sheet, move one of them"
    )]
    BoundsTooWide,
    /// The memory for points or their index could not be allocated.
    #[error(
        "out of memory: about {} are needed; raise min_dist or shrink the size",
        bytes(megabytes * 1e6)
    )]
    OutOfMemory {
        /// Memory expected to be needed, or in use if that is more, in units of 10^6 bytes.
        megabytes: f64,
    },
    /// The domain is so large, or so far from the origin, that coordinates are too coarse for the least
    /// distance between points.
    #[error(
        "coordinates reach {extent}, but points {min_dist} apart allow at most {limit}; bring the \
         origin nearer, shrink the size or raise min_dist",
        extent = plain(*extent), min_dist = plain(*min_dist), limit = plain(*limit)
    )]
    TooFine {
        /// The largest absolute coordinate or extent of the domain.
        extent: f64,
        /// The least distance of the field.
        min_dist: f64,
        /// The largest extent possible for that distance.
        limit: f64,
    },
    /// A distance is so small or so large that its square is not a normal number.
    #[error("min_dist must lie between {least:e} and {most:e}, but runs from {lo:e} to {hi:e}")]
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
    #[error(
        "min_dist runs from {lo} to {hi}, a ratio of {ratio:.3e}; at most {limit:.3e} is possible",
        lo = plain(*lo), hi = plain(*hi)
    )]
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
    #[error("rule `parent` needs Bridson; choose max, mean, min, own or prior")]
    NoParents,
    /// A tile is too small for its points to keep their distance from their own copies.
    #[error(
        "a tile must be at least twice as long as the greatest min_dist, but axis {axis} is \
         {size} long and max_dist is {max_dist}; raise the size or lower max_dist",
        size = plain(*size), max_dist = plain(*max_dist)
    )]
    TileTooSmall {
        /// Index of the axis, from 0.
        axis: usize,
        /// Length of the tile along the axis.
        size: f64,
        /// The greatest distance of the field.
        max_dist: f64,
    },
    /// Too many points are expected: to find the first ones, all would have to be decided.
    #[error(
        "about {expected:.3e} points are expected, more than the {most:.0e} among which the first \
         {cap} can be found; raise min_dist or shrink the size"
    )]
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
    #[error(
        "the domain has about {blocks:.3e} blocks, more than the limit of {most:.0e}; shrink the \
         size, raise max_dist, or request smaller windows of a `World`"
    )]
    TooManyBlocks {
        /// Number of blocks in the domain.
        blocks: f64,
        /// Maximum number of blocks.
        most: f64,
    },
    /// More levels of detail are requested than are possible.
    #[error("at most {most} levels of detail are possible, but {levels} were requested")]
    TooManyLevels {
        /// Number of levels requested.
        levels: u32,
        /// Maximum number of levels.
        most: u32,
    },
    /// The requested number of points is 0.
    #[error("the number of points must be at least 1")]
    NoCount,
    /// More points are requested than the options allow.
    #[error("{count} points were requested, more than the maximum number of points, {ceiling}")]
    CountAboveLimit {
        /// Number of points requested.
        count: u64,
        /// Maximum number of points.
        ceiling: u64,
    },
    /// No scaling of the distances gives as many points as are requested.
    #[error(
        "no scaling of min_dist gives {count} points, but at most {most}; allow points in more of \
         the map, enlarge the size, or request fewer"
    )]
    CountOutOfReach {
        /// Number of points requested.
        count: u64,
        /// The largest number of points that any scaling gave.
        most: u64,
    },
    /// Points have 2 or 3 coordinates only.
    #[error("points have 2 or 3 coordinates, not {dimensions}")]
    Dimensions {
        /// Number of dimensions requested.
        dimensions: usize,
    },
    /// The layers, or the distances between them, are invalid.
    #[error(transparent)]
    Layers(#[from] LayersError),
}
