//! What a sampler may ask of a field.

use crate::Bounds;
use crate::numbers::plain;
use std::sync::Arc;
use thiserror::Error;

/// A place -> `min_dist` function: how far apart points must be, world units.
///
/// # Guarantees an implementation gives
/// 1. `min_dist(p)` is `Some(r)` with `range().lo() <= r <= range().hi()`, or `None` where no
///    point may lie. It is a pure function of `p` and panics for no finite `p`.
/// 2. [`range_in`](Self::range_in) bounds it: for every `p` in the box (half-open) where
///    `min_dist(p)` is `Some(r)`, `r` lies in the returned range; `None` and
///    [`Coverage::All`] are only said when they are true of the whole box.
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
    /// The minimum distance asked for at `p`, or `None` where no point may lie.
    fn min_dist(&self, p: [f64; D]) -> Option<f64>;

    /// Bounds of [`min_dist`](Self::min_dist) over every place.
    fn range(&self) -> DistRange;

    /// Bounds of [`min_dist`](Self::min_dist) over a box, `None` when no point may lie in it.
    /// May be wider than the truth, but should become narrow where boxes become small: the size of
    /// what a sampler works on follows from them.
    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange>;

    /// The grey value in [0, 1] behind `min_dist(p)`, for people and files; decides nothing.
    /// By default where `min_dist` lies between the ends of the range.
    fn value(&self, p: [f64; D]) -> f64 {
        let range = self.range();
        let width = range.hi() - range.lo();
        match self.min_dist(p) {
            Some(r) if width > 0.0 => (r - range.lo()) / width,
            _ => 0.0,
        }
    }

    /// `None`: points may lie everywhere. `Some(side)`: there are places where none may lie,
    /// and `side` (world units, > 0) is the smallest feature of that mask worth looking for.
    fn mask_detail(&self) -> Option<f64> {
        None
    }
}

/// Bounds of a field over a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalRange {
    /// Bounds of `min_dist` where points may lie.
    pub range: DistRange,
    /// How much of the box that is.
    pub coverage: Coverage,
}

/// How much of a box may hold points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every place of it.
    All,
    /// Some of it, or unknown.
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

/// A range as it was saved, not checked yet.
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

/// Why a range of distances was refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DistRangeError {
    /// An end is zero, negative, infinite or not a number.
    #[error("{end} must be a positive finite number, but is {value}", value = plain(*value))]
    NotPositive {
        /// Which end: `min_dist` or `max_dist`.
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
    /// Where distances do not matter.
    pub(crate) const ONE: Self = Self { lo: 1.0, hi: 1.0 };

    /// The range from `lo` to `hi`, both included.
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

    /// What is wrong with two ends.
    #[cold]
    fn fault(lo: f64, hi: f64) -> DistRangeError {
        for (end, value) in [("min_dist", lo), ("max_dist", hi)] {
            if !(value.is_finite() && value > 0.0) {
                return DistRangeError::NotPositive { end, value };
            }
        }
        DistRangeError::Reversed { min: lo, max: hi }
    }

    /// The least distance.
    #[inline]
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// The greatest distance.
    #[inline]
    pub fn hi(&self) -> f64 {
        self.hi
    }

    /// The mission's formula, `lo + value * (hi - lo)`, kept within the range: rounding may
    /// carry the sum past `hi` by one unit in the last place.
    #[inline]
    pub fn at(&self, value: f64) -> f64 {
        (self.lo + value * (self.hi - self.lo)).clamp(self.lo, self.hi)
    }

    /// `r` brought into the range.
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
            fn mask_detail(&self) -> Option<f64> {
                (**self).mask_detail()
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
