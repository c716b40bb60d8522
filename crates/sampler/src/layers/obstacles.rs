//! Points that later layers keep off, found by place.
//!
//! ```text
//!   +----+----+----+    Each point stands in the list of every cell that it may close a place
//!   |  __|_   |    |    of, so that a place asks one list a level. Points of similar reach
//!   | /  | \  |    |    share a level: grids that fit, whatever the largest is to the smallest.
//!   +-|--+-|--+----+
//!   | \__|_/  |    |
//!   +----+----+----+
//! ```

use super::apart::Keep;
use crate::steps::for_each;
use density::{Bounds, DistRange};

/// A point that places are kept from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Obstacle<const D: usize> {
    pub(super) position: [f64; D],
    /// The field's distance there.
    pub(super) min_dist: f64,
    pub(super) keep: Keep,
}

impl<const D: usize> Obstacle<D> {
    /// Whether a point here with this distance would be too near.
    #[inline]
    fn is_near(&self, p: [f64; D], min_dist: f64) -> bool {
        let keep = self.keep.distance(self.min_dist, min_dist);
        let square: f64 = (0..D).map(|a| p[a] - self.position[a]).map(|d| d * d).sum();
        square < keep * keep
    }

    /// The squares of the distances to the nearest and to the farthest place of a box. Rounded
    /// as that to any place between: they bound what [`is_near`](Self::is_near) compares.
    #[inline]
    fn squares(&self, place: &Bounds<D>) -> [f64; 2] {
        let (min, max) = (place.min(), place.max());
        let mut squares = [0.0; 2];
        for a in 0..D {
            let (below, above) = (min[a] - self.position[a], max[a] - self.position[a]);
            let near = below.max(-above).max(0.0);
            let far = above.max(-below);
            squares[0] += near * near;
            squares[1] += far * far;
        }
        squares
    }
}

/// How much of a box obstacles leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    All,
    /// Some of it, or unknown.
    Some,
    Nothing,
}

/// Obstacles of one level.
#[derive(Clone, Debug)]
struct Level<const D: usize> {
    min: [f64; D],
    /// Cells a unit of length.
    scale: f64,
    counts: [usize; D],
    /// `starts[c]..starts[c + 1]` are the entries of cell c.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

/// Obstacles, by place.
#[derive(Clone, Debug)]
pub(super) struct Obstacles<const D: usize> {
    all: Vec<Obstacle<D>>,
    levels: Vec<Level<D>>,
}

/// A box over more cells of a level than this is not looked at closely.
const MOST_CELLS: usize = 64;

impl<const D: usize> Obstacles<D> {
    /// An index over `all` for points whose own distances are at most `most`. Those that keep
    /// nothing away are left out.
    pub(super) fn new(all: Vec<Obstacle<D>>, most: f64) -> Self {
        let reach = |o: &Obstacle<D>| o.keep.distance(o.min_dist, most);
        let mut by_reach: Vec<(f64, u32)> = (0..)
            .zip(&all)
            .map(|(i, o)| (reach(o), i))
            .filter(|(reach, _)| *reach > 0.0)
            .collect();
        by_reach.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let mut levels = Vec::new();
        let mut rest = &by_reach[..];
        while let Some((largest, _)) = rest.last() {
            // All that reach more than half as far.
            let from = rest.partition_point(|(reach, _)| *reach <= 0.5 * largest);
            levels.push(Level::new(&all, &rest[from..]));
            rest = &rest[..from];
        }
        Self { all, levels }
    }

    /// Whether any obstacle is too near for a point here with this distance.
    #[inline]
    pub(super) fn are_near(&self, p: [f64; D], min_dist: f64) -> bool {
        self.levels.iter().any(|level| {
            level.at(p).is_some_and(|cell| {
                let mut near = level.entries(cell).iter();
                near.any(|&i| self.all[i as usize].is_near(p, min_dist))
            })
        })
    }

    /// Calls `visit` with the balls around a box that are closed to points whose distances are
    /// `least` or more, but for those that are very small beside the box.
    pub(super) fn near(&self, place: &Bounds<D>, least: f64, visit: &mut dyn FnMut([f64; D], f64)) {
        for level in &self.levels {
            let Some((first, last)) = level.cells(place) else {
                continue;
            };
            let cells: usize = (0..D).map(|a| last[a] - first[a] + 1).product();
            if cells > MOST_CELLS {
                continue;
            }
            for_each(first, last, |at| {
                for &i in level.entries(level.number(at)) {
                    let obstacle = &self.all[i as usize];
                    // In the cell next to the one it lies in: once, mostly.
                    let own = |a: usize| level.cell(a, obstacle.position[a]);
                    let once = (0..D).all(|a| {
                        let (low, high) = (first[a] as f64, last[a] as f64);
                        own(a).clamp(low, high) == at[a] as f64
                    });
                    if once {
                        let keep = obstacle.keep.distance(obstacle.min_dist, least);
                        visit(obstacle.position, keep);
                    }
                }
            });
        }
    }

