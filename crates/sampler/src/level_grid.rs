//! The fast index: the grid sized by the maximum radius, refined inside its cells by octaves.
//!
//! Points of one octave of keys share a *level*. A level's cells have a side just under (its
//! least key) / sqrt(D), so that each holds at most one point, stored inline. Cells come in
//! *tiles* of 8^D; the tiles of the coarsest level form a plain grid, and each tile leads to
//! the 2^D tiles of half the size inside it, created when a point needs them:
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
//! A query walks down from the coarsest level and reads at each level the few cells within that
//! level's reach. So it costs about the same at any ratio of distances. One bit a cell is set
//! if the cell holds a point: a window of cells is one mask, and only occupied cells are read.
//! Memory follows the points: blocks of cells are stored once they hold one. Where points are few
//! for the domain, coarser levels on top keep the plain grid small.
//! Cells hold `f32` offsets, precise enough to discard distant points. The caller decides near
//! ones in `f64`, so that the points are those of [`ListGrid`](crate::list_grid::ListGrid), bit
//! for bit.

use crate::index::{Neighbour, NeighbourIndex, index_in, table};
use crate::rule::Rule;
use crate::steps;
use density::{Bounds, DistRange};
use std::collections::TryReserveError;

/// The side of the largest cell whose point a survey returns, in the survey's units.
const COARSEST: f32 = 8.0;

const NONE: u32 = u32::MAX;

/// Cells along a tile's side, so that a 2D tile (a plane of a 3D tile) is one 64-bit mask.
const SIDE: usize = 8;
const PLANE: usize = SIDE * SIDE;

/// Cells that are stored together, some rows of a plane, once one of them holds a point.
const BLOCK: usize = 16;

/// A cell: offset of its point from the tile's corner and its key, in cell sides.
#[derive(Clone, Copy, Debug)]
struct Slot<const D: usize> {
    offset: [f32; D],
    key: f32,
    id: u32,
}

/// A tile in 2D, a layer of its cells in 3D.
#[derive(Clone, Copy, Debug)]
struct Plane {
    /// Bits of the cells that hold a point, bit `x + 8 y`.
    taken: u64,
    /// Index of each block of cells that holds a point.
    blocks: [u32; PLANE / BLOCK],
}

#[derive(Clone, Copy, Debug)]
struct Level {
    /// Least and greatest key a point of this level may have, world units. A level whose least key is above
    /// the greatest of all holds no point.
    least: f64,
    greatest: f64,
    /// Cells of this level in a world unit.
    per_unit: f64,
}

/// The grid that [`Bridson`](crate::Bridson) uses: a query costs O(levels) and a point O(1)
/// memory, whatever the ratio of the greatest to the least distance.
#[derive(Clone, Debug)]
pub(crate) struct LevelGrid<const D: usize> {
    origin: [f64; D],
    levels: Vec<Level>,
    root_size: [usize; D],
    roots: Vec<u32>,
    /// The planes of each tile: `8^(D-2)`.
    planes: Vec<Plane>,
    /// The tiles of the next level inside each tile; bit `a` of the index is set for the upper
    /// half of axis `a`. Eight are enough for three dimensions.
    children: Vec<[u32; 8]>,
    /// The blocks of cells that hold a point.
    blocks: Vec<[Slot<D>; BLOCK]>,
}

/// A walk through the points around a place: its reach and its visitor.
trait Walk<const D: usize> {
    /// Returns the distance within which points are visited whose greatest key is `greatest`, world units.
    fn distance(&self, greatest: f64) -> f64;

    /// Visits a point; `true` ends the walk. `offset` is its position relative to the place, in cell sides.
    fn visit(&mut self, level: &Level, offset: [f32; D], slot: &Slot<D>) -> bool;

    /// Returns the distance within which points of a level are visited, in cell sides of the level.
    #[inline]
    fn reach(&self, level: &Level) -> f64 {
        // Slightly more: 1e-9 of it for the rounding of the exact test, and 2e-6 of a cell for
        // that of cell coordinates, which pre-flight keeps below 2^32.
        self.distance(level.greatest) * level.per_unit * (1.0 + 1e-9) + 2e-6
    }
}

