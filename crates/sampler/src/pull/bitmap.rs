//! Which parts of a leaf are covered: one bit a part.
//!
//! ```text
//!   . . . # # # . .     An accepted point covers the parts that its disk wholly contains: in
//!   . # # # # # # .     each row an interval, from a square root. That rejects most later
//!   # # # #o# # # #     candidates with one look, and tells where there is still room.
//!   . # # # # # # .
//!   . . . # # # . .     o the point, # covered
//! ```
//!
//! Coverage is computed in single precision from the point's position in the leaf, and from a
//! distance that is shorter by more than single precision loses. So it never covers too much. It is
//! part of the definition.

use super::lattice::{Parts, fold, unfold};
use wide::{f32x8, i16x8, i32x8};

/// A covered disk is this much smaller than the disk itself.
const SHY: f64 = 1.0 - 1e-5;

/// The middles of eight rows, from the first one's lower edge.
const MIDDLES: [f32; 8] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];

const FULL: u16 = u16::MAX;

/// The parts of one leaf. Rows lie along the first axis.
#[derive(Clone, Debug, Default)]
pub(super) struct Bitmap<const D: usize> {
    rows: Vec<u16>,
}

impl<const D: usize> Bitmap<D> {
    /// Uncovers everything.
    pub(super) fn reset(&mut self) {
        self.rows.clear();
        self.rows.resize(Parts::<D>::ROWS, 0);
    }

    /// Returns `true` if every part is covered.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.rows.iter().fold(FULL, |all, row| all & row) == FULL
    }

    /// Returns `true` if the part at this position in the leaf (`2^-32` of its sides) is covered.
    #[inline]
    pub(super) fn is_covered(&self, at: [u32; D]) -> bool {
        let part = fold::<D>(at.map(|x| x >> (32 - Parts::<D>::BITS)), Parts::<D>::BITS);
        let row = self.rows[(part >> Parts::<D>::BITS) as usize];
        row >> (part & (Parts::<D>::WIDTH - 1)) & 1 == 1
    }

    /// Covers the parts for which `is_closed(axis, number along it)` is true on any axis.
    pub(super) fn close_slabs(&mut self, is_closed: impl Fn(usize, u32) -> bool) {
        let closed: [u16; D] = std::array::from_fn(|a| {
            (0..Parts::<D>::WIDTH).fold(0, |all, i| all | u16::from(is_closed(a, i)) << i)
        });
        for (index, row) in self.rows.iter_mut().enumerate() {
            let at: [u32; D] = unfold((index as u32) << Parts::<D>::BITS, Parts::<D>::BITS);
            let outside = (1..D).any(|a| closed[a] >> at[a] & 1 == 1);
            *row |= if outside { FULL } else { closed[0] };
        }
    }

    /// Returns those of 64 parts that are uncovered, from part number `64 * group` on.
    #[inline]
    pub(super) fn uncovered_in_group(&self, group: u32) -> u64 {
        let rows = &self.rows[4 * group as usize..];
        let open = |row: u16| u64::from(!row);
        match rows {
            &[a, b, c, d, ..] => open(a) | open(b) << 16 | open(c) << 32 | open(d) << 48,
            rows => rows.iter().rev().fold(0, |all, &row| all << 16 | open(row)),
        }
    }

    /// Returns the first and the last uncovered part along each axis; `None` if none is.
    #[inline]
    pub(super) fn uncovered_box(&self) -> Option<([u32; D], [u32; D])> {
        let mut columns = 0_u16;
        let (mut first, mut last) = ([u32::MAX; D], [0; D]);
        for (index, row) in self.rows.iter().enumerate() {
            if *row != FULL {
                columns |= !row;
                let at: [u32; D] = unfold((index as u32) << Parts::<D>::BITS, Parts::<D>::BITS);
                for a in 1..D {
                    first[a] = first[a].min(at[a]);
                    last[a] = last[a].max(at[a]);
                }
            }
        }
        if columns == 0 {
            return None;
        }
        (first[0], last[0]) = (columns.trailing_zeros(), columns.ilog2());
        Some((first, last))
    }

    /// Returns the index of row number `row` of a cube of `2^halvings` parts a side; `cube` counts
    /// such cubes from the leaf's corner.
    #[inline]
    fn row_of(cube: [u32; D], halvings: u32, row: u32) -> usize {
        let beside: [u32; D] = unfold(row << halvings, halvings);
        let at = std::array::from_fn(|a| cube[a] << halvings | beside[a]);
        (fold::<D>(at, Parts::<D>::BITS) >> Parts::<D>::BITS) as usize
    }

    /// Returns which parts of a block are uncovered. A block has as many parts as a fragment has
    /// pieces; `block` counts blocks from the leaf's corner.
    #[inline]
    pub(super) fn uncovered_in_block(&self, block: [u32; D]) -> u32 {
        let along = Parts::<D>::PIECE_HALVINGS;
        let all = (1 << (1 << along)) - 1;
        (0..Parts::<D>::PIECES >> along).fold(0, |open, row| {
            let parts = !self.rows[Self::row_of(block, along, row)] >> (block[0] << along);
            open | (u32::from(parts) & all) << (row << along)
        })
    }

    /// Covers parts of a block, as [`uncovered_in_block`](Self::uncovered_in_block) numbers them.
    #[inline]
    pub(super) fn cover_in_block(&mut self, block: [u32; D], parts: u32) {
        let along = Parts::<D>::PIECE_HALVINGS;
        let all = (1 << (1 << along)) - 1;
        for row in 0..Parts::<D>::PIECES >> along {
            let parts = (parts >> (row << along) & all) as u16;
            self.rows[Self::row_of(block, along, row)] |= parts << (block[0] << along);
        }
    }

    /// Covers the parts that the disk of radius `keep` around `x` wholly contains. `x` counts from
    /// the leaf's corner, `per_part` is the inverse of the parts' sides, `part` the sides.
    #[expect(
        clippy::inline_always,
        reason = "measured: one call for each leaf that a point reaches"
    )]
    #[inline(always)]
    pub(super) fn cover(&mut self, x: [f64; D], keep: f64, per_part: [f64; D], part: [f64; D]) {
        let keep = keep * SHY;
        let reach = per_part.map(|s| (keep * s) as f32);
        let at: [f32; D] = std::array::from_fn(|a| (x[a] * per_part[a]) as f32);
        let misses =
            |a: usize| at[a] + reach[a] < 1.0 || at[a] - reach[a] > Parts::<D>::WIDTH as f32 - 1.0;
        if (0..D).any(misses) {
            return;
        }
        let (square, along) = ((keep * keep) as f32, per_part[0] as f32);
        let part = part.map(|s| s as f32);
        let width = Parts::<D>::WIDTH;
        // Rows along the second axis, eight at a time, for every place along the others.
        let (slabs, groups) = if D > 1 {
            (Parts::<D>::ROWS as u32 / width, width / 8)
        } else {
            (1, 1)
        };
        for slab in 0..slabs {
            let beyond: [u32; D] = unfold(slab, Parts::<D>::BITS);
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
                let half = square.fast_max(f32x8::ZERO).sqrt() * along;
                let first = (slab * if D > 1 { width } else { 1 } + 8 * group) as usize;
                let covered = between(at[0] + 1.0 - half, half + at[0]);
                if let Some(rows) = self.rows.get_mut(first..first + 8) {
                    for (row, covered) in rows.iter_mut().zip(covered) {
                        *row |= covered;
                    }
                }
            }
        }
    }
}

/// Returns masks of the bits from the whole part of one number up to that of another, of eight
/// pairs.
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
