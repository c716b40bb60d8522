//! A map of distances, at full precision.

use crate::grey_map::WHITE;
use crate::per_pixel::{per_pixel, pixel_count};
use crate::{DistRange, GreyMap, MapError, White};

/// The `min_dist` at the centre of every pixel, world units, at full precision. Slopes are
/// distances per distance, so functions that limit them work on this map and not on greys.
///
/// # Guarantees
/// Width and height are at least 1, there is one distance per pixel, and it is positive and
/// finite, or NaN where no point may lie.
///
/// ```
/// use spinney_density::shape::DistMap;
/// use spinney_density::{DistRange, GreyMap, White};
///
/// let map = GreyMap::from_fn(2, 1, |x, _| f64::from(x))?;
/// let range = DistRange::new(1.0, 4.0)?;
/// let distances = DistMap::new(&map, range, White::Sparse, [1.0, 1.0])?;
/// assert_eq!(distances.distances(), [1.0, 4.0]);
/// assert_eq!(distances.to_map(range, White::Sparse)?, map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DistMap {
    width: u32,
    height: u32,
    pixel: [f64; 2],
    distances: Vec<f64>,
}

/// One of the two sides of an edge in a map of distances.
///
/// See [`limit`](super::limit()).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side of small distances.
    Dense,
    /// The side of large distances.
    Sparse,
}

impl Side {
    /// Both sides; front ends keep the first one by default.
    pub const ALL: [Self; 2] = [Self::Dense, Self::Sparse];

    /// Returns the side's name as spelt on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Sparse => "sparse",
        }
    }
}

impl DistMap {
    /// Creates the distances of `map`, in `range`; `pixel` is a pixel's width and height in world
    /// units. Takes 8 bytes per pixel.
    ///
    /// # Errors
    /// When a pixel's sides are not positive and finite, or without enough memory.
    pub fn new(
        map: &GreyMap,
        range: DistRange,
        white: White,
        pixel: [f64; 2],
    ) -> Result<Self, MapError> {
        let [width, height] = map.size();
        check_pixel(pixel)?;
        let mut distances = per_pixel(f64::NAN, map.size())?;
        for (i, (distance, &grey)) in distances.iter_mut().zip(map.greys()).enumerate() {
            if map.is_open(i) {
                *distance = range.at(white.sparseness(f64::from(grey) / WHITE));
            }
        }
        Ok(Self {
            width,
            height,
            pixel,
            distances,
        })
    }

    /// Creates a map of distances that are known at full precision: row by row from the top, world
    /// units, NaN where no point may lie. `pixel` is a pixel's width and height in world units.
    ///
    /// # Errors
    /// When there is no pixel, a distance is missing or is neither positive and finite nor NaN, or
    /// a pixel's sides are not positive and finite.
    pub fn from_distances(
        [width, height]: [u32; 2],
        pixel: [f64; 2],
        distances: Vec<f64>,
    ) -> Result<Self, MapError> {
        let pixels = pixel_count(width, height)?;
        if distances.len() != pixels {
            return Err(MapError::Length {
                what: "distances",
                width,
                height,
                found: distances.len(),
                expected: pixels as u64,
            });
        }
        check_pixel(pixel)?;
        // This is false for NaN.
        let wrong = |r: &f64| *r <= 0.0 || *r == f64::INFINITY;
        if let Some(index) = distances.iter().position(wrong) {
            let row = pixel_count(width, 1)?;
            return Err(MapError::Distance {
                x: (index % row) as u32,
                y: (index / row) as u32,
                value: distances[index],
            });
        }
        Ok(Self {
            width,
            height,
            pixel,
            distances,
        })
    }

    /// Returns the map whose greys stand for these distances in `range`, to 16 bits; distances
    /// outside of the range are clamped. The rounding moves a distance by at most
    /// `(hi - lo) / 131070`.
    ///
    /// # Errors
    /// Without enough memory for the map.
    pub fn to_map(&self, range: DistRange, white: White) -> Result<GreyMap, MapError> {
        let span = range.hi() - range.lo();
        let mut at = self.distances.iter();
        GreyMap::from_fn(self.width, self.height, |_, _| {
            let distance = at.next().copied().unwrap_or(f64::NAN);
            if distance.is_nan() || span == 0.0 {
                // `0.0 * distance` is 0, or NaN for NaN.
                return white.sparseness(0.0 * distance);
            }
            white.sparseness(((distance - range.lo()) / span).clamp(0.0, 1.0))
        })
    }

