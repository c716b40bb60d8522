//! Reads JPEG with the `zune-jpeg` crate, which fills the missing part of a cut file with grey. The
//! file's structure is therefore checked first.

use super::channel::Bands;
use super::levels::LevelType;
use super::orientation::Orientation;
use super::pixels::{Depth, Rows};
use super::raster::Raster;
use super::{DecodeError, ReadOptions, tags};
use crate::MapError;
use crate::filled::filled;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

const FORMAT: &str = "JPEG";

const LEVEL_TYPE: LevelType = LevelType::Unsigned(8);

/// Result of the walk through the segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    components: u8,
    progressive: bool,
}

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let frame = walk(bytes)?;
    let (width, height) = (frame.width, frame.height);
    let pixels = u64::from(width) * u64::from(height);
    // The raster and a copy of it, turned; the decoded samples, and for a progressive image all coefficients, two bytes
    // each.
    let per_sample = if frame.progressive { 3 } else { 1 };
    let samples = pixels * u64::from(frame.components.max(3));
    let memory = 2 * Raster::bytes([width, height], LEVEL_TYPE) + per_sample * samples;
    options.limits.check(width, height, memory)?;
    if !matches!(frame.components, 1 | 3) {
        let kind = format!("{}-channel (CMYK?)", frame.components);
        return Err(DecodeError::unsupported(FORMAT, &kind));
    }

    let mut decoder = reader(bytes, frame).map_err(|e| to_error(&e))?;
    if decoder.dimensions() != Some((width as usize, height as usize)) {
        return Err(damaged("its headers contradict each other"));
    }
    let exif = decoder.exif().map(Vec::as_slice);
    let orientation = exif.and_then(Orientation::from_exif_chunk);
    let transfer = tags::of_jpeg(decoder.icc_profile().is_some(), exif);
    let space = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => ColorSpace::Luma,
        _ => ColorSpace::RGB,
    };
    let channels = space.num_components();
    let rows = Rows::new(options, Bands::of_colours(channels), Depth::Eight)?;
    let mut raster = Raster::blank([width, height], LEVEL_TYPE)?;
    decoder.set_options(decoder.options().jpeg_set_out_colorspace(space));
    let buffer = filled(0u8, width as usize * height as usize * channels);
    let mut buffer = buffer.ok_or(MapError::OutOfMemory { width, height })?;
    decoder.decode_into(&mut buffer).map_err(|e| to_error(&e))?;
    for (y, row) in (0..height).zip(buffer.chunks_exact(width as usize * channels)) {
        rows.put(&mut raster, row, [0, y], 1);
    }
    drop(buffer);
    raster.about.show(Some(transfer));
    raster.oriented(orientation.unwrap_or(Orientation::NoTransforms))
}

/// Returns a decoder that has read the headers of an image, which has this frame.
pub(super) fn reader(
    bytes: &[u8],
    frame: Frame,
) -> Result<JpegDecoder<ZCursor<&[u8]>>, DecodeErrors> {
    let options = DecoderOptions::default()
        .set_max_width(frame.width as usize)
        .set_max_height(frame.height as usize);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers()?;
    Ok(decoder)
}

/// Walks from segment to segment up to the end-of-image marker (ITU-T T.81, annex B). A search for
/// the marker's bytes would not do: a thumbnail inside the metadata has its own.
pub(super) fn walk(bytes: &[u8]) -> Result<Frame, DecodeError> {
    let truncated = DecodeError::Truncated { format: FORMAT };
    let mut frame = None;
    let mut at = 2;
    loop {
        // In entropy-coded data 0xff is followed by 0 or a restart marker. Any number of fill bytes
        // may precede a marker.
        let gap = bytes.get(at..).unwrap_or_default();
        let marker = gap
            .windows(2)
            .position(|w| w[0] == 0xff && !matches!(w[1], 0 | 0x01 | 0xd0..=0xd7 | 0xff));
        let marker = at + marker.ok_or(truncated.clone())?;
        let code = bytes[marker + 1];
        if code == 0xd9 {
            return frame.ok_or_else(|| damaged("it has no frame header"));
        }
        if code == 0xd8 {
            return Err(damaged("a second image begins inside the first"));
        }
        let body = marker + 2;
        let word = |i: usize| {
            let pair = bytes.get(body + i..body + i + 2)?;
            Some(u16::from_be_bytes(pair.try_into().ok()?))
        };
        let length = word(0).ok_or(truncated.clone())?;
        let is_frame = matches!(code, 0xc0..=0xcf | 0xf7) && !matches!(code, 0xc4 | 0xc8 | 0xcc);
        if is_frame && frame.is_none() {
            // The decoder calls these kinds damaged.
            let kind = match (code, bytes.get(body + 2)) {
                (0xf7, _) => Some("JPEG-LS"),
                (0xc3 | 0xcb, _) => Some("lossless"),
                (0xc5..=0xc7, _) => Some("hierarchical"),
                (0xc9.., _) => Some("arithmetic-coded"),
                (_, Some(12)) => Some("12-bit"),
                _ => None,
            };
            if let Some(kind) = kind {
                return Err(DecodeError::unsupported(FORMAT, kind));
            }
            let size = word(3).zip(word(5)).zip(bytes.get(body + 7));
            let ((height, width), &components) = size.ok_or(truncated.clone())?;
            frame = Some(Frame {
                width: u32::from(width),
                height: u32::from(height),
                components,
                progressive: code == 0xc2,
            });
        }
        at = body + usize::from(length.max(2));
    }
}

fn damaged(reason: &str) -> DecodeError {
    DecodeError::damaged(FORMAT, reason)
}

fn to_error(error: &DecodeErrors) -> DecodeError {
    match error {
        DecodeErrors::Unsupported(kind) => {
            DecodeError::unsupported(FORMAT, &format!("this kind of ({kind:?})"))
        }
        other => damaged(&other.to_string()),
    }
}
