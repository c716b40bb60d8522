//! A search tree over obstacles: boxes, each with the greatest distance in it.
//!
//! ```text
//!   +-----------+  12     Obstacles are sorted into halves along the longer side of their box,
//!   | o   +--+  |         again and again. A query descends only where the box is nearer than
//!   |     |oo| 2|         the distance to keep from the greatest obstacle in it, so that one
//!   |  O  +--+  |         vast obstacle among many small ones costs one path down the tree.
//!   +-----------+
//! ```

use crate::boxes::square;
use crate::rule::Rule;
use density::Bounds;
use density::numbers::plain;
use thiserror::Error;

/// An existing point that samples keep clear of, with a `min_dist` of its own.
///
/// See [`Avoiding`](crate::Avoiding) for obstacles that are known before a run, and [`World::put`](crate::World::put)
/// for those that come and go.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Obstacle<const D: usize> {
    /// Position, world units.
    #[cfg_attr(feature = "serde", serde(with = "serde_big_array::BigArray"))]
    pub position: [f64; D],
    /// Its minimum distance, world units.
    pub min_dist: f64,
}

/// The reason for which obstacles were refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AvoidError {
    /// A coordinate is not finite or is too large.
    #[error(
        "obstacle {index} (counted from 0) has a coordinate {value}; \
         coordinates must be finite, between -{limit:e} and {limit:e}",
        value = plain(*value)
    )]
    OutOfScale {
        /// Index of the obstacle, from 0.
        index: usize,
        /// The coordinate.
        value: f64,
        /// The greatest absolute value allowed.
        limit: f64,
    },
    /// A distance is not positive, or is too small or too large for arithmetic.
    #[error(
        "obstacle {index} (counted from 0) has min_dist = {value}; \
         it must be positive, between {least:e} and {limit:e}",
        value = plain(*value), least = 1.0 / *limit
    )]
    NotADistance {
        /// Index of the obstacle, from 0.
        index: usize,
        /// The distance.
        value: f64,
        /// The greatest distance allowed; the least is 1 / `limit`.
        limit: f64,
    },
    /// A distance is too large compared with the least distance of the fields.
    #[error(
        "obstacle {index} (counted from 0) has min_dist = {value}, more than {limit}: 10,000 times the \
         least distance of the fields; close such places with a region",
        value = plain(*value), limit = plain(*limit)
    )]
    TooLarge {
        /// Index of the obstacle, from 0.
        index: usize,
        /// The distance.
        value: f64,
        /// The greatest distance allowed.
        limit: f64,
    },
    /// The rule needs the parents of points, but a place has no parent.
    #[error("rule parent defines no distance from obstacles; choose another rule")]
    NoParents,
    /// There are more obstacles than can be numbered.
    #[error("{found} obstacles are more than the limit of {limit}")]
    TooMany {
        /// Number of obstacles.
        found: usize,
        /// Maximum number of obstacles.
        limit: usize,
    },
    /// An obstacle reaches farther than half a tile: a point could conflict with it from two sides at
    /// once.
    #[error(
        "obstacles keep up to {reach} free, more than half the tile's side of {size}: enlarge the \
         tile, or lower the distances",
        reach = plain(*reach), size = plain(*size)
    )]
    TileTooSmall {
        /// Distance from an obstacle within which a place may be closed, world units.
        reach: f64,
        /// The tile's shortest side, world units.
        size: f64,
    },
}

/// Maximum absolute value of a number, so that no square overflows.
const MOST: f64 = 1e150;

/// Maximum number of obstacles, copies around a tile included: they are numbered in 32 bits.
const MOST_OBSTACLES: usize = 1 << 31;

/// Maximum number of obstacles in a leaf.
const LEAF: usize = 8;

/// A box of the tree and its obstacles.
#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    min: [f64; D],
    max: [f64; D],
    /// The greatest distance of its obstacles.
    greatest: f64,
    /// Index of its first obstacle, and number of its obstacles.
    first: u32,
    count: u32,
    /// Index of the node of its second half; its first half is the next node. 0 for a leaf.
    second: u32,
}

/// Obstacles in a search tree.
#[derive(Clone, Debug)]
pub(crate) struct Obstacles<const D: usize> {
    all: Vec<Obstacle<D>>,
    /// The first node contains all obstacles. Empty without obstacles.
    nodes: Vec<Node<D>>,
}