/// A walk by two closures: distance and visitor.
impl<const D: usize, R, V> Walk<D> for (R, V)
where
    R: Fn(f64) -> f64,
    V: FnMut(&Level, [f32; D], &Slot<D>) -> bool,
{
    #[inline]
    fn distance(&self, greatest: f64) -> f64 {
        let (distance, _) = self;
        distance(greatest)
    }

    #[inline]
    fn visit(&mut self, level: &Level, offset: [f32; D], slot: &Slot<D>) -> bool {
        let (_, visit) = self;
        visit(level, offset, slot)
    }
}

impl<const D: usize> LevelGrid<D> {
    const PLANES: usize = SIDE.pow(D as u32) / PLANE;
    const EMPTY: Slot<D> = Slot {
        offset: [0.0; D],
        key: 0.0,
        id: NONE,
    };

    /// Maximum number of levels: distances may differ by a factor of 2^32.
    pub(crate) const MAX_LEVELS: usize = 32;

    /// Returns the memory that an index of `points` points is expected to need, in bytes.
    pub(crate) fn bytes_for(domain: &Bounds<D>, range: DistRange, points: f64) -> f64 {
        let levels = Self::levels(domain, range, points);
        let roots: f64 = root_size(domain, levels[0].per_unit).iter().product();
        // A level is not filled evenly where the field crosses octaves.
        let waste = if range.hi() > range.lo() { 3.0 } else { 1.1 };
        let cells = (0..D).map(|_| (D as f64).sqrt()).product::<f64>() / 0.6;
        let tile = size_of::<[u32; 8]>() + Self::PLANES * size_of::<Plane>();
        let cell = size_of::<Slot<D>>() as f64 + tile as f64 / (Self::PLANES * PLANE) as f64;
        roots * size_of::<u32>() as f64 + points * cells * waste * cell
    }

    /// Returns the levels for keys in `range`, the coarsest first. More levels lie on top, until the plain grid has a
    /// few tiles for each of `points` points at most.
    fn levels(domain: &Bounds<D>, range: DistRange, points: f64) -> Vec<Level> {
        // Built from the least distance up: a uniform field gets exactly one level whose
        // reach is the distance itself.
        let mut levels = Vec::new();
        let mut least = range.lo();
        loop {
            let level = Level {
                least,
                greatest: (2.0 * least).min(range.hi()),
                // Cells slightly smaller than the least key allows: rounding must not bring two
                // points that just keep their distance into one cell.
                per_unit: (D as f64).sqrt() / least * (1.0 + 1e-5),
            };
            levels.push(level);
            least *= 2.0;
            let roots: f64 = root_size(domain, level.per_unit).iter().product();
            let is_top = level.greatest >= range.hi() && roots <= 4.0 * points + 1024.0;
            if is_top || levels.len() == Self::MAX_LEVELS {
                break;
            }
        }
        levels.reverse();
        levels
    }

    fn new_tile(&mut self) -> Result<u32, TryReserveError> {
        const EMPTY: Plane = Plane {
            taken: 0,
            blocks: [NONE; PLANE / BLOCK],
        };
        self.children.try_reserve(1)?;
        self.planes.try_reserve(Self::PLANES)?;
        self.children.push([NONE; 8]);
        self.planes.extend(std::iter::repeat_n(EMPTY, Self::PLANES));
        Ok((self.children.len() - 1) as u32)
    }

    /// Reads the cells of `tile` around `u`, then descends into the tile. `u` is the queried
    /// place relative to the tile's corner, in cell sides of `level`.
    #[inline]
    fn visit(&self, tile: u32, level: usize, u: [f64; D], walk: &mut impl Walk<D>) -> bool {
        let tile = tile as usize;
        self.read(tile, level, u, walk)
            || level + 1 < self.levels.len() && self.descend(tile, level + 1, u, walk)
    }

    fn descend(&self, tile: usize, level: usize, u: [f64; D], walk: &mut impl Walk<D>) -> bool {
        let side = SIDE as f64;
        let reach = walk.reach(&self.levels[level]);
        for (i, &child) in self.children[tile].iter().enumerate().take(1 << D) {
            if child == NONE {
                continue;
            }
            let inner: [f64; D] =
                std::array::from_fn(|a| 2.0 * u[a] - side * ((i >> a) & 1) as f64);
            let apart: f64 = inner
                .iter()
                .map(|&x| (-x).max(x - side).max(0.0))
                .map(|d| d * d)
                .sum();
            if apart <= reach * reach && self.visit(child, level, inner, walk) {
                return true;
            }
        }
        false
    }

