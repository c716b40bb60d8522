//! The tiles of a region, which fit the field, and for each the tiles that matter to it.
//!
//! ```text
//!   +-------+---+---+    A tile's diagonal is at most 4 times the least distance in it (so
//!   |       |   |   |    that about six points lie in it), or it is cut in 2^D. For each of
//!   |   .   +---+---+    its 2^D corners there is a list of the tiles that hold points which
//!   |       | . |   |    may conflict with something there: in a uniform field four in the
//!   +-------+---+---+    plane, eight in space.
//! ```

use super::lattice::{Cell, Lattice, Parts, Turn};
use super::tile::{Frame, Tile};
use super::view::{Sight, View};
use crate::rule::Rule;
use crate::steps::for_each;
use density::RadiusField;

/// "No such node".
const NONE: u32 = u32::MAX;

/// A tile in the making, or a cell that was cut.
#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    tile: Tile<D>,
    frame: Frame<D>,
    /// The most that a point in it may ask for: of a cell that will be cut, in any of its parts.
    most: f64,
    /// Whether it is small enough for the field.
    fits: bool,
    /// The first part and how many there are; none of a tile.
    parts: (u32, u32),
    /// Where its list stands in the pool.
    list: (u32, u32),
    /// Its number among the tiles.
    number: u32,
}

/// The tiles of a region and their lists. Reused from region to region.
#[derive(Clone, Debug)]
pub(super) struct Tree<const D: usize> {
    pub(super) tiles: Vec<Tile<D>>,
    /// Where they lie.
    pub(super) frames: Vec<Frame<D>>,
    /// Where the region's own coordinates start in the world.
    origin: [f64; D],
    /// `starts[t * LISTS + k]` begins the list of corner k of tile t.
    starts: Vec<u32>,
    lists: Vec<u32>,
    nodes: Vec<Node<D>>,
    /// The tiles among them, each with its place on a curve.
    order: Vec<(u32, u32)>,
    pool: Vec<u32>,
    /// Tiles near one, and which of its corners.
    near: Vec<(u32, u32)>,
}

impl<const D: usize> Default for Tree<D> {
    fn default() -> Self {
        Self {
            tiles: Vec::new(),
            frames: Vec::new(),
            origin: [0.0; D],
            starts: Vec::new(),
            lists: Vec::new(),
            nodes: Vec::new(),
            order: Vec::new(),
            pool: Vec::new(),
            near: Vec::new(),
        }
    }
}

/// The cells of a level that a region is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base<const D: usize> {
    pub(super) level: u32,
    pub(super) first: [i64; D],
    pub(super) last: [i64; D],
}

impl<const D: usize> Tree<D> {
    /// Lists a tile has: one for each corner.
    const LISTS: u32 = 1 << D;

    /// The list of tiles that matter to a part of a tile; `at` counts parts from its corner.
    #[inline]
    pub(super) fn list_of(tile: u32, at: [u32; D]) -> u32 {
        let upper = |a: usize| at[a] >> (Parts::<D>::WIDTH.ilog2() - 1);
        tile * Self::LISTS + (0..D).map(|a| upper(a) << a).sum::<u32>()
    }

    /// What stands in a list.
    #[inline]
    pub(super) fn list(&self, list: u32) -> &[u32] {
        let list = list as usize;
        match self.starts.get(list..list + 2) {
            Some(&[from, to]) => &self.lists[from as usize..to as usize],
            _ => &[],
        }
    }

    /// What stands in all lists of a tile: every tile in one of whose lists it stands itself.
    pub(super) fn lists_of(&self, tile: u32) -> &[u32] {
        let from = self.starts[(tile * Self::LISTS) as usize] as usize;
        let to = self.starts[((tile + 1) * Self::LISTS) as usize] as usize;
        &self.lists[from..to]
    }

    /// What gives the region's own coordinates when added to those of the world, in a turn.
    pub(super) fn shift(&self, lattice: &Lattice<D>, turn: Turn<D>) -> [f64; D] {
        let carried = lattice.carried(turn);
        std::array::from_fn(|a| carried[a] - self.origin[a])
    }

