//! The conflict rule: the distance between two points of different `min_dist`.

/// The distance that two points must keep, given the `min_dist` of each. The earlier point is the one
/// that [`Bridson`](crate::Bridson) accepted first, or the one of smaller id in [`Scatter`](crate::Scatter).
///
/// Mitchell, Rand, Ebeida and Bajaj ("Variable Radii Poisson-Disk Sampling", 2012) call `Max`,
/// `Min`, `Own` and `Prior` bigger-, smaller-, current- and prior-disks.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::Rule;
///
/// // An earlier point with the distance 2, and a later one with 6.
/// let rules = [Rule::Max, Rule::Mean, Rule::Min, Rule::Own, Rule::Prior];
/// assert_eq!(rules.map(|rule| rule.distance(2.0, 6.0)), [6.0, 4.0, 2.0, 6.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Rule {
    /// The larger of the two. Symmetric, and implies every other rule but `Parent`.
    #[default]
    Max,
    /// The mean of the two: the points' density follows the map most faithfully.
    Mean,
    /// The smaller of the two.
    Min,
    /// The later point's own.
    Own,
    /// The earlier point's.
    Prior,
    /// The `min_dist` of the later point's parent; a point without parent uses its own. Some
    /// implementations of Bridson's algorithm do so; defined for that algorithm only.
    Parent,
}

impl Rule {
    /// Every rule, in the order of the documentation.
    pub const ALL: [Self; 6] = [
        Self::Max,
        Self::Mean,
        Self::Min,
        Self::Own,
        Self::Prior,
        Self::Parent,
    ];

    /// The rules that [`Scatter`](crate::Scatter) and [`World`](crate::World) support: all but [`Rule::Parent`].
    pub const OF_SCATTER: [Self; Self::ALL.len() - 1] = match Self::ALL {
        [rules @ .., Self::Parent] => rules,
        _ => panic!("Rule::Parent is not the last rule"),
    };

    /// Returns the distance that two points must keep. `earlier` and `later` are their `min_dist`s; under
    /// [`Rule::Parent`], `later` is the `min_dist` of the later point's parent.
    ///
    /// # Guarantees
    /// The samplers rely on these, for each rule:
    ///
    /// 1. The distance lies between `earlier` and `later`, both included, to the last bit.
    /// 2. It never decreases when `earlier` or `later` grows.
    /// 3. It is in proportion: `k` times both gives `k` times the distance, but for rounding.
    #[inline]
    pub fn distance(self, earlier: f64, later: f64) -> f64 {
        // Neither is NaN: `f64::max`, which handles NaN, takes several times as long.
        let (least, most) = if earlier < later {
            (earlier, later)
        } else {
            (later, earlier)
        };
        match self {
            Self::Max => most,
            Self::Mean => 0.5 * (earlier + later),
            Self::Min => least,
            Self::Own | Self::Parent => later,
            Self::Prior => earlier,
        }
    }

    /// Returns the steepest slope of `min_dist`, in distance per distance, that points can follow under
    /// the rule; infinity if slopes do not matter.
    pub fn steepest(self) -> f64 {
        match self {
            Self::Max | Self::Own | Self::Prior | Self::Parent => 1.0,
            Self::Mean => 2.0,
            // Only the smaller distance counts: a dense point may lie close to a sparse one.
            Self::Min => f64::INFINITY,
        }
    }

    /// Returns the rule's name as the command line and files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Own => "own",
            Self::Prior => "prior",
            Self::Parent => "parent",
        }
    }
}

const _: () = assert!(
    Rule::ALL.len() == Rule::Parent as usize + 1,
    "Rule::ALL has each rule"
);

#[cfg(test)]
mod tests {
    use super::*;

    const DISTANCES: [f64; 9] = [
        1e-3,
        0.1,
        1.0 / 3.0,
        0.7,
        1.0,
        1.0 + f64::EPSILON,
        2.7,
        9.3,
        1e3,
    ];

    #[test]
    fn every_rule_gives_what_samplers_rely_on() {
        for rule in Rule::ALL {
            for a in DISTANCES {
                for b in DISTANCES {
                    let distance = rule.distance(a, b);
                    let case = format!("{rule:?}, {a} and {b}: {distance}");
                    assert!(a.min(b) <= distance && distance <= a.max(b), "{case}");
                    for more in DISTANCES {
                        let grown = [rule.distance(a.max(more), b), rule.distance(a, b.max(more))];
                        assert!(grown.into_iter().all(|grown| distance <= grown), "{case}");
                        let scaled = rule.distance(more * a, more * b) / (more * distance);
                        assert!((scaled - 1.0).abs() < 1e-12, "{case}, times {more}");
                    }
                }
            }
        }
    }
}
