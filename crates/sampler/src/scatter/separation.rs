//! The distance between points of different passes.

use crate::rule::Rule;

/// The distance between a point and a point of an earlier pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Separation {
    /// By the rule, from both radii.
    ByRule(Rule),
    /// A fixed distance, world units; 0 if the points ignore each other.
    Fixed(f64),
}

impl Separation {
    /// Returns the distance between an earlier point and a later one of these radii. It never decreases
    /// when a radius grows.
    #[inline]
    pub(crate) fn distance(self, earlier: f64, later: f64) -> f64 {
        match self {
            Self::ByRule(rule) => rule.distance(earlier, later),
            Self::Fixed(distance) => distance,
        }
    }
}
