//! Rectangles of an image, read from the file when they are asked for.

use super::chunks::Shared;
use super::directory::{Tiff, map_of};
use super::{Image, unsupported};
use crate::PixelRect;
use crate::decode::levels::LevelType;
use crate::decode::orientation::Orientation;
use crate::decode::place::{Place, RowOrder};
use crate::decode::raster::{Raster, ReadOptions, said_by_file};
use crate::decode::scaling::Scaling;
use crate::decode::{DecodeError, DecodeLimits};
use crate::diagnostic::{Cell, CellUnit, Diagnostic};
use crate::map_error::check_within;
use std::io::{Read, Seek};

/// A TIFF or `BigTIFF` of any size, of which rectangles are read when they are asked for: only the
/// strips or tiles that they touch. Levels are those that [`Raster::decode`] reads.
///
/// The limits of the [`ReadOptions`] hold for what is decoded at once: a rectangle with the strips or
/// tiles on its way, not the image.
///
/// Rows run from north to south, as those of [`Raster::decode`] do. Threads may read at once; they
/// wait for each other at the file, not while they decode.
#[derive(Debug)]
pub struct TiffParts<R> {
    file: Shared<R>,
    image: Image,
    rows: RowOrder,
    /// Whether row 0 is the last of the file.
    is_flipped: bool,
    limits: DecodeLimits,
}

impl<R: Read + Seek> TiffParts<R> {
    /// Reads all of a file but its pixels.
    ///
    /// # Errors
    /// When it is no TIFF that [`Raster::decode`] reads, when its pixels are turned by its orientation
    /// tag otherwise than upside down, and when a single strip or tile exceeds the limits.
    pub fn open(file: R, options: &ReadOptions) -> Result<Self, DecodeError> {
        let (mut tiff, directories) = Tiff::open(file)?;
        let nth = map_of(&mut tiff, &directories)?;
        let image = Image::of(&mut tiff, &directories, nth, options)?;
        let rows = match image.geo.steps {
            Some(steps) => steps.rows(image.size)?,
            None => RowOrder::Unsaid,
        };
        let turned = matches!(rows, RowOrder::SouthFirst | RowOrder::NegativeScale);
        let is_flipped = match image.orientation {
            Orientation::NoTransforms => turned,
            // Both may say that the rows are stored from below.
            Orientation::FlipVertical => true,
            _ => return Err(unsupported("turned, part by part,")),
        };
        for plane in std::iter::once(&image.levels).chain(&image.mask) {
            let [width, height] = plane.chunks.size();
            let height = height.min(image.size[1]);
            let longest = plane.chunks.longest(&plane.kind, tiff.file_len());
            let memory = plane.memory().saturating_add(longest);
            options.limits.check(width, height, memory)?;
        }
        let len = tiff.file_len();
        Ok(Self {
            file: Shared::new(tiff.into_file(), len),
            image,
            rows,
            is_flipped,
            limits: options.limits,
        })
    }

    /// Columns and rows.
    pub fn size(&self) -> [u32; 2] {
        self.image.size
    }

    /// Columns and rows of a strip or tile.
    pub fn tile(&self) -> [u32; 2] {
        let [width, height] = self.image.levels.chunks.size();
        [
            width.min(self.image.size[0]),
            height.min(self.image.size[1]),
        ]
    }

    /// What the file's numbers are, before they are scaled.
    pub fn level_type(&self) -> LevelType {
        self.image.levels.kind.level_type
    }

    /// Returns `true` if the format says what black and white are, as [`Raster::is_grey`].
    pub fn is_grey(&self) -> bool {
        self.level_type().is_grey() && self.scaling().is_none()
    }

    /// What the file says that its numbers are to be multiplied by, and what is to be added then.
    pub fn scaling(&self) -> Option<Scaling> {
        self.image.scaling
    }

    /// Which row of the file is the northern edge of a map, where the file says so.
    pub fn row_order(&self) -> RowOrder {
        self.rows
    }

    /// Where the image lies on a map, where the file says so.
    pub fn place(&self) -> Option<Place> {
        let geo = &self.image.geo;
        let unit = geo.cell.map_or(CellUnit::Unsaid, Cell::unit);
        Place::new(geo.steps?, self.image.size, unit, geo.epsg)
    }

    /// How large the file says that a pixel is, where it says so.
    pub fn cell(&self) -> Option<Cell> {
        self.image.geo.cell
    }

    /// What the file says that it may not mean. A [`Tally`](crate::decode::Tally) of what is read tells more.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found = said_by_file(
            self.image.colours,
            self.image.others,
            self.size(),
            self.rows,
            self.image.geo.unfollowed,
        );
        found.extend(self.image.untouched());
        let transfer = self.image.transfer.clone();
        found.extend(transfer.map(|transfer| Diagnostic::Transfer { transfer }));
        found
    }

    /// Returns `true` if there may be pixels without a level: if the file or the options name a number
    /// that is none, or there is alpha, a mask, or NaN among floats.
    pub fn may_be_holed(&self) -> bool {
        self.image.may_be_holed()
    }

    /// The pixels of a rectangle, by the columns and rows of the image.
    ///
    /// # Errors
    /// When it exceeds the limits, it does not lie in the image, or the file is damaged there.
    pub fn read(&self, rect: PixelRect) -> Result<Raster, DecodeError> {
        check_within(rect, self.size())?;
        let size @ [width, height] = [rect.width(), rect.height()];
        let memory = self.image.memory(size, self.is_flipped);
        self.limits.check(width, height, memory)?;
        if !self.is_flipped {
            return self.image.raster(&self.file, rect);
        }
        let rows = self.size()[1];
        let stored = PixelRect {
            min: [rect.min[0], rows - rect.max[1]],
            max: [rect.max[0], rows - rect.min[1]],
        };
        let raster = self.image.raster(&self.file, stored)?;
        raster.oriented(Orientation::FlipVertical)
    }
}
