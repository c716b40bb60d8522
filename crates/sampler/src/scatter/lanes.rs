//! Distances and conflict rules for eight pairs at once, in single precision. They pre-filter; pairs that are close
//! to the limit are decided by [`Rule::distance`] in double precision.

use crate::rule::Rule;
use wide::{f32x4, f32x8};

/// Number of lanes of a vector.
pub(super) const LANES: usize = 8;

/// Coordinate of empty lanes: nothing is ever near them.
pub(super) const NOWHERE: f32 = 1e18;

/// Returns a vector of eight times `x`. Made of halves, as `f32x8::splat` goes through memory without AVX.
#[inline]
pub(super) fn splat(x: f32) -> f32x8 {
    let half = f32x4::splat(x);
    bytemuck::cast([half, half])
}

/// Returns the sum over the axes.
#[inline]
pub(super) fn sum<const D: usize>(of: impl Fn(usize) -> f32x8) -> f32x8 {
    (1..D).fold(of(0), |sum, a| sum + of(a))
}

/// Returns the squares of the distances between eight positions and `own`.
#[inline]
pub(super) fn distance2<const D: usize>(x: &[f32x8; D], own: [f32x8; D]) -> f32x8 {
    sum::<D>(|a| {
        let d = x[a] - own[a];
        d * d
    })
}

/// Returns the numbers of the bits that are set in `mask`, in increasing order.
#[inline]
pub(super) fn ones(mask: impl Into<u64>) -> impl Iterator<Item = u32> {
    let mut left = mask.into();
    std::iter::from_fn(move || {
        let next = left.trailing_zeros();
        (left != 0).then(|| {
            left &= left - 1;
            next
        })
    })
}

impl Rule {
    /// Returns `true` if a conflict of two points does not depend on their order.
    #[inline]
    pub(super) fn is_symmetric(self) -> bool {
        match self {
            Self::Max | Self::Mean | Self::Min => true,
            Self::Own | Self::Prior | Self::Parent => false,
        }
    }

    /// Returns the distances by [`distance`](Self::distance) between earlier points and later ones, off by at most
    /// 2^-23 of them: the [margins](super::margin) include that.
    #[inline]
    pub(super) fn distances(self, earlier: f32x8, later: f32x8) -> f32x8 {
        match self {
            Self::Max => earlier.fast_max(later),
            Self::Mean => (earlier + later) * 0.5,
            Self::Min => earlier.fast_min(later),
            Self::Own | Self::Parent => later,
            Self::Prior => earlier,
        }
    }

    /// Returns the larger of the distances in both orders.
    #[inline]
    pub(super) fn reach(self, a: f64, b: f64) -> f64 {
        let (there, back) = (self.distance(a, b), self.distance(b, a));
        if there > back { there } else { back }
    }

    /// Returns the larger of the distances in both orders, for eight pairs.
    #[inline]
    pub(super) fn reaches(self, a: f32x8, b: f32x8) -> f32x8 {
        match self {
            Self::Max | Self::Mean | Self::Min => self.distances(a, b),
            // They are one of the two radii.
            Self::Own | Self::Prior | Self::Parent => a.fast_max(b),
        }
    }

    /// Returns the greatest radius that a later point may have without a conflict, at a distance of up to
    /// `far` from an accepted point of radius `earlier`. Infinity is returned where there is no such bound.
    ///
    /// ```text
    ///   . . . +---+     A leaf across an edge can hold points of the greatest distance in it only until a
    ///   . . . | o |     point lies near it. All of the leaf lies within `far` of that point: a candidate
    ///   . . . +---+     of a greater radius conflicts with it, wherever in the leaf it lies.
    /// ```
    #[inline]
    pub(super) fn max_radius_within(self, far: f64, earlier: f64) -> f64 {
        match self {
            Self::Max => far,
            Self::Mean => 2.0 * far - earlier,
            Self::Min | Self::Own | Self::Prior | Self::Parent => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISTANCES: [f32; 9] = [1e-3, 0.1, 1.0 / 3.0, 0.7, 1.0, 1.1, 2.7, 9.3, 1e3];

    #[test]
    fn every_rule_agrees_with_its_distance() {
        for rule in Rule::ALL {
            for a in DISTANCES {
                for b in DISTANCES {
                    let there = rule.distance(a.into(), b.into());
                    let back = rule.distance(b.into(), a.into());
                    if rule.is_symmetric() {
                        assert_eq!(there, back, "{rule:?}, {a} and {b}");
                    }
                    let close = |lanes: f32x8, exact: f64| {
                        let error = (f64::from(lanes.to_array()[3]) / exact - 1.0).abs();
                        assert!(
                            error <= f64::from(f32::EPSILON),
                            "{rule:?}, {a} and {b}: {error}"
                        );
                    };
                    close(rule.distances(splat(a), splat(b)), there);
                    close(rule.reaches(splat(a), splat(b)), there.max(back));
                    assert_eq!(rule.reach(a.into(), b.into()), there.max(back));
                }
            }
        }
    }

    #[test]
    fn a_radius_above_the_bound_conflicts() {
        for rule in Rule::ALL {
            for (earlier, far) in DISTANCES
                .into_iter()
                .flat_map(|a| DISTANCES.map(|b| (a, b)))
            {
                let (earlier, far) = (f64::from(earlier), f64::from(far));
                let bound = rule.max_radius_within(far, earlier);
                let larger = bound.max(0.0) + 1e-9 * (far + earlier);
                let conflicts = rule.distance(earlier, larger) > far;
                assert!(
                    conflicts || bound.is_infinite(),
                    "{rule:?}: {earlier}, {far}"
                );
            }
        }
    }
}
