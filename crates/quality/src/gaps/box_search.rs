//! The search by boxes.
//!
//! In the plane, what the disks near a box leave of it is known in closed form: for the least that
//! is asked for in the box, and for the most.

use super::boxes::{Cell, Class, Reach, classify};
use super::disks::{Disk, Rest, rest};
use super::places::{Places, Span};
use super::{CENTERS_DETAIL, GapOptions, HOLE_DETAIL, Hole, TILE, TILE_BUDGET};
use crate::claim::Requirement;
use crate::domain::{Domain, sum};
use crate::kd_tree::KdTree;
use crate::set::PointSet;
use crate::spacing::slack;
use density::Bounds;

/// Factor on the tolerance in space: there boxes are estimated by their centres, about 100 times closer
/// than by their bounds.
const BY_CENTERS: f64 = 3.0;

/// In the plane, boxes with at most so many points near are judged by what their disks leave.
const FEW: usize = 8;

/// What is undecided in less than this share of a box does not matter.
const NEGLIGIBLE: f64 = 1e-9;

/// Far from all points the largest hole is found to this share of how far.
const FAR_HOLE_DETAIL: f64 = 5e-4;

/// Distances are rounded by less than this share of them, unless coordinates are very large.
const ROUNDING: f64 = 1e-12;

/// Who searches, and what was found.
pub(super) struct Search<'a, const D: usize> {
    places: &'a Places<'a, D>,
    options: GapOptions,
    points: Vec<Reach<D>>,
    /// Radii are wrong by less than this share.
    rounding: f64,
    /// The area of the tiles that are settled.
    seen: f64,
    pub(super) proved: f64,
    pub(super) undecided: f64,
    /// That part of `undecided` which is likely to be free.
    pub(super) likely: f64,
    pub(super) largest_gap: f64,
    pub(super) hole: Option<Hole>,
    cells: [Vec<Live<D>>; 2],
    lists: [Vec<u32>; 2],
    disks: Vec<Disk>,
    covered: Vec<[f64; 2]>,
}

