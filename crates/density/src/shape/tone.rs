//! Tone: changes of greys before they become distances.

use super::{Curve, MapKind, ShapeError};
use crate::field_error::within;
use crate::grey_map::WHITE;
use crate::{DistRange, GreyMap, White};

/// A function from grey to grey, composed step by step in the order of the calls.
///
/// ```
/// use spinney_density::shape::{Curve, Tone};
/// use spinney_density::GreyMap;
///
/// let map = GreyMap::from_fn(256, 1, |x, _| f64::from(x) / 255.0)?;
/// let tone = Tone::new().linear().gamma(0.5)?.curve(&Curve::new(&[[0.0, 1.0], [1.0, 0.0]])?);
/// let toned = tone.apply(map);
/// assert_eq!([toned.value(0, 0), toned.value(255, 0)], [1.0, 0.0]);
/// # Ok::<(), spinney_density::shape::ShapeError>(())
/// ```
///
/// Steps are computed in `f64` for each of the 65536 greys (`libm`, so equal on every machine) and
/// rounded once, when the tone is applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Tone {
    values: Vec<f64>,
}

impl Default for Tone {
    fn default() -> Self {
        Self::new()
    }
}

impl Tone {
    /// Creates the tone that changes nothing.
    pub fn new() -> Self {
        let values = (0..=u16::MAX).map(|grey| f64::from(grey) / WHITE);
        Self {
            values: values.collect(),
        }
    }

    /// Appends the step from sRGB values to linear light (IEC 61966-2-1). For photographs and for
    /// maps painted by eye, where middle grey should mean the middle.
    #[must_use]
    pub fn linear(self) -> Self {
        self.then(|v| {
            if v <= 0.04045 {
                v / 12.92
            } else {
                libm::pow((v + 0.055) / 1.055, 2.4)
            }
        })
    }

    /// Appends the step `value ^ exponent`: above 1 darkens, below 1 brightens; black and white
    /// stay.
    ///
    /// # Errors
    /// Unless the exponent lies between 0.01 and 100.
    pub fn gamma(self, exponent: f64) -> Result<Self, ShapeError> {
        let exponent = within("gamma", exponent, 0.01, 100.0)?;
        Ok(self.then(|v| libm::pow(v, exponent)))
    }

    /// Appends a curve.
    #[must_use]
    pub fn curve(self, curve: &Curve) -> Self {
        self.then(|v| curve.at(v))
    }

    /// Appends the step from values of `kind` to values that mean the same as distances. After it, the
    /// formula of [`White`] gives the intended distances, with the same range and polarity.
    ///
    /// Distances from a map of densities are rounded to 1/65535 of the range. If `max` is a hundred
    /// times `min`, the density at the dense end is right within 0.2 %; at a thousand times, within
    /// 2 %.
    #[must_use]
    pub fn from_kind(self, kind: MapKind, range: DistRange, white: White) -> Self {
        self.then(|v| kind.as_distance(v, range, white))
    }

    /// Returns the grey that `grey` becomes; full scale is 65535.
    pub fn grey(&self, grey: u16) -> u16 {
        (self.values[usize::from(grey)].clamp(0.0, 1.0) * WHITE).round() as u16
    }

    /// Returns the map with every grey replaced. Where points may lie does not change.
    pub fn apply(&self, map: GreyMap) -> GreyMap {
        let table: Vec<u16> = (0..=u16::MAX).map(|grey| self.grey(grey)).collect();
        map.map_greys(|grey| table[usize::from(grey)])
    }

    fn then(mut self, step: impl Fn(f64) -> f64) -> Self {
        for value in &mut self.values {
            *value = step(*value);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_nothing() {
        let none = Tone::new();
        let one = Tone::new().gamma(1.0).expect("a good gamma");
        for grey in 0..=u16::MAX {
            assert_eq!(none.grey(grey), grey);
            assert_eq!(one.grey(grey), grey);
        }
    }

    #[test]
    fn known_greys() {
        let linear = Tone::new().linear();
        assert_eq!([linear.grey(0), linear.grey(65535)], [0, 65535]);
        // 8-bit 188 is half the light: 0.50289 by the standard's formula.
        assert_eq!(
            linear.grey(188 * 257),
            (0.502_886_f64 * WHITE).round() as u16
        );
        // The straight part below 0.04045.
        assert_eq!(linear.grey(1292), 100);
        let square = Tone::new().gamma(2.0).expect("a good gamma");
        assert_eq!(square.grey(32768), 16384);
        let curve = Curve::new(&[[0.0, 1.0], [1.0, 0.0]]).expect("a good curve");
        assert_eq!(Tone::new().curve(&curve).grey(100), 65435);
    }

    #[test]
    fn steps_follow_each_other() {
        let invert = Curve::new(&[[0.0, 1.0], [1.0, 0.0]]).expect("a good curve");
        let first = Tone::new().curve(&invert).gamma(2.0).expect("a good gamma");
        let last = Tone::new().gamma(2.0).expect("a good gamma").curve(&invert);
        assert_eq!(first.grey(49151), 4096, "(1 - 3/4)^2");
        assert_eq!(last.grey(49151), 28672, "1 - (3/4)^2");
    }

    #[test]
    fn refuses_what_is_no_gamma() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert!(Tone::new().gamma(bad).is_err());
        }
    }

    #[test]
    fn every_step_rises() {
        let range = DistRange::new(1.0, 1000.0).expect("a good range");
        for white in [White::Sparse, White::Dense] {
            let tone = Tone::new()
                .linear()
                .gamma(0.45)
                .expect("a good gamma")
                .from_kind(MapKind::Density, range, white);
            for grey in 1..=u16::MAX {
                assert!(tone.grey(grey - 1) <= tone.grey(grey));
            }
            assert_eq!([tone.grey(0), tone.grey(u16::MAX)], [0, u16::MAX]);
        }
    }
}
