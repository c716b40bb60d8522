//! The search by boxes.
//!
//! In the plane, the area that the disks near a box leave uncovered has a closed form. It is computed for the least and
//! the greatest minimum distance in the box.

use super::boxes::{Class, Reach, center, classify, half_diagonal, quarters, squares};
use super::disks::{Disk, Rest, rest};
use super::places::{Places, Span};
use super::{
    BOX_BUDGET, CENTERS_DETAIL, Group, MAX_NEAR, RESOLUTION, TOLERANCE, TOLERANCE_IN_SPACE,
};
use crate::domain::{Domain, halves, sum};
use crate::kd_tree::KdTree;
use crate::spacing::slack;
use density::Bounds;

/// In the plane, boxes with at most this many points near are measured in closed form.
const FEW: usize = 8;

/// An undecided area below this share of a box is negligible.
const NEGLIGIBLE: f64 = 1e-9;

/// The largest hole is located to this share of its distance, and its ratio known as closely.
const HOLE_DETAIL: f64 = 1e-4;

/// Relative rounding error of distances, unless coordinates are very large.
const ROUNDING: f64 = 1e-12;

/// The state of the search, with its results.
pub(super) struct Search<'a, const D: usize> {
    places: &'a Places<'a, D>,
    points: Vec<Reach<D>>,
    /// Bound on the relative error of radii.
    rounding: f64,
    /// The area of all finished neighbourhoods.
    settled_area: f64,
    pub(super) proved: f64,
    pub(super) undecided: f64,
    /// The part of `undecided` that is estimated to be free.
    pub(super) likely: f64,
    pub(super) largest_gap: f64,
    /// The largest hole: its ratio and its place.
    pub(super) hole: Option<(f64, [f64; D])>,
    cells: [Vec<Live<D>>; 2],
    lists: [Vec<u32>; 2],
    disks: Vec<Disk>,
    covered: Vec<[f64; 2]>,
}

/// An undecided box, with the range of points near it.
#[derive(Clone, Copy)]
struct Live<const D: usize> {
    cell: Bounds<D>,
    span: Span,
    start: usize,
    end: usize,
    /// Lower and upper bound of the gap's area in the box.
    gap: [f64; 2],
}

