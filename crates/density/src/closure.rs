//! Fields given by a closure.

use crate::{Bounds, Coverage, DistRange, Extent, LocalRange, RadiusField};
use thiserror::Error;

/// Why a field was refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum FieldError {
    /// A parameter that must be positive and finite is not.
    #[error("{name} must be a positive finite number, but is {value}")]
    NotPositive {
        /// The parameter's name.
        name: &'static str,
        /// The value as given.
        value: f64,
    },
    /// A parameter is infinite or not a number.
    #[error("{name} must be finite, but has a coordinate that is {value}")]
    NotFinite {
        /// The parameter's name.
        name: &'static str,
        /// The value as given.
        value: f64,
    },
    /// A parameter lies outside its limits.
    #[error("{name} must lie between {least} and {most}, but is {value}")]
    OutOfRange {
        /// The parameter's name.
        name: &'static str,
        /// The value as given.
        value: f64,
        /// The least value allowed.
        least: f64,
        /// The greatest value allowed.
        most: f64,
    },
}

pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64, FieldError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(FieldError::NotPositive { name, value })
    }
}

/// A field given by a closure that has a distance for every place.
///
/// The closure states its range, and the statement is enforced: what it returns is brought
/// into the range (a NaN becomes the upper end), so that every bound a sampler relies on holds.
#[derive(Clone, Debug)]
pub struct FnField<F> {
    range: DistRange,
    lipschitz: Option<f64>,
    f: F,
}

impl<F> FnField<F> {
    /// The field `f`, whose values lie in `range`. A sampler can only look at it here and there: where
    /// it varies by more than a quarter between the places looked at, points that ask for more are left
    /// out, and holes remain. [`with_lipschitz`](Self::with_lipschitz) mends that.
    pub fn new(range: DistRange, f: F) -> Self {
        Self {
            range,
            lipschitz: None,
            f,
        }
    }

    /// States that `|f(p) - f(q)| <= bound * |p - q|` for all places, which lets a sampler
    /// bound the field over a box from its middle. A statement that is not true gives points
    /// that may leave holes; it never breaks their spacing.
    ///
    /// # Errors
    /// Unless `bound` is positive and finite.
    pub fn with_lipschitz(mut self, bound: f64) -> Result<Self, FieldError> {
        self.lipschitz = Some(positive("the Lipschitz bound", bound)?);
        Ok(self)
    }
}

fn into_range(range: DistRange, r: f64) -> f64 {
    if r.is_nan() {
        range.hi()
    } else {
        range.clamp(r)
    }
}

/// Bounds from the value `r` at the middle of a box; widened by a trifle for the rounding of
/// the closure's own arithmetic.
fn around<const D: usize>(
    range: DistRange,
    bounds: &Bounds<D>,
    r: f64,
    lipschitz: f64,
) -> DistRange {
    let half_diagonal = 0.5 * bounds.size().iter().map(|s| s * s).sum::<f64>().sqrt();
    let reach = (lipschitz * half_diagonal + r * 1e-12) * (1.0 + 1e-12);
    DistRange::new(range.clamp(r - reach), range.clamp(r + reach)).unwrap_or(range)
}

impl<const D: usize, F: Fn([f64; D]) -> f64 + Sync> RadiusField<D> for FnField<F> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        Some(into_range(self.range, (self.f)(p)))
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        let (range, extent) = match self.lipschitz {
            Some(l) => {
                let middle = into_range(self.range, (self.f)(bounds.center()));
                (around(self.range, bounds, middle, l), Extent::Box)
            }
            None => (self.range, Extent::Everywhere),
        };
        Some(LocalRange {
            range,
            coverage: Coverage::All,
            extent,
        })
    }
}

/// A field given by a closure that has no distance, `None`, where no point may lie.
///
/// The range is enforced as by [`FnField`]; a NaN means `None`.
#[derive(Clone, Debug)]
pub struct MaskedFnField<F> {
    range: DistRange,
    detail: f64,
    f: F,
}

impl<F> MaskedFnField<F> {
    /// The field `f`, whose values lie in `range`. `detail` (world units) is the width of the
    /// smallest separate place worth looking for. The search for such places looks at up to
    /// `(side of the domain / detail)^D` boxes, some 100 ns each: keep it moderate.
    ///
    /// Distances should not change much within `detail`, nor within half the least distance: between
    /// places half as far apart as the longer of these nothing is looked at before points are, and a
    /// point that asks for a quarter more than was seen around it is left out. Who knows more implements [`RadiusField::range_in`].
    ///
    /// # Errors
    /// Unless `detail` is positive and finite.
    pub fn new(range: DistRange, detail: f64, f: F) -> Result<Self, FieldError> {
        Ok(Self {
            range,
            detail: positive("the mask's detail", detail)?,
            f,
        })
    }
}

impl<const D: usize, F: Fn([f64; D]) -> Option<f64> + Sync> RadiusField<D> for MaskedFnField<F> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        (self.f)(p)
            .filter(|r| !r.is_nan())
            .map(|r| self.range.clamp(r))
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.range
    }

    fn mask_detail(&self) -> Option<f64> {
        Some(self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range() -> DistRange {
        DistRange::new(1.0, 4.0).expect("a good range")
    }

    #[test]
    fn a_stated_range_is_enforced() {
        let wild = FnField::new(range(), |p: [f64; 2]| p[0]);
        assert_eq!(wild.min_dist([-5.0, 0.0]), Some(1.0));
        assert_eq!(wild.min_dist([1e300, 0.0]), Some(4.0));
        assert_eq!(wild.min_dist([f64::NAN, 0.0]), Some(4.0));
    }

    #[test]
    fn a_lipschitz_bound_narrows_a_box() {
        let cone = |p: [f64; 2]| 1.0 + 0.1 * (p[0] * p[0] + p[1] * p[1]).sqrt();
        let field = FnField::new(range(), cone)
            .with_lipschitz(0.1)
            .expect("a good bound");
        let b = Bounds::new([10.0, 0.0], [11.0, 1.0]).expect("a good box");
        let local = field.range_in(&b).expect("no mask").range;
        assert!(local.lo() > 1.9 && local.hi() < 2.2, "{local:?}");
        for p in [[10.0, 0.0], [10.999, 0.999], [10.5, 0.5]] {
            let r = field.min_dist(p).expect("no mask");
            assert!(local.lo() <= r && r <= local.hi());
        }
    }

    #[test]
    fn a_masked_closure_says_none() {
        let half = MaskedFnField::new(range(), 0.5, |p: [f64; 2]| (p[0] > 0.0).then_some(2.0))
            .expect("a good detail");
        assert_eq!(half.min_dist([-1.0, 0.0]), None);
        assert_eq!(half.min_dist([1.0, 0.0]), Some(2.0));
        assert_eq!(half.mask_detail(), Some(0.5));
        assert!(MaskedFnField::new(range(), 0.0, |_: [f64; 2]| None::<f64>).is_err());
    }
}
