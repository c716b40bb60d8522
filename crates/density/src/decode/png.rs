//! Reads PNG with the `png` crate itself. Through `image`, a colour profile would be inflated (300 MB
//! from 300 kB in one known bomb), and the depth of the source would be lost.

use super::channel::Bands;
use super::error::printable;
use super::levels::LevelType;
use super::orientation::Orientation;
use super::pixels::{Depth, Rows};
use super::raster::Raster;
use super::{DecodeError, ReadOptions, tags};
use png::{BitDepth, ColorType, DecodingError, Transformations};
use std::io::{Cursor, ErrorKind};

const FORMAT: &str = "PNG";

/// First column, column step, first row and row step of the passes of an interlaced image
/// (Adam7; W3C, Portable Network Graphics, section 8).
const INTERLACED: [[u32; 4]; 7] = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
];
const PLAIN: [[u32; 4]; 1] = [[0, 1, 0, 1]];

/// Bytes of the largest palette.
const MOST_PALETTE: usize = 3 * 256;

/// Maximum expansion of Deflate, bytes per byte: 258 bytes from two bits.
const DEFLATE_RATIO: u64 = 1032;

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let limits = options.limits;
    let allowance = png::Limits {
        bytes: usize::try_from(limits.max_bytes).unwrap_or(usize::MAX),
    };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), allowance);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.ignore_checksums(false);
    // Palettes become colours, fewer than 8 bits become 8, transparent colours become alpha.
    decoder.set_transformations(Transformations::EXPAND);

    let info = decoder.read_header_info().map_err(to_error)?;
    let (width, height, depth) = (info.width, info.height, info.bit_depth);
    let is_indexed = info.color_type == ColorType::Indexed;
    let by_index = is_indexed && options.channel.is_index();
    let row_bits = u64::from(width) * info.bits_per_pixel() as u64;
    // Palette colours have 8 bits, whatever the depth of the indices.
    let of_colours = is_indexed && !by_index;
    let bits = if of_colours { 8 } else { depth as u8 };
    let level_type = LevelType::Unsigned(bits);
    // The raster, and a copy of it, turned. The decoder holds a few rows, of at most 8 bytes per pixel.
    let memory = Raster::bytes([width, height], level_type).saturating_mul(2);
    let rows = 4 * 8 * u64::from(width);
    limits.check(width, height, memory.saturating_add(rows))?;
    if row_bits.div_ceil(8) * u64::from(height) > DEFLATE_RATIO * bytes.len() as u64 {
        return Err(DecodeError::Truncated { format: FORMAT });
    }

    if by_index {
        decoder.set_transformations(Transformations::IDENTITY);
    }
    let mut reader = decoder.read_info().map_err(to_error)?;
    // The expansion, which begins with the first row, panics at other palettes.
    let palette = reader.info().palette.as_deref().unwrap_or_default();
    if is_indexed && (palette.len() % 3 > 0 || palette.len() > MOST_PALETTE) {
        let reason = "its palette is not a list of up to 256 colours";
        return Err(DecodeError::damaged(FORMAT, reason));
    }
    if let Some(frame) = reader.info().frame_control
        && (frame.width, frame.height) != (width, height)
    {
        let reason = "its first animation frame is not as large as the image";
        return Err(DecodeError::damaged(FORMAT, reason));
    }
    let frames = reader.info().animation_control;
    // The image itself is the first of the frames, or none of them.
    let own = u32::from(reader.info().frame_control.is_some());
    let others = frames.map_or(0, |all| all.num_frames.saturating_sub(own));
    let (colours, decoded_depth) = reader.output_color_type();
    let decoded_depth = match decoded_depth {
        BitDepth::Sixteen => Depth::Sixteen,
        _ => Depth::Eight,
    };
    let indices = by_index.then(|| Indices::of(reader.info()));
    let bands = match &indices {
        Some(_) => Bands::indices(),
        None => Bands::of_colours(colours.samples()),
    };
    let rows = Rows::new(options, bands, decoded_depth)?;
    let mut raster = Raster::blank([width, height], level_type)?;
    let passes = if reader.info().interlaced {
        &INTERLACED[..]
    } else {
        &PLAIN[..]
    };
    let clear = clear_grey(reader.info());
    let mut marked = Vec::new();
    for &[x0, x_step, y0, y_step] in passes {
        if x0 >= width {
            continue;
        }
        for y in (y0..height).step_by(y_step as usize) {
            let row = reader.next_row().map_err(to_error)?;
            let row = row.ok_or(DecodeError::Truncated { format: FORMAT })?;
            let mut row = row.data();
            if let Some(indices) = &indices {
                let columns = (width - x0).div_ceil(x_step) as usize;
                marked.clear();
                marked.extend((0..columns).flat_map(|at| indices.pixel(row, at)));
                row = &marked;
            } else if let Some(clear) = clear {
                let alpha = |grey| if grey == clear { 0 } else { u8::MAX };
                let greys = row.chunks_exact(2).map(|pixel| pixel[0]);
                marked.clear();
                marked.extend(greys.flat_map(|grey| [grey, alpha(grey)]));
                row = &marked;
            }
            rows.put(&mut raster, row, [x0, y], x_step as usize);
        }
    }
    // Reads up to the end marker: a file without one is cut short.
    reader.finish().map_err(to_error)?;
    let exif = reader.info().exif_metadata.as_deref();
    let orientation = exif.and_then(Orientation::from_exif_chunk);
    let palette = reader.info().palette.as_ref().filter(|_| of_colours);
    raster.about.palette = palette.map(|colours| colours.len() / 3);
    raster.about.are_indices = by_index;
    raster.about.other_images = others as usize;
    raster.about.show(tags::of_png(bytes));
    raster.oriented(orientation.unwrap_or(Orientation::NoTransforms))
}

