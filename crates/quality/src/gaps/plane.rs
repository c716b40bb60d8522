//! The search in the plane: Voronoi cell by Voronoi cell.
//!
//! In a cell nobody is nearer than the cell's point, so one disk around it settles all but the
//! cell's tips. Where all ask for the same, what is left of those has a closed form; else they
//! are halved until they are covered, free, or too small to matter.

mod tips;

use super::places::Places;
use super::voronoi::{VoronoiCell, area, area_beyond, dot, tips};
use super::{GapOptions, Hole};
use crate::claim::Requirement;
use crate::domain::{Domain, Edges, sum};
use crate::kd_tree::{KdTree, Visitor};
use crate::set::PointSet;
use crate::spacing::slack;
use tips::{Neighbour, Tips};

/// Distances are rounded by less than this share of them, unless coordinates are very large.
const ROUNDING: f64 = 1e-12;

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) proved: f64,
    pub(super) undecided: f64,
    /// The best estimate, no less than what is proved.
    pub(super) likely: f64,
    pub(super) largest_gap: f64,
    pub(super) hole: Option<Hole>,
}

impl Found {
    /// A free place at this distance from the nearest point: is it the loneliest?
    pub(super) fn meet<const D: usize>(&mut self, place: [f64; D], distance: f64, here: f64) {
        let ratio = distance / here;
        if self.hole.as_ref().is_none_or(|hole| ratio > hole.ratio) {
            self.hole = Some(Hole {
                place: place.to_vec(),
                distance,
                ratio,
            });
        }
    }
}

/// Finds the gaps of a set with points. Uses the first two coordinates only.
pub(super) fn search<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
    places: &Places<'_, D>,
    options: GapOptions,
) -> Found {
    let slack = slack(set, domain);
    let tree = KdTree::new(set.positions(), |i| requirement.min_dist[i], slack);
    let shifts = domain.shifts();
    let mut search = Search {
        set,
        domain,
        requirement,
        places,
        tree: &tree,
        shifts: &shifts,
        rounding: ROUNDING + slack / places.least(),
        seen: 0.0,
        found: Found::default(),
    };
    let mut cell = VoronoiCell::default();
    let mut tips = Tips::new(places, options, domain.bounds, search.rounding);
    for index in tree.order() {
        cell.build(index, set.positions()[index], &tree, domain, &shifts);
        if cell.corners().is_empty() {
            continue;
        }
        match places.same() {
            Some(distance) => search.alike(index, &cell, distance),
            None => search.unlike(index, &cell, &mut tips),
        }
    }
    search.found
}

struct Search<'a, const D: usize> {
    set: &'a PointSet<D>,
    domain: &'a Domain<D>,
    requirement: &'a Requirement,
    places: &'a Places<'a, D>,
    tree: &'a KdTree<D>,
    shifts: &'a [[f64; D]],
    /// Radii are wrong by less than this share.
    rounding: f64,
    /// The area of the cells so far.
    seen: f64,
    found: Found,
}

