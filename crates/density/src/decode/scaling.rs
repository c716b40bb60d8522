//! Scale and offset of stored numbers: whole decimetres for metres, for example.

use super::DecodeError;
use std::fmt;

/// The factor and the offset that turn the numbers of a file into levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    scale: f64,
    offset: f64,
}

impl Scaling {
    /// Creates a scaling by which a number `n` stands for the level `n * scale + offset`.
    ///
    /// # Errors
    /// Unless both are finite and `scale` is not 0, which would make all levels equal.
    pub fn new(scale: f64, offset: f64) -> Result<Self, DecodeError> {
        if scale.is_finite() && scale != 0.0 && offset.is_finite() {
            Ok(Self { scale, offset })
        } else {
            Err(DecodeError::Scaling { scale, offset })
        }
    }

    /// Returns the factor.
    pub fn scale(self) -> f64 {
        self.scale
    }

    /// Returns the number that is added after multiplication.
    pub fn offset(self) -> f64 {
        self.offset
    }

    /// Returns the level that a number stands for; NaN stays NaN.
    #[inline]
    pub fn level(self, number: f64) -> f64 {
        number * self.scale + self.offset
    }
}

impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scale, offset } = self;
        write!(f, "scale {scale}")?;
        if *offset == 0.0 {
            return Ok(());
        }
        write!(f, ", offset {offset}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_levels_is_refused() {
        for (scale, offset) in [
            (0.0, 1.0),
            (-0.0, 0.0),
            (f64::NAN, 0.0),
            (f64::INFINITY, 0.0),
            (1.0, f64::NAN),
            (1.0, f64::NEG_INFINITY),
        ] {
            assert!(Scaling::new(scale, offset).is_err(), "{scale} {offset}");
        }
        let decimetres = Scaling::new(0.1, -5.0).expect("a good scaling");
        assert_eq!(decimetres.level(50.0), 0.0);
        assert!(decimetres.level(f64::NAN).is_nan());
        assert_eq!(decimetres.to_string(), "scale 0.1, offset -5");
        let halves = Scaling::new(-0.5, 0.0).expect("a good scaling");
        assert_eq!(halves.to_string(), "scale -0.5");
    }
}
