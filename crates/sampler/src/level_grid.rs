//! The fast index: the grid sized by the maximum radius, refined inside its cells by octaves.
//!
//! Points of one octave of keys share a *level*. A level's cells have a side just under
//! (its least key) / sqrt(D), so that each holds at most one point, stored inline. Cells come
//! in square *tiles*; the tiles of the coarsest level form a plain grid, and each tile leads
//! to the 2^D tiles of half the size inside it, made when a point needs them:
//!
//! ```text
//!   level 0 (large keys)    level 1                  level 2 (small keys)
//!   +---------------+       +-------+-------+
//!   | .   |   |   o |       | .o|.  |  none |        a tile that holds no point and leads
//!   |   o |   |   . |  -->  | . | o |       |  -->   to none was never made, so a query
//!   | .   | o |   . |       +-------+-------+        never looks below it
//!   |     |   | .   |       |  none | o |.  |
//!   +---------------+       +-------+-------+
//! ```
//!
//! A query walks down from the coarsest level and reads at each level the few cells within
//! that level's reach, so it costs about the same at any ratio of distances. Cells hold `f32`
//! offsets, good enough to discard what is clearly far; what is near is decided by the caller
//! in `f64`, so that the points are those of [`ListGrid`](crate::ListGrid), bit for bit.

use crate::index::NeighbourIndex;
use crate::rule::Rule;
use density::{Bounds, DistRange};

const NONE: u32 = u32::MAX;

/// Cells along a tile's side: 16 in 2D, 8 in 3D. Large enough that most queries stay in one
/// tile, small enough that a tile with a single point wastes little.
const fn tile_side(dimensions: usize) -> usize {
    match dimensions {
        0..=2 => 16,
        3 => 8,
        _ => 4,
    }
}

/// A cell: offset of its point from the tile's corner and its key, in cell sides.
#[derive(Clone, Copy, Debug)]
struct Slot<const D: usize> {
    offset: [f32; D],
    key: f32,
    id: u32,
}

#[derive(Clone, Debug)]
struct Tile {
    /// Where the tile's cells start in the table of slots, in tiles; `NONE` until a point of
    /// this very level comes.
    slots: u32,
    /// The tiles of the next level inside this one, bit `a` of the index: upper half of axis
    /// `a`. Eight are enough for three dimensions.
    children: [u32; 8],
}

#[derive(Clone, Copy, Debug)]
struct Level {
    /// Least and greatest key a point of this level may have, world units.
    least: f64,
    greatest: f64,
    /// Cells of this level in a world unit.
    per_unit: f64,
}

/// The grid that [`Bridson`](crate::Bridson) uses: one question costs O(levels) and a point
/// O(1) memory, whatever the ratio of the greatest to the least distance.
#[derive(Clone, Debug)]
pub struct LevelGrid<const D: usize> {
    origin: [f64; D],
    levels: Vec<Level>,
    root_size: [usize; D],
    roots: Vec<u32>,
    tiles: Vec<Tile>,
    slots: Vec<Slot<D>>,
}

/// A query on its way down.
struct Query<const D: usize, K, H> {
    rule: Rule,
    r: f64,
    /// The distance to keep from a point, from its key and `r`, both in cell sides.
    keep: K,
    hit: H,
}

impl<const D: usize> LevelGrid<D> {
    const SIDE: usize = tile_side(D);
    const CELLS: usize = Self::SIDE.pow(D as u32);
    const EMPTY: Slot<D> = Slot {
        offset: [f32::INFINITY; D],
        key: 0.0,
        id: NONE,
    };

    /// The most levels a grid may have: distances may differ by a factor of 2^32.
    pub(crate) const MAX_LEVELS: usize = 32;

    /// Memory that `points` points need, in bytes.
    pub(crate) fn bytes_for(domain: &Bounds<D>, range: DistRange, points: f64) -> f64 {
        let tile = range.hi() / (D as f64).sqrt() * Self::SIDE as f64;
        let roots: f64 = domain.size().iter().map(|s| (s / tile).max(1.0)).product();
        // A level is not filled evenly where the field crosses octaves.
        let waste = if range.hi() > range.lo() { 3.0 } else { 1.0 };
        let cells = (D as f64).sqrt().powi(D as i32) / 0.6;
        roots * size_of::<u32>() as f64 + points * cells * waste * size_of::<Slot<D>>() as f64
    }

    fn root_index(&self, tile: [usize; D]) -> usize {
        (0..D).rev().fold(0, |i, a| i * self.root_size[a] + tile[a])
    }

    fn new_tile(&mut self) -> u32 {
        self.tiles.push(Tile {
            slots: NONE,
            children: [NONE; 8],
        });
        (self.tiles.len() - 1) as u32
    }

