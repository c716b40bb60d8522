//! The field of the pixels of a whole map, in any storage.

use crate::grey_map::WHITE;
use crate::patch::{Between, PixelSlice, mix, mix_within, over_patch};
use crate::pixel_grid::{Axis, PixelGrid};
use crate::pyramid::{NodeBox, Summary};
use crate::{Bounds, Coverage, DistRange, LocalRange, White};

/// A storage of the pixels of a whole map, by column and row.
pub(crate) trait Pixels {
    /// Calls `f` with pixels that include those of `touched`, at most three along each axis.
    fn with_slice<T>(&self, touched: NodeBox<2>, f: impl FnOnce(&PixelSlice<'_>) -> T) -> T;

    /// Returns the summary of a box of pixels: that of all blocks of the whole's pyramid that the
    /// box touches on its [level](crate::pyramid::level_of).
    fn over(&self, within: NodeBox<2>) -> Summary<u16>;
}

/// The field of pixels: bilinear between their centres. It depends only on the whole map, not on
/// the storage of its pixels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PixelField<P> {
    pub(crate) pixels: P,
    pub(crate) grid: PixelGrid,
    pub(crate) range: DistRange,
    pub(crate) white: White,
    /// Whether there are closed pixels, or may be some.
    pub(crate) is_holed: bool,
}

/// Implements `RadiusField` for a struct whose `field` is a [`PixelField`].
macro_rules! field_of_pixels {
    ([$($generics:tt)*] $name:ty) => {
        impl<$($generics)*> $name {
            /// Returns the grid that places the pixels of the whole in the world.
            pub fn grid(&self) -> &PixelGrid {
                &self.field.grid
            }

            /// Returns the meaning of white.
            pub fn white(&self) -> White {
                self.field.white
            }

            /// Returns the interpolated grey at `p` in [0, 1], as painted; `None` where no point
            /// may lie.
            #[inline]
            pub fn grey_at(&self, p: [f64; 2]) -> Option<f64> {
                self.field.grey_at(p)
            }
        }

        impl<$($generics)*> RadiusField<2> for $name {
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

            /// Returns the grey as painted, whatever white means; 0 where no point may lie.
            fn value(&self, p: [f64; 2]) -> f64 {
                self.grey_at(p).unwrap_or(0.0)
            }

            /// Returns the smaller side of a pixel if the map has closed pixels, or is declared to.
            fn mask_detail(&self, _: f64) -> Option<f64> {
                self.field.is_holed.then(|| self.field.grid.detail())
            }
        }
    };
}

pub(crate) use field_of_pixels;

impl<P: Pixels> PixelField<P> {
    /// Returns the interpolated grey at `p` in [0, 1], as painted; `None` where no point may lie.
    #[inline]
    pub(crate) fn grey_at(&self, p: [f64; 2]) -> Option<f64> {
        let [across, along] = self.grid.axes();
        let (x, y) = (across.between(p[0]), along.between(p[1]));
        let touched = [[x.0, x.1], [y.0, y.1]];
        self.pixels.with_slice(touched, |near| {
            if near.allowed.is_some() {
                let corners = [(x.0, y.0), (x.1, y.0), (x.0, y.1), (x.1, y.1)];
                // The nearest pixel is one of the four.
                let here = (
                    across.nearest(p[0]).clamp(x.0, x.1),
                    along.nearest(p[1]).clamp(y.0, y.1),
                );
                if !near.is_open(here.0, here.1) {
                    return None;
                }
                if !corners.iter().all(|&(x, y)| near.is_open(x, y)) {
                    return mean_of_open(near, corners, x.2, y.2);
                }
            }
            Some(mixed(near, &x, &y) / WHITE)
        })
    }

    /// Returns the minimum distance at `p`; `None` where no point may lie.
    #[inline]
    pub(crate) fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        let value = self.grey_at(p)?;
        Some(self.range.at(self.white.sparseness(value)))
    }

    /// Returns bounds of the distances in a box; `None` if no point may lie in it.
    pub(crate) fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
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

    /// Returns the pixels whose squares a box touches.
    #[inline]
    fn squares_in(&self, bounds: &Bounds<2>) -> NodeBox<2> {
        self.ends(bounds, Axis::nearest)
            .map(|[a, b]| [a.min(b), a.max(b)])
    }

    /// Returns bounds of the value over a box that touches at most three pixels along each axis,
    /// all open. They are narrow even for boxes far smaller than a pixel.
    #[inline]
    fn over_open(
        near: &PixelSlice<'_>,
        touched: NodeBox<2>,
        ends: &[[Between; 2]; 2],
    ) -> (f64, f64) {
        // Rounding may carry a value inside past those at the corners by some units in the last
        // place.
        const ROUNDING: f64 = 1e-14;
        let [(low, high), (least, most)] = over_patch(near, touched, ends);
        let (least, most) = (least / WHITE, most / WHITE);
        let (low, high) = (low / WHITE - ROUNDING, high / WHITE + ROUNDING);
        (
            if low > least { low } else { least },
            if high < most { high } else { most },
        )
    }

