//! Limits on what decoding a file may cost.

use super::DecodeError;

/// Limits on the cost of [`Raster::decode`](crate::decode::Raster::decode). They are checked against the file's header
/// before anything of the image's size is allocated.
///
/// ```
/// use spinney_density::decode::{DecodeError, DecodeLimits, Raster, ReadOptions};
///
/// let grid = b"ncols 3\nnrows 1\ncellsize 30\n100 200 300\n";
/// let limits = DecodeLimits { max_pixels: 2, ..DecodeLimits::default() };
/// match Raster::decode(grid, &ReadOptions { limits, ..ReadOptions::default() }) {
///     Err(DecodeError::TooManyPixels { width, max_pixels, .. }) => assert_eq!((width, max_pixels), (3, 2)),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Maximum number of pixels; any width and height within it will do. 2^28 by default.
    pub max_pixels: u64,
    /// Maximum memory for decoding, the map included, bytes. 4 GiB by default.
    pub max_bytes: u64,
}

impl Default for DecodeLimits {
    fn default() -> Self {
        Self {
            max_pixels: 1 << 28,
            max_bytes: 1 << 32,
        }
    }
}

impl DecodeLimits {
    /// Rejects an image that exceeds the limits; decoding it would take `bytes`.
    pub(super) fn check(self, width: u32, height: u32, bytes: u64) -> Result<(), DecodeError> {
        let Self {
            max_pixels,
            max_bytes,
        } = self;
        if u64::from(width) * u64::from(height) > max_pixels {
            return Err(DecodeError::TooManyPixels {
                width,
                height,
                max_pixels,
            });
        }
        if bytes > max_bytes {
            return Err(DecodeError::TooManyBytes {
                width,
                height,
                bytes,
                max_bytes,
            });
        }
        Ok(())
    }
}
