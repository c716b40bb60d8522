//! How a region is divided for searching: buckets that fit the field, and for each the buckets
//! that matter to it.
//!
//! Nothing here decides a point; it only says where to look.
//!
//! ```text
//!   +-------+---+---+    A bucket's side is at most 4 / sqrt(D) of the least distance in it
//!   |       |   |   |    (so that about six points lie in it), or it is cut in 2^D. For
//!   |   .   +---+---+    each bucket, and for each of its 2^D corners, there is a list of
//!   |       | . |   |    the buckets that hold points which may conflict with something
//!   +-------+---+---+    there: in a uniform field four in the plane, eight in space.
//! ```

use super::lattice::{Cell, TOP, Turn, for_each};
use super::view::{Sight, View};
use crate::rule::Rule;
use density::RadiusField;

/// "No such node".
const NONE: u32 = u32::MAX;

/// A bucket, as the region needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket<const D: usize> {
    pub(super) cell: Cell<D>,
    pub(super) turn: Turn<D>,
    pub(super) lo: f64,
    pub(super) hi: f64,
    pub(super) even: bool,
    /// Added to world coordinates, it gives the region's own.
    pub(super) shift: [f64; D],
    pub(super) frame: Frame<D>,
}

/// A box in the region's own coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<const D: usize> {
    pub(super) center: [f32; D],
    pub(super) half: [f32; D],
}

impl<const D: usize> Frame<D> {
    /// The square of the gap between two boxes.
    #[inline]
    pub(super) fn gap2(&self, other: &Self) -> f32 {
        (0..D)
            .map(|a| {
                let gap = (self.center[a] - other.center[a]).abs() - self.half[a] - other.half[a];
                let gap = if gap > 0.0 { gap } else { 0.0 };
                gap * gap
            })
            .sum()
    }

    /// The box's corner number `index` of `2^D`.
    fn corner(&self, index: usize) -> Self {
        let half = self.half.map(|h| 0.5 * h);
        Self {
            center: std::array::from_fn(|a| {
                let step = if (index >> a) & 1 == 1 {
                    half[a]
                } else {
                    -half[a]
                };
                self.center[a] + step
            }),
            half,
        }
    }
}

/// A bucket in the making, or a cell that was cut.
#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    bucket: Bucket<D>,
    /// The first part and how many there are; none of a bucket.
    parts: (u32, u32),
    /// Where its list stands in the pool.
    list: (u32, u32),
    /// Its number among the buckets.
    number: u32,
}

/// The buckets of a region and their lists. Reused from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree<const D: usize> {
    pub(super) buckets: Vec<Bucket<D>>,
    /// `starts[b * LISTS + k]` begins the list of bucket `b` as a whole (k = 0) or of its corner
    /// k - 1.
    starts: Vec<u32>,
    lists: Vec<u32>,
    nodes: Vec<Node<D>>,
    pool: Vec<u32>,
}

/// The cells of a level that a region is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base<const D: usize> {
    pub(super) level: u32,
    pub(super) first: [i64; D],
    pub(super) last: [i64; D],
}

impl<const D: usize> Tree<D> {
    /// Lists a bucket has: its own and one for each corner.
    pub(super) const LISTS: u32 = 1 + (1 << D);

    /// The list of buckets that matter to a cell in bucket `bucket`.
    #[inline]
    pub(super) fn list_of(&self, bucket: u32, cell: Cell<D>) -> u32 {
        let own = self.buckets[bucket as usize].cell.level;
        let part = if cell.level > own {
            1 + cell.part_of(own) as u32
        } else {
            0
        };
        bucket * Self::LISTS + part
    }

    /// What stands in a list.
    #[inline]
    pub(super) fn list(&self, list: u32) -> &[u32] {
        let from = self.starts[list as usize] as usize;
        let to = self.starts[list as usize + 1] as usize;
        &self.lists[from..to]
    }

