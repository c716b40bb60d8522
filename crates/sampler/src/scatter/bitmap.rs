//! The coverage of a leaf: a bitmap with one bit for each part.
//!
//! ```text
//!   . . . # # # . .     An accepted point covers the parts that its disk wholly contains: in
//!   . # # # # # # .     each row an interval, from a square root. One lookup rejects most
//!   # # # #o# # # #     later candidates, and the bitmap tells where there is still room.
//!   . # # # # # # .
//!   . . . # # # . .     o the point, # covered
//! ```
//!
//! Coverage is computed in single precision from the point's position in the leaf, with a distance that is
//! reduced by more than the error of single precision. So it never covers too much. Points do not depend on
//! it, as a candidate in a covered part would be rejected; the count of unresolved cells does.

use super::lanes::splat;
use super::lattice::{Parts, fold, unfold};
use wide::{CmpEq, CmpGt, f32x8, i16x8, i32x8};

/// The factor by which a covered disk is smaller than the disk itself.
const SHRINK: f64 = 1.0 - 1e-5;

/// Centres of eight rows, from the lower edge of the first, in parts.
const MIDDLES: [f32; 8] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];

/// Number of rows in a vector.
const LANES: u32 = 8;

/// Eight covered rows.
const FULL: i16x8 = i16x8::new([-1; LANES as usize]);

/// The coverage of one leaf. Rows lie along the first axis.
#[derive(Clone, Debug, Default)]
pub(super) struct Bitmap<const D: usize> {
    rows: Vec<i16x8>,
}

impl<const D: usize> Bitmap<D> {
    /// Number of vectors of rows side by side along the second axis.
    const VECTORS: u32 = Parts::<D>::WIDTH / LANES;

    /// Uncovers everything.
    pub(super) fn reset(&mut self) {
        self.rows.clear();
        self.rows
            .resize(Parts::<D>::ROWS / LANES as usize, i16x8::ZERO);
    }

    /// Returns the rows one by one.
    #[inline]
    fn rows(&self) -> &[u16] {
        bytemuck::cast_slice(&self.rows)
    }

    #[inline]
    fn rows_mut(&mut self) -> &mut [u16] {
        bytemuck::cast_slice_mut(&mut self.rows)
    }

    /// Returns `true` if every part is covered.
    #[inline]
    pub(super) fn is_all_covered(&self) -> bool {
        self.rows.iter().fold(FULL, |all, &rows| all & rows) == FULL
    }

    /// Returns `true` if the part at this position in the leaf (in `2^-32` of its sides) is covered.
    #[inline]
    pub(super) fn is_covered(&self, at: [u32; D]) -> bool {
        let part = fold::<D>(at.map(|x| x >> (32 - Parts::<D>::BITS)), Parts::<D>::BITS);
        let row = self.rows()[(part >> Parts::<D>::BITS) as usize];
        row >> (part & (Parts::<D>::WIDTH - 1)) & 1 == 1
    }

    /// Covers the slabs for which `is_closed(axis, index along the axis)` is `true`.
    pub(super) fn close_slabs(&mut self, is_closed: impl Fn(usize, u32) -> bool) {
        let closed: [u16; D] = std::array::from_fn(|a| {
            (0..Parts::<D>::WIDTH).fold(0, |all, i| all | u16::from(is_closed(a, i)) << i)
        });
        for (index, row) in self.rows_mut().iter_mut().enumerate() {
            let at: [u32; D] = unfold((index as u32) << Parts::<D>::BITS, Parts::<D>::BITS);
            let outside = (1..D).any(|a| closed[a] >> at[a] & 1 == 1);
            *row |= if outside { u16::MAX } else { closed[0] };
        }
    }

    /// Returns the uncovered ones of the 64 parts from part number `64 * group` on.
    #[inline]
    pub(super) fn uncovered_in_group(&self, group: u32) -> u64 {
        let open = |row: u16| u64::from(!row);
        match self.rows().get(4 * group as usize..) {
            Some(&[a, b, c, d, ..]) => open(a) | open(b) << 16 | open(c) << 32 | open(d) << 48,
            _ => 0,
        }
    }

