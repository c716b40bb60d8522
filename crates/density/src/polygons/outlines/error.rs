//! Errors of reading polygons from a file.

use crate::numbers::plain;
use crate::polygons::PolygonError;
use thiserror::Error;

/// The reason why polygons could not be read from a file.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OutlineError {
    /// The text does not follow the format.
    #[error("{format}: {problem}")]
    Malformed {
        /// The format.
        format: &'static str,
        /// Description of the fault, with its place.
        problem: String,
    },
    /// The file uses something that would change its shapes and is not supported.
    #[error("{format}: {what} is not supported; {advice}")]
    Unsupported {
        /// The format.
        format: &'static str,
        /// The unsupported feature, with its place.
        what: String,
        /// Advice to the user.
        advice: &'static str,
    },
    /// The last position of a ring differs from its first.
    #[error(
        "GeoJSON: ring {ring} of polygon {polygon} (counted from 0) is not closed: it begins at \
         {first:?} and ends at {last:?}; repeat the first position at its end"
    )]
    OpenRing {
        /// Index of the polygon in the file, from 0.
        polygon: usize,
        /// Index of the ring in the polygon, from 0.
        ring: usize,
        /// Its first position.
        first: [f64; 2],
        /// Its last position.
        last: [f64; 2],
    },
    /// A polygon is invalid.
    #[error("{format}: polygon {polygon} (counted from 0): {problem}")]
    Polygon {
        /// The format.
        format: &'static str,
        /// Index of the polygon in the file, from 0.
        polygon: usize,
        /// The reason.
        problem: PolygonError,
    },
    /// Nothing in the file has an inside.
    #[error("{format}: there is no polygon{}", only(*passed_over, what))]
    NoPolygon {
        /// The format.
        format: &'static str,
        /// Number of other geometries or shapes.
        passed_over: usize,
        /// Their name in the message.
        what: &'static str,
    },
    /// A drawing that should be laid over the world has no page.
    #[error(
        "SVG: the drawing has no page: it needs a viewBox, or a width and a height with units \
         other than %"
    )]
    NoPage,
    /// The tolerance for curves is not positive and finite.
    #[error(
        "the tolerance for curves must be a positive finite number, but is {tolerance}",
        tolerance = plain(*tolerance)
    )]
    Tolerance {
        /// The tolerance given, world units.
        tolerance: f64,
    },
}

fn only(passed_over: usize, what: &str) -> String {
    match passed_over {
        0 => String::new(),
        count => format!(", only {count} other {what}"),
    }
}
