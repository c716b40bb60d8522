//! The directories of a TIFF file and the values of their tags (TIFF 6.0, section 2; `BigTIFF`).
//!
//! Values are read as in libtiff: an integer may be stored in any integer type, and the first of two entries for one
//! tag counts.

use super::bytes::ReadAt;
use super::{damaged, truncated};
use crate::decode::DecodeError;
use std::borrow::Cow;

/// The byte order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    /// Returns the integer in `field`; from more than 8 bytes, the low 64 bits.
    #[inline]
    pub(super) fn number(self, field: &[u8]) -> u64 {
        let add = |sum: u64, &byte: &u8| sum << 8 | u64::from(byte);
        match self {
            Self::Little => field.iter().rev().fold(0, add),
            Self::Big => field.iter().fold(0, add),
        }
    }
}

/// The tags of one image, with their values still in the file.
pub(in crate::decode) struct Directory<'f> {
    file: &'f dyn ReadAt,
    order: Order,
    /// Whether the file is a `BigTIFF`, whose offsets have 8 bytes.
    is_big: bool,
    entries: Vec<Entry>,
    /// Position in the file.
    place: u64,
    /// Position of the next directory; 0 after the last. `None` if the file ends before.
    next: Option<u64>,
}

struct Entry {
    tag: u16,
    /// TIFF's number for the type of the values.
    kind: u16,
    /// Number of values.
    count: u64,
    /// The values themselves if they fit, otherwise their position in the file.
    field: [u8; 8],
}

pub(super) const NEW_SUBFILE: u16 = 254;
pub(super) const OLD_SUBFILE: u16 = 255;
pub(super) const WIDTH: u16 = 256;
pub(super) const HEIGHT: u16 = 257;
pub(super) const BITS: u16 = 258;
pub(super) const COMPRESSION: u16 = 259;
pub(super) const PHOTOMETRIC: u16 = 262;
pub(super) const FILL_ORDER: u16 = 266;
pub(super) const STRIP_OFFSETS: u16 = 273;
pub(super) const ORIENTATION: u16 = 274;
pub(super) const SAMPLES: u16 = 277;
pub(super) const ROWS_PER_STRIP: u16 = 278;
pub(super) const STRIP_LENGTHS: u16 = 279;
pub(super) const PLANAR: u16 = 284;
pub(super) const PREDICTOR: u16 = 317;
pub(super) const COLOUR_MAP: u16 = 320;
pub(super) const TILE_WIDTH: u16 = 322;
pub(super) const TILE_HEIGHT: u16 = 323;
pub(super) const TILE_OFFSETS: u16 = 324;
pub(super) const TILE_LENGTHS: u16 = 325;
pub(super) const EXTRA_SAMPLES: u16 = 338;
pub(super) const SAMPLE_FORMAT: u16 = 339;
pub(super) const JPEG_TABLES: u16 = 347;
pub(super) const YCBCR_COEFFICIENTS: u16 = 529;
pub(super) const SUBSAMPLING: u16 = 530;
pub(super) const REFERENCE_BLACK_WHITE: u16 = 532;
pub(super) const PIXEL_SCALE: u16 = 33550;
pub(super) const TIE_POINTS: u16 = 33922;
pub(super) const TRANSFORMATION: u16 = 34264;
pub(super) const GEO_KEYS: u16 = 34735;
pub(super) const RPC: u16 = 50844;
pub(in crate::decode) const ICC_PROFILE: u16 = 34675;
pub(in crate::decode) const EXIF: u16 = 34665;
pub(super) const GDAL_METADATA: u16 = 42112;
pub(super) const GDAL_NO_DATA: u16 = 42113;

/// Maximum number of images that are read.
const MOST_IMAGES: usize = 64;
/// Maximum number of entries in a directory, many times the number of tags in TIFF.
const MOST_ENTRIES: u64 = 4096;

impl<'f> Directory<'f> {
    /// Reads the directories of all images, in order.
    ///
    /// # Errors
    /// When the file is not a TIFF, or one of them cannot be read: it may be that of a mask.
    pub(in crate::decode) fn all(file: &'f dyn ReadAt) -> Result<Vec<Self>, DecodeError> {
        let mut all = vec![Self::first(file)?];
        while let Some(last) = all.last()
            && all.len() < MOST_IMAGES
        {
            let next = last.next.ok_or_else(truncated)?;
            if next == 0 {
                break;
            }
            if all.iter().any(|directory| directory.place == next) {
                return Err(damaged("its directories form a loop"));
            }
            let directory = Self::at(file, last.order, last.is_big, next)?;
            all.push(directory);
        }
        Ok(all)
    }

