//! The maps of the variable group. The smooth one has 16-bit values as from a painter or a noise
//! tool, and every grey is equally frequent.

use density::decode::{Channel, DecodeLimits};
use density::{
    Bounds, Coverage, DistRange, GreyMap, LocalRange, MapError, MapOptions, RadiusField, RadiusMap,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::error::Error;

/// Pixels along a side.
const PIXELS: usize = 512;
/// Random heights along a side, between which the map is interpolated smoothly.
const KNOTS: usize = 6;

/// Returns the smooth map.
///
/// # Errors
/// Never: its size is right.
pub(crate) fn smooth_map() -> Result<GreyMap, MapError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let knots: Vec<f64> = (0..KNOTS * KNOTS).map(|_| rng.random()).collect();
    let pixels = PIXELS * PIXELS;
    let heights: Vec<f64> = (0..pixels)
        .map(|i| {
            let [x, y] = [i % PIXELS, i / PIXELS]
                .map(|p| (p as f64 + 0.5) / PIXELS as f64 * (KNOTS - 1) as f64);
            smooth(&knots, x, y)
        })
        .collect();
    // A pixel's value is its height's rank: that spreads the values evenly over 0..=65535 and does
    // not move the hills.
    let mut order: Vec<usize> = (0..pixels).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    let mut values = vec![0; pixels];
    for (rank, &pixel) in order.iter().enumerate() {
        values[pixel] = (rank * 65_535 / (pixels - 1)) as u16;
    }
    let side = PIXELS as u32;
    GreyMap::new(side, side, values, None)
}

/// Interpolates the knots with a cubic that is level at each of them.
fn smooth(knots: &[f64], x: f64, y: f64) -> f64 {
    let ease = |t: f64| t * t * (3.0 - 2.0 * t);
    let (i, j) = (x as usize, y as usize);
    let (u, v) = (ease(x - i as f64), ease(y - j as f64));
    let knot = |i: usize, j: usize| knots[j * KNOTS + i];
    let low = knot(i, j) + u * (knot(i + 1, j) - knot(i, j));
    let high = knot(i, j + 1) + u * (knot(i + 1, j + 1) - knot(i, j + 1));
    low + v * (high - low)
}

/// Returns the map over a square of the given side as a field from `min_dist` 1 to `ratio`.
///
/// # Errors
/// If `ratio` is below 1 or `side` is not a valid size.
pub(crate) fn field(map: &GreyMap, ratio: f64, side: f64) -> Result<RadiusMap, Box<dyn Error>> {
    let options = MapOptions {
        bounds: Some(Bounds::from_size([side; 2])?),
        ..MapOptions::default()
    };
    let range = DistRange::new(1.0, ratio)?;
    Ok(RadiusMap::new(map.clone(), range, options)?)
}

/// Squares along a side of the checkerboards.
const SQUARES: u32 = 8;

/// Returns a checkerboard as painters have it: 8 bits, its edges one pixel wide.
///
/// # Errors
/// Never: its size is right.
pub(crate) fn checkerboard() -> Result<GreyMap, MapError> {
    let side = PIXELS as u32;
    let square = side / SQUARES;
    let grey = |i| u16::from((i % side / square + i / side / square) % 2 == 1) * 255;
    GreyMap::new(side, side, (0..side * side).map(grey).collect(), None)
}

/// Number of greys that the photograph is reduced to.
const GREYS: u16 = 6;

/// Returns a photograph of boots, its 256 greys reduced to a few.
///
/// # Errors
/// Never: it is part of the program.
pub(crate) fn posterised_photograph() -> Result<GreyMap, Box<dyn Error>> {
    let photograph = include_bytes!("../../../maps/boots.jpg");
    let map = GreyMap::decode(photograph, Channel::Luma, DecodeLimits::default())?;
    let steps = u32::from(GREYS) - 1;
    let greys = map.greys().iter().map(|&grey| {
        let step = (u32::from(grey) * steps + 127) / 255;
        (step * 255 / steps) as u16
    });
    Ok(GreyMap::new(
        map.width(),
        map.height(),
        greys.collect(),
        None,
    )?)
}

/// A checkerboard with edges of no width and exact bounds.
pub(crate) struct Checkerboard {
    range: DistRange,
    square: f64,
}

impl Checkerboard {
    /// Creates a checkerboard of `min_dist` 1 and `ratio`, over a square of the given side.
    ///
    /// # Errors
    /// If `ratio` is below 1.
    pub(crate) fn new(ratio: f64, side: f64) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            range: DistRange::new(1.0, ratio)?,
            square: side / f64::from(SQUARES),
        })
    }

    fn column(&self, x: f64) -> i64 {
        (x / self.square).floor() as i64
    }
}

impl RadiusField<2> for Checkerboard {
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        let [i, j] = p.map(|x| self.column(x));
        Some(if (i + j) % 2 == 0 {
            self.range.lo()
        } else {
            self.range.hi()
        })
    }

    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        let (min, max) = (bounds.min(), bounds.max());
        let one_square = (0..2).all(|a| self.column(min[a]) == self.column(max[a]));
        let range = if one_square {
            let r = self.min_dist(min)?;
            DistRange::new(r, r).ok()?
        } else {
            self.range
        };
        let coverage = Coverage::All;
        Some(LocalRange { range, coverage })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grey_is_equally_frequent_and_neighbours_differ_little() {
        let map = smooth_map().expect("a good map");
        let dark = map.greys().iter().filter(|&&v| v < 6554).count();
        assert!(dark.abs_diff(PIXELS * PIXELS / 10) < 20, "{dark}");
        let steepest = map
            .greys()
            .windows(2)
            .enumerate()
            .filter(|(i, _)| (i + 1) % PIXELS != 0)
            .map(|(_, pair)| pair[0].abs_diff(pair[1]))
            .max();
        assert!(steepest < Some(2000), "{steepest:?}");
    }
}