    /// Returns the first and the last uncovered part along each axis; `None` if all are covered.
    #[inline]
    pub(super) fn uncovered_box(&self) -> Option<([u32; D], [u32; D])> {
        let (mut columns, mut lines) = (i16x8::ZERO, 0_u32);
        let (mut first, mut last) = ([u32::MAX; D], [0; D]);
        for (slab, rows) in self.rows.chunks(Self::VECTORS as usize).enumerate() {
            let mut open = 0;
            for (group, &rows) in (0..).zip(rows) {
                let covered = rows.cmp_eq(FULL).move_mask() as u32;
                open |= (covered ^ 0xff) << (LANES * group);
                columns |= rows ^ FULL;
            }
            if open != 0 {
                lines |= open;
                if D == 3 {
                    first[2] = first[2].min(slab as u32);
                    last[2] = slab as u32;
                }
            }
        }
        if lines == 0 {
            return None;
        }
        let columns: [u16; LANES as usize] = bytemuck::cast(columns);
        let columns = columns.iter().fold(0, |all, row| all | row);
        for (a, open) in [u32::from(columns), lines].into_iter().enumerate() {
            (first[a], last[a]) = (open.trailing_zeros(), open.ilog2());
        }
        Some((first, last))
    }

    /// Returns the first and the last uncovered part of each row that has any.
    pub(super) fn uncovered_rows(&self) -> impl Iterator<Item = ([u32; D], [u32; D])> {
        let rows = self.rows().iter().enumerate();
        let open = rows.filter(|&(_, &row)| row != u16::MAX);
        open.map(|(number, &row)| {
            let at: [u32; D] = unfold((number as u32) << Parts::<D>::BITS, Parts::<D>::BITS);
            let (mut from, mut to) = (at, at);
            (from[0], to[0]) = ((!row).trailing_zeros(), (!row).ilog2());
            (from, to)
        })
    }

    /// Returns the index of row number `row` of a cube of `2^halvings` parts a side; `cube` counts such
    /// cubes from the leaf's corner.
    #[inline]
    fn row_of(cube: [u32; D], halvings: u32, row: u32) -> usize {
        let beside: [u32; D] = unfold(row << halvings, halvings);
        let at = std::array::from_fn(|a| cube[a] << halvings | beside[a]);
        (fold::<D>(at, Parts::<D>::BITS) >> Parts::<D>::BITS) as usize
    }

    /// Returns the number of uncovered parts of a cell; `cell` counts cells from the leaf's corner.
    #[inline]
    pub(super) fn uncovered_in_cell(&self, cell: [u32; D]) -> u32 {
        let along = Parts::<D>::HALVINGS;
        let rows = 0..1 << ((D as u32 - 1) * along);
        let all = (1_u64 << (1 << along)) - 1;
        let open = rows.fold(0_u64, |open, row| {
            let parts = !self.rows()[Self::row_of(cell, along, row)] >> (cell[0] << along);
            open << (1 << along) | (u64::from(parts) & all)
        });
        open.count_ones()
    }

    /// Returns the uncovered parts of a cube that has as many parts as a fragment has pieces, one bit each; `cube`
    /// counts such cubes from the leaf's corner.
    #[inline]
    pub(super) fn uncovered_in_cube(&self, cube: [u32; D]) -> u32 {
        let along = Parts::<D>::PIECE_HALVINGS;
        let all = (1 << (1 << along)) - 1;
        (0..Parts::<D>::PIECES >> along).fold(0, |open, row| {
            let parts = !self.rows()[Self::row_of(cube, along, row)] >> (cube[0] << along);
            open | (u32::from(parts) & all) << (row << along)
        })
    }

    /// Covers parts of a cube, numbered as in [`uncovered_in_cube`](Self::uncovered_in_cube).
    #[inline]
    pub(super) fn cover_in_cube(&mut self, cube: [u32; D], parts: u32) {
        let along = Parts::<D>::PIECE_HALVINGS;
        let all = (1 << (1 << along)) - 1;
        for row in 0..Parts::<D>::PIECES >> along {
            let parts = (parts >> (row << along) & all) as u16;
            self.rows_mut()[Self::row_of(cube, along, row)] |= parts << (cube[0] << along);
        }
    }

