//! The uniform field.

use crate::{Bounds, Coverage, DistRange, DistRangeError, LocalRange, RadiusField};

/// A uniform field: one minimum distance everywhere, in any dimension.
///
/// ```
/// use spinney_density::{Constant, RadiusField};
///
/// let even = Constant::new(3.0)?;
/// assert_eq!(even.min_dist([1e9, -7.0]), Some(3.0));
/// # Ok::<(), spinney_density::DistRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    range: DistRange,
}

impl Constant {
    /// Creates the field with `min_dist` (world units) everywhere.
    ///
    /// # Errors
    /// Unless `min_dist` is positive and finite.
    pub fn new(min_dist: f64) -> Result<Self, DistRangeError> {
        DistRange::new(min_dist, min_dist).map(|range| Self { range })
    }
}

impl<const D: usize> RadiusField<D> for Constant {
    #[inline]
    fn min_dist(&self, _: [f64; D]) -> Option<f64> {
        Some(self.range.lo())
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.range
    }

    #[inline]
    fn range_in(&self, _: &Bounds<D>) -> Option<LocalRange> {
        Some(LocalRange {
            range: self.range,
            coverage: Coverage::All,
        })
    }
}
