//! Errors of maps.

use crate::PixelRect;
use crate::numbers::plain;
use thiserror::Error;

/// Reason for refusing a map.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MapError {
    /// There is no pixel.
    #[error("a map needs at least one pixel, but this one is {width}x{height}")]
    Empty {
        /// Width as given, pixels.
        width: u32,
        /// Height as given, pixels.
        height: u32,
    },
    /// A list does not have one entry per pixel.
    #[error("a {width}x{height} map needs {expected} {what}, but {found} were given")]
    Length {
        /// Name of the list: `values`, `mask entries` or `distances`.
        what: &'static str,
        /// Width as given, pixels.
        width: u32,
        /// Height as given, pixels.
        height: u32,
        /// Number of entries as given.
        found: usize,
        /// Number of entries needed.
        expected: u64,
    },
    /// A distance of a map of distances is zero, negative or infinite.
    #[error(
        "the distance at column {x}, row {y} is {value}: distances must be positive finite numbers, \
         or NaN where no point may lie",
        value = plain(*value)
    )]
    Distance {
        /// Column, from 0.
        x: u32,
        /// Row, from 0.
        y: u32,
        /// The distance as given, world units.
        value: f64,
    },
    /// The map does not fit into memory.
    #[error("a {width}x{height} map does not fit into memory; use a smaller one")]
    OutOfMemory {
        /// Width as given, pixels.
        width: u32,
        /// Height as given, pixels.
        height: u32,
    },
    /// The rectangle that the map should cover makes its pixels too small or too large to
    /// compute with.
    #[error(
        "{pixels} pixels over {size:?} world units on axis {axis} are out of range; choose a more \
         moderate size"
    )]
    PixelSize {
        /// Number of the axis, from 0.
        axis: usize,
        /// Pixels along the axis.
        pixels: u32,
        /// World units along the axis.
        size: f64,
    },
    /// Values at the corners of cells, with no cell along an axis.
    #[error("{width} x {height} values at the corners of cells leave no cell between them")]
    NoCells {
        /// Values across.
        width: u32,
        /// Values down.
        height: u32,
    },
    /// A part of a map does not lie in the whole.
    #[error("{part} lie outside the {} x {} pixels of the map", whole[0], whole[1])]
    Outside {
        /// The part as given.
        part: PixelRect,
        /// Columns and rows of the whole.
        whole: [u32; 2],
    },
}

/// Checks that a rectangle has pixels and lies in an image of size `whole`.
pub(crate) fn check_within(part: PixelRect, whole: [u32; 2]) -> Result<(), MapError> {
    let is_inside = |a: usize| part.min[a] < part.max[a] && part.max[a] <= whole[a];
    if is_inside(0) && is_inside(1) {
        return Ok(());
    }
    Err(MapError::Outside { part, whole })
}
