//! Errors of making and shaping maps.

use crate::numbers::plain;
use crate::{FieldError, MapError, OutOfRange};
use thiserror::Error;

/// Reason for not making or transforming a map.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// The map itself is wrong: its size, or lack of memory for one more.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A parameter of a noise is wrong.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A parameter lies outside its limits, or is not a number.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Two maps that are to be combined do not have the same size.
    #[error(
        "both maps must have the same size, but one has {} x {} pixels and the other {} x {}",
        a[0], a[1], b[0], b[1]
    )]
    Sizes {
        /// Width and height of the first, pixels.
        a: [u32; 2],
        /// Width and height of the second, pixels.
        b: [u32; 2],
    },
    /// A curve's control points do not make a curve.
    #[error(
        "a curve needs two or more control points from 0 to 1, in order from left to right, but \
         point {index} is {x}:{y}",
        x = plain(*x), y = plain(*y)
    )]
    Curve {
        /// Number of the point, from 1.
        index: usize,
        /// Position of the point, as given.
        x: f64,
        /// Height of the point, as given.
        y: f64,
    },
}
