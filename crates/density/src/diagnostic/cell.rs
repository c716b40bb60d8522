//! How large a file says that its pixels are.

use super::Diagnostic;

/// Sizes that differ by less are the same: 26.1 and 26.12 pixels of a cut at its edges.
const SAME: f64 = 0.01;

/// How large a file says that a pixel is.
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

/// What a pixel's size, or heights, are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellUnit {
    /// Metres on a map.
    Metres,
    /// Feet on a map, of whatever country.
    Feet,
    /// Kilometres on a map.
    Kilometres,
    /// Degrees of longitude and latitude: no length, and of another one at each latitude.
    Degrees,
    /// The file does not say what.
    Unsaid,
}

impl Cell {
    /// A pixel so wide and high, whichever way its axes point; `None` when that is no size.
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

    /// A pixel's width and height.
    pub fn size(self) -> [f64; 2] {
        self.size
    }

    /// What they are measured in.
    pub fn unit(self) -> CellUnit {
        self.unit
    }

    /// The same pixel of an image whose levels, where they are heights, are measured in `heights`.
    #[must_use]
    pub fn with_heights(self, heights: CellUnit) -> Self {
        Self { heights, ..self }
    }

    /// Returns `true` if so many pixels, across and down, fill a world of this size to a hundredth.
    pub fn fills(self, pixels: [u32; 2], world: [f64; 2]) -> bool {
        (0..2).all(|k| {
            let wide = self.size[k] * f64::from(pixels[k]);
            (world[k] - wide).abs() <= SAME * wide
        })
    }

    /// Returns what to say of a map of so many pixels that lies over the world at one unit a pixel.
    pub fn on_map(self, pixels: [u32; 2]) -> Option<Diagnostic> {
        let told = !self.fills(pixels, pixels.map(f64::from));
        told.then_some(Diagnostic::MapPixels { cell: self, pixels })
    }

    /// Returns what to say of heights of so many pixels over a world of this size: slopes are those of
    /// the file only where its pixels are as large as it says, and its heights in the same unit. `measured`
    /// says that the size was given, or found in a file, and is not one unit a pixel.
    pub fn on_ground(
        self,
        pixels: [u32; 2],
        world: [f64; 2],
        measured: bool,
    ) -> Option<Diagnostic> {
        // Nobody can tell how long a degree is in the world's units.
        let given = self.unit == CellUnit::Degrees && measured;
        if !given && !self.fills(pixels, world) {
            return Some(Diagnostic::HeightPixels {
                cell: self,
                pixels,
                here: [0, 1].map(|k| world[k] / f64::from(pixels[k])),
            });
        }
        let (heights, cells) = (self.heights, self.unit);
        let both = heights.metres().zip(cells.metres());
        both.filter(|_| heights != cells)
            .map(|(high, wide)| Diagnostic::HeightUnit {
                heights,
                cells,
                factor: high / wide,
            })
    }

    /// The pixel lying on its side.
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
    /// Its name in English, in the plural; `None` where it is not said.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Metres => Some("metres"),
            Self::Feet => Some("feet"),
            Self::Kilometres => Some("kilometres"),
            Self::Degrees => Some("degrees"),
            Self::Unsaid => None,
        }
    }

    /// How many metres one of it is; `None` where it is no length. Feet are the international ones, of
    /// which those of surveyors are millionths apart.
    fn metres(self) -> Option<f64> {
        match self {
            Self::Metres => Some(1.0),
            Self::Feet => Some(0.3048),
            Self::Kilometres => Some(1000.0),
            Self::Degrees | Self::Unsaid => None,
        }
    }

    /// The length that GDAL calls so; [`Unsaid`](Self::Unsaid) where it is none that is known here.
    #[cfg(feature = "image")]
    pub(crate) fn of_gdal(name: &str) -> Self {
        match &*name.trim().to_ascii_lowercase() {
            "m" | "metre" | "meter" | "metres" | "meters" => Self::Metres,
            "ft" | "foot" | "feet" | "us-ft" | "ftus" | "us survey foot" => Self::Feet,
            "km" | "kilometre" | "kilometer" => Self::Kilometres,
            _ => Self::Unsaid,
        }
    }
}