/// Palette indices as stored, and the alpha of each colour.
struct Indices {
    bits: usize,
    alphas: Vec<u8>,
}

impl Indices {
    fn of(info: &png::Info<'_>) -> Self {
        Self {
            bits: info.bit_depth as usize,
            alphas: info.trns.as_deref().unwrap_or_default().to_vec(),
        }
    }

    /// Returns a pixel's palette index, widened to 8 bits, and its alpha.
    fn pixel(&self, row: &[u8], at: usize) -> [u8; 2] {
        let most = u8::MAX >> (8 - self.bits);
        let bit = at * self.bits;
        let byte = row.get(bit / 8).copied().unwrap_or_default();
        let index = byte >> (8 - self.bits - bit % 8) & most;
        let alpha = self.alphas.get(usize::from(index)).copied();
        [index * (u8::MAX / most), alpha.unwrap_or(u8::MAX)]
    }
}

/// Returns the transparent grey, in the decoder's scale, where the decoder misses it. Only as many
/// bits of the stored grey count as a pixel has (W3C, section 11.3.1.1), but the decoder compares
/// all eight.
fn clear_grey(info: &png::Info<'_>) -> Option<u8> {
    let most = match (info.color_type, info.bit_depth) {
        (ColorType::Grayscale, BitDepth::One) => 1,
        (ColorType::Grayscale, BitDepth::Two) => 3,
        (ColorType::Grayscale, BitDepth::Four) => 15,
        _ => return None,
    };
    let grey = *info.trns.as_deref()?.first()?;
    (grey > most).then(|| (grey & most) * (u8::MAX / most))
}

fn to_error(error: DecodingError) -> DecodeError {
    match error {
        DecodingError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => {
            DecodeError::Truncated { format: FORMAT }
        }
        other => DecodeError::damaged(FORMAT, &plain(&other.to_string())),
    }
}

/// Returns the decoder's message without debugging output, which spells a chunk's name `ChunkType {
/// type: IDAT, critical: true, .. }`, and without unprintable names.
fn plain(message: &str) -> String {
    let mut parts = message.split("ChunkType { type: ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" }").unwrap_or((part, ""));
        text.push_str(name.split_once(", ").map_or(name, |(name, _)| name));
        text.push_str(rest);
    }
    printable(&text)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn messages_are_for_people() {
        let message = "a ChunkType { type: IDAT, critical: true } b ChunkType { type: \u{81}x }";
        assert_eq!(plain(message), "a IDAT b ?x");
        assert_eq!(plain("ChunkType { type: cut"), "cut");
    }
}
