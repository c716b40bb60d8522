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

    /// Returns the distances by [`distance`](Self::distance) between earlier points and later ones.
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
