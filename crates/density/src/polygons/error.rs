//! Errors of polygons.

use crate::numbers::plain;
use thiserror::Error;

/// The reason why polygons are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PolygonError {
    /// A polygon has no ring.
    #[error("a polygon needs at least one ring")]
    NoRing,
    /// A ring has fewer than three different corners.
    #[error("ring {ring} (counted from 0) has {found} different corners; it needs at least 3")]
    TooFewCorners {
        /// Index of the ring, from 0.
        ring: usize,
        /// Number of its different corners.
        found: usize,
    },
    /// A coordinate is not finite or too large.
    #[error(
        "ring {ring}, corner {corner} (counted from 0) has a coordinate {value}; \
         coordinates must be finite, between -{limit:e} and {limit:e}",
        value = plain(*value)
    )]
    OutOfScale {
        /// Index of the ring, from 0.
        ring: usize,
        /// Index of the corner in the ring, from 0.
        corner: usize,
        /// The coordinate.
        value: f64,
        /// The greatest absolute value allowed.
        limit: f64,
    },
    /// There is no polygon.
    #[error("there is no polygon")]
    NoPolygon,
    /// All corners lie on one horizontal or vertical line, or in one place.
    #[error("the polygons enclose no area: all their corners lie on one line")]
    NoArea,
    /// There are too many corners.
    #[error("the polygons have {found} corners, more than the limit of {limit}")]
    TooManyCorners {
        /// Number of corners.
        found: usize,
        /// Greatest number allowed.
        limit: usize,
    },
}
