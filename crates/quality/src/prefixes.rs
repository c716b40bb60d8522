//! Whether every beginning of a nested order is itself evenly spread.

use crate::capacity::{Capacity, relative_radius};
use crate::claim::{Claim, Requirement};
use crate::domain::Domain;
use crate::error::QualityError;
use crate::nearest::nearest;
use crate::set::{Columns, PointSet};
use serde::Serialize;

/// Prefixes with fewer points say nothing.
const LEAST: usize = 16;

/// The spacing of the points that come first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prefix {
    /// How many points.
    pub points: usize,
    /// The least distance of any two, world units.
    pub least_distance: f64,
    /// Relative to the densest packing of as many points, as in [`relative_radius`].
    pub rho: f64,
    /// The mean of that over the points.
    pub mean_rho: f64,
}

/// Judges the first n, n/2, n/4, ... points in the order of their ranks, down to 16. `None`
/// without ranks. O(n log n).
///
/// # Errors
/// On a torus, when a point lies outside or a distance is above half its shortest side; when a
/// distance is missing.
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
    let mut count = order.len();
    while count >= LEAST {
        let chosen = &order[..count];
        let columns = Columns {
            positions: chosen.iter().map(|&i| set.positions()[i]).collect(),
            ids: Some(chosen.iter().map(|&i| set.ids()[i]).collect()),
            min_dist: set
                .min_dist()
                .map(|all| chosen.iter().map(|&i| all[i]).collect()),
            ..Columns::default()
        };
        let prefix = PointSet::new(columns)?;
        // Under any other rule a pair's distance would depend on more than the two places.
        let requirement = Requirement::new(&prefix, sampler::Rule::Max, claim)?;
        let near = nearest(&prefix, domain, &requirement)?;
        let c = capacity.c(count).unwrap_or(0.0);
        found.push(Prefix {
            points: count,
            least_distance: near.least_distance().unwrap_or(f64::INFINITY),
            rho: relative_radius::<D>(near.least_ratio().unwrap_or(0.0), c),
            mean_rho: relative_radius::<D>(near.mean_ratio().unwrap_or(0.0), c),
        });
        count /= 2;
    }
    Ok(Some(found))
}
