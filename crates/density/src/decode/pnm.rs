//! Reads PNM (PBM, PGM, PPM and PAM) with the `image` crate.

use super::channel::Bands;
use super::levels::LevelType;
use super::pixels::samples_of;
use super::raster::Raster;
use super::{DecodeError, ReadOptions};
use crate::per_pixel::places;
use image::codecs::pnm::{
    ArbitraryHeader, ArbitraryTuplType, GraymapHeader, PixmapHeader, PnmDecoder, PnmHeader,
};
use image::{ImageDecoder, ImageError};
use std::borrow::Cow;
use std::io::{Cursor, Read};

const FORMAT: &str = "PNM";

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let limits = options.limits;
    let bytes = &*without_comments(bytes);
    let decoder = PnmDecoder::new(Cursor::new(bytes)).map_err(|e| to_error(&e))?;
    let (width, height) = decoder.dimensions();
    let channels = usize::from(decoder.color_type().channel_count());
    let (rest, header) = decoder.into_inner();
    let full = header.maximal_sample();
    let level_type = LevelType::Unsigned(match full {
        1 => 1,
        2..=255 => 8,
        256..=65535 => 16,
        _ => return Err(damaged(&format!("its greatest sample is {full}"))),
    });
    let pixels = u64::from(width) * u64::from(height);
    let samples = pixels.saturating_mul(channels as u64);
    let wide = full > 255;
    let sample_bytes = 1 + u64::from(wide);
    let memory = Raster::bytes_up_to(f64::from(full), [width, height], level_type);
    let memory = memory.saturating_add(samples.saturating_mul(sample_bytes));
    limits.check(width, height, memory)?;
    // The densest coding packs eight pixels into a byte.
    if samples > 8 * bytes.len() as u64 {
        return Err(DecodeError::Truncated { format: FORMAT });
    }
    let mut bands = Bands::of_colours(channels);
    // Without a tuple type, samples are nothing in particular (netpbm, pam(5)). One or three are read as those of PGM
    // and PPM.
    let is_untyped = header
        .as_arbitrary()
        .is_some_and(|head| head.tupltype.is_none());
    if is_untyped && bands.alpha.is_some() {
        (bands.rgb, bands.alpha) = (false, None);
    }
    let pick = bands.pick(&options.channel)?;
    let closing = bands.closing(options.alpha);
    let mut raster = Raster::blank_up_to(f64::from(full), [width, height], level_type)?;

    let samples = bytes.get(rest.position() as usize..).unwrap_or_default();
    let whole = Cursor::new(whole_header(&header)).chain(Cursor::new(samples));
    let decoder = PnmDecoder::new(whole).map_err(|e| to_error(&e))?;
    let buffer = samples_of(decoder, to_error)?;

    // For a bitmap, the decoder returns 0 and 255.
    let scale = if header.as_bitmap().is_some() { 255 } else { 1 };
    let pixels = buffer.chunks_exact(channels * sample_bytes as usize);
    let places = places([width, height]);
    for (pixel, (x, y)) in pixels.zip(places) {
        let sample = |i: usize| {
            let sample = if wide {
                u16::from_ne_bytes([pixel[2 * i], pixel[2 * i + 1]])
            } else {
                u16::from(pixel[i])
            };
            u32::from(sample / scale)
        };
        if let Some(beyond) = (0..channels).map(sample).find(|&sample| sample > full) {
            let problem = format!("a sample is {beyond}, more than the stated greatest, {full}");
            return Err(damaged(&problem));
        }
        if closing.is_none_or(|alpha| sample(alpha) > 0) {
            raster.put(x, y, pick.level(|i| f64::from(sample(i))));
        } else {
            raster.clear(x, y);
        }
    }
    Ok(raster)
}

/// Returns the file without comments, which run from `#` to the end of a line. They may stand in the header, and
/// anywhere in a file whose samples are text; the decoder accepts them in fewer places than other programs. Files that
/// do not begin like a PBM, PGM or PPM file stay unchanged.
fn without_comments(bytes: &[u8]) -> Cow<'_, [u8]> {
    let whole = Cow::Borrowed(bytes);
    let kind = match bytes {
        [b'P', kind @ b'1'..=b'6', ..] => *kind,
        _ => return whole,
    };
    let is_text = kind <= b'3';
    if is_text && !bytes.contains(&b'#') {
        return whole;
    }
    let mut numbers = if matches!(kind, b'1' | b'4') { 2 } else { 3 };
    let mut kept = bytes[..2].to_vec();
    let mut at = 2;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'#' {
            let rest = &bytes[at..];
            let length = rest.iter().position(|&b| matches!(b, b'\n' | b'\r'));
            at += length.map_or(rest.len(), |length| length + 1);
            kept.push(b'\n');
            // Samples begin after the line of the header's last number.
            if numbers == 0 && !is_text {
                kept.extend_from_slice(&bytes[at.min(bytes.len())..]);
                return Cow::Owned(kept);
            }
            continue;
        }
        if numbers == 0 && !is_text {
            // Avoids a copy of the samples if nothing was removed.
            if kept.len() == at {
                return whole;
            }
            kept.extend_from_slice(&bytes[at..]);
            return Cow::Owned(kept);
        }
        let ends = byte.is_ascii_digit() && !bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if ends && numbers > 0 {
            numbers -= 1;
        }
        kept.push(byte);
        at += 1;
    }
    Cow::Owned(kept)
}

/// Returns a header for the same samples with a maximum of 255 or 65535. The decoder (`image` 0.25) stretches samples
/// to these maxima and rounds, which loses levels.
fn whole_header(header: &PnmHeader) -> Vec<u8> {
    let maxval = if header.maximal_sample() > 255 {
        65535
    } else {
        255
    };
    let whole = if header.as_bitmap().is_some() {
        header.clone()
    } else if let Some(&graymap) = header.as_graymap() {
        let maxwhite = maxval;
        GraymapHeader {
            maxwhite,
            ..graymap
        }
        .into()
    } else if let Some(&pixmap) = header.as_pixmap() {
        PixmapHeader { maxval, ..pixmap }.into()
    } else {
        // The decoder takes a header without a tuple type for one of 8 bits.
        let depth = header.as_arbitrary().map_or(1, |header| header.depth);
        let tupltype = match depth {
            1 => ArbitraryTuplType::Grayscale,
            2 => ArbitraryTuplType::GrayscaleAlpha,
            3 => ArbitraryTuplType::RGB,
            _ => ArbitraryTuplType::RGBAlpha,
        };
        ArbitraryHeader {
            width: header.width(),
            height: header.height(),
            depth,
            maxval,
            tupltype: Some(tupltype),
        }
        .into()
    };
    let mut bytes = Vec::new();
    // Writing to a Vec cannot fail.
    let _ = whole.write(&mut bytes);
    bytes
}

fn damaged(reason: &str) -> DecodeError {
    DecodeError::damaged(FORMAT, reason)
}

fn to_error(error: &ImageError) -> DecodeError {
    match DecodeError::of_image(FORMAT, error) {
        DecodeError::Damaged { reason, .. } if reason.contains("Not enough data") => {
            DecodeError::Truncated { format: FORMAT }
        }
        other => other,
    }
}
