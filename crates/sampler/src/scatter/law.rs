//! The rules as types, so that the innermost loops know theirs.

use crate::rule::Rule;
use wide::f32x8;

/// One rule, for eight pairs at once, in single precision: for sieving. What it cannot tell, [`Rule::distance`] decides.
pub(super) trait Law: Copy + Sync {
    /// The rule itself.
    const RULE: Rule;

    /// As [`Rule::distance`].
    fn keep(earlier: f32x8, later: f32x8) -> f32x8;
}

macro_rules! law {
    ($name:ident, $rule:expr, |$earlier:ident, $later:ident| $keep:expr) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name;

        impl Law for $name {
            const RULE: Rule = $rule;

            #[inline]
            fn keep($earlier: f32x8, $later: f32x8) -> f32x8 {
                $keep
            }
        }
    };
}

law!(MaxLaw, Rule::Max, |a, b| a.fast_max(b));
law!(MinLaw, Rule::Min, |a, b| a.fast_min(b));
law!(MeanLaw, Rule::Mean, |a, b| (a + b) * 0.5);
law!(OwnLaw, Rule::Own, |_a, b| b);
law!(PriorLaw, Rule::Prior, |a, _b| a);
