//! Where one more point could have gone.
//!
//! The domain is halved again and again until each box is *covered* (for some point, even its
//! farthest corner is nearer than the rule allows), *free* (no point reaches even its nearest
//! corner), or too small to matter. Bounds of the field over a box make both proofs, so the gap
//! lies between two bounds up to the rounding of doubles; what is undecided at the end is
//! judged by its centre for the estimate. Nothing is sampled at random and no grid is fixed
//! beforehand, so thin gaps are not missed. In space it works the same way, on more boxes.

mod boxes;
mod places;

use crate::claim::{Claim, Requirement};
use crate::domain::{Domain, Edges, sum};
use crate::error::QualityError;
use crate::kd_tree::KdTree;
use crate::set::PointSet;
use boxes::{Cell, Class, Reach, classify};
use places::{Places, Span};
use sampler::Rule;
use serde::Serialize;

/// Boxes with at most so many points near are refined together.
const TILE: usize = 64;

/// Halvings in one tile before the rest is left undecided.
const TILE_BUDGET: usize = 2_000_000;

/// The largest hole is found to this share of the distance asked for there.
const HOLE_DETAIL: f64 = 1.0 / 64.0;

/// Boxes larger than this share of the distance asked for are not judged by their centres.
const CENTERS_DETAIL: f64 = 1.0 / 32.0;

/// How finely gaps are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapOptions {
    /// Boxes are halved until their longest side is this share of the distance asked for there.
    pub resolution: f64,
    /// A neighbourhood of about fifty points is settled when what is undecided in it is less
    /// than this share of its gaps, or of those that neighbourhoods before it have had on
    /// average. It does not end the search while no gap has been proved. The estimate is some
    /// hundred times closer than the bounds.
    pub tolerance: f64,
}

impl Default for GapOptions {
    fn default() -> Self {
        Self {
            resolution: 1.0 / 1024.0,
            tolerance: 0.3,
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
    let places = Places::new(claim, requirement);
    let mut margin = requirement.widest().max(places.widest());
    loop {
        let mut search = Search::new(set, domain, requirement, &places, margin, options);
        let root = Cell::of(&domain.bounds);
        let all: Vec<u32> = (0..search.points.len() as u32).collect();
        search.dive(root, None, &all);
        let hole = search.hole.take();
        // Holes wider than what has been copied around the torus may look wider than they are.
        let farther = domain.bounds.longest_side();
        let unsure = hole.as_ref().is_some_and(|h| h.distance > margin);
        if domain.edges == Edges::Torus && unsure && margin < farther {
            margin = farther;
            continue;
        }
        let share = |area: f64| (area / allowed).clamp(0.0, 1.0);
        return Ok(Some(Gaps {
            fraction: share(search.proved + search.likely),
            lower: share(search.proved),
            upper: share(search.proved + search.undecided),
            largest_hole: hole.filter(|h| h.distance.is_finite()),
        }));
    }
}

struct Search<'a, const D: usize> {
    places: &'a Places<'a, D>,
    options: GapOptions,
    points: Vec<Reach<D>>,
    /// The area of the tiles that are settled.
    seen: f64,
    proved: f64,
    undecided: f64,
    /// That part of `undecided` whose centres are free.
    likely: f64,
    hole: Option<Hole>,
    cells: [Vec<Live<D>>; 2],
    lists: [Vec<u32>; 2],
}

/// A box that is not decided, and who may reach it.
#[derive(Clone, Copy)]
struct Live<const D: usize> {
    cell: Cell<D>,
    span: Span,
    start: usize,
    end: usize,
}

impl<'a, const D: usize> Search<'a, D> {
    fn new(
        set: &PointSet<D>,
        domain: &Domain<D>,
        requirement: &Requirement,
        places: &'a Places<'a, D>,
        margin: f64,
        options: GapOptions,
    ) -> Self {
        let root = Cell::of(&domain.bounds);
        let mut points = Vec::with_capacity(set.len());
        let order = KdTree::new(set.positions(), |_| 0.0, 0.0);
        for (number, shift) in domain.shifts().into_iter().enumerate() {
            // Neighbours side by side, as the boxes will ask for them.
            for i in order.order() {
                let position = sum(set.positions()[i], shift);
                let min_dist = requirement.min_dist[i];
                if number == 0 || root.squares(position).0 <= margin * margin {
                    points.push(Reach { position, min_dist });
                }
            }
        }
        Self {
            places,
            options,
            points,
            seen: 0.0,
            proved: 0.0,
            undecided: 0.0,
            likely: 0.0,
            hole: None,
            cells: Default::default(),
            lists: Default::default(),
        }
    }

    /// Halves a box until few points are near, then refines.
    fn dive(&mut self, cell: Cell<D>, above: Option<Span>, near: &[u32]) {
        let Some(span) = self.places.over(&cell, above) else {
            return;
        };
        let mut kept = Vec::new();
        let class = classify(&self.points, near, &cell, span, self.places, &mut kept);
        match class {
            Class::Covered => {}
            Class::Free if span.whole => self.free(cell, span, &kept),
            Class::Free | Class::Mixed { .. } if kept.len() <= TILE => {
                self.refine(cell, span, &kept);
            }
            Class::Free => self.halve(cell, span, &kept),
            Class::Mixed { scale } => {
                if cell.longest() <= scale * self.options.resolution {
                    self.leave(&cell, &kept);
                } else {
                    self.halve(cell, span, &kept);
                }
            }
        }
    }