    /// Returns the number of pixels per row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns a pixel's width and height, world units.
    pub fn pixel(&self) -> [f64; 2] {
        self.pixel
    }

    /// Returns the distances, row by row from the top, world units; NaN where no point may lie.
    pub fn distances(&self) -> &[f64] {
        &self.distances
    }

    /// Returns the share of the pixels where points may lie, in [0, 1].
    pub fn allowed_share(&self) -> f64 {
        let allowed = self.distances.iter().filter(|r| !r.is_nan()).count();
        allowed as f64 / self.distances.len() as f64
    }

    /// Returns the least and the greatest distance; `None` if no point may lie anywhere.
    pub fn extremes(&self) -> Option<DistRange> {
        // `f64::min` and `f64::max` ignore NaN.
        let lo = self.distances.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = self.distances.iter().copied().fold(0.0, f64::max);
        DistRange::new(lo, hi).ok()
    }

    /// Returns the expected number of points of a maximal set whose density follows the map: the
    /// integral of [`PACKING`](crate::shape::PACKING) over the square of the distance, pixel by
    /// pixel.
    pub fn expected_points(&self) -> f64 {
        let area = self.pixel[0] * self.pixel[1];
        let inverse = |r: &f64| 1.0 / (r * r);
        let allowed = self.distances.iter().filter(|r| !r.is_nan());
        crate::shape::PACKING * area * allowed.map(inverse).sum::<f64>()
    }

    /// Returns the map with other distances, which the caller has kept positive or NaN.
    pub(crate) fn with(&self, distances: Vec<f64>) -> Self {
        Self { distances, ..*self }
    }
}

fn check_pixel(pixel: [f64; 2]) -> Result<(), MapError> {
    for (axis, size) in pixel.into_iter().enumerate() {
        if !(size.is_normal() && size > 0.0) {
            return Err(MapError::PixelSize {
                axis,
                pixels: 1,
                size,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_no_pixel() {
        let map = GreyMap::from_fn(2, 2, |_, _| 0.5).expect("a good map");
        let range = DistRange::new(1.0, 2.0).expect("a good range");
        for side in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let pixel = [1.0, side];
            assert!(DistMap::new(&map, range, White::Sparse, pixel).is_err());
        }
    }

    #[test]
    fn takes_distances_as_they_are_and_refuses_what_is_none() {
        let of = |distances: &[f64]| DistMap::from_distances([2, 1], [1.0; 2], distances.to_vec());
        let map = of(&[0.1, f64::NAN]).expect("good distances");
        assert_eq!(map.distances()[0], 0.1);
        assert!(matches!(
            of(&[1.0]),
            Err(MapError::Length {
                found: 1,
                expected: 2,
                ..
            })
        ));
        for bad in [0.0, -1.0, f64::INFINITY] {
            assert_eq!(
                of(&[1.0, bad]),
                Err(MapError::Distance {
                    x: 1,
                    y: 0,
                    value: bad
                })
            );
        }
        assert!(DistMap::from_distances([0, 1], [1.0; 2], Vec::new()).is_err());
        assert!(DistMap::from_distances([1, 1], [1.0, 0.0], vec![1.0]).is_err());
    }

    proptest! {
        #[test]
        fn comes_back_as_the_map_that_it_was(
            salt in any::<u32>(),
            lo in 0.1..10.0,
            wider in prop_oneof![Just(0.0), 0.0..100.0],
            dense in any::<bool>(),
        ) {
            let map = crate::test_maps::random(9, 7, salt, 5);
            let range = DistRange::new(lo, lo + wider).expect("a good range");
            let white = if dense { White::Dense } else { White::Sparse };
            let distances = DistMap::new(&map, range, white, [1.0; 2]).expect("a good pixel");
            let back = distances.to_map(range, white).expect("enough memory");
            prop_assert_eq!(back.mask(), map.mask());
            for (i, (a, b)) in back.greys().iter().zip(map.greys()).enumerate() {
                let open = map.mask().is_none_or(|m| m[i]) && wider > 1e-9;
                prop_assert!(a == b || !open, "{} became {}", b, a);
            }
        }
    }
}
