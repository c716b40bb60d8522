//! A glance at the directories of a TIFF file before the decoder reads them: sizes are checked
//! before anything is allocated, and the decoder is told that every image is plain numbers.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// What is needed of an image's directory (TIFF 6.0, section 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Directory {
    pub(super) width: u64,
    pub(super) height: u64,
    /// Samples of a pixel; 1 unless said.
    pub(super) samples: u64,
    /// What the samples mean, by tag 262.
    pub(super) photometric: Option<u16>,
    /// Where in the file tag 262 has its two bytes.
    photometric_at: u64,
    /// 2: the lowest bit of a byte comes first.
    pub(super) fill_order: u64,
    /// Bits: reduced (1), page (2), mask (4).
    pub(super) subfile: u64,
    /// Where in the file GDAL's metadata begin, and their bytes.
    metadata: Option<[u64; 2]>,
    /// Whether it claims a text longer than the file, which the decoder would make room for.
    pub(super) claims_too_much: bool,
}

const REDUCED: u64 = 1;
const MASK: u64 = 4;

/// What tags 254 and 255, which came before it, say of an image: bits as [`Directory::subfile`].
fn subfile(new: u64, old: u64) -> u64 {
    if old == 2 { new | REDUCED } else { new }
}

/// Whether an image with these two tags (0 unless said) is neither a reduced copy of another one
/// nor a mask.
pub(crate) fn is_image(new: u64, old: u64) -> bool {
    subfile(new, old) & (REDUCED | MASK) == 0
}

/// Text in XML.
const GDAL_METADATA: u64 = 42112;

impl Directory {
    /// Whether it is neither a reduced copy of another image nor a mask of one.
    pub(super) fn is_image(&self) -> bool {
        is_image(self.subfile, 0)
    }

    /// Whether it is a reduced copy of another image, or of a mask.
    pub(super) fn is_reduced(&self) -> bool {
        self.subfile & REDUCED != 0
    }

    /// Whether it is the mask of an image of this one's size.
    pub(super) fn is_mask_of(&self, image: &Self) -> bool {
        self.subfile == MASK && (self.width, self.height) == (image.width, image.height)
    }

    /// GDAL's metadata in the file; nothing where they are not all in it.
    pub(super) fn metadata<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let [from, len] = self.metadata?.map(|n| usize::try_from(n).ok());
        bytes.get(from?..from?.checked_add(len?)?)
    }
}

/// More directories than this are not looked at.
pub(crate) const MOST_IMAGES: usize = 64;
/// A directory with more entries than TIFF has tags many times over is none.
const MOST_ENTRIES: u64 = 4096;

#[derive(Clone, Copy)]
struct Numbers<'a> {
    bytes: &'a [u8],
    big_endian: bool,
}

impl Numbers<'_> {
    /// A whole number of `len` bytes.
    fn at(self, place: u64, len: usize) -> Option<u64> {
        let from = usize::try_from(place).ok()?;
        let field = self.bytes.get(from..from.checked_add(len)?)?;
        let add = |sum: u64, &byte: &u8| sum << 8 | u64::from(byte);
        Some(if self.big_endian {
            field.iter().fold(0, add)
        } else {
            field.iter().rev().fold(0, add)
        })
    }
}

/// The directories of the file's images in their order, as far as they can be read.
pub(super) fn directories(bytes: &[u8]) -> Vec<Directory> {
    let numbers = Numbers {
        bytes,
        big_endian: bytes.starts_with(b"MM"),
    };
    let big = numbers.at(2, 2) == Some(43);
    let (first, width) = if big { (8, 8) } else { (4, 4) };
    let mut all = Vec::new();
    let mut next = numbers.at(first, width);
    while let Some(place) = next.filter(|&place| place > 0) {
        let Some((directory, end)) = directory(numbers, place, big) else {
            break;
        };
        all.push(directory);
        if all.len() == MOST_IMAGES {
            break;
        }
        next = numbers.at(end, width);
    }
    all
}

/// The directory at `place`, and where it ends.
fn directory(numbers: Numbers<'_>, place: u64, big: bool) -> Option<(Directory, u64)> {
    let (count_len, entry_len, field_at) = if big { (8, 20, 12) } else { (2, 12, 8) };
    let count = numbers.at(place, count_len)?;
    if count > MOST_ENTRIES {
        return None;
    }
    let mut directory = Directory {
        samples: 1,
        ..Directory::default()
    };
    let first = place.checked_add(count_len as u64)?;
    for entry in (0..count).map(|i| first.checked_add(i * entry_len)) {
        let entry = entry?;
        let tag = numbers.at(entry, 2)?;
        let field = entry.checked_add(field_at)?;
        let kind = numbers.at(entry + 2, 2)?;
        let value_len = if big { 8 } else { 4 };
        let length = numbers.at(entry + 4, value_len)?;
        directory.claims_too_much |= kind == 2 && length > numbers.bytes.len() as u64;
        if tag == GDAL_METADATA && matches!(kind, 1 | 2 | 7) {
            // What is short enough to stand in the entry itself says nothing.
            let is_elsewhere = length > value_len as u64;
            directory.metadata = numbers.at(field, value_len).map(|at| [at, length]);
            directory.metadata = directory.metadata.filter(|_| is_elsewhere);
        }
        let len = match kind {
            1 => 1,
            3 => 2,
            4 => 4,
            16 if big => 8,
            _ => continue,
        };
        let value = numbers.at(field, len)?;
        match tag {
            254 => directory.subfile = subfile(value, 0),
            255 => directory.subfile = subfile(directory.subfile, value),
            256 => directory.width = value,
            257 => directory.height = value,
            266 => directory.fill_order = value,
            277 => directory.samples = value,
            262 if kind == 3 => {
                directory.photometric = u16::try_from(value).ok();
                directory.photometric_at = field;
            }
            _ => {}
        }
    }
    Some((directory, first.checked_add(count * entry_len)?))
}

/// The file, with every image said to be grey from black to white. The decoder then hands out
/// all samples as they are stored: it refuses palettes, masks and inverted images of several
/// bands, drops bands beside colours, and inverts some kinds and not others.
pub(super) struct Plain<'a> {
    file: Cursor<&'a [u8]>,
    patches: Vec<(u64, u8)>,
}

impl<'a> Plain<'a> {
    pub(super) fn new(bytes: &'a [u8], directories: &[Directory]) -> Self {
        let black_is_zero = if bytes.starts_with(b"MM") {
            [0, 1]
        } else {
            [1, 0]
        };
        let patches = directories
            .iter()
            .filter(|directory| directory.photometric.is_some_and(|p| p != 1))
            .flat_map(|directory| (directory.photometric_at..).zip(black_is_zero))
            .collect();
        Self {
            file: Cursor::new(bytes),
            patches,
        }
    }
}

impl Read for Plain<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = self.file.position();
        let len = self.file.read(buffer)?;
        for &(at, byte) in &self.patches {
            if at >= start
                && let Some(place) = buffer[..len].get_mut((at - start) as usize)
            {
                *place = byte;
            }
        }
        Ok(len)
    }
}

impl Seek for Plain<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
