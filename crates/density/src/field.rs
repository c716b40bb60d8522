//! The trait of fields, and ranges of distances.

use crate::Bounds;
use crate::numbers::plain;
use std::sync::Arc;
use thiserror::Error;

/// A function from a place to `min_dist`, the minimum distance between points there, world units.
///
/// # Guarantees an implementation gives
/// 1. `min_dist(p)` is `Some(r)` with `range().lo() <= r <= range().hi()`, or `None` where no
///    point may lie. It is a pure function of `p` and panics for no finite `p`.
/// 2. [`range_in`](Self::range_in) bounds it: for every `p` in the box (half-open) where
///    `min_dist(p)` is `Some(r)`, `r` lies in the returned range. `None` and [`Coverage::All`] are
///    returned only if they are true of the whole box.
/// 3. Only + - * / sqrt and integers decide a value, so that it is the same on every machine.
///
/// ```
/// use spinney_density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};
///
/// /// Points are 1 unit apart left of the origin, and 2 units to its right.
/// struct Halves(DistRange);
///
/// impl RadiusField<2> for Halves {
///     fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
///         Some(if p[0] < 0.0 { self.0.lo() } else { self.0.hi() })
///     }
///     fn range(&self) -> DistRange {
///         self.0
///     }
///     fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
///         let (least, most) = (self.min_dist(bounds.min())?, self.min_dist(bounds.max())?);
///         let range = DistRange::new(least, most).ok()?;
///         Some(LocalRange { range, coverage: Coverage::All })
///     }
/// }
///
/// let halves = Halves(DistRange::new(1.0, 2.0)?);
/// let left = halves.range_in(&Bounds::new([-9.0, 0.0], [-1.0, 1.0])?);
/// assert_eq!(left.map(|local| local.range.hi()), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RadiusField<const D: usize>: Send + Sync {
    /// Returns the minimum distance at `p`, or `None` where no point may lie.
    fn min_dist(&self, p: [f64; D]) -> Option<f64>;

    /// Returns bounds of [`min_dist`](Self::min_dist) over all places.
    fn range(&self) -> DistRange;

    /// Returns bounds of [`min_dist`](Self::min_dist) over a box; `None` if no point may lie in it.
    /// They may be wider than necessary, but should narrow as boxes shrink: samplers choose the
    /// size of their cells by them.
    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange>;

    /// Returns the grey value in [0, 1] behind `min_dist(p)`, for display and files; it decides
    /// nothing. By default, it is the relative position of `min_dist(p)` in the range.
    fn value(&self, p: [f64; D]) -> f64 {
        let range = self.range();
        let width = range.hi() - range.lo();
        match self.min_dist(p) {
            Some(r) if width > 0.0 => (r - range.lo()) / width,
            _ => 0.0,
        }
    }

    /// Returns `None` if points may lie everywhere. Otherwise, returns the width of the smallest
    /// feature of the mask that samplers should search for, world units, > 0. Where features may be of any size, that is
    /// `finest`: the caller searches for none that are narrower, whatever field this is a part of.
    fn mask_detail(&self, finest: f64) -> Option<f64> {
        let _ = finest;
        None
    }
}

/// Bounds of a field over a box.
///
/// See [`RadiusField`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalRange {
    /// Bounds of `min_dist` where points may lie.
    pub range: DistRange,
    /// The part of the box where points may lie.
    pub coverage: Coverage,
}

/// The part of a box where points may lie.
///
/// See [`RadiusField`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every place of the box.
    All,
    /// Some places of the box, or unknown.
    Part,
}

/// A range of minimum distances, world units.
///
/// # Guarantees
/// `0 < lo <= hi < infinity`.
///
/// ```
/// use spinney_density::DistRange;
///
/// let range = DistRange::new(2.0, 10.0)?;
/// assert_eq!([0.0, 0.5, 1.0].map(|value| range.at(value)), [2.0, 6.0, 10.0]);
/// assert!(DistRange::new(10.0, 2.0).is_err());
/// # Ok::<(), spinney_density::DistRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Ends")
)]
pub struct DistRange {
    lo: f64,
    hi: f64,
}

/// A saved range that is not checked yet.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Ends {
    lo: f64,
    hi: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Ends> for DistRange {
    type Error = DistRangeError;

    fn try_from(saved: Ends) -> Result<Self, DistRangeError> {
        Self::new(saved.lo, saved.hi)
    }
}