impl<const D: usize> Obstacles<D> {
    /// Builds the tree of at most 2^31 obstacles with finite numbers.
    pub(crate) fn new(mut all: Vec<Obstacle<D>>) -> Self {
        let mut nodes = Vec::new();
        let mut todo = Vec::new();
        if !all.is_empty() {
            todo.push((0..all.len(), None));
        }
        // Depth first, so that a first half comes right after its parent.
        while let Some((range, whole)) = todo.pop() {
            let number = nodes.len();
            if let Some(whole) = whole {
                let whole: &mut Node<D> = &mut nodes[whole];
                whole.second = number as u32;
            }
            let part = &mut all[range.clone()];
            let node = Node::around(part, range.start);
            nodes.push(node);
            if part.len() <= LEAF {
                continue;
            }
            let longest = (0..D).max_by(|&a, &b| {
                let side = |a: usize| node.max[a] - node.min[a];
                side(a).total_cmp(&side(b))
            });
            let axis = longest.unwrap_or(0);
            let half = part.len() / 2;
            part.select_nth_unstable_by(half, |p, q| p.position[axis].total_cmp(&q.position[axis]));
            let middle = range.start + half;
            todo.push((middle..range.end, Some(number)));
            todo.push((range.start..middle, None));
        }
        Self { all, nodes }
    }

    /// Returns all obstacles, in no particular order.
    pub(crate) fn all(&self) -> &[Obstacle<D>] {
        &self.all
    }

    /// Returns `true` if a point at `p` with radius `r` conflicts with any obstacle.
    pub(crate) fn conflict(&self, p: [f64; D], r: f64, rule: Rule) -> bool {
        self.any_near([p, p], r, rule, |_| true)
    }

    /// Returns `true` if one obstacle conflicts with every point of radius `r` or more in a box.
    /// Subtracting and squaring preserve order even when rounded, so a conflict with the farthest
    /// corner is a conflict with every place.
    pub(crate) fn cover(&self, place: &Bounds<D>, r: f64, rule: Rule) -> bool {
        let (min, max, middle) = (place.min(), place.max(), place.center());
        let farthest = |p: [f64; D]| square::<D>(|a| (p[a] - min[a]).max(max[a] - p[a]));
        self.find(
            |node| {
                let keep = rule.distance(node.greatest, r);
                let best = std::array::from_fn(|a| middle[a].clamp(node.min[a], node.max[a]));
                // The box's centre may be rounded.
                keep * keep - farthest(best) * (1.0 - 1e-12)
            },
            |obstacle| {
                let keep = rule.distance(obstacle.min_dist, r);
                farthest(obstacle.position) < keep * keep
            },
        )
    }

    /// Returns `true` if any obstacle might conflict with a point in a box, of radius `r` or less.
    pub(crate) fn reach(&self, place: &Bounds<D>, r: f64, rule: Rule) -> bool {
        self.any_near([place.min(), place.max()], r, rule, |_| true)
    }

    /// Calls `visit` with the obstacles that might conflict with a point in a box, of radius `r` or
    /// less.
    pub(crate) fn visit_near(
        &self,
        place: &Bounds<D>,
        r: f64,
        rule: Rule,
        mut visit: impl FnMut(&Obstacle<D>),
    ) {
        self.any_near([place.min(), place.max()], r, rule, |obstacle| {
            visit(obstacle);
            false
        });
    }

    /// Returns `true` if `is` is true of any obstacle that might conflict with a point of radius `r` or less
    /// from `min` to `max`, both included.
    #[inline]
    fn any_near(
        &self,
        [min, max]: [[f64; D]; 2],
        r: f64,
        rule: Rule,
        mut is: impl FnMut(&Obstacle<D>) -> bool,
    ) -> bool {
        self.find(
            |node| {
                let keep = rule.distance(node.greatest, r);
                let gap =
                    square::<D>(|a| (node.min[a] - max[a]).max(min[a] - node.max[a]).max(0.0));
                keep * keep - gap
            },
            |obstacle| {
                let keep = rule.distance(obstacle.min_dist, r);
                let p = obstacle.position;
                let gap = square::<D>(|a| (p[a] - max[a]).max(min[a] - p[a]).max(0.0));
                gap < keep * keep && is(obstacle)
            },
        )
    }

