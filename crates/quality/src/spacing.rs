//! Finds the pairs that are closer than required.

use crate::claim::Requirement;
use crate::domain::{Domain, sum};
use crate::error::QualityError;
use crate::kd_tree::{KdTree, Visitor};
use crate::set::PointSet;
use serde::Serialize;

/// Number of worst pairs that are listed.
const NAMED: usize = 10;

/// Violations are counted up to this number. Counting all pairs of coincident points would take
/// quadratic time.
const MOST: u64 = 5_000_000;

/// Greatest number of pairs tested before the search stops.
const MOST_SEEN: u64 = 4_000_000_000;

/// A pair of points and the distance between them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The id of the earlier point.
    pub earlier: u64,
    /// The id of the later point.
    pub later: u64,
    /// Distance of the two points, world units.
    pub distance: f64,
    /// Required distance, world units.
    pub required: f64,
}

/// The pairs that break the rule.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Violations {
    /// Number of pairs with |p - q|^2 < d^2, in doubles and with no tolerance.
    pub count: u64,
    /// Whether all violations were counted: counting stops at 5 million.
    pub complete: bool,
    /// The ten pairs with the least distance / required, worst first.
    pub worst: Vec<Pair>,
}

/// Finds every pair of points closer than the rule allows. O(n log n) for sets without violations.
///
/// # Errors
/// On a torus, if a point lies outside or a distance is above half the shortest side.
pub fn violations<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
) -> Result<Violations, QualityError> {
    requirement.check_domain(set, domain)?;
    let tree = KdTree::new(set.positions(), |_| 0.0, slack(set, domain));
    let shifts = domain.shifts();
    let mut search = Search {
        set,
        domain,
        requirement,
        index: 0,
        seen: 0,
        found: Violations {
            complete: true,
            ..Violations::default()
        },
    };
    for index in tree.order() {
        search.index = index;
        for &shift in &shifts {
            tree.visit(sum(set.positions()[index], shift), &mut search);
        }
        if search.found.count >= MOST || search.seen >= MOST_SEEN {
            search.found.complete = false;
            break;
        }
    }
    Ok(search.found)
}

/// Returns a bound on the rounding of a position shifted to its image on a torus.
pub(crate) fn slack<const D: usize>(set: &PointSet<D>, domain: &Domain<D>) -> f64 {
    let ends = [domain.bounds.min(), domain.bounds.max()];
    let all = ends.iter().chain(set.positions()).flatten();
    4.0 * f64::EPSILON * all.fold(0.0, |most: f64, x| most.max(x.abs()))
}

struct Search<'a, const D: usize> {
    set: &'a PointSet<D>,
    domain: &'a Domain<D>,
    requirement: &'a Requirement,
    index: usize,
    seen: u64,
    found: Violations,
}

impl<const D: usize> Visitor for Search<'_, D> {
    fn radius(&self, _: f64) -> f64 {
        if self.seen >= MOST_SEEN || self.found.count >= MOST {
            return f64::NEG_INFINITY;
        }
        // At least the required distance of every pair that this point counts.
        self.requirement.reach[self.index]
    }

    fn point(&mut self, other: usize) {
        self.seen += 1;
        let i = self.index;
        if i == other || !self.requirement.counts_pair(i, other) {
            return;
        }
        let [p, q] = [i, other].map(|i| self.set.positions()[i]);
        let square = self.domain.square_distance(p, q);
        let required = self.requirement.distance(i, other);
        if square < required * required {
            let [a, b] = [i, other].map(|i| self.set.ids()[i]);
            self.found.add(Pair {
                earlier: a.min(b),
                later: a.max(b),
                distance: square.sqrt(),
                required,
            });
        }
    }
}

impl Violations {
    pub(crate) fn add(&mut self, pair: Pair) {
        self.count += 1;
        let ratio = |pair: &Pair| pair.distance / pair.required;
        let place = self
            .worst
            .partition_point(|other| ratio(other) <= ratio(&pair));
        if place < NAMED {
            self.worst.insert(place, pair);
            self.worst.truncate(NAMED);
        }
    }
}
