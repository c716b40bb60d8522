//! What is known of an image besides its levels.

use super::{Raster, Tally};
use crate::decode::Channel;
use crate::decode::levels::Levels;
use crate::decode::orientation::{Orientation, is_upright};
use crate::decode::place::{PixelSteps, Place, RowOrder};
use crate::decode::scaling::Scaling;
use crate::diagnostic::{Cell, CellUnit, Diagnostic, Transfer};

/// What a file says besides its levels, and what became of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::decode) struct About {
    pub(in crate::decode) scaling: Option<Scaling>,
    /// How the pixels of the file were turned; `None` if they were not.
    pub(in crate::decode) turn: Option<Orientation>,
    pub(in crate::decode) rows: RowOrder,
    pub(in crate::decode) cell: Option<Cell>,
    /// Where the image lies on a map.
    pub(in crate::decode) place: Option<Place>,
    /// By what the file says where it lies, where that is not followed.
    pub(in crate::decode) unfollowed: Option<&'static str>,
    /// The number of the map's coordinate system.
    pub(in crate::decode) epsg: Option<u16>,
    /// Whether the levels are said to be those of points.
    pub(in crate::decode) of_points: bool,
    /// Images that are not read.
    pub(in crate::decode) others: usize,
    /// Colours of the palette that the levels are from.
    pub(in crate::decode) palette: Option<usize>,
    /// Pixels that a mask beside the file takes the level of; `None` without one.
    pub(in crate::decode) masked: Option<u64>,
    /// Pixels that alpha takes the level of.
    pub(in crate::decode) clear: u64,
    /// Pixels whose level was divided by their alpha.
    pub(in crate::decode) divided: u64,
    /// What decoders have to say besides.
    pub(in crate::decode) diagnostics: Vec<Diagnostic>,
}

impl Raster {
    /// Adds something that may have been read otherwise than the file means it, for
    /// [`Raster::diagnostics`] to list.
    pub fn warn(&mut self, diagnostic: Diagnostic) {
        self.about.diagnostics.push(diagnostic);
    }

    /// Adds how the values are meant to be shown, where the file says it.
    pub(in crate::decode) fn shown(mut self, transfer: Option<Transfer>) -> Self {
        let said = transfer.map(|transfer| Diagnostic::Transfer { transfer });
        self.about.diagnostics.extend(said);
        self
    }

    /// Where the image lies on a map, where its file says so: a `GeoTIFF`, an ESRI ASCII grid, or an image
    /// with a world file.
    /// Nothing here depends on it.
    pub fn place(&self) -> Option<Place> {
        self.about.place
    }

    /// Returns `true` if the file says that its levels are those of points, not means over the
    /// areas of pixels: `RasterPixelIsPoint` of a `GeoTIFF`.
    pub fn is_of_points(&self) -> bool {
        self.about.of_points
    }

    /// Takes the pixel's level away on account of its alpha.
    pub(in crate::decode) fn clear(&mut self, x: u32, y: u32) {
        self.forbid(x, y);
        self.about.clear += 1;
    }

    /// Gives the pixel a level that is stored multiplied by `alpha`, which is above 0. No level is
    /// more than `most`.
    #[inline]
    pub(in crate::decode) fn put_divided(
        &mut self,
        [x, y]: [u32; 2],
        stored: f64,
        alpha: f64,
        most: f64,
    ) {
        // What is more than opaque is no share of anything.
        if alpha >= 1.0 {
            return self.put(x, y, stored);
        }
        let level = stored / alpha;
        // NaN stays NaN.
        self.put(x, y, if level > most { most } else { level });
        self.about.divided += 1;
    }

    /// The same raster, whose rows lie on a map as said.
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

    /// Turns what is known of pixels as they are turned.
    pub(super) fn turn_about(&mut self, orientation: Orientation) {
        self.about.turn = Some(orientation);
        if !is_upright(orientation) {
            self.about.cell = self.about.cell.map(Cell::transposed);
        }
    }

    /// Which row of the file is the northern edge of a map, where the file says so. Rows run from
    /// north to south in any case: they are turned where the file has them otherwise.
    pub fn row_order(&self) -> RowOrder {
        self.about.rows
    }

    /// What the file says that its numbers are to be multiplied by, and what is to be added then:
    /// GDAL's scale and offset of the band in a TIFF. Levels are what comes of it.
    pub fn scaling(&self) -> Option<Scaling> {
        self.about.scaling
    }

    /// How large the file says that a pixel is, where it says so: a `GeoTIFF` or an ESRI ASCII
    /// grid. Nothing here depends on it.
    pub fn cell(&self) -> Option<Cell> {
        self.about.cell
    }

    /// How many colours the file's palette has, when the levels are those of its colours and not
    /// the numbers that are stored ([`Channel::Index`](crate::decode::Channel::Index)).
    pub fn palette(&self) -> Option<usize> {
        self.about.palette
    }

    /// How many more images of full size the file holds, of which nothing is read: other pages of
    /// a TIFF, other parts of an `OpenEXR` file that have the channel too. Not its masks and its reduced copies.
    pub fn other_images(&self) -> usize {
        self.about.others
    }

    /// How many pixels have lost their level to a mask in a file beside the image
    /// ([`Raster::mask_by`]); `None` without one.
    pub fn masked(&self) -> Option<u64> {
        self.about.masked
    }

    /// The share of the pixels that have no level because their alpha is 0, in [0, 1].
    pub fn clear_share(&self) -> f64 {
        self.share(self.about.clear)
    }

    /// The share of the pixels whose level was divided by their alpha, because the file stores
    /// colours that are multiplied by it, in [0, 1]. Those that are opaque do not count.
    pub fn divided_share(&self) -> f64 {
        self.share(self.about.divided)
    }

    /// What may have been read otherwise than it was meant.
    ///
    /// `channel` is the one that was asked for. `levels` are those that a map is made with; `None`
    /// where the numbers are not read as greys, as heights are not. Takes a pass over the pixels.
    pub fn diagnostics(&self, channel: &Channel, levels: Option<Levels>) -> Vec<Diagnostic> {
        let about = &self.about;
        let size = [self.width, self.height];
        // A world file may say it as well.
        let unfollowed = about.unfollowed.filter(|_| about.place.is_none());
        let mut found = said_by_file(about.palette, about.others, size, about.rows, unfollowed);
        found.extend(about.diagnostics.iter().cloned());
        found.extend(Tally::of(self).diagnostics(channel, levels));
        found
    }

    fn share(&self, pixels: u64) -> f64 {
        pixels as f64 / (f64::from(self.width) * f64::from(self.height))
    }
}

/// What a file says that it may not mean, whatever its pixels are: of its palette, of how many images
/// more it holds than the one of this size, of its rows, and by what it says where it lies without being
/// followed.
pub(in crate::decode) fn said_by_file(
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
