//! Facts about an image besides its levels.

use super::{Raster, Tally};
use crate::decode::Channel;
use crate::decode::levels::Levels;
use crate::decode::orientation::{Orientation, is_upright};
use crate::decode::place::{PixelSteps, Place, RowOrder};
use crate::decode::scaling::Scaling;
use crate::diagnostic::{Cell, CellUnit, Diagnostic, Transfer};

/// Metadata of a file, and counts of the pixels that alpha or a mask changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::decode) struct About {
    pub(in crate::decode) scaling: Option<Scaling>,
    /// The orientation that was undone; `None` if the file has no orientation.
    pub(in crate::decode) turn: Option<Orientation>,
    pub(in crate::decode) rows: RowOrder,
    pub(in crate::decode) cell: Option<Cell>,
    /// Position of the image on a map.
    pub(in crate::decode) place: Option<Place>,
    /// Name of the tag that gives the image's position, where that tag is not followed.
    pub(in crate::decode) unfollowed: Option<&'static str>,
    /// EPSG number of the map's coordinate system.
    pub(in crate::decode) epsg: Option<u16>,
    /// Whether the file states that the levels are those of points.
    pub(in crate::decode) of_points: bool,
    /// Number of further images, which are not read.
    pub(in crate::decode) others: usize,
    /// Number of colours in the palette that the levels come from.
    pub(in crate::decode) palette: Option<usize>,
    /// Whether the levels are palette indices.
    pub(in crate::decode) indices: bool,
    /// Number of pixels without a level because of a mask file; `None` without such a file.
    pub(in crate::decode) masked: Option<u64>,
    /// Number of pixels without a level because of alpha.
    pub(in crate::decode) clear: u64,
    /// Number of pixels whose level was divided by their alpha.
    pub(in crate::decode) divided: u64,
    /// Diagnostics from decoders.
    pub(in crate::decode) diagnostics: Vec<Diagnostic>,
}

impl Raster {
    /// Adds a diagnostic about a possible misreading, which [`Raster::diagnostics`] will list.
    pub fn warn(&mut self, diagnostic: Diagnostic) {
        self.about.diagnostics.push(diagnostic);
    }

    /// Adds a diagnostic for the transfer function that the file states, if any.
    pub(in crate::decode) fn shown(mut self, transfer: Option<Transfer>) -> Self {
        let said = transfer.map(|transfer| Diagnostic::Transfer { transfer });
        self.about.diagnostics.extend(said);
        self
    }

    /// Returns the image's position on a map, if the file states one: a `GeoTIFF`, an ESRI ASCII grid, or an image with
    /// a world file. Nothing here depends on it.
    pub fn place(&self) -> Option<Place> {
        self.about.place
    }

