//! For each tile of a region the tiles that matter to it, and their numbers.

use super::base::Base;
use super::law::Law;
use super::node::Outline;
use super::tile::Frame;
use super::tree::{NONE, Tree, reach2};
use crate::steps::for_each;
use wide::{CmpLt, f32x8};

impl<const D: usize> Tree<D> {
    /// The bits of a byte, `D` apart.
    const SPREAD: [u32; 256] = {
        let mut spread = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut bit = 0;
            while bit < 8 && bit * D < 32 {
                spread[byte] |= ((byte >> bit & 1) as u32) << (bit * D);
                bit += 1;
            }
            byte += 1;
        }
        spread
    };

    /// Gives each cell of the base level a list of those near it.
    pub(super) fn list_roots<L: Law>(&mut self, base: &Base<D>, most: f64, sides: [f64; D]) {
        let grid = std::mem::take(&mut self.grid);
        let reach = cells_reached(most, sides);
        let mut at = base.first;
        for &node in &grid {
            if node != NONE {
                let start = self.pool.len() as u32;
                let this = self.outlines[node as usize];
                let (first, last) = base.around(at, reach);
                for_each(first, last, |near: [i64; D]| {
                    let place = (0..D)
                        .rev()
                        .fold(0, |sum, a| sum * base.count(a) + base.index(a, near[a]));
                    let other = grid[place];
                    if other == NONE {
                        return;
                    }
                    if self.related::<L>(&this, &self.outlines[other as usize]) {
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
        self.grid = grid;
    }

    /// Gives the parts of cut nodes (from `new` on) their lists, and replaces cut nodes in the
    /// lists of the others by their parts.
    pub(super) fn settle<L: Law>(&mut self, new: usize) {
        for index in 0..new {
            let (first, count) = self.outlines[index].parts;
            if count == 0 {
                let (start, len) = self.nodes[index].list;
                let cut = |&m: &u32| self.outlines[m as usize].parts != (0, 0);
                if self.pool[start as usize..(start + len) as usize]
                    .iter()
                    .any(cut)
                {
                    self.nodes[index].list = self.expanded::<L>(index as u32, (start, len));
                }
            } else if first as usize >= new {
                let list = self.nodes[index].list;
                for part in first..first + count {
                    self.nodes[part as usize].list = self.expanded::<L>(part, list);
                }
            }
        }
    }

    /// The list of `node` made from a list of what contains it, with parts for cut nodes.
    fn expanded<L: Law>(&mut self, node: u32, (start, len): (u32, u32)) -> (u32, u32) {
        let begin = self.pool.len() as u32;
        let this = self.outlines[node as usize];
        for i in start..start + len {
            let other = self.pool[i as usize];
            let there = &self.outlines[other as usize];
            let (first, count) = there.parts;
            if first == NONE {
                continue;
            }
            if count == 0 {
                if self.related::<L>(&this, there) {
                    self.pool.push(other);
                }
                continue;
            }
            let parts = &self.outlines[first as usize..(first + count) as usize];
            for (part, there) in (first..).zip(parts) {
                if self.related::<L>(&this, there) {
                    self.pool.push(part);
                }
            }
        }
        (begin, self.pool.len() as u32 - begin)
    }

    /// Whether points of two nodes may conflict.
    #[inline]
    fn related<L: Law>(&self, a: &Outline<D>, b: &Outline<D>) -> bool {
        let there = self.image(&a.frame, &b.frame);
        a.frame.gap2(&there) < reach2::<L>(a.most, b.most)
    }

    /// Brings the tiles into an order in which neighbours stand close together: along a Morton
    /// curve.
    fn along_curve(&mut self) {
        let bits = 30 / D as u32;
        let scale = (1_u32 << bits) as f32 / self.far;
        let key = |center: [f32; D]| {
            let at = center.map(|x| (x * scale) as u32 & ((1 << bits) - 1));
            if D == 1 {
                return at[0];
            }
            (0_u32..).zip(at).fold(0, |key, (a, x)| {
                let [lower, upper] = [x & 255, x >> 8].map(|byte| Self::SPREAD[byte as usize]);
                key | (lower | upper << (8 * D as u32)) << a
            })
        };
        self.order.clear();
        let numbered = (0_u32..).zip(self.nodes.iter().zip(&self.outlines));
        let numbered = numbered.filter(|(_, (node, _))| node.fits);
        // In one number each, which is compared without a branch.
        self.order.extend(numbered.map(|(index, (_, outline))| {
            u64::from(key(outline.frame.center)) << 32 | u64::from(index)
        }));
        self.order.sort_unstable();
    }

    /// Numbers the tiles in that order.
    fn enumerate(&mut self) {
        self.tiles.clear();
        self.frames.clear();
        self.spans.clear();
        self.lists.clear();
        self.along_curve();
        for &placed in &self.order {
            let outline = &mut self.outlines[placed as u32 as usize];
            outline.number = self.tiles.len() as u32;
            self.frames.push(outline.frame);
            self.tiles.push(self.nodes[placed as u32 as usize].tile);
        }
    }

    /// Numbers the tiles and makes the final lists.
    pub(super) fn number<L: Law>(&mut self) {
        self.enumerate();
        for tile in 0..self.order.len() {
            let node = self.order[tile] as u32 as usize;
            let (start, len) = self.nodes[node].list;
            let near = &self.pool[start as usize..(start + len) as usize];
            let this = self.outlines[node];
            self.near.clear();
            for &node in near {
                let other = &self.outlines[node as usize];
                if other.number == NONE || other.number == tile as u32 {
                    continue;
                }
                let there = self.image(&this.frame, &other.frame);
                let reach2 = reach2::<L>(this.most, other.most);
                let corners = corners_within(&this.frame, &there, reach2);
                self.near.push((other.number, corners));
            }
            self.list_near(tile as u32);
        }
    }

    /// As [`number`](Self::number) where every cell of the base level is a tile, or nothing: which
    /// matter to which is mostly the same everywhere.
    pub(super) fn number_grid<L: Law>(&mut self, base: &Base<D>, most: f64, sides: [f64; D]) {
        self.enumerate();
        // With as many empty cells around as are looked at, nothing has an edge.
        let reach = cells_reached(most, sides);
        let count: [usize; D] = std::array::from_fn(|a| base.count(a) + 2 * reach[a] as usize);
        let place = |at: [i64; D]| {
            (0..D)
                .rev()
                .fold(0_isize, |sum, a| sum * count[a] as isize + at[a] as isize)
        };
        let cells = std::mem::take(&mut self.grid);
        self.grid.resize(count.iter().product(), NONE);
        let mut nodes = cells.iter();
        for_each(base.first, base.last, |at: [i64; D]| {
            if let Some(&node) = nodes.next().filter(|&&node| node != NONE) {
                let at = std::array::from_fn(|a| at[a] - base.first[a] + reach[a]);
                self.nodes[node as usize].list.0 = place(at) as u32;
                self.grid[place(at) as usize] = self.outlines[node as usize].number;
            }
        });
        if base.turns.is_some() {
            // What lies behind an end is what lies at the other one.
            let last = std::array::from_fn(|a| count[a] as i64 - 1);
            for_each([0; D], last, |at: [i64; D]| {
                let there = std::array::from_fn(|a| {
                    base.index(a, base.first[a] + at[a] - reach[a]) as i64 + reach[a]
                });
                self.grid[place(at) as usize] = self.grid[place(there) as usize];
            });
        }
        let half = sides.map(|s| (0.5 * s) as f32);
        let center = [0.0; D];
        let middle = Frame { center, half };
        let far = reach2::<L>(most as f32, most as f32);
        self.around.clear();
        for_each(reach.map(|n| -n), reach, |by: [i64; D]| {
            let center = std::array::from_fn(|a| (by[a] as f64 * sides[a]) as f32);
            let corners = corners_within(&middle, &Frame { center, half }, far);
            if corners != 0 && by != [0; D] {
                self.around.push((place(by), corners));
            }
        });
        if self.tiles.iter().all(|tile| tile.hi == most) {
            self.list_alike();
        } else {
            self.list_in_grid::<L>();
        }
    }

    /// Makes the lists of tiles in the grid.
    fn list_in_grid<L: Law>(&mut self) {
        for tile in 0..self.order.len() {
            let place = self.nodes[self.order[tile] as u32 as usize].list.0 as isize;
            self.near.clear();
            for &(by, _) in &self.around {
                let other = self.grid[(place + by) as usize];
                if other != NONE {
                    let corners = self.corners::<L>(tile as u32, other);
                    self.near.push((other, corners));
                }
            }
            self.list_near(tile as u32);
        }
    }

    /// Makes the lists of tiles in the grid where points of all may ask for the same.
    fn list_alike(&mut self) {
        // Corner by corner, where in the grid that lies which matters to it.
        let mut ends = Vec::with_capacity(Self::LISTS as usize);
        self.beside.clear();
        for corner in 0..Self::LISTS {
            let near = self.around.iter();
            let near = near.filter(|(_, corners)| corners >> corner & 1 == 1);
            // Itself first: most conflicts are found there.
            self.beside.push(0);
            self.beside.extend(near.map(|(by, _)| by));
            ends.push(self.beside.len());
        }
        // As long as it can become, and one more: what does not exist is written over.
        let mut at = self.lists.len();
        self.lists
            .resize(at + self.beside.len() * self.order.len() + 1, NONE);
        let (lists, grid, beside) = (&mut self.lists[..], &self.grid[..], &self.beside[..]);
        for &placed in &self.order {
            let place = self.nodes[placed as u32 as usize].list.0 as isize;
            let mut from = 0;
            for &to in &ends {
                let start = at as u32;
                for by in &beside[from..to] {
                    let other = grid[(place + by) as usize];
                    lists[at] = other;
                    at += usize::from(other != NONE);
                }
                self.spans.push([start, at as u32]);
                from = to;
            }
        }
        self.lists.truncate(at);
    }

    /// To which corners of a tile another one matters.
    #[inline]
    fn corners<L: Law>(&self, tile: u32, other: u32) -> u32 {
        let [this, that] = [tile, other].map(|n| &self.tiles[n as usize]);
        let [here, there] = [tile, other].map(|n| &self.frames[n as usize]);
        let there = self.image(here, there);
        corners_within(here, &there, reach2::<L>(this.hi as f32, that.hi as f32))
    }

    /// Makes the lists of a tile from what else is near it.
    #[inline]
    fn list_near(&mut self, tile: u32) {
        let mut at = self.lists.len();
        // Where the steepest maps make every tile matter to every other, memory is for one list.
        if self.near.iter().all(|&(_, corners)| corners == Self::ALL) {
            let start = at as u32;
            self.lists.push(tile);
            self.lists.extend(self.near.iter().map(|&(other, _)| other));
            let span = [start, self.lists.len() as u32];
            self.spans.extend((0..Self::LISTS).map(|_| span));
            return;
        }
        // As long as they can become, and one more: what does not matter is written over.
        let most = Self::LISTS as usize * (self.near.len() + 1) + 1;
        self.lists.resize(at + most, NONE);
        let lists = &mut self.lists[..];
        for corner in 0..Self::LISTS {
            let start = at as u32;
            // Itself first: most conflicts are found there.
            lists[at] = tile;
            at += 1;
            for &(other, corners) in &self.near {
                lists[at] = other;
                at += (corners >> corner & 1) as usize;
            }
            self.spans.push([start, at as u32]);
        }
        self.lists.truncate(at);
    }
}

/// How many cells away, along each axis, something may matter to points that ask for `most`.
pub(super) fn cells_reached<const D: usize>(most: f64, sides: [f64; D]) -> [i64; D] {
    sides.map(|s| (1.01 * most / s).ceil() as i64)
}

/// Which corners of a box lie nearer to another one than the root of `reach2`.
#[inline]
fn corners_within<const D: usize>(frame: &Frame<D>, other: &Frame<D>, reach2: f32) -> u32 {
    let gaps = frame.corner_gaps(other);
    // All corners at once; of those that there are in space.
    let square = (0..D).fold(f32x8::ZERO, |sum, a| {
        sum + f32x8::new(std::array::from_fn(|corner| gaps[a][corner >> a & 1]))
    });
    let corners = square.cmp_lt(f32x8::splat(reach2)).move_mask() as u32;
    corners & ((1 << (1 << D)) - 1)
}
