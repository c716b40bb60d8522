//! Why a map could not be shaped.

use crate::numbers::plain;
use crate::{FieldError, MapError};
use thiserror::Error;

/// Why a map could not be made or transformed.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// The map itself: its size, or the memory for one more.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A parameter of a noise.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A parameter lies outside its limits, or is not a number.
    #[error(
        "{name} must lie between {least} and {most}, but is {value}",
        value = plain(*value), least = plain(*least), most = plain(*most)
    )]
    OutOfRange {
        /// The parameter's name.
        name: &'static str,
        /// The value as given.
        value: f64,
        /// The least value allowed.
        least: f64,
        /// The greatest value allowed.
        most: f64,
    },
    /// Two maps that are to be combined do not have the same size.
    #[error("both maps must have the same size, but one is {a:?} pixels and the other {b:?}")]
    Sizes {
        /// Width and height of the first, pixels.
        a: [u32; 2],
        /// Width and height of the second, pixels.
        b: [u32; 2],
    },
    /// A curve's control points do not make a curve.
    #[error(
        "a curve needs two or more control points from 0 to 1, each farther right than the one \
         before, but point {index} is {x}:{y}",
        x = plain(*x), y = plain(*y)
    )]
    Curve {
        /// Which point, from 1.
        index: usize,
        /// As given.
        x: f64,
        /// As given.
        y: f64,
    },
}

/// `value`, when it lies within the limits.
pub(crate) fn within(
    name: &'static str,
    value: f64,
    [least, most]: [f64; 2],
) -> Result<f64, ShapeError> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(ShapeError::OutOfRange {
            name,
            value,
            least,
            most,
        })
    }
}
