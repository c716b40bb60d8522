//! Locates and reads the strips or tiles of an image.

use super::bytes::ReadAt;
use super::codec::{Codec, Shape};
use super::directory::{self, Directory};
use super::meaning::Kind;
use super::{damaged, truncated};
use crate::PixelRect;
use crate::decode::DecodeError;

/// The strips or tiles of an image, all of one size.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    image: [u32; 2],
    tiled: bool,
    /// Width and height of a chunk, pixels.
    size: [u32; 2],
    across: u32,
    per_plane: u32,
    offsets: Vec<u64>,
    /// Stored bytes of each chunk; empty if the file does not give them.
    lengths: Vec<u64>,
    tables: Vec<u8>,
}

/// Maximum number of pixels of a padded tile, unless four times the image is more.
const MOST_PADDED: u64 = 1 << 22;

/// Maximum expansion of Deflate and the other bounded compressions, bytes per byte.
const RATIO: u64 = 1400;

impl Chunks {
    /// Reads the positions of an image's chunks. Rejects chunks that cannot be what they claim to be.
    ///
    /// As in libtiff, an image with a tile size is tiled, and the tags for strips may describe tiles and vice versa.
    pub(super) fn of(
        directory: &Directory<'_>,
        kind: &Kind,
        image: [u32; 2],
    ) -> Result<Self, DecodeError> {
        let tiled = directory.has(directory::TILE_WIDTH) || directory.has(directory::TILE_HEIGHT);
        let [offsets, lengths] = [
            [directory::TILE_OFFSETS, directory::STRIP_OFFSETS],
            [directory::TILE_LENGTHS, directory::STRIP_LENGTHS],
        ]
        .map(|[tile, strip]| {
            let (tag, other) = if tiled { (tile, strip) } else { (strip, tile) };
            if directory.has(tag) { tag } else { other }
        });
        let side = |tag, otherwise| match directory.number(tag)? {
            None => Ok(otherwise),
            Some(0) => Err(damaged("its strips or tiles have no size")),
            Some(number) => Ok(u32::try_from(number).unwrap_or(u32::MAX)),
        };
        let size = if tiled {
            let [width, height] = [directory::TILE_WIDTH, directory::TILE_HEIGHT];
            [side(width, 0)?, side(height, 0)?]
        } else {
            let rows = side(directory::ROWS_PER_STRIP, image[1])?;
            [image[0], rows.min(image[1])]
        };
        if size.contains(&0) {
            return Err(damaged("its tiles have only one side"));
        }
        let area = |[width, height]: [u32; 2]| u64::from(width) * u64::from(height);
        if tiled && area(size) > area(image).saturating_mul(4).max(MOST_PADDED) {
            return Err(damaged("its tiles are far larger than the image"));
        }
        let across = image[0].div_ceil(size[0]);
        let per_plane = u64::from(across) * u64::from(image[1].div_ceil(size[1]));
        let planes = if kind.planar { kind.stored() as u64 } else { 1 };
        let all = per_plane.saturating_mul(planes);
        let mut chunks = Self {
            image,
            tiled,
            size,
            across,
            per_plane: u32::try_from(per_plane).map_err(|_| truncated())?,
            offsets: directory.numbers(offsets, all)?,
            lengths: directory.numbers(lengths, all)?,
            tables: directory
                .text(directory::JPEG_TABLES)?
                .unwrap_or_default()
                .into_owned(),
        };
        if (chunks.offsets.len() as u64) < all {
            return Err(damaged("it has too few offsets of strips or tiles"));
        }
        let told = chunks.lengths.len() as u64;
        if told < all && (told > 0 || per_plane > 1) {
            return Err(damaged("it has too few byte counts of strips or tiles"));
        }
        chunks.forget_wrong_lengths(kind, all);
        let least = area(image).saturating_mul(u64::from(kind.bits())) / 8 / RATIO;
        // A file that leaves out chunks may well be short.
        let sparse = chunks.lengths.contains(&0);
        if kind.codec.is_bounded()
            && least > chunks.present(kind, all, directory.file_len())
            && !sparse
        {
            return Err(truncated());
        }
        Ok(chunks)
    }

    /// Returns the number of bytes of the first `all` chunks that lie in a file of `file_len` bytes. Chunks may share
    /// bytes, so the sum may exceed the file.
    fn present(&self, kind: &Kind, all: u64, file_len: u64) -> u64 {
        let whole = self.memory(kind);
        let chunks = self.offsets.iter().enumerate().take(all as usize);
        let present = chunks.map(|(nth, offset)| {
            let told = match kind.codec {
                // Byte counts are not trusted (see `read`). A chunk takes no more than this.
                Codec::Uncompressed => whole,
                _ => self.lengths.get(nth).copied().unwrap_or(u64::MAX),
            };
            told.min(file_len.saturating_sub(*offset))
        });
        present.fold(0, u64::saturating_add)
    }

