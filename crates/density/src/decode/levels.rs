//! What is stored in a pixel, and which of it is black and white.

use super::DecodeError;
use std::fmt;

/// What the numbers in a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelType {
    /// Whole numbers from 0, of so many bits.
    Unsigned(u8),
    /// Whole numbers below and above 0, of so many bits.
    Signed(u8),
    /// Floating-point numbers of so many bits.
    Float(u8),
}

impl LevelType {
    /// Bits of a level.
    pub fn bits(self) -> u8 {
        let (Self::Unsigned(bits) | Self::Signed(bits) | Self::Float(bits)) = self;
        bits
    }

    /// Whether the format says what black and white are: whole numbers of up to 16 bits are
    /// greys, 0 is black and the greatest is white. Wider, signed and floating-point numbers
    /// measure something, and nothing says where it ends.
    pub fn is_grey(self) -> bool {
        matches!(self, Self::Unsigned(bits) if bits <= 16)
    }
}

impl fmt::Display for LevelType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned(bits) => write!(f, "{bits}-bit"),
            Self::Signed(bits) => write!(f, "{bits}-bit signed"),
            Self::Float(bits) => write!(f, "{bits}-bit float"),
        }
    }
}

/// The levels that are black and white, in the file's own units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelRange {
    lo: f64,
    hi: f64,
}

impl LevelRange {
    /// Black is `lo`, white is `hi`.
    ///
    /// # Errors
    /// Unless both are finite and `lo < hi`.
    pub fn new(lo: f64, hi: f64) -> Result<Self, DecodeError> {
        if lo.is_finite() && hi.is_finite() && lo < hi {
            Ok(Self { lo, hi })
        } else {
            Err(DecodeError::Levels { lo, hi })
        }
    }

    /// From 0 to the greatest.
    pub(super) fn up_to(full: f64) -> Self {
        Self { lo: 0.0, hi: full }
    }

    /// The level that is black.
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// The level that is white.
    pub fn hi(&self) -> f64 {
        self.hi
    }

    /// The value of a level, in [0, 1]: beyond the ends that of the end. NaN has none and
    /// gives NaN.
    pub fn value(&self, level: f64) -> f64 {
        // Halves, since a range may be wider than the greatest number.
        let width = 0.5 * self.hi - 0.5 * self.lo;
        let share = if width.is_normal() {
            (0.5 * level - 0.5 * self.lo) / width
        } else {
            (level - self.lo) / (self.hi - self.lo)
        };
        share.clamp(0.0, 1.0)
    }
}

/// Which levels are black and white.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Levels {
    /// As the format says: 0 and the greatest number of up to 16 bits. Of other levels, where
    /// the format says nothing, as [`Levels::Found`].
    #[default]
    Natural,
    /// The least and the greatest finite level where points may lie.
    Found,
    /// These.
    Between(LevelRange),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_checked() {
        for (lo, hi) in [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
        ] {
            assert!(LevelRange::new(lo, hi).is_err(), "{lo}..{hi}");
        }
    }

    #[test]
    fn any_range_can_be_computed_with() {
        for (lo, hi) in [
            (0.0, 1.0),
            (-f64::MAX, f64::MAX),
            (0.0, f64::from_bits(1)),
            (1e300, 1.000_001e300),
            (-5.5, 7.25),
        ] {
            let range = LevelRange::new(lo, hi).expect("a good range");
            assert_eq!((range.value(lo), range.value(hi)), (0.0, 1.0), "{lo}..{hi}");
            assert_eq!(range.value(f64::INFINITY), 1.0);
            assert_eq!(range.value(f64::NEG_INFINITY), 0.0);
            assert!(range.value(f64::NAN).is_nan());
        }
        let range = LevelRange::new(-f64::MAX, f64::MAX).expect("a good range");
        assert_eq!(range.value(0.0), 0.5);
    }
}