    /// Visits the points of one tile whose cells may be within reach.
    #[inline]
    fn read(&self, tile: usize, level: usize, u: [f64; D], walk: &mut impl Walk<D>) -> bool {
        let level = &self.levels[level];
        let reach = walk.reach(level);
        let mut lo = [0; D];
        let mut hi = [0; D];
        for a in 0..D {
            // Casts saturate at 0 from below.
            lo[a] = (u[a] - reach) as usize;
            hi[a] = ((u[a] + reach) as usize).min(SIDE - 1);
            if lo[a] > hi[a] || u[a] + reach < 0.0 {
                return false;
            }
        }
        let planes = &self.planes[tile * Self::PLANES..][..Self::PLANES];
        let u = u.map(|x| x as f32);
        // The window's columns in every row, cut down to its rows.
        let row = (0xff_u64 >> (SIDE - 1 - (hi[0] - lo[0]))) << lo[0];
        let window = (row * 0x0101_0101_0101_0101)
            & (u64::MAX << (SIDE * lo[1]))
            & (u64::MAX >> (SIDE * (SIDE - 1 - hi[1])));
        let (first, last) = if D > 2 { (lo[2], hi[2]) } else { (0, 0) };
        for plane in &planes[first..=last] {
            let mut bits = plane.taken & window;
            while bits != 0 {
                let cell = bits.trailing_zeros() as usize;
                let slot = &self.blocks[plane.blocks[cell / BLOCK] as usize][cell % BLOCK];
                bits &= bits - 1;
                let offset = std::array::from_fn(|a| slot.offset[a] - u[a]);
                if walk.visit(level, offset, slot) {
                    return true;
                }
            }
        }
        false
    }

    /// Visits the points around `p` until a visit ends the walk. Returns `true` if one did.
    fn walk(&self, p: [f64; D], mut walk: impl Walk<D>) -> bool {
        let top = &self.levels[0];
        let side = SIDE as f64;
        let reach = walk.reach(top);
        let u: [f64; D] = std::array::from_fn(|a| (p[a] - self.origin[a]) * top.per_unit);
        let tile = |a: usize, x: f64| ((x * (1.0 / side)) as usize).min(self.root_size[a] - 1);
        let lo: [usize; D] = std::array::from_fn(|a| tile(a, u[a] - reach));
        let hi: [usize; D] = std::array::from_fn(|a| tile(a, u[a] + reach));
        steps::any(lo, hi, |at| {
            let root = self.roots[index_in(self.root_size, at)];
            let inner = std::array::from_fn(|a| u[a] - side * at[a] as f64);
            root != NONE && self.visit(root, 0, inner, &mut walk)
        })
    }

    /// Returns the result of [`NeighbourIndex::any_near`]. Compiled once for each formula
    /// `keep`, so that the inner loop is plain arithmetic. `keep` computes the distance to keep
    /// from a point's key and `r`, in cell sides.
    #[inline]
    fn any_near_with(
        &self,
        p: [f64; D],
        rule: Rule,
        r: f64,
        keep: impl Fn(f32, f32) -> f32,
        mut hit: impl FnMut(u32) -> bool,
    ) -> bool {
        let visit = |level: &Level, offset: [f32; D], slot: &Slot<D>| {
            let square: f32 = offset.iter().map(|d| d * d).sum();
            let keep = keep(slot.key, (r * level.per_unit) as f32);
            // f32 offsets inside a tile are precise to some 1e-6 of a cell; the margin is a
            // hundred times that.
            square <= keep * keep * 1.000_1 + 1e-3 && hit(slot.id)
        };
        self.walk(p, (|greatest| rule.distance(greatest, r), visit))
    }

