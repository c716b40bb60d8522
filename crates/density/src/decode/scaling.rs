//! Scale and offset of stored numbers: whole decimetres for metres, for example.

use super::DecodeError;
use std::fmt;

/// The factor and the offset that turn the numbers of a file into levels.
///
/// ```
/// use spinney_density::decode::Scaling;
///
/// // Half metres above 100 m below the sea.
/// assert_eq!(Scaling::new(0.5, -100.0)?.level(250.0), 25.0);
/// assert!(Scaling::new(0.0, 5.0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    fn an_offset_of_0_is_not_shown() {
        let shown = |offset| Scaling::new(-0.5, offset).map(|scaling| scaling.to_string());
        assert_eq!(shown(0.0), Ok("scale -0.5".to_owned()));
        assert_eq!(shown(-5.0), Ok("scale -0.5, offset -5".to_owned()));
    }
}
