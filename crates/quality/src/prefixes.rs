//! Measures whether every prefix of a nested order (levels of detail) is evenly spread.

use crate::capacity::{Capacity, relative_radius};
use crate::claim::{Claim, Requirement};
use crate::domain::Domain;
use crate::error::QualityError;
use crate::nearest::nearest;
use crate::set::PointSet;
use serde::Serialize;

/// Prefixes with fewer points are not significant.
const LEAST: usize = 16;

/// Ranks with more different values are an order of the points, not levels.
const MOST_LEVELS: usize = 64;

/// The spacing of a prefix: the points that come first.
///
/// See [`prefixes`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prefix {
    /// The highest rank in the prefix, if ranks are levels; `None` if every point has a rank of its
    /// own.
    pub rank: Option<u64>,
    /// Number of points.
    pub points: usize,
    /// The least distance of any two points, world units.
    pub least_distance: f64,
    /// The least ratio of distance to the distance required by rule `max` for the whole set. If
    /// ranks are levels that halve distances, its ideal is `2^(highest rank - rank)`.
    pub least_ratio: f64,
    /// The least distance relative to the densest packing of as many points, see
    /// [`relative_radius`].
    pub rho: f64,
    /// The mean distance of nearest neighbours, relative to the same packing.
    pub mean_rho: f64,
}

/// Measures the points up to each rank if ranks are levels (64 or fewer); else the first n, n/2,
/// n/4, ... points in the order of their ranks. Prefixes of fewer than 16 points are left out.
/// Returns `None` without ranks. O(n log n) a prefix.
///
/// ```
/// # use spinney_quality as quality;
/// use density::{Bounds, Constant};
/// use quality::measures::{Capacity, prefixes};
/// use quality::{Claim, Columns, Domain, Edges, PointSet, Requirement, Rule};
/// use sampler::{Scatter, ScatterOptions};
///
/// let bounds = Bounds::from_size([60.0, 60.0])?;
/// let options = ScatterOptions { levels: 2, ..ScatterOptions::default() };
/// let trees = Scatter::new(Constant::new(1.0)?, bounds, options)?.points()?.samples;
/// let set = PointSet::new(Columns {
///     positions: trees.iter().map(|tree| tree.position).collect(),
///     ranks: trees.iter().map(|tree| tree.rank.map(u64::from)).collect(),
///     ..Columns::default()
/// })?;
/// let (domain, claim) = (Domain { bounds, edges: Edges::Open }, Claim::Uniform(1.0));
/// let capacity = Capacity::of(&set, &domain, &Requirement::new(&set, Rule::Max, claim)?, claim);
/// let found = prefixes(&set, &domain, claim, capacity)?.unwrap_or_default();
/// // All points, those without the finest rank, and those of the coarsest alone.
/// let ratios: Vec<u32> = found.iter().map(|prefix| prefix.least_ratio as u32).collect();
/// assert_eq!(ratios, [1, 2, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// On a torus, if a point lies outside or a distance is above half the shortest side; if a distance
/// is missing.
pub fn prefixes<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    claim: Claim<'_, D>,
    capacity: Capacity,
) -> Result<Option<Vec<Prefix>>, QualityError> {
    let Some(ranks) = set.ranks() else {
        return Ok(None);
    };
    let mut order: Vec<usize> = (0..set.len()).collect();
    order.sort_by_key(|&i| (ranks[i], set.ids()[i]));
    let mut found = Vec::new();
    for (rank, count) in cuts(order.iter().map(|&i| ranks[i])) {
        let prefix = set.of(&order[..count]);
        // Under any other rule a pair's distance would depend on more than the two places.
        let requirement = Requirement::new(&prefix, sampler::Rule::Max, claim)?;
        let near = nearest(&prefix, domain, &requirement)?;
        let c = capacity.c(count).unwrap_or(0.0);
        found.push(Prefix {
            rank,
            points: count,
            least_distance: near.least_distance().unwrap_or(f64::INFINITY),
            least_ratio: near.least_ratio().unwrap_or(f64::INFINITY),
            rho: relative_radius::<D>(near.least_ratio().unwrap_or(0.0), c),
            mean_rho: relative_radius::<D>(near.mean_ratio().unwrap_or(0.0), c),
        });
    }
    Ok(Some(found))
}

/// Returns the sizes of the prefixes, the largest first. Each has its highest rank if the ranks,
/// given in ascending order, are levels.
fn cuts(ranks: impl ExactSizeIterator<Item = u64>) -> Vec<(Option<u64>, usize)> {
    let all = ranks.len();
    let mut levels: Vec<(Option<u64>, usize)> = Vec::new();
    for (index, rank) in ranks.enumerate() {
        match levels.last_mut() {
            Some((last, count)) if *last == Some(rank) => *count = index + 1,
            _ => levels.push((Some(rank), index + 1)),
        }
        if levels.len() > MOST_LEVELS {
            break;
        }
    }
    if levels.len() > MOST_LEVELS {
        let halves = std::iter::successors(Some(all), |count| Some(count / 2));
        let enough = halves.take_while(|count| *count >= LEAST);
        return enough.map(|count| (None, count)).collect();
    }
    levels.retain(|(_, count)| *count >= LEAST);
    levels.reverse();
    levels
}
