//! `sample --verify`: judges points before their files appear.

use super::findings::{Findings, of_layers};
use crate::failure::Failure;
use crate::layers::Layers;
use quality::{Claim, Columns, Domain, Measures, PointSet, Rule, judge};
use sampler::Sample;

/// The points of a run, kept to be judged at its end.
#[derive(Default)]
pub(crate) struct Check {
    positions: Vec<[f64; 2]>,
    ids: Vec<u64>,
    parents: Vec<Option<u64>>,
    /// The layer of each point; empty for a run without a species file.
    layers: Vec<u64>,
}

impl Check {
    pub(crate) fn add(&mut self, sample: &Sample<2>) {
        self.positions.push(sample.position);
        self.ids.push(sample.id);
        self.parents.push(sample.parent);
        self.layers.extend(sample.layer.map(u64::from));
    }

    /// Returns a line on the findings, or a failure if the rule is broken or gaps are too large.
    ///
    /// Gaps may cover the area `unresolved`, in square world units, and beyond it those below the sampler's
    /// resolution are ignored. `None` measures none: the run was stopped, its points were thinned, or its
    /// algorithm leaves gaps.
    pub(crate) fn judge(
        self,
        domain: &Domain<2>,
        layers: &Layers<'_>,
        rule: Rule,
        unresolved: Option<f64>,
    ) -> Result<String, Failure> {
        let failed = |e: &dyn std::fmt::Display| Failure::Run(anyhow::anyhow!("--verify: {e}"));
        let set = PointSet::new(Columns {
            positions: self.positions,
            ids: Some(self.ids),
            parents: Some(self.parents),
            layers: layers.are_named().then_some(self.layers),
            ..Columns::default()
        });
        let set = set.map_err(|e| failed(&e))?;
        let measures = unresolved.map_or(Measures::Pairs, |_| Measures::Spacing);
        let (findings, by, within) = if layers.are_named() {
            let report = of_layers(&set, domain, layers, rule, measures);
            let findings = Findings::Layers(Box::new(report.map_err(|e| failed(&e))?));
            let within = ", within layers and between them";
            (findings, "their layers allow", within)
        } else {
            let claim = Claim::Field(&*layers.fields()[0].field);
            let judgement = judge(&set, &[], domain, claim, rule, measures);
            let report = judgement.map_err(|e| failed(&e))?.report;
            (Findings::Set(Box::new(report)), "the map allows", "")
        };
        let mut problems = findings.problems(by, "the world");
        let mut most: Option<f64> = None;
        for (name, gaps) in findings.gaps() {
            // Gaps are not defined for every rule.
            let Some(gaps) = gaps else { continue };
            if let Some(unresolved) = unresolved
                && (unresolved == 0.0 || gaps.area > unresolved * (1.0 + 1e-9))
            {
                problems.extend(gaps.not_maximal(&name));
            }
            most = Some(most.unwrap_or(0.0).max(gaps.fraction));
        }
        if !problems.is_empty() {
            let problems = problems.join("; ");
            return Err(failed(&format!("{problems}; no file was written")));
        }
        // Without points there is no pair.
        let ratio = findings.worst_ratio().map_or_else(
            || "verified: there is no pair of points".to_owned(),
            |ratio| {
                format!("verified: every pair keeps its distance{within} (worst ratio {ratio:.6})")
            },
        );
        let gaps = most.map_or_else(String::new, |share| format!(", gaps {share:.2e}"));
        Ok(ratio + &gaps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::Source;
    use density::polygons::{FillRule, Polygon, Polygons};
    use density::{Bounds, Constant, PerlinOptions, RadiusField, Within};

    fn square() -> Domain<2> {
        Domain {
            bounds: Bounds::from_size([10.0, 10.0]).expect("a box"),
            edges: quality::Edges::Open,
        }
    }

    fn one<'f>(field: impl RadiusField<2> + 'f) -> Layers<'f> {
        Layers::one(field, Source::Meadow(PerlinOptions::default()))
    }

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

    /// Regression: a set that covered a fifth of its world passed and was written.
    #[test]
    fn gaps_are_refused_where_none_may_be() {
        let layers = one(Constant::new(8.0).expect("a distance"));
        let judged =
            |positions: &[[f64; 2]], gaps| of(positions).judge(&square(), &layers, Rule::Max, gaps);
        judged(&[[5.0, 5.0]], Some(0.0)).expect("one in the middle reaches the corners");
        judged(&[[1.0, 1.0]], None).expect("it may");
        judged(&[[1.0, 1.0]], Some(90.0)).expect("it said so");
        let Err(Failure::Run(problem)) = judged(&[[1.0, 1.0]], Some(0.0)) else {
            panic!("the far corner is open")
        };
        let problem = problem.to_string();
        assert!(problem.contains("the set is not maximal"), "{problem}");
        assert!(judged(&[], Some(0.0)).is_err(), "all is open");
    }

    /// Regression: gaps were a share of the whole world's area, and a set without points passed below one half.
    #[test]
    fn an_empty_set_is_refused_in_a_thin_hedge() {
        let hedge = vec![[1.0, 5.0], [9.0, 5.001], [9.0, 5.002], [1.0, 5.001]];
        let hedge = Polygon::new(vec![hedge], FillRule::EvenOdd).expect("a hedge");
        let hedge = Polygons::new(vec![hedge]).expect("polygons");
        let hedge = Within::new(Constant::new(8.0).expect("a distance"), hedge);
        let layers = one(hedge);
        let judged = |gaps| of(&[]).judge(&square(), &layers, Rule::Max, gaps);
        assert!(judged(Some(0.0)).is_err(), "all of the hedge is open");
        let line = judged(None).expect("gaps are not measured");
        assert_eq!(line, "verified: there is no pair of points");
    }

    /// Regression: the ratio was printed as "inf".
    #[test]
    fn an_empty_set_has_no_ratio() {
        let far = vec![[90.0, 90.0], [99.0, 90.0], [99.0, 99.0]];
        let far = Polygon::new(vec![far], FillRule::EvenOdd).expect("a triangle");
        let far = Polygons::new(vec![far]).expect("polygons");
        let none = Within::new(Constant::new(2.0).expect("a distance"), far);
        let none = one(none);
        let line = of(&[]).judge(&square(), &none, Rule::Max, Some(0.0));
        assert_eq!(
            line.expect("nothing is wrong"),
            "verified: there is no pair of points"
        );
    }

    #[test]
    fn a_bad_set_is_refused_and_named() {
        let layers = one(Constant::new(2.0).expect("a distance"));
        let judged = |x: f64| {
            let check = of(&[[1.0, 1.0], [x, 1.0]]);
            check.judge(&square(), &layers, Rule::Max, None)
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
