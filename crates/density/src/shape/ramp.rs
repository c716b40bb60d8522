//! Makes maps that brighten with the distance from something.

use super::ShapeError;
use super::envelope::lower_envelope;
use crate::field_error::within;
use crate::grey_map::WHITE;
use crate::per_pixel::{per_pixel, pixel_count};
use crate::{GreyMap, MapError};

/// The rise of the grey from 0, where the distance is 0, to 1 at the full reach.
///
/// See [`ramp_from_edge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ramp {
    /// Proportional to the distance.
    Linear,
    /// Proportional to the root of the distance: the fall-off that does not starve (see
    /// [`Falloff`](crate::Falloff); Tulleken, "Poisson Disk Sampling", Dev.Mag 21, 2008, figure 7).
    Sqrt,
}

impl Ramp {
    /// Returns the ramp's name as spelt on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Sqrt => "sqrt",
        }
    }

    fn at(self, share: f64) -> f64 {
        match self {
            Self::Linear => share.min(1.0),
            Self::Sqrt => share.min(1.0).sqrt(),
        }
    }
}

/// The bright or the dark parts of a map: the source of a fall-off, or the parts that grow.
///
/// See [`ramp_from_edge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shade {
    /// Pixels of at least half white.
    Bright,
    /// Pixels of less than half white.
    Dark,
}

impl Shade {
    /// Returns the shade's name as spelt on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bright => "bright",
            Self::Dark => "dark",
        }
    }

    /// Returns `true` if a pixel of this grey, of 65535, has this shade.
    pub fn has(self, grey: u16) -> bool {
        (grey > u16::MAX / 2) == (self == Self::Bright)
    }
}

const REACH: &str = "the reach of a fall-off";
/// The least reach, pixels.
const LEAST: f64 = 1e-3;
/// The greatest reach, pixels.
const MOST: f64 = 1e9;

/// Returns a map that is black on the bright (or dark) parts of `mask` and rises to white `reach`
/// pixels from their edge. Distances are between pixels' centres, exact, in time proportional to
/// the pixels (Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled Functions", 2012).
/// Closed pixels of the mask stay closed, and nothing falls off from them. Without any such part
/// the map is white.
///
/// ```
/// use spinney_density::GreyMap;
/// use spinney_density::shape::{Ramp, Shade, ramp_from_edge};
///
/// let dot = GreyMap::from_fn(9, 9, |x, y| if (x, y) == (4, 4) { 1.0 } else { 0.0 })?;
/// let around = ramp_from_edge(&dot, Shade::Bright, 4.0, Ramp::Linear)?;
/// assert_eq!([4, 8].map(|x| around.value(x, 4)), [0.0, 1.0]);
/// # Ok::<(), spinney_density::shape::ShapeError>(())
/// ```
///
/// # Errors
/// Unless `reach` lies between 1e-3 and 1e9, or without enough memory.
pub fn ramp_from_edge(
    mask: &GreyMap,
    from: Shade,
    reach: f64,
    ramp: Ramp,
) -> Result<GreyMap, ShapeError> {
    let reach = within(REACH, reach, LEAST, MOST)?;
    let [width, height] = mask.size();
    let mut squares = per_pixel(f64::INFINITY, mask.size())?;
    for (i, (square, &grey)) in squares.iter_mut().zip(mask.greys()).enumerate() {
        if mask.is_open(i) && from.has(grey) {
            *square = 0.0;
        }
    }
    lower_envelope(&mut squares, width as usize, [1.0; 2])
        .ok_or(MapError::OutOfMemory { width, height })?;
    let mut greys = per_pixel(0u16, mask.size())?;
    for (grey, square) in greys.iter_mut().zip(&squares) {
        *grey = (ramp.at(square.sqrt() / reach) * WHITE).round() as u16;
    }
    let allowed = mask.mask().map(<[bool]>::to_vec);
    Ok(GreyMap::new(width, height, greys, allowed)?)
}

/// Returns a map that is black at each of `places` and rises to white `reach` pixels from the
/// nearest. Places are in pixels; the centre of the first pixel is `[0.5, 0.5]`. Without places the
/// map is white. Takes time proportional to pixels * places.
///
/// ```
/// use spinney_density::shape::{Ramp, ramp_around};
///
/// let map = ramp_around([9, 9], &[[4.5, 4.5]], 4.0, Ramp::Sqrt)?;
/// assert_eq!([4, 8].map(|x| map.value(x, 4)), [0.0, 1.0]);
/// # Ok::<(), spinney_density::shape::ShapeError>(())
/// ```
///
/// # Errors
/// Unless `reach` lies between 1e-3 and 1e9 and there is a pixel, or without enough memory.
pub fn ramp_around(
    [width, height]: [u32; 2],
    places: &[[f64; 2]],
    reach: f64,
    ramp: Ramp,
) -> Result<GreyMap, ShapeError> {
    let reach = within(REACH, reach, LEAST, MOST)?;
    pixel_count(width, height)?;
    Ok(GreyMap::from_fn(width, height, |x, y| {
        let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
        let nearest = places.iter().fold(f64::INFINITY, |nearest, [u, v]| {
            nearest.min((x - u) * (x - u) + (y - v) * (y - v))
        });
        ramp.at(nearest.sqrt() / reach)
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn falls_off_around_places() {
        let map = ramp_around([9, 1], &[[0.5, 0.5]], 4.0, Ramp::Linear).expect("a good reach");
        let values: Vec<f64> = (0..9).map(|x| map.value(x, 0)).collect();
        for (x, value) in values.iter().enumerate() {
            assert!((value - (x as f64 / 4.0).min(1.0)).abs() < 1e-5);
        }
        let map = ramp_around([9, 1], &[[0.5, 0.5]], 4.0, Ramp::Sqrt).expect("a good reach");
        assert!((map.value(1, 0) - 0.5).abs() < 1e-5);
        let none = ramp_around([2, 2], &[], 4.0, Ramp::Sqrt).expect("a good reach");
        assert_eq!(none.greys(), [u16::MAX; 4]);
        assert!(ramp_around([2, 2], &[], 0.0, Ramp::Sqrt).is_err());
        assert!(ramp_around([0, 2], &[], 1.0, Ramp::Sqrt).is_err());
    }

    proptest! {
        #[test]
        fn knows_the_distance_to_the_edge(
            width in 1u32..16,
            height in 1u32..16,
            salt in any::<u32>(),
            reach in 0.5..40.0,
            bright in any::<bool>(),
        ) {
            let mask = crate::test_maps::random(width, height, salt, 3);
            let from = if bright { Shade::Bright } else { Shade::Dark };
            let map = ramp_from_edge(&mask, from, reach, Ramp::Linear).expect("a good reach");
            prop_assert_eq!(map.mask(), mask.mask());
            let places = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            for (x, y) in places() {
                let sources = places().filter(|&(i, j)| {
                    mask.allowed(i, j) && (mask.value(i, j) >= 0.5) == bright
                });
                let nearest = sources.fold(f64::INFINITY, |least, (i, j)| {
                    let (dx, dy) = (f64::from(x.abs_diff(i)), f64::from(y.abs_diff(j)));
                    least.min((dx * dx + dy * dy).sqrt())
                });
                let truth = (nearest / reach).min(1.0);
                prop_assert!((map.value(x, y) - truth).abs() <= 0.51 / WHITE);
            }
        }
    }
}
