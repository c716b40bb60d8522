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
use super::store::Placed;
use super::tree::Tile;
use wide::f32x8;

/// The bits of all tiles of a region. Reused from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover<const D: usize> {
    rows: Vec<u16>,
}

/// A stamp is this much smaller than its disk.
const SHY: f64 = 1.0 - 1e-5;

/// The lowest bits: `BELOW[n]` has n of them, at most all.
const BELOW: [u16; 32] = {
    let mut below = [0_u16; 32];
    let mut n = 1;
    while n < 32 {
        below[n] = below[n - 1] << 1 | 1;
        n += 1;
    }
    below
};

/// The middles of eight rows, from the first one's lower edge.
const MIDDLES: [f32; 8] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];

impl<const D: usize> Cover<D> {
    const FULL: u16 = BELOW[Parts::<D>::WIDTH as usize];

    /// Nothing is covered.
    pub(super) fn reset(&mut self, tiles: usize) {
        self.rows.clear();
        self.rows.resize(tiles * Parts::<D>::ROWS, 0);
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

    /// The parts of a tile that are not covered.
    pub(super) fn open_spots(&self, tile: u32) -> impl Iterator<Item = u16> {
        let bits = Parts::<D>::WIDTH.ilog2();
        self.of(tile)
            .iter()
            .zip(0_u16..)
            .flat_map(move |(row, number)| {
                let mut open = !row & Self::FULL;
                std::iter::from_fn(move || {
                    let column = (open != 0).then(|| open.trailing_zeros() as u16)?;
                    open &= open - 1;
                    Some(number << bits | column)
                })
            })
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

    /// The parts in a row of a tile that are not covered.
    #[inline]
    pub(super) fn open_in_row(&self, tile: u32, row: u32) -> u16 {
        !self.of(tile)[row as usize] & Self::FULL
    }

    /// Which cells of a row have parts that are not covered; `first` is the number of the row's
    /// first cell in the tile.
    pub(super) fn open_cells(&self, tile: u32, first: u32) -> u32 {
        let (cell, part) = (Parts::<D>::CELL_HALVINGS, Parts::<D>::HALVINGS);
        let at: [u32; D] = unfold(first, cell);
        // The first part of the cell, then those of the same first coordinate in the cell.
        let mut open = 0;
        for number in 0..1_u32 << ((D as u32 - 1) * part) {
            let inside: [u32; D] = unfold(number << part, part);
            let spot: [u32; D] = std::array::from_fn(|a| at[a] << part | inside[a]);
            let row = fold(spot, cell + part) >> (cell + part);
            open |= self.open_in_row(tile, row);
        }
        (0..1_u32 << cell)
            .map(|x| {
                let parts = open >> (x << part) & BELOW[1 << part];
                u32::from(parts != 0) << x
            })
            .sum()
    }

    /// Stamps the disk of a point on a tile; `keep` is how far points in the tile must keep from
    /// it, at least, and `carried` how far the point's turn of a tiling carries it.
    #[inline]
    pub(super) fn stamp(
        &mut self,
        number: u32,
        tile: &Tile<D>,
        point: &Placed<D>,
        carried: [f64; D],
        keep: f64,
    ) {
        let part = tile.part;
        let at: [f32; D] =
            std::array::from_fn(|a| (((point.p[a] - tile.min[a]) + carried[a]) / part[a]) as f32);
        let keep = keep * SHY;
        // How far it reaches, in parts; no part fits where it ends.
        let reach = part.map(|s| (keep / s) as f32);
        let width = Parts::<D>::WIDTH;
        if (0..D).any(|a| at[a] + reach[a] < 1.0 || at[a] - reach[a] > width as f32 - 1.0) {
            return;
        }
        let keep2 = (keep * keep) as f32;
        let side = part.map(|s| s as f32);
        let per_column = 1.0 / side[0];
        let rows = self.of_mut(number);
        // Rows along the second axis, eight at a time, for every place along the others.
        let (outer, groups) = if D > 1 {
            (Parts::<D>::ROWS as u32 / width, width / 8)
        } else {
            (1, 1)
        };
        for slab in 0..outer {
            let beyond: [u32; D] = unfold(slab, width.ilog2());
            let mut left = keep2;
            for a in 2..D {
                let far = ((beyond[a - 2] as f32 + 0.5 - at[a]).abs() + 0.5) * side[a];
                left -= far * far;
            }
            if left <= 0.0 {
                continue;
            }
            for group in 0..groups {
                let mut square = f32x8::splat(left);
                if D > 1 {
                    let y = at[1] - (8 * group) as f32;
                    if y + reach[1] < 1.0 || y - reach[1] > 7.0 {
                        continue;
                    }
                    let far = ((f32x8::new(MIDDLES) - y).abs() + 0.5) * side[1];
                    square -= far * far;
                }
                let half = square.fast_max(f32x8::ZERO).sqrt() * per_column;
                let most = f32x8::splat(width as f32);
                let from = (at[0] + 1.0) - half;
                let to = half + at[0];
                let from = from.fast_max(f32x8::ZERO).fast_min(most).fast_trunc_int();
                let to = to.fast_max(f32x8::ZERO).fast_min(most).fast_trunc_int();
                let (from, to) = (from.to_array(), to.to_array());
                let start = (slab * if D > 1 { width } else { 1 } + 8 * group) as usize;
                for (row, (from, to)) in rows[start..].iter_mut().zip(from.into_iter().zip(to)) {
                    *row |= BELOW[(to & 31) as usize] & !BELOW[(from & 31) as usize];
                }
            }
        }
    }
}
