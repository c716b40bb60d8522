//! Places the pixels of a map in the world.

use crate::patch::Between;
use crate::{Bounds, BoundsError, MapError, PixelRect};

/// Position of the first row of an image in the world.
///
/// ```
/// use spinney_density::{DistRange, GreyMap, MapOptions, RadiusField, RadiusMap, YAxis};
///
/// // The first row is black (dense), the second white.
/// let map = GreyMap::from_fn(1, 2, |_, y| f64::from(y))?;
/// let range = DistRange::new(1.0, 5.0)?;
/// for (y_axis, lowest) in [(YAxis::Down, 1.0), (YAxis::Up, 5.0)] {
///     let options = MapOptions { y_axis, ..MapOptions::default() };
///     let field = RadiusMap::new(map.clone(), range, options)?;
///     assert_eq!(field.min_dist([0.5, 0.5]), Some(lowest));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum YAxis {
    /// At the lowest `y`: the world's `y` runs down the image, as usual in images.
    #[default]
    Down,
    /// At the highest `y`: the world's `y` runs up the image.
    Up,
}

/// The pixels of a whole map and their place in the world: their number, the rectangle that they
/// cover, and the direction of `y`. A part of the map is a [`PixelRect`] of this grid.
///
/// Places are converted to pixels from the whole alone, in the same way for every part. So a part
/// of a map gives the whole's numbers, bit for bit.
///
/// ```
/// use spinney_density::{Bounds, PixelGrid, YAxis};
///
/// // 60,000 x 40,000 pixels of 30 units, the first row in the north.
/// let world = Bounds::with_origin([500_000.37, 4_000_000.0], [1_800_000.0, 1_200_000.0])?;
/// let grid = PixelGrid::new([60_000, 40_000], world, YAxis::Up)?;
/// let window = Bounds::with_origin([800_000.0, 4_300_000.0], [30_000.0, 30_000.0])?;
/// let near = grid.around(&window, 600.0);
/// assert_eq!((near.width(), near.height()), (1042, 1042));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelGrid {
    size: [u32; 2],
    bounds: Bounds<2>,
    y_axis: YAxis,
    axes: [Axis; 2],
}

impl PixelGrid {
    /// Creates the grid of an image of `size`, columns and rows, over `bounds`.
    ///
    /// # Errors
    /// When there is no pixel, or the rectangle is so small or so large that a pixel's size cannot
    /// be computed with.
    pub fn new(size: [u32; 2], bounds: Bounds<2>, y_axis: YAxis) -> Result<Self, MapError> {
        let [width, height] = size;
        if width == 0 || height == 0 {
            return Err(MapError::Empty { width, height });
        }
        let mut axes = [0, 1].map(|axis| Axis {
            origin: bounds.min()[axis],
            scale: f64::from(size[axis]) / bounds.size()[axis],
            last: f64::from(size[axis] - 1),
            last_pixel: size[axis] - 1,
        });
        for (axis, Axis { scale, .. }) in axes.iter().enumerate() {
            if !scale.is_normal() || !(1.0 / scale).is_normal() {
                return Err(MapError::PixelSize {
                    axis,
                    pixels: size[axis],
                    size: bounds.size()[axis],
                });
            }
        }
        if y_axis == YAxis::Up {
            axes[1].origin = bounds.max()[1];
            axes[1].scale = -axes[1].scale;
        }
        Ok(Self {
            size,
            bounds,
            y_axis,
            axes,
        })
    }

    /// Creates the grid of values at the corners of cells over `bounds`: `n` values along an axis
    /// span `n - 1` cells, and the first and the last lie on the edges. The values lie at the
    /// centres of pixels that cover half a cell more on every side.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and with fewer than two values along an axis.
    pub fn of_corners(size: [u32; 2], bounds: Bounds<2>, y_axis: YAxis) -> Result<Self, MapError> {
        let [width, height] = size;
        if width < 2 || height < 2 {
            return Err(MapError::NoCells { width, height });
        }
        let half = [0, 1].map(|a| 0.5 * bounds.size()[a] / (f64::from(size[a]) - 1.0));
        let min = [0, 1].map(|a| bounds.min()[a] - half[a]);
        let max = [0, 1].map(|a| bounds.max()[a] + half[a]);
        let pixels = Bounds::new(min, max).map_err(|error| {
            let (BoundsError::NotFinite { axis, .. } | BoundsError::Empty { axis, .. }) = error;
            MapError::PixelSize {
                axis,
                pixels: size[axis],
                size: bounds.size()[axis],
            }
        })?;
        Self::new(size, pixels, y_axis)
    }