impl<const D: usize> Search<'_, D> {
    /// Where all ask for the same distance.
    fn alike(&mut self, index: usize, cell: &VoronoiCell, distance: f64) {
        let [less, more] = [-1.0, 1.0].map(|sign| distance * (1.0 + sign * self.rounding));
        if cell.widest() < less * less {
            return;
        }
        let proved = area_beyond(cell.corners(), [0.0; 2], more);
        self.found.proved += proved;
        self.found.largest_gap = self.found.largest_gap.max(proved / (distance * distance));
        self.found.undecided += (area_beyond(cell.corners(), [0.0; 2], less) - proved).max(0.0);
        self.found.likely += (area_beyond(cell.corners(), [0.0; 2], distance) - proved).max(0.0);
        for &corner in cell.corners() {
            let far = dot(corner, corner).sqrt();
            let known = self.found.hole.as_ref().map_or(0.0, |hole| hole.distance);
            if far >= distance && far > known {
                let place = self.wrapped(index, corner);
                self.found.meet(place, far, distance);
            }
        }
    }

    /// Where distances differ.
    fn unlike(&mut self, index: usize, cell: &VoronoiCell, pieces: &mut Tips<'_, D>) {
        let p = self.set.positions()[index];
        let own = self.requirement.min_dist[index];
        let room = area(cell.corners());
        let before = self.found.proved;
        pieces.clear();
        let mut windows = self.windows(p, cell.corners());
        let mut asked = [f64::INFINITY, 0.0_f64];
        windows.retain_mut(|window| {
            let Some(span) = pieces.span(&window.corners, window.origin) else {
                return false;
            };
            asked = [asked[0].min(span.lo), asked[1].max(span.hi)];
            window.covered = self.places.required(own, span.lo) * (1.0 - self.rounding);
            let limit = window.covered * window.covered;
            window.corners.iter().any(|&c| dot(c, c) >= limit)
        });
        if !windows.is_empty() {
            self.look_around(index, cell, asked, &mut pieces.neighbours);
            for window in &windows {
                tips(&window.corners, window.covered, |tip| {
                    pieces.add(tip, window.origin, &mut self.found);
                });
            }
            // Slivers in one cell do not matter beside the gaps of all others.
            let elsewhere = before * (room / self.seen.max(room));
            pieces.refine(room, before, elsewhere, &mut self.found);
            let gap = (self.found.proved - before) / (own * own);
            self.found.largest_gap = self.found.largest_gap.max(gap);
        }
        self.seen += room;
    }

    /// The parts of a cell around `p` in each image of the domain, and where in the domain
    /// their origins lie.
    fn windows(&self, p: [f64; D], corners: &[[f64; 2]]) -> Vec<Window<D>> {
        let (min, max) = (self.domain.bounds.min(), self.domain.bounds.max());
        let inside = |c: &[f64; 2]| {
            [0, 1]
                .iter()
                .all(|&a| min[a] <= p[a] + c[a] && p[a] + c[a] <= max[a])
        };
        if self.domain.edges == Edges::Open || corners.iter().all(inside) {
            return vec![Window {
                corners: corners.to_vec(),
                origin: p,
                covered: 0.0,
            }];
        }
        let mut windows = Vec::new();
        for &shift in self.shifts {
            let origin = sum(p, shift);
            let mut kept = corners.to_vec();
            for axis in 0..2 {
                for (sign, end) in [(-1.0, min[axis]), (1.0, max[axis])] {
                    let beyond = |c: &[f64; 2]| sign * (origin[axis] + c[axis] - end);
                    let sides: Vec<f64> = kept.iter().map(beyond).collect();
                    let mut next = Vec::new();
                    super::voronoi::clip(&kept, &sides, &mut next);
                    kept = next;
                }
            }
            if kept.len() > 2 {
                windows.push(Window {
                    corners: kept,
                    origin,
                    covered: 0.0,
                });
            }
        }
        windows
    }

    /// All points that may keep a newcomer out of some place of the cell, its own first. Its
    /// places ask for `asked[0]` to `asked[1]`.
    fn look_around(
        &self,
        index: usize,
        cell: &VoronoiCell,
        asked: [f64; 2],
        near: &mut Vec<Neighbour>,
    ) {
        let p = self.set.positions()[index];
        let own = self.requirement.min_dist[index];
        near.push(Neighbour {
            step: [0.0, 0.0],
            min_dist: own,
        });
        // The cell's own point is nearer; others matter only if they may demand more.
        let kept_out = asked.map(|here| self.places.required(own, here));
        let matters = |min_dist: f64| {
            asked
                .iter()
                .zip(kept_out)
                .any(|(&here, own)| self.places.required(min_dist, here) > own)
        };
        let mut around = Around {
            width: cell.widest().sqrt(),
            most: |reach| matters(reach).then(|| self.places.required(reach, asked[1])),
            found: Vec::new(),
        };
        for (number, &shift) in self.shifts.iter().enumerate() {
            let from = sum(p, shift);
            around.found.clear();
            self.tree.visit(from, &mut around);
            for &other in &around.found {
                let q = self.set.positions()[other];
                let min_dist = self.requirement.min_dist[other];
                if (number > 0 || other != index) && matters(min_dist) {
                    near.push(Neighbour {
                        step: [q[0] - from[0], q[1] - from[1]],
                        min_dist,
                    });
                }
            }
        }
    }

    fn wrapped(&self, index: usize, corner: [f64; 2]) -> [f64; D] {
        let mut place = self.set.positions()[index];
        let (min, max, size) = (
            self.domain.bounds.min(),
            self.domain.bounds.max(),
            self.domain.bounds.size(),
        );
        for axis in 0..2 {
            place[axis] += corner[axis];
            if self.domain.edges == Edges::Torus {
                if place[axis] < min[axis] {
                    place[axis] += size[axis];
                } else if place[axis] >= max[axis] {
                    place[axis] -= size[axis];
                }
            }
            place[axis] = place[axis].clamp(min[axis], max[axis]);
        }
        place
    }
}

/// A part of a cell that lies in the domain.
struct Window<const D: usize> {
    corners: Vec<[f64; 2]>,
    /// What must be added to them.
    origin: [f64; D],
    /// The disk around the cell's point that lets no newcomer in.
    covered: f64,
}

struct Around<F> {
    width: f64,
    most: F,
    found: Vec<usize>,
}

impl<F: Fn(f64) -> Option<f64>> Visitor for Around<F> {
    fn radius(&self, reach: f64) -> f64 {
        // Whoever is farther from the point than this is farther from all of its cell than the
        // rule demands.
        (self.most)(reach).map_or(f64::NEG_INFINITY, |most| self.width + most)
    }
    fn point(&mut self, index: usize) {
        self.found.push(index);
    }
}
