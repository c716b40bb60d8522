//! Reads rectangles of an image from a file on demand.

use super::bytes::{ReadAt, Shared};
use super::directory::{Directory, map_of};
use super::{Image, unsupported};
use crate::PixelRect;
use crate::decode::levels::LevelType;
use crate::decode::orientation::Orientation;
use crate::decode::raster::{About, Raster, ReadOptions};
use crate::decode::{DecodeError, DecodeLimits};
use crate::diagnostic::Diagnostic;
use crate::map_error::check_within;
use std::io::{Read, Seek};

/// A TIFF or `BigTIFF` of any size whose rectangles are read on demand: only the strips or tiles that a rectangle
/// touches. Levels are those of [`Raster::decode`].
///
/// The limits of the [`ReadOptions`] apply to a rectangle with a strip or tile being decoded, not to the image.
///
/// Rows run from north to south, as in [`Raster::decode`]. Threads may read concurrently; only file access is
/// exclusive, not decoding.
///
/// ```
/// use spinney_density::decode::{ReadOptions, TiffParts};
/// use spinney_density::{GreyMap, PixelRect};
/// use std::io::Cursor;
///
/// let mut file = Cursor::new(Vec::new()); // Or a `std::fs::File`.
/// GreyMap::from_fn(600, 400, |x, _| f64::from(x) / 599.0)?.write_tiff(&mut file)?;
/// let parts = TiffParts::open(file, &ReadOptions::default())?;
/// let corner = parts.read(PixelRect { min: [590, 390], max: [600, 400] })?;
/// assert_eq!((corner.width(), corner.level(9, 9)), (10, Some(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TiffParts<R> {
    file: Shared<R>,
    image: Image,
    limits: DecodeLimits,
}

impl<R: Read + Seek> TiffParts<R> {
    /// Reads all of a file except its pixels.
    ///
    /// # Errors
    /// When [`Raster::decode`] does not support the file as a TIFF, or a single strip or tile exceeds the
    /// limits. Also when the orientation tag turns the pixels other than upside down.
    pub fn open(file: R, options: &ReadOptions) -> Result<Self, DecodeError> {
        let file = Shared::new(file)?;
        let directories = Directory::all(&file)?;
        let image = Image::of(&directories, map_of(&directories)?, options)?;
        if !matches!(
            image.orientation,
            Orientation::NoTransforms | Orientation::FlipVertical
        ) {
            return Err(unsupported("turned, part by part,"));
        }
        for plane in image.planes() {
            let [width, height] = plane.chunks.size();
            let height = height.min(image.size[1]);
            let longest = plane.chunks.longest(&plane.kind, file.len());
            let memory = plane.memory().saturating_add(longest);
            options.limits.check(width, height, memory)?;
        }
        Ok(Self {
            file,
            image,
            limits: options.limits,
        })
    }

    /// Returns the columns and rows of the image.
    pub fn size(&self) -> [u32; 2] {
        self.image.size
    }

    /// Returns the columns and rows of a strip or tile.
    pub fn tile(&self) -> [u32; 2] {
        let [width, height] = self.image.levels.chunks.size();
        [
            width.min(self.image.size[0]),
            height.min(self.image.size[1]),
        ]
    }

    /// Returns the type of the file's numbers, before scaling.
    pub fn level_type(&self) -> LevelType {
        self.image.levels.kind.level_type
    }

    /// Returns `true` if the format defines black and white: see [`Raster::is_grey`].
    pub fn is_grey(&self) -> bool {
        self.level_type().is_grey() && self.about().scaling.is_none()
    }

    /// Returns facts about the image besides its levels.
    pub fn about(&self) -> &About {
        &self.image.about
    }

    /// Returns possible misreadings that follow from the metadata. A [`Tally`](crate::decode::Tally) of the rectangles
    /// adds those of pixels.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.about().diagnostics(self.size())
    }

    /// Returns `true` if some pixels may have no level: if the file or the options name a "no data" number, or there is
    /// alpha, a mask, or NaN among floats.
    pub fn may_be_holed(&self) -> bool {
        self.image.may_be_holed()
    }

    /// Reads the pixels of a rectangle, in columns and rows of the image. Facts about the result are those of the whole
    /// image, its place included.
    ///
    /// # Errors
    /// When the rectangle exceeds the limits or does not lie in the image, or the file is damaged there.
    pub fn read(&self, rect: PixelRect) -> Result<Raster, DecodeError> {
        check_within(rect, self.size())?;
        let size @ [width, height] = [rect.width(), rect.height()];
        let memory = self.image.memory(size);
        self.limits.check(width, height, memory)?;
        let mut stored = rect;
        if self.image.orientation == Orientation::FlipVertical {
            let rows = self.size()[1];
            (stored.min[1], stored.max[1]) = (rows - rect.max[1], rows - rect.min[1]);
        }
        let raster = self.image.raster(&self.file, stored)?;
        raster.oriented(self.image.orientation)
    }
}
