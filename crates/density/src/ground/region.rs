//! Regions of the ground, by slope and altitude.

use super::span::Span;
use crate::diagnostic::Diagnostic;
use crate::ground::Ground;
use crate::pyramid::{Nodes, Pyramid, Summary, for_nodes};
use crate::{Bounds, Region, Share};
use std::sync::Arc;

/// Limits of the ground where points may lie: ranges, ends included; `None` is no limit.
///
/// See [`GroundRegion`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundLimits {
    /// Slope, degrees: 0 is level, 90 vertical.
    pub slope: Option<[f64; 2]>,
    /// Height, world units; rounded to 32 bits, as the heights are, so that equal numbers stay equal.
    pub altitude: Option<[f64; 2]>,
}

/// The places of a [`Ground`] within [`GroundLimits`]. Places without a height do not belong to it.
///
/// The region is exact: [`Ground::footing`] decides. Boxes take constant time: they are bounded by
/// the heights of the pixels around them; small ones by the heights and slopes in them.
///
/// Takes about 2 bytes of memory per pixel besides the ground.
///
/// ```
/// use spinney_density::ground::{Ground, GroundLimits, GroundRegion};
/// use spinney_density::{Bounds, PixelGrid, Region, YAxis};
/// use std::sync::Arc;
///
/// // Rises 1 for each unit to the right up to the middle, and is level from there.
/// let world = Bounds::from_size([20.0, 10.0])?;
/// let rises = |x: u32, _| Some(f64::from(x.min(10)));
/// let grid = PixelGrid::new([20, 10], world, YAxis::Down)?;
/// let ground = Arc::new(Ground::from_fn(grid, rises)?);
/// let limits = GroundLimits { slope: Some([0.0, 40.0]), ..GroundLimits::default() };
/// let level = GroundRegion::new(ground, limits);
/// assert_eq!([5.0, 15.0].map(|x| level.holds([x, 5.0])), [false, true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GroundRegion {
    ground: Arc<Ground>,
    limits: GroundLimits,
    /// Limits of the height, rounded as the heights are.
    altitude: Option<[f64; 2]>,
    /// Squared tangents of the ends of the slope; -1 for an end below 0, which all slopes exceed.
    steep: [f64; 2],
    shares: Shares,
    pyramid: Pyramid<2, bool>,
    open: f64,
}

/// The part of each pixel that belongs to the region.
#[derive(Clone, Debug)]
struct Shares {
    pixels: Vec<Share>,
    width: usize,
}

/// Summary of a pixel that belongs to the region in part: its share is [`Share::Part`].
const PART: Summary<bool> = Summary {
    all: false,
    min: false,
    max: false,
};

impl Nodes<2> for Shares {
    type Value = bool;

    fn each(&self, [x, y]: [u32; 2], last: u32, mut f: impl FnMut(Summary<bool>)) {
        let [x, last] = [x, last].map(|x| y as usize * self.width + x as usize);
        for share in &self.pixels[x..=last] {
            f(match share {
                Share::All => Summary::open(false),
                Share::Part => PART,
                Share::None => Summary::CLOSED,
            });
        }
    }
}

/// Margin for rounding that a box is widened by, pixels.
const BOX_MARGIN: f64 = 1e-6;

/// Boxes that touch at most this many pixels along each axis get closer bounds.
const CLOSE: u32 = 2;

impl GroundRegion {
    /// Creates the region of `ground` within `limits`; a limit that is NaN leaves nothing. Takes time proportional to
    /// the pixels.
    pub fn new(ground: Arc<Ground>, limits: GroundLimits) -> Self {
        let [slope, altitude] = [limits.slope, limits.altitude];
        let mut ends = [slope, altitude].into_iter().flatten().flatten();
        let limits = if ends.any(f64::is_nan) {
            let altitude = Some([f64::INFINITY, f64::NEG_INFINITY]);
            GroundLimits {
                slope: None,
                altitude,
            }
        } else {
            limits
        };
        let slope = limits.slope.unwrap_or([0.0, 90.0]);
        let size = ground.size();
        let mut region = Self {
            ground,
            limits,
            altitude: limits
                .altitude
                .map(|ends| ends.map(|end| f64::from(end as f32))),
            steep: slope.map(tangent_squared),
            shares: Shares {
                pixels: Vec::new(),
                width: size[0] as usize,
            },
            pyramid: Pyramid::default(),
            open: 0.0,
        };
        let mut shares = Vec::new();
        for_nodes(size.map(|n| [0, n - 1]), |[x, y]| {
            let spans = region.pixel_spans(x, y);
            shares.push(spans.map_or(Share::None, |spans| region.share_of(spans)));
        });
        let part = |share: &Share| match share {
            Share::All => 1.0,
            Share::Part => 0.5,
            Share::None => 0.0,
        };
        region.open = shares.iter().map(part).sum::<f64>() / shares.len() as f64;
        region.shares.pixels = shares;
        // Without memory for summaries, only speed is lost.
        region.pyramid = Pyramid::new(size, &region.shares).unwrap_or_default();
        region
    }