    /// Reads the cells of `tile` around `u`, then goes on inside it. `u` is the place asked
    /// about, in cell sides of `level`, from the tile's corner.
    #[inline]
    fn visit<K: Fn(f32, f32) -> f32, H: FnMut(u32) -> bool>(
        &self,
        tile: u32,
        level: usize,
        u: [f64; D],
        query: &mut Query<D, K, H>,
    ) -> bool {
        let tile = &self.tiles[tile as usize];
        if tile.slots != NONE && self.read(tile.slots as usize, level, u, query) {
            return true;
        }
        level + 1 < self.levels.len() && self.descend(tile, level + 1, u, query)
    }

    fn descend<K: Fn(f32, f32) -> f32, H: FnMut(u32) -> bool>(
        &self,
        tile: &Tile,
        level: usize,
        u: [f64; D],
        query: &mut Query<D, K, H>,
    ) -> bool {
        let side = Self::SIDE as f64;
        let reach = query.reach(&self.levels[level]);
        for (i, &child) in tile.children.iter().enumerate().take(1 << D) {
            if child == NONE {
                continue;
            }
            let inner = std::array::from_fn(|a| 2.0 * u[a] - side * (i >> a & 1) as f64);
            let apart: f64 = inner
                .iter()
                .map(|&x: &f64| (-x).max(x - side).max(0.0))
                .map(|d| d * d)
                .sum();
            if apart <= reach * reach && self.visit(child, level, inner, query) {
                return true;
            }
        }
        false
    }

    /// Asks about each point in the cells of one tile that may be near.
    #[inline]
    fn read<K: Fn(f32, f32) -> f32, H: FnMut(u32) -> bool>(
        &self,
        slots: usize,
        level: usize,
        u: [f64; D],
        query: &mut Query<D, K, H>,
    ) -> bool {
        let level = &self.levels[level];
        let reach = query.reach(level);
        let mut lo = [0; D];
        let mut hi = [0; D];
        for a in 0..D {
            // Casts saturate at 0 from below.
            lo[a] = (u[a] - reach) as usize;
            hi[a] = ((u[a] + reach) as usize).min(Self::SIDE - 1);
            if lo[a] > hi[a] || u[a] + reach < 0.0 {
                return false;
            }
        }
        let cells = &self.slots[slots * Self::CELLS..(slots + 1) * Self::CELLS];
        let u = u.map(|x| x as f32);
        let r = (query.r * level.per_unit) as f32;
        let mut row = lo;
        loop {
            let start = (0..D).rev().fold(0, |i, a| i * Self::SIDE + row[a]);
            for slot in &cells[start..=start + hi[0] - lo[0]] {
                let square: f32 = (0..D).map(|a| slot.offset[a] - u[a]).map(|d| d * d).sum();
                let keep = (query.keep)(slot.key, r);
                // f32 offsets inside a tile are good to some 1e-6 of a cell; the margin is a
                // hundred times that.
                if square <= keep * keep * 1.000_1 + 1e-3 && (query.hit)(slot.id) {
                    return true;
                }
            }
            let Some(axis) = (1..D).find(|&a| row[a] < hi[a]) else {
                return false;
            };
            row[axis] += 1;
            row[1..axis].copy_from_slice(&lo[1..axis]);
        }
    }

    fn ask<K: Fn(f32, f32) -> f32, H: FnMut(u32) -> bool>(
        &self,
        p: [f64; D],
        mut query: Query<D, K, H>,
    ) -> bool {
        let top = &self.levels[0];
        let side = Self::SIDE as f64;
        let reach = query.reach(top);
        let u: [f64; D] = std::array::from_fn(|a| (p[a] - self.origin[a]) * top.per_unit);
        let tile = |a: usize, x: f64| ((x / side) as usize).min(self.root_size[a] - 1);
        let lo: [usize; D] = std::array::from_fn(|a| tile(a, u[a] - reach));
        let hi: [usize; D] = std::array::from_fn(|a| tile(a, u[a] + reach));
        let mut at = lo;
        loop {
            let root = self.roots[self.root_index(at)];
            if root != NONE {
                let inner = std::array::from_fn(|a| u[a] - side * at[a] as f64);
                if self.visit(root, 0, inner, &mut query) {
                    return true;
                }
            }
            let Some(axis) = (0..D).find(|&a| at[a] < hi[a]) else {
                return false;
            };
            at[axis] += 1;
            at[..axis].copy_from_slice(&lo[..axis]);
        }
    }
}