    /// Reads the first directory.
    ///
    /// # Errors
    /// When the file is not a TIFF, or the directory cannot be read.
    pub(in crate::decode) fn first(file: &'f dyn ReadAt) -> Result<Self, DecodeError> {
        let head = part(file, 0, 8)?;
        let order = match head[..2] {
            [b'I', b'I'] => Order::Little,
            [b'M', b'M'] => Order::Big,
            _ => return Err(damaged("it does not begin with II or MM")),
        };
        let is_big = match order.number(&head[2..4]) {
            42 => false,
            // Size of an offset, and a constant.
            43 if order.number(&head[4..6]) == 8 && head[6..8] == [0, 0] => true,
            _ => return Err(damaged("its header is not that of a TIFF")),
        };
        let place = if is_big {
            order.number(&part(file, 8, 8)?)
        } else {
            order.number(&head[4..8])
        };
        if place == 0 {
            return Err(damaged("it has no image"));
        }
        Self::at(file, order, is_big, place)
    }

    /// Reads the directory at `place`, which may describe an image or something else.
    ///
    /// # Errors
    /// When the directory is not all in the file, or is invalid.
    fn at(
        file: &'f dyn ReadAt,
        order: Order,
        is_big: bool,
        place: u64,
    ) -> Result<Self, DecodeError> {
        let (count_len, entry_len) = if is_big { (8, 20) } else { (2, 12) };
        let count = order.number(&part(file, place, count_len)?);
        if count > MOST_ENTRIES {
            return Err(damaged("a directory in it has more tags than there are"));
        }
        let first = place.saturating_add(count_len);
        let table = part(file, first, count * entry_len)?;
        let entry = |bytes: &[u8]| {
            let (count, from) = bytes[4..].split_at(if is_big { 8 } else { 4 });
            let mut field = [0; 8];
            field[..from.len()].copy_from_slice(from);
            Entry {
                tag: order.number(&bytes[..2]) as u16,
                kind: order.number(&bytes[2..4]) as u16,
                count: order.number(count),
                field,
            }
        };
        let entries = table.chunks_exact(entry_len as usize).map(entry).collect();
        let next_len = if is_big { 8 } else { 4 };
        let end = first.saturating_add(count * entry_len);
        // Some programs leave out the position after the last directory.
        let next = if end == file.len() {
            Some(0)
        } else {
            let next = part(file, end, next_len).ok();
            next.map(|place| order.number(&place))
        };
        Ok(Self {
            file,
            order,
            is_big,
            entries,
            place,
            next,
        })
    }

    /// Reads the directory that a tag refers to; `None` if the tag is absent.
    ///
    /// # Errors
    /// When the reference is not to a directory.
    pub(in crate::decode) fn inner(&self, tag: u16) -> Result<Option<Self>, DecodeError> {
        let place = self.number(tag)?;
        place
            .map(|place| Self::at(self.file, self.order, self.is_big, place))
            .transpose()
    }

    /// Returns the length of the file, bytes.
    pub(super) fn file_len(&self) -> u64 {
        self.file.len()
    }

    /// Returns the byte order.
    pub(super) fn order(&self) -> Order {
        self.order
    }

    /// Returns the entry of a tag; `None` if it is absent, or has no values.
    fn entry(&self, tag: u16) -> Option<&Entry> {
        let first = self.entries.iter().find(|entry| entry.tag == tag);
        first.filter(|entry| entry.count > 0)
    }

    /// Returns `true` if the directory has the tag, with at least one value.
    pub(in crate::decode) fn has(&self, tag: u16) -> bool {
        self.entry(tag).is_some()
    }

    /// Reads the bytes of the first values of an entry, at most `most`.
    fn values<'e>(&'e self, entry: &'e Entry, most: u64) -> Result<Cow<'e, [u8]>, DecodeError> {
        let size = size(entry.kind) as u64;
        let all = entry.count.saturating_mul(size);
        let len = all.min(most.saturating_mul(size));
        let near = if self.is_big { 8 } else { 4 };
        if all <= near as u64 {
            return Ok(Cow::Borrowed(&entry.field[..len as usize]));
        }
        part(self.file, self.order.number(&entry.field[..near]), len)
    }

    /// Reads the first integers of a tag, of any integer type; none if the tag is absent. `most` is a limit because a
    /// file may declare as many values for any tag as it has bytes.
    ///
    /// # Errors
    /// When the values are not integers from 0, or are not all in the file.
    pub(super) fn numbers(&self, tag: u16, most: u64) -> Result<Vec<u64>, DecodeError> {
        let Some(entry) = self.entry(tag) else {
            return Ok(Vec::new());
        };
        let (kind, bytes) = (entry.kind, self.values(entry, most)?);
        let none = || {
            damaged(&format!(
                "its tag {tag} does not contain whole numbers from 0"
            ))
        };
        if !matches!(kind, 1 | 3 | 4 | 6 | 8 | 9 | 13 | 16 | 17 | 18) {
            return Err(none());
        }
        let fields = bytes.chunks_exact(size(kind));
        let negative = |field: &[u8]| {
            let high = match self.order {
                Order::Little => field.last(),
                Order::Big => field.first(),
            };
            matches!(kind, 6 | 8 | 9 | 17) && high.is_some_and(|&byte| byte > 0x7f)
        };
        if fields.clone().any(negative) {
            return Err(none());
        }
        Ok(fields.map(|field| self.order.number(field)).collect())
    }

