//! Fields whose distances grow with the distance from a centre.

use crate::field_error::positive;
use crate::{Bounds, Coverage, DistRange, FieldError, LocalRange, RadiusField};

/// A field that is dense at a centre and thins out around it, in any dimension.
///
/// The obvious choice, [`linear`](Self::linear) with slope 1 (`r = d`), starves: every point keeps
/// others away as far as the centre. [`sqrt`](Self::sqrt) gives the smooth fall-off that is usually
/// meant (Tulleken, "Poisson Disk Sampling", Dev.Mag 21, 2008, figure 7).
///
/// ```
/// use spinney_density::{DistRange, Falloff, RadiusField};
///
/// // 1 unit apart in the middle, 8 units apart from a distance of 64 on.
/// let clearing = Falloff::sqrt([0.0, 0.0], 1.0, DistRange::new(1.0, 8.0)?)?;
/// assert_eq!(clearing.min_dist([0.0, 16.0]), Some(4.0));
/// assert_eq!(clearing.min_dist([900.0, 0.0]), Some(8.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Falloff<const D: usize> {
    center: [f64; D],
    law: Law,
    scale: f64,
    range: DistRange,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Linear,
    Sqrt,
}

impl<const D: usize> Falloff<D> {
    /// Creates the field `r = slope * d`, clamped to `range`; `d` is the distance from `center`.
    ///
    /// # Errors
    /// Unless `slope` is positive and finite and `center` is finite.
    pub fn linear(center: [f64; D], slope: f64, range: DistRange) -> Result<Self, FieldError> {
        let scale = positive("slope", slope)?;
        Self::new(center, Law::Linear, scale, range)
    }

    /// Creates the field `r = scale * sqrt(d)`, clamped to `range`; `d` is the distance from
    /// `center`. `scale` has the dimension sqrt(world unit): r = d where d = scale^2.
    ///
    /// # Errors
    /// Unless `scale` is positive and finite and `center` is finite.
    pub fn sqrt(center: [f64; D], scale: f64, range: DistRange) -> Result<Self, FieldError> {
        let scale = positive("scale", scale)?;
        Self::new(center, Law::Sqrt, scale, range)
    }

    fn new(center: [f64; D], law: Law, scale: f64, range: DistRange) -> Result<Self, FieldError> {
        for &value in &center {
            if !value.is_finite() {
                return Err(FieldError::NotFinite {
                    name: "the fall-off's center",
                    value,
                });
            }
        }
        Ok(Self {
            center,
            law,
            scale,
            range,
        })
    }

    /// Returns the centre, where the field is densest.
    pub fn center(&self) -> [f64; D] {
        self.center
    }

    /// Returns the minimum distance at an offset from the centre. Every step is monotone in the
    /// size of each offset, rounding included: that makes `range_in` exact.
    #[inline]
    fn at(&self, offset: [f64; D]) -> f64 {
        let d = offset.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.range.clamp(match self.law {
            Law::Linear => self.scale * d,
            Law::Sqrt => self.scale * d.sqrt(),
        })
    }
}

impl<const D: usize> RadiusField<D> for Falloff<D> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        Some(self.at(std::array::from_fn(|a| p[a] - self.center[a])))
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.range
    }

    /// Returns the distances at the box's nearest and farthest place.
    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        let ends: [[f64; 2]; D] = std::array::from_fn(|a| {
            // The upper end is exclusive: the last double below it is inside.
            let low = bounds.min()[a] - self.center[a];
            let high = bounds.max()[a].next_down() - self.center[a];
            let nearest = if low <= 0.0 && high >= 0.0 {
                0.0
            } else {
                low.abs().min(high.abs())
            };
            [nearest, low.abs().max(high.abs())]
        });
        let (lo, hi) = (self.at(ends.map(|e| e[0])), self.at(ends.map(|e| e[1])));
        Some(LocalRange {
            range: DistRange::new(lo, hi).unwrap_or(self.range),
            coverage: Coverage::All,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn range() -> DistRange {
        DistRange::new(0.5, 100.0).expect("a good range")
    }

    #[test]
    fn follows_its_law_within_its_range() {
        let linear = Falloff::linear([1.0, 2.0], 1.0, range()).expect("a good fall-off");
        assert_eq!(linear.min_dist([4.0, 6.0]), Some(5.0));
        assert_eq!(linear.min_dist([1.0, 2.0]), Some(0.5));
        assert_eq!(linear.min_dist([1e300, 0.0]), Some(100.0));
        let sqrt = Falloff::sqrt([0.0; 3], 2.0, range()).expect("a good fall-off");
        assert_eq!(sqrt.min_dist([2.0, 3.0, 6.0]), Some(2.0 * 7f64.sqrt()));
    }

    #[test]
    fn refuses_what_is_no_number() {
        assert!(Falloff::linear([f64::NAN, 0.0], 1.0, range()).is_err());
        assert!(Falloff::linear([0.0, 0.0], 0.0, range()).is_err());
        assert!(Falloff::sqrt([0.0, 0.0], f64::INFINITY, range()).is_err());
    }

    proptest! {
        #[test]
        fn a_box_is_bounded_to_the_last_bit(
            center in prop::array::uniform2(-10.0..10.0),
            corner in prop::array::uniform2(-20.0..20.0),
            size in prop::array::uniform2(1e-6..20.0),
            inside in prop::array::uniform2(0.0..=1.0),
            scale in 0.01..10.0,
            is_sqrt in any::<bool>(),
        ) {
            let field = if is_sqrt {
                Falloff::sqrt(center, scale, range())
            } else {
                Falloff::linear(center, scale, range())
            }.expect("a good fall-off");
            let b = Bounds::with_origin(corner, size).expect("a good box");
            let local = field.range_in(&b).expect("no mask").range;
            let top = b.max().map(f64::next_down);
            let p = [0, 1].map(|a: usize| f64::min(corner[a] + inside[a] * size[a], top[a]));
            let r = field.min_dist(p).expect("no mask");
            prop_assert!(local.lo() <= r && r <= local.hi());
            let corners = [b.min(), top];
            let farthest = [[0, 0], [0, 1], [1, 0], [1, 1]]
                .map(|[i, j]| field.min_dist([corners[i][0], corners[j][1]]).expect("no mask"))
                .into_iter().fold(0.0, f64::max);
            prop_assert_eq!(local.hi(), farthest);
        }
    }
}
