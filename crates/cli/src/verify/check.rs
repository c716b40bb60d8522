//! `sample --verify`: points are judged before their files appear.

use super::not_maximal;
use crate::failure::Failure;
use crate::numbers::{grouped, plain};
use density::RadiusField;
use quality::{Claim, Columns, Domain, Measures, PointSet, Rule, judge};
use sampler::Sample;

/// Whether a set may leave gaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gaps {
    /// None but specks, as the run was to fill everything: or no more, in square world units, than
    /// it counted as undecided itself, which across hard edges are larger.
    Undecided(f64),
    /// The run was stopped, or its points thinned, or its algorithm leaves gaps.
    Allow,
}

/// The points of a run, kept to be judged at its end.
#[derive(Default)]
pub(crate) struct Check {
    positions: Vec<[f64; 2]>,
    ids: Vec<u64>,
    parents: Vec<Option<u64>>,
}

impl Check {
    pub(crate) fn add(&mut self, sample: &Sample<2>) {
        self.positions.push(sample.position);
        self.ids.push(sample.id);
        self.parents.push(sample.parent);
    }

    /// A line on what was found; a failure when the rule is broken, or gaps are left where none
    /// may be.
    pub(crate) fn judge(
        self,
        domain: &Domain<2>,
        field: &dyn RadiusField<2>,
        rule: Rule,
        allowed: Gaps,
    ) -> Result<String, Failure> {
        let failed = |e: &dyn std::fmt::Display| Failure::Run(anyhow::anyhow!("--verify: {e}"));
        let set = PointSet::new(Columns {
            positions: self.positions,
            ids: Some(self.ids),
            min_dist: None,
            parents: Some(self.parents),
            ranks: None,
            layers: None,
        })
        .map_err(|e| failed(&e))?;
        let judgement = judge(
            &set,
            &[],
            domain,
            Claim::Field(field),
            rule,
            Measures::Spacing,
        );
        let report = judgement.map_err(|e| failed(&e))?.report;
        if let Some(pair) = report.worst_pairs.first() {
            return Err(failed(&format!(
                "{} pairs are too close, the worst {} and {}: {} apart, should be {}; no file \
                 was written",
                grouped(report.violations),
                pair.earlier,
                pair.later,
                plain(pair.distance),
                plain(pair.required),
            )));
        }
        if report.misplaced > 0 || report.outside > 0 {
            return Err(failed(&format!(
                "{} points lie where the map allows none, {} outside the world; no file was \
                 written",
                grouped(report.misplaced as u64),
                grouped(report.outside as u64),
            )));
        }
        let gaps = report.gap_lower.unwrap_or(0.0) * domain.bounds.volume();
        if let Gaps::Undecided(area) = allowed
            && gaps > area * (1.0 + 1e-9)
            && let Some(problem) = not_maximal(&report)
        {
            return Err(failed(&format!("{problem}; no file was written")));
        }
        // Without points there is no pair, and gaps are not defined everywhere.
        let ratio = report.worst_ratio.map_or_else(
            || "verified: no pair is too close, for there is none".to_owned(),
            |ratio| format!("verified: every pair keeps its distance (worst ratio {ratio:.6})"),
        );
        let gaps = report
            .gap_fraction
            .map_or_else(String::new, |gaps| format!(", gaps {gaps:.2e}"));
        Ok(ratio + &gaps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::{Bounds, Constant, FillRule, Polygon, Polygons, Within};

    fn of(positions: &[[f64; 2]]) -> Check {
        let mut check = Check::default();
        for (id, &position) in positions.iter().enumerate() {
            check.add(&Sample {
                id: id as u64,
                position,
                min_dist: 2.0,
                value: 0.0,
                parent: None,
                rank: None,
                layer: None,
            });
        }
        check
    }

    /// A set that covered a fifth of its world was called verified, and written.
    #[test]
    fn gaps_are_refused_where_none_may_be() {
        let field = Constant::new(8.0).expect("a distance");
        let domain = Domain {
            bounds: Bounds::from_size([10.0, 10.0]).expect("a box"),
            edges: quality::Edges::Open,
        };
        let judged =
            |positions: &[[f64; 2]], gaps| of(positions).judge(&domain, &field, Rule::Max, gaps);
        judged(&[[5.0, 5.0]], Gaps::Undecided(0.0)).expect("one in the middle reaches the corners");
        judged(&[[1.0, 1.0]], Gaps::Allow).expect("it may");
        judged(&[[1.0, 1.0]], Gaps::Undecided(90.0)).expect("it said so");
        let Err(Failure::Run(problem)) = judged(&[[1.0, 1.0]], Gaps::Undecided(0.0)) else {
            panic!("the far corner is open")
        };
        let problem = problem.to_string();
        assert!(problem.contains("the set is not maximal"), "{problem}");
        assert!(judged(&[], Gaps::Undecided(0.0)).is_err(), "all is open");
    }

    /// It said "worst ratio inf".
    #[test]
    fn an_empty_set_has_no_ratio() {
        let far = vec![[90.0, 90.0], [99.0, 90.0], [99.0, 99.0]];
        let far = Polygon::new(vec![far], FillRule::EvenOdd).expect("a triangle");
        let far = Polygons::new(vec![far]).expect("polygons");
        let none = Within::new(Constant::new(2.0).expect("a distance"), far);
        let domain = Domain {
            bounds: Bounds::from_size([10.0, 10.0]).expect("a box"),
            edges: quality::Edges::Open,
        };
        let line = of(&[]).judge(&domain, &none, Rule::Max, Gaps::Undecided(0.0));
        assert_eq!(
            line.expect("nothing is wrong"),
            "verified: no pair is too close, for there is none"
        );
    }

    #[test]
    fn a_bad_set_is_refused_and_named() {
        let field = Constant::new(2.0).expect("a distance");
        let domain = Domain {
            bounds: Bounds::from_size([10.0, 10.0]).expect("a box"),
            edges: quality::Edges::Open,
        };
        let judged = |x: f64| {
            let check = of(&[[1.0, 1.0], [x, 1.0]]);
            check.judge(&domain, &field, Rule::Max, Gaps::Allow)
        };
        let line = judged(3.0).expect("far enough");
        assert!(line.contains("worst ratio 1.000000"), "{line}");
        let Err(Failure::Run(problem)) = judged(3.0 - 1e-15) else {
            panic!("too close by a hair")
        };
        assert!(problem.to_string().contains("0 and 1"), "{problem}");
        assert!(judged(11.0).is_err(), "outside");
    }
}
