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
///
/// See [`judge_layers`].
pub struct LayersClaim<'a, const D: usize> {
    /// The field of each layer, by layer number.
    pub fields: Vec<&'a dyn RadiusField<D>>,
    /// The rule for all pairs to which `apart` does not apply.
    pub rule: Rule,
    /// Required distance of points of two layers; `None` applies the rule.
    pub apart: &'a dyn Fn(usize, usize) -> Option<f64>,
}

/// The measures of a set of several layers.
///
/// See [`judge_layers`].
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
///
/// See [`judge_layers`].
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
///
/// See [`judge_layers`].
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
/// ```
/// # use spinney_quality as quality;
/// use density::{Bounds, Constant};
/// use quality::layers::{LayersClaim, judge_layers};
/// use quality::{Columns, Domain, Edges, Measures, PointSet, Rule};
///
/// let set = PointSet::new(Columns {
///     positions: vec![[1.0, 1.0], [2.0, 1.0], [2.5, 1.0]],
///     layers: Some(vec![0, 0, 1]),
///     ..Columns::default()
/// })?;
/// let (trees, flowers) = (Constant::new(1.0)?, Constant::new(0.25)?);
/// let claim = LayersClaim { fields: vec![&trees, &flowers], rule: Rule::Max, apart: &|_, _| Some(0.75) };
/// let domain = Domain { bounds: Bounds::from_size([5.0, 5.0])?, edges: Edges::Open };
/// let report = judge_layers(&set, &domain, &claim, Measures::Pairs)?;
/// // The trees keep their distance; the flower stands too close to one of them.
/// assert_eq!((report.layers[0].violations, report.between[0].violations), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