    /// How much of a box is open to points whose distances there lie in `range`.
    pub(super) fn left(&self, place: &Bounds<D>, range: &DistRange) -> Left {
        let mut left = Left::All;
        for level in &self.levels {
            let Some((first, last)) = level.cells(place) else {
                continue;
            };
            let cells: usize = (0..D).map(|a| last[a] - first[a] + 1).product();
            if cells > MOST_CELLS {
                left = Left::Some;
                continue;
            }
            let mut at = first;
            loop {
                for &i in level.entries(level.number(at)) {
                    let obstacle = &self.all[i as usize];
                    let [near, far] = obstacle.squares(place);
                    let [least, most] = [range.lo(), range.hi()]
                        .map(|r| obstacle.keep.distance(obstacle.min_dist, r));
                    if far < least * least {
                        return Left::Nothing;
                    }
                    if near < most * most {
                        left = Left::Some;
                    }
                }
                let Some(axis) = (0..D).find(|&a| at[a] < last[a]) else {
                    break;
                };
                at[axis] += 1;
                at[..axis].copy_from_slice(&first[..axis]);
            }
        }
        left
    }
}

impl<const D: usize> Level<D> {
    /// Of obstacles with their reaches, the largest last.
    fn new(all: &[Obstacle<D>], members: &[(f64, u32)]) -> Self {
        let largest = members.last().map_or(0.0, |(reach, _)| *reach);
        let place = |i: u32| all[i as usize].position;
        let (mut min, mut max) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        let mut extent: f64 = 0.0;
        for &(_, i) in members {
            for (a, x) in place(i).into_iter().enumerate() {
                min[a] = min[a].min(x);
                max[a] = max[a].max(x);
                extent = extent.max(x.abs());
            }
        }
        // What adding and subtracting may round.
        let slack = 8.0 * f64::EPSILON * (extent + largest);
        let grown = largest + slack;
        let (min, max) = (min.map(|x| x - grown), max.map(|x| x + grown));
        let mut side = 2.0 * grown;
        let counts = loop {
            let count = |a: usize| ((max[a] - min[a]) / side).floor() + 1.0;
            let counts: [f64; D] = std::array::from_fn(count);
            if counts.iter().product::<f64>() <= 2.0 * members.len() as f64 + 64.0 {
                break counts.map(|n| n as usize);
            }
            side *= 1.25;
        };
        let mut level = Self {
            min,
            scale: 1.0 / side,
            counts,
            starts: Vec::new(),
            entries: Vec::new(),
        };
        let touched = |level: &Self, (reach, i): (f64, u32)| {
            let by = reach + slack;
            let p = place(i);
            let cell = |a: usize, x: f64| level.cell(a, x).clamp(0.0, (counts[a] - 1) as f64);
            let first = std::array::from_fn(|a| cell(a, p[a] - by) as usize);
            let last = std::array::from_fn(|a| cell(a, p[a] + by) as usize);
            (first, last)
        };
        let mut starts = vec![0_u32; counts.iter().product::<usize>() + 1];
        for &member in members {
            let (first, last) = touched(&level, member);
            for_each(first, last, |at| starts[level.number(at) + 1] += 1);
        }
        for c in 1..starts.len() {
            starts[c] += starts[c - 1];
        }
        let mut entries = vec![0; starts.last().map_or(0, |&n| n as usize)];
        let mut next = starts.clone();
        // The largest first: they close most.
        for &member in members.iter().rev() {
            let (first, last) = touched(&level, member);
            for_each(first, last, |at| {
                let place = &mut next[level.number(at)];
                entries[*place as usize] = member.1;
                *place += 1;
            });
        }
        level.starts = starts;
        level.entries = entries;
        level
    }

    #[inline]
    fn cell(&self, axis: usize, x: f64) -> f64 {
        ((x - self.min[axis]) * self.scale).floor()
    }

