//! The field of a greyscale map.

use crate::grey_map::WHITE;
use crate::patch::{Between, mix, mix_within, over_patch};
use crate::pyramid::{NodeBox, Pyramid};
use crate::{
    Bounds, Coverage, DistRange, GreyMap, Greys, LocalRange, MapError, Pattern, RadiusField, White,
};
use std::any::Any;

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
    map: GreyMap,
    range: DistRange,
    white: White,
    bounds: Bounds<2>,
    axes: [Axis; 2],
    pyramid: Pyramid<2, u16>,
}

/// From one world coordinate to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    /// The coordinate where the first pixel begins.
    origin: f64,
    /// Pixels per world unit, negative when the axis runs against the image.
    scale: f64,
    /// The number of the last pixel, as either kind of number.
    last: f64,
    last_pixel: u32,
}

impl Axis {
    /// Every step from a coordinate to a pixel or a weight is monotone even when rounded
    /// (subtraction, multiplication by a constant, min, max, truncation), so that what holds
    /// for the ends of an interval bounds what holds inside: `range_in` rests on that.
    #[inline]
    fn pixels(&self, p: f64) -> f64 {
        (p - self.origin) * self.scale
    }

    /// A number of pixels that is that of one of them; 0 for no number. `f64::max` and `min`,
    /// which keep either of two that are none, take several times as long.
    #[inline]
    fn held(&self, pixels: f64) -> f64 {
        let pixels = if pixels > 0.0 { pixels } else { 0.0 };
        if pixels < self.last {
            pixels
        } else {
            self.last
        }
    }

    /// The pixel in whose square `p` lies, or the nearest.
    #[inline]
    fn nearest(&self, p: f64) -> u32 {
        self.held(self.pixels(p)) as u32
    }

    /// Where a pixel's square begins and ends; the squares of the outermost go on for ever.
    fn square(&self, pixel: u32) -> [f64; 2] {
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

    /// The pixel whose centre is the last at or before `p`, the one after it, and the weight
    /// of the latter, in [0, 1).
    #[inline]
    fn between(&self, p: f64) -> Between {
        let t = self.held(self.pixels(p) - 0.5);
        let first = t as u32;
        let next = (first + 1).min(self.last_pixel);
        (first, next, t - f64::from(first))
    }

    /// The two ends of a box. The upper one is outside; the last double below it is inside.
    #[inline]
    fn ends<T>(&self, [min, max]: [f64; 2], of: impl Fn(&Self, f64) -> T) -> [T; 2] {
        [of(self, min), of(self, max.next_down())]
    }
}

impl RadiusMap {
    /// The field of `map` with distances in `range`.
    ///
    /// # Errors
    /// When the rectangle is so small or so large that a pixel's size is beyond computing, or without
    /// the memory for the bounds of its boxes.
    pub fn new(map: GreyMap, range: DistRange, options: MapOptions) -> Result<Self, MapError> {
        let pixels = [map.width(), map.height()];
        let bounds = match options.bounds {
            Some(bounds) => bounds,
            None => Bounds::from_size(pixels.map(f64::from)).map_err(|_| MapError::Empty {
                width: map.width(),
                height: map.height(),
            })?,
        };
        let mut axes = [0, 1].map(|axis| Axis {
            origin: bounds.min()[axis],
            scale: f64::from(pixels[axis]) / bounds.size()[axis],
            last: f64::from(pixels[axis] - 1),
            last_pixel: pixels[axis] - 1,
        });
        for (axis, Axis { scale, .. }) in axes.iter().enumerate() {
            if !scale.is_normal() || !(1.0 / scale).is_normal() {
                return Err(MapError::PixelSize {
                    axis,
                    pixels: pixels[axis],
                    size: bounds.size()[axis],
                });
            }
        }
        if options.y_axis == YAxis::Up {
            axes[1].origin = bounds.max()[1];
            axes[1].scale = -axes[1].scale;
        }
        Ok(Self {
            pyramid: Pyramid::new(pixels, &map).ok_or(MapError::OutOfMemory {
                width: map.width(),
                height: map.height(),
            })?,
            map,
            range,
            white: options.white,
            bounds,
            axes,
        })
    }

    /// The map.
    pub fn map(&self) -> &GreyMap {
        &self.map
    }

