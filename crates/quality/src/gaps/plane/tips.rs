//! The tips of one cell, halved until it is known what of them is a gap.

use super::Found;
use crate::gaps::boxes::Cell;
use crate::gaps::places::{Places, Span};
use crate::gaps::voronoi::{Local, area, area_beyond, clip, dot};
use crate::gaps::{CENTERS_DETAIL, GapOptions, HOLE_DETAIL, TILE_BUDGET};
use density::Bounds;
use std::ops::Range;

/// Gaps that make up less than this share of a cell are not looked into.
const NEGLIGIBLE: f64 = 1e-9;

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
    /// How much of it is a gap, at least and at most.
    gap: [f64; 2],
}

struct Round<const D: usize> {
    pieces: Vec<Piece<D>>,
    corners: Vec<Local>,
    lists: Vec<u32>,
    /// How much of the pieces is a gap, at least and at most.
    gap: [f64; 2],
}

impl<const D: usize> Round<D> {
    const EMPTY: Self = Self {
        pieces: Vec::new(),
        corners: Vec::new(),
        lists: Vec::new(),
        gap: [0.0; 2],
    };

    fn clear(&mut self) {
        self.pieces.clear();
        self.corners.clear();
        self.lists.clear();
        self.gap = [0.0; 2];
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
    /// the cell's area `room`, its own gaps (what is proved beyond `before`), or `elsewhere`,
    /// the gaps that others have in as large an area.
    pub(super) fn refine(&mut self, room: f64, before: f64, elsewhere: f64, found: &mut Found) {
        let [mut live, mut next] = std::mem::replace(&mut self.rounds, [Round::EMPTY; 2]);
        let undecided_before = found.undecided;
        let (mut sides, mut half) = (Vec::new(), Vec::new());
        let negligible = NEGLIGIBLE * room;
        let mut spent = 0;
        while !live.pieces.is_empty() {
            let undecided = found.undecided - undecided_before + live.gap[1] - live.gap[0];
            let gaps = (found.proved - before + live.gap[1]).max(elsewhere);
            let fine = |piece: &Piece<D>| {
                let around = Cell::around(&live.corners[piece.corners.clone()]);
                piece.span.whole || around.longest() <= piece.span.lo * CENTERS_DETAIL
            };
            let little = (self.options.tolerance * gaps).max(negligible);
            let settled = undecided <= little && live.pieces.iter().all(fine);
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
            self.leave(
                &live.corners[piece.corners.clone()],
                &live.lists[piece.near.clone()],
                piece.span,
                piece.origin,
                piece.gap,
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
                self.seek(corners, &[], span, origin, found);
                round.lists.truncate(start);
                return;
            }
            Class::Free => span.lo,
            Class::Mixed(scale) => scale,
        };
        let gap = self.gap(corners, &round.lists[start..], span);
        if gap[1] == 0.0 || around.longest() <= scale * self.options.resolution {
            if gap[1] > 0.0 {
                self.leave(corners, &round.lists[start..], span, origin, gap, found);
            }
            round.lists.truncate(start);
            return;
        }
        round.gap = [round.gap[0] + gap[0], round.gap[1] + gap[1]];
        let first = round.corners.len();
        round.corners.extend_from_slice(corners);
        round.pieces.push(Piece {
            corners: first..round.corners.len(),
            near: start..round.lists.len(),
            span,
            origin,
            gap,
        });
    }

    /// How much of a piece is a gap, at least and at most: no less than what is left when all
    /// take all that they may, were they to share nothing; no more than what one leaves who
    /// takes what it must.
    fn gap(&self, corners: &[Local], near: &[u32], span: Span) -> [f64; 2] {
        let all = area(corners);
        let [mut least, mut most] = [all, all];
        for (number, &i) in near.iter().enumerate() {
            let q = &self.neighbours[i as usize];
            if number < 2 {
                let surely = self.places.required(q.min_dist, span.lo) * (1.0 - self.rounding);
                most = most.min(area_beyond(corners, q.step, surely));
            }
            if least > 0.0 {
                let perhaps = self.places.required(q.min_dist, span.hi) * (1.0 + self.rounding);
                least -= all - area_beyond(corners, q.step, perhaps);
            }
        }
        // Where points may not lie is no gap.
        let least = if span.whole { least.max(0.0) } else { 0.0 };
        [least.min(most), most]
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

    /// Looks for the largest hole in a piece, unless it cannot be there.
    fn seek(
        &self,
        corners: &[Local],
        near: &[u32],
        span: Span,
        origin: [f64; D],
        found: &mut Found,
    ) {
        let conflicts = |place: Local, here: f64| {
            near.iter().any(|&i| {
                let q = &self.neighbours[i as usize];
                let step = [place[0] - q.step[0], place[1] - q.step[1]];
                let required = self.places.required(q.min_dist, here);
                dot(step, step) < required * required
            })
        };
        let mut most = 0.0_f64;
        for &place in corners.iter().chain([&middle(corners)]) {
            // In its own cell, a place's nearest point is the cell's.
            let far = dot(place, place).sqrt();
            most = most.max(far);
            if let Some((p, here)) = self.at(place, origin)
                && !conflicts(place, here)
            {
                found.meet(p, far, here);
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
            let around = Cell::around(&half);
            let Some(span) = self.places.over(&self.placed(&around, origin), Some(span)) else {
                continue;
            };
            let mut kept = Vec::new();
            match self.classify(&half, &around, near, span, &mut kept) {
                Class::Covered => {}
                Class::Free | Class::Mixed(_) => self.seek(&half, &kept, span, origin, found),
            }
        }
    }

    /// Judges a piece by what its middle asks for.
    fn leave(
        &self,
        corners: &[Local],
        near: &[u32],
        span: Span,
        origin: [f64; D],
        [least, most]: [f64; 2],
        found: &mut Found,
    ) {
        found.proved += least;
        found.undecided += most - least;
        if let Some((_, here)) = self.at(middle(corners), origin) {
            let left = |&i: &u32| {
                let q = &self.neighbours[i as usize];
                area_beyond(corners, q.step, self.places.required(q.min_dist, here))
            };
            let likely = near.iter().map(left).fold(most, f64::min);
            found.likely += (likely - least).max(0.0);
        }
        self.seek(corners, near, span, origin, found);
    }
}

fn middle(corners: &[Local]) -> Local {
    let share = (corners.len() as f64).recip();
    [0, 1].map(|a| corners.iter().map(|c| c[a]).sum::<f64>() * share)
}