    /// Returns `true` if the file states that its levels are those of points, not means over the areas of pixels:
    /// `RasterPixelIsPoint` of a `GeoTIFF`.
    pub fn is_of_points(&self) -> bool {
        self.about.of_points
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

    /// Returns the raster with its row order and position on a map set.
    pub(in crate::decode) fn with_rows(mut self, rows: RowOrder, steps: PixelSteps) -> Self {
        self.about.rows = rows;
        let unit = self.about.cell.map_or(CellUnit::Unsaid, Cell::unit);
        let size = [self.width, self.height];
        self.about.place = Place::new(steps, size, unit, self.about.epsg);
        let said = || {
            let cell = Cell::new(steps.lengths(), CellUnit::Unsaid)?;
            Some(if self.about.turn.is_none_or(is_upright) {
                cell
            } else {
                cell.transposed()
            })
        };
        self.about.cell = self.about.cell.or_else(said);
        self
    }

    /// Records the turn, and turns the metadata that depends on it.
    pub(super) fn turn_about(&mut self, orientation: Orientation) {
        self.about.turn = Some(orientation);
        if !is_upright(orientation) {
            self.about.cell = self.about.cell.map(Cell::transposed);
        }
    }

    /// Returns the row of the file that is the northern edge of a map, if the file states it. Rows of a raster always
    /// run from north to south: a file stored otherwise was turned.
    pub fn row_order(&self) -> RowOrder {
        self.about.rows
    }

    /// Returns the scale and offset that the file specifies: GDAL's for the band of a TIFF. Levels are numbers times
    /// scale plus offset.
    pub fn scaling(&self) -> Option<Scaling> {
        self.about.scaling
    }

    /// Returns the size of a pixel, if the file states one: a `GeoTIFF` or an ESRI ASCII grid. Nothing here depends on
    /// it.
    pub fn cell(&self) -> Option<Cell> {
        self.about.cell
    }

    /// Returns the number of colours in the file's palette. `None` when the levels are the stored numbers
    /// ([`Channel::Index`](crate::decode::Channel::Index)) or there is no palette.
    pub fn palette(&self) -> Option<usize> {
        self.about.palette
    }

    /// Returns `true` if the levels are palette indices
    /// ([`Channel::Index`](crate::decode::Channel::Index)): classes, not greys.
    pub fn are_indices(&self) -> bool {
        self.about.indices
    }

    /// Returns the number of further full-size images in the file, which are not read: other pages of a TIFF, other
    /// parts of an `OpenEXR` file that have the channel too. Masks and reduced copies do not count.
    pub fn other_images(&self) -> usize {
        self.about.others
    }

    /// Returns the number of pixels without a level because of a mask file ([`Raster::mask_by`]); `None` without such a
    /// file.
    pub fn masked(&self) -> Option<u64> {
        self.about.masked
    }

    /// Returns the share of the pixels that have no level because their alpha is 0, in [0, 1].
    pub fn clear_share(&self) -> f64 {
        self.share(self.about.clear)
    }

    /// Returns the share of the pixels whose level was divided by their alpha, because the file stores colours
    /// multiplied by alpha, in [0, 1]. Opaque pixels do not count.
    pub fn divided_share(&self) -> f64 {
        self.share(self.about.divided)
    }

    /// Returns possible misreadings of the image.
    ///
    /// `channel` is the requested channel. `levels` are the ends of the map to be made; `None` if the numbers are not
    /// read as greys (heights, for example). Takes a pass over the pixels.
    pub fn diagnostics(&self, channel: &Channel, levels: Option<Levels>) -> Vec<Diagnostic> {
        let about = &self.about;
        let size = [self.width, self.height];
        // A world file may give the position as well.
        let unfollowed = about.unfollowed.filter(|_| about.place.is_none());
        let mut found =
            metadata_diagnostics(about.palette, about.others, size, about.rows, unfollowed);
        found.extend(about.diagnostics.iter().cloned());
        found.extend(Tally::of(self).diagnostics(channel, levels));
        found
    }

    fn share(&self, pixels: u64) -> f64 {
        pixels as f64 / (f64::from(self.width) * f64::from(self.height))
    }
}

/// Returns possible misreadings that follow from a file's metadata alone: the colours of its palette, the number of
/// further images beside the one of this `size`, its row order, and the tag of a position that is not followed.
pub(in crate::decode) fn metadata_diagnostics(
    palette: Option<usize>,
    others: usize,
    size: [u32; 2],
    rows: RowOrder,
    unfollowed: Option<&'static str>,
) -> Vec<Diagnostic> {
    let palette = palette.map(|colours| Diagnostic::Palette { colours });
    let others = (others > 0).then_some(Diagnostic::OtherImages { others, size });
    let rows = match rows {
        RowOrder::NegativeScale => Some(Diagnostic::NegativeScale),
        RowOrder::SouthFirst => Some(Diagnostic::RowsTurned),
        RowOrder::NorthFirst | RowOrder::Unsaid => None,
    };
    let place = unfollowed.map(|by| Diagnostic::PlaceNotFollowed { by });
    let found = [palette, others, rows, place];
    found.into_iter().flatten().collect()
}