    /// The rectangle of the world that the image covers.
    pub fn bounds(&self) -> Bounds<2> {
        self.bounds
    }

    /// What white asks for.
    pub fn white(&self) -> White {
        self.white
    }

    /// The interpolated grey at `p` in [0, 1], as painted, `None` where no point may lie.
    #[inline]
    pub fn grey_at(&self, p: [f64; 2]) -> Option<f64> {
        let (x0, x1, right) = self.axes[0].between(p[0]);
        let (y0, y1, down) = self.axes[1].between(p[1]);
        if self.map.has_mask() {
            let (x, y) = (self.axes[0].nearest(p[0]), self.axes[1].nearest(p[1]));
            if !self.map.allowed(x, y) {
                return None;
            }
            let corners = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)];
            if !corners.iter().all(|&(x, y)| self.map.allowed(x, y)) {
                return self.at_rim(corners, right, down);
            }
        }
        let grey = self.mixed([x0, x1], right, [y0, y1], down);
        Some(grey / WHITE)
    }

    /// The grey between four pixels: bilinear.
    #[inline]
    fn mixed(&self, x: [u32; 2], right: f64, y: [u32; 2], down: f64) -> f64 {
        let greys = self.map.greys();
        let [upper, lower] = y.map(|y| y as usize * self.map.width() as usize);
        let grey = |row: usize, x: u32| f64::from(greys[row + x as usize]);
        let upper = mix(grey(upper, x[0]), grey(upper, x[1]), right);
        let lower = mix(grey(lower, x[0]), grey(lower, x[1]), right);
        mix_within(upper, lower, down)
    }

    /// As `grey_at`, over the allowed ones of the four pixels only.
    #[cold]
    fn at_rim(&self, corners: [(u32, u32); 4], right: f64, down: f64) -> Option<f64> {
        let weights = [
            (1.0 - right) * (1.0 - down),
            right * (1.0 - down),
            (1.0 - right) * down,
            right * down,
        ];
        let (mut sum, mut weight) = (0.0, 0.0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for ((x, y), w) in corners.into_iter().zip(weights) {
            if self.map.allowed(x, y) {
                let grey = f64::from(self.map.grey(x, y));
                sum += w * grey;
                weight += w;
                least = least.min(grey);
                most = most.max(grey);
            }
        }
        // The pixel that `p` lies in is allowed and weighs at least 1/4.
        (weight > 0.0).then(|| (sum / weight).clamp(least, most) / WHITE)
    }

    /// Bounds of the value over a box that touches at most three pixels along each axis, all
    /// allowed. Boxes far smaller than a pixel get bounds as narrow as they are.
    #[inline]
    fn over_patch(&self, touched: NodeBox<2>, ends: &[[Between; 2]; 2]) -> (f64, f64) {
        // Rounding may carry a value inside past the corners' by some units in the last place.
        const TRIFLE: f64 = 1e-14;
        let [(low, high), (least, most)] = over_patch(&self.map, touched, ends);
        let (least, most) = (least / WHITE, most / WHITE);
        let (low, high) = (low / WHITE - TRIFLE, high / WHITE + TRIFLE);
        (
            if low > least { low } else { least },
            if high < most { high } else { most },
        )
    }

    /// Bounds where some of the pixels are closed; `inside` are the pixels in whose
    /// squares the box lies. There the value is a weighted mean `s / w` of the open ones. In an
    /// open pixel's square `w` is at least 1/4, no weight changes by more than 1 a pixel and
    /// all four by 2, so the mean changes by at most `2 / (1/4)` of the greys' spread a pixel.
    fn over_rim(
        &self,
        bounds: &Bounds<2>,
        inside: NodeBox<2>,
        least: f64,
        most: f64,
    ) -> (f64, f64) {
        let steepness = 8.0 * (most - least);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for y in inside[1][0]..=inside[1][1] {
            for x in inside[0][0]..=inside[0][1] {
                if !self.map.allowed(x, y) {
                    continue;
                }
                let [part_x, part_y] = [(0, x), (1, y)].map(|(a, pixel)| {
                    let [from, to] = self.axes[a].square(pixel);
                    [from.max(bounds.min()[a]), to.min(bounds.max()[a])]
                });
                let middle = [part_x, part_y].map(|[from, to]| from + 0.5 * (to - from));
                let Some(value) = self.grey_at(middle) else {
                    // Rounding put it into the next square.
                    return (least, most);
                };
                let reach: f64 = [part_x, part_y]
                    .iter()
                    .zip(&self.axes)
                    .map(|([from, to], axis)| 0.5 * (to - from).abs() * axis.scale.abs())
                    .sum();
                let change = steepness * reach + 1e-12;
                low = low.min(value - change);
                high = high.max(value + change);
            }
        }
        (low.max(least), high.min(most).max(least))
    }

    /// What `of` says of both ends of a box, along each axis.
    #[inline]
    fn ends<T>(&self, bounds: &Bounds<2>, of: impl Fn(&Axis, f64) -> T) -> [[T; 2]; 2] {
        let (min, max) = (bounds.min(), bounds.max());
        let [x, y] = &self.axes;
        [x.ends([min[0], max[0]], &of), y.ends([min[1], max[1]], &of)]
    }

    /// Least and greatest of the value in a box, which reads the pixels in `touched`, and where
    /// points may lie in it; `None` when nowhere.
    #[inline]
    fn values_in(
        &self,
        bounds: &Bounds<2>,
        touched: NodeBox<2>,
        ends: &[[Between; 2]; 2],
    ) -> Option<((f64, f64), Coverage)> {
        if is_small(touched) && !self.map.has_mask() {
            return Some((self.over_patch(touched, ends), Coverage::All));
        }
        let greys = self.pyramid.over(&self.map, touched);
        let [least, most] = [greys.min, greys.max].map(|g| f64::from(g) / WHITE);
        if greys.all {
            let values = if is_small(touched) {
                self.over_patch(touched, ends)
            } else {
                (least, most)
            };
            return Some((values, Coverage::All));
        }
        let [x, y] = self
            .ends(bounds, Axis::nearest)
            .map(|[a, b]| [a.min(b), a.max(b)]);
        let inside = [x, y];
        let mask = self.pyramid.over(&self.map, inside);
        if !greys.any() || !mask.any() {
            return None;
        }
        let coverage = if mask.all {
            Coverage::All
        } else {
            Coverage::Part
        };
        let values = if is_small(touched) {
            self.over_rim(bounds, inside, least, most)
        } else {
            (least, most)
        };
        Some((values, coverage))
    }
}

