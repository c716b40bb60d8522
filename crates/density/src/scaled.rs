//! A field with all distances multiplied.

use crate::{Bounds, DistRange, FieldError, LocalRange, RadiusField, field_error::positive};

/// A field with `factor` times the distances of another.
///
/// Places, mask and grey values do not change. Point counts shrink to about `1 / factor^D`.
///
/// ```
/// use spinney_density::{Constant, RadiusField, Scaled};
///
/// let wide = Scaled::new::<2>(Constant::new(2.0)?, 1.5)?;
/// assert_eq!(wide.min_dist([0.0, 0.0]), Some(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled<F> {
    field: F,
    factor: f64,
}

impl<F> Scaled<F> {
    /// Creates the field with `factor` times the distances of `field`.
    ///
    /// # Errors
    /// Unless `factor` and its product with every distance of the field are positive and finite.
    pub fn new<const D: usize>(field: F, factor: f64) -> Result<Self, FieldError>
    where
        F: RadiusField<D>,
    {
        let factor = positive("factor", factor)?;
        positive("the least min_dist, scaled,", factor * field.range().lo())?;
        positive(
            "the greatest min_dist, scaled,",
            factor * field.range().hi(),
        )?;
        Ok(Self { field, factor })
    }

    /// Returns the factor of all distances.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Returns the unscaled field.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// Returns the scaled range. Rounding keeps order, so scaled bounds hold for scaled distances.
    fn scale(&self, range: DistRange) -> DistRange {
        let (lo, hi) = (self.factor * range.lo(), self.factor * range.hi());
        // The constructor checked the ends of the whole range.
        DistRange::new(lo, hi).unwrap_or(range)
    }
}

impl<const D: usize, F: RadiusField<D>> RadiusField<D> for Scaled<F> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        self.field.min_dist(p).map(|r| self.factor * r)
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.scale(self.field.range())
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        let local = self.field.range_in(bounds)?;
        Some(LocalRange {
            range: self.scale(local.range),
            ..local
        })
    }

    fn value(&self, p: [f64; D]) -> f64 {
        self.field.value(p)
    }

    fn mask_detail(&self, finest: f64) -> Option<f64> {
        self.field.mask_detail(finest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constant, FnField};

    #[test]
    fn scales_distances_and_nothing_else() {
        let range = DistRange::new(1.0, 3.0).expect("a good range");
        let field = FnField::new(range, 1.0, |p: [f64; 2]| 1.0 + p[0]).expect("a slope");
        let scaled = Scaled::new(&field, 0.1).expect("a good factor");
        let place = [0.7, 5.0];
        assert_eq!(scaled.min_dist(place), Some(0.1 * 1.7));
        assert_eq!(scaled.value(place), field.value(place));
        let bounds = Bounds::from_size([1.0; 2]).expect("a good box");
        let local = scaled.range_in(&bounds).expect("points may lie there");
        assert!(local.range.lo() <= 0.1 && local.range.hi() >= 0.2);
    }

    #[test]
    fn refuses_what_is_no_distance() {
        let field = Constant::new(1e-200).expect("a good field");
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-200] {
            assert!(Scaled::new::<2>(field, factor).is_err(), "{factor}");
        }
        assert!(Scaled::new::<2>(field, 1e200).is_ok());
    }
}
