//! Reading map files.

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
mod tags;
mod tiff;

pub use beside::file_beside;
pub use channel::{Alpha, Channel};
pub use error::DecodeError;
pub use levels::{LevelRange, LevelType, Levels};
pub use limits::DecodeLimits;
pub use nodata::{NoData, Void};
pub use place::{PixelSteps, Place, RowOrder};
pub use raster::{Raster, ReadOptions, Tally};
pub use raw::RawType;
pub use scaling::Scaling;
pub use tiff::TiffParts;

use crate::GreyMap;
use format::Format;

impl GreyMap {
    /// Decodes a map from the bytes of a PNG, JPEG, TIFF, `OpenEXR`, Radiance HDR, PNM or ESRI ASCII
    /// grid file, whatever its name was, with [`Levels::Natural`] ends. [`Raster::decode`] says more
    /// of what is read, and lets the ends be chosen.
    ///
    /// [`depth`](Self::depth) is the depth of the channel: 8 for a PNG's palette, whose colours have 8
    /// bits however few its indices have.
    ///
    /// # Errors
    /// As [`Raster::decode`] and [`Raster::into_map`]. Never panics.
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
    /// Reads one channel from the bytes of an image file, whatever its name was.
    ///
    /// - PNG in every depth and colour type, with palette, transparency and interlacing. The
    ///   levels of a palette, here and in TIFF, are those of its colours ([`Raster::palette`] tells
    ///   it), unless the channel is [`Channel::Index`].
    /// - JPEG, grey or colour: 8 bits.
    /// - TIFF and `BigTIFF`, the first image of the file that is no reduced copy and no mask of
    ///   another: whole numbers of 1, 2, 4, 8, 16, 32
    ///   and 64 bits, signed or not, and floats of 16, 32 and 64; one or more bands, chunky or
    ///   planar, in strips or tiles, palettes; uncompressed, `PackBits`, LZW, Deflate, JPEG,
    ///   `WebP`, CCITT Group 4 and Zstandard. GDAL's "no data" tag and
    ///   mask are honoured, and so are its scale and offset ([`Raster::scaling`]); "no data" is a
    ///   number before it is scaled.
    /// - `OpenEXR`: any flat channel by name, of half, float or whole numbers, in scan lines or
    ///   tiles, of the first part that has it; `NAME.luma` is the brightness of the part or layer
    ///   of that name. The image is the display window; where the
    ///   data window leaves it empty there is no level.
    /// - Radiance HDR, PNM (PBM, PGM, PPM and PAM) of 1 to 16 bits, and ESRI ASCII grids.
    ///
    /// The numbers are taken as they are stored: no gamma or colour profile is applied, for
    /// density maps are data. There is no level where alpha (or a PNG's transparent colour) is
    /// 0, whichever channel is the map, unless [`Alpha::Ignore`] says otherwise. Partial alpha
    /// changes nothing, but that colours are divided by it where the file stores them multiplied
    /// by it: in TIFF with associated alpha (`ExtraSamples` 1), and in `OpenEXR` by its convention
    /// R, G, B and Y. Pictures that are stored turned or mirrored (Exif in JPEG and PNG, TIFF's
    /// own tag) are set upright, and the rows of a `GeoTIFF` run from north to south
    /// ([`Raster::row_order`]). The colours of a Radiance HDR are divided by its `EXPOSURE` and
    /// `COLORCORR`.
    ///
    /// # Errors
    /// When the bytes are not a whole, undamaged image of these formats, the image exceeds the
    /// limits, lies turned or mirrored on a map, or the channel is not there. Never panics.
    pub fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Self, DecodeError> {
        if bytes.is_empty() {
            return Err(DecodeError::Empty);
        }
        let format = format::recognise(bytes);
        let raster = match &format {
            Format::Png => png::decode(bytes, options),
            Format::Jpeg => jpeg::decode(bytes, options),
            Format::Tiff => tiff::decode(bytes, options),
            Format::Exr => exr::decode(bytes, options),
            Format::Hdr => hdr::decode(bytes, options),
            Format::Pnm => pnm::decode(bytes, options),
            Format::Asc => asc::decode(bytes, options),
            Format::Other(found) => Err(DecodeError::Format {
                found: found.clone(),
            }),
        }?;
        Ok(match format {
            // It has looked for the number itself, among what is stored.
            Format::Tiff => raster,
            _ => raster.without(options.no_data),
        })
    }
}
