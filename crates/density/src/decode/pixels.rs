//! Converts the bytes of decoded rows to greys.

use super::channel::{Bands, Pick};
use super::raster::Raster;
use super::{DecodeError, ReadOptions};
use crate::MapError;
use crate::filled::filled;
use image::{ImageDecoder, ImageError};

/// The layout of one sample in a decoded row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// One byte.
    Eight,
    /// Two bytes, the high one first.
    Sixteen,
}

/// Reads the samples of an image whose header a decoder of the crate `image` has read.
///
/// # Errors
/// The decoder's own, converted by `to_error`; and when memory runs out.
pub(super) fn samples_of(
    decoder: impl ImageDecoder,
    to_error: fn(&ImageError) -> DecodeError,
) -> Result<Vec<u8>, DecodeError> {
    let (width, height) = decoder.dimensions();
    let len = usize::try_from(decoder.total_bytes()).ok();
    let buffer = len.and_then(|len| filled(0u8, len));
    let mut buffer = buffer.ok_or(MapError::OutOfMemory { width, height })?;
    decoder.read_image(&mut buffer).map_err(|e| to_error(&e))?;
    Ok(buffer)
}

/// The layout of decoded rows, and the samples that make up the channel.
pub(super) struct Rows {
    /// Number of samples per pixel.
    count: usize,
    /// The sample that closes a pixel where it is 0.
    closing: Option<usize>,
    pick: Pick,
    depth: Depth,
}

impl Rows {
    pub(super) fn new(
        options: &ReadOptions,
        bands: Bands,
        depth: Depth,
    ) -> Result<Self, DecodeError> {
        Ok(Self {
            count: bands.count,
            closing: bands.closing(options.alpha),
            pick: bands.pick(&options.channel)?,
            depth,
        })
    }

    /// Writes a decoded row into row `y` of a raster of greys, into every `step`th pixel from column
    /// `x`.
    pub(super) fn put(&self, raster: &mut Raster, row: &[u8], [x, y]: [u32; 2], step: usize) {
        let places = (x..raster.width()).step_by(step).map(|x| [x, y]);
        match self.depth {
            Depth::Eight => {
                self.put_samples::<1>(raster, row, places, |[s]| u16::from(s) * 257);
            }
            Depth::Sixteen => self.put_samples::<2>(raster, row, places, u16::from_be_bytes),
        }
    }

    fn put_samples<const N: usize>(
        &self,
        raster: &mut Raster,
        row: &[u8],
        places: impl Iterator<Item = [u32; 2]>,
        widen: impl Fn([u8; N]) -> u16,
    ) {
        for (place, pixel) in places.zip(row.chunks_exact(N * self.count)) {
            let sample = |i: usize| {
                let bytes = pixel.get(i * N..i * N + N);
                bytes.and_then(|b| b.try_into().ok()).map_or(0, &widen)
            };
            let grey = match self.pick {
                Pick::One(at) => sample(at),
                luma @ Pick::Luma(_) => luma.level(|i| f64::from(sample(i))).round() as u16,
            };
            let is_open = self.closing.is_none_or(|alpha| sample(alpha) > 0);
            raster.put_grey(place, grey, is_open);
        }
    }
}