impl<'a, const D: usize> Search<'a, D> {
    pub(super) fn new(
        groups: &[Group<'_, D>],
        domain: &Domain<D>,
        places: &'a Places<'a, D>,
        margin: f64,
    ) -> Self {
        const {
            assert!(
                D == 2 || D == 3,
                "gaps are searched in the plane and in space"
            );
        };
        let mut points = Vec::new();
        let mut rounded: f64 = 0.0;
        for group in groups {
            let positions = group.set.positions();
            let order = KdTree::new(positions, |_| 0.0, 0.0);
            for (number, shift) in domain.shifts().into_iter().enumerate() {
                // Sorted so that points needed by the same box are adjacent in memory.
                for i in order.order() {
                    let position = sum(positions[i], shift);
                    if number == 0 || squares(&domain.bounds, position).0 <= margin * margin {
                        points.push(Reach {
                            position,
                            min_dist: group.min_dist[i],
                            rule: group.rule,
                        });
                    }
                }
            }
            rounded = rounded.max(slack(group.set, domain));
        }
        // Points that coincide are adjacent, except a few; boxes cannot part them.
        points.dedup();
        Self {
            places,
            points,
            rounding: ROUNDING + rounded / places.least,
            settled_area: 0.0,
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
        self.dive(*bounds, None, &all);
    }

    /// Halves a box until few points are near, then refines.
    fn dive(&mut self, cell: Bounds<D>, above: Option<Span>, near: &[u32]) {
        let Some(span) = self.places.over(&cell, above) else {
            return;
        };
        let mut kept = Vec::new();
        let class = classify(&self.points, near, &cell, span, &mut kept);
        match class {
            Class::Covered => {}
            Class::Free if span.whole => {
                let gap = self.free(cell, span, &kept);
                self.largest_gap = self.largest_gap.max(gap);
            }
            Class::Free | Class::Mixed { .. } if kept.len() <= MAX_NEAR[D - 2] => {
                self.refine(cell, span, &kept);
            }
            Class::Free => self.halve(cell, span, &kept),
            Class::Mixed { scale } => {
                if cell.longest_side() <= scale * RESOLUTION {
                    self.settle(cell, span, [0.0, cell.volume()], &kept);
                } else {
                    self.halve(cell, span, &kept);
                }
            }
        }
    }

    fn halve(&mut self, cell: Bounds<D>, span: Span, near: &[u32]) {
        match halves(&cell) {
            Some(halves) => {
                for half in halves {
                    self.dive(half, Some(span), near);
                }
            }
            None => {
                self.settle(cell, span, [0.0, cell.volume()], near);
            }
        }
    }

    /// Quarters all undecided boxes of a neighbourhood, round after round, until the rest is negligible.
    fn refine(&mut self, neighbourhood: Bounds<D>, span: Span, near: &[u32]) {
        // Buffers are reused, as there are many neighbourhoods.
        let [mut live, mut next] = std::mem::take(&mut self.cells);
        let [mut arena, mut lists] = std::mem::take(&mut self.lists);
        arena.clear();
        arena.extend_from_slice(near);
        live.clear();
        live.push(Live {
            cell: neighbourhood,
            span,
            start: 0,
            end: arena.len(),
            gap: [0.0, neighbourhood.volume()],
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
                let Some(parts) = quarters(&item.cell) else {
                    relative_gap += self.settle(item.cell, item.span, item.gap, near);
                    continue;
                };
                for cell in parts {
                    let Some(span) = self.places.over(&cell, Some(item.span)) else {
                        continue;
                    };
                    let start = lists.len();
                    let class = classify(&self.points, near, &cell, span, &mut lists);
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
                    let small = cell.longest_side() <= scale * RESOLUTION
                        || gap[1] - gap[0] <= NEGLIGIBLE * cell.volume();
                    if small {
                        relative_gap += self.settle(cell, span, gap, &lists[start..end]);
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
            // A small undecided area is compared with the average gap of all neighbourhoods, not only with this one's.
            let elsewhere =
                before.0 * (neighbourhood.volume() / self.settled_area.max(neighbourhood.volume()));
            let gaps = (proved + undecided).max(elsewhere);
            let fine = |item: &Live<D>| {
                item.cell.longest_side() <= item.span.lo * CENTERS_DETAIL
                    || D == 2 && item.span.whole && item.end - item.start <= FEW
            };
            let tolerance = match D {
                2 => TOLERANCE,
                _ => TOLERANCE_IN_SPACE,
            };
            let settled = undecided <= tolerance * gaps && live.iter().all(fine);
            if settled || spent > BOX_BUDGET {
                break;
            }
        }
        for item in &live {
            let near = &arena[item.start..item.end];
            relative_gap += self.settle(item.cell, item.span, item.gap, near);
        }
        self.largest_gap = self.largest_gap.max(relative_gap);
        self.cells = [live, next];
        self.lists = [arena, lists];
        self.settled_area += neighbourhood.volume();
    }

    /// Records a box in which every place is free. Returns its gap in units of the square (cube) of the distance.
    fn free(&mut self, cell: Bounds<D>, span: Span, near: &[u32]) -> f64 {
        self.proved += cell.volume();
        self.search_hole(cell, span, near);
        cell.volume() / span.lo.powi(D as i32)
    }

    /// Returns a lower and an upper bound of the gap in a box.
    fn gap(&mut self, cell: &Bounds<D>, span: Span, near: &[u32]) -> [f64; 2] {
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

    /// Computes the part of a box that the points near leave uncovered, if the minimum distance is `here` everywhere in
    /// the box.
    fn rest(&mut self, cell: &Bounds<D>, near: &[u32], here: f64, share: f64) -> Rest {
        let center = center(cell);
        self.disks.clear();
        for &i in near {
            let q = &self.points[i as usize];
            self.disks.push(Disk {
                center: [0, 1].map(|axis| q.position[axis] - center[axis]),
                radius: q.required(here) * share,
            });
        }
        let size = cell.size();
        let half = [0, 1].map(|axis| 0.5 * size[axis]);
        rest(half, &self.disks, &mut self.covered)
    }

    /// Searches a box for the largest hole, unless it cannot be there.
    fn search_hole(&mut self, cell: Bounds<D>, span: Span, near: &[u32]) {
        let bound = self.bound(&cell, span, near);
        self.narrow_hole(cell, span, near, bound);
    }

    /// Returns a bound on the least ratio of every place of a box, and the side of boxes that are not halved there.
    fn bound(&self, cell: &Bounds<D>, span: Span, near: &[u32]) -> [f64; 2] {
        let (center, reach) = (center(cell), half_diagonal(cell));
        let mut bound = [f64::INFINITY, 0.0];
        for &i in near {
            let q = &self.points[i as usize];
            let distance = q.square_distance(center).sqrt();
            let ratio = (distance + reach) / q.required(span.lo);
            if ratio < bound[0] {
                bound = [ratio, distance * HOLE_DETAIL];
            }
        }
        bound
    }

    /// Performs [`search_hole`](Self::search_hole), given the [`bound`](Self::bound) of the box.
    fn narrow_hole(&mut self, cell: Bounds<D>, span: Span, near: &[u32], bound: [f64; 2]) {
        self.record_hole(center(&cell), near);
        let known = self.hole.map_or(0.0, |(ratio, _)| ratio);
        let [most, detail] = bound;
        let small = cell.longest_side() <= detail;
        if small || most.is_infinite() || most <= known * (1.0 + HOLE_DETAIL) || most < 1.0 {
            return;
        }
        let Some(halves) = halves(&cell) else {
            return;
        };
        let mut halves = halves.map(|half| {
            let span = self.places.over(&half, Some(span))?;
            Some((half, span, self.bound(&half, span, near)))
        });
        // The half that may have the larger hole comes first: what is found there rules out most of the other.
        let most =
            |half: &Option<(_, _, [f64; 2])>| half.as_ref().map_or(0.0, |(_, _, [most, _])| *most);
        halves.sort_by(|a, b| most(b).total_cmp(&most(a)));
        for (half, span, bound) in halves.into_iter().flatten() {
            self.narrow_hole(half, span, near, bound);
        }
    }

    /// Records the bounds of a box's gap. Returns the lower bound in units of the square (cube) of the distance.
    fn settle(&mut self, cell: Bounds<D>, span: Span, gap: [f64; 2], near: &[u32]) -> f64 {
        let [least, most] = gap;
        self.proved += least;
        self.undecided += most - least;
        if most == 0.0 {
            return 0.0;
        }
        let center = center(&cell);
        let here = self.places.at(center);
        if D == 2 && near.len() <= FEW {
            if let Some(here) = here {
                let rest = self.rest(&cell, near, here, 1.0);
                self.likely += rest.area.clamp(least, most) - least;
                let mut place = center;
                for (x, step) in place.iter_mut().zip(rest.middle) {
                    *x += step;
                }
                self.record_hole(place, near);
            }
            self.search_hole(cell, span, near);
        } else if self.record_hole(center, near) {
            self.likely += cell.volume();
        }
        least / span.lo.powi(D as i32)
    }

    /// Records a place as the largest hole if it is free and of greater ratio than the last. Returns `true` if it
    /// is free.
    fn record_hole(&mut self, place: [f64; D], near: &[u32]) -> bool {
        let Some(here) = self.places.at(place) else {
            return false;
        };
        let squares = near
            .iter()
            .map(|&i| self.points[i as usize].square_ratio(place, here));
        let square = squares.fold(f64::INFINITY, f64::min);
        if square < 1.0 {
            return false;
        }
        let ratio = square.sqrt();
        if self.hole.is_none_or(|(known, _)| ratio > known) {
            self.hole = Some((ratio, place));
        }
        true
    }
}
