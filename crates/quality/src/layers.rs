//! Measures the spacing of points of several layers (species), within each layer and between any
//! two, and the gaps of each layer.

use crate::claim::{Claim, Requirement, rule_distance};
use crate::domain::{Domain, sum};
use crate::error::QualityError;
use crate::gaps::{Gaps, Group, greatest_near, layer_gaps};
use crate::kd_tree::KdTree;
use crate::nearest::nearest;
use crate::report::Measures;
use crate::set::PointSet;
use crate::spacing::{MOST, Pair, Violations, slack, violations};
use density::RadiusField;
use sampler::Rule;
use serde::Serialize;
use std::cmp::Ordering;

/// The distances that points of several layers are required to keep.
pub struct LayersClaim<'a, const D: usize> {
    /// The field of each layer, by layer number.
    pub fields: Vec<&'a dyn RadiusField<D>>,
    /// The rule for all pairs to which `apart` does not apply.
    pub rule: Rule,
    /// Required distance of points of two layers; `None` applies the rule.
    pub apart: &'a dyn Fn(usize, usize) -> Option<f64>,
}

/// The measures of a set of several layers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayersReport {
    /// Number of points.
    pub points: usize,
    /// Number of points outside the domain.
    pub outside: usize,
    /// Number of pairs that are too close, within and between layers.
    pub violations: u64,
    /// `false` if counting stopped because there were too many.
    pub violations_complete: bool,
    /// Number of points where their layer's field allows none.
    pub misplaced: usize,
    /// The least ratio of distance to required distance of any pair.
    pub worst_ratio: Option<f64>,
    /// The measures of each layer by itself.
    pub layers: Vec<LayerReport>,
    /// The measures of each pair of layers.
    pub between: Vec<BetweenReport>,
}

/// The measures of one layer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerReport {
    /// Number of the layer.
    pub layer: usize,
    /// Number of points.
    pub points: usize,
    /// Number of pairs closer than required.
    pub violations: u64,
    /// The ten worst of these pairs.
    pub worst_pairs: Vec<Pair>,
    /// Number of points where the field allows none.
    pub misplaced: usize,
    /// The least ratio of distance to required distance of any pair.
    pub worst_ratio: Option<f64>,
    /// The places for one more point of the layer, later than the points of all layers. `None` if they are not
    /// measured, or in a [window](crate::Edges::Window) too narrow to be searched.
    pub gaps: Option<Gaps>,
}

/// The measures of a pair of layers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BetweenReport {
    /// Their numbers, the smaller first.
    pub layers: [usize; 2],
    /// Their fixed distance; `None` if the rule applies.
    pub distance: Option<f64>,
    /// Number of pairs, one point of each layer, that are too close.
    pub violations: u64,
    /// The ten worst of these pairs.
    pub worst_pairs: Vec<Pair>,
    /// The least ratio of distance to required distance of any pair. `None` if a layer has no
    /// points, or no pair is near enough.
    pub worst_ratio: Option<f64>,
}

