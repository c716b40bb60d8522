//! Why a run was refused.

use thiserror::Error;

/// A run refused before it started.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SampleError {
    /// `tries` was 0, so that no point would ever be thrown.
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
    /// More memory is expected to be needed than is allowed.
    #[error(
        "about {expected:.3e} points would need about {megabytes:.0} MB of memory, more than \
         the {limit_megabytes:.0} MB allowed; raise min_dist, shrink the size, or set a lower \
         maximum number of points"
    )]
    TooMuchMemory {
        /// Points expected.
        expected: f64,
        /// Memory needed for them, in units of 10^6 bytes.
        megabytes: f64,
        /// Memory allowed, in units of 10^6 bytes.
        limit_megabytes: f64,
    },
    /// The memory for the index could not be had.
    #[error("out of memory: about {megabytes:.0} MB are needed; raise min_dist or shrink the size")]
    OutOfMemory {
        /// Memory expected to be needed, in units of 10^6 bytes.
        megabytes: f64,
    },
    /// The domain is so large, or so far from the origin, that coordinates could not tell
    /// points apart well enough to keep their distance.
    #[error(
        "coordinates reach {extent}, too far for points {min_dist} apart: at most {limit} can \
         be told apart reliably; bring the origin nearer, shrink the size or raise min_dist"
    )]
    TooFine {
        /// The largest absolute coordinate or extent of the domain.
        extent: f64,
        /// The least distance of the field.
        min_dist: f64,
        /// The largest extent possible for that distance.
        limit: f64,
    },
    /// A distance is so small or so large that its square is no ordinary number.
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
        "min_dist runs from {lo} to {hi}, a ratio of {ratio:.3e}; at most {limit:.3e} is possible"
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
    /// Rule `parent` was asked of an engine whose points have no parents.
    #[error("rule `parent` is Bridson's alone; choose max, mean, min, own or prior")]
    NoParents,
    /// A tile is too small for its points to keep their distance from their own copies.
    #[error(
        "a tile must be at least twice as long as the greatest min_dist, but axis {axis} is \
         {size} long and max_dist is {max_dist}; raise the size or lower max_dist"
    )]
    TileTooSmall {
        /// Which axis, from 0.
        axis: usize,
        /// How long the tile is along it.
        size: f64,
        /// The greatest distance of the field.
        max_dist: f64,
    },
}