/// Whether a box is at most three pixels wide and high.
#[inline]
fn is_small(pixels: NodeBox<2>) -> bool {
    pixels.iter().all(|[first, last]| last - first <= 2)
}

impl RadiusField<2> for RadiusMap {
    #[inline]
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        let value = self.grey_at(p)?;
        Some(self.range.at(self.white.sparseness(value)))
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        let ends = self.ends(bounds, Axis::between);
        let [x, y] = ends.map(|[a, b]| [a.0.min(b.0), a.1.max(b.1)]);
        let touched = [x, y];
        let ((least, most), coverage) = self.values_in(bounds, touched, &ends)?;
        let at = |value: f64| self.range.at(self.white.sparseness(value));
        let (a, b) = (at(least), at(most));
        let (lo, hi) = if a < b { (a, b) } else { (b, a) };
        Some(LocalRange {
            range: DistRange::new(lo, hi).unwrap_or(self.range),
            coverage,
        })
    }

    /// The grey as painted, whatever white means; 0 where no point may lie.
    fn value(&self, p: [f64; 2]) -> f64 {
        self.grey_at(p).unwrap_or(0.0)
    }

    /// The smaller side of a pixel, when the map has a mask.
    fn mask_detail(&self) -> Option<f64> {
        self.map
            .has_mask()
            .then(|| (1.0 / self.axes[0].scale).min(1.0 / self.axes[1].scale.abs()))
    }

    fn pattern(&self) -> Option<Pattern<'_>> {
        Some(Pattern::new(self, self.range))
    }
}

/// Those of the same pixels in the same places.
impl Greys for RadiusMap {
    fn are_those_of(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| {
            std::ptr::eq(self, other)
                || ((self.white, self.axes) == (other.white, other.axes) && self.map == other.map)
        })
    }
}
