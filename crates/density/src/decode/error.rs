//! Why a file was not decoded.

use crate::MapError;
use crate::numbers::plain;
use image::ImageError;
use std::io::ErrorKind;
use thiserror::Error;

/// Why a file was not decoded.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// No bytes at all.
    #[error("the file is empty; give {READ}")]
    Empty,
    /// Not a format that is read, by its content.
    #[error("this is {found}, which is not read; give {READ}")]
    Format {
        /// What it looks like.
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
        /// What decoding would take.
        bytes: u64,
        /// The limit.
        max_bytes: u64,
    },
    /// The alpha channel was asked for and there is none.
    #[error("the image has no alpha channel to use as the map; choose luma, r, g or b")]
    NoAlpha,
    /// The numbers of a palette's colours were asked for and there is no palette.
    #[error(
        "the image has no palette whose numbers could be the map (index); choose luma, r, g or b, \
         or a band by its number"
    )]
    NoPalette,
    /// There is no channel of that name or number.
    #[error("the image has no channel {wanted:?} to use as the map; it has {found}")]
    NoChannel {
        /// The name or number as given.
        wanted: String,
        /// What there is.
        found: String,
    },
    /// There are several channels, none of which is more the image than the others.
    #[error("the image has {found} and no brightness; choose one of them")]
    WhichChannel {
        /// What there is.
        found: String,
    },
    /// All levels are the same, so that nothing says which are black and white.
    #[error(
        "the level is {level} all over the map, so nothing says which levels are black and \
         white; give their range",
        level = crate::numbers::level(*level)
    )]
    OneLevel {
        /// The level, as the file stores it.
        level: f64,
    },
    /// A range of levels that is none.
    #[error(
        "a range of levels goes from a finite number to a greater one, not {lo} to {hi}",
        lo = plain(*lo), hi = plain(*hi)
    )]
    Levels {
        /// The lower end as given.
        lo: f64,
        /// The upper end as given.
        hi: f64,
    },
    /// A raw file does not have the size that it should have.
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
        /// The bytes of so many levels.
        expected: u64,
        /// The bytes of the file.
        found: u64,
    },
    /// The file ends before the image does.
    #[error("the {format} file is cut short: it ends before its image does")]
    Truncated {
        /// The file's format.
        format: &'static str,
    },
    /// The file breaks its format's rules.
    #[error("the {format} file is damaged: {reason}")]
    Damaged {
        /// The file's format.
        format: &'static str,
        /// What the decoder says.
        reason: String,
    },
    /// A kind of image that its format allows and that is not read.
    #[error("{reason} {format} is not supported")]
    Unsupported {
        /// The file's format.
        format: &'static str,
        /// The kind, to be read before the format's name.
        reason: String,
    },
    /// The bits of its bytes run the other way.
    #[error(
        "{format} with FillOrder 2 (the lowest bit of a byte comes first) is not supported: save \
         it with FillOrder 1"
    )]
    BitOrder {
        /// The file's format.
        format: &'static str,
    },
    /// The file says that its numbers stand for levels that are none.
    #[error(
        "the file says that its levels are to be multiplied by {scale} and {offset} to be added \
         (GDAL's scale and offset), which leaves no levels: mend them, as gdal_edit.py does",
        scale = plain(*scale), offset = plain(*offset)
    )]
    Scaling {
        /// What they would be multiplied by.
        scale: f64,
        /// What would be added.
        offset: f64,
    },
    /// It lies turned or sheared on the map.
    #[error(
        "its rows and columns lie turned on the map: the next column is {} east and {} north, the \
         next row {} east and {} north; make it north-up, as gdalwarp does, or take its place on \
         the map away, as gdal_edit.py -unsetgt does",
        plain(right[0]), plain(right[1]), plain(down[0]), plain(down[1])
    )]
    Turned {
        /// How far the next column lies to the east and to the north, map units.
        right: [f64; 2],
        /// How far the next row lies to the east and to the north, map units.
        down: [f64; 2],
    },
    /// Its columns run from east to west.
    #[error(
        "it lies mirrored on the map: the next column is {} east, the next row {} north; make it \
         north-up, as gdalwarp does, or take its place on the map away, as gdal_edit.py -unsetgt \
         does",
        plain(right[0]), plain(down[1])
    )]
    Mirrored {
        /// How far the next column lies to the east and to the north, map units.
        right: [f64; 2],
        /// How far the next row lies to the east and to the north, map units.
        down: [f64; 2],
    },
    /// Two tags turn it in different ways.
    #[error(
        "its orientation tag ({orientation}) turns the picture, and its place on the map has its \
         rows run north: make it north-up, as gdalwarp does"
    )]
    TwoTurns {
        /// The orientation by Exif's numbers, 2 to 8.
        orientation: u8,
    },
    /// A mask beside an image has another size.
    #[error("the mask is {}x{} pixels, and the image {}x{}", mask[0], mask[1], image[0], image[1])]
    MaskSize {
        /// Width and height of the mask, pixels.
        mask: [u32; 2],
        /// Width and height of the image as it is stored, pixels.
        image: [u32; 2],
    },
    /// There are only reduced copies of an image.
    #[error(
        "the {format} file holds nothing but reduced copies of an image (NewSubfileType 1) and \
         masks: give the file of the image itself"
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
    /// The file breaks its format's rules, in these words.
    pub(super) fn damaged(format: &'static str, reason: &str) -> Self {
        let reason = printable(reason);
        Self::Damaged { format, reason }
    }

    /// The file is of a kind that is not read, in these words.
    pub(super) fn unsupported(format: &'static str, reason: &str) -> Self {
        let reason = printable(reason);
        Self::Unsupported { format, reason }
    }

    /// What a decoder of the crate `image` says.
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

/// The formats that are read without being told more.
const READ: &str = "a PNG, JPEG, TIFF, OpenEXR, Radiance HDR or PNM image or an ESRI ASCII grid";

/// The words of a decoder in one line of printable characters.
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
