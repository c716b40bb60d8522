//! The ground that points stand on: heights, slopes, and regions of both.

mod region;
mod span;

pub use region::{GroundLimits, GroundRegion};

use crate::numbers::plain;
use crate::per_pixel::{pixel_count, places};
use crate::{PixelGrid, YAxis};
use thiserror::Error;

/// Heights over a rectangle of the world, bilinear between the centres of pixels.
///
/// See [`Ground::from_fn`].
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    grid: PixelGrid,
    heights: Vec<Option<f32>>,
    range: [f64; 2],
    /// Whether a pixel has no height.
    holed: bool,
}

/// Reason for refusing heights.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GroundError {
    /// There are more pixels than fit into memory.
    #[error("a height map of {width} x {height} pixels does not fit into memory")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// A height is infinite or not a number.
    #[error(
        "the height at pixel {x}, {y} is {value}: heights must be finite 32-bit floats",
        value = plain(*value)
    )]
    NotFinite {
        /// Column, from 0.
        x: u32,
        /// Row, from 0.
        y: u32,
        /// The height as given.
        value: f64,
    },
    /// No pixel has a height.
    #[error("no pixel of the height map has a height")]
    Empty,
}

/// The ground at a place.
///
/// See [`Ground::from_fn`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    /// Height, world units.
    pub height: f64,
    /// Unit normal vector: along x, along y, and up, in the coordinates of the points.
    pub normal: [f64; 3],
    /// Slope, degrees: 0 is level, 90 vertical.
    pub slope: f64,
}

impl Ground {
    /// Creates the ground from a height for each pixel of `grid`, in world units, which is kept in 32 bits;
    /// `None` where there is none. For heights at the corners of cells, see [`PixelGrid::of_corners`]. Calls
    /// `height_of(column, row)` once per pixel, row by row.
    ///
    /// ```
    /// use spinney_density::ground::Ground;
    /// use spinney_density::{Bounds, PixelGrid, YAxis};
    ///
    /// let world = Bounds::from_size([64.0, 64.0])?;
    /// let grid = PixelGrid::of_corners([65, 65], world, YAxis::Down)?;
    /// let ground = Ground::from_fn(grid, |x, _| Some(f64::from(x)))?;
    /// let footing = ground.footing([10.25, 3.0]).expect("a height everywhere");
    /// assert_eq!((footing.height, footing.slope), (10.25, 45.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no height, one is not finite, or memory runs out.
    pub fn from_fn(
        grid: PixelGrid,
        mut height_of: impl FnMut(u32, u32) -> Option<f64>,
    ) -> Result<Self, GroundError> {
        let [width, height] = grid.size();
        let wrong = GroundError::Size { width, height };
        let count = pixel_count(width, height).map_err(|_| wrong)?;
        let mut heights = Vec::new();
        heights.try_reserve_exact(count).map_err(|_| wrong)?;
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for (x, y) in places(grid.size()) {
            let level = height_of(x, y);
            if let Some(value) = level {
                if !(value as f32).is_finite() {
                    return Err(GroundError::NotFinite { x, y, value });
                }
                let value = f64::from(value as f32);
                range = [range[0].min(value), range[1].max(value)];
            }
            heights.push(level.map(|value| value as f32));
        }
        if range[0] > range[1] {
            return Err(GroundError::Empty);
        }
        Ok(Self {
            grid,
            holed: heights.iter().any(Option::is_none),
            heights,
            range,
        })
    }

    /// Returns the lowest and the highest possible height, world units: those of the heights,
    /// unless [`reaching`](Self::reaching) widened them.
    pub fn range(&self) -> [f64; 2] {
        self.range
    }

    /// Returns the ground with its range widened to `lo` and `hi`, the heights of black and white.
    /// Heights that are shares of a terrain's height, as in Unity, refer to this range. Ignored
    /// unless both ends are finite.
    #[must_use]
    pub fn reaching(mut self, [lo, hi]: [f64; 2]) -> Self {
        if lo.is_finite() && hi.is_finite() {
            self.range = [self.range[0].min(lo), self.range[1].max(hi)];
        }
        self
    }

    /// Returns the ground at a place; outside the bounds, that at the nearest edge. `None` in a
    /// pixel without a height, and in those around it. O(1).
    ///
    /// The slope is measured between the places half a pixel to either side: it is that of the
    /// bilinear surface without its creases. Within a pixel of an edge, it is measured a pixel away
    /// from the edge.
    pub fn footing(&self, p: [f64; 2]) -> Option<Footing> {
        let at = self.in_pixels(p);
        // The casts saturate.
        let [x, y] = [0, 1].map(|k| (at[k] as u32).min(self.size()[k] - 1));
        if self.lacks_footing(x, y) {
            return None;
        }
        let down = match self.grid.y_axis() {
            YAxis::Down => 1.0,
            YAxis::Up => -1.0,
        };
        let (height, along_x) = (self.height_at(at)?, self.rise_at(0, at)?);
        let along_y = down * self.rise_at(1, at)?;
        let steep = along_x * along_x + along_y * along_y;
        let length = (steep + 1.0).sqrt();
        if !length.is_finite() {
            return None;
        }
        Some(Footing {
            height,
            normal: [-along_x / length, -along_y / length, 1.0 / length],
            slope: libm::atan(steep.sqrt()).to_degrees(),
        })
    }