    /// Reads the first integer of a tag; `None` if the tag is absent.
    ///
    /// # Errors
    /// When the tag holds something else, or the number is not in the file.
    pub(in crate::decode) fn number(&self, tag: u16) -> Result<Option<u64>, DecodeError> {
        Ok(self.numbers(tag, 1)?.first().copied())
    }

    /// Reads the first numbers of a tag as floats, at most `most`; none if the tag is absent or holds other values.
    ///
    /// # Errors
    /// When the numbers are not all in the file.
    pub(super) fn doubles(&self, tag: u16, most: u64) -> Result<Vec<f64>, DecodeError> {
        let entry = self.entry(tag);
        let Some(entry) = entry.filter(|entry| matches!(entry.kind, 3 | 4 | 5 | 11 | 12)) else {
            return Ok(Vec::new());
        };
        let bytes = self.values(entry, most)?;
        let whole = |field: &[u8]| self.order.number(field);
        let number = |field: &[u8]| match entry.kind {
            3 | 4 => whole(field) as f64,
            5 => whole(&field[..4]) as f64 / whole(&field[4..]) as f64,
            11 => f64::from(f32::from_bits(whole(field) as u32)),
            _ => f64::from_bits(whole(field)),
        };
        Ok(bytes.chunks_exact(size(entry.kind)).map(number).collect())
    }

    /// Reads the bytes of a tag whose values are single bytes, as those of text are. Returns `None` if the tag is
    /// absent or holds other values.
    ///
    /// # Errors
    /// When the bytes are not all in the file.
    pub(super) fn text(&self, tag: u16) -> Result<Option<Cow<'_, [u8]>>, DecodeError> {
        let entry = self.entry(tag);
        let entry = entry.filter(|entry| matches!(entry.kind, 1 | 2 | 7));
        entry.map(|entry| self.values(entry, u64::MAX)).transpose()
    }
}

/// Returns the values of a tag; `None` if they cannot be interpreted.
///
/// # Errors
/// When the values are not all in the file.
pub(super) fn unless_cut<T>(values: Result<T, DecodeError>) -> Result<Option<T>, DecodeError> {
    match values {
        Err(cut @ DecodeError::Truncated { .. }) => Err(cut),
        values => Ok(values.ok()),
    }
}

/// Reads a part of a file.
///
/// # Errors
/// When the part is not all in the file.
fn part(file: &dyn ReadAt, place: u64, len: u64) -> Result<Cow<'_, [u8]>, DecodeError> {
    let bytes = file.read_at(place, len)?;
    if (bytes.len() as u64) < len {
        return Err(truncated());
    }
    Ok(bytes)
}

/// Returns the bytes per value of this type.
fn size(kind: u16) -> usize {
    match kind {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16..=18 => 8,
        _ => 1,
    }
}

/// The role of an image in its file: the bits of tag 254, with tag 255's older number for a reduced copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subfile(u64);

impl Subfile {
    const REDUCED: u64 = 1;
    const MASK: u64 = 4;

    /// Reads the role from a directory; without the tags, an image of its own.
    pub(super) fn of(directory: &Directory<'_>) -> Self {
        let bits = |tag| directory.number(tag).ok().flatten().unwrap_or(0);
        let old = if bits(OLD_SUBFILE) == 2 {
            Self::REDUCED
        } else {
            0
        };
        Self(bits(NEW_SUBFILE) | old)
    }

    /// Returns `true` if the image is neither a reduced copy of another nor a mask of one.
    pub(super) fn is_image(self) -> bool {
        self.0 & (Self::REDUCED | Self::MASK) == 0
    }

    /// Returns `true` if the image is a reduced copy of another image, or of a mask.
    pub(super) fn is_reduced(self) -> bool {
        self.0 & Self::REDUCED != 0
    }

    /// Returns `true` if the image is the mask of another.
    pub(super) fn is_mask(self) -> bool {
        self.0 == Self::MASK
    }
}

/// Returns the index of the directory that becomes the map: the first that is an image. A mask counts as one if it is
/// first and there is no image.
///
/// # Errors
/// When there are only reduced copies, or nothing at all.
pub(super) fn map_of(directories: &[Directory<'_>]) -> Result<usize, DecodeError> {
    let mut subfiles = directories.iter().map(Subfile::of);
    let first = subfiles.next().ok_or_else(|| damaged("it has no image"))?;
    if first.is_image() {
        return Ok(0);
    }
    match subfiles.position(Subfile::is_image) {
        Some(later) => Ok(later + 1),
        None if !first.is_reduced() => Ok(0),
        None => Err(DecodeError::Reduced {
            format: super::FORMAT,
        }),
    }
}
