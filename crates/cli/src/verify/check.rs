//! `sample --verify`: points are judged before their files appear.

use crate::failure::Failure;
use crate::numbers::{grouped, plain};
use density::RadiusField;
use quality::{Claim, Columns, Domain, Measures, PointSet, Rule, judge};
use sampler::Sample;

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

    /// A line on what was found; a failure when the rule is broken.
    pub(crate) fn judge(
        self,
        domain: &Domain<2>,
        field: &dyn RadiusField<2>,
        rule: Rule,
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
        let gaps = report
            .gap_fraction
            .map_or_else(|| "-".to_owned(), |gaps| format!("{gaps:.2e}"));
        let ratio = report.worst_ratio.unwrap_or(f64::INFINITY);
        Ok(format!(
            "verified: every pair keeps its distance (worst ratio {ratio:.6}), gaps {gaps}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::{Bounds, Constant};

    #[test]
    fn a_bad_set_is_refused_and_named() {
        let field = Constant::new(2.0).expect("a distance");
        let domain = Domain {
            bounds: Bounds::from_size([10.0, 10.0]).expect("a box"),
            edges: quality::Edges::Open,
        };
        let judged = |x: f64| {
            let mut check = Check::default();
            for (id, x) in [(0, 1.0), (1, x)] {
                check.add(&Sample {
                    id,
                    position: [x, 1.0],
                    min_dist: 2.0,
                    value: 0.0,
                    parent: None,
                    rank: None,
                    layer: None,
                });
            }
            check.judge(&domain, &field, Rule::Max)
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
