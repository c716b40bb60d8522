//! Why polygons were refused.

use crate::numbers::plain;
use thiserror::Error;

/// Why polygons were refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PolygonError {
    /// A polygon without a ring.
    #[error("a polygon needs at least one ring")]
    NoRing,
    /// A ring that encloses nothing.
    #[error("ring {ring} (counted from 0) has {found} different corners; it needs at least 3")]
    TooFewCorners {
        /// Which ring, from 0.
        ring: usize,
        /// How many corners it has.
        found: usize,
    },
    /// A coordinate that cannot be computed with.
    #[error(
        "ring {ring}, corner {corner} (counted from 0) has a coordinate {value}; \
         coordinates must be finite, between -{limit:e} and {limit:e}",
        value = plain(*value)
    )]
    OutOfScale {
        /// Which ring, from 0.
        ring: usize,
        /// Which corner of it, from 0.
        corner: usize,
        /// The coordinate.
        value: f64,
        /// The greatest size allowed.
        limit: f64,
    },
    /// No polygon at all.
    #[error("there is no polygon")]
    NoPolygon,
    /// Everything lies on one horizontal or vertical line, or in one place.
    #[error("the polygons enclose no area: all their corners lie on one line")]
    NoArea,
    /// More corners than can be numbered.
    #[error("the polygons have {found} corners, more than the limit of {limit}")]
    TooManyCorners {
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
}