/// A box that is not decided, and who may reach it.
#[derive(Clone, Copy)]
struct Live<const D: usize> {
    cell: Cell<D>,
    span: Span,
    start: usize,
    end: usize,
    /// How much of it is a gap, at least and at most.
    gap: [f64; 2],
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
            rounding: ROUNDING + slack(set, domain) / places.least(),
            seen: 0.0,
            proved: 0.0,
            undecided: 0.0,
            likely: 0.0,
            largest_gap: 0.0,
            hole: None,
            cells: Default::default(),
            lists: Default::default(),
            disks: Vec::new(),
            covered: Vec::new(),
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
                let gap = self.free(cell, span, &kept);
                self.largest_gap = self.largest_gap.max(gap);
            }
            Class::Free | Class::Mixed { .. } if kept.len() <= TILE[D - 2] => {
                self.refine(cell, span, &kept);
            }
            Class::Free => self.halve(cell, span, &kept),
            Class::Mixed { scale } => {
                if cell.longest() <= scale * self.options.resolution {
                    self.leave(cell, span, [0.0, cell.volume()], &kept);
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
            None => {
                self.leave(cell, span, [0.0, cell.volume()], near);
            }
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
            gap: [0.0, tile.volume()],
        });
        let before = (self.proved, self.undecided);
        let mut spent = 0;
        let mut relative_gap = 0.0;
        while !live.is_empty() {
            next.clear();
            lists.clear();
            let mut open = [0.0; 2];
            for item in &live {
                let near = &arena[item.start..item.end];
                let Some(parts) = item.cell.quarters() else {
                    relative_gap += self.leave(item.cell, item.span, item.gap, near);
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
                            relative_gap += self.free(cell, span, &lists[start..end]);
                            lists.truncate(start);
                            continue;
                        }
                        Class::Free => span.lo,
                        Class::Mixed { scale } => scale,
                    };
                    let gap = self.gap(&cell, span, &lists[start..end]);
                    let small = cell.longest() <= scale * self.options.resolution
                        || gap[1] - gap[0] <= NEGLIGIBLE * cell.volume();
                    if small {
                        relative_gap += self.leave(cell, span, gap, &lists[start..end]);
                        lists.truncate(start);
                    } else {
                        open = [open[0] + gap[0], open[1] + gap[1]];
                        next.push(Live {
                            cell,
                            span,
                            start,
                            end,
                            gap,
                        });
                    }
                }
            }
            spent += 4 * live.len();
            std::mem::swap(&mut live, &mut next);
            std::mem::swap(&mut arena, &mut lists);
            let proved = self.proved - before.0 + open[0];
            let undecided = self.undecided - before.1 + open[1] - open[0];
            // Slivers in one tile do not matter beside the gaps of all others.
            let elsewhere = before.0 * (tile.volume() / self.seen.max(tile.volume()));
            let gaps = (proved + undecided).max(elsewhere);
            let fine = |item: &Live<D>| {
                item.cell.longest() <= item.span.lo * CENTERS_DETAIL
                    || D == 2 && item.span.whole && item.end - item.start <= FEW
            };
            let tolerance = match D {
                2 => self.options.tolerance,
                _ => BY_CENTERS * self.options.tolerance,
            };
            let settled = undecided <= tolerance * gaps && live.iter().all(fine);
            if settled || spent > TILE_BUDGET {
                break;
            }
        }
        for item in &live {
            let near = &arena[item.start..item.end];
            relative_gap += self.leave(item.cell, item.span, item.gap, near);
        }
        self.largest_gap = self.largest_gap.max(relative_gap);
        self.cells = [live, next];
        self.lists = [arena, lists];
        self.seen += tile.volume();
    }

    /// Takes a box in which every place is free. Returns its gap in units of the distance squared
    /// (cubed).
    fn free(&mut self, cell: Cell<D>, span: Span, near: &[u32]) -> f64 {
        self.proved += cell.volume();
        self.measure(cell, span, near);
        cell.volume() / span.lo.powi(D as i32)
    }

    /// How much of a box is a gap, at least and at most.
    fn gap(&mut self, cell: &Cell<D>, span: Span, near: &[u32]) -> [f64; 2] {
        if D != 2 || near.len() > FEW {
            return [0.0, cell.volume()];
        }
        let most = self.rest(cell, near, span.lo, 1.0 - self.rounding).area;
        if most == 0.0 || !span.whole {
            return [0.0, most];
        }
        let least = self.rest(cell, near, span.hi, 1.0 + self.rounding).area;
        [least.min(most), most]
    }

    /// What is left of a box by the points near, if each of its places asks for `here`.
    fn rest(&mut self, cell: &Cell<D>, near: &[u32], here: f64, share: f64) -> Rest {
        let center = cell.center();
        self.disks.clear();
        for &i in near {
            let q = &self.points[i as usize];
            self.disks.push(Disk {
                center: [0, 1].map(|axis| q.position[axis] - center[axis]),
                radius: self.places.required(q.min_dist, here) * share,
            });
        }
        rest(cell.half_sides(), &self.disks, &mut self.covered)
    }

    /// Looks for the largest hole in a box, unless it cannot be there.
    fn measure(&mut self, cell: Cell<D>, span: Span, near: &[u32]) {
        let nearest = self.meet(cell.center(), near);
        let known = self.hole.as_ref().map_or(0.0, |hole| hole.ratio);
        // No place of the box is farther from the point that its centre is nearest to.
        let most = (nearest + cell.half_diagonal()) / span.lo;
        let detail = (span.lo * HOLE_DETAIL).max(nearest * FAR_HOLE_DETAIL);
        let small = cell.longest() <= detail;
        if small || nearest.is_infinite() || most <= known * 1.001 || most < 1.0 {
            return;
        }
        for half in cell.halves().into_iter().flatten() {
            if let Some(span) = self.places.over(&half, Some(span)) {
                self.measure(half, span, near);
            }
        }
    }

    /// Takes what is known of a box. Returns its gap in units of the distance squared (cubed).
    fn leave(&mut self, cell: Cell<D>, span: Span, gap: [f64; 2], near: &[u32]) -> f64 {
        let [least, most] = gap;
        self.proved += least;
        self.undecided += most - least;
        if most == 0.0 {
            return 0.0;
        }
        let center = cell.center();
        let here = self.places.at(center);
        if D == 2 && near.len() <= FEW {
            if let Some(here) = here {
                let rest = self.rest(&cell, near, here, 1.0);
                self.likely += rest.area.clamp(least, most) - least;
                let mut place = center;
                for (x, step) in place.iter_mut().zip(rest.middle) {
                    *x += step;
                }
                self.meet(place, near);
            }
            if least > 0.0 {
                self.measure(cell, span, near);
            }
        } else if here.is_some_and(|here| self.is_free(center, here, near)) {
            self.likely += cell.volume();
            self.meet(center, near);
        }
        least / span.lo.powi(D as i32)
    }

    fn is_free(&self, place: [f64; D], here: f64, near: &[u32]) -> bool {
        near.iter().all(|&i| {
            let q = &self.points[i as usize];
            let required = self.places.required(q.min_dist, here);
            q.square_distance(place) >= required * required
        })
    }

    /// Notes a place, if it is free and the loneliest. Returns its distance from the nearest point.
    fn meet(&mut self, place: [f64; D], near: &[u32]) -> f64 {
        let square = near
            .iter()
            .map(|&i| self.points[i as usize].square_distance(place));
        let distance = square.fold(f64::INFINITY, f64::min).sqrt();
        if let Some(here) = self.places.at(place) {
            let ratio = distance / here;
            if self.hole.as_ref().is_none_or(|hole| ratio > hole.ratio)
                && self.is_free(place, here, near)
            {
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
