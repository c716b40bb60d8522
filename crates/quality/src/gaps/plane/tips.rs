//! The tips of one cell, halved until it is known what of them is a gap.

use super::Found;
use crate::gaps::boxes::Cell;
use crate::gaps::places::{Places, Span};
use crate::gaps::voronoi::{Local, area, clip, dot};
use crate::gaps::{CENTERS_DETAIL, GapOptions, HOLE_DETAIL, TILE_BUDGET};
use density::Bounds;
use std::ops::Range;

/// Somebody who may keep a newcomer out.
#[derive(Clone, Copy)]
pub(super) struct Neighbour {
    /// Where, from the cell's point.
    pub(super) step: Local,
    pub(super) min_dist: f64,
}

/// A convex piece that is neither covered nor free.
struct Piece<const D: usize> {
    corners: Range<usize>,
    /// Who may keep newcomers out of it, in `Round::lists`.
    near: Range<usize>,
    span: Span,
    /// What must be added to the corners.
    origin: [f64; D],
}

struct Round<const D: usize> {
    pieces: Vec<Piece<D>>,
    corners: Vec<Local>,
    lists: Vec<u32>,
    /// The area of the pieces.
    open: f64,
}

impl<const D: usize> Round<D> {
    const EMPTY: Self = Self {
        pieces: Vec::new(),
        corners: Vec::new(),
        lists: Vec::new(),
        open: 0.0,
    };

    fn clear(&mut self) {
        self.pieces.clear();
        self.corners.clear();
        self.lists.clear();
        self.open = 0.0;
    }
}

/// The pieces of one cell; kept from cell to cell, for there are many.
pub(super) struct Tips<'a, const D: usize> {
    places: &'a Places<'a, D>,
    options: GapOptions,
    bounds: Bounds<D>,
    rounding: f64,
    pub(super) neighbours: Vec<Neighbour>,
    rounds: [Round<D>; 2],
}

enum Class {
    Covered,
    Free,
    /// The least distance that a point near demands.
    Mixed(f64),
}

impl<'a, const D: usize> Tips<'a, D> {
    pub(super) fn new(
        places: &'a Places<'a, D>,
        options: GapOptions,
        bounds: Bounds<D>,
        rounding: f64,
    ) -> Self {
        Self {
            places,
            options,
            bounds,
            rounding,
            neighbours: Vec::new(),
            rounds: [Round::EMPTY; 2],
        }
    }

    /// Makes ready for the next cell.
    pub(super) fn clear(&mut self) {
        self.neighbours.clear();
        self.rounds[0].clear();
    }

    /// Bounds of what is asked for over a polygon; `None` when no point may lie in it.
    pub(super) fn span(&self, corners: &[Local], origin: [f64; D]) -> Option<Span> {
        let around = Cell::around(corners);
        self.places.over(&self.placed(&around, origin), None)
    }

    fn placed(&self, around: &Cell<2>, origin: [f64; D]) -> Cell<D> {
        around.placed(origin, &self.bounds)
    }

    /// Takes in a tip.
    pub(super) fn add(&mut self, corners: &[Local], origin: [f64; D], found: &mut Found) {
        let mut round = std::mem::replace(&mut self.rounds[0], Round::EMPTY);
        let near: Vec<u32> = (0..self.neighbours.len() as u32).collect();
        self.judge(corners, &near, None, origin, &mut round, found);
        self.rounds[0] = round;
    }

    /// Halves what is undecided, round after round, until what is left does not matter beside
    /// the cell's own gaps or `elsewhere`, the gaps that others have in as large an area.
    pub(super) fn refine(&mut self, proved_before: f64, elsewhere: f64, found: &mut Found) {
        let [mut live, mut next] = std::mem::replace(&mut self.rounds, [Round::EMPTY; 2]);
        let undecided_before = found.undecided;
        let (mut sides, mut half) = (Vec::new(), Vec::new());
        let mut spent = 0;
        while !live.pieces.is_empty() {
            let undecided = found.undecided - undecided_before + live.open;
            let gaps = (found.proved - proved_before + undecided).max(elsewhere);
            let fine = |piece: &Piece<D>| {
                let around = Cell::around(&live.corners[piece.corners.clone()]);
                around.longest() <= piece.span.lo * CENTERS_DETAIL
            };
            let settled =
                undecided <= self.options.tolerance * gaps && live.pieces.iter().all(fine);
            if settled || spent > TILE_BUDGET {
                break;
            }
            spent += 2 * live.pieces.len();
            next.clear();
            for piece in &live.pieces {
                let corners = &live.corners[piece.corners.clone()];
                let near = &live.lists[piece.near.clone()];
                let (axis, middle) = Cell::around(corners).middle();
                for sign in [-1.0, 1.0] {
                    sides.clear();
                    sides.extend(corners.iter().map(|c| sign * (c[axis] - middle)));
                    half.clear();
                    clip(corners, &sides, &mut half);
                    let above = Some(piece.span);
                    self.judge(&half, near, above, piece.origin, &mut next, found);
                }
            }
            std::mem::swap(&mut live, &mut next);
        }
        for piece in &live.pieces {
            let corners = &live.corners[piece.corners.clone()];
            self.leave(
                corners,
                &live.lists[piece.near.clone()],
                piece.origin,
                found,
            );
        }
        live.clear();
        self.rounds = [live, next];
    }

