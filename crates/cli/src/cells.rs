//! Pixels as large as their file says, beside those of the world.

use crate::numbers::short;
use crate::report;
use density::{CellUnit, Raster};
use serde::Serialize;

/// How large a file says that its pixels are.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Cells {
    /// Of a pixel: width and height.
    size: [f64; 2],
    /// What they are measured in; `null` when the file does not say.
    unit: Option<&'static str>,
    #[serde(skip)]
    is_angle: bool,
    #[serde(skip)]
    pixels: [u32; 2],
}

/// Sizes that differ by less are the same: 26.1 and 26.12 pixels of a cut at its edges.
const SAME: f64 = 0.01;

impl Cells {
    /// Those of an image, where its file says how large they are.
    pub(crate) fn of(raster: &Raster) -> Option<Self> {
        let cell = raster.cell()?;
        Some(Self {
            size: cell.size(),
            unit: cell.unit().name(),
            is_angle: cell.unit() == CellUnit::Degrees,
            pixels: [raster.width(), raster.height()],
        })
    }

    /// What to say of a map that lies over the world one unit a pixel, for no --size was given.
    pub(crate) fn of_map(&self, name: &str, size: Option<[f64; 2]>) -> Option<String> {
        let world = self.pixels.map(f64::from);
        if size.is_some() || self.fill(world) {
            return None;
        }
        Some(format!(
            "{name} says that a pixel is {}, and the world has one unit a pixel: {}",
            self.said(),
            self.advice("distances")
        ))
    }

    /// What to say of heights over the world, whose slopes are those of the file only where its
    /// pixels are as large as the file says; `size` if it was given.
    pub(crate) fn of_heights(
        &self,
        name: &str,
        size: Option<[f64; 2]>,
        world: [f64; 2],
    ) -> Option<String> {
        // Nobody can tell how long a degree is in the world's units.
        let told = self.is_angle && size.is_some();
        if told || self.fill(world) {
            return None;
        }
        let here = [0, 1].map(|k| world[k] / f64::from(self.pixels[k]));
        Some(format!(
            "{name} says that a pixel is {}, and in the world it is {} units, so slopes are not \
             those of the ground: {}",
            self.said(),
            sides(here),
            self.advice("heights")
        ))
    }

    fn fill(&self, world: [f64; 2]) -> bool {
        (0..2).all(|k| {
            let wide = self.size[k] * f64::from(self.pixels[k]);
            (world[k] - wide).abs() <= SAME * wide
        })
    }

    fn said(&self) -> String {
        let unit = self.unit.map_or(String::new(), |unit| format!(" {unit}"));
        format!("{}{unit}", sides(self.size))
    }

    fn advice(&self, measured: &str) -> String {
        if self.is_angle {
            return format!(
                "give --size in the unit of your {measured} (a degree of latitude is some 111 \
                 km), or a file in metres, as gdalwarp makes it"
            );
        }
        let size = [0, 1].map(|k| {
            let wide = self.size[k] * f64::from(self.pixels[k]);
            // 9000, not 9000.000000000002.
            (wide * 1e6).round() / 1e6
        });
        format!("--size {} takes the file's", report::size(size))
    }
}

fn sides([width, height]: [f64; 2]) -> String {
    format!("{}x{}", short(width), short(height))
}
