//! Types of the numbers in a file, and the levels of black and white.

use super::DecodeError;
use std::fmt;

/// The type of the numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelType {
    /// Unsigned integers with this number of bits.
    Unsigned(u8),
    /// Signed integers with this number of bits.
    Signed(u8),
    /// Floating-point numbers with this number of bits.
    Float(u8),
}

impl LevelType {
    /// Returns the bits per level.
    pub fn bits(self) -> u8 {
        let (Self::Unsigned(bits) | Self::Signed(bits) | Self::Float(bits)) = self;
        bits
    }

    /// Returns the greatest number of the type; infinite for floats.
    ///
    /// ```
    /// use spinney_density::decode::LevelType::{Float, Signed, Unsigned};
    ///
    /// assert_eq!([Unsigned(16), Signed(8)].map(|t| t.greatest()), [65535.0, 127.0]);
    /// assert_eq!(Float(32).greatest(), f64::INFINITY);
    /// ```
    pub fn greatest(self) -> f64 {
        let unused = 64 - u32::from(self.bits().clamp(1, 64));
        match self {
            Self::Unsigned(_) => (u64::MAX >> unused) as f64,
            Self::Signed(_) => (i64::MAX >> unused) as f64,
            Self::Float(_) => f64::INFINITY,
        }
    }

    /// Returns `true` if the format defines black and white. Unsigned integers of up to 16 bits are
    /// greys: 0 is black and the greatest number is white. Wider, signed and floating-point numbers
    /// are measurements, without a defined range.
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
///
/// ```
/// use spinney_density::decode::LevelRange;
///
/// // 1000 m is black and 2000 m white; heights beyond are no darker and no brighter.
/// let range = LevelRange::new(1000.0, 2000.0)?;
/// assert_eq!([500.0, 1250.0, 3000.0].map(|level| range.value(level)), [0.0, 0.25, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelRange {
    lo: f64,
    hi: f64,
}

impl LevelRange {
    /// Creates a range whose black is `lo` and whose white is `hi`.
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

    /// Returns the range from 0 to `full`.
    pub(super) fn up_to(full: f64) -> Self {
        Self { lo: 0.0, hi: full }
    }

    /// Returns the level of black.
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// Returns the level of white.
    pub fn hi(&self) -> f64 {
        self.hi
    }

    /// Returns the value of a level, clamped to [0, 1]. NaN gives NaN.
    pub fn value(&self, level: f64) -> f64 {
        self.share(level).clamp(0.0, 1.0)
    }

    /// Returns the value of a level: below 0 beyond black, and above 1 beyond white. NaN gives NaN.
    pub(super) fn share(&self, level: f64) -> f64 {
        // Halves, since the width of a range may overflow.
        let width = 0.5 * self.hi - 0.5 * self.lo;
        if width.is_normal() {
            (0.5 * level - 0.5 * self.lo) / width
        } else {
            (level - self.lo) / (self.hi - self.lo)
        }
    }
}

/// Choice of the levels of black and white.
///
/// ```
/// use spinney_density::decode::{Levels, Raster, ReadOptions};
///
/// // Heights in metres: black is the lowest place of this file, white the highest.
/// let grid = b"ncols 3\nnrows 1\ncellsize 30\n100 200 300\n";
/// let map = Raster::decode(grid, &ReadOptions::default())?.into_map(Levels::Found)?;
/// assert_eq!([0, 2].map(|x| map.value(x, 0)), [0.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Levels {
    /// The format's: 0 and the greatest number of up to 16 bits. Where the format defines none, the
    /// levels of [`Levels::Found`].
    #[default]
    Natural,
    /// The least and the greatest finite level where points may lie.
    Found,
    /// The given levels.
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
