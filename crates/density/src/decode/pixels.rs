//! Converts the bytes of decoded rows to greys and a mask.

use super::channel::{Bands, Pick};
use super::raster::Raster;
use super::{DecodeError, ReadOptions};
use crate::MapError;
use crate::filled::filled;
use crate::per_pixel::per_pixel;
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

/// Greys that are being filled with decoded rows.
pub(super) struct Pixels {
    width: u32,
    height: u32,
    /// Number of samples per pixel.
    count: usize,
    /// The sample that closes a pixel where it is 0.
    closing: Option<usize>,
    pick: Pick,
    depth: Depth,
    values: Vec<u16>,
    allowed: Vec<bool>,
}

impl Pixels {
    /// Returns the memory for the map, bytes.
    pub(super) fn bytes(width: u32, height: u32) -> u64 {
        // A grey and a mask entry, and a second grey while the picture is turned.
        (u64::from(width) * u64::from(height)).saturating_mul(5)
    }

    /// Creates a buffer for rows of pixels with these samples.
    pub(super) fn new(
        [width, height]: [u32; 2],
        options: &ReadOptions,
        bands: Bands,
        depth: Depth,
    ) -> Result<Self, DecodeError> {
        let pick = bands.pick(&options.channel)?;
        let closing = bands.closing(options.alpha);
        Ok(Self {
            width,
            height,
            count: bands.count,
            closing,
            pick,
            depth,
            values: per_pixel(0, [width, height])?,
            allowed: per_pixel(true, [width, height])?,
        })
    }

    /// Writes a decoded row into row `y`, into every `step`th pixel from column `x`.
    pub(super) fn put(&mut self, row: &[u8], y: u32, x: u32, step: usize) {
        match self.depth {
            Depth::Eight => self.put_samples::<1>(row, y, x, step, |[s]| u16::from(s) * 257),
            Depth::Sixteen => self.put_samples::<2>(row, y, x, step, u16::from_be_bytes),
        }
    }

    fn put_samples<const N: usize>(
        &mut self,
        row: &[u8],
        y: u32,
        x: u32,
        step: usize,
        widen: impl Fn([u8; N]) -> u16,
    ) {
        let start = y as usize * self.width as usize;
        let places = start + x as usize..start + self.width as usize;
        let pixels = row.chunks_exact(N * self.count);
        for (index, pixel) in places.step_by(step).zip(pixels) {
            let sample = |i: usize| {
                let bytes = pixel.get(i * N..i * N + N);
                bytes.and_then(|b| b.try_into().ok()).map_or(0, &widen)
            };
            self.values[index] = match self.pick {
                Pick::One(at) => sample(at),
                luma @ Pick::Luma(_) => luma.level(|i| f64::from(sample(i))).round() as u16,
            };
            if let Some(alpha) = self.closing {
                self.allowed[index] = sample(alpha) > 0;
            }
        }
    }

    /// Returns the raster; `bits` is the depth of the source.
    pub(super) fn into_raster(self, bits: u8) -> Raster {
        let clear = self.allowed.iter().filter(|&&allowed| !allowed).count() as u64;
        let size = [self.width, self.height];
        let mut raster = Raster::of_greys(size, bits, self.values, self.allowed);
        raster.about.clear = clear;
        raster
    }
}
