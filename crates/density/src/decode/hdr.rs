//! Reads Radiance HDR with the `image` crate.

use super::channel::Bands;
use super::levels::LevelType;
use super::pixels::samples_of;
use super::raster::Raster;
use super::{DecodeError, ReadOptions};
use crate::diagnostic::Transfer;
use crate::per_pixel::places;
use image::codecs::hdr::HdrDecoder;
use image::{ImageDecoder, ImageError};
use std::borrow::Cow;
use std::io::{Cursor, Read};

const FORMAT: &str = "Radiance HDR";

/// Maximum number of pixels per byte of a file: a run of 127 samples takes two bytes, and a pixel
/// has four samples. Longer runs, in the coding of before 1991, are not trusted.
const PIXELS_PER_BYTE: u64 = 256;

/// The only signature that the decoder accepts.
const SIGNATURE: &[u8] = b"#?RADIANCE\n";

/// The line that is in every header.
const FORMAT_LINE: &[u8] = b"\nFORMAT=32-bit_rle_";

/// Number of leading bytes in which that line is sought.
const HEAD: usize = 65_536;

/// Returns `true` if a file begins like a Radiance picture: `#?` and the name of any program (Ward,
/// "Radiance File Formats"). Most programs write `RADIANCE` or `RGBE`.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let usual: [&[u8]; 2] = [b"#?RADIANCE", b"#?RGBE"];
    let head = &bytes[..bytes.len().min(HEAD)];
    usual.iter().any(|name| head.starts_with(name))
        || head.starts_with(b"#?")
            && head
                .windows(FORMAT_LINE.len())
                .any(|window| window == FORMAT_LINE)
}

/// Returns the lines of a header, which ends at an empty line.
fn lines(header: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    let lines = header.split(|&b| b == b'\n').map(String::from_utf8_lossy);
    lines.take_while(|line| !line.trim_end().is_empty())
}

/// Returns the factors by which the file's colours were multiplied: all of its `EXPOSURE` lines,
/// and its `COLORCORR` lines for each colour. Indented lines describe source files and do not
/// count.
fn multipliers(header: &[u8]) -> Result<[f64; 3], DecodeError> {
    let mut all = [1.0; 3];
    for line in lines(header) {
        let Some((key @ ("EXPOSURE" | "COLORCORR"), value)) = line.split_once('=') else {
            continue;
        };
        let wrong = || damaged(&format!("it says {key}={}", value.trim()));
        let numbers = value.split_ascii_whitespace().map(str::parse::<f64>);
        let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().map_err(|_| wrong())?;
        let of_colours = match (key, &numbers[..]) {
            ("EXPOSURE", &[one]) => [one; 3],
            ("COLORCORR", &[r, g, b]) => [r, g, b],
            _ => return Err(wrong()),
        };
        for (all, one) in all.iter_mut().zip(of_colours) {
            *all *= one;
            if !(all.is_normal() && *all > 0.0) {
                return Err(wrong());
            }
        }
    }
    Ok(all)
}

/// Returns the exponent of the header's gamma coding, times 100,000; `None` if the numbers are
/// linear. `GAMMA=2.2` means the exponent 1 / 2.2.
fn gamma(header: &[u8]) -> Option<u32> {
    let mut lines = lines(header);
    let gamma = lines.find_map(|line| line.strip_prefix("GAMMA=")?.trim().parse::<f64>().ok())?;
    let power = (1e5 / gamma).round();
    (power != 1e5 && (1.0..=1e9).contains(&power)).then_some(power as u32)
}

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let first = bytes.iter().position(|&b| b == b'\n').unwrap_or_default();
    let rest = &bytes[first + usize::from(!bytes.is_empty())..];
    let divisors = multipliers(rest)?;
    let signed = Cursor::new(SIGNATURE).chain(Cursor::new(rest));
    let decoder = HdrDecoder::new(signed).map_err(|e| to_error(&e))?;
    let (width, height) = decoder.dimensions();
    let level_type = LevelType::Float(32);
    let samples = decoder.total_bytes();
    options.limits.check(
        width,
        height,
        Raster::bytes([width, height], level_type).saturating_add(samples),
    )?;
    if samples / 12 > PIXELS_PER_BYTE * bytes.len() as u64 {
        return Err(DecodeError::Truncated { format: FORMAT });
    }
    let pick = Bands::of_colours(3).pick(&options.channel)?;
    let mut raster = Raster::blank([width, height], level_type)?;
    let buffer = samples_of(decoder, to_error)?;
    let places = places([width, height]);
    for (pixel, (x, y)) in buffer.chunks_exact(12).zip(places) {
        let sample = |i: usize| {
            let bytes = [0, 1, 2, 3].map(|b| pixel[4 * i + b]);
            f64::from(f32::from_ne_bytes(bytes)) / divisors[i]
        };
        raster.put(x, y, pick.level(sample));
    }
    raster.about.show(gamma(rest).map(Transfer::Gamma));
    Ok(raster)
}

fn damaged(reason: &str) -> DecodeError {
    DecodeError::damaged(FORMAT, reason)
}

fn to_error(error: &ImageError) -> DecodeError {
    DecodeError::of_image(FORMAT, error)
}