    /// Returns `true` if `hit` is true of any point nearer to `p` than `stretch` times
    /// `rule.distance(its key, r)`. `hit` is called without an `f32` test before it.
    pub(crate) fn any_stretched(
        &self,
        p: [f64; D],
        (rule, r, stretch): (Rule, f64, f64),
        mut hit: impl FnMut(u32) -> bool,
    ) -> bool {
        let visit = |_: &Level, _: [f32; D], slot: &Slot<D>| hit(slot.id);
        let distance = |greatest| stretch * rule.distance(greatest, r);
        self.walk(p, (distance, visit))
    }
}

impl<const D: usize> NeighbourIndex<D> for LevelGrid<D> {
    fn new(domain: &Bounds<D>, range: DistRange, points: f64) -> Option<Self> {
        const { assert!(D == 2 || D == 3, "points lie in 2 or 3 dimensions") };
        let levels = Self::levels(domain, range, points);
        // The casts saturate: such a table cannot be allocated.
        let root_size = root_size(domain, levels[0].per_unit).map(|tiles| tiles as usize);
        Some(Self {
            origin: domain.min(),
            levels,
            root_size,
            roots: table(root_size, NONE)?,
            planes: Vec::new(),
            children: Vec::new(),
            blocks: Vec::new(),
        })
    }

    fn insert(&mut self, id: u32, p: [f64; D], key: f64) -> Result<(), TryReserveError> {
        let level = self
            .levels
            .iter()
            .position(|l| key >= l.least)
            .unwrap_or(self.levels.len() - 1);
        let side = SIDE as f64;
        let mut u: [f64; D] =
            std::array::from_fn(|a| (p[a] - self.origin[a]) * self.levels[0].per_unit);
        let at: [usize; D] =
            std::array::from_fn(|a| ((u[a] * (1.0 / side)) as usize).min(self.root_size[a] - 1));
        for a in 0..D {
            u[a] -= side * at[a] as f64;
        }
        let root = index_in(self.root_size, at);
        if self.roots[root] == NONE {
            self.roots[root] = self.new_tile()?;
        }
        let mut tile = self.roots[root] as usize;
        for _ in 0..level {
            let mut child = 0;
            for (a, x) in u.iter_mut().enumerate() {
                let upper = usize::from(*x >= 0.5 * side);
                *x = 2.0 * *x - side * upper as f64;
                child |= upper << a;
            }
            if self.children[tile][child] == NONE {
                self.children[tile][child] = self.new_tile()?;
            }
            tile = self.children[tile][child] as usize;
        }
        let cell = index_in([SIDE; D], u.map(|x| (x as usize).min(SIDE - 1)));
        let plane = &mut self.planes[tile * Self::PLANES + cell / PLANE];
        // Two points of a level are at least its least key apart, more than a cell's diagonal.
        debug_assert_eq!(plane.taken & (1 << (cell % PLANE)), 0);
        let block = &mut plane.blocks[cell % PLANE / BLOCK];
        if *block == NONE {
            self.blocks.try_reserve(1)?;
            *block = self.blocks.len() as u32;
            self.blocks.push([Self::EMPTY; BLOCK]);
        }
        plane.taken |= 1 << (cell % PLANE);
        self.blocks[*block as usize][cell % BLOCK] = Slot {
            offset: u.map(|x| x as f32),
            key: (key * self.levels[level].per_unit) as f32,
            id,
        };
        Ok(())
    }

    #[inline]
    fn any_near(&self, p: [f64; D], rule: Rule, r: f64, hit: impl FnMut(u32) -> bool) -> bool {
        match rule {
            Rule::Max => self.any_near_with(p, rule, r, f32::max, hit),
            Rule::Min => self.any_near_with(p, rule, r, f32::min, hit),
            Rule::Mean => self.any_near_with(p, rule, r, |q, r| 0.5 * (q + r), hit),
            Rule::Prior => self.any_near_with(p, rule, r, |q, _| q, hit),
            Rule::Own | Rule::Parent => self.any_near_with(p, rule, r, |_, r| r, hit),
        }
    }

