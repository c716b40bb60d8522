//! Decodes map files.

mod asc;
mod beside;
mod channel;
mod error;
mod exr;
mod format;
mod hdr;
mod jpeg;
mod levels;
mod limits;
mod nodata;
mod orientation;
mod pixels;
mod place;
mod png;
mod pnm;
mod raster;
mod raw;
mod scaling;
mod systems;
mod tags;
mod tiff;

pub use beside::file_beside;
pub use channel::{Alpha, Channel};
pub use error::DecodeError;
pub use format::EXTENSIONS;
pub use levels::{LevelRange, LevelType, Levels};
pub use limits::DecodeLimits;
pub use nodata::NoData;
pub use place::{Place, RowOrder};
pub use raster::{About, Raster, ReadOptions, Tally};
pub use raw::RawType;
pub use scaling::Scaling;
pub use systems::unit_of_system;
pub use tiff::TiffParts;

use crate::GreyMap;
use format::Format;

impl GreyMap {
    /// Decodes a map from the bytes of a PNG, JPEG, TIFF, `OpenEXR`, Radiance HDR, PNM or ESRI ASCII grid file, with
    /// [`Levels::Natural`] ends. The format is recognised by content, not by file name. [`Raster::decode`] lists what
    /// is supported, and leaves the choice of ends to the caller.
    ///
    /// # Errors
    /// The errors of [`Raster::decode`] and [`Raster::into_map`]. Never panics.
    pub fn decode(
        bytes: &[u8],
        channel: Channel,
        limits: DecodeLimits,
    ) -> Result<Self, DecodeError> {
        let options = ReadOptions {
            channel,
            limits,
            ..ReadOptions::default()
        };
        Raster::decode(bytes, &options)?.into_map(Levels::Natural)
    }
}

impl Raster {
    /// Decodes one channel of an image file. The format is recognised by content, not by file name.
    ///
    /// - PNG in every depth and colour type, with palette, transparency and interlacing. With a palette, here and in
    ///   TIFF, the levels are those of its colours (see [`About::palette`]), unless the channel is [`Channel::Index`].
    /// - JPEG, grey or colour: 8 bits.
    /// - TIFF and `BigTIFF`: the first image of the file that is neither a reduced copy nor a mask. Integers of 1, 2,
    ///   4, 8, 16, 32 and 64 bits, signed or unsigned, and floats of 16, 32 and 64; one or more bands, chunky or
    ///   planar, in strips or tiles, palettes; uncompressed, `PackBits`, LZW, Deflate, JPEG, `WebP`, CCITT Group 4 and
    ///   Zstandard. GDAL's "no data" tag and mask are applied, and so are its scale and offset ([`About::scaling`]);
    ///   "no data" is a number before scaling.
    /// - `OpenEXR`: any flat channel by name, of half, float or integer samples, in scan lines or tiles, from the first
    ///   part that has the channel. `NAME.luma` is the brightness of the part or layer `NAME`. The image is the display
    ///   window; pixels outside the data window have no level.
    /// - Radiance HDR, PNM (PBM, PGM, PPM and PAM) of 1 to 16 bits, and ESRI ASCII grids.
    ///
    /// Numbers are taken as stored: no gamma or colour profile is applied, because density maps are data.
    ///
    /// Pixels whose alpha is 0, or that have a PNG's transparent colour, have no level, whichever channel is the map,
    /// unless [`Alpha::Ignore`] is set. Partial alpha matters only where the file stores colours multiplied by alpha;
    /// they are divided by it. This holds for TIFF with associated alpha (`ExtraSamples` 1), and for R, G, B and Y of
    /// `OpenEXR`, by its convention.
    ///
    /// Pictures stored turned or mirrored (Exif in JPEG and PNG, TIFF's own tag) are set upright, and the rows of a
    /// `GeoTIFF` run from north to south ([`About::row_order`]). The colours of a Radiance HDR are divided by its
    /// `EXPOSURE` and `COLORCORR`.
    ///
    /// # Errors
    /// When the bytes are not a complete, undamaged image of these formats, the image exceeds the limits, is turned or
    /// mirrored on a map, or lacks the channel. Never panics.
    pub fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Self, DecodeError> {
        if bytes.is_empty() {
            return Err(DecodeError::Empty);
        }
        let format = format::recognise(bytes).map_err(|found| DecodeError::Format { found })?;
        let raster = match format {
            Format::Png => png::decode(bytes, options),
            Format::Jpeg => jpeg::decode(bytes, options),
            Format::Tiff => tiff::decode(bytes, options),
            Format::Exr => exr::decode(bytes, options),
            Format::Hdr => hdr::decode(bytes, options),
            Format::Pnm => pnm::decode(bytes, options),
            Format::Asc => asc::decode(bytes, options),
        }?;
        Ok(match format {
            // The TIFF decoder has applied this option itself, to the stored numbers.
            Format::Tiff => raster,
            _ => raster.without(options.no_data),
        })
    }
}
