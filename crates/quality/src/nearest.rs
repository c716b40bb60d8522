//! The nearest neighbour of each point, in world units and relative to the required distance.

use crate::claim::Requirement;
use crate::domain::{Domain, sum};
use crate::error::QualityError;
use crate::kd_tree::{KdTree, Visitor};
use crate::set::PointSet;
use crate::spacing::slack;

/// Distance of each point from its nearest neighbour, in the points' order; empty for fewer than
/// two points.
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
/// # Errors
/// On a torus, if a point lies outside or a distance is above half the shortest side.
pub fn nearest<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
) -> Result<Nearest, QualityError> {
    requirement.check_domain(set, domain)?;
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
        let mut plain = Closest {
            set,
            domain,
            index,
            square: f64::INFINITY,
        };
        let mut scaled = Tightest {
            set,
            domain,
            requirement,
            index,
            ratio: f64::INFINITY,
        };
        for &shift in &shifts {
            let p = sum(set.positions()[index], shift);
            tree.visit(p, &mut plain);
            if uniform.is_none() {
                tree.visit(p, &mut scaled);
            }
        }
        let distance = plain.square.sqrt();
        found.distances[index] = distance;
        found.ratios[index] = match uniform {
            Some(required) => distance / required,
            None => scaled.ratio,
        };
    }
    Ok(found)
}

struct Closest<'a, const D: usize> {
    set: &'a PointSet<D>,
    domain: &'a Domain<D>,
    index: usize,
    square: f64,
}

impl<const D: usize> Visitor for Closest<'_, D> {
    fn radius(&self, _: f64) -> f64 {
        self.square.sqrt()
    }
    fn point(&mut self, other: usize) {
        if other != self.index {
            let [p, q] = [self.index, other].map(|i| self.set.positions()[i]);
            self.square = self.square.min(self.domain.square_distance(p, q));
        }
    }
}

struct Tightest<'a, const D: usize> {
    set: &'a PointSet<D>,
    domain: &'a Domain<D>,
    requirement: &'a Requirement,
    index: usize,
    ratio: f64,
}

impl<const D: usize> Visitor for Tightest<'_, D> {
    fn radius(&self, reach: f64) -> f64 {
        // No rule requires more than the larger reach of the two.
        self.ratio * reach.max(self.requirement.reach[self.index])
    }
    fn point(&mut self, other: usize) {
        if other != self.index {
            let [p, q] = [self.index, other].map(|i| self.set.positions()[i]);
            let distance = self.domain.square_distance(p, q).sqrt();
            let required = self.requirement.distance(self.index, other);
            self.ratio = self.ratio.min(distance / required);
        }
    }
}