    /// Returns a pixel's width and height, world units.
    pub(crate) fn pixel(&self) -> [f64; 2] {
        [0, 1].map(|k| self.grid.bounds().size()[k] / f64::from(self.size()[k]))
    }

    /// Returns the numbers of columns and rows.
    pub(crate) fn size(&self) -> [u32; 2] {
        self.grid.size()
    }

    /// Returns the height of a pixel, by column and row; `None` if it has none.
    pub(crate) fn pixel_height(&self, x: u32, y: u32) -> Option<f64> {
        let index = y as usize * self.size()[0] as usize + x as usize;
        self.heights[index].map(f64::from)
    }

    /// Returns the first and the last pixel along an axis that footings in a pixel depend on: its neighbours.
    pub(crate) fn around(&self, axis: usize, at: u32) -> [u32; 2] {
        let last = self.size()[axis] - 1;
        [at.saturating_sub(1), (at + 1).min(last)]
    }

    /// Returns `true` if a pixel has no footing.
    pub(crate) fn lacks_footing(&self, x: u32, y: u32) -> bool {
        let [[left, right], [top, bottom]] = [self.around(0, x), self.around(1, y)];
        self.holed
            && (top..=bottom).any(|y| (left..=right).any(|x| self.pixel_height(x, y).is_none()))
    }

    /// Converts a place to pixels, columns to the right and rows down, without clamping.
    pub(crate) fn in_pixels(&self, p: [f64; 2]) -> [f64; 2] {
        let (bounds, pixel) = (self.grid.bounds(), self.pixel());
        let down = match self.grid.y_axis() {
            YAxis::Down => p[1] - bounds.min()[1],
            YAxis::Up => bounds.max()[1] - p[1],
        };
        [(p[0] - bounds.min()[0]) / pixel[0], down / pixel[1]]
    }

    /// Returns the height at a place, even where the slope is not known.
    pub(crate) fn height(&self, p: [f64; 2]) -> Option<f64> {
        self.height_at(self.in_pixels(p))
    }

    /// Returns the height at a place in pixels, columns to the right and rows down; outside, that at the nearest edge.
    pub(crate) fn height_at(&self, place: [f64; 2]) -> Option<f64> {
        let axis = |k: usize| {
            let last = self.size()[k] - 1;
            let at = (place[k] - 0.5).clamp(0.0, f64::from(last));
            let low = (at as u32).min(last);
            (low, (low + 1).min(last), at - f64::from(low))
        };
        let ((left, right, u), (top, bottom, v)) = (axis(0), axis(1));
        let get = |x: u32, y: u32| self.pixel_height(x, y);
        // Pixels without weight need no height.
        let mix = |a: Option<f64>, b: Option<f64>, share: f64| {
            if share == 0.0 {
                return a;
            }
            Some(a? + (b? - a?) * share)
        };
        let upper = mix(get(left, top), get(right, top), u);
        let lower = mix(get(left, bottom), get(right, bottom), u);
        mix(upper, lower, v)
    }

