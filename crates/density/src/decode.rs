//! Reading map files.

mod format;
mod jpeg;
mod pixels;
mod png;

use crate::{GreyMap, MapError};
use thiserror::Error;

/// Which channel of an image is the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Brightness: 0.2126 red + 0.7152 green + 0.0722 blue (Rec. 709) of the values as they
    /// are stored. Of a grey pixel exactly its grey.
    #[default]
    Luma,
    /// Red; of a grey image its grey.
    R,
    /// Green; of a grey image its grey.
    G,
    /// Blue; of a grey image its grey.
    B,
    /// Alpha, or a palette's or colour key's transparency.
    A,
}

impl Channel {
    /// The channel's name as the command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Luma => "luma",
            Self::R => "r",
            Self::G => "g",
            Self::B => "b",
            Self::A => "a",
        }
    }
}

/// How much a file may make [`decode`] do. Checked against the file's header before anything
/// of the image's size is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Most pixels; any width and height within that will do. 2^28 by default.
    pub max_pixels: u64,
    /// Most memory for decoding, the map included, bytes. 4 GiB by default.
    pub max_bytes: u64,
}

impl Default for DecodeLimits {
    fn default() -> Self {
        Self {
            max_pixels: 1 << 28,
            max_bytes: 1 << 32,
        }
    }
}

/// Why a file was not decoded.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DecodeError {
    /// No bytes at all.
    #[error("the file is empty; PNG and JPEG images are read")]
    Empty,
    /// Not a format that is read, by its content.
    #[error("only PNG and JPEG images are read, but this is {found}; save the map as PNG")]
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
    #[error("this kind of {format} file is not supported: {reason}")]
    Unsupported {
        /// The file's format.
        format: &'static str,
        /// What about it.
        reason: String,
    },
    /// The pixels do not make a map.
    #[error(transparent)]
    Map(#[from] MapError),
}

/// Decodes a map from the bytes of a PNG or JPEG file, whatever its name was.
///
/// PNG is read in every depth and colour type, with palette, transparency and interlacing;
/// 16 bits stay 16 bits. JPEG has 8. The values are taken as they are stored: no gamma or
/// colour profile is applied, for density maps are data. Where alpha (or a PNG's transparent
/// colour) is 0 no point may lie, whichever channel is the map; partial alpha changes nothing.
///
/// [`GreyMap::depth`] is the depth of the channel: 8 for a palette, whose colours have 8 bits
/// however few its indices have.
///
/// # Errors
/// When the bytes are not a whole, undamaged image of these formats, the image exceeds the
/// limits, or the channel is not there. Never panics.
pub fn decode(
    bytes: &[u8],
    channel: Channel,
    limits: DecodeLimits,
) -> Result<GreyMap, DecodeError> {
    if bytes.is_empty() {
        return Err(DecodeError::Empty);
    }
    match format::recognise(bytes) {
        format::Format::Png => png::decode(bytes, channel, limits),
        format::Format::Jpeg => jpeg::decode(bytes, channel, limits),
        format::Format::Other(found) => Err(DecodeError::Format { found }),
    }
}

impl DecodeLimits {
    /// Refuses an image of this size whose decoding takes `bytes`.
    fn check(self, width: u32, height: u32, bytes: u64) -> Result<(), DecodeError> {
        let Self {
            max_pixels,
            max_bytes,
        } = self;
        if u64::from(width) * u64::from(height) > max_pixels {
            return Err(DecodeError::TooManyPixels {
                width,
                height,
                max_pixels,
            });
        }
        if bytes > max_bytes {
            return Err(DecodeError::TooManyBytes {
                width,
                height,
                bytes,
                max_bytes,
            });
        }
        Ok(())
    }
}
