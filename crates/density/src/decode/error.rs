//! Errors of decoding.

use super::format::READ;
use crate::MapError;
use crate::numbers::{plain, short};
use image::ImageError;
use std::io::ErrorKind;
use thiserror::Error;

/// The reason why a file was not decoded.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The file has no bytes.
    #[error("the file is empty; give {READ}")]
    Empty,
    /// The content is not of a supported format.
    #[error("this is {found}, which is not supported; give {READ}")]
    Format {
        /// Description of the format.
        found: String,
    },
    /// The image has too many pixels.
    #[error("the image is {width}x{height}, more than the limit of {max_pixels} pixels")]
    TooManyPixels {
        /// Width in the file's header, pixels.
        width: u32,
        /// Height in the file's header, pixels.
        height: u32,
        /// The limit.
        max_pixels: u64,
    },
    /// Decoding would take too much memory.
    #[error(
        "decoding the {width}x{height} image takes about {bytes} bytes of memory, \
         more than the limit of {max_bytes}"
    )]
    TooManyBytes {
        /// Width in the file's header, pixels.
        width: u32,
        /// Height in the file's header, pixels.
        height: u32,
        /// Memory that decoding would take.
        bytes: u64,
        /// The limit.
        max_bytes: u64,
    },
    /// The alpha channel was requested and there is none.
    #[error("the image has no alpha channel to use as the map; choose luma, r, g or b")]
    NoAlpha,
    /// Palette indices were requested and there is no palette.
    #[error(
        "the image has no palette to use as the map (index); choose luma, r, g or b, or a band by \
         its number"
    )]
    NoPalette,
    /// There is no channel with that name or number.
    #[error("the image has no channel {wanted:?} to use as the map; it has {found}")]
    NoChannel {
        /// The name or number as given.
        wanted: String,
        /// The channels of the image.
        found: String,
    },
    /// There are several channels, and none of them is the main one.
    #[error("the image has {found}, but no brightness; choose one of them")]
    WhichChannel {
        /// The channels of the image.
        found: String,
    },
    /// All levels are the same, so black and white cannot be found.
    #[error(
        "the level is {level} everywhere in the map, so black and white cannot be found; give their \
         range",
        level = crate::numbers::level(*level)
    )]
    OneLevel {
        /// The level, as the file stores it.
        level: f64,
    },
    /// The ends of a range of levels are not finite or not in order.
    #[error(
        "a range of levels must run from a finite number to a greater one, but is {lo} to {hi}",
        lo = plain(*lo), hi = plain(*hi)
    )]
    Levels {
        /// The lower end as given.
        lo: f64,
        /// The upper end as given.
        hi: f64,
    },
    /// A raw file does not have the expected size.
    #[error(
        "{width}x{height} levels of {bits} bits are {expected} bytes, but the file has {found}"
    )]
    RawSize {
        /// Width as given, pixels.
        width: u32,
        /// Height as given, pixels.
        height: u32,
        /// Bits of a level.
        bits: u8,
        /// Bytes for that number of levels.
        expected: u64,
        /// Bytes in the file.
        found: u64,
    },
    /// The file ends before the image does, or before what its tags or directories refer to.
    #[error("the {format} file is cut short, or refers to places beyond its end")]
    Truncated {
        /// The file's format.
        format: &'static str,
    },
    /// The file violates its format.
    #[error("the {format} file is damaged: {reason}")]
    Damaged {
        /// The file's format.
        format: &'static str,
        /// The decoder's message.
        reason: String,
    },
    /// The format allows this kind of image, but it is not supported.
    #[error("{reason} {format} is not supported")]
    Unsupported {
        /// The file's format.
        format: &'static str,
        /// The kind, worded to stand before the format's name.
        reason: String,
    },
    /// The bits within each byte are in reverse order.
    #[error(
        "{format} with FillOrder 2 (the lowest bit of a byte comes first) is not supported; save \
         it with FillOrder 1"
    )]
    BitOrder {
        /// The file's format.
        format: &'static str,
    },
    /// The scale and offset in the file give no levels.
    #[error(
        "the file's scale {scale} and offset {offset} (GDAL's) leave no usable levels; correct them \
         with gdal_edit.py",
        scale = plain(*scale), offset = plain(*offset)
    )]
    Scaling {
        /// The factor.
        scale: f64,
        /// The offset.
        offset: f64,
    },
    /// The image is turned or sheared on the map.
    #[error(
        "it is rotated on the map: the next column is {} east and {} north, the next row {} east \
         and {} north; make it north-up with gdalwarp, or remove its place with gdal_edit.py \
         -unsetgt",
        short(right[0]), short(right[1]), short(down[0]), short(down[1])
    )]
    Turned {
        /// Step to the next column, east and north, map units.
        right: [f64; 2],
        /// Step to the next row, east and north, map units.
        down: [f64; 2],
    },
    /// The columns run from east to west.
    #[error(
        "it is mirrored on the map: the next column is {} east, the next row {} north; make it \
         north-up with gdalwarp, or remove its place with gdal_edit.py -unsetgt",
        short(right[0]), short(down[1])
    )]
    Mirrored {
        /// Step to the next column, east and north, map units.
        right: [f64; 2],
        /// Step to the next row, east and north, map units.
        down: [f64; 2],
    },
    /// Two tags turn the image in different ways.
    #[error(
        "its orientation tag ({orientation}) turns it, but its rows run north on the map; make it \
         north-up with gdalwarp"
    )]
    TwoTurns {
        /// The orientation by Exif's numbers, 2 to 8.
        orientation: u8,
    },
    /// The mask beside an image has another size.
    #[error("the mask is {}x{} pixels, but the image is {}x{}", mask[0], mask[1], image[0], image[1])]
    MaskSize {
        /// Width and height of the mask, pixels.
        mask: [u32; 2],
        /// Width and height of the image as stored, pixels.
        image: [u32; 2],
    },
    /// The file has only reduced copies of an image.
    #[error(
        "the {format} file contains only reduced copies of an image (NewSubfileType 1) and masks; \
         give the file of the image itself"
    )]
    Reduced {
        /// The file's format.
        format: &'static str,
    },
    /// The pixels do not make a map.
    #[error(transparent)]
    Map(#[from] MapError),
}

impl DecodeError {
    /// Returns the error for a file that violates its format.
    pub(super) fn damaged(format: &'static str, reason: &str) -> Self {
        let reason = printable(reason);
        Self::Damaged { format, reason }
    }

    /// Returns the error for a kind of file that is not supported.
    pub(super) fn unsupported(format: &'static str, reason: &str) -> Self {
        let reason = printable(reason);
        Self::Unsupported { format, reason }
    }

    /// Converts an error of the crate `image`.
    pub(super) fn of_image(format: &'static str, error: &ImageError) -> Self {
        match error {
            ImageError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => {
                Self::Truncated { format }
            }
            ImageError::Unsupported(e) => Self::unsupported(format, &format!("this kind of ({e})")),
            other => Self::damaged(format, &other.to_string()),
        }
    }
}

/// Returns a decoder's message as one line of printable characters.
pub(super) fn printable(message: &str) -> String {
    let safe = |c: char| {
        if c.is_ascii_graphic() || c == ' ' {
            c
        } else {
            '?'
        }
    };
    message.trim().chars().take(300).map(safe).collect()
}
