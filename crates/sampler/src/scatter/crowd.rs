//! Points that are there before the engine starts, found by place.
//!
//! ```text
//!   +----+----+----+    Each point stands in the cell that it lies in. Who asks looks into all
//!   | o  |    | o o|    cells within reach: a few, for points of similar reach share a grid of
//!   +----+----+----+    cells about as wide as that; and those of a row lie side by side in
//!   |  o | oo |    |    memory.
//!   +----+----+----+
//! ```

use super::lattice::encloses;
use crate::rule::Rule;
use density::Bounds;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};

/// A point that was there before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Guest<const D: usize> {
    pub(super) p: [f64; D],
    /// Its `min_dist`, or the distance of its own that is kept from it.
    pub(super) r: f64,
}

impl<const D: usize> Guest<D> {
    pub(crate) fn new(p: [f64; D], r: f64) -> Self {
        Self { p, r }
    }
}

/// Points that those of a run keep off, as if they had been accepted before all of them.
#[derive(Debug)]
pub(crate) struct Crowd<const D: usize> {
    /// Kept off by the rule.
    pub(super) ruled: Grids<D>,
    /// Kept off by a distance of their own, whatever the later point asks for.
    pub(super) fixed: Grids<D>,
    /// Where all are known that matter there; `None`: everywhere.
    known: Option<Bounds<D>>,
    asked_beyond: AtomicBool,
}

impl<const D: usize> Crowd<D> {
    /// Points with their distances: `min_dist`s of those kept off by `rule`, of the others what
    /// is always kept. `most` is the greatest distance of a later point, `known` where these are
    /// all that matter, `None` when that is everywhere.
    pub(crate) fn new(
        ruled: Vec<Guest<D>>,
        fixed: Vec<Guest<D>>,
        rule: Rule,
        most: f64,
        known: Option<Bounds<D>>,
    ) -> Self {
        Self {
            ruled: Grids::new(ruled, rule, most),
            fixed: Grids::new(fixed, Rule::Prior, most),
            known,
            asked_beyond: AtomicBool::new(false),
        }
    }

    /// Notes that places in this box are decided.
    pub(super) fn ask(&self, place: &Bounds<D>) {
        let knows = self
            .known
            .as_ref()
            .is_none_or(|known| encloses(known, place));
        if !knows {
            self.asked_beyond.store(true, Ordering::Relaxed);
        }
    }

    /// Whether any place was decided where not all that matter are known.
    pub(crate) fn was_asked_beyond(&self) -> bool {
        self.asked_beyond.load(Ordering::Relaxed)
    }
}

/// Points that are kept off by one rule, in grids that fit their reaches.
#[derive(Debug)]
pub(super) struct Grids<const D: usize> {
    rule: Rule,
    grids: Vec<Grid<D>>,
}

impl<const D: usize> Grids<D> {
    fn new(mut points: Vec<Guest<D>>, rule: Rule, most: f64) -> Self {
        // By octaves of what is kept from them, which the exponents tell.
        let octave = |q: &Guest<D>| rule.distance(q.r, most).to_bits() >> 52;
        // The farthest first: they close most.
        points.sort_unstable_by_key(|q| Reverse(octave(q)));
        let grids = points.chunk_by(|a, b| octave(a) == octave(b));
        let grids = grids.map(|members| Grid::new(members, rule, most));
        Self {
            rule,
            grids: grids.collect(),
        }
    }

    /// Whether there is no point.
    pub(super) fn is_empty(&self) -> bool {
        self.grids.is_empty()
    }

    /// Whether `is` of any of the points that one between two corners might conflict with, if it
    /// asks for `most` at most; it may be asked of others too. What reaches less than `reach`
    /// does not matter.
    #[inline]
    pub(super) fn any(
        &self,
        corners: [[f64; D]; 2],
        most: f64,
        reach: f64,
        mut is: impl FnMut(&Guest<D>) -> bool,
    ) -> bool {
        self.grids.iter().any(|grid| {
            let far = self.rule.distance(grid.greatest, most);
            far >= reach && grid.any(corners, far, &mut is)
        })
    }
}

/// Points of similar reach.
#[derive(Debug)]
struct Grid<const D: usize> {
    min: [f64; D],
    /// Cells a unit of length.
    scale: f64,
    counts: [usize; D],
    /// `starts[c]..starts[c + 1]` are the points of cell c.
    starts: Vec<u32>,
    points: Vec<Guest<D>>,
    greatest: f64,
    /// What adding and subtracting may round.
    slack: f64,
}

impl<const D: usize> Grid<D> {
    /// Of at least one point.
    fn new(points: &[Guest<D>], rule: Rule, most: f64) -> Self {
        let (mut min, mut max) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        let mut greatest = 0.0_f64;
        let mut extent: f64 = 0.0;
        for &Guest { p, r } in points {
            greatest = greatest.max(r);
            for a in 0..D {
                (min[a], max[a]) = (min[a].min(p[a]), max[a].max(p[a]));
                extent = extent.max(p[a].abs());
            }
        }
        let reach = rule.distance(greatest, most);
        let slack = 8.0 * f64::EPSILON * (extent + reach);
        let mut side = reach + slack;
        let counts = loop {
            let count = |a: usize| ((max[a] - min[a]) / side).floor() + 1.0;
            let counts: [f64; D] = std::array::from_fn(count);
            if counts.iter().product::<f64>() <= points.len() as f64 + 64.0 {
                break counts.map(|n| n as usize);
            }
            side *= 1.25;
        };
        let mut grid = Self {
            min,
            scale: 1.0 / side,
            counts,
            starts: vec![0; counts.iter().product::<usize>() + 1],
            points: Vec::new(),
            greatest,
            slack,
        };
        for q in points {
            let cell = grid.cell_of(q.p);
            grid.starts[cell] += 1;
        }
        // Where each cell ends; filled from there on down, it is where it begins.
        let mut end = 0;
        for start in &mut grid.starts {
            end += *start;
            *start = end;
        }
        let nobody = Guest::new([0.0; D], 0.0);
        grid.points.resize(points.len(), nobody);
        for &q in points {
            let cell = grid.cell_of(q.p);
            grid.starts[cell] -= 1;
            grid.points[grid.starts[cell] as usize] = q;
        }
        grid
    }

