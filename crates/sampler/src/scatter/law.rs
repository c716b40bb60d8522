//! The conflict rules as types, so that inner loops are compiled for each.

use crate::rule::Rule;
use wide::{f32x4, f32x8};

/// Returns eight times `x`. Made of halves, as `f32x8::splat` goes through memory without AVX.
#[inline]
pub(super) fn splat(x: f32) -> f32x8 {
    let half = f32x4::splat(x);
    bytemuck::cast([half, half])
}

/// One conflict rule, for eight pairs at once in single precision. It sieves; pairs that are close
/// to the limit are decided by [`Rule::distance`] in double precision.
pub(super) trait Law: Copy + Sync {
    /// The rule itself.
    const RULE: Rule;

    /// Whether two points conflict in whichever order they come.
    const SYMMETRIC: bool;

    /// Returns the distance that `later` keeps from `earlier`, as [`Rule::distance`].
    fn distance(earlier: f32x8, later: f32x8) -> f32x8;

    /// Returns the greatest radius that a later point may have without a conflict, no farther than `far`
    /// from an accepted point of radius `earlier`. Infinity, which bounds nothing, is always right.
    ///
    /// ```text
    ///   . . . +---+     A leaf across an edge is open to the greatest distance in it only until a
    ///   . . . | o |     point lies near it. All of the leaf lies within `far` of this one: a candidate
    ///   . . . +---+     of a greater radius conflicts with it, wherever in the leaf it lies.
    /// ```
    #[inline]
    fn most_within(far: f64, earlier: f64) -> f64 {
        match Self::RULE {
            Rule::Max => far,
            Rule::Mean => 2.0 * far - earlier,
            _ => f64::INFINITY,
        }
    }

    /// Returns the larger of the distances of both orders.
    #[inline]
    fn reach(a: f32x8, b: f32x8) -> f32x8 {
        if Self::SYMMETRIC {
            Self::distance(a, b)
        } else {
            a.fast_max(b)
        }
    }

    /// Returns the larger of the distances of both orders.
    #[inline]
    fn reach_of(a: f64, b: f64) -> f64 {
        let (there, back) = (Self::RULE.distance(a, b), Self::RULE.distance(b, a));
        if there > back { there } else { back }
    }
}

macro_rules! law {
    ($name:ident, $rule:expr, $symmetric:expr, |$earlier:ident, $later:ident| $distance:expr) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name;

        impl Law for $name {
            const RULE: Rule = $rule;
            const SYMMETRIC: bool = $symmetric;

            #[inline]
            fn distance($earlier: f32x8, $later: f32x8) -> f32x8 {
                $distance
            }
        }
    };
}

law!(MaxLaw, Rule::Max, true, |a, b| a.fast_max(b));
law!(MinLaw, Rule::Min, true, |a, b| a.fast_min(b));
law!(MeanLaw, Rule::Mean, true, |a, b| (a + b) * 0.5);
law!(OwnLaw, Rule::Own, false, |_a, b| b);
law!(PriorLaw, Rule::Prior, false, |a, _b| a);