/// Measures the spacing of a set with a column of layers, and its gaps unless `measures` is [`Measures::Pairs`]. The
/// point with the smaller id is the earlier one of a pair. O(n log n) for each pair of layers; the search
/// for gaps takes the longest.
///
/// # Errors
/// If the set has no column of layers, or a layer has no field; under [`Rule::Parent`], as parents
/// have no layer; on a torus, if a point lies outside or a distance is above half the shortest
/// side; or if a distance is out of range.
pub fn judge_layers<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    claim: &LayersClaim<'_, D>,
    measures: Measures,
) -> Result<LayersReport, QualityError> {
    if claim.rule == Rule::Parent {
        return Err(QualityError::LayersByParent);
    }
    let count = claim.fields.len();
    let named = set.or_empty(set.layers()).ok_or(QualityError::NoLayers)?;
    if let Some((&layer, &id)) = named
        .iter()
        .zip(set.ids())
        .find(|(l, _)| **l >= count as u64)
    {
        return Err(QualityError::UnknownLayer { id, layer, count });
    }
    let mut all = Vec::with_capacity(count);
    for (number, field) in claim.fields.iter().enumerate() {
        all.push(Layer::new(
            set.of_layer(number as u64),
            *field,
            claim.rule,
            domain,
        )?);
    }
    let mut report = LayersReport {
        points: set.len(),
        outside: set
            .positions()
            .iter()
            .filter(|&&p| !domain.holds(p))
            .count(),
        violations: 0,
        violations_complete: true,
        misplaced: 0,
        worst_ratio: None,
        layers: Vec::new(),
        between: Vec::new(),
    };
    for (layer, own) in all.iter().enumerate() {
        let found = violations(&own.set, domain, &own.requirement)?;
        let near = nearest(&own.set, domain, &own.requirement)?;
        let one = LayerReport {
            layer,
            points: own.set.len(),
            violations: found.count,
            worst_ratio: near.least_ratio(),
            misplaced: own.requirement.misplaced().len(),
            worst_pairs: found.worst,
            gaps: match measures {
                Measures::Pairs => None,
                _ => gaps_of(layer, &all, claim, domain),
            },
        };
        report.count(found.count, found.complete, one.worst_ratio);
        report.misplaced += one.misplaced;
        report.layers.push(one);
    }
    for a in 0..count {
        for b in a + 1..count {
            let distance = (claim.apart)(a, b);
            if let Some(distance) = distance {
                domain.check_period(distance)?;
            }
            let (found, worst_ratio) = between(&all[a], &all[b], distance, claim.rule, domain);
            report.count(found.count, found.complete, worst_ratio);
            report.between.push(BetweenReport {
                layers: [a, b],
                distance,
                violations: found.count,
                worst_pairs: found.worst,
                worst_ratio,
            });
        }
    }
    Ok(report)
}