    /// Returns bounds of the value where some pixels are closed; the box lies in the squares of the
    /// pixels `inside`.
    ///
    /// The value is a weighted mean `s / w` of the open pixels. In an open pixel's square `w` is at
    /// least 1/4. Per pixel of distance, no weight changes by more than 1, and all four by at
    /// most 2. So the mean changes by at most `2 / (1/4)` of the greys' spread per pixel.
    fn over_mask_edge(
        &self,
        bounds: &Bounds<2>,
        inside: NodeBox<2>,
        least: f64,
        most: f64,
    ) -> (f64, f64) {
        let axes = self.grid.axes();
        let steepness = 8.0 * (most - least);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for y in inside[1][0]..=inside[1][1] {
            for x in inside[0][0]..=inside[0][1] {
                if !self
                    .pixels
                    .with_slice([[x; 2], [y; 2]], |near| near.is_open(x, y))
                {
                    continue;
                }
                let [part_x, part_y] = [(0, x), (1, y)].map(|(a, pixel)| {
                    let [from, to] = axes[a].square(pixel);
                    [from.max(bounds.min()[a]), to.min(bounds.max()[a])]
                });
                let middle = [part_x, part_y].map(|[from, to]| from + 0.5 * (to - from));
                let Some(value) = self.grey_at(middle) else {
                    // Rounding moved the place into the next square.
                    return (least, most);
                };
                let reach: f64 = [part_x, part_y]
                    .iter()
                    .zip(axes)
                    .map(|([from, to], axis)| 0.5 * (to - from).abs() * axis.per_unit())
                    .sum();
                let change = steepness * reach + 1e-12;
                low = low.min(value - change);
                high = high.max(value + change);
            }
        }
        (low.max(least), high.min(most).max(least))
    }

    /// Returns `of` both ends of a box, along each axis.
    #[inline]
    fn ends<T>(&self, bounds: &Bounds<2>, of: impl Fn(&Axis, f64) -> T) -> [[T; 2]; 2] {
        let (min, max) = (bounds.min(), bounds.max());
        let [x, y] = self.grid.axes();
        [x.ends([min[0], max[0]], &of), y.ends([min[1], max[1]], &of)]
    }

    /// Returns the least and the greatest value in a box that depends on the pixels `touched`, and
    /// how much of it is open; `None` if nothing is.
    #[inline]
    fn values_in(
        &self,
        bounds: &Bounds<2>,
        touched: NodeBox<2>,
        ends: &[[Between; 2]; 2],
    ) -> Option<((f64, f64), Coverage)> {
        let over_open = |near: &PixelSlice<'_>| Self::over_open(near, touched, ends);
        if is_small(touched) {
            let open = |near: &PixelSlice<'_>| near.allowed.is_none().then(|| over_open(near));
            if let Some(values) = self.pixels.with_slice(touched, open) {
                return Some((values, Coverage::All));
            }
        }
        let greys = self.pixels.over(touched);
        let [least, most] = [greys.min, greys.max].map(|g| f64::from(g) / WHITE);
        if greys.all {
            let values = if is_small(touched) {
                self.pixels.with_slice(touched, over_open)
            } else {
                (least, most)
            };
            return Some((values, Coverage::All));
        }
        let inside = self.squares_in(bounds);
        let mask = self.pixels.over(inside);
        if !greys.any() || !mask.any() {
            return None;
        }
        let coverage = if mask.all {
            Coverage::All
        } else {
            Coverage::Part
        };
        let values = if is_small(touched) {
            self.over_mask_edge(bounds, inside, least, most)
        } else {
            (least, most)
        };
        Some((values, coverage))
    }
}

/// Returns the bilinear grey between four pixels.
#[inline]
fn mixed(near: &PixelSlice<'_>, x: &Between, y: &Between) -> f64 {
    let row = |y: u32| {
        let [left, right] = [x.0, x.1].map(|x| f64::from(near.grey(x, y)));
        mix(left, right, x.2)
    };
    mix_within(row(y.0), row(y.1), y.2)
}

/// Returns the grey between four pixels of which some are closed: the weighted mean of the open
/// ones.
#[cold]
fn mean_of_open(
    near: &PixelSlice<'_>,
    corners: [(u32, u32); 4],
    right: f64,
    down: f64,
) -> Option<f64> {
    let weights = [
        (1.0 - right) * (1.0 - down),
        right * (1.0 - down),
        (1.0 - right) * down,
        right * down,
    ];
    let (mut sum, mut weight) = (0.0, 0.0);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for ((x, y), w) in corners.into_iter().zip(weights) {
        // A pixel without weight, as beyond the first row's centres, is no bound.
        if w > 0.0 && near.is_open(x, y) {
            let grey = f64::from(near.grey(x, y));
            sum += w * grey;
            weight += w;
            least = least.min(grey);
            most = most.max(grey);
        }
    }
    // The pixel that contains the place is open and weighs at least 1/4.
    (weight > 0.0).then(|| (sum / weight).clamp(least, most) / WHITE)
}

/// Returns `true` if a box is at most three pixels wide and high.
#[inline]
fn is_small(pixels: NodeBox<2>) -> bool {
    pixels.iter().all(|[first, last]| last - first <= 2)
}
