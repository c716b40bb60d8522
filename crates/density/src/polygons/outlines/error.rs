//! Why a file gives no polygons.

use crate::numbers::plain;
use crate::polygons::PolygonError;
use thiserror::Error;

/// Why a file gives no polygons.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OutlineError {
    /// The text is not what the format asks for.
    #[error("{format}: {problem}")]
    Malformed {
        /// The format.
        format: &'static str,
        /// What is wrong, and where.
        problem: String,
    },
    /// The file uses something that would change its shapes and is not supported.
    #[error("{format}: {what} is not supported; {advice}")]
    Unsupported {
        /// The format.
        format: &'static str,
        /// What it uses, and where.
        what: String,
        /// What to do.
        advice: &'static str,
    },
    /// A ring's last position is not its first.
    #[error(
        "GeoJSON: ring {ring} of polygon {polygon} (counted from 0) is not closed: it begins at \
         {first:?} and ends at {last:?}; repeat the first position at its end"
    )]
    OpenRing {
        /// Which polygon of the file, from 0.
        polygon: usize,
        /// Which ring of it, from 0.
        ring: usize,
        /// Its first position.
        first: [f64; 2],
        /// Its last.
        last: [f64; 2],
    },
    /// A polygon that is none.
    #[error("{format}: polygon {polygon} (counted from 0): {problem}")]
    Polygon {
        /// The format.
        format: &'static str,
        /// Which polygon of the file, from 0.
        polygon: usize,
        /// What is wrong with it.
        problem: PolygonError,
    },
    /// Nothing in it has an inside.
    #[error("{format}: there is no polygon, only {passed_over} other {what}")]
    NoPolygon {
        /// The format.
        format: &'static str,
        /// How many others there are.
        passed_over: usize,
        /// What they are.
        what: &'static str,
    },
    /// A drawing without a page, which was to be laid over the world.
    #[error(
        "SVG: the drawing has no page: it needs a viewBox, or a width and a height with units \
         other than %"
    )]
    NoPage,
    /// Curves cannot be followed that closely.
    #[error(
        "the tolerance for curves must be a positive finite number, but is {tolerance}",
        tolerance = plain(*tolerance)
    )]
    Tolerance {
        /// As given, world units.
        tolerance: f64,
    },
}
