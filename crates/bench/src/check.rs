//! Checks the points' distances and measures their density. The crate `quality` judges, so that no
//! sampler is checked by its own neighbour search.

use crate::contender::World;
use quality::measures::{Capacity, violations};
use quality::{Claim, Columns, Domain, Edges, PointSet, Requirement, Rule};
use std::error::Error;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// Pairs nearer to each other than the larger of their `min_dist`s (rule `max`).
    pub(crate) violations: u64,
    /// The least distance / `min_dist` among those pairs, 1 when there is none.
    pub(crate) worst_ratio: f64,
    /// Points outside the domain, and points where the field allows none.
    pub(crate) outside: u64,
    /// The density constant: number of points over the integral of `1/min_dist^D`.
    pub(crate) c: f64,
}

/// Checks every pair of points under rule `max`. The `min_dist`s are read from the field, not
/// from the sampler. O(n log n).
///
/// # Errors
/// If the points cannot be judged.
pub(crate) fn check<const D: usize>(
    points: &[[f64; D]],
    world: &World<'_, D>,
) -> Result<Verdict, Box<dyn Error>> {
    let set = PointSet::new(Columns {
        positions: points.to_vec(),
        ..Columns::default()
    })?;
    let domain = Domain {
        bounds: world.bounds,
        edges: Edges::Open,
    };
    let claim = Claim::Field(world.field);
    let requirement = Requirement::new(&set, Rule::Max, claim)?;
    let found = violations(&set, &domain, &requirement)?;
    let outside = points.iter().filter(|&&p| !world.bounds.contains(p));
    Ok(Verdict {
        violations: found.count,
        worst_ratio: found.worst.first().map_or(1.0, |p| p.distance / p.required),
        outside: (outside.count() + requirement.misplaced().len()) as u64,
        c: Capacity::of(&set, &domain, &requirement, claim)
            .c(points.len())
            .ok_or("the field has no room for points")?,
    })
}
