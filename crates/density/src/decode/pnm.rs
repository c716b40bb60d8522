//! PNM (PBM, PGM, PPM and PAM), by the `image` crate.

use super::channel::Bands;
use super::error::printable;
use super::levels::LevelType;
use super::raster::Raster;
use super::{DecodeError, ReadOptions};
use crate::MapError;
use crate::grey_map::filled;
use image::codecs::pnm::{PnmDecoder, PnmSubtype};
use image::{ImageDecoder, ImageError};
use std::io::{Cursor, ErrorKind};

const FORMAT: &str = "PNM";

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let limits = options.limits;
    let decoder = PnmDecoder::new(Cursor::new(bytes)).map_err(to_error)?;
    let (width, height) = decoder.dimensions();
    let colours = decoder.color_type();
    let channels = usize::from(colours.channel_count());
    let full = match decoder.subtype() {
        PnmSubtype::Bitmap(_) => 1,
        _ => greatest(bytes).unwrap_or(1),
    };
    let level_type = LevelType::Unsigned(match full {
        1 => 1,
        2..=255 => 8,
        _ => 16,
    });
    let pixels = u64::from(width) * u64::from(height);
    let samples = pixels.saturating_mul(channels as u64);
    let sample_bytes = u64::from(colours.bytes_per_pixel()) / channels as u64;
    limits.check(
        width,
        height,
        Raster::bytes(level_type, width, height)
            .saturating_add(samples.saturating_mul(sample_bytes)),
    )?;
    // The densest way there is packs eight pixels into a byte.
    if samples > 8 * bytes.len() as u64 {
        return Err(DecodeError::Truncated { format: FORMAT });
    }
    let bands = Bands::of_colours(channels);
    let pick = bands.pick(&options.channel)?;
    let closing = bands.closing(options.alpha);
    let mut raster = Raster::blank([width, height], level_type, f64::from(full))?;
    let mut buffer = usize::try_from(decoder.total_bytes())
        .ok()
        .and_then(|len| filled(0u8, len))
        .ok_or(MapError::OutOfMemory { width, height })?;
    decoder.read_image(&mut buffer).map_err(to_error)?;

    let wide = sample_bytes == 2;
    // The decoder has stretched the samples over its 8 or 16 bits.
    let scale = f64::from(full) / if wide { 65535.0 } else { 255.0 };
    let pixels = buffer.chunks_exact(channels * sample_bytes as usize);
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    for (pixel, (x, y)) in pixels.zip(places) {
        let sample = |i: usize| {
            f64::from(if wide {
                u16::from_ne_bytes([pixel[2 * i], pixel[2 * i + 1]])
            } else {
                u16::from(pixel[i])
            })
        };
        if closing.is_none_or(|alpha| sample(alpha) > 0.0) {
            raster.put(x, y, pick.level(sample) * scale);
        } else {
            raster.clear(x, y);
        }
    }
    Ok(raster)
}

/// The greatest sample, which the decoder keeps to itself: the third number of a PGM or PPM
/// header, the one after MAXVAL in a PAM's.
fn greatest(bytes: &[u8]) -> Option<u16> {
    let head = &bytes[..bytes.len().min(4096)];
    let is_pam = head.starts_with(b"P7");
    let mut words = head
        .get(2..)?
        .split(|&b| b == b'\n')
        .map(|line| line.split(|&b| b == b'#').next().unwrap_or_default())
        .flat_map(|line| line.split(u8::is_ascii_whitespace))
        .filter(|word| !word.is_empty());
    let word = if is_pam {
        words.find(|&word| word == b"MAXVAL")?;
        words.next()
    } else {
        words.nth(2)
    };
    std::str::from_utf8(word?).ok()?.parse().ok()
}

fn to_error(error: ImageError) -> DecodeError {
    match error {
        ImageError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => {
            DecodeError::Truncated { format: FORMAT }
        }
        other => {
            let reason = printable(&other.to_string());
            if reason.contains("Not enough data") {
                return DecodeError::Truncated { format: FORMAT };
            }
            DecodeError::Damaged {
                format: FORMAT,
                reason,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_sample_is_found() {
        assert_eq!(greatest(b"P5\n# 1 2 3\n4 # 9\n5\n1023\n"), Some(1023));
        assert_eq!(greatest(b"P5 4 5 255 "), Some(255));
        let pam = b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 300\nTUPLTYPE GRAYSCALE\nENDHDR\n";
        assert_eq!(greatest(pam), Some(300));
        assert_eq!(greatest(b"P5 4 5"), None);
    }
}
