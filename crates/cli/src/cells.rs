//! Compares the pixel size that a file states with the pixel size in the world.

use density::decode::Raster;
use density::diagnostic::{Cell, Diagnostic};
use serde::Serialize;

/// The pixel size that a file states, and the number of pixels.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Cells {
    /// Width and height of a pixel.
    size: [f64; 2],
    /// The unit of `size`; `null` if the file does not state one.
    unit: Option<&'static str>,
    #[serde(skip)]
    cell: Cell,
    #[serde(skip)]
    pixels: [u32; 2],
}

impl Cells {
    /// Returns the pixel size of an image, if its file states one.
    pub(crate) fn of(raster: &Raster) -> Option<Self> {
        let pixels = [raster.width(), raster.height()];
        raster.cell().map(|cell| Self::new(cell, pixels))
    }

    /// Returns the pixel size `cell` of an image of `pixels`, across and down.
    pub(crate) fn new(cell: Cell, pixels: [u32; 2]) -> Self {
        Self {
            size: cell.size(),
            unit: cell.unit().name(),
            cell,
            pixels,
        }
    }

    /// Returns the cells between heights at cell corners: one fewer than heights along each axis.
    pub(crate) fn between(self) -> Self {
        Self {
            pixels: self.pixels.map(|n| n.saturating_sub(1)),
            ..self
        }
    }

    /// Returns a warning if the map gets one world unit per pixel, for lack of a given `size`, although its
    /// file states another pixel size.
    pub(crate) fn map_diagnostic(&self, size: Option<[f64; 2]>) -> Option<Diagnostic> {
        match size {
            None => self.cell.on_map(self.pixels),
            Some(_) => None,
        }
    }

    /// Returns a warning if the slopes over `world` differ from those in the file, because its pixels have
    /// another size there than stated or its heights another unit. `size` is the world's size, if it was
    /// given.
    pub(crate) fn height_diagnostic(
        &self,
        size: Option<[f64; 2]>,
        world: [f64; 2],
    ) -> Option<Diagnostic> {
        self.cell.on_ground(self.pixels, world, size.is_some())
    }
}