    /// Returns the ground.
    pub fn ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    /// Returns the limits.
    pub fn limits(&self) -> GroundLimits {
        self.limits
    }

    /// Returns the approximate share of the ground's area that belongs to the region, from 0 to 1.
    /// Pixels that belong to it in part count half.
    pub fn share(&self) -> f64 {
        self.open
    }

    /// Returns a warning if hardly any ground belongs to the region, given limits. It names the ground's heights and
    /// slopes, these at the centres of `cells` that cover `place`.
    pub fn closed(&self, place: Bounds<2>, cells: [u32; 2]) -> Option<Diagnostic> {
        let GroundLimits { slope, altitude } = self.limits;
        let is_closed = self.open == 0.0 && (slope.is_some() || altitude.is_some());
        is_closed.then(|| Diagnostic::GroundClosed {
            slope,
            altitude,
            heights: self.ground.range(),
            slopes: slope.and_then(|_| self.slopes(place, cells)),
        })
    }

    /// Returns the least and the greatest slope of the ground at the centres of cells, degrees.
    fn slopes(&self, place: Bounds<2>, [width, height]: [u32; 2]) -> Option<[f64; 2]> {
        let (min, size) = (place.min(), place.size());
        let center = |at: u32, cells: u32| (f64::from(at) + 0.5) / f64::from(cells);
        let cells = (0..height)
            .flat_map(|y| (0..width).map(move |x| [center(x, width), center(y, height)]));
        let slopes = cells.filter_map(|at| {
            let footing = self
                .ground
                .footing([0, 1].map(|k| min[k] + at[k] * size[k]))?;
            Some([footing.slope; 2])
        });
        slopes.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }

    /// Returns how much of a box belongs to the region, given bounds of its height and rises.
    fn share_of(&self, spans: [Span; 3]) -> Share {
        let [height, along_x, along_y] = spans.map(Span::widened);
        let (a, b) = (along_x.squared(), along_y.squared());
        let steep = Span {
            lo: a.lo + b.lo,
            hi: a.hi + b.hi,
        };
        both(
            self.altitude.map_or(Share::All, |ends| height.within(ends)),
            steep.within(self.steep),
        )
    }

    /// Returns the ranges of the height and of the rises along columns and rows over a small box. It is given by its
    /// ends along both axes, in pixels. `None` if a height is missing.
    ///
    /// All three are bilinear between lines through the centres and along the borders of pixels. So they are least and
    /// greatest where such lines, or the edges of the box, cross.
    fn close_spans(&self, ends: [[f64; 2]; 2]) -> Option<[Span; 3]> {
        let knots = |[low, high]: [f64; 2]| {
            let inner = (0_u32..).map(move |n| 0.5 * ((2.0 * low).ceil() + f64::from(n)));
            inner.take_while(move |at| *at < high).chain([low, high])
        };
        let [mut height, mut along_x, mut along_y] = [Span::NONE; 3];
        for x in knots(ends[0]) {
            for y in knots(ends[1]) {
                height.take(self.ground.height_at([x, y])?);
                along_x.take(self.ground.rise_at(0, [x, y])?);
                along_y.take(self.ground.rise_at(1, [x, y])?);
            }
        }
        Some([height, along_x, along_y])
    }

    /// Returns bounds of the height and of the rises along columns and rows over a pixel. They come from the pixels
    /// around it and the steps between them. `None` if one has no height, and so the pixel no footing.
    fn pixel_spans(&self, x: u32, y: u32) -> Option<[Span; 3]> {
        let ([left, right], [top, bottom]) = (self.ground.around(0, x), self.ground.around(1, y));
        let pixel = self.ground.pixel();
        let [mut height, mut along_x, mut along_y] = [Span::NONE; 3];
        for y in top..=bottom {
            for x in left..=right {
                let here = self.ground.pixel_height(x, y)?;
                height.take(here);
                if x < right {
                    let next = self.ground.pixel_height(x + 1, y)?;
                    along_x.take((next - here) / pixel[0]);
                }
                if y < bottom {
                    let next = self.ground.pixel_height(x, y + 1)?;
                    along_y.take((next - here) / pixel[1]);
                }
            }
        }
        // A single column or row is level across.
        if left == right {
            along_x.take(0.0);
        }
        if top == bottom {
            along_y.take(0.0);
        }
        Some([height, along_x, along_y])
    }
}

