//! Where the strips or tiles of an image are, and what is in them.

use super::codec::{Codec, Shape};
use super::directory::{self, Directory, Order, Tiff};
use super::meaning::Kind;
use super::{damaged, truncated};
use crate::decode::DecodeError;
use crate::decode::levels::LevelType;
use exr::prelude::f16;
use std::io::{Read, Seek};

/// The strips or tiles of an image, all of one size.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    image: [u32; 2],
    tiled: bool,
    /// Pixels of a chunk.
    size: [u32; 2],
    across: u32,
    per_plane: u32,
    offsets: Vec<u64>,
    /// Bytes of each as stored; empty when the file does not say.
    lengths: Vec<u64>,
    tables: Vec<u8>,
}

/// Tiles are padded, but not beyond this many pixels or four times the image.
const MOST_PADDED: u64 = 1 << 22;

/// The most bytes that one byte of Deflate, the others' equal, can stand for.
const RATIO: u64 = 1400;

impl Chunks {
    /// Reads where the chunks of an image are. Refuses those that cannot be what they claim to be.
    ///
    /// As in libtiff, tiles are what has a tile's size, and strips and tiles may be told of by each
    /// other's tags.
    pub(super) fn of<R: Read + Seek>(
        tiff: &mut Tiff<R>,
        directory: &Directory,
        kind: &Kind,
        image: [u32; 2],
        file_len: usize,
    ) -> Result<Self, DecodeError> {
        let tiled = directory.has(directory::TILE_WIDTH) || directory.has(directory::TILE_HEIGHT);
        let [offsets, lengths] = if tiled {
            [
                [directory::TILE_OFFSETS, directory::STRIP_OFFSETS],
                [directory::TILE_LENGTHS, directory::STRIP_LENGTHS],
            ]
        } else {
            [
                [directory::STRIP_OFFSETS, directory::TILE_OFFSETS],
                [directory::STRIP_LENGTHS, directory::TILE_LENGTHS],
            ]
        }
        .map(|[tag, other]| if directory.has(tag) { tag } else { other });
        let side = |number: Option<u64>, otherwise: u32| match number {
            None => Ok(otherwise),
            Some(0) => Err(damaged("its strips or tiles have no size")),
            Some(number) => Ok(u32::try_from(number).unwrap_or(u32::MAX)),
        };
        let size = if tiled {
            [directory::TILE_WIDTH, directory::TILE_HEIGHT]
                .map(|tag| side(tiff.number(directory, tag)?, 0))
        } else {
            let rows = tiff.number(directory, directory::ROWS_PER_STRIP)?;
            [
                Ok(image[0]),
                side(rows, image[1]).map(|rows| rows.min(image[1])),
            ]
        };
        let [width, height] = size;
        let size = [width?, height?];
        if size.contains(&0) {
            return Err(damaged("its tiles have only one side"));
        }
        let area = |[width, height]: [u32; 2]| u64::from(width) * u64::from(height);
        if tiled && area(size) > (4 * area(image)).max(MOST_PADDED) {
            return Err(damaged("its tiles are far larger than the image"));
        }
        let across = image[0].div_ceil(size[0]);
        let per_plane = u64::from(across) * u64::from(image[1].div_ceil(size[1]));
        let planes = if kind.planar { kind.stored() as u64 } else { 1 };
        let mut chunks = Self {
            image,
            tiled,
            size,
            across,
            per_plane: u32::try_from(per_plane).map_err(|_| truncated())?,
            offsets: tiff.numbers(directory, offsets)?,
            lengths: tiff.numbers(directory, lengths)?,
            tables: tiff
                .text(directory, directory::JPEG_TABLES)
                .unwrap_or_default(),
        };
        let all = per_plane.saturating_mul(planes);
        if (chunks.offsets.len() as u64) < all {
            return Err(damaged("it says of too few strips or tiles where they are"));
        }
        let told = chunks.lengths.len() as u64;
        if told < all && (told > 0 || per_plane > 1) {
            return Err(damaged(
                "it says of too few strips or tiles how long they are",
            ));
        }
        chunks.forget_wrong_lengths(kind, all);
        let least = area(image) * u64::from(kind.bits) / 8 / RATIO;
        // A file that leaves out chunks is short for a reason.
        let sparse = chunks.lengths.contains(&0);
        if kind.codec.is_bounded() && least > file_len as u64 && !sparse {
            return Err(truncated());
        }
        Ok(chunks)
    }

    /// Lengths that libtiff does not believe: 0 of the only strip there is, any of the only strip
    /// that is not compressed, and different ones of the first two of several such strips.
    fn forget_wrong_lengths(&mut self, kind: &Kind, all: u64) {
        let stored = kind.codec == Codec::Stored;
        let wrong = match self.lengths[..] {
            _ if self.tiled || kind.planar => false,
            [only, ..] if all == 1 => (stored || only == 0) && self.offsets[0] > 0,
            [first, second, _, ..] => stored && first != second && first > 0 && second > 0,
            _ => false,
        };
        if wrong {
            self.lengths.clear();
        }
    }

    /// Chunks of a plane.
    pub(super) fn per_plane(&self) -> u32 {
        self.per_plane
    }

    /// The column and row of a chunk's first pixel.
    pub(super) fn corner(&self, nth: u32) -> [u32; 2] {
        let [width, height] = self.size;
        [nth % self.across * width, nth / self.across * height]
    }