    /// By how many turns one tile is ahead of another.
    #[inline]
    pub(super) fn turn(&self, tile: u32, other: u32) -> Turn<D> {
        let [there, here] = [tile, other].map(|b| self.tiles[b as usize].turn);
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
        self.origin = origin;
        self.roots(view, rule, base);
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
    fn roots<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, rule: Rule, base: &Base<D>) {
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
            let shift = self.shift(&view.lattice, turn);
            most = most.max(sight.most);
            grid.push(self.nodes.len() as u32);
            self.nodes.push(Node::new(view, cell, turn, shift, &sight));
        });
        let sides = view.lattice.sides(base.level);
        let reach = sides.map(|s| (1.01 * most / s).ceil() as i64);
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
            for (a, at) in at.iter_mut().enumerate() {
                *at += 1;
                if *at <= base.last[a] {
                    break;
                }
                *at = base.first[a];
            }
        }
    }

    /// Cuts those of the nodes `from..to` that are too large. Whether any was.
    fn cut<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, from: usize, to: usize) -> bool {
        for index in from..to {
            let Node { tile, fits, .. } = self.nodes[index];
            if fits {
                continue;
            }
            let Tile { cell, turn, .. } = tile;
            let shift = self.shift(&view.lattice, turn);
            let start = self.nodes.len() as u32;
            for half in 0..1 << D {
                let half = cell.half(half);
                if let Some(sight) = view.look(half) {
                    self.nodes.push(Node::new(view, half, turn, shift, &sight));
                }
            }
            self.nodes[index].parts = (start, self.nodes.len() as u32 - start);
            if self.nodes.len() as u32 == start {
                // Nothing in it after all.
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
        let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        a.frame.gap2(&b.frame) < reach2(rule, a.most, b.most)
    }

    /// Brings the tiles into an order in which neighbours stand close together: along a Morton
    /// curve.
    fn along_curve(&mut self) {
        let tiles = self.nodes.iter().filter(|node| node.parts.1 == 0);
        let most = tiles.clone().flat_map(|node| node.frame.center);
        let most = most.fold(f32::MIN_POSITIVE, f32::max);
        let bits = 30 / D as u32;
        let scale = (1_u32 << bits) as f32 / most;
        let key = |center: [f32; D]| {
            let at = center.map(|x| (x * scale) as u32);
            (0..bits).rev().fold(0_u32, |key, bit| {
                at.iter().rev().fold(key, |key, x| key << 1 | x >> bit & 1)
            })
        };
        self.order.clear();
        let numbered = (0_u32..).zip(&self.nodes);
        let numbered = numbered.filter(|(_, node)| node.parts.1 == 0);
        self.order
            .extend(numbered.map(|(index, node)| (key(node.frame.center), index)));
        self.order.sort_unstable();
    }

    /// Numbers the tiles and makes the final lists.
    fn number(&mut self, rule: Rule) {
        self.tiles.clear();
        self.frames.clear();
        self.starts.clear();
        self.lists.clear();
        self.along_curve();
        for &(_, index) in &self.order {
            let node = &mut self.nodes[index as usize];
            node.number = self.tiles.len() as u32;
            self.tiles.push(node.tile);
            self.frames.push(node.frame);
        }
        for &(_, index) in &self.order {
            let node = &self.nodes[index as usize];
            let (start, len) = node.list;
            let near = &self.pool[start as usize..(start + len) as usize];
            let near = near.iter().map(|&m| self.nodes[m as usize].number);
            self.near.clear();
            for m in near.filter(|&m| m != node.number) {
                let other = &self.tiles[m as usize];
                let reach2 = reach2(rule, node.tile.hi, other.hi);
                let gaps = node.frame.corner_gaps(&self.frames[m as usize]);
                let mut corners = 0_u32;
                for corner in 0..1 << D {
                    let gap2: f32 = (0..D).map(|a| gaps[a][(corner >> a) & 1]).sum();
                    corners |= u32::from(gap2 < reach2) << corner;
                }
                self.near.push((m, corners));
            }
            for corner in 0..1 << D {
                self.starts.push(self.lists.len() as u32);
                // Itself first: most conflicts are found there.
                self.lists.push(node.number);
                for &(m, corners) in &self.near {
                    if corners >> corner & 1 == 1 {
                        self.lists.push(m);
                    }
                }
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
        let part = view.lattice.sides(cell.level + Parts::<D>::WIDTH.ilog2());
        Self {
            tile: Tile {
                cell,
                turn,
                lo: sight.lo,
                hi: sight.allowed(),
                even: sight.even,
                per_part: part.map(|s| 1.0 / s),
                sides: view.lattice.sides(cell.level),
                side: size.into_iter().fold(0.0, f64::max) as f32,
                min: place.min(),
                cut_off: place != sight.place,
            },
            frame: Frame {
                center: std::array::from_fn(|a| (center[a] + shift[a]) as f32),
                half: std::array::from_fn(|a| (0.5 * size[a]) as f32),
            },
            most: if view.fits(sight, cell.level) {
                sight.allowed()
            } else {
                sight.most
            },
            fits: view.fits(sight, cell.level),
            parts: (0, 0),
            list: (0, 0),
            number: NONE,
        }
    }
}
