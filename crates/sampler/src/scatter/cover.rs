//! Which parts of the tiles are covered: one bit a part.
//!
//! ```text
//!   . . . # # # . .     An accepted point stamps the parts that its disk wholly contains: in
//!   . # # # # # # .     each row an interval, from a square root. That rejects most darts
//!   # # # #o# # # #     with one look, and tells where there is still room.
//!   . # # # # # # .
//!   . . . # # # . .     o the point, # stamped
//! ```
//!
//! A stamp is computed in single precision from the point's place in the tile, which is the
//! same number in every region, and from a distance that is shorter by more than single
//! precision loses: it never covers too much, and it is a part of the definition.

use super::lattice::{Parts, fold, unfold};
use super::tile::Tile;
use wide::{f32x8, i16x8, i32x8};

/// The bits of all tiles of a region. Reused from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover<const D: usize> {
    rows: Vec<u16>,
}

/// A stamp is this much smaller than its disk.
const SHY: f64 = 1.0 - 1e-5;

/// The middles of eight rows, from the first one's lower edge.
const MIDDLES: [f32; 8] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];

impl<const D: usize> Cover<D> {
    const FULL: u16 = u16::MAX >> (16 - Parts::<D>::WIDTH);

    /// Nothing is covered.
    pub(super) fn reset(&mut self, tiles: usize) {
        self.rows.clear();
        self.rows.resize(tiles * Parts::<D>::ROWS, 0);
    }

    /// Adds a tile of which nothing is covered. Gives its number.
    pub(super) fn push(&mut self) -> u32 {
        let number = self.rows.len() / Parts::<D>::ROWS;
        self.rows.resize(self.rows.len() + Parts::<D>::ROWS, 0);
        number as u32
    }

    /// Takes the last tile away.
    pub(super) fn pop(&mut self) {
        let rows = self.rows.len().saturating_sub(Parts::<D>::ROWS);
        self.rows.truncate(rows);
    }

    /// Covers of a tile what is covered of another one elsewhere.
    #[inline]
    pub(super) fn lay(&mut self, tile: u32, other: &Self, there: u32) {
        for (row, covered) in self.of_mut(tile).iter_mut().zip(other.of(there)) {
            *row |= covered;
        }
    }

    #[inline]
    fn of(&self, tile: u32) -> &[u16] {
        let start = tile as usize * Parts::<D>::ROWS;
        &self.rows[start..start + Parts::<D>::ROWS]
    }

    #[inline]
    fn of_mut(&mut self, tile: u32) -> &mut [u16] {
        let start = tile as usize * Parts::<D>::ROWS;
        &mut self.rows[start..start + Parts::<D>::ROWS]
    }

    /// Whether all of a tile is covered.
    #[inline]
    pub(super) fn is_full(&self, tile: u32) -> bool {
        self.of(tile).iter().fold(Self::FULL, |all, row| all & row) == Self::FULL
    }

    /// Whether a part is covered; `spot` is its number in the tile.
    #[inline]
    pub(super) fn is_covered(&self, tile: u32, spot: u16) -> bool {
        let (row, column) = Self::place(spot);
        self.of(tile)[row] >> column & 1 == 1
    }

    /// Whether all of a cell is covered; `cell` counts cells from the tile's corner.
    #[inline]
    pub(super) fn covers_cell(&self, tile: u32, cell: [u32; D]) -> bool {
        let along = Parts::<D>::HALVINGS;
        let rows = self.of(tile);
        let parts = ((1_u16 << (1 << along)) - 1) << (cell[0] << along);
        (0..Parts::<D>::COUNT >> along)
            .all(|row| rows[Self::row_of(cell, along, row)] & parts == parts)
    }

