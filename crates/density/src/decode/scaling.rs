//! Numbers that stand for others: whole decimetres for metres.

use super::DecodeError;
use std::fmt;

/// What the numbers of a file are to be multiplied by to be levels, and what is to be added then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    scale: f64,
    offset: f64,
}

impl Scaling {
    /// A number `n` stands for the level `n * scale + offset`.
    ///
    /// # Errors
    /// Unless both are finite and `scale` is not 0, which would make all levels one.
    pub fn new(scale: f64, offset: f64) -> Result<Self, DecodeError> {
        if scale.is_finite() && scale != 0.0 && offset.is_finite() {
            Ok(Self { scale, offset })
        } else {
            Err(DecodeError::Scaling { scale, offset })
        }
    }

    /// What numbers are multiplied by.
    pub fn scale(self) -> f64 {
        self.scale
    }

    /// What is added then.
    pub fn offset(self) -> f64 {
        self.offset
    }

    /// The level that a number stands for; NaN stays NaN.
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
