//! Regions of closures with a known slope.

use crate::field_error::within;
use crate::{Bounds, FieldError, Region, Share};

/// The region where a closure is at most 0: a signed distance, or any function with a known slope.
///
/// The region follows the outline exactly. For a closure that only tells whether a place belongs to
/// the region, use a [`GridRegion`](crate::GridRegion), which evaluates it at nodes.
///
/// If the slope is too small, points may be left out, or lie where the closure is above 0. If it is many times the
/// steepest one, or the closure is NaN in places (which are outside), samplers have to search these places piece by
/// piece: a [detail](FnRegion::with_detail) bounds the search, which is refused if it takes too much memory.
///
/// ```
/// use spinney_density::{Bounds, FnRegion, Region, Share};
///
/// // A disk by its signed distance: negative inside.
/// let disk = FnRegion::new(1.0, |[x, y]: [f64; 2]| (x * x + y * y).sqrt() - 10.0)?;
/// assert!(disk.holds([0.0, 10.0]) && !disk.holds([8.0, 8.0]));
/// assert_eq!(disk.share_in(&Bounds::new([1.0, 1.0], [3.0, 3.0])?), Share::All);
/// assert_eq!(disk.share_in(&Bounds::new([9.0, 9.0], [12.0, 12.0])?), Share::None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FnRegion<F> {
    slope: f64,
    detail: f64,
    f: F,
}

impl<F> FnRegion<F> {
    /// Creates the region where `f(p) <= 0`. `slope` is the Lipschitz bound of `f`:
    /// `|f(p) - f(q)| <= slope * |p - q|` for all places. For a signed distance, it is 1.
    ///
    /// # Errors
    /// Unless `slope` lies between 0 and 1e300.
    pub fn new(slope: f64, f: F) -> Result<Self, FieldError> {
        let slope = within("the slope of a region", slope, 0.0, 1e300)?;
        Ok(Self {
            slope,
            detail: 0.0,
            f,
        })
    }

    /// Sets the width of the smallest feature of the region, world units: samplers search for none
    /// that is smaller. The default, 0, allows features of any size.
    ///
    /// # Errors
    /// Unless `detail` lies between 0 and 1e300.
    pub fn with_detail(self, detail: f64) -> Result<Self, FieldError> {
        let detail = within("the detail of a region", detail, 0.0, 1e300)?;
        Ok(Self { detail, ..self })
    }
}

impl<const D: usize, F: Fn([f64; D]) -> f64 + Send + Sync> Region<D> for FnRegion<F> {
    #[inline]
    fn holds(&self, p: [f64; D]) -> bool {
        (self.f)(p) <= 0.0
    }

    fn share_in(&self, bounds: &Bounds<D>) -> Share {
        let middle = (self.f)(bounds.center());
        // Widened for the rounding of the closure's own arithmetic.
        let reach = self.slope * bounds.half_diagonal() + middle.abs().min(f64::MAX) * 1e-12;
        if middle + reach <= 0.0 {
            Share::All
        } else if middle - reach > 0.0 {
            Share::None
        } else {
            Share::Part
        }
    }

    fn detail(&self) -> f64 {
        self.detail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs write infinity for "far outside".
    #[test]
    fn an_infinite_closure_is_outside_or_inside() {
        let all = Bounds::from_size([9.0; 2]).expect("a box");
        let share = |value: f64| {
            FnRegion::new(1.0, move |_: [f64; 2]| value)
                .expect("a slope")
                .share_in(&all)
        };
        let found = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(share);
        assert_eq!(found, [Share::None, Share::All, Share::Part]);
    }
}