    /// Takes those parts of a cell out that are covered in a tile of `other`. Gives the first and the last
    /// along each axis of those that were not out before, from the tile's corner.
    #[inline]
    pub(super) fn close_where(
        &mut self,
        tile: u32,
        cell: [u32; D],
        other: &Self,
        there: u32,
    ) -> Option<([u32; D], [u32; D])> {
        let along = Parts::<D>::HALVINGS;
        let shift = cell[0] << along;
        let parts = ((1_u16 << (1 << along)) - 1) << shift;
        let (rows, others) = (self.of_mut(tile), other.of(there));
        let mut around: Option<([u32; D], [u32; D])> = None;
        for row in 0..Parts::<D>::COUNT >> along {
            let index = Self::row_of(cell, along, row);
            let new = others[index] & !rows[index] & parts;
            if new == 0 {
                continue;
            }
            rows[index] |= new;
            let mut at: [u32; D] = unfold(
                (index as u32) << Parts::<D>::WIDTH.ilog2(),
                Parts::<D>::WIDTH.ilog2(),
            );
            let mut last = at;
            at[0] = new.trailing_zeros();
            last[0] = new.ilog2();
            let (from, to) = around.unwrap_or((at, last));
            around = Some((
                std::array::from_fn(|a| from[a].min(at[a])),
                std::array::from_fn(|a| to[a].max(last[a])),
            ));
        }
        around
    }

    /// In which row of a tile that row stands of a cube of `2^halvings` parts a side; `cube` counts
    /// such cubes from the tile's corner.
    #[inline]
    fn row_of(cube: [u32; D], halvings: u32, row: u32) -> usize {
        let bits = Parts::<D>::WIDTH.ilog2();
        let beside: [u32; D] = unfold(row << halvings, halvings);
        let at = std::array::from_fn(|a| cube[a] << halvings | beside[a]);
        (fold::<D>(at, bits) >> bits) as usize
    }

    /// Which parts of a block are not covered: of as many as a part has pieces. `block` counts blocks
    /// from the tile's corner.
    #[inline]
    pub(super) fn open_in_block(&self, tile: u32, block: [u32; D]) -> u32 {
        let along = Parts::<D>::PIECE_HALVINGS;
        let all = (1 << (1 << along)) - 1;
        let rows = self.of(tile);
        (0..Parts::<D>::PIECES >> along).fold(0, |open, row| {
            let parts = !rows[Self::row_of(block, along, row)] >> (block[0] << along);
            open | (u32::from(parts) & all) << (row << along)
        })
    }

    /// Takes parts of a block out.
    #[inline]
    pub(super) fn close_in_block(&mut self, tile: u32, block: [u32; D], parts: u32) {
        let along = Parts::<D>::PIECE_HALVINGS;
        let all = (1 << (1 << along)) - 1;
        let rows = self.of_mut(tile);
        for row in 0..Parts::<D>::PIECES >> along {
            let parts = (parts >> (row << along) & all) as u16;
            rows[Self::row_of(block, along, row)] |= parts << (block[0] << along);
        }
    }

    /// Takes a part out.
    pub(super) fn close(&mut self, tile: u32, spot: u16) {
        let (row, column) = Self::place(spot);
        self.of_mut(tile)[row] |= 1 << column;
    }

    /// Takes all of a tile out.
    pub(super) fn close_all(&mut self, tile: u32) {
        self.of_mut(tile).fill(Self::FULL);
    }

    /// Takes parts of a row out.
    #[inline]
    pub(super) fn close_in_row(&mut self, tile: u32, row: u32, parts: u16) {
        self.of_mut(tile)[row as usize] |= parts & Self::FULL;
    }

    fn place(spot: u16) -> (usize, u32) {
        let bits = Parts::<D>::WIDTH.ilog2();
        (
            usize::from(spot >> bits),
            u32::from(spot) & (Parts::<D>::WIDTH - 1),
        )
    }

    /// Those of 64 parts of a tile that are not covered, from part number `64 * group` on.
    #[inline]
    pub(super) fn open_in_group(&self, tile: u32, group: u32) -> u64 {
        let rows = &self.of(tile)[4 * group as usize..];
        let open = |row: u16| u64::from(!row & Self::FULL);
        match rows {
            &[a, b, c, d, ..] => open(a) | open(b) << 16 | open(c) << 32 | open(d) << 48,
            rows => rows.iter().rev().fold(0, |all, &row| all << 16 | open(row)),
        }
    }

