//! What a TIFF file's chunks claim, checked before they are decoded.

use super::directory::Plain;
use super::meaning::{JPEG, Kind, WEBP};
use super::{damaged, to_error};
use crate::decode::{DecodeError, jpeg};
use ::tiff::decoder::{ChunkType, Decoder};
use ::tiff::tags::Tag;

/// Tiles are padded, but not beyond this many pixels or four times the image.
const MOST_PADDED: u64 = 1 << 22;

/// The most bytes that one byte of Deflate, the others' equal, can stand for; Zstandard has no
/// such bound.
const RATIO: u64 = 1400;

/// Refuses chunks that cannot be what they claim to be, or that hold an image of another size.
/// Gives the memory that decoding one takes, bytes.
pub(super) fn check(
    decoder: &mut Decoder<Plain<'_>>,
    bytes: &[u8],
    kind: &Kind,
    [width, height]: [u32; 2],
) -> Result<u64, DecodeError> {
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    let image = u64::from(width) * u64::from(height);
    let mut pixels = u64::from(chunk_width).saturating_mul(u64::from(chunk_height));
    match decoder.get_chunk_type() {
        ChunkType::Tile if pixels > (4 * image).max(MOST_PADDED) => {
            return Err(damaged("its tiles are far larger than the image"));
        }
        ChunkType::Tile => {}
        ChunkType::Strip => pixels = pixels.min(image),
    }
    if matches!(kind.compression, 1 | 5 | 8 | 32773 | 32946) {
        let least = image * u64::from(kind.bits) / 8 / RATIO;
        // What GDAL leaves out is short for a reason.
        let sparse = lengths(decoder)?.contains(&0);
        if least > bytes.len() as u64 && !sparse {
            return Err(TRUNCATED);
        }
    }
    if matches!(kind.compression, JPEG | WEBP) {
        let offsets = table(decoder, Tag::TileOffsets, Tag::StripOffsets)?;
        let padded = |length: u32| u64::from(length).saturating_add(16);
        // The last strip ends with the image; a tile does not.
        let chunk_height = match decoder.get_chunk_type() {
            ChunkType::Tile => chunk_height,
            ChunkType::Strip => chunk_height.min(height),
        };
        let most = [padded(chunk_width), padded(chunk_height)];
        for (offset, length) in offsets.into_iter().zip(lengths(decoder)?) {
            if length == 0 {
                continue;
            }
            let chunk = part(bytes, offset, length).ok_or(TRUNCATED)?;
            let [width, height] = if kind.compression == JPEG {
                let frame = jpeg::walk(chunk)?;
                [frame.width, frame.height]
            } else {
                webp_size(chunk).ok_or_else(|| damaged("a chunk is no WebP image"))?
            };
            if u64::from(width) > most[0] || u64::from(height) > most[1] {
                return Err(damaged("the image in a chunk is larger than the chunk"));
            }
        }
    }
    Ok(kind.chunk_bytes(pixels).saturating_mul(3))
}

const TRUNCATED: DecodeError = DecodeError::Truncated {
    format: super::FORMAT,
};

fn part(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let from = usize::try_from(offset).ok()?;
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(from..end)
}

/// The bytes of each chunk as stored. 0: left out.
pub(super) fn lengths(decoder: &mut Decoder<Plain<'_>>) -> Result<Vec<u64>, DecodeError> {
    table(decoder, Tag::TileByteCounts, Tag::StripByteCounts)
}

fn table(
    decoder: &mut Decoder<Plain<'_>>,
    of_tiles: Tag,
    of_strips: Tag,
) -> Result<Vec<u64>, DecodeError> {
    let tag = match decoder.get_chunk_type() {
        ChunkType::Tile => of_tiles,
        ChunkType::Strip => of_strips,
    };
    let list = decoder.find_tag_unsigned_vec(tag).map_err(to_error)?;
    Ok(list.unwrap_or_default())
}

/// The size in the head of a WebP image (RFC 9649, section 2).
fn webp_size(bytes: &[u8]) -> Option<[u32; 2]> {
    let number = |at: usize, len: usize| {
        let field = bytes.get(at..at + len)?;
        let sum = field
            .iter()
            .rev()
            .fold(0u32, |sum, &b| sum << 8 | u32::from(b));
        Some(sum)
    };
    match bytes.get(12..16)? {
        b"VP8X" => Some([number(24, 3)? + 1, number(27, 3)? + 1]),
        b"VP8L" => {
            let both = number(21, 4)?;
            Some([(both & 0x3fff) + 1, (both >> 14 & 0x3fff) + 1])
        }
        b"VP8 " => Some([number(26, 2)? & 0x3fff, number(28, 2)? & 0x3fff]),
        _ => None,
    }
}
