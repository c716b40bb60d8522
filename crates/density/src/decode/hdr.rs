//! Radiance HDR, by the `image` crate.

use super::channel::Bands;
use super::error::printable;
use super::levels::LevelType;
use super::raster::Raster;
use super::{Channel, DecodeError, DecodeLimits};
use crate::MapError;
use crate::grey_map::filled;
use image::codecs::hdr::HdrDecoder;
use image::{ImageDecoder, ImageError};
use std::io::{Cursor, ErrorKind};

const FORMAT: &str = "Radiance HDR";

/// What the file's bytes can stand for at most, in pixels: a run of 127 samples takes two
/// bytes, and there are four of each pixel. Longer runs, in the coding of before 1991, are not
/// believed.
const PIXELS_PER_BYTE: u64 = 256;

pub(super) fn decode(
    bytes: &[u8],
    channel: &Channel,
    limits: DecodeLimits,
) -> Result<Raster, DecodeError> {
    let decoder = HdrDecoder::new(Cursor::new(bytes)).map_err(to_error)?;
    let (width, height) = decoder.dimensions();
    let level_type = LevelType::Float(32);
    let samples = decoder.total_bytes();
    limits.check(
        width,
        height,
        Raster::bytes(level_type, width, height).saturating_add(samples),
    )?;
    if samples / 12 > PIXELS_PER_BYTE * bytes.len() as u64 {
        return Err(DecodeError::Truncated { format: FORMAT });
    }
    let pick = Bands::of_colours(3).pick(channel)?;
    let mut raster = Raster::blank([width, height], level_type, 1.0)?;
    let mut buffer = usize::try_from(samples)
        .ok()
        .and_then(|len| filled(0u8, len))
        .ok_or(MapError::OutOfMemory { width, height })?;
    decoder.read_image(&mut buffer).map_err(to_error)?;
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    for (pixel, (x, y)) in buffer.chunks_exact(12).zip(places) {
        let sample = |i: usize| {
            let bytes = [0, 1, 2, 3].map(|b| pixel[4 * i + b]);
            f64::from(f32::from_ne_bytes(bytes))
        };
        raster.put(x, y, pick.level(sample));
    }
    Ok(raster)
}

fn to_error(error: ImageError) -> DecodeError {
    match error {
        ImageError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => {
            DecodeError::Truncated { format: FORMAT }
        }
        ImageError::Unsupported(e) => DecodeError::Unsupported {
            format: FORMAT,
            reason: printable(&format!("this kind of ({e})")),
        },
        other => DecodeError::Damaged {
            format: FORMAT,
            reason: printable(&other.to_string()),
        },
    }
}
