//! Regions where points may lie, and fields restricted to a region.

use crate::{Bounds, Coverage, DistRange, LocalRange, RadiusField};
use std::sync::Arc;

/// A part of the world.
///
/// # Guarantees an implementation gives
/// 1. `holds(p)` is a pure function of `p` and panics for no finite `p`.
/// 2. [`Share::All`] and [`Share::None`] are returned only if they are true of every place of the
///    (half-open) box. [`Polygons`](crate::polygons::Polygons) alone also say `None` where only strips
///    are open that are narrower than a few roundings of their coordinates.
///
/// ```
/// use spinney_density::{Bounds, Region, Share};
///
/// /// The half-plane north of the origin.
/// struct North;
///
/// impl Region<2> for North {
///     fn holds(&self, p: [f64; 2]) -> bool {
///         p[1] >= 0.0
///     }
///     fn share_in(&self, bounds: &Bounds<2>) -> Share {
///         match (self.holds(bounds.min()), self.holds(bounds.max())) {
///             (true, _) => Share::All,
///             (false, true) => Share::Part,
///             (false, false) => Share::None,
///         }
///     }
///     fn detail(&self) -> f64 {
///         0.0
///     }
/// }
///
/// assert_eq!(North.share_in(&Bounds::new([0.0, -1.0], [1.0, 1.0])?), Share::Part);
/// # Ok::<(), spinney_density::BoundsError>(())
/// ```
pub trait Region<const D: usize>: Send + Sync {
    /// Returns `true` if the place belongs to the region.
    fn holds(&self, p: [f64; D]) -> bool;

    /// Returns how much of a box belongs to the region.
    fn share_in(&self, bounds: &Bounds<D>) -> Share;

    /// Returns the width of the region's smallest feature, world units; 0 if features may be of any
    /// size.
    fn detail(&self) -> f64;
}

/// The places inside the box. Restricts a field to the rectangle of an image, for example.
impl<const D: usize> Region<D> for Bounds<D> {
    fn holds(&self, p: [f64; D]) -> bool {
        self.contains(p)
    }

    fn share_in(&self, bounds: &Bounds<D>) -> Share {
        if self.encloses(bounds) {
            Share::All
        } else if self.intersection(bounds).is_some() {
            Share::Part
        } else {
            Share::None
        }
    }

    fn detail(&self) -> f64 {
        self.size().into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// The part of a box that belongs to a region.
///
/// See [`Region`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Every place of the box.
    All,
    /// Some places of the box, or unknown.
    Part,
    /// No place of the box.
    None,
}

impl Share {
    /// Returns the share of a box from those of its parts. Stops at the part that makes it [`Share::Part`].
    pub(crate) fn of_parts(mut parts: impl Iterator<Item = Self>) -> Self {
        match parts.next() {
            None => Self::None,
            Some(first) if first != Self::Part && parts.all(|part| part == first) => first,
            Some(_) => Self::Part,
        }
    }
}

/// A field restricted to a region: points may lie only where both allow them.
///
/// Distances and grey values do not change. Samplers search for separate islands down to the
/// region's [`detail`](Region::detail) or, if that is 0, down to 1/1024 of the least distance. A
/// sampler that is maximal down to that size fills every place that is larger.
///
/// ```
/// use spinney_density::polygons::{FillRule, Polygon, Polygons};
/// use spinney_density::{Bounds, Constant, RadiusField, Within};
///
/// let square = |lo: f64, hi: f64| vec![[lo, lo], [hi, lo], [hi, hi], [lo, hi]];
/// let frame = Polygon::new(vec![square(0.0, 10.0), square(4.0, 6.0)], FillRule::EvenOdd)?;
/// let field = Within::new(Constant::new(1.0)?, Polygons::new(vec![frame])?);
/// assert_eq!(field.min_dist([2.0, 5.0]), Some(1.0));
/// assert_eq!(field.min_dist([5.0, 5.0]), None, "in the hole");
/// assert_eq!(field.range_in(&Bounds::new([4.5, 4.5], [5.5, 5.5])?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Within<F, R> {
    field: F,
    region: R,
}

impl<F, R> Within<F, R> {
    /// Creates `field` restricted to `region`.
    pub fn new(field: F, region: R) -> Self {
        Self { field, region }
    }

    /// Returns the field without the region.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// Returns the region.
    pub fn region(&self) -> &R {
        &self.region
    }
}

impl<const D: usize, F: RadiusField<D>, R: Region<D>> RadiusField<D> for Within<F, R> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        self.region
            .holds(p)
            .then(|| self.field.min_dist(p))
            .flatten()
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.field.range()
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        let share = self.region.share_in(bounds);
        if share == Share::None {
            return None;
        }
        let local = self.field.range_in(bounds)?;
        Some(match share {
            Share::All => local,
            _ => LocalRange {
                coverage: Coverage::Part,
                ..local
            },
        })
    }

    fn value(&self, p: [f64; D]) -> f64 {
        self.field.value(p)
    }

    fn mask_detail(&self, finest: f64) -> Option<f64> {
        let own = match self.region.detail() {
            detail if detail > 0.0 => detail,
            _ => finest,
        };
        Some(self.field.mask_detail(finest).map_or(own, |d| d.min(own)))
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<const D: usize, R: Region<D> + ?Sized> Region<D> for $pointer {
            #[inline]
            fn holds(&self, p: [f64; D]) -> bool {
                (**self).holds(p)
            }
            fn share_in(&self, bounds: &Bounds<D>) -> Share {
                (**self).share_in(bounds)
            }
            fn detail(&self) -> f64 {
                (**self).detail()
            }
        }
    )*};
}

forward!(&R, Box<R>, Arc<R>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constant, GridField};

    /// The left half of the plane.
    struct Left;

    impl Region<2> for Left {
        fn holds(&self, p: [f64; 2]) -> bool {
            p[0] < 0.0
        }
        fn share_in(&self, bounds: &Bounds<2>) -> Share {
            match (bounds.min()[0] < 0.0, bounds.max()[0] > 0.0) {
                (true, false) => Share::All,
                (false, _) => Share::None,
                _ => Share::Part,
            }
        }
        fn detail(&self) -> f64 {
            0.0
        }
    }

    #[test]
    fn closes_what_lies_outside() {
        let field = Within::new(Constant::new(2.0).expect("a field"), Left);
        assert_eq!(field.min_dist([-1.0, 0.0]), Some(2.0));
        assert_eq!(field.min_dist([1.0, 0.0]), None);
        assert_eq!(field.value([1.0, 0.0]), 0.0);
        let coverage = |lo: f64, hi: f64| {
            let bounds = Bounds::new([lo, 0.0], [hi, 1.0]).expect("a box");
            field.range_in(&bounds).map(|local| local.coverage)
        };
        assert_eq!(coverage(-2.0, 0.0), Some(Coverage::All));
        assert_eq!(coverage(-2.0, 1.0), Some(Coverage::Part));
        assert_eq!(coverage(0.0, 1.0), None);
    }

    #[test]
    fn the_finer_detail_counts_and_of_a_region_of_any_size_what_is_looked_for() {
        let detail = |spacing: f64| {
            let range = DistRange::new(2.0, 2.0).expect("a range");
            let field = GridField::new(range, spacing, |_: [f64; 2]| 2.0);
            Within::new(field.expect("a field"), Left).mask_detail(0.125)
        };
        assert_eq!(detail(1.0), Some(0.125));
        assert_eq!(detail(1e-6), Some(1e-6), "the field's own is kept");
    }
}
