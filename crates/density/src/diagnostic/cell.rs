//! Pixel sizes stated by files.

use super::Diagnostic;

/// Relative difference up to which sizes are equal: 26.1 and 26.12 pixels of an image that was cut at its edges.
const SAME: f64 = 0.01;

/// The size of a pixel that a file states.
///
/// ```
/// use spinney_density::diagnostic::{Cell, CellUnit};
///
/// // GIS programs write heights of pixels as negative numbers.
/// let cell = Cell::new([30.0, -30.0], CellUnit::Metres).expect("a size");
/// assert_eq!((cell.size(), cell.unit().name()), ([30.0, 30.0], Some("metres")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    size: [f64; 2],
    unit: CellUnit,
    heights: CellUnit,
}

/// The unit of a pixel's size, or of heights.
///
/// See [`Cell`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellUnit {
    /// Metres on a map.
    Metres,
    /// Feet on a map, of any country.
    Feet,
    /// Kilometres on a map.
    Kilometres,
    /// Degrees of longitude and latitude: not a length, since a degree varies with latitude.
    Degrees,
    /// The file states no unit.
    Unsaid,
}

/// Knowledge of heights in a world, apart from what their file states.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeightsKnown {
    /// The world's size was given, or found in a file, and is not one unit per pixel.
    pub is_measured: bool,
    /// The heights of black and white were given, in world units, so the file's unit of height is irrelevant.
    pub is_ranged: bool,
    /// The heights are known to lie upside down. They are not at their place then, and no size of the world would fit
    /// them.
    pub is_turned: bool,
}

impl Cell {
    /// Creates a pixel with this width and height; signs are dropped. Returns `None` if they are not a size.
    pub fn new([width, height]: [f64; 2], unit: CellUnit) -> Option<Self> {
        let size = [width.abs(), height.abs()];
        let is_size = size.iter().all(|side| side.is_normal());
        let heights = CellUnit::Unsaid;
        is_size.then_some(Self {
            size,
            unit,
            heights,
        })
    }

    /// Returns a pixel's width and height.
    pub fn size(self) -> [f64; 2] {
        self.size
    }

    /// Returns the unit of the width and height.
    pub fn unit(self) -> CellUnit {
        self.unit
    }

    /// Returns this pixel with `heights` as the unit of its image's levels, where those are heights.
    #[must_use]
    pub fn with_heights(self, heights: CellUnit) -> Self {
        Self { heights, ..self }
    }

    /// Returns `true` if this number of pixels, across and down, fills a world of this size to a hundredth.
    pub fn fills(self, pixels: [u32; 2], world: [f64; 2]) -> bool {
        (0..2).all(|k| {
            let wide = self.size[k] * f64::from(pixels[k]);
            (world[k] - wide).abs() <= SAME * wide
        })
    }

    /// Returns a warning if a map of this number of pixels, at one unit per pixel, disagrees with its file.
    pub fn on_map(self, pixels: [u32; 2]) -> Option<Diagnostic> {
        let told = !self.fills(pixels, pixels.map(f64::from));
        told.then_some(Diagnostic::MapPixels { cell: self, pixels })
    }

    /// Returns a warning if slopes in a world of this size differ from those of the file. They agree only if pixels
    /// have the stated size, and heights have the same unit.
    pub fn on_ground(
        self,
        pixels: [u32; 2],
        world: [f64; 2],
        heights: HeightsKnown,
    ) -> Option<Diagnostic> {
        let HeightsKnown {
            is_measured,
            is_ranged,
            is_turned,
        } = heights;
        // The length of a degree in world units is unknown.
        let given = self.unit == CellUnit::Degrees && is_measured;
        let is_known = is_turned || is_measured && is_ranged;
        if !is_known && !given && !self.fills(pixels, world) {
            return Some(Diagnostic::HeightPixels {
                cell: self,
                pixels,
                here: [0, 1].map(|k| world[k] / f64::from(pixels[k])),
            });
        }
        let (heights, cells) = (self.heights, self.unit);
        let both = heights.metres().zip(cells.metres());
        both.filter(|_| heights != cells && !is_ranged)
            .map(|(high, wide)| Diagnostic::HeightUnit {
                heights,
                cells,
                factor: high / wide,
            })
    }

    /// Returns this pixel with its width and height in `unit`.
    #[cfg(feature = "image")]
    pub(crate) fn with_unit(self, unit: CellUnit) -> Self {
        Self { unit, ..self }
    }

    /// Returns the pixel with width and height exchanged.
    #[cfg(feature = "image")]
    pub(crate) fn transposed(self) -> Self {
        let [width, height] = self.size;
        Self {
            size: [height, width],
            ..self
        }
    }
}

impl CellUnit {
    /// Returns the unit's English name, in the plural; `None` if the unit is unknown.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Metres => Some("metres"),
            Self::Feet => Some("feet"),
            Self::Kilometres => Some("kilometres"),
            Self::Degrees => Some("degrees"),
            Self::Unsaid => None,
        }
    }

    /// Returns a warning about a file whose readers take a unit for a metre, if this unit is another length.
    pub fn in_metres(self) -> Option<Diagnostic> {
        let other = self.metres().filter(|_| self != Self::Metres)?;
        Some(Diagnostic::NotMetres {
            unit: self,
            factor: other,
        })
    }

    /// Returns the unit in metres; `None` if it is not a length. Feet are international; surveyors' feet differ by
    /// millionths.
    fn metres(self) -> Option<f64> {
        match self {
            Self::Metres => Some(1.0),
            Self::Feet => Some(0.3048),
            Self::Kilometres => Some(1000.0),
            Self::Degrees | Self::Unsaid => None,
        }
    }

    /// Returns the length unit with this name in GDAL; [`Unsaid`](Self::Unsaid) for unknown names.
    pub fn of_gdal(name: &str) -> Self {
        match &*name.trim().to_ascii_lowercase() {
            "m" | "metre" | "meter" | "metres" | "meters" => Self::Metres,
            "ft" | "foot" | "feet" | "us-ft" | "ftus" | "us survey foot" => Self::Feet,
            "km" | "kilometre" | "kilometer" => Self::Kilometres,
            _ => Self::Unsaid,
        }
    }
}