    /// Returns the rise per unit of the world along columns, axis 0, or down rows, axis 1, at a place in pixels.
    pub(crate) fn rise_at(&self, axis: usize, place: [f64; 2]) -> Option<f64> {
        let size = f64::from(self.size()[axis]);
        if size < 2.0 {
            return Some(0.0);
        }
        // Half a pixel to either side then reaches at most the centres of the outermost pixels.
        let middle = place[axis].clamp(1.0, size - 1.0);
        let height = |side: f64| {
            let mut place = place;
            place[axis] = middle + side;
            self.height_at(place)
        };
        Some((height(0.5)? - height(-0.5)?) / self.pixel()[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, MapError};

    fn slope(y_axis: YAxis) -> Ground {
        let bounds = Bounds::with_origin([10.0, -5.0], [8.0, 4.0]).expect("a good box");
        let grid = PixelGrid::new([16, 8], bounds, y_axis).expect("a good grid");
        // Rises 3 for each unit to the right, falls 4 for each unit down the image; a pixel is half
        // a unit.
        Ground::from_fn(grid, |x, y| Some(1.5 * f64::from(x) - 2.0 * f64::from(y))).expect("good")
    }

    #[test]
    fn a_plane_is_a_plane() {
        let ground = slope(YAxis::Down);
        assert_eq!(ground.range(), [-14.0, 22.5]);
        let wider = |ends| ground.clone().reaching(ends).range();
        assert_eq!(wider([-20.0, 20.0]), [-20.0, 22.5]);
        assert_eq!(wider([f64::NAN, 99.0]), [-14.0, 22.5]);
        for p in [[10.25, -4.75], [12.0, -3.0], [17.3, -1.9]] {
            let there = ground.footing(p).expect("covered");
            let wanted = 3.0 * (p[0] - 10.25) - 4.0 * (p[1] + 4.75);
            assert!((there.height - wanted).abs() < 1e-9, "{there:?}");
        }
        let there = ground.footing([12.0, -3.0]).expect("covered");
        let normal = [-3.0, 4.0, 1.0].map(|n: f64| n / 26.0_f64.sqrt());
        for (got, wanted) in there.normal.into_iter().zip(normal) {
            assert!((got - wanted).abs() < 1e-9, "{there:?}");
        }
        assert!((there.slope - 78.690_067_525_979_8).abs() < 1e-9);
        for edge in [[10.0, -5.0], [18.0, -1.0], [99.0, -3.0], [10.1, 7.0]] {
            let at_edge = ground.footing(edge).expect("as at the edge");
            assert!((at_edge.slope - there.slope).abs() < 1e-9, "{edge:?}");
        }
        let up = slope(YAxis::Up).footing([12.0, -3.0]).expect("covered");
        assert!((up.normal[1] + there.normal[1]).abs() < 1e-9, "{up:?}");
    }

    #[test]
    fn heights_at_corners_reach_the_edges() {
        let bounds = Bounds::with_origin([10.0, -5.0], [8.0, 4.0]).expect("a good box");
        // Cells of half a unit: rises 3 for each unit to the right, falls 4 for each unit down.
        let heights = |x, y| Some(1.5 * f64::from(x) - 2.0 * f64::from(y));
        for y_axis in [YAxis::Down, YAxis::Up] {
            let grid = PixelGrid::of_corners([17, 9], bounds, y_axis).expect("good");
            let ground = Ground::from_fn(grid, heights).expect("good");
            for p in [[10.0, -5.0], [18.0, -1.0], [10.0, -1.0], [13.3, -2.7]] {
                let down = match y_axis {
                    YAxis::Down => p[1] + 5.0,
                    YAxis::Up => -1.0 - p[1],
                };
                let wanted = 3.0 * (p[0] - 10.0) - 4.0 * down;
                let there = ground.footing(p).expect("covered");
                assert!((there.height - wanted).abs() < 1e-9, "{there:?}");
                assert!(
                    (there.slope - 78.690_067_525_979_8).abs() < 1e-9,
                    "{there:?}"
                );
            }
        }
        let few = PixelGrid::of_corners([1, 9], bounds, YAxis::Up);
        assert_eq!(
            few,
            Err(MapError::NoCells {
                width: 1,
                height: 9
            })
        );
    }

    #[test]
    fn where_there_is_nothing_there_is_no_footing() {
        let bounds = Bounds::from_size([4.0, 1.0]).expect("a good box");
        let grid = |size| PixelGrid::new(size, bounds, YAxis::Down).expect("a good grid");
        let ground = |far: Option<f64>| {
            Ground::from_fn(grid([4, 1]), |x, _| if x == 3 { far } else { Some(2.0) })
        };
        let holed = ground(None).expect("three heights");
        assert_eq!(holed.footing([3.4, 0.5]), None);
        let level = holed.footing([1.0, 0.5]).expect("covered");
        assert_eq!((level.height, level.slope), (2.0, 0.0));
        assert!(matches!(
            ground(Some(f64::NAN)),
            Err(GroundError::NotFinite { x: 3, y: 0, .. })
        ));
        let nothing = Ground::from_fn(grid([1, 1]), |_, _| None);
        assert_eq!(nothing, Err(GroundError::Empty));
    }

    #[test]
    fn a_hole_closes_the_pixels_around_it_only() {
        let hole = |x: u32, _| (x != 2).then(|| f64::from(x));
        let bounds = Bounds::from_size([6.0, 1.0]).expect("a box");
        let grid = PixelGrid::new([6, 1], bounds, YAxis::Down).expect("a grid");
        let ground = Ground::from_fn(grid, hole).expect("a ground");
        let open = (0..6).map(|x| ground.footing([f64::from(x) + 0.5, 0.5]).is_some());
        let open: Vec<bool> = open.collect();
        assert_eq!(open, [true, false, false, false, true, true]);
    }

    #[test]
    fn the_edge_of_level_ground_is_level_exactly() {
        let bounds = Bounds::with_origin([-7.3, 3.1], [1.0, 3.9]).expect("a box");
        for y_axis in [YAxis::Down, YAxis::Up] {
            let grid = PixelGrid::new([1, 3], bounds, y_axis).expect("a grid");
            for step in [0, 2] {
                let ground = Ground::from_fn(grid, |_, y| Some(f64::from(u32::from(y == step))));
                let ground = ground.expect("a ground");
                let slopes = [3.1, 7.0].map(|y| ground.footing([-7.0, y]).expect("covered").slope);
                assert!(slopes.contains(&0.0), "{slopes:?}");
            }
        }
    }
}
