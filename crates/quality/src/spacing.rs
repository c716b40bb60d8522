//! Finds the pairs that are closer than required.

use crate::claim::Requirement;
use crate::domain::{Domain, sum};
use crate::error::QualityError;
use crate::kd_tree::KdTree;
use crate::set::PointSet;
use serde::Serialize;

/// Number of worst pairs that are listed.
const NAMED: usize = 10;

/// Violations are counted up to this number, of a set or of two layers. Counting all pairs of coincident points would take
/// quadratic time.
pub(crate) const MOST: u64 = 5_000_000;

/// Greatest number of pairs tested before the search stops.
const MOST_SEEN: u64 = 4_000_000_000;

/// A pair of points and the distance between them.
///
/// See [`violations`].
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
///
/// See [`violations`].
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
/// ```
/// # use spinney_quality as quality;
/// use density::Bounds;
/// use quality::measures::violations;
/// use quality::{Claim, Domain, Edges, PointSet, Requirement, Rule};
///
/// let set = PointSet::from_positions(vec![[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]])?;
/// let domain = Domain { bounds: Bounds::from_size([5.0, 5.0])?, edges: Edges::Open };
/// let found = violations(&set, &domain, &Requirement::new(&set, Rule::Max, Claim::Uniform(4.0))?)?;
/// // Points at exactly the required distance are far enough.
/// let worst = found.worst.iter().map(|pair| (pair.earlier, pair.later, pair.distance));
/// assert_eq!(worst.collect::<Vec<_>>(), [(0, 1, 3.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the requirement is that of a set of another size; on a torus, if a point lies outside or a distance is above half
/// the shortest side.
pub fn violations<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
) -> Result<Violations, QualityError> {
    requirement.check(set, domain)?;
    let tree = KdTree::new(set.positions(), |_| 0.0, slack(set, domain));
    let shifts = domain.shifts();
    // The violations, and the number of pairs tested.
    let mut state = (Violations::default(), 0_u64);
    let is_enough = |(found, seen): &(Violations, u64)| found.count >= MOST || *seen >= MOST_SEEN;
    for i in tree.order() {
        for &shift in &shifts {
            tree.visit(
                sum(set.positions()[i], shift),
                &mut state,
                |state, _| {
                    if is_enough(state) {
                        return f64::NEG_INFINITY;
                    }
                    // At least the required distance of every pair that this point counts.
                    requirement.reach[i]
                },
                |(found, seen), j| {
                    *seen += 1;
                    if i == j || !requirement.counts_pair(i, j) {
                        return;
                    }
                    let [p, q] = [i, j].map(|i| set.positions()[i]);
                    let square = domain.square_distance(p, q);
                    let ids = [i, j].map(|i| set.ids()[i]);
                    found.test(ids, square, requirement.distance(i, j));
                },
            );
        }
        if is_enough(&state) {
            break;
        }
    }
    let complete = !is_enough(&state);
    Ok(Violations {
        complete,
        ..state.0
    })
}

/// Returns a bound on the rounding of a position shifted to its image on a torus.
pub(crate) fn slack<const D: usize>(set: &PointSet<D>, domain: &Domain<D>) -> f64 {
    let ends = [domain.bounds.min(), domain.bounds.max()];
    let all = ends.iter().chain(set.positions()).flatten();
    4.0 * f64::EPSILON * all.fold(0.0, |most: f64, x| most.max(x.abs()))
}

impl Violations {
    /// Adds the pair of these points if it is closer than required.
    pub(crate) fn test(&mut self, [a, b]: [u64; 2], square_distance: f64, required: f64) {
        if square_distance >= required * required {
            return;
        }
        let pair = Pair {
            earlier: a.min(b),
            later: a.max(b),
            distance: square_distance.sqrt(),
            required,
        };
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