impl LayersReport {
    fn count(&mut self, violations: u64, complete: bool, ratio: Option<f64>) {
        self.violations += violations;
        self.violations_complete &= complete;
        self.worst_ratio = match (self.worst_ratio, ratio) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

/// The points of one layer.
struct Layer<const D: usize> {
    set: PointSet<D>,
    requirement: Requirement,
    tree: KdTree<D>,
    /// Bound on the rounding of positions shifted to their image on a torus.
    slack: f64,
}

impl<const D: usize> Layer<D> {
    fn new(
        set: PointSet<D>,
        field: &dyn RadiusField<D>,
        rule: Rule,
        domain: &Domain<D>,
    ) -> Result<Self, QualityError> {
        let requirement = Requirement::new(&set, rule, Claim::Field(field))?;
        let reach = |i: usize| requirement.min_dist()[i];
        let slack = slack(&set, domain);
        Ok(Self {
            tree: KdTree::new(set.positions(), reach, slack),
            slack,
            set,
            requirement,
        })
    }
}

/// Returns the gaps of a layer among the points of all.
fn gaps_of<const D: usize>(
    layer: usize,
    all: &[Layer<D>],
    claim: &LayersClaim<'_, D>,
    domain: &Domain<D>,
) -> Option<Gaps> {
    let apart = |other: usize| match other.cmp(&layer) {
        Ordering::Equal => None,
        _ => (claim.apart)(other.min(layer), other.max(layer)),
    };
    let fixed: Vec<Vec<f64>> = (0..all.len())
        .map(|other| apart(other).map_or(Vec::new(), |d| vec![d; all[other].set.len()]))
        .collect();
    let groups = (0..all.len()).filter_map(|other| {
        let Layer {
            set, requirement, ..
        } = &all[other];
        match apart(other) {
            // Points of these layers never conflict.
            Some(0.0) => None,
            // Under this rule the distance of the point that is there counts alone.
            Some(distance) => Some(Group {
                set,
                min_dist: fixed[other].as_slice(),
                rule: Rule::Prior,
                reach: distance,
            }),
            None => Some(Group {
                set,
                min_dist: requirement.min_dist(),
                rule: claim.rule,
                reach: greatest_near(claim.fields[other], &domain.bounds),
            }),
        }
    });
    let groups: Vec<Group<'_, D>> = groups.collect();
    let own = &all[layer];
    layer_gaps(
        (&own.set, &own.requirement),
        claim.fields[layer],
        &groups,
        domain,
    )
}

/// Compares every point of `a` with the points of `b` near it. Returns the violations, and the least ratio of distance
/// to required distance.
fn between<const D: usize>(
    a: &Layer<D>,
    b: &Layer<D>,
    distance: Option<f64>,
    rule: Rule,
    domain: &Domain<D>,
) -> (Violations, Option<f64>) {
    let shifts = domain.shifts();
    let mut state = (Violations::default(), f64::INFINITY);
    let is_enough = |found: &Violations| found.count >= MOST;
    for i in a.tree.order() {
        let (p, first, r) = (
            a.set.positions()[i],
            a.set.ids()[i],
            a.requirement.min_dist[i],
        );
        for &shift in &shifts {
            let image = sum(p, shift);
            b.tree.visit(
                image,
                &mut state,
                |(found, _), reach| {
                    if is_enough(found) {
                        return f64::NEG_INFINITY;
                    }
                    // Twice the required distance, to find a worst ratio even without violations. No rule requires
                    // more than the larger distance of the two.
                    2.0 * distance.unwrap_or(reach.max(r))
                },
                |(found, worst), j| {
                    let (q, second, s) = (
                        b.set.positions()[j],
                        b.set.ids()[j],
                        b.requirement.min_dist[j],
                    );
                    let required = match distance {
                        Some(distance) => distance,
                        None if first < second => rule_distance(rule, r, s),
                        None => rule_distance(rule, s, r),
                    };
                    if required <= 0.0 {
                        return;
                    }
                    let square = domain.square_distance(p, q);
                    let distance = square.sqrt();
                    let straight: f64 = (0..D).map(|a| image[a] - q[a]).map(|d| d * d).sum();
                    if straight.sqrt() > distance + a.slack {
                        // Another image of the point is nearer, and counts.
                        return;
                    }
                    *worst = worst.min(distance / required);
                    found.test([first, second], square, required);
                },
            );
        }
        if is_enough(&state.0) {
            break;
        }
    }
    let (found, worst) = state;
    let complete = !is_enough(&found);
    let found = Violations { complete, ..found };
    (found, worst.is_finite().then_some(worst))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Edges;
    use crate::set::Columns;
    use density::{Bounds, Constant};

    fn judged(points: &[([f64; 2], u64)], apart: f64) -> Result<LayersReport, QualityError> {
        judged_on(Edges::Open, points, apart)
    }

    fn judged_on(
        edges: Edges,
        points: &[([f64; 2], u64)],
        apart: f64,
    ) -> Result<LayersReport, QualityError> {
        let set = PointSet::new(Columns {
            positions: points.iter().map(|p| p.0).collect(),
            layers: Some(points.iter().map(|p| p.1).collect()),
            ..Columns::default()
        });
        let fields = [4.0, 1.0, 2.0].map(|r| Constant::new(r).expect("a distance"));
        let domain = Domain {
            bounds: Bounds::from_size([100.0; 2]).expect("a box"),
            edges,
        };
        let claim = LayersClaim {
            fields: fields.iter().map(|f| f as &dyn RadiusField<2>).collect(),
            rule: Rule::Own,
            apart: &|a, b| ((a, b) == (0, 1)).then_some(apart),
        };
        judge_layers(&set.expect("a set"), &domain, &claim, Measures::Spacing)
    }

    #[test]
    fn each_pair_of_layers_is_held_to_its_own_distance() {
        let points = [([10.0, 10.0], 0), ([13.0, 10.0], 1), ([13.0, 11.0], 1)];
        let good = judged(&points, 3.0).expect("judged");
        assert_eq!((good.violations, good.worst_ratio), (0, Some(1.0)));
        let bad = judged(&points, 3.0 + 1e-12).expect("judged");
        assert_eq!(bad.violations, 1);
        assert_eq!(bad.between[0].violations, 1);
        assert_eq!(bad.between[0].worst_pairs[0].required, 3.0 + 1e-12);
        // Layers that are far apart, or whose cross-distance is 0, have no violations.
        assert_eq!(
            judged(&points, 0.0).expect("judged").between[0].violations,
            0
        );
        // By the rule: the distance of the later point, whatever its layer.
        let early = [([10.0, 10.0], 2), ([13.0, 10.0], 0)];
        let report = judged(&early, 1.0).expect("judged");
        assert_eq!(report.between[1].layers, [0, 2]);
        assert_eq!(report.between[1].violations, 1);
        let late = [([13.0, 10.0], 0), ([10.0, 10.0], 2)];
        assert_eq!(judged(&late, 1.0).expect("judged").violations, 0);
        // Within a layer too.
        let near = [([10.0, 10.0], 1), ([10.5, 10.0], 1)];
        let report = judged(&near, 1.0).expect("judged");
        assert_eq!((report.violations, report.layers[1].violations), (1, 1));
    }

    /// Across the sides of a tile, within a layer and between two.
    #[test]
    fn finds_what_a_look_at_each_pair_finds() {
        for edges in [Edges::Open, Edges::Torus] {
            finds_what_a_look_at_each_pair_finds_on(edges);
        }
    }

    fn finds_what_a_look_at_each_pair_finds_on(edges: Edges) {
        let mut state = 7_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        let points: Vec<([f64; 2], u64)> = (0..400)
            .map(|_| ([100.0 * next(), 100.0 * next()], (3.0 * next()) as u64))
            .collect();
        let report = judged_on(edges, &points, 2.5).expect("judged");
        let mut counts = [0_u64; 3];
        for (i, (p, a)) in points.iter().enumerate() {
            for (q, b) in &points[i + 1..] {
                let pair = (*a.min(b), *a.max(b));
                let required = match pair {
                    (0, 1) => 2.5,
                    _ => [4.0, 1.0, 2.0][*b as usize],
                };
                let step = |axis: usize| {
                    let step = (p[axis] - q[axis]).abs();
                    match edges {
                        Edges::Open | Edges::Window => step,
                        Edges::Torus => step.min(100.0 - step),
                    }
                };
                let square = step(0).powi(2) + step(1).powi(2);
                let at = [(0, 1), (0, 2), (1, 2)].iter().position(|k| *k == pair);
                if let (Some(at), true) = (at, square < required * required) {
                    counts[at] += 1;
                }
            }
        }
        let found: Vec<u64> = report.between.iter().map(|pair| pair.violations).collect();
        assert_eq!(found, counts);
        assert!(counts.iter().all(|&n| n > 5), "{counts:?}");
    }

    /// The distance is the same in both directions around the tile.
    #[test]
    fn a_distance_of_half_a_tile_is_counted_once() {
        let points = [([10.0, 10.0], 0), ([59.0, 10.0], 1)];
        let report = judged_on(Edges::Torus, &points, 50.0).expect("judged");
        assert_eq!(report.between[0].violations, 1);
        let beyond = judged_on(Edges::Torus, &points, 50.1);
        assert!(matches!(beyond, Err(QualityError::TorusTooSmall { .. })));
    }

    #[test]
    fn points_must_name_layers_that_there_are() {
        let unknown = judged(&[([1.0, 1.0], 3)], 1.0);
        let expected = QualityError::UnknownLayer {
            id: 0,
            layer: 3,
            count: 3,
        };
        assert_eq!(unknown, Err(expected));
    }
}