    /// By how many turns one bucket is ahead of another.
    pub(super) fn turn(&self, bucket: u32, other: u32) -> Turn<D> {
        let [there, here] = [bucket, other].map(|b| self.buckets[b as usize].turn);
        std::array::from_fn(|a| there[a] - here[a])
    }

    /// Divides a region. `origin` is where the region's own coordinates start.
    pub(super) fn build<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        rule: Rule,
        base: &Base<D>,
        origin: [f64; D],
    ) {
        self.nodes.clear();
        self.pool.clear();
        self.roots(view, rule, base, origin);
        let (mut from, mut to) = (0, self.nodes.len());
        while from < to {
            let any_cut = self.cut(view, from, to);
            if any_cut {
                self.settle(rule, to);
            }
            (from, to) = (to, self.nodes.len());
        }
        self.number(rule);
    }

    /// The cells of the base level, each with a list of those near it.
    fn roots<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        rule: Rule,
        base: &Base<D>,
        origin: [f64; D],
    ) {
        let count = |a: usize| (base.last[a] - base.first[a] + 1) as usize;
        let mut grid = Vec::with_capacity((0..D).map(count).product());
        let mut most: f64 = 0.0;
        for_each(base.first, base.last, |at| {
            let cell = Cell {
                level: base.level,
                at,
            };
            let (cell, turn) = view.lattice.wrap(cell);
            let Some(sight) = view.look(cell) else {
                grid.push(NONE);
                return;
            };
            let carried = view.lattice.carried(turn);
            let shift = std::array::from_fn(|a| carried[a] - origin[a]);
            most = most.max(sight.hi);
            grid.push(self.nodes.len() as u32);
            self.nodes.push(Node::new(view, cell, turn, shift, &sight));
        });
        let sides = view.lattice.sides(base.level);
        let reach = sides.map(|s| (most / s).ceil() as i64 + 1);
        let mut at = base.first;
        for &node in &grid {
            if node != NONE {
                let start = self.pool.len() as u32;
                let first: [i64; D] =
                    std::array::from_fn(|a| (at[a] - reach[a]).max(base.first[a]));
                let last: [i64; D] = std::array::from_fn(|a| (at[a] + reach[a]).min(base.last[a]));
                for_each(first, last, |near: [i64; D]| {
                    let place = (0..D).rev().fold(0, |sum, a| {
                        sum * count(a) + (near[a] - base.first[a]) as usize
                    });
                    let other = grid[place];
                    if other != NONE && self.related(rule, node, other) {
                        self.pool.push(other);
                    }
                });
                self.nodes[node as usize].list = (start, self.pool.len() as u32 - start);
            }
            for a in 0..D {
                at[a] += 1;
                if at[a] <= base.last[a] {
                    break;
                }
                at[a] = base.first[a];
            }
        }
    }

    /// Cuts those of the nodes `from..to` that are too large. Whether any was.
    fn cut<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, from: usize, to: usize) -> bool {
        for index in from..to {
            let Bucket {
                cell,
                turn,
                lo,
                shift,
                ..
            } = self.nodes[index].bucket;
            let longest = view.lattice.diagonal(cell.level);
            if longest <= TOP * lo {
                continue;
            }
            let start = self.nodes.len() as u32;
            for half in 0..1 << D {
                let half = cell.half(half);
                if let Some(sight) = view.look(half) {
                    self.nodes.push(Node::new(view, half, turn, shift, &sight));
                }
            }
            self.nodes[index].parts = (start, self.nodes.len() as u32 - start);
            if self.nodes.len() as u32 == start {
                // Nothing in it after all: a bucket without cells.
                self.nodes[index].parts = (0, 0);
            }
        }
        self.nodes.len() > to
    }

    /// Gives the parts of cut nodes (from `new` on) their lists, and replaces cut nodes in the
    /// lists of the others by their parts.
    fn settle(&mut self, rule: Rule, new: usize) {
        for index in 0..new {
            let (first, count) = self.nodes[index].parts;
            if count == 0 {
                let (start, len) = self.nodes[index].list;
                let cut = |&m: &u32| self.nodes[m as usize].parts.1 > 0;
                if self.pool[start as usize..(start + len) as usize]
                    .iter()
                    .any(cut)
                {
                    self.nodes[index].list = self.expanded(rule, index as u32, (start, len));
                }
            } else if first as usize >= new {
                let list = self.nodes[index].list;
                for part in first..first + count {
                    self.nodes[part as usize].list = self.expanded(rule, part, list);
                }
            }
        }
    }

    /// The list of `node` made from a list of what contains it, with parts for cut nodes.
    fn expanded(&mut self, rule: Rule, node: u32, (start, len): (u32, u32)) -> (u32, u32) {
        let begin = self.pool.len() as u32;
        for i in start..start + len {
            let other = self.pool[i as usize];
            let (first, count) = self.nodes[other as usize].parts;
            let parts = if count == 0 {
                other..other + 1
            } else {
                first..first + count
            };
            for other in parts {
                if self.related(rule, node, other) {
                    self.pool.push(other);
                }
            }
        }
        (begin, self.pool.len() as u32 - begin)
    }

    /// Whether points of two nodes may conflict.
    fn related(&self, rule: Rule, a: u32, b: u32) -> bool {
        let (a, b) = (
            &self.nodes[a as usize].bucket,
            &self.nodes[b as usize].bucket,
        );
        a.frame.gap2(&b.frame) < reach2(rule, a.hi, b.hi)
    }

    /// Numbers the buckets and makes the final lists.
    fn number(&mut self, rule: Rule) {
        self.buckets.clear();
        self.starts.clear();
        self.lists.clear();
        for node in &mut self.nodes {
            if node.parts.1 == 0 {
                node.number = self.buckets.len() as u32;
                self.buckets.push(node.bucket);
            }
        }
        for node in &self.nodes {
            if node.parts.1 > 0 {
                continue;
            }
            let (start, len) = node.list;
            let near = &self.pool[start as usize..(start + len) as usize];
            let near = near.iter().map(|&m| self.nodes[m as usize].number);
            self.starts.push(self.lists.len() as u32);
            // Itself first: most conflicts are found there.
            self.lists.push(node.number);
            self.lists
                .extend(near.clone().filter(|&m| m != node.number));
            for corner in 0..1 << D {
                let frame = node.bucket.frame.corner(corner);
                self.starts.push(self.lists.len() as u32);
                self.lists.push(node.number);
                self.lists.extend(near.clone().filter(|&m| {
                    let other = &self.buckets[m as usize];
                    m != node.number
                        && frame.gap2(&other.frame) < reach2(rule, node.bucket.hi, other.hi)
                }));
            }
        }
        self.starts.push(self.lists.len() as u32);
    }
}

/// The square of the farthest that points of two distances may conflict, with a margin for
/// what single precision loses.
fn reach2(rule: Rule, a: f64, b: f64) -> f32 {
    let reach = rule.distance(a, b).max(rule.distance(b, a)) * 1.01;
    (reach * reach) as f32
}

impl<const D: usize> Node<D> {
    fn new<F: RadiusField<D>>(
        view: &View<'_, D, F>,
        cell: Cell<D>,
        turn: Turn<D>,
        shift: [f64; D],
        sight: &Sight<D>,
    ) -> Self {
        // The cell as a whole, also where it hangs over the edge of the domain: its corners
        // are those of the lattice.
        let place = view.lattice.bounds(cell).unwrap_or(sight.place);
        let (center, size) = (place.center(), place.size());
        Self {
            bucket: Bucket {
                cell,
                turn,
                lo: sight.lo,
                hi: sight.hi,
                even: sight.even,
                shift,
                frame: Frame {
                    center: std::array::from_fn(|a| (center[a] + shift[a]) as f32),
                    half: std::array::from_fn(|a| (0.5 * size[a]) as f32),
                },
            },
            parts: (0, 0),
            list: (0, 0),
            number: NONE,
        }
    }
}
