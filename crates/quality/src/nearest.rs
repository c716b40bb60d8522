//! The nearest neighbour of each point, in world units and relative to the required distance.

use crate::claim::Requirement;
use crate::domain::{Domain, sum};
use crate::error::QualityError;
use crate::kd_tree::KdTree;
use crate::set::PointSet;
use crate::spacing::slack;

/// Search radius that skips all further points: no pair is closer than one that coincides. A search with the radius 0
/// would visit all points of the place.
const DONE: f64 = f64::NEG_INFINITY;

/// Distance of each point from its nearest neighbour, in the points' order; empty for fewer than
/// two points.
///
/// See [`nearest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nearest {
    /// Distances in world units.
    pub distances: Vec<f64>,
    /// The least |p - q| / d(p, q) of each point, where d is the required distance.
    pub ratios: Vec<f64>,
}

impl Nearest {
    /// Returns the least distance of any two points.
    pub fn least_distance(&self) -> Option<f64> {
        self.distances.iter().copied().reduce(f64::min)
    }

    /// Returns the least ratio of distance to required distance of any two points.
    pub fn least_ratio(&self) -> Option<f64> {
        self.ratios.iter().copied().reduce(f64::min)
    }

    /// Returns the mean over the points of the least ratio of distance to required distance.
    pub fn mean_ratio(&self) -> Option<f64> {
        mean(&self.ratios)
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Finds every point's nearest neighbour. O(n log n) for sets that are not degenerate.
///
/// ```
/// # use spinney_quality as quality;
/// use density::Bounds;
/// use quality::measures::nearest;
/// use quality::{Claim, Domain, Edges, PointSet, Requirement, Rule};
///
/// let set = PointSet::from_positions(vec![[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]])?;
/// let domain = Domain { bounds: Bounds::from_size([5.0, 5.0])?, edges: Edges::Open };
/// let found = nearest(&set, &domain, &Requirement::new(&set, Rule::Max, Claim::Uniform(4.0))?)?;
/// assert_eq!(found.distances, [3.0, 3.0, 4.0]);
/// // Below 1, a pair is too close.
/// assert_eq!(found.least_ratio(), Some(0.75));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// On a torus, if a point lies outside or a distance is above half the shortest side.
pub fn nearest<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
) -> Result<Nearest, QualityError> {
    requirement.check(set, domain)?;
    if set.len() < 2 {
        return Ok(Nearest::default());
    }
    let tree = KdTree::new(
        set.positions(),
        |i| requirement.reach[i],
        slack(set, domain),
    );
    let shifts = domain.shifts();
    let uniform = requirement.uniform();
    let mut found = Nearest {
        distances: vec![0.0; set.len()],
        ratios: vec![0.0; set.len()],
    };
    for index in tree.order() {
        let (mut nearest, mut tightest) = (f64::INFINITY, f64::INFINITY);
        let own = requirement.reach[index];
        for &shift in &shifts {
            let p = sum(set.positions()[index], shift);
            let square_distance = |other: usize| {
                let [p, q] = [index, other].map(|i| set.positions()[i]);
                domain.square_distance(p, q)
            };
            tree.visit(
                p,
                &mut nearest,
                |square, _| if *square > 0.0 { square.sqrt() } else { DONE },
                |square, other| {
                    if other != index {
                        *square = square.min(square_distance(other));
                    }
                },
            );
            if uniform.is_none() {
                tree.visit(
                    p,
                    &mut tightest,
                    // No rule requires more than the larger reach of the two.
                    |ratio, reach| {
                        if *ratio > 0.0 {
                            ratio * reach.max(own)
                        } else {
                            DONE
                        }
                    },
                    |ratio, other| {
                        if other != index {
                            let required = requirement.distance(index, other);
                            *ratio = ratio.min(square_distance(other).sqrt() / required);
                        }
                    },
                );
            }
        }
        let distance = nearest.sqrt();
        found.distances[index] = distance;
        found.ratios[index] = uniform.map_or(tightest, |required| distance / required);
    }
    Ok(found)
}