    fn halve(&mut self, cell: Cell<D>, span: Span, near: &[u32]) {
        match cell.halves() {
            Some(halves) => {
                for half in halves {
                    self.dive(half, Some(span), near);
                }
            }
            None => self.leave(&cell, near),
        }
    }

    /// Quarters all undecided boxes of a tile, round after round, until what is left does not
    /// matter.
    fn refine(&mut self, tile: Cell<D>, span: Span, near: &[u32]) {
        // Kept from tile to tile: there are many.
        let [mut live, mut next] = std::mem::take(&mut self.cells);
        let [mut arena, mut lists] = std::mem::take(&mut self.lists);
        arena.clear();
        arena.extend_from_slice(near);
        live.clear();
        live.push(Live {
            cell: tile,
            span,
            start: 0,
            end: arena.len(),
        });
        let before = (self.proved, self.undecided);
        let mut spent = 0;
        while !live.is_empty() {
            next.clear();
            lists.clear();
            let mut open = 0.0;
            for item in &live {
                let near = &arena[item.start..item.end];
                let Some(parts) = item.cell.quarters() else {
                    self.leave(&item.cell, near);
                    continue;
                };
                for cell in parts {
                    let Some(span) = self.places.over(&cell, Some(item.span)) else {
                        continue;
                    };
                    let start = lists.len();
                    let class = classify(&self.points, near, &cell, span, self.places, &mut lists);
                    let end = lists.len();
                    let scale = match class {
                        Class::Covered => continue,
                        Class::Free if span.whole => {
                            self.free(cell, span, &lists[start..end]);
                            lists.truncate(start);
                            continue;
                        }
                        Class::Free => span.lo,
                        Class::Mixed { scale } => scale,
                    };
                    if cell.longest() <= scale * self.options.resolution {
                        self.leave(&cell, &lists[start..end]);
                        lists.truncate(start);
                    } else {
                        open += cell.volume();
                        next.push(Live {
                            cell,
                            span,
                            start,
                            end,
                        });
                    }
                }
            }
            spent += 4 * live.len();
            std::mem::swap(&mut live, &mut next);
            std::mem::swap(&mut arena, &mut lists);
            let proved = self.proved - before.0;
            let undecided = self.undecided - before.1 + open;
            // Slivers in one tile do not matter beside the gaps of all others.
            let elsewhere = before.0 * (tile.volume() / self.seen.max(tile.volume()));
            let gaps = (proved + undecided).max(elsewhere);
            let fine = |item: &Live<D>| item.cell.longest() <= item.span.lo * CENTERS_DETAIL;
            let settled =
                undecided <= self.options.tolerance * gaps && live.first().is_none_or(fine);
            if settled || spent > TILE_BUDGET {
                break;
            }
        }
        for item in &live {
            self.leave(&item.cell, &arena[item.start..item.end]);
        }
        self.cells = [live, next];
        self.lists = [arena, lists];
        self.seen += tile.volume();
    }

    /// A box in which every place is free.
    fn free(&mut self, cell: Cell<D>, span: Span, near: &[u32]) {
        self.proved += cell.volume();
        self.measure(cell, span, near);
    }

    /// Looks for the largest hole in a free box, unless it cannot be there.
    fn measure(&mut self, cell: Cell<D>, span: Span, near: &[u32]) {
        let nearest = self.meet(cell.center(), near);
        let known = self.hole.as_ref().map_or(0.0, |hole| hole.ratio);
        // No place of the box is farther from the point that its centre is nearest to.
        let most = (nearest + cell.half_diagonal()) / span.lo;
        let small = cell.longest() <= span.lo * HOLE_DETAIL;
        if small || nearest.is_infinite() || most <= known * 1.001 {
            return;
        }
        for half in cell.halves().into_iter().flatten() {
            if let Some(span) = self.places.over(&half, Some(span)) {
                self.measure(half, span, near);
            }
        }
    }

    fn leave(&mut self, cell: &Cell<D>, near: &[u32]) {
        self.undecided += cell.volume();
        let center = cell.center();
        let Some(here) = self.places.at(center) else {
            return;
        };
        let conflicts = |&i: &u32| {
            let q = &self.points[i as usize];
            let required = self.places.required(q.min_dist, here);
            q.square_distance(center) < required * required
        };
        if !near.iter().any(conflicts) {
            self.likely += cell.volume();
            self.meet(center, near);
        }
    }

    /// A free place: is it the loneliest? Gives its distance from the nearest point.
    fn meet(&mut self, place: [f64; D], near: &[u32]) -> f64 {
        let square = near
            .iter()
            .map(|&i| self.points[i as usize].square_distance(place));
        let distance = square.fold(f64::INFINITY, f64::min).sqrt();
        if let Some(here) = self.places.at(place) {
            let ratio = distance / here;
            if self.hole.as_ref().is_none_or(|hole| ratio > hole.ratio) {
                self.hole = Some(Hole {
                    place: place.to_vec(),
                    distance,
                    ratio,
                });
            }
        }
        distance
    }
}
