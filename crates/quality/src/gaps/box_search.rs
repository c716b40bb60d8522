//! The search by boxes: for space, and for planes without points.

use super::boxes::{Cell, Class, Reach, classify};
use super::places::{Places, Span};
use super::{CENTERS_DETAIL, GapOptions, HOLE_DETAIL, Hole, TILE, TILE_BUDGET};
use crate::claim::Requirement;
use crate::domain::{Domain, sum};
use crate::kd_tree::KdTree;
use crate::set::PointSet;
use density::Bounds;

/// How much more may be undecided here than elsewhere: boxes' centres estimate a hundred times
/// closer than their bounds.
const BY_CENTERS: f64 = 3.0;

/// Who searches, and what was found.
pub(super) struct Search<'a, const D: usize> {
    places: &'a Places<'a, D>,
    options: GapOptions,
    points: Vec<Reach<D>>,
    /// The area of the tiles that are settled.
    seen: f64,
    pub(super) proved: f64,
    pub(super) undecided: f64,
    /// That part of `undecided` whose centres are free.
    pub(super) likely: f64,
    pub(super) largest_gap: f64,
    pub(super) hole: Option<Hole>,
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
    pub(super) fn new(
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
            largest_gap: 0.0,
            hole: None,
            cells: Default::default(),
            lists: Default::default(),
        }
    }

    /// Searches all of the box.
    pub(super) fn run(&mut self, bounds: &Bounds<D>) {
        let all: Vec<u32> = (0..self.points.len() as u32).collect();
        self.dive(Cell::of(bounds), None, &all);
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
            Class::Free if span.whole => {
                self.free(cell, span, &kept);
                self.weigh(cell.volume(), span);
            }
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
            let settled = undecided <= BY_CENTERS * self.options.tolerance * gaps
                && live.first().is_none_or(fine);
            if settled || spent > TILE_BUDGET {
                break;
            }
        }
        for item in &live {
            self.leave(&item.cell, &arena[item.start..item.end]);
        }
        self.weigh(self.proved - before.0, span);
        self.cells = [live, next];
        self.lists = [arena, lists];
        self.seen += tile.volume();
    }

    /// A neighbourhood's gap: is it the largest?
    fn weigh(&mut self, gap: f64, span: Span) {
        self.largest_gap = self.largest_gap.max(gap / span.lo.powi(D as i32));
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