    /// Returns `true` if `is` is true of any obstacle. `room` is positive for a node that may contain
    /// such an obstacle; nodes with a larger `room` are searched first.
    #[inline]
    fn find(
        &self,
        room: impl Fn(&Node<D>) -> f64,
        mut is: impl FnMut(&Obstacle<D>) -> bool,
    ) -> bool {
        // Each level halves the number of obstacles, so the tree is not deeper than this.
        let mut todo = [0_u32; 40];
        let mut waiting = usize::from(self.nodes.first().is_some_and(|node| room(node) > 0.0));
        while waiting > 0 {
            waiting -= 1;
            let number = todo[waiting];
            let node = &self.nodes[number as usize];
            if node.second == 0 {
                let first = node.first as usize;
                if self.all[first..first + node.count as usize]
                    .iter()
                    .any(&mut is)
                {
                    return true;
                }
                continue;
            }
            let halves = [number + 1, node.second];
            let [a, b] = halves.map(|half| room(&self.nodes[half as usize]));
            let (sooner, later) = if a >= b { (0, 1) } else { (1, 0) };
            for half in [later, sooner] {
                if [a, b][half] > 0.0 {
                    todo[waiting] = halves[half];
                    waiting += 1;
                }
            }
        }
        false
    }
}

impl<const D: usize> Node<D> {
    fn around(part: &[Obstacle<D>], first: usize) -> Self {
        let mut node = Self {
            min: [f64::INFINITY; D],
            max: [f64::NEG_INFINITY; D],
            greatest: 0.0,
            first: first as u32,
            count: part.len() as u32,
            second: 0,
        };
        for obstacle in part {
            for a in 0..D {
                node.min[a] = node.min[a].min(obstacle.position[a]);
                node.max[a] = node.max[a].max(obstacle.position[a]);
            }
            node.greatest = node.greatest.max(obstacle.min_dist);
        }
        node
    }
}

/// Checks that obstacles that reach up to `reach` fit a periodic domain.
pub(crate) fn check_tile<const D: usize>(tile: &Bounds<D>, reach: f64) -> Result<(), AvoidError> {
    let size = tile.size().into_iter().fold(f64::INFINITY, f64::min);
    if reach > 0.5 * size {
        return Err(AvoidError::TileTooSmall { reach, size });
    }
    Ok(())
}

/// Checks that obstacles are not too many, and that their numbers are in range.
pub(crate) fn check<const D: usize>(
    rule: Rule,
    obstacles: &[Obstacle<D>],
) -> Result<(), AvoidError> {
    if rule == Rule::Parent {
        return Err(AvoidError::NoParents);
    }
    if obstacles.len() > MOST_OBSTACLES {
        return Err(AvoidError::TooMany {
            found: obstacles.len(),
            limit: MOST_OBSTACLES,
        });
    }
    for (index, obstacle) in obstacles.iter().enumerate() {
        let beyond = |x: &&f64| x.is_nan() || x.abs() > MOST;
        if let Some(&value) = obstacle.position.iter().find(beyond) {
            return Err(AvoidError::OutOfScale {
                index,
                value,
                limit: MOST,
            });
        }
        let value = obstacle.min_dist;
        if !(MOST.recip()..=MOST).contains(&value) {
            return Err(AvoidError::NotADistance {
                index,
                value,
                limit: MOST,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Draws;
    use std::cell::Cell;

    /// Nearly all obstacles are small, a few a thousand times as large. Without the tree each query
    /// would test a hundred thousand.
    #[test]
    fn few_of_many_are_looked_at() {
        let mut draws = Draws::new(1);
        let mut place = || [0; 2].map(|_| 3000.0 * draws.unit());
        let many = (1..=100_000).map(|number| Obstacle {
            position: place(),
            min_dist: 10_000.0 / (100.0 + f64::from(number)),
        });
        let obstacles = Obstacles::new(many.collect());
        let looked = Cell::new(0);
        let count = |found: bool| {
            looked.set(looked.get() + 1);
            found
        };
        let mut open = 0;
        for _ in 0..1000 {
            let p = place();
            let conflict = obstacles.find(
                |node| {
                    count(false);
                    let gap = |a: usize| (node.min[a] - p[a]).max(p[a] - node.max[a]).max(0.0);
                    node.greatest * node.greatest - square::<2>(gap)
                },
                |obstacle| {
                    let keep = obstacle.min_dist;
                    count(square::<2>(|a| obstacle.position[a] - p[a]) < keep * keep)
                },
            );
            open += u32::from(!conflict);
        }
        assert!((50..950).contains(&open), "{open} of 1000");
        assert!(looked.get() < 200_000, "{} looks", looked.get());
    }
}
