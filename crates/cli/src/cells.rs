//! Pixels as large as their file says, beside those of the world.

use density::decode::Raster;
use density::diagnostic::{Cell, Diagnostic};
use serde::Serialize;

/// How large a file says that its pixels are.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Cells {
    /// Of a pixel: width and height.
    size: [f64; 2],
    /// What they are measured in; `null` when the file does not say.
    unit: Option<&'static str>,
    #[serde(skip)]
    cell: Cell,
    #[serde(skip)]
    pixels: [u32; 2],
}

impl Cells {
    /// Those of an image, where its file says how large they are.
    pub(crate) fn of(raster: &Raster) -> Option<Self> {
        let pixels = [raster.width(), raster.height()];
        raster.cell().map(|cell| Self::new(cell, pixels))
    }

    /// Those of an image of so many pixels.
    pub(crate) fn new(cell: Cell, pixels: [u32; 2]) -> Self {
        Self {
            size: cell.size(),
            unit: cell.unit().name(),
            cell,
            pixels,
        }
    }

    /// Those between heights at their corners, one less along each axis.
    pub(crate) fn between(self) -> Self {
        Self {
            pixels: self.pixels.map(|n| n.saturating_sub(1)),
            ..self
        }
    }

    /// What to say of a map that lies over the world one unit a pixel, for no --size was given.
    pub(crate) fn of_map(&self, size: Option<[f64; 2]>) -> Option<Diagnostic> {
        match size {
            None => self.cell.on_map(self.pixels),
            Some(_) => None,
        }
    }

    /// What to say of heights over the world, whose slopes are those of the file only where its
    /// pixels are as large as the file says; `size` if it was given.
    pub(crate) fn of_heights(&self, size: Option<[f64; 2]>, world: [f64; 2]) -> Option<Diagnostic> {
        self.cell.on_ground(self.pixels, world, size.is_some())
    }
}
