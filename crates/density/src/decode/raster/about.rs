//! Facts about an image besides its levels.

use super::{Raster, Tally};
use crate::decode::Channel;
use crate::decode::levels::Levels;
use crate::decode::orientation::{Orientation, is_upright};
use crate::decode::place::{PixelSteps, Place, RowOrder};
use crate::decode::scaling::Scaling;
use crate::diagnostic::{Cell, CellUnit, Diagnostic, Transfer};

/// Facts about an image besides its levels: its file's metadata, and counts of pixels.
///
/// ```
/// use spinney_density::decode::{Raster, ReadOptions};
///
/// let grid = b"ncols 3\nnrows 1\nxllcorner 500\nyllcorner 100\ncellsize 30\n100 200 300\n";
/// let raster = Raster::decode(grid, &ReadOptions::default())?;
/// let bounds = raster.about().place.map(|place| place.bounds());
/// assert_eq!(bounds.map(|bounds| (bounds.min(), bounds.max())), Some(([500.0, 100.0], [590.0, 130.0])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct About {
    /// The scale and offset that the file specifies: GDAL's for the band of a TIFF. Levels are numbers times scale
    /// plus offset.
    pub scaling: Option<Scaling>,
    /// The row of the file that is the northern edge of a map, if the file states it. Rows of a raster always run from
    /// north to south: a file stored otherwise was turned.
    pub row_order: RowOrder,
    /// The size of a pixel, if the file states one: a `GeoTIFF` or an ESRI ASCII grid. No level depends on it.
    pub cell: Option<Cell>,
    /// The image's position on a map, if the file states one: a `GeoTIFF`, an ESRI ASCII grid, or an image with a world
    /// file. No level depends on it.
    pub place: Option<Place>,
    /// Whether the file states that its levels are those of points, not means over the areas of pixels:
    /// `RasterPixelIsPoint` of a `GeoTIFF`.
    pub of_points: bool,
    /// Number of further full-size images in the file, which are not read: other pages of a TIFF, other parts of an
    /// `OpenEXR` file that have the channel too. Masks and reduced copies do not count.
    pub other_images: usize,
    /// Number of colours in the file's palette. `None` when the levels are the stored numbers
    /// ([`Channel::Index`]) or there is no palette.
    pub palette: Option<usize>,
    /// Whether the levels are palette indices ([`Channel::Index`]): classes, not greys.
    pub are_indices: bool,
    /// Number of pixels without a level because of a mask file; `None` without such a file.
    pub masked: Option<u64>,
    /// The orientation that was undone; `None` if the file has no orientation.
    pub(in crate::decode) turn: Option<Orientation>,
    /// Name of the tag that gives the image's position, where that tag is not followed.
    pub(in crate::decode) unfollowed: Option<&'static str>,
    /// EPSG number of the map's coordinate system.
    pub(in crate::decode) epsg: Option<u16>,
    /// Number of pixels without a level because of alpha.
    pub(in crate::decode) clear: u64,
    /// Number of pixels whose level was divided by their alpha.
    pub(in crate::decode) divided: u64,
    /// Diagnostics from decoders.
    pub(in crate::decode) diagnostics: Vec<Diagnostic>,
}

impl Raster {
    /// Adds a diagnostic about a possible misreading, which [`Raster::diagnostics`] will list.
    pub(in crate::decode) fn warn(&mut self, diagnostic: Diagnostic) {
        self.about.diagnostics.push(diagnostic);
    }

    /// Returns facts about the image besides its levels.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Removes the level of a pixel because of its alpha.
    pub(in crate::decode) fn clear(&mut self, x: u32, y: u32) {
        self.forbid(x, y);
        self.about.clear += 1;
    }

    /// Sets a level that is stored multiplied by `alpha`, which is above 0. The level is capped at `most`.
    #[inline]
    pub(in crate::decode) fn put_divided(
        &mut self,
        [x, y]: [u32; 2],
        stored: f64,
        alpha: f64,
        most: f64,
    ) {
        // Alpha above 1 is not a share.
        if alpha >= 1.0 {
            return self.put(x, y, stored);
        }
        let level = stored / alpha;
        // NaN stays NaN.
        self.put(x, y, if level > most { most } else { level });
        self.about.divided += 1;
    }

    /// Records the turn, and turns the metadata that depends on it.
    pub(super) fn turn_about(&mut self, orientation: Orientation) {
        self.about.turn = Some(orientation);
        if !is_upright(orientation) {
            self.about.cell = self.about.cell.map(Cell::transposed);
        }
    }

    /// Returns possible misreadings of the image.
    ///
    /// `channel` is the requested channel. `levels` are the ends of the map to be made; `None` if the numbers are not
    /// read as greys (heights, for example). Takes a pass over the pixels.
    pub fn diagnostics(&self, channel: &Channel, levels: Option<Levels>) -> Vec<Diagnostic> {
        let mut found = self.about.diagnostics(self.size());
        found.extend(Tally::of(self).diagnostics(channel, levels));
        found
    }
}

impl About {
    /// Adds a diagnostic for the transfer function that the file states, if any.
    pub(in crate::decode) fn show(&mut self, transfer: Option<Transfer>) {
        let said = transfer.map(|transfer| Diagnostic::Transfer { transfer });
        self.diagnostics.extend(said);
    }

    /// Sets the row order and the position on a map of an image of this size.
    pub(in crate::decode) fn place(&mut self, rows: RowOrder, steps: PixelSteps, size: [u32; 2]) {
        self.row_order = rows;
        let unit = self.cell.map_or(CellUnit::Unsaid, Cell::unit);
        self.place = Place::new(steps, size, unit, self.epsg);
        let said = || {
            let cell = Cell::new(steps.lengths(), CellUnit::Unsaid)?;
            Some(if self.turn.is_none_or(is_upright) {
                cell
            } else {
                cell.transposed()
            })
        };
        self.cell = self.cell.or_else(said);
    }

    /// Returns possible misreadings of an image of this size that follow from its metadata alone.
    pub(in crate::decode) fn diagnostics(&self, size: [u32; 2]) -> Vec<Diagnostic> {
        let palette = self.palette.map(|colours| Diagnostic::Palette { colours });
        let others = self.other_images;
        let others = (others > 0).then_some(Diagnostic::OtherImages { others, size });
        let rows = match self.row_order {
            RowOrder::NegativeScale => Some(Diagnostic::NegativeScale),
            RowOrder::SouthFirst => Some(Diagnostic::RowsTurned),
            RowOrder::NorthFirst | RowOrder::Unsaid => None,
        };
        // A world file may give the position as well.
        let unfollowed = self.unfollowed.filter(|_| self.place.is_none());
        let place = unfollowed.map(|by| Diagnostic::PlaceNotFollowed { by });
        let found = [palette, others, rows, place].into_iter().flatten();
        found.chain(self.diagnostics.iter().cloned()).collect()
    }
}
