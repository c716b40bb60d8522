//! Meaning of a grey: a distance, or a density of points.

use crate::{DistRange, DistRangeError, White};

/// Points per area times `min_dist`^2 in a maximal set of one distance in two dimensions, where no
/// further point can be placed: the jamming limit of random sequential addition. Under the rule
/// `max` a map's edges and slopes lower it; Bridson's algorithm with 30 tries gets 0.615.
pub const PACKING: f64 = 0.6966;

/// Points per volume times `min_dist`^3 in a maximal set of one distance in three dimensions;
/// Bridson's algorithm with 30 tries gets 0.576.
const PACKING_IN_SPACE: f64 = 0.734;

/// Returns the distance that gives `density` points per area (`D` = 2) or volume (`D` = 3) in a
/// maximal set: `sqrt(PACKING / density)`, or the cube root of `PACKING_IN_SPACE / density`.
///
/// NaN for a negative density, infinite for 0.
fn dist_for_density<const D: usize>(density: f64) -> f64 {
    const { assert!(D == 2 || D == 3, "in the plane or in space") };
    if D == 2 {
        (PACKING / density).sqrt()
    } else if density < 0.0 {
        f64::NAN
    } else {
        libm::cbrt(PACKING_IN_SPACE / density)
    }
}

/// The quantity that is linear in the grey.
///
/// ```
/// use spinney_density::shape::{MapKind, Shaping};
/// use spinney_density::{DistRange, GreyMap, MapOptions, RadiusField};
///
/// let (grey, range) = (GreyMap::from_fn(1, 1, |_, _| 0.5)?, DistRange::new(1.0, 7.0)?);
/// let shaping = Shaping { kind: MapKind::Density, ..Shaping::default() };
/// let field = shaping.field(grey, range, MapOptions::default())?;
/// // Half of the density of black is reached at a distance of 1.4, not of 4.
/// assert!(field.min_dist([0.5, 0.5]).is_some_and(|r| (r - 1.4).abs() < 0.01));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// The distance: `min_dist = min + value * (max - min)`.
    #[default]
    Distance,
    /// The points per area: half-way between black and white lies the mean of their densities. The
    /// distance is proportional to the inverse root of the density.
    Density,
}

impl MapKind {
    /// Both kinds, the default first.
    pub const ALL: [Self; 2] = [Self::Distance, Self::Density];

    /// Returns the kind's name as spelt on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Density => "density",
        }
    }

    /// Returns the value that as a distance means what `value` means as this kind. Both lie
    /// in [0, 1].
    pub(crate) fn as_distance(self, value: f64, range: DistRange, white: White) -> f64 {
        let span = range.hi() - range.lo();
        if self == Self::Distance || span == 0.0 {
            return value;
        }
        // 1 / r^2 runs from 1 / lo^2 to 1 / hi^2; in units of lo it cannot overflow.
        let sparseness = white.sparseness(value);
        let ratio = range.lo() / range.hi();
        let density = (1.0 - sparseness) + sparseness * ratio * ratio;
        let distance = range.lo() / density.sqrt();
        white.sparseness(((distance - range.lo()) / span).clamp(0.0, 1.0))
    }
}

impl DistRange {
    /// Creates the range whose ends give `least` and `most` points per area (`D` = 2) or volume
    /// (`D` = 3) in a maximal set: `sqrt(PACKING / density)`, or the cube root of
    /// `0.734 / density`. See [`PACKING`].
    ///
    /// ```
    /// use spinney_density::DistRange;
    ///
    /// let plane = DistRange::from_densities::<2>(0.01, 0.2)?;
    /// assert!((plane.lo() - 1.87).abs() < 0.01 && (plane.hi() - 8.35).abs() < 0.01);
    /// let space = DistRange::from_densities::<3>(0.01, 0.2)?;
    /// assert!((space.lo() - 1.54).abs() < 0.01 && (space.hi() - 4.19).abs() < 0.01);
    /// # Ok::<(), spinney_density::DistRangeError>(())
    /// ```
    ///
    /// # Errors
    /// Unless both distances are positive and finite and `least <= most`.
    pub fn from_densities<const D: usize>(least: f64, most: f64) -> Result<Self, DistRangeError> {
        Self::new(dist_for_density::<D>(most), dist_for_density::<D>(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn densities_give_distances() {
        let range = DistRange::from_densities::<2>(PACKING / 400.0, PACKING / 4.0).expect("good");
        assert!((range.lo() - 2.0).abs() < 1e-12 && (range.hi() - 20.0).abs() < 1e-12);
        let [least, most] = [8000.0, 8.0].map(|volume| PACKING_IN_SPACE / volume);
        let range = DistRange::from_densities::<3>(least, most).expect("good");
        assert!((range.lo() - 2.0).abs() < 1e-12 && (range.hi() - 20.0).abs() < 1e-12);
        for [least, most] in [
            [0.0, 1.0],
            [2.0, 1.0],
            [-1.0, 1.0],
            [f64::NAN, 1.0],
            [1.0, f64::INFINITY],
        ] {
            let plane = DistRange::from_densities::<2>(least, most);
            let space = DistRange::from_densities::<3>(least, most);
            assert!(plane.is_err() && space.is_err(), "{least} {most}");
        }
    }

    proptest! {
        #[test]
        fn density_is_linear_in_the_grey(
            lo in 0.01..10.0,
            ratio in 1.01..100.0,
            value in 0.0..=1.0,
            dense in any::<bool>(),
        ) {
            let range = DistRange::new(lo, lo * ratio).expect("a good range");
            let white = if dense { White::Dense } else { White::Sparse };
            let distance = |v: f64| {
                range.at(white.sparseness(MapKind::Density.as_distance(v, range, white)))
            };
            let density = |v: f64| 1.0 / (distance(v) * distance(v));
            let truth = density(0.0) + value * (density(1.0) - density(0.0));
            prop_assert!((density(value) - truth).abs() <= 1e-9 * density(0.0).max(density(1.0)));
            for end in [0.0, 1.0] {
                let kept = MapKind::Density.as_distance(end, range, white);
                prop_assert!((kept - end).abs() < 1e-12);
            }
        }
    }
}
