//! The field of a greyscale map.

use crate::patch::Near;
use crate::pixel_field::{PixelField, Pixels};
use crate::pixel_grid::PixelGrid;
use crate::pyramid::{NodeBox, Pyramid, Summary};
use crate::{Bounds, DistRange, GreyMap, LocalRange, MapError, RadiusField, White};

/// Where the first row of an image lies in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum YAxis {
    /// At the lowest `y`: the world's `y` runs down the picture, as in images.
    #[default]
    Down,
    /// At the highest `y`: the world's `y` runs up the picture.
    Up,
}

/// How a map lies in the world and what its greys mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapOptions {
    /// What white asks for.
    pub white: White,
    /// The rectangle of the world that the image covers. `None`: from the origin, one world
    /// unit per pixel.
    pub bounds: Option<Bounds<2>>,
    /// Where the image's first row lies.
    pub y_axis: YAxis,
}

/// The field of a [`GreyMap`]: `min_dist = min + value * (max - min)`.
///
/// The value is interpolated bilinearly between the centres of pixels; beyond the outermost
/// centres, and outside the image, the edge goes on. Where a pixel does not allow points, none
/// may lie in its square, and its grey has no part in the interpolation: what was painted
/// under transparency does not bleed into its surroundings. Outside the image the nearest
/// pixel decides.
///
/// Takes 2 bytes of memory per pixel on top of the map. `min_dist` and `range_in` take
/// constant time.
#[derive(Clone, Debug)]
pub struct RadiusMap {
    field: PixelField<Whole>,
}

/// All pixels of a map.
#[derive(Clone, Debug)]
struct Whole {
    map: GreyMap,
    pyramid: Pyramid<2, u16>,
}

impl Pixels for Whole {
    #[inline]
    fn near<T>(&self, _: NodeBox<2>, f: impl FnOnce(&Near<'_>) -> T) -> T {
        f(&self.map.near([0, 0]))
    }

    #[inline]
    fn over(&self, within: NodeBox<2>) -> Summary<u16> {
        self.pyramid.over(&self.map.near([0, 0]), within)
    }
}

impl RadiusMap {
    /// The field of `map` with distances in `range`.
    ///
    /// # Errors
    /// When the rectangle is so small or so large that a pixel's size is beyond computing, or without
    /// the memory for the bounds of its boxes.
    pub fn new(map: GreyMap, range: DistRange, options: MapOptions) -> Result<Self, MapError> {
        let (width, height) = (map.width(), map.height());
        let bounds = match options.bounds {
            Some(bounds) => bounds,
            None => Bounds::from_size([width, height].map(f64::from))
                .map_err(|_| MapError::Empty { width, height })?,
        };
        let grid = PixelGrid::new([width, height], bounds, options.y_axis)?;
        let pyramid = Pyramid::new([width, height], &map.near([0, 0]));
        let pyramid = pyramid.ok_or(MapError::OutOfMemory { width, height })?;
        Ok(Self {
            field: PixelField {
                pixels: Whole { map, pyramid },
                grid,
                range,
                white: options.white,
            },
        })
    }

    /// The map.
    pub fn map(&self) -> &GreyMap {
        &self.field.pixels.map
    }

    /// How its pixels lie in the world.
    pub fn grid(&self) -> &PixelGrid {
        &self.field.grid
    }

    /// The rectangle of the world that the image covers.
    pub fn bounds(&self) -> Bounds<2> {
        self.field.grid.bounds()
    }

    /// What white asks for.
    pub fn white(&self) -> White {
        self.field.white
    }

    /// The interpolated grey at `p` in [0, 1], as painted, `None` where no point may lie.
    #[inline]
    pub fn grey_at(&self, p: [f64; 2]) -> Option<f64> {
        self.field.grey_at(p)
    }
}

impl RadiusField<2> for RadiusMap {
    #[inline]
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        self.field.min_dist(p)
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.field.range
    }

    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        self.field.range_in(bounds)
    }

    /// The grey as painted, whatever white means; 0 where no point may lie.
    fn value(&self, p: [f64; 2]) -> f64 {
        self.grey_at(p).unwrap_or(0.0)
    }

    /// The smaller side of a pixel, when the map has a mask.
    fn mask_detail(&self) -> Option<f64> {
        self.map().has_mask().then(|| self.field.grid.detail())
    }
}