    /// Clears lengths that libtiff does not trust: 0 for an only strip, any length for an only strip without
    /// compression, and different lengths for the first two of several strips without compression.
    fn forget_wrong_lengths(&mut self, kind: &Kind, all: u64) {
        let uncompressed = kind.codec == Codec::Uncompressed;
        let wrong = match self.lengths[..] {
            _ if self.tiled || kind.planar => false,
            [only, ..] if all == 1 => (uncompressed || only == 0) && self.offsets[0] > 0,
            [first, second, _, ..] => uncompressed && first != second && first > 0 && second > 0,
            _ => false,
        };
        if wrong {
            self.lengths.clear();
        }
    }

    /// Returns the column and row of a chunk's first pixel.
    pub(super) fn corner(&self, nth: u32) -> [u32; 2] {
        let [width, height] = self.size;
        [nth % self.across * width, nth / self.across * height]
    }

    /// Returns the shape of a decoded chunk, for samples of this kind.
    pub(super) fn shape(&self, nth: u32, kind: &Kind) -> Shape {
        let [left, top] = self.corner(nth);
        let [width, height] = self.size;
        let samples = if kind.planar { 1 } else { kind.stored() };
        let row_bits = width as usize * samples * usize::from(kind.bits());
        Shape {
            width,
            columns: width.min(self.image[0] - left),
            rows: height.min(self.image[1] - top),
            height,
            samples,
            row_bytes: row_bits.div_ceil(8),
        }
    }

    /// Returns the memory for decoding a chunk, including its codec's, bytes.
    pub(super) fn memory(&self, kind: &Kind) -> u64 {
        self.buffer(kind).saturating_mul(3)
    }

    /// Returns the memory of a decoded chunk, bytes.
    pub(super) fn buffer(&self, kind: &Kind) -> u64 {
        let samples = if kind.planar { 1 } else { kind.stored() as u64 };
        let [width, height] = self.size.map(u64::from);
        let pixels = width * height.min(u64::from(self.image[1]));
        let bytes = u64::from(kind.bits().div_ceil(8));
        pixels.saturating_mul(samples).saturating_mul(bytes)
    }

    /// Returns the maximum number of stored bytes of a chunk, in a file of `file_len` bytes.
    pub(super) fn longest(&self, kind: &Kind, file_len: u64) -> u64 {
        let told = self.lengths.iter().copied().max();
        let all = match kind.codec {
            // Without a length, as many bytes as the decoded chunk, which `memory` counts.
            Codec::Uncompressed => 0,
            _ => file_len,
        };
        told.unwrap_or(all).min(file_len)
    }

    /// Returns the columns and rows of a chunk.
    pub(super) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the indices of the chunks of a plane that a rectangle of pixels touches, row by row.
    pub(super) fn touching(&self, rect: PixelRect) -> impl Iterator<Item = u32> + use<> {
        let across = self.across;
        let [columns, rows] = [0, 1].map(|a| {
            let first = rect.min[a] / self.size[a];
            first..=(rect.max[a] - 1) / self.size[a]
        });
        rows.flat_map(move |y| columns.clone().map(move |x| y * across + x))
    }

    /// Decodes the `nth` chunk of a plane into `buffer`. Returns `false` if the file leaves the chunk out, as GDAL does
    /// with chunks that hold nothing.
    pub(super) fn read(
        &self,
        bytes: &dyn ReadAt,
        kind: &Kind,
        [plane, nth]: [u32; 2],
        buffer: &mut Vec<u8>,
    ) -> Result<bool, DecodeError> {
        let index = plane as usize * self.per_plane as usize + nth as usize;
        let shape = self.shape(nth, kind);
        let told = self.lengths.get(index).copied().unwrap_or(u64::MAX);
        if told == 0 {
            return Ok(false);
        }
        let length = match kind.codec {
            // As in libtiff, another byte count is not trusted.
            Codec::Uncompressed => u64::from(shape.rows) * shape.row_bytes as u64,
            _ => told,
        };
        let stored = bytes.read_at(self.offsets[index], length)?;
        buffer.resize(shape.rows as usize * shape.row_bytes, 0);
        kind.codec.expand(&stored, &self.tables, &shape, buffer)?;
        for row in buffer.chunks_exact_mut(shape.row_bytes) {
            kind.predictor
                .undo(row, kind.bits(), shape.samples, kind.order);
        }
        Ok(true)
    }
}