    #[inline]
    fn at(&self, p: [f64; D]) -> Option<usize> {
        let mut number = 0;
        for a in (0..D).rev() {
            let cell = self.cell(a, p[a]);
            if !(cell >= 0.0 && cell < self.counts[a] as f64) {
                return None;
            }
            number = number * self.counts[a] + cell as usize;
        }
        Some(number)
    }

    #[inline]
    fn number(&self, at: [usize; D]) -> usize {
        (0..D).rev().fold(0, |sum, a| sum * self.counts[a] + at[a])
    }

    #[inline]
    fn entries(&self, cell: usize) -> &[u32] {
        &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// The first and the last cell that a box touches.
    fn cells(&self, place: &Bounds<D>) -> Option<([usize; D], [usize; D])> {
        let (mut first, mut last) = ([0; D], [0; D]);
        for a in 0..D {
            let most = (self.counts[a] - 1) as f64;
            let (low, high) = (self.cell(a, place.min()[a]), self.cell(a, place.max()[a]));
            if high < 0.0 || low > most {
                return None;
            }
            first[a] = low.max(0.0) as usize;
            last[a] = high.min(most) as usize;
        }
        Some((first, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Draws;
    use crate::rule::Rule;

    fn strewn(rng: &mut Draws, count: usize) -> Vec<Obstacle<2>> {
        let mut one = || {
            // Reaches over four orders of magnitude.
            let size = [0.01, 0.3, 4.0, 40.0][rng.below(4) as usize];
            let keep = match rng.below(3) {
                0 => Keep::Fixed(size * rng.unit()),
                1 => Keep::By(Rule::Max),
                _ => Keep::By(Rule::Own),
            };
            Obstacle {
                position: [500.0 * rng.unit() - 1e6, 300.0 * rng.unit()],
                min_dist: size * (0.5 + rng.unit()),
                keep,
            }
        };
        (0..count).map(|_| one()).collect()
    }

    #[test]
    fn finds_what_a_look_at_each_finds() {
        let mut rng = Draws::new(1);
        for count in [0, 1, 3, 40, 400] {
            let all = strewn(&mut rng, count);
            let index = Obstacles::new(all.clone(), 3.0);
            let mut closed = 0;
            for _ in 0..4000 {
                let p = [520.0 * rng.unit() - 1e6 - 10.0, 320.0 * rng.unit() - 10.0];
                let r = 3.0 * rng.unit() + 0.001;
                let truth = all.iter().any(|o| {
                    let d = [p[0] - o.position[0], p[1] - o.position[1]];
                    let keep = o.keep.distance(o.min_dist, r);
                    d[0].powi(2) + d[1].powi(2) < keep * keep
                });
                assert_eq!(index.are_near(p, r), truth, "{p:?} {r}");
                closed += u32::from(truth);
            }
            assert!(count < 40 || (200..3800).contains(&closed), "{closed}");
        }
    }

    #[test]
    fn bounds_of_boxes_are_true() {
        let mut rng = Draws::new(2);
        let all = strewn(&mut rng, 300);
        let index = Obstacles::new(all, 3.0);
        let range = DistRange::new(1.0, 3.0).expect("a good range");
        let mut seen = [0_u32; 3];
        for _ in 0..4000 {
            let size = [0.05, 1.0, 10.0][rng.below(3) as usize];
            let min = [510.0 * rng.unit() - 1e6, 310.0 * rng.unit()];
            let place = Bounds::with_origin(min, [size; 2]).expect("a box");
            let left = index.left(&place, &range);
            seen[left as usize] += 1;
            for _ in 0..20 {
                let p = std::array::from_fn(|a| {
                    let x = min[a] + rng.unit() * size;
                    x.min(place.max()[a].next_down())
                });
                let near = index.are_near(p, 1.0 + 2.0 * rng.unit());
                match left {
                    Left::All => assert!(!near),
                    Left::Nothing => assert!(near),
                    Left::Some => {}
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
    }

    #[test]
    fn wild_places_are_held() {
        let keep = Keep::Fixed(1.0);
        let at = |x: f64, min_dist| Obstacle {
            position: [x, 0.0],
            min_dist,
            keep,
        };
        // Two points a world apart must not take a cell for each step between.
        let index = Obstacles::new(vec![at(-1e9, 1.0), at(1e9, 1.0)], 1.0);
        assert!(index.are_near([1e9, 0.5], 1.0));
        assert!(!index.are_near([0.0, 0.5], 1.0));
        assert!(!index.are_near([f64::NAN, 0.5], 1.0));
        assert!(index.levels[0].starts.len() < 100);
    }
}