    /// The nearest cell along an axis.
    #[inline]
    fn cell(&self, axis: usize, x: f64) -> usize {
        // From below 0 and from no number it comes to 0.
        (((x - self.min[axis]) * self.scale) as usize).min(self.counts[axis] - 1)
    }

    fn cell_of(&self, p: [f64; D]) -> usize {
        self.number(std::array::from_fn(|a| self.cell(a, p[a])))
    }

    #[inline]
    fn number(&self, at: [usize; D]) -> usize {
        (0..D).rev().fold(0, |sum, a| sum * self.counts[a] + at[a])
    }

    /// Whether `is` of any point in the cells within `reach` of what lies between two corners.
    #[inline]
    fn any(
        &self,
        [min, max]: [[f64; D]; 2],
        reach: f64,
        is: &mut impl FnMut(&Guest<D>) -> bool,
    ) -> bool {
        let by = reach + self.slack;
        let first: [usize; D] = std::array::from_fn(|a| self.cell(a, min[a] - by));
        let last: [usize; D] = std::array::from_fn(|a| self.cell(a, max[a] + by));
        let along = last[0] - first[0] + 1;
        let mut row = first;
        loop {
            let start = self.number(row);
            let (from, to) = (self.starts[start], self.starts[start + along]);
            for q in &self.points[from as usize..to as usize] {
                if is(q) {
                    return true;
                }
            }
            let Some(axis) = (1..D).find(|&a| row[a] < last[a]) else {
                return false;
            };
            row[axis] += 1;
            row[1..axis].copy_from_slice(&first[1..axis]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Draws;

    /// Distances over four orders of magnitude.
    fn strewn(rng: &mut Draws, count: usize) -> Vec<Guest<2>> {
        let mut one = || {
            let size = [0.01, 0.3, 4.0, 40.0][rng.below(4) as usize];
            let p = [500.0 * rng.unit() - 1e6, 300.0 * rng.unit()];
            Guest::new(p, size * (0.5 + rng.unit()))
        };
        (0..count).map(|_| one()).collect()
    }

    #[test]
    fn finds_what_a_look_at_each_finds() {
        let mut rng = Draws::new(1);
        for (count, rule) in [
            (0, Rule::Max),
            (1, Rule::Mean),
            (40, Rule::Max),
            (400, Rule::Prior),
            (400, Rule::Min),
            (400, Rule::Own),
        ] {
            let all = strewn(&mut rng, count);
            let grids = Grids::new(all.clone(), rule, 3.0);
            assert_eq!(grids.is_empty(), count == 0);
            let mut near = 0;
            for _ in 0..3000 {
                let p = [520.0 * rng.unit() - 1e6 - 10.0, 320.0 * rng.unit() - 10.0];
                let r = 3.0 * rng.unit() + 0.001;
                let is_near = |q: [f64; 2], own: f64| {
                    let keep = rule.distance(own, r);
                    (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2) < keep * keep
                };
                let truth = all.iter().filter(|q| is_near(q.p, q.r)).count();
                let mut found = 0;
                grids.any([p; 2], r, 0.0, |q| {
                    found += usize::from(is_near(q.p, q.r));
                    false
                });
                assert_eq!(found, truth, "{p:?} {r}");
                assert_eq!(grids.any([p; 2], r, 0.0, |q| is_near(q.p, q.r)), truth > 0);
                near += usize::from(truth > 0);
            }
            assert!(count < 40 || (20..2990).contains(&near), "{near}");
        }
    }

    #[test]
    fn wild_places_are_held() {
        // Two points a world apart must not take a cell for each step between.
        let all = [-1e9, 1e9].map(|x| Guest::new([x, 0.0], 1.0));
        let grids = Grids::new(all.to_vec(), Rule::Max, 1.0);
        let at = |x: f64| grids.any([[x, 0.5]; 2], 1.0, 0.0, |q| (q.p[0] - x).abs() < 1.0);
        assert!(at(1e9) && at(-1e9) && !at(0.0) && !at(f64::NAN));
        assert!(grids.grids[0].starts.len() < 100);
    }

    #[test]
    fn what_is_asked_beyond_is_noticed() {
        let place = |x: f64| Bounds::with_origin([x, 0.0], [2.0, 2.0]).expect("a box");
        let known = Bounds::from_size([10.0; 2]).expect("a box");
        let new = |known| Crowd::new(vec![], vec![], Rule::Max, 1.0, known);
        let everywhere = new(None);
        everywhere.ask(&place(99.0));
        assert!(!everywhere.was_asked_beyond());
        let crowd = new(Some(known));
        crowd.ask(&place(8.0));
        assert!(!crowd.was_asked_beyond());
        crowd.ask(&place(8.5));
        assert!(crowd.was_asked_beyond());
    }
}