impl Region<2> for GroundRegion {
    fn holds(&self, p: [f64; 2]) -> bool {
        let within = |ends: Option<[f64; 2]>, value: f64| {
            ends.is_none_or(|[lo, hi]| (lo..=hi).contains(&value))
        };
        // Most places are too high or too low, and need no slope.
        if self.altitude.is_some()
            && let Some(height) = self.ground.height(p)
            && !within(self.altitude, height)
        {
            return false;
        }
        self.ground.footing(p).is_some_and(|footing| {
            within(self.limits.slope, footing.slope) && within(self.altitude, footing.height)
        })
    }

    fn share_in(&self, bounds: &Bounds<2>) -> Share {
        let [a, b] = [bounds.min(), bounds.max()].map(|p| self.ground.in_pixels(p));
        let size = self.ground.size();
        let ends = [0, 1].map(|k| {
            let ends = [a[k].min(b[k]) - BOX_MARGIN, a[k].max(b[k]) + BOX_MARGIN];
            ends.map(|at| at.clamp(0.0, f64::from(size[k])))
        });
        let [x, y] = [0, 1].map(|k| ends[k].map(|at| (at as u32).min(size[k] - 1)));
        let share = self.pyramid.over(&self.shares, [x, y]).share();
        if share != Share::Part || x[1] - x[0] >= CLOSE || y[1] - y[0] >= CLOSE {
            return share;
        }
        let spans = self.close_spans(ends);
        let share = spans.map_or(Share::Part, |spans| self.share_of(spans));
        let lacks = |y| (x[0]..=x[1]).any(|x| self.ground.lacks_footing(x, y));
        if share == Share::All && (y[0]..=y[1]).any(lacks) {
            return Share::Part;
        }
        share
    }

    /// Returns 0: the ground between two slopes may be a sliver.
    fn detail(&self) -> f64 {
        0.0
    }
}

/// Returns the square of a slope's tangent; -1 for a negative slope.
fn tangent_squared(degrees: f64) -> f64 {
    if degrees >= 90.0 {
        return f64::INFINITY;
    }
    if degrees < 0.0 {
        return -1.0;
    }
    let tangent = libm::tan(degrees.to_radians());
    tangent * tangent
}