    /// Returns the numbers of columns and rows.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the rectangle of the world that the pixels cover.
    pub fn bounds(&self) -> Bounds<2> {
        self.bounds
    }

    /// Returns the position of the first row.
    pub fn y_axis(&self) -> YAxis {
        self.y_axis
    }

    /// Returns a pixel's width and height, world units.
    pub fn pixel(&self) -> [f64; 2] {
        [0, 1].map(|a: usize| 1.0 / self.axes[a].scale.abs())
    }

    /// Returns the rectangle of all pixels.
    pub fn whole(&self) -> PixelRect {
        PixelRect {
            min: [0, 0],
            max: self.size,
        }
    }

    /// Returns the pixels that values depend on at places in `area` and up to `margin` world units
    /// beside it. Never empty: far outside the map, these are the nearest pixels of its edge.
    pub fn around(&self, area: &Bounds<2>, margin: f64) -> PixelRect {
        let nodes = [0, 1].map(|a| {
            let ends = [area.min()[a] - margin, area.max()[a] + margin];
            let [from, to] = ends.map(|p| self.axes[a].between(p));
            [from.0.min(to.0), from.1.max(to.1)]
        });
        PixelRect::of_nodes(nodes)
    }

    #[inline]
    pub(crate) fn axes(&self) -> &[Axis; 2] {
        &self.axes
    }

    /// Returns the smaller side of a pixel, world units.
    pub(crate) fn detail(&self) -> f64 {
        let [width, height] = self.pixel();
        width.min(height)
    }
}

/// The conversion of one world coordinate to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    /// Coordinate where the first pixel begins.
    origin: f64,
    /// Pixels per world unit; negative if the axis runs against the image.
    scale: f64,
    /// Number of the last pixel; `last_pixel` is the same as an integer.
    last: f64,
    last_pixel: u32,
}

impl Axis {
    /// Converts a coordinate to pixels.
    ///
    /// Every step from a coordinate to a pixel or a weight is monotone even when rounded
    /// (subtraction, multiplication by a constant, min, max, truncation). So values at the ends of
    /// an interval bound those inside, on which `range_in` relies.
    #[inline]
    fn pixels(&self, p: f64) -> f64 {
        (p - self.origin) * self.scale
    }

    /// Clamps a coordinate to the numbers of the pixels; NaN becomes 0. `f64::max` and `f64::min`,
    /// which ignore NaN on either side, take several times as long.
    #[inline]
    fn clamped(&self, pixels: f64) -> f64 {
        let pixels = if pixels > 0.0 { pixels } else { 0.0 };
        if pixels < self.last {
            pixels
        } else {
            self.last
        }
    }

    /// Returns the pixel whose square contains `p`, or the nearest one.
    #[inline]
    pub(crate) fn nearest(&self, p: f64) -> u32 {
        self.clamped(self.pixels(p)) as u32
    }

    /// Returns the ends of a pixel's square; the squares of the outermost pixels are endless.
    pub(crate) fn square(&self, pixel: u32) -> [f64; 2] {
        let edge = |number: f64| {
            if number > self.last {
                f64::INFINITY.copysign(self.scale)
            } else if number <= 0.0 {
                f64::NEG_INFINITY.copysign(-self.scale)
            } else {
                self.origin + number / self.scale
            }
        };
        let (a, b) = (edge(f64::from(pixel)), edge(f64::from(pixel) + 1.0));
        [a.min(b), a.max(b)]
    }

    /// Returns the number of pixels per world unit.
    pub(crate) fn per_unit(&self) -> f64 {
        self.scale.abs()
    }

    /// Returns the last pixel whose centre is at or before `p`, the next pixel, and the weight of
    /// the latter, in [0, 1).
    #[inline]
    pub(crate) fn between(&self, p: f64) -> Between {
        let t = self.clamped(self.pixels(p) - 0.5);
        let first = t as u32;
        let next = (first + 1).min(self.last_pixel);
        (first, next, t - f64::from(first))
    }

    /// Returns `of` both ends of a box. The upper end is exclusive: the last double below it is
    /// inside.
    #[inline]
    pub(crate) fn ends<T>(&self, [min, max]: [f64; 2], of: impl Fn(&Self, f64) -> T) -> [T; 2] {
        [of(self, min), of(self, max.next_down())]
    }
}