    /// What a chunk holds, for samples of this kind.
    pub(super) fn shape(&self, nth: u32, kind: &Kind) -> Shape {
        let [left, top] = self.corner(nth);
        let [width, height] = self.size;
        let samples = if kind.planar { 1 } else { kind.stored() };
        let row_bits = width as usize * samples * usize::from(kind.bits);
        Shape {
            width,
            columns: width.min(self.image[0] - left),
            rows: height.min(self.image[1] - top),
            height,
            samples,
            row_bytes: row_bits.div_ceil(8),
        }
    }

    /// Memory that decoding a chunk takes, bytes.
    pub(super) fn memory(&self, kind: &Kind) -> u64 {
        let samples = if kind.planar { 1 } else { kind.stored() as u64 };
        let [width, height] = self.size.map(u64::from);
        let pixels = width * height.min(u64::from(self.image[1]));
        let bytes = u64::from(kind.bits.div_ceil(8));
        pixels.saturating_mul(samples).saturating_mul(3 * bytes)
    }

    /// The bytes of a chunk as stored; `None` when the file leaves it out, as GDAL does with chunks
    /// that hold nothing. What is beyond the end of the file is not among them.
    /// `least` is what a chunk takes at least that is not compressed: as in libtiff, a smaller byte
    /// count is not believed.
    fn stored<'a>(&self, bytes: &'a [u8], index: usize, least: u64) -> Option<&'a [u8]> {
        let length = self.lengths.get(index).copied().unwrap_or(u64::MAX);
        if length == 0 {
            return None;
        }
        let length = length.max(least);
        let clamped = |place: u64| {
            usize::try_from(place)
                .unwrap_or(usize::MAX)
                .min(bytes.len())
        };
        let offset = self.offsets[index];
        Some(&bytes[clamped(offset)..clamped(offset.saturating_add(length))])
    }

    /// Expands the `nth` chunk of a plane into `buffer`. Gives `false` when the file leaves it out.
    pub(super) fn read(
        &self,
        bytes: &[u8],
        kind: &Kind,
        [plane, nth]: [u32; 2],
        buffer: &mut Vec<u8>,
    ) -> Result<bool, DecodeError> {
        let index = plane as usize * self.per_plane as usize + nth as usize;
        let shape = self.shape(nth, kind);
        let least = match kind.codec {
            Codec::Stored => u64::from(shape.rows) * shape.row_bytes as u64,
            _ => 0,
        };
        let Some(stored) = self.stored(bytes, index, least) else {
            return Ok(false);
        };
        buffer.resize(shape.rows as usize * shape.row_bytes, 0);
        kind.codec.expand(stored, &self.tables, &shape, buffer)?;
        for row in buffer.chunks_exact_mut(shape.row_bytes) {
            kind.predictor
                .undo(row, kind.bits, shape.samples, kind.order);
        }
        Ok(true)
    }
}

/// How samples lie in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Samples {
    pub(super) stored_type: LevelType,
    pub(super) order: Order,
}

impl Samples {
    /// The `nth` sample of a row. Whole numbers that do not fill bytes lie bit after bit, the
    /// highest first.
    #[inline]
    pub(super) fn sample(self, row: &[u8], nth: usize) -> f64 {
        match self.stored_type {
            LevelType::Unsigned(8) => f64::from(row[nth]),
            LevelType::Unsigned(16) => self.field::<2>(row, nth) as f64,
            LevelType::Unsigned(32) => self.field::<4>(row, nth) as f64,
            LevelType::Unsigned(64) => self.field::<8>(row, nth) as f64,
            LevelType::Unsigned(bits) => packed(row, nth, usize::from(bits)) as f64,
            LevelType::Signed(8) => f64::from(row[nth] as i8),
            LevelType::Signed(16) => f64::from(self.field::<2>(row, nth) as i16),
            LevelType::Signed(32) => f64::from(self.field::<4>(row, nth) as i32),
            LevelType::Signed(_) => self.field::<8>(row, nth) as i64 as f64,
            LevelType::Float(16) => f16::from_bits(self.field::<2>(row, nth) as u16).to_f64(),
            LevelType::Float(32) => f64::from(f32::from_bits(self.field::<4>(row, nth) as u32)),
            LevelType::Float(_) => f64::from_bits(self.field::<8>(row, nth)),
        }
    }

    #[inline]
    fn field<const N: usize>(self, row: &[u8], nth: usize) -> u64 {
        let field = row[nth * N..].first_chunk::<N>();
        field.map_or(0, |field| self.order.number(field))
    }
}

/// The `nth` number of so many bits.
fn packed(row: &[u8], nth: usize, bits: usize) -> u64 {
    let (from, end) = (nth * bits, (nth + 1) * bits);
    let sum = Order::Big.number(&row[from / 8..end.div_ceil(8)]);
    sum >> (end.div_ceil(8) * 8 - end) & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_samples_are_taken_apart() {
        let row = [0b0001_1011, 0b1110_0000];
        let two = (0..6).map(|nth| packed(&row, nth, 2)).collect::<Vec<_>>();
        assert_eq!(two, [0, 1, 2, 3, 3, 2]);
        let twelve = [0xabu8, 0xcd, 0xef];
        assert_eq!([0, 1].map(|nth| packed(&twelve, nth, 12)), [0xabc, 0xdef]);
        let large = [0x7f, 0xff, 0xff, 0xff, 0x80];
        assert_eq!(packed(&large, 0, 31), (1 << 30) - 1);
    }
}
