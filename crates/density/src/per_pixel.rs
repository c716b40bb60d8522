//! Lists with one entry per pixel, row by row from the top.

use crate::MapError;
use crate::filled::filled;

/// Returns the number of pixels in a map of this size.
pub(crate) fn pixel_count(width: u32, height: u32) -> Result<usize, MapError> {
    if width == 0 || height == 0 {
        return Err(MapError::Empty { width, height });
    }
    usize::try_from(u64::from(width) * u64::from(height))
        .map_err(|_| MapError::OutOfMemory { width, height })
}

/// Returns a list with one `value` per pixel of a map of this size.
pub(crate) fn per_pixel<T: Copy>(value: T, [width, height]: [u32; 2]) -> Result<Vec<T>, MapError> {
    let list = filled(value, pixel_count(width, height)?);
    list.ok_or(MapError::OutOfMemory { width, height })
}

/// Returns the columns and rows of all pixels, row by row.
pub(crate) fn places([width, height]: [u32; 2]) -> impl Iterator<Item = (u32, u32)> {
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}