/// Returns how much of a box belongs to two regions at once, given how much belongs to each.
fn both(a: Share, b: Share) -> Share {
    match (a, b) {
        (Share::None, _) | (_, Share::None) => Share::None,
        (Share::All, Share::All) => Share::All,
        _ => Share::Part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PixelGrid, YAxis};

    /// Returns a number in [0, 1) that depends on `n` alone.
    fn unit(n: u64) -> f64 {
        let z = (n ^ (n >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn rough(size: [u32; 2], y_axis: YAxis, holes: f64) -> Arc<Ground> {
        let bounds = Bounds::with_origin([-7.0, 3.0], [21.0, 12.0]).expect("a box");
        let grid = PixelGrid::new(size, bounds, y_axis).expect("a grid");
        let ground = Ground::from_fn(grid, |x, y| {
            let n = u64::from(y * size[0] + x);
            let hill = 6.0 - 0.01 * (f64::from(x) - 9.0).powi(2) + 0.2 * f64::from(y);
            (unit(3 * n) >= holes).then(|| hill + 0.5 * unit(3 * n + 1))
        });
        Arc::new(ground.expect("a ground"))
    }

    fn limits(slope: Option<[f64; 2]>, altitude: Option<[f64; 2]>) -> GroundLimits {
        GroundLimits { slope, altitude }
    }

    /// `All` and `None` are never wrong, and are found for most small boxes of which they are true.
    #[test]
    fn what_is_said_of_boxes_is_true_and_sharp() {
        let sizes = [[40, 30], [1, 9], [2, 2], [7, 1], [3, 50]];
        for (s, size) in sizes.into_iter().enumerate() {
            for (y_axis, holes) in [
                (YAxis::Down, 0.0),
                (YAxis::Down, 0.02),
                (YAxis::Up, 0.0),
                (YAxis::Up, 0.02),
            ] {
                let ground = rough(size, y_axis, holes);
                for limits in [
                    limits(Some([0.0, 35.0]), None),
                    limits(Some([20.0, 90.0]), Some([4.0, 7.0])),
                    limits(None, Some([5.0, 5.5])),
                    limits(None, None),
                ] {
                    let region = GroundRegion::new(Arc::clone(&ground), limits);
                    let (mut even, mut told) = (0, 0);
                    for n in 0..400_u64 {
                        let draw = |k: u64| unit(n * 64 + k + 7919 * s as u64);
                        let side = 8.0 * draw(0).powi(6);
                        let low = [-8.0 + 22.0 * draw(1), 2.0 + 13.0 * draw(2)];
                        let high = [low[0] + side, low[1] + side * draw(3).max(0.1)];
                        let Ok(bounds) = Bounds::new(low, high) else {
                            continue;
                        };
                        let ([x, y], [right, top]) = (bounds.min(), bounds.max());
                        let inside = (0..50).map(|k| {
                            let size = bounds.size();
                            [0, 1]
                                .map(|a: usize| low[a] + size[a] * unit(n * 131 + 2 * k + a as u64))
                        });
                        let held: Vec<bool> = [[x, y], [right, y], [x, top], [right, top]]
                            .into_iter()
                            .chain([bounds.center()])
                            .chain(inside)
                            .map(|p| region.holds(p))
                            .collect();
                        let share = region.share_in(&bounds);
                        let (all, none) = (held.iter().all(|h| *h), held.iter().all(|h| !h));
                        match share {
                            Share::All => assert!(all, "{size:?} {limits:?} {bounds:?}"),
                            Share::None => assert!(none, "{size:?} {limits:?} {bounds:?}"),
                            Share::Part => {}
                        }
                        if (all || none) && side < 0.05 {
                            even += 1;
                            told += u32::from(share != Share::Part);
                        }
                    }
                    assert!(even > 50);
                    if holes == 0.0 {
                        assert!(
                            told * 20 > even * 17,
                            "{size:?} {limits:?}: {told} of {even}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_ends_belong_to_it() {
        let bounds = Bounds::from_size([8.0, 8.0]).expect("a box");
        let plane = |x: u32, _| Some(f64::from(x));
        let grid = PixelGrid::new([8, 8], bounds, YAxis::Down).expect("a grid");
        let ground = Ground::from_fn(grid, plane).expect("a ground");
        let ground = Arc::new(ground);
        let there = ground.footing([4.0, 4.0]).expect("covered");
        for (slope, held) in [
            ([there.slope, 90.0], true),
            ([0.0, there.slope], true),
            ([0.0, 44.9], false),
            ([45.1, 90.0], false),
            ([-9.0, -1.0], false),
        ] {
            let region = GroundRegion::new(Arc::clone(&ground), limits(Some(slope), None));
            assert_eq!(region.holds([4.0, 4.0]), held, "{slope:?}");
        }
        for nan in [
            limits(None, Some([0.0, f64::NAN])),
            limits(Some([f64::NAN, 60.0]), None),
        ] {
            let none = GroundRegion::new(Arc::clone(&ground), nan);
            assert_eq!((none.share_in(&bounds), none.share()), (Share::None, 0.0));
        }
        let tenths = Ground::from_fn(grid, |x, _| Some(if x > 3 { 200.1 } else { 95.7 }));
        let tenths = Arc::new(tenths.expect("a ground"));
        let tenths = GroundRegion::new(tenths, limits(None, Some([95.7, 200.1])));
        assert_eq!([1.0, 7.0].map(|x| tenths.holds([x, 4.0])), [true; 2]);
        let high = GroundRegion::new(ground, limits(None, Some([4.0, 99.0])));
        assert_eq!([4.4, 4.6].map(|x| high.holds([x, 1.0])), [false, true]);
        assert!((high.share() - 0.45).abs() < 0.1, "{}", high.share());
    }

    /// A pixel rises in its half towards a higher one, and is level in the other half: no box there is in doubt.
    #[test]
    fn level_ground_beside_a_step_is_told_from_it() {
        let bounds = Bounds::from_size([8.0, 8.0]).expect("a box");
        for y_axis in [YAxis::Down, YAxis::Up] {
            let grid = PixelGrid::new([8, 8], bounds, y_axis).expect("a grid");
            let corner = |x, y| {
                Some(if x > 3 && (3..5).contains(&y) {
                    100.7
                } else {
                    95.7
                })
            };
            let ground = Arc::new(Ground::from_fn(grid, corner).expect("a ground"));
            let share = |limits, [x, y]: [f64; 2]| {
                let region = GroundRegion::new(Arc::clone(&ground), limits);
                region.share_in(&Bounds::with_origin([x, y], [0.125; 2]).expect("a box"))
            };
            let high = limits(None, Some([95.701, 200.0]));
            // The slope depends on the heights half a pixel further.
            let steep = limits(Some([0.01, 90.0]), None);
            for n in 0..12 {
                let along = 2.0 + 0.125 * f64::from(n);
                for (limits, at) in [
                    (high, [along, 3.75]),
                    (high, [5.0, along - 1.0]),
                    (steep, [3.0, along - 1.0]),
                ] {
                    assert_eq!(share(limits, at), Share::None, "{limits:?} {at:?}");
                }
            }
        }
    }
}