/// Reason for refusing a range of distances.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DistRangeError {
    /// An end is zero, negative, infinite or not a number.
    #[error("{end} must be a positive finite number, but is {value}", value = plain(*value))]
    NotPositive {
        /// Name of the end: `min_dist` or `max_dist`.
        end: &'static str,
        /// The value as given.
        value: f64,
    },
    /// The ends are the wrong way round.
    #[error(
        "min_dist must not exceed max_dist, but {min} > {max}",
        min = plain(*min), max = plain(*max)
    )]
    Reversed {
        /// The lower end as given.
        min: f64,
        /// The upper end as given.
        max: f64,
    },
}

impl DistRange {
    /// A placeholder where distances do not matter.
    pub(crate) const ONE: Self = Self { lo: 1.0, hi: 1.0 };

    /// Creates the range from `lo` to `hi`, both included.
    ///
    /// # Errors
    /// Unless `0 < lo <= hi`, both finite.
    #[inline]
    pub fn new(lo: f64, hi: f64) -> Result<Self, DistRangeError> {
        if 0.0 < lo && lo <= hi && hi < f64::INFINITY {
            return Ok(Self { lo, hi });
        }
        Err(Self::fault(lo, hi))
    }

    /// Returns the reason why two ends do not form a range.
    #[cold]
    fn fault(lo: f64, hi: f64) -> DistRangeError {
        for (end, value) in [("min_dist", lo), ("max_dist", hi)] {
            if !(value.is_finite() && value > 0.0) {
                return DistRangeError::NotPositive { end, value };
            }
        }
        DistRangeError::Reversed { min: lo, max: hi }
    }

    /// Returns the least distance.
    #[inline]
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// Returns the greatest distance.
    #[inline]
    pub fn hi(&self) -> f64 {
        self.hi
    }

    /// Returns `lo + value * (hi - lo)`, clamped to the range: rounding may carry the sum past `hi`
    /// by one unit in the last place.
    #[inline]
    pub fn at(&self, value: f64) -> f64 {
        (self.lo + value * (self.hi - self.lo)).clamp(self.lo, self.hi)
    }

    /// Returns `r` clamped to the range.
    #[inline]
    pub fn clamp(&self, r: f64) -> f64 {
        r.clamp(self.lo, self.hi)
    }
}

/// A shared field whose kind is chosen at run time.
///
/// ```
/// # use spinney_density as density;
/// use density::{Constant, DistRange, DynField, FnField};
/// use std::sync::Arc;
///
/// fn field(flat: f64) -> Result<DynField<2>, Box<dyn std::error::Error>> {
///     if flat > 0.0 {
///         return Ok(Arc::new(Constant::new(flat)?));
///     }
///     let slope = FnField::new(DistRange::new(1.0, 4.0)?, 0.1, |[x, _]: [f64; 2]| 1.0 + 0.1 * x)?;
///     Ok(Arc::new(slope))
/// }
/// assert_eq!(field(3.0)?.min_dist([5.0, 0.0]), Some(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type DynField<const D: usize> = Arc<dyn RadiusField<D>>;

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<const D: usize, F: RadiusField<D> + ?Sized> RadiusField<D> for $pointer {
            #[inline]
            fn min_dist(&self, p: [f64; D]) -> Option<f64> {
                (**self).min_dist(p)
            }
            #[inline]
            fn range(&self) -> DistRange {
                (**self).range()
            }
            fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
                (**self).range_in(bounds)
            }
            fn value(&self, p: [f64; D]) -> f64 {
                (**self).value(p)
            }
            fn mask_detail(&self, finest: f64) -> Option<f64> {
                (**self).mask_detail(finest)
            }
        }
    )*};
}

forward!(&F, Box<F>, Arc<F>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_impossible_ranges() {
        for bad in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(DistRange::new(bad, 1.0).is_err(), "min_dist {bad}");
            assert!(DistRange::new(1.0, bad).is_err(), "max_dist {bad}");
        }
        assert_eq!(
            DistRange::new(2.0, 1.0),
            Err(DistRangeError::Reversed { min: 2.0, max: 1.0 })
        );
    }

    #[test]
    fn the_formula_hits_both_ends() {
        let range = DistRange::new(0.1, 0.7).expect("a good range");
        assert_eq!(range.at(0.0), 0.1);
        assert_eq!(range.at(1.0), 0.7);
        assert!(range.at(1.0 - f64::EPSILON) <= 0.7);
    }
}