    /// Judges a piece; keeps it in `round` unless its fate is known.
    fn judge(
        &self,
        corners: &[Local],
        near: &[u32],
        above: Option<Span>,
        origin: [f64; D],
        round: &mut Round<D>,
        found: &mut Found,
    ) {
        if corners.len() < 3 {
            return;
        }
        let around = Cell::around(corners);
        let Some(span) = self.places.over(&self.placed(&around, origin), above) else {
            return;
        };
        let start = round.lists.len();
        let scale = match self.classify(corners, &around, near, span, &mut round.lists) {
            Class::Covered => return,
            Class::Free if span.whole => {
                found.proved += area(corners);
                self.measure(corners, span, origin, found);
                round.lists.truncate(start);
                return;
            }
            Class::Free => span.lo,
            Class::Mixed(scale) => scale,
        };
        if around.longest() <= scale * self.options.resolution {
            self.leave(corners, &round.lists[start..], origin, found);
            round.lists.truncate(start);
            return;
        }
        round.open += area(corners);
        let first = round.corners.len();
        round.corners.extend_from_slice(corners);
        round.pieces.push(Piece {
            corners: first..round.corners.len(),
            near: start..round.lists.len(),
            span,
            origin,
        });
    }

    /// Judges a piece by the points `near`, and appends to `kept` those that can conflict.
    fn classify(
        &self,
        corners: &[Local],
        around: &Cell<2>,
        near: &[u32],
        span: Span,
        kept: &mut Vec<u32>,
    ) -> Class {
        let start = kept.len();
        let mut scale = f64::INFINITY;
        let mut best = (f64::INFINITY, start);
        for &i in near {
            let q = &self.neighbours[i as usize];
            let perhaps = self.places.required(q.min_dist, span.hi) * (1.0 + self.rounding);
            if around.squares(q.step).0 >= perhaps * perhaps {
                continue;
            }
            let surely = self.places.required(q.min_dist, span.lo) * (1.0 - self.rounding);
            let square = |c: &Local| {
                let step = [c[0] - q.step[0], c[1] - q.step[1]];
                dot(step, step)
            };
            let far = corners.iter().map(square).fold(0.0, f64::max);
            if far < surely * surely {
                kept.truncate(start);
                return Class::Covered;
            }
            // Whoever covers most of a piece covers most of its halves, and is asked first.
            if far / (surely * surely) < best.0 {
                best = (far / (surely * surely), kept.len());
            }
            scale = scale.min(perhaps);
            kept.push(i);
        }
        if kept.len() == start {
            return Class::Free;
        }
        kept.swap(start, best.1);
        Class::Mixed(scale)
    }

    fn at(&self, place: Local, origin: [f64; D]) -> Option<([f64; D], f64)> {
        let (min, max) = (self.bounds.min(), self.bounds.max());
        let mut p = origin;
        for axis in 0..2 {
            p[axis] = (p[axis] + place[axis]).clamp(min[axis], max[axis]);
        }
        Some((p, self.places.at(p)?))
    }

    /// Looks for the largest hole in a free piece, unless it cannot be there.
    fn measure(&self, corners: &[Local], span: Span, origin: [f64; D], found: &mut Found) {
        let mut most = 0.0_f64;
        for &corner in corners {
            // In its own cell, a place's nearest point is the cell's.
            let far = dot(corner, corner).sqrt();
            most = most.max(far);
            if let Some((place, here)) = self.at(corner, origin) {
                found.meet(place, far, here);
            }
        }
        let around = Cell::around(corners);
        let known = found.hole.as_ref().map_or(0.0, |hole| hole.ratio);
        let small = around.longest() <= span.lo * HOLE_DETAIL;
        if small || most / span.lo <= known * 1.001 {
            return;
        }
        let (axis, middle) = around.middle();
        for sign in [-1.0, 1.0] {
            let sides: Vec<f64> = corners.iter().map(|c| sign * (c[axis] - middle)).collect();
            let mut half = Vec::new();
            clip(corners, &sides, &mut half);
            if half.len() < 3 {
                continue;
            }
            let around = self.placed(&Cell::around(&half), origin);
            if let Some(span) = self.places.over(&around, Some(span)) {
                self.measure(&half, span, origin, found);
            }
        }
    }

    /// Judges a piece by its middle.
    fn leave(&self, corners: &[Local], near: &[u32], origin: [f64; D], found: &mut Found) {
        let room = area(corners);
        found.undecided += room;
        let share = (corners.len() as f64).recip();
        let middle = [0, 1].map(|a| corners.iter().map(|c| c[a]).sum::<f64>() * share);
        let Some((place, here)) = self.at(middle, origin) else {
            return;
        };
        let conflicts = |&i: &u32| {
            let q = &self.neighbours[i as usize];
            let step = [middle[0] - q.step[0], middle[1] - q.step[1]];
            let required = self.places.required(q.min_dist, here);
            dot(step, step) < required * required
        };
        if !near.iter().any(conflicts) {
            found.likely += room;
            found.meet(place, dot(middle, middle).sqrt(), here);
        }
    }
}
