//! Measures gaps: the places where one more point could lie.
//!
//! Boxes are halved until each is covered, free, or too small to matter. A box is *covered* if some
//! point conflicts with all of its places, even the farthest. It is *free* if no point conflicts
//! with any of them. In the plane, the area that the disks leave uncovered in a box has a closed
//! form. All proofs rest on bounds of the field over a box, so the gap lies between two bounds, up
//! to the rounding of doubles. There is no random sampling and no fixed grid, so thin gaps are not
//! missed.

mod box_search;
mod boxes;
mod disks;
mod places;

use crate::capacity::Capacity;
use crate::claim::{Claim, Requirement};
use crate::domain::{Domain, Edges, grown};
use crate::error::QualityError;
use crate::set::PointSet;
use box_search::Search;
use density::{Bounds, RadiusField};
use places::Places;
use sampler::Rule;
use serde::Serialize;

/// Boxes with at most this many points near are refined as one neighbourhood, in the plane and in
/// space.
const MAX_NEAR: [usize; 2] = [16, 64];

/// Greatest number of boxes made in one neighbourhood; the rest is left undecided.
const BOX_BUDGET: usize = 2_000_000;

/// Boxes larger than this share of the minimum distance are not estimated by their centres.
const CENTERS_DETAIL: f64 = 1.0 / 32.0;

/// Boxes are halved until their longest side is this share of the minimum distance there.
const RESOLUTION: f64 = 1.0 / 1024.0;

/// A neighbourhood is finished when its undecided area is less than this share of its gaps, or of the average gaps of
/// those before. While no gap has been proved, this does not end the search. The estimate is closer than the bounds.
const TOLERANCE: f64 = 0.1;

/// The tolerance in space: boxes are estimated there by their centres, which is about 100 times closer than the bounds.
const TOLERANCE_IN_SPACE: f64 = 3.0 * TOLERANCE;

/// The share of the domain where one more point could lie.
///
/// See [`gaps`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gaps {
    /// The best estimate, relative to the area (volume) where points may lie. 1 for a set without points.
    pub fraction: f64,
    /// Proved lower bound of the share.
    pub lower: f64,
    /// Proved upper bound of the share.
    pub upper: f64,
    /// The area (volume) where gaps were searched: where points may lie. Shares are of it.
    pub searched_area: f64,
    /// The largest gap proved in one neighbourhood, in units of the square (cube) of the minimum
    /// distance there. A neighbourhood is a box with some ten points near in the plane, fifty in
    /// space. A sampler with a resolution of 1/1024 of that distance can leave some 1e-6.
    pub largest_gap: f64,
    /// The place in a gap that is farthest from all points, relative to the distances required
    /// there; `None` without gaps.
    pub largest_hole: Option<Hole>,
}

/// A place where one more point could lie.
///
/// See [`gaps`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hole {
    /// The position, world units.
    pub place: Vec<f64>,
    /// Distance from the nearest point, world units.
    pub distance: f64,
    /// The least ratio of the distance from a point to the distance required there: 1 is no gap. A
    /// sampler with a resolution of 1/1024 of the minimum distance can leave some 1.001. The largest
    /// ratio is known to about 1e-4 of it.
    pub ratio: f64,
}

/// Measures the gaps: the places at least the required distance away from every point of the set.
/// The field gives the minimum distance at a place. Under [`Claim::Column`] with differing
/// distances only the points' own disks are known, and a gap is a place that no disk covers.
///
/// `allowed` is the area (volume) where points may lie, see [`Capacity::allowed`]; it is computed anew for the searched
/// part of a window. `D` is 2 or 3: others do not compile. Returns `None` under [`Rule::Parent`], which requires no
/// distance of a place by itself.
///
/// In a [window](Edges::Window), only places are searched that no point beyond its edge can conflict with, and shares
/// are of these. Returns `None` if the window is too narrow to have such places.
///
/// ```
/// # use spinney_quality as quality;
/// use density::Bounds;
/// use quality::measures::{Capacity, gaps};
/// use quality::{Claim, Domain, Edges, PointSet, Requirement, Rule};
///
/// // A square grid in which one point is missing.
/// let grid = (0..100).map(|i| [f64::from(i % 10) + 0.5, f64::from(i / 10) + 0.5]);
/// let set = PointSet::from_positions(grid.filter(|p| *p != [4.5, 6.5]).collect())?;
/// let domain = Domain { bounds: Bounds::from_size([10.0, 10.0])?, edges: Edges::Torus };
/// let claim = Claim::Uniform(0.8);
/// let required = Requirement::new(&set, Rule::Max, claim)?;
/// let allowed = Capacity::of(&set, &domain, &required, claim).allowed;
/// let found = gaps(&set, &domain, &required, claim, allowed)?;
/// let hole = found.and_then(|found| found.largest_hole);
/// // The nearest points are 1.25 times the required distance away.
/// assert!(hole.is_some_and(|hole| (hole.place[1] - 6.5).abs() < 0.01 && (hole.ratio - 1.25).abs() < 0.01));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the requirement is that of a set of another size; on a torus, if a point lies outside or a distance is above half
/// the shortest side.
pub fn gaps<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
    claim: Claim<'_, D>,
    allowed: f64,
) -> Result<Option<Gaps>, QualityError> {
    requirement.check(set, domain)?;
    if requirement.rule == Rule::Parent {
        return Ok(None);
    }
    let places = Places::new(claim, requirement, &domain.bounds);
    let group = Group {
        set,
        min_dist: &requirement.min_dist,
        rule: places.rule,
        reach: match claim {
            Claim::Field(field) => greatest_near(field, &domain.bounds),
            Claim::Uniform(distance) => distance,
            Claim::Column => requirement.widest(),
        },
    };
    let allowed = |searched: &Domain<D>| match searched.edges {
        Edges::Window => Capacity::of(set, searched, requirement, claim).allowed,
        _ => allowed,
    };
    Ok(search(&[group], domain, &places, allowed))
}