impl<const D: usize, K, H> Query<D, K, H> {
    /// How far a point of a level may lie and still matter, in cell sides of the level.
    #[inline]
    fn reach(&self, level: &Level) -> f64 {
        // A trifle more, for the rounding of the exact test.
        self.rule.distance(level.greatest, self.r) * level.per_unit * (1.0 + 1e-9)
    }
}

impl<const D: usize> NeighbourIndex<D> for LevelGrid<D> {
    fn new(domain: &Bounds<D>, range: DistRange) -> Self {
        // Built from the least distance up: a uniform field gets exactly one level whose
        // reach is the distance itself.
        let mut levels = Vec::new();
        let mut least = range.lo();
        loop {
            let greatest = (2.0 * least).min(range.hi());
            levels.push(Level {
                least,
                greatest,
                // Cells a hair smaller than the least key's disk can span: rounding must not
                // bring two points that just keep their distance into one cell.
                per_unit: (D as f64).sqrt() / least * (1.0 + 1e-5),
            });
            if greatest >= range.hi() || levels.len() == Self::MAX_LEVELS {
                break;
            }
            least = greatest;
        }
        levels.reverse();
        let tiles_per_unit = levels[0].per_unit / Self::SIDE as f64;
        let root_size = domain.size().map(|s| (s * tiles_per_unit) as usize + 1);
        Self {
            origin: domain.min(),
            levels,
            root_size,
            roots: vec![NONE; root_size.iter().product()],
            tiles: Vec::new(),
            slots: Vec::new(),
        }
    }

    fn insert(&mut self, id: u32, p: [f64; D], key: f64) {
        let level = self
            .levels
            .iter()
            .position(|l| key >= l.least)
            .unwrap_or(self.levels.len() - 1);
        let side = Self::SIDE as f64;
        let mut u: [f64; D] =
            std::array::from_fn(|a| (p[a] - self.origin[a]) * self.levels[0].per_unit);
        let at: [usize; D] =
            std::array::from_fn(|a| ((u[a] / side) as usize).min(self.root_size[a] - 1));
        for a in 0..D {
            u[a] -= side * at[a] as f64;
        }
        let root = self.root_index(at);
        if self.roots[root] == NONE {
            self.roots[root] = self.new_tile();
        }
        let mut tile = self.roots[root] as usize;
        for _ in 0..level {
            let mut child = 0;
            for (a, x) in u.iter_mut().enumerate() {
                let upper = usize::from(*x >= 0.5 * side);
                *x = 2.0 * *x - side * upper as f64;
                child |= upper << a;
            }
            if self.tiles[tile].children[child] == NONE {
                self.tiles[tile].children[child] = self.new_tile();
            }
            tile = self.tiles[tile].children[child] as usize;
        }
        if self.tiles[tile].slots == NONE {
            self.tiles[tile].slots = (self.slots.len() / Self::CELLS) as u32;
            self.slots
                .resize(self.slots.len() + Self::CELLS, Self::EMPTY);
        }
        let cell = (0..D).rev().fold(0, |i, a| {
            i * Self::SIDE + (u[a] as usize).min(Self::SIDE - 1)
        });
        let slot = &mut self.slots[self.tiles[tile].slots as usize * Self::CELLS + cell];
        // Two points of a level are at least its least key apart, more than a cell can hold.
        debug_assert_eq!(slot.id, NONE, "two points in one cell");
        *slot = Slot {
            offset: u.map(|x| x as f32),
            key: (key * self.levels[level].per_unit) as f32,
            id,
        };
    }

    #[inline]
    fn any_near(&self, p: [f64; D], rule: Rule, r: f64, hit: impl FnMut(u32) -> bool) -> bool {
        // One copy of the search for each shape of rule, so that its inner loop is plain
        // arithmetic.
        match rule {
            Rule::Max => self.ask(
                p,
                Query {
                    rule,
                    r,
                    keep: f32::max,
                    hit,
                },
            ),
            Rule::Min => self.ask(
                p,
                Query {
                    rule,
                    r,
                    keep: f32::min,
                    hit,
                },
            ),
            Rule::Mean => self.ask(
                p,
                Query {
                    rule,
                    r,
                    keep: |q, r| 0.5 * (q + r),
                    hit,
                },
            ),
            Rule::Prior => self.ask(
                p,
                Query {
                    rule,
                    r,
                    keep: |q, _| q,
                    hit,
                },
            ),
            Rule::Own | Rule::Parent => self.ask(
                p,
                Query {
                    rule,
                    r,
                    keep: |_, r| r,
                    hit,
                },
            ),
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice())
            + size_of_val(self.tiles.as_slice())
            + size_of_val(self.roots.as_slice())
    }
}
