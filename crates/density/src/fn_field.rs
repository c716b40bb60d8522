//! Fields of closures with a known slope.

use crate::field_error::within;
use crate::{Bounds, Coverage, DistRange, FieldError, LocalRange, RadiusField};

/// The field of a closure with a known slope.
///
/// The closure is called for every place. If its slope is not known, or some places are closed, use
/// a [`GridField`](crate::GridField), which needs no slope and is faster with costly closures.
///
/// The closure's values are clamped to the range (NaN becomes the upper end). A slope that is too
/// small leaves gaps between points; it never breaks their spacing.
///
/// ```
/// use spinney_density::{DistRange, FnField, RadiusField};
///
/// // 2 units apart at the left edge, one unit more every 20 units to the right.
/// let field = FnField::new(DistRange::new(2.0, 8.0)?, 0.05, |p: [f64; 2]| 2.0 + 0.05 * p[0])?;
/// assert_eq!(field.min_dist([40.0, 0.0]), Some(4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FnField<F> {
    range: DistRange,
    slope: f64,
    f: F,
}

impl<F> FnField<F> {
    /// Creates the field `f` with values in `range`. `slope` is the Lipschitz bound of `f`:
    /// `|f(p) - f(q)| <= slope * |p - q|` for all places. It may be 0.
    ///
    /// # Errors
    /// Unless `slope` lies between 0 and 1e300.
    pub fn new(range: DistRange, slope: f64, f: F) -> Result<Self, FieldError> {
        let slope = within("the slope of a field", slope, 0.0, 1e300)?;
        Ok(Self { range, slope, f })
    }

    fn dist<const D: usize>(&self, p: [f64; D]) -> f64
    where
        F: Fn([f64; D]) -> f64,
    {
        let r = (self.f)(p);
        if r.is_nan() {
            self.range.hi()
        } else {
            self.range.clamp(r)
        }
    }
}

impl<const D: usize, F: Fn([f64; D]) -> f64 + Send + Sync> RadiusField<D> for FnField<F> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        Some(self.dist(p))
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        let r = self.dist(bounds.center());
        // Widened for the rounding of the closure's own arithmetic.
        let reach = (self.slope * bounds.half_diagonal() + r * 1e-12) * (1.0 + 1e-12);
        let range = DistRange::new(self.range.clamp(r - reach), self.range.clamp(r + reach));
        Some(LocalRange {
            range: range.unwrap_or(self.range),
            coverage: Coverage::All,
        })
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
        let wild = FnField::new(range(), 1.0, |p: [f64; 2]| p[0]).expect("a good slope");
        assert_eq!(wild.min_dist([-5.0, 0.0]), Some(1.0));
        assert_eq!(wild.min_dist([1e300, 0.0]), Some(4.0));
        assert_eq!(wild.min_dist([f64::NAN, 0.0]), Some(4.0));
        for bad in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(FnField::new(range(), bad, |_: [f64; 2]| 1.0).is_err());
        }
    }

    #[test]
    fn the_slope_narrows_a_box() {
        let cone = |p: [f64; 2]| 1.0 + 0.1 * (p[0] * p[0] + p[1] * p[1]).sqrt();
        let field = FnField::new(range(), 0.1, cone).expect("a good slope");
        let b = Bounds::new([10.0, 0.0], [11.0, 1.0]).expect("a good box");
        let local = field.range_in(&b).expect("no mask").range;
        assert!(local.lo() > 1.9 && local.hi() < 2.2, "{local:?}");
        for p in [[10.0, 0.0], [10.999, 0.999], [10.5, 0.5]] {
            let r = field.min_dist(p).expect("no mask");
            assert!(local.lo() <= r && r <= local.hi());
        }
    }
}
