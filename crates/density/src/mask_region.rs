//! Regions of greyscale maps.

use crate::field_error::within;
use crate::per_pixel::{per_pixel, places};
use crate::shape::ShapeError;
use crate::{
    Bounds, Coverage, DistRange, GreyMap, MapOptions, RadiusField, RadiusMap, Region, Share,
};

/// The region of the pixels of a [`GreyMap`] whose value is at least a threshold.
///
/// A pixel's square belongs to the region entirely or not at all: nothing is interpolated, so an
/// island of one pixel is a square of that size. Pixels that allow no points (alpha 0, NaN,
/// no-data) do not belong to it. Outside the image the nearest pixel decides.
///
/// Takes about 5 bytes of memory per pixel; `holds` and `share_in` take constant time.
///
/// ```
/// use spinney_density::{GreyMap, MapOptions, MaskRegion, Region};
///
/// let map = GreyMap::from_fn(3, 1, |x, _| [0.2, 0.5, 0.9][x as usize])?;
/// let mask = MaskRegion::new(&map, 0.5, MapOptions::default())?;
/// assert_eq!([0.5, 1.5, 2.5].map(|x| mask.holds([x, 0.5])), [false, true, true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MaskRegion {
    /// Only its open places matter, not its distances.
    squares: RadiusMap,
}

impl MaskRegion {
    /// Creates the region where `map` has values of at least `threshold`. Only
    /// [`bounds`](MapOptions::bounds) and [`y_axis`](MapOptions::y_axis) of `options` are used:
    /// they place the map in the world.
    ///
    /// # Errors
    /// Unless `threshold` lies between 0 (wherever the map allows points) and 1 (only white); also
    /// those of [`RadiusMap::new`].
    pub fn new(map: &GreyMap, threshold: f64, options: MapOptions) -> Result<Self, ShapeError> {
        let threshold = within("the mask's threshold", threshold, 0.0, 1.0)?;
        let [width, height] = map.size();
        let mut open = per_pixel(false, map.size())?;
        for (open, (x, y)) in open.iter_mut().zip(places(map.size())) {
            *open = map.allowed(x, y) && map.value(x, y) >= threshold;
        }
        let greys = per_pixel(0, map.size())?;
        let squares = GreyMap::new(width, height, greys, Some(open))?;
        let squares = RadiusMap::new(squares, DistRange::ONE, options)?;
        Ok(Self { squares })
    }

    /// Returns the share of the image's area that belongs to the region, from 0 to 1. Takes a pass
    /// over the pixels.
    pub fn share(&self) -> f64 {
        self.squares.map().allowed_share()
    }
}

impl Region<2> for MaskRegion {
    #[inline]
    fn holds(&self, p: [f64; 2]) -> bool {
        self.squares.min_dist(p).is_some()
    }

    fn share_in(&self, bounds: &Bounds<2>) -> Share {
        match self.squares.range_in(bounds) {
            None => Share::None,
            Some(local) if local.coverage == Coverage::All => Share::All,
            Some(_) => Share::Part,
        }
    }

    /// Returns the smaller side of a pixel; 0 if the mask contains everything.
    fn detail(&self) -> f64 {
        self.squares.mask_detail(1.0).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::YAxis;

    fn rows(rows: [[f64; 2]; 2]) -> GreyMap {
        GreyMap::from_fn(2, 2, |x, y| rows[y as usize][x as usize]).expect("a map")
    }

    #[test]
    fn the_threshold_belongs_to_it_and_what_is_transparent_does_not() {
        let map = rows([[0.5, 0.499], [f64::NAN, 1.0]]);
        let held = |threshold| {
            let mask = MaskRegion::new(&map, threshold, MapOptions::default()).expect("a mask");
            let places = [[0.5, 0.5], [1.5, 0.5], [0.5, 1.5], [1.5, 1.5]];
            (places.map(|p| mask.holds(p)), mask.share())
        };
        assert_eq!(held(0.5), ([true, false, false, true], 0.5));
        assert_eq!(held(0.0), ([true, true, false, true], 0.75));
        assert_eq!(held(1.0), ([false, false, false, true], 0.25));
        for bad in [-0.1, 1.1, f64::NAN] {
            assert!(MaskRegion::new(&map, bad, MapOptions::default()).is_err());
        }
    }

    #[test]
    fn it_lies_in_the_world_like_a_map() {
        let options = MapOptions {
            bounds: Some(Bounds::new([-10.0, 0.0], [10.0, 4.0]).expect("a box")),
            y_axis: YAxis::Up,
            ..MapOptions::default()
        };
        let mask = MaskRegion::new(&rows([[1.0, 0.0], [0.0, 0.0]]), 0.5, options).expect("a mask");
        assert!(mask.holds([-0.001, 2.001]) && !mask.holds([-0.001, 1.999]));
        let share = |min, max| mask.share_in(&Bounds::new(min, max).expect("a box"));
        assert_eq!(share([-9.0, 2.5], [-1.0, 3.5]), Share::All);
        assert_eq!(share([-9.0, 0.5], [-1.0, 1.5]), Share::None);
        assert_eq!(share([-9.0, 0.5], [-1.0, 3.5]), Share::Part);
        assert_eq!(mask.detail(), 2.0);
    }
}
