//! Where one more point could have gone.
//!
//! Boxes are halved again and again until each is *covered* (for some point, even its farthest
//! corner is nearer than the rule allows), *free* (no point reaches even its nearest corner), or
//! too small to matter. In the plane, what is left by the disks near a box has a closed form. Bounds
//! of the field over a box make all proofs, so the gap lies between two bounds up to the rounding
//! of doubles. Nothing is sampled at random and no grid is fixed beforehand, so thin gaps are not
//! missed.

mod box_search;
mod boxes;
mod disks;
mod places;

use crate::claim::{Claim, Requirement};
use crate::domain::{Domain, Edges};
use crate::error::QualityError;
use crate::set::PointSet;
use box_search::Search;
use places::Places;
use sampler::Rule;
use serde::Serialize;

/// Boxes with at most so many points near are refined together, in the plane and in space.
const TILE: [usize; 2] = [16, 64];

/// Halvings in one tile before the rest is left undecided.
const TILE_BUDGET: usize = 2_000_000;

/// The largest hole is found to this share of the distance asked for there.
const HOLE_DETAIL: f64 = 1.0 / 256.0;

/// Boxes larger than this share of the distance asked for are not judged by their centres.
const CENTERS_DETAIL: f64 = 1.0 / 32.0;

/// How finely gaps are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapOptions {
    /// Pieces are halved until their longest side is this share of the distance asked for there.
    pub resolution: f64,
    /// A neighbourhood (a box that some ten points are near in the plane, fifty in space) is
    /// settled when what is undecided in it is less than this share of its gaps, or of those
    /// that neighbourhoods before it have had on average; in space, three times that. It does
    /// not end the search while no gap has been proved. The estimate is closer than the bounds.
    pub tolerance: f64,
}

impl Default for GapOptions {
    fn default() -> Self {
        Self {
            resolution: 1.0 / 1024.0,
            tolerance: 0.1,
        }
    }
}

/// How much of the domain could take one more point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gaps {
    /// The gap's share of the places where points may lie: the best estimate.
    pub fraction: f64,
    /// It is proved to be no less than this.
    pub lower: f64,
    /// It is proved to be no more than this.
    pub upper: f64,
    /// The largest gap that is proved in one neighbourhood (see [`GapOptions::tolerance`]), in
    /// units of the square (cube) of the distance asked for there. A sampler that looks down to
    /// 1/1024 of that distance can leave some 1e-6.
    pub largest_gap: f64,
    /// The place in a gap that is farthest from all points, relative to the distance asked for
    /// there; `None` without gaps.
    pub largest_hole: Option<Hole>,
}

/// A place where one more point could go.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hole {
    /// Where.
    pub place: Vec<f64>,
    /// How far the nearest point is, world units.
    pub distance: f64,
    /// The same in units of the distance asked for at the place; where only the points know
    /// theirs, of the least.
    pub ratio: f64,
}

/// Finds the places where one more point could go: those that are, for every point of the set,
/// at least as far from it as the rule demands of a newcomer. The field says how far that is;
/// under [`Claim::Column`] with differing distances only the points' own disks are known, and
/// a gap is what none of them covers.
///
/// `allowed` is the area (volume) where points may lie. `None` under [`Rule::Parent`], which
/// demands nothing of a place but only of who throws there.
///
/// # Errors
/// On a torus, when a point lies outside or a distance is above half its shortest side.
pub fn gaps<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
    claim: Claim<'_, D>,
    allowed: f64,
    options: GapOptions,
) -> Result<Option<Gaps>, QualityError> {
    requirement.check_domain(set, domain)?;
    if requirement.rule == Rule::Parent {
        return Ok(None);
    }
    let places = Places::new(claim, requirement, &domain.bounds);
    let share = |area: f64| (area / allowed).clamp(0.0, 1.0);
    let mut margin = requirement.widest().max(places.widest());
    loop {
        let mut search = Search::new(set, domain, requirement, &places, margin, options);
        search.run(&domain.bounds);
        let hole = search.hole.take();
        // Holes wider than what has been copied around the torus may look wider than they are.
        let farther = domain.bounds.longest_side();
        let unsure = hole.as_ref().is_some_and(|h| h.distance > margin);
        if domain.edges == Edges::Torus && unsure && margin < farther {
            margin = farther;
            continue;
        }
        return Ok(Some(Gaps {
            fraction: share(search.proved + search.likely),
            lower: share(search.proved),
            upper: share(search.proved + search.undecided),
            largest_gap: search.largest_gap,
            largest_hole: hole.filter(|h| h.distance.is_finite()),
        }));
    }
}