    fn any_reaching(
        &self,
        p: [f64; D],
        times: f64,
        margin: f64,
        mut hit: impl FnMut(u32) -> bool,
    ) -> bool {
        if times * self.levels[0].greatest <= margin {
            return false;
        }
        let stretch = times as f32;
        let visit = |level: &Level, offset: [f32; D], slot: &Slot<D>| {
            let square: f32 = offset.iter().map(|d| d * d).sum();
            let reach = stretch * slot.key - (margin * level.per_unit) as f32;
            // The margins of `any_near_with`.
            reach > 0.0 && square <= reach * reach * 1.000_1 + 1e-3 && hit(slot.id)
        };
        self.walk(p, (|greatest| times * greatest - margin, visit))
    }

    fn survey(
        &self,
        p: [f64; D],
        radius: f64,
        per_unit: f64,
        mut visit: impl FnMut(Neighbour<D>) -> bool,
    ) {
        let visit = |level: &Level, offset: [f32; D], slot: &Slot<D>| {
            let side = (per_unit / level.per_unit) as f32;
            // Offsets are precise to 1e-6 of a cell: too coarse where cells are far larger than
            // the survey's unit. (A survey may leave out any point.)
            if side > COARSEST {
                return false;
            }
            visit(Neighbour {
                offset: offset.map(|d| d * side),
                key: slot.key * side,
            })
        };
        self.walk(p, (|_| radius, visit));
    }

    fn bytes(&self) -> usize {
        size_of_val(self.blocks.as_slice())
            + size_of_val(self.planes.as_slice())
            + size_of_val(self.children.as_slice())
            + size_of_val(self.roots.as_slice())
    }
}

/// Returns the number of tiles along each axis of a domain, for cells of which `per_unit` fit in a world unit.
fn root_size<const D: usize>(domain: &Bounds<D>, per_unit: f64) -> [f64; D] {
    domain
        .size()
        .map(|side| (side * per_unit / SIDE as f64).floor() + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boxes::square;
    use crate::rng::Draws;

    /// Tests that queries visit every point that a plain search finds, for keys from 1 to 64.
    fn visits_every_point<const D: usize>(side: f64) {
        let domain = Bounds::with_origin([-3.0; D], [side; D]).expect("a box");
        let range = DistRange::new(1.0, 64.0).expect("a range");
        let mut grid = LevelGrid::<D>::new(&domain, range, 1.0).expect("an index");
        let mut rng = Draws::new(1);
        let mut draw = || {
            let p: [f64; D] = std::array::from_fn(|_| rng.unit() * side - 3.0);
            let key = f64::from(1 << rng.below(6)) * (1.0 + rng.unit());
            (p, key)
        };
        let mut points: Vec<([f64; D], f64)> = Vec::new();
        let away2 = |p: [f64; D], q: [f64; D]| square::<D>(|a| q[a] - p[a]);
        for _ in 0..3000 {
            let (p, key) = draw();
            let near = |&(q, other): &([f64; D], f64)| away2(p, q) < key.min(other).powi(2);
            if !points.iter().any(near) {
                grid.insert(points.len() as u32, p, key).expect("memory");
                points.push((p, key));
            }
        }
        assert!(points.len() > 200, "{}", points.len());
        for _ in 0..300 {
            let (p, r) = draw();
            let assert_all = |within: &dyn Fn(f64) -> f64, visited: &[bool]| {
                for (&(q, key), visited) in points.iter().zip(visited) {
                    let far = away2(p, q) >= within(key).max(0.0).powi(2);
                    assert!(far || *visited, "{p:?} {r}: {q:?} {key}");
                }
            };
            for rule in Rule::ALL {
                let mut visited = vec![false; points.len()];
                grid.any_near(p, rule, r, |id| {
                    visited[id as usize] = true;
                    false
                });
                assert_all(&|key| rule.distance(key, r), &visited);
                visited.fill(false);
                grid.any_stretched(p, (rule, r, 1.7), |id| {
                    visited[id as usize] = true;
                    false
                });
                assert_all(&|key| 1.7 * rule.distance(key, r), &visited);
            }
            let mut visited = vec![false; points.len()];
            grid.any_reaching(p, 2.0, 0.3 * r, |id| {
                visited[id as usize] = true;
                false
            });
            assert_all(&|key| 2.0 * key - 0.3 * r, &visited);
        }
    }

    #[test]
    fn every_point_is_visited() {
        visits_every_point::<2>(200.0);
        visits_every_point::<3>(50.0);
    }
}