    /// Stamps the disk of a point on a tile, from whose corner it lies at `x`; `keep` is how far
    /// points in the tile must keep from it, at least.
    #[expect(
        clippy::inline_always,
        reason = "measured: a call for each tile that a point reaches"
    )]
    #[inline(always)]
    pub(super) fn stamp(&mut self, number: u32, tile: &Tile<D>, x: [f64; D], keep: f64) {
        let stamp = Stamp::new(tile.per_part, keep);
        let at: [f32; D] = std::array::from_fn(|a| (x[a] * tile.per_part[a]) as f32);
        if !(0..D).any(|a| stamp.misses(a, at[a])) {
            self.stamp_row(&stamp, &[(number, at[0])], at, tile.part());
        }
    }

    /// Stamps the same on tiles in a row along the first axis, none of which it misses: their numbers,
    /// and how many parts beside the corner of each the point lies on that axis. `at` counts them
    /// on the others. `part` is the sides of their parts.
    #[expect(
        clippy::inline_always,
        reason = "measured: a call for each tile that a point reaches"
    )]
    #[inline(always)]
    pub(super) fn stamp_row(
        &mut self,
        stamp: &Stamp<D>,
        tiles: &[(u32, f32)],
        at: [f32; D],
        part: [f64; D],
    ) {
        let Stamp {
            per_part,
            reach,
            square,
        } = *stamp;
        let part = part.map(|s| s as f32);
        let width = Parts::<D>::WIDTH;
        // Rows along the second axis, eight at a time, for every place along the others.
        let (outer, groups) = if D > 1 {
            (Parts::<D>::ROWS as u32 / width, width / 8)
        } else {
            (1, 1)
        };
        for slab in 0..outer {
            let beyond: [u32; D] = unfold(slab, width.ilog2());
            let mut left = square;
            for a in 2..D {
                let far = ((beyond[a - 2] as f32 + 0.5 - at[a]).abs() + 0.5) * part[a];
                left -= far * far;
            }
            if left <= 0.0 {
                continue;
            }
            for group in 0..groups {
                // Where the disk does not reach, no root is needed.
                let (first, next) = ((8 * group) as f32, (8 * group + 8) as f32);
                if D > 1 && (at[1] + reach[1] < first || at[1] - reach[1] > next) {
                    continue;
                }
                let mut square = f32x8::splat(left);
                if D > 1 {
                    let y = at[1] - (8 * group) as f32;
                    let far = ((f32x8::new(MIDDLES) - y).abs() + 0.5) * part[1];
                    square -= far * far;
                }
                let half = square.fast_max(f32x8::ZERO).sqrt() * per_part;
                let first = (slab * if D > 1 { width } else { 1 } + 8 * group) as usize;
                for &(tile, at) in tiles {
                    let covered = between(at + 1.0 - half, half + at);
                    let start = tile as usize * Parts::<D>::ROWS;
                    let rows = &mut self.rows[start..start + Parts::<D>::ROWS];
                    for (row, covered) in rows[first..].iter_mut().zip(covered) {
                        *row |= covered;
                    }
                }
            }
        }
    }
}

/// What a point stamps on tiles of one size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp<const D: usize> {
    /// How many parts along the first axis make a unit of length.
    per_part: f32,
    /// How far it reaches, in parts, and the square of that in units of length.
    reach: [f32; D],
    square: f32,
}

impl<const D: usize> Stamp<D> {
    /// On tiles of so many parts in a unit of length; of a point that others keep so far from, at least.
    #[inline]
    pub(super) fn new(per_part: [f64; D], keep: f64) -> Self {
        let keep = keep * SHY;
        Self {
            per_part: per_part[0] as f32,
            reach: per_part.map(|s| (keep * s) as f32),
            square: (keep * keep) as f32,
        }
    }

    /// Whether it covers no part of a tile from whose corner it lies so many parts along an axis: no
    /// part fits where it ends.
    #[inline]
    pub(super) fn misses(&self, axis: usize, at: f32) -> bool {
        let reach = self.reach[axis];
        at + reach < 1.0 || at - reach > Parts::<D>::WIDTH as f32 - 1.0
    }
}

/// Masks of the bits from the whole part of one number up to that of another, of eight pairs.
#[inline]
fn between(from: f32x8, to: f32x8) -> [u16; 8] {
    let most = f32x8::splat(16.0);
    let below = |n: f32x8| {
        // 2^n, from the bits of an ordinary number.
        let n = n.fast_max(f32x8::ZERO).fast_min(most).fast_trunc_int();
        let power: f32x8 = bytemuck::cast((n + i32x8::splat(127)) << 23);
        power.fast_trunc_int()
    };
    let bits = below(to.fast_max(from)) - below(from);
    bytemuck::cast(i16x8::from_i32x8_truncate(bits))
}
