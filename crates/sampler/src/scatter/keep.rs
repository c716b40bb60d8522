//! What a point keeps from a point of an earlier pass.

use crate::rule::Rule;

/// The distance between a point and an earlier one of another pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Keep {
    /// What the rule makes of both radii.
    By(Rule),
    /// Always so much, world units; 0 if they ignore each other.
    Fixed(f64),
}

impl Keep {
    /// Returns the distance between an earlier point and a later one of these radii. It never falls
    /// as either radius grows.
    #[inline]
    pub(crate) fn distance(self, earlier: f64, later: f64) -> f64 {
        match self {
            Self::By(rule) => rule.distance(earlier, later),
            Self::Fixed(distance) => distance,
        }
    }
}
