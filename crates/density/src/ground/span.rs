//! Intervals of numbers.

use crate::Share;

/// Margin for rounding that bounds are widened by, relative to the numbers in them.
const MARGIN: f64 = 1e-9;

/// The interval from `lo` to `hi`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Span {
    pub(super) const NONE: Self = Self {
        lo: f64::INFINITY,
        hi: f64::NEG_INFINITY,
    };

    pub(super) fn take(&mut self, value: f64) {
        self.lo = self.lo.min(value);
        self.hi = self.hi.max(value);
    }

    /// Returns the interval widened for rounding.
    pub(super) fn widened(self) -> Self {
        let slack = MARGIN * (self.lo.abs() + self.hi.abs());
        Self {
            lo: self.lo - slack,
            hi: self.hi + slack,
        }
    }

    pub(super) fn squared(self) -> Self {
        let (a, b) = (self.lo * self.lo, self.hi * self.hi);
        let across = self.lo <= 0.0 && self.hi >= 0.0;
        Self {
            lo: if across { 0.0 } else { a.min(b) },
            hi: a.max(b),
        }
    }

    /// Returns how much of the interval lies between the ends.
    pub(super) fn within(self, [lo, hi]: [f64; 2]) -> Share {
        if self.lo >= lo && self.hi <= hi {
            Share::All
        } else if self.hi < lo || self.lo > hi {
            Share::None
        } else {
            Share::Part
        }
    }
}