/// Measures the gaps for points of one layer: the places in its field at least the required distance away from the
/// points of all `groups`. Returns `None` in a window too narrow to be searched.
pub(crate) fn layer_gaps<const D: usize>(
    own: (&PointSet<D>, &Requirement),
    field: &dyn RadiusField<D>,
    groups: &[Group<'_, D>],
    domain: &Domain<D>,
) -> Option<Gaps> {
    let (set, requirement) = own;
    let claim = Claim::Field(field);
    let places = Places::new(claim, requirement, &domain.bounds);
    let allowed = |searched: &Domain<D>| Capacity::of(set, searched, requirement, claim).allowed;
    search(groups, domain, &places, allowed)
}

/// Points that conflict with new points by one rule.
pub(crate) struct Group<'a, const D: usize> {
    pub(crate) set: &'a PointSet<D>,
    /// The minimum distance of each point.
    pub(crate) min_dist: &'a [f64],
    pub(crate) rule: Rule,
    /// The greatest distance of points like these in and near the domain, also of those that are not known.
    pub(crate) reach: f64,
}

/// Returns the greatest minimum distance of a field in a box, and around it as far as points may conflict with its
/// places.
pub(crate) fn greatest_near<const D: usize>(field: &dyn RadiusField<D>, bounds: &Bounds<D>) -> f64 {
    let greatest = field.range().hi();
    let local = grown(bounds, greatest).map(|near| field.range_in(&near));
    local.map_or(greatest, |local| {
        local.map_or(0.0, |local| local.range.hi())
    })
}

/// Measures the gaps that points leave in a domain. `allowed` returns the area (volume) of its searched part where
/// points may lie.
fn search<const D: usize>(
    groups: &[Group<'_, D>],
    domain: &Domain<D>,
    places: &Places<'_, D>,
    allowed: impl Fn(&Domain<D>) -> f64,
) -> Option<Gaps> {
    let distances = groups.iter().flat_map(|group| group.min_dist);
    let widest = distances.fold(0.0, |widest: f64, &r| widest.max(r));
    let mut searched = *domain;
    if domain.edges == Edges::Window {
        let reach = groups
            .iter()
            .fold(widest, |reach, group| reach.max(group.reach));
        searched.bounds = grown(&domain.bounds, -reach)?;
    }
    let allowed = allowed(&searched);
    let is_empty = groups.iter().all(|group| group.set.is_empty());
    let greatest = widest.max(places.greatest);
    // On a torus only images within the margin are searched, and holes up to this ratio are exact.
    let mut exact = 1.01;
    loop {
        let mut search = Search::new(groups, domain, places, exact * greatest);
        search.run(&searched.bounds);
        let hole = search.hole.filter(|(ratio, _)| ratio.is_finite());
        if let Some((ratio, _)) = hole
            && domain.edges == Edges::Torus
            && ratio > exact
            && exact * greatest < domain.bounds.longest_side()
        {
            exact = 1.01 * ratio;
            continue;
        }
        let area = search.proved + search.likely;
        // Allowed places are partly estimated, and gaps are among them.
        let searched_area = allowed.max(area);
        let share = |area: f64| match area {
            0.0 => 0.0,
            area => (area / searched_area).clamp(0.0, 1.0),
        };
        let [fraction, upper] = if is_empty && searched_area > 0.0 {
            // Without points every place is a gap.
            [1.0; 2]
        } else {
            [area, search.proved + search.undecided].map(share)
        };
        return Some(Gaps {
            fraction,
            lower: share(search.proved),
            upper,
            searched_area,
            largest_gap: search.largest_gap,
            largest_hole: hole.map(|(ratio, place)| Hole {
                place: place.to_vec(),
                distance: nearest(groups, domain, place),
                ratio,
            }),
        });
    }
}

/// Returns the distance from a place to the nearest point.
fn nearest<const D: usize>(groups: &[Group<'_, D>], domain: &Domain<D>, place: [f64; D]) -> f64 {
    let positions = groups.iter().flat_map(|group| group.set.positions());
    let squares = positions.map(|&p| domain.square_distance(p, place));
    squares.fold(f64::INFINITY, f64::min).sqrt()
}