    /// Covers the parts that the disk of radius `radius` around `x` wholly contains. `x` is relative to the
    /// leaf's corner, `part` are the sides of a part, `per_part` their inverse.
    #[expect(
        clippy::inline_always,
        reason = "measured: one call for each leaf that a point reaches"
    )]
    #[inline(always)]
    pub(super) fn cover(&mut self, x: [f64; D], radius: f64, per_part: [f64; D], part: [f64; D]) {
        let radius = radius * SHRINK;
        let reach = per_part.map(|s| (radius * s) as f32);
        let at: [f32; D] = std::array::from_fn(|a| (x[a] * per_part[a]) as f32);
        let misses =
            |a: usize| at[a] + reach[a] < 1.0 || at[a] - reach[a] > Parts::<D>::WIDTH as f32 - 1.0;
        if (0..D).any(misses) {
            return;
        }
        let (square, along) = ((radius * radius) as f32, per_part[0] as f32);
        let part = part.map(|s| s as f32);
        // The squared distances to the far edges of rows along the second axis, eight at a time.
        let mut groups = [f32x8::ZERO; 2];
        let groups = &mut groups[..Self::VECTORS as usize];
        for (group, beside) in groups.iter_mut().enumerate() {
            let far = ((f32x8::new(MIDDLES) - (at[1] - (8 * group) as f32)).abs() + 0.5) * part[1];
            *beside = far * far;
        }
        let cover = |rows: &mut i16x8, left: f32, beside: f32x8| {
            let left = splat(left) - beside;
            if left.cmp_gt(f32x8::ZERO).move_mask() != 0 {
                let half = left.fast_max(f32x8::ZERO).sqrt() * along;
                *rows |= between(at[0] + 1.0 - half, half + at[0]);
            }
        };
        let slabs = if D == 3 {
            let first = (at[2] - reach[2]).max(0.0) as usize;
            first..(Parts::<D>::WIDTH as usize).min((at[2] + reach[2]) as usize + 1)
        } else {
            0..1
        };
        for slab in slabs {
            let mut left = square;
            if D == 3 {
                let far = ((slab as f32 + 0.5 - at[2]).abs() + 0.5) * part[2];
                left -= far * far;
            }
            let first = slab * Self::VECTORS as usize;
            if left > 0.0
                && let Some(rows) = self.rows.get_mut(first..first + Self::VECTORS as usize)
            {
                for (rows, &beside) in rows.iter_mut().zip(&*groups) {
                    cover(rows, left, beside);
                }
            }
        }
    }
}

/// Returns masks of the bits from the integer part of `from` up to that of `to`, for eight pairs.
#[inline]
fn between(from: f32x8, to: f32x8) -> i16x8 {
    let most = splat(16.0);
    let from = from.fast_max(f32x8::ZERO);
    let to = to.fast_max(from);
    let below = |n: f32x8| {
        // 2^n, from the bits of an ordinary number.
        let n = n.fast_min(most).fast_trunc_int();
        let power: f32x8 = bytemuck::cast((n + i32x8::splat(127)) << 23);
        power.fast_trunc_int()
    };
    let bits = below(to) - below(from);
    i16x8::from_i32x8_truncate(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boxes::square;
    use crate::rng::Draws;

    fn check_cover<const D: usize>(runs: u32) {
        let mut draws = Draws::new(5);
        let mut bitmap = Bitmap::<D>::default();
        let mut covered = 0;
        for _ in 0..runs {
            let part: [f64; D] = std::array::from_fn(|_| 0.5 + draws.unit());
            let x = part.map(|s| 16.0 * s * (2.0 * draws.unit() - 0.5));
            let radius = 25.0 * draws.unit();
            bitmap.reset();
            bitmap.cover(x, radius, part.map(|s| 1.0 / s), part);
            for index in 0..64 * Parts::<D>::GROUPS {
                let at: [u32; D] = unfold(index, Parts::<D>::BITS);
                let far = square::<D>(|a| {
                    let middle = (f64::from(at[a]) + 0.5) * part[a];
                    (x[a] - middle).abs() + 0.5 * part[a]
                });
                let share = far.sqrt() / radius;
                if bitmap.is_covered(at.map(|x| x << (32 - Parts::<D>::BITS))) {
                    assert!(share < 1.0, "{at:?} of {radius} at {x:?}: {share}");
                    covered += 1;
                } else {
                    assert!(share > 1.0 - 2e-5, "{at:?} of {radius} at {x:?}: {share}");
                }
            }
        }
        assert!(covered > 10 * runs, "{covered}");
    }

    /// A disk covers a part if it contains the part's farthest corner, but for a hair.
    #[test]
    fn a_disk_covers_the_parts_that_it_contains() {
        check_cover::<2>(3000);
        check_cover::<3>(300);
    }
}
