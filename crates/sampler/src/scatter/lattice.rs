//! The lattice of cells that the engine is defined on.

use crate::steps::for_each;
use density::{Bounds, DistRange};

/// A cell of the lattice. `at` counts cells of its level from the anchor. Each level halves the sides: level 0 is the
/// coarsest of the tree, and negative levels are cubes of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell<const D: usize> {
    pub(super) level: i32,
    pub(super) at: [i64; D],
}

impl<const D: usize> Cell<D> {
    /// Returns the `2^D` cells of the next level inside.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        (0..1 << D).map(move |index| self.child(index))
    }

    /// Returns child number `index` of `2^D`: bit `a` is set for the upper half along axis `a`.
    #[inline]
    pub(super) fn child(self, index: usize) -> Self {
        Self {
            level: self.level + 1,
            at: std::array::from_fn(|a| 2 * self.at[a] + ((index >> a) & 1) as i64),
        }
    }

    /// Returns the cell `halvings` levels down, `step` cells from the first one inside.
    #[inline]
    pub(super) fn inside(self, halvings: u32, step: [u32; D]) -> Self {
        Self {
            level: self.level + halvings as i32,
            at: std::array::from_fn(|a| (self.at[a] << halvings) + i64::from(step[a])),
        }
    }
}

/// Returns the coordinates of number `index` in a cube of `2^bits` a side, first axis fastest.
#[inline]
pub(super) fn unfold<const D: usize>(index: u32, bits: u32) -> [u32; D] {
    std::array::from_fn(|a| (index >> (a as u32 * bits)) & ((1 << bits) - 1))
}

/// Returns the number of the coordinates `at`: the inverse of [`unfold`].
#[inline]
pub(super) fn fold<const D: usize>(at: [u32; D], bits: u32) -> u32 {
    at.iter().rev().fold(0, |sum, &x| sum << bits | x)
}

/// The division of leaves.
///
/// ```text
///   leaf = 4 x 4 (x 4) cells, each = 4 x 4 (x 4) parts
///   a part that stays uncovered = 4 x 4 pieces (2 x 2 x 2 in 3D), and each of those again
/// ```
pub(super) struct Parts<const D: usize>;

impl<const D: usize> Parts<D> {
    /// Number of halvings of a leaf's sides that give its cells.
    pub(super) const CELL_HALVINGS: u32 = 2;
    /// Number of cells in a leaf along each axis.
    pub(super) const CELLS_ALONG: u32 = 1 << Self::CELL_HALVINGS;
    /// Number of cells in a leaf.
    pub(super) const CELLS: u32 = 1 << (D as u32 * Self::CELL_HALVINGS);
    /// Number of halvings of a cell's sides that give its parts.
    pub(super) const HALVINGS: u32 = 2;
    /// Number of halvings of a leaf's sides that give its parts.
    pub(super) const BITS: u32 = Self::CELL_HALVINGS + Self::HALVINGS;
    /// Number of parts in a leaf along each axis.
    pub(super) const WIDTH: u32 = 1 << Self::BITS;
    /// Number of rows of parts in a leaf.
    pub(super) const ROWS: usize = (Self::WIDTH as usize).pow(D as u32 - 1);
    /// Number of groups of 64 parts in a leaf.
    pub(super) const GROUPS: u32 = 1 << (D as u32 * Self::BITS - 6);
    /// Number of halvings of a fragment's sides that give its pieces: as many pieces as fit a few vectors.
    pub(super) const PIECE_HALVINGS: u32 = if D == 2 { 2 } else { 1 };
    /// Number of pieces in a fragment along each axis.
    pub(super) const PIECES_ALONG: usize = 1 << Self::PIECE_HALVINGS;
    /// Number of pieces in a fragment.
    pub(super) const PIECES: u32 = 1 << (D as u32 * Self::PIECE_HALVINGS);
    /// A mask of all pieces.
    pub(super) const ALL_PIECES: u32 = u32::MAX >> (32 - Self::PIECES);
}

/// The number of a copy of a periodic domain: one of the `3^D` copies around it, itself included, as
/// numbered by [`image`].
pub(super) type Image = u16;

/// Returns the number of the image at this many periods, each -1, 0 or 1.
#[inline]
pub(super) fn image<const D: usize>(periods: [i64; D]) -> Image {
    let digits = periods.iter().rev();
    digits.fold(0, |sum, &n| 3 * sum + (n + 1) as Image)
}

/// Returns the number of the domain as an image of its own `image`.
#[inline]
pub(super) fn opposite<const D: usize>(image: Image) -> Image {
    3_u16.pow(D as u32) - 1 - image
}

/// The positions and sizes of cells.
#[derive(Clone, Debug)]
pub(super) struct Lattice<const D: usize> {
    anchor: [f64; D],
    /// Sides of a cell of level 0, world units.
    sides: [f64; D],
    /// Number of cells of level 0 in one period of a periodic domain.
    period: Option<[i64; D]>,
    /// The offset of each [`Image`] from the domain itself.
    shifts: Vec<[f64; D]>,
}

/// The diagonal of a cell of level 0, in greatest distances: the fastest, as measured. With a diagonal of
/// up to four, one point in each of a leaf's `4^D` cells would cover the leaf.
pub(super) const fn top(dimensions: usize) -> f64 {
    if dimensions == 2 { 4.5 } else { 4.0 }
}

/// A cell is a leaf if its diagonal is at most [`top`] times this, in least distances. As sides halve,
/// leaves are between half of that and all of it: on average as large, compared with the points in them, as
/// where all distances are equal.
pub(super) const ROOM: f64 = 1.5;

/// Reduces the largest cell that fits, so that it still fits when rounded.
const ROUNDING: f64 = 1.0 - 1e-9;

impl<const D: usize> Lattice<D> {
    /// Creates a lattice that begins at `anchor` and fits the greatest distance of `range`.
    pub(super) fn open(anchor: [f64; D], range: DistRange) -> Self {
        Self {
            anchor,
            sides: [Self::fitting(range); D],
            period: None,
            shifts: vec![[0.0; D]; 3_usize.pow(D as u32)],
        }
    }

    /// Creates a lattice whose cells divide a periodic domain.
    pub(super) fn periodic(domain: &Bounds<D>, range: DistRange) -> Self {
        let size = domain.size();
        let counts = size.map(|s| (s / Self::fitting(range)).ceil().max(1.0));
        let mut shifts = Vec::new();
        for_each([-1_i64; D], [1; D], |periods| {
            shifts.push(std::array::from_fn(|a| periods[a] as f64 * size[a]));
        });
        Self {
            anchor: domain.min(),
            sides: std::array::from_fn(|a| size[a] / counts[a]),
            period: Some(counts.map(|n| n as i64)),
            shifts,
        }
    }

    fn fitting(range: DistRange) -> f64 {
        top(D) * range.hi() / (D as f64).sqrt() * ROUNDING
    }

    /// Returns the sides of a cell. Exact, as halving is.
    #[inline]
    pub(super) fn sides(&self, level: i32) -> [f64; D] {
        let share = inverse_power_of_two(level);
        self.sides.map(|s| s * share)
    }

    /// Returns a cell's longest side.
    #[inline]
    pub(super) fn side(&self, level: i32) -> f64 {
        self.sides(level).into_iter().fold(0.0, f64::max)
    }

    /// Returns the length of a cell's diagonal.
    #[inline]
    pub(super) fn diagonal(&self, level: i32) -> f64 {
        let square: f64 = self.sides(level).iter().map(|s| s * s).sum();
        square.sqrt()
    }

    /// Returns the box of a cell; `None` far from the origin, where it is lost in rounding.
    #[inline]
    pub(super) fn bounds(&self, cell: Cell<D>) -> Option<Bounds<D>> {
        let sides = self.sides(cell.level);
        let edge = |a: usize, at: i64| self.anchor[a] + at as f64 * sides[a];
        Bounds::new(
            std::array::from_fn(|a| edge(a, cell.at[a])),
            std::array::from_fn(|a| edge(a, cell.at[a] + 1)),
        )
        .ok()
    }

    /// Returns a position in a cell with these sides; `share` is the position in the cell, in `2^-32` of
    /// the sides.
    #[inline]
    pub(super) fn position(&self, at: [f64; D], sides: [f64; D], share: [u32; D]) -> [f64; D] {
        const UNIT: f64 = 1.0 / (1_u64 << 32) as f64;
        std::array::from_fn(|a| self.anchor[a] + (at[a] + f64::from(share[a]) * UNIT) * sides[a])
    }

    /// Returns the first and the last cell of level 0 that a box touches, both included. The box has to lie
    /// inside the domain if that is periodic.
    pub(super) fn roots(&self, area: &Bounds<D>) -> ([i64; D], [i64; D]) {
        let cell = |a: usize, x: f64| (x - self.anchor[a]) / self.sides[a];
        let most = |a: usize| self.period.map_or(i64::MAX, |counts| counts[a] - 1);
        let first: [i64; D] =
            std::array::from_fn(|a| (cell(a, area.min()[a]).floor() as i64).min(most(a)));
        // A box that ends where a cell begins does not touch that cell.
        let last = std::array::from_fn(|a| {
            let last = (cell(a, area.max()[a]).ceil() as i64 - 1).min(most(a));
            last.max(first[a])
        });
        (first, last)
    }

    /// Returns `true` if a cell of level 0 lies beyond the last cells of a periodic domain. These may end
    /// just before the domain's edge, as sides are rounded.
    pub(super) fn is_beyond(&self, root: [i64; D]) -> bool {
        let counts = self.period.as_ref();
        counts.is_some_and(|counts| (0..D).any(|a| root[a] >= counts[a]))
    }

    /// Returns the number of cells of level 0, along each axis, that this distance extends over.
    pub(super) fn reach(&self, distance: f64) -> [i64; D] {
        self.sides.map(|s| (1.01 * distance / s).ceil() as i64)
    }

    /// Returns the cell of level 0 that `at` is an image of, and the number of the image.
    #[inline]
    pub(super) fn wrap(&self, at: [i64; D]) -> ([i64; D], Image) {
        let Some(counts) = self.period else {
            return (at, image([0; D]));
        };
        let wrapped = std::array::from_fn(|a| at[a].rem_euclid(counts[a]));
        let periods: [i64; D] = std::array::from_fn(|a| at[a].div_euclid(counts[a]));
        (wrapped, image(periods))
    }

    /// Returns `true` if the domain is periodic.
    #[inline]
    pub(super) fn is_periodic(&self) -> bool {
        self.period.is_some()
    }

    /// Returns the number of images to search: `3^D` for a periodic domain, otherwise 1.
    #[inline]
    pub(super) fn images(&self) -> Image {
        if self.is_periodic() {
            self.shifts.len() as Image
        } else {
            1
        }
    }

    /// Returns the offset of an image from the domain itself.
    #[inline]
    pub(super) fn shift(&self, image: Image) -> [f64; D] {
        self.shifts[usize::from(image)]
    }
}

/// Returns `2^-n`, made from its bits.
#[inline]
pub(super) fn inverse_power_of_two(n: i32) -> f64 {
    f64::from_bits(((1023 - n.min(1022)) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_the_first_axis_fastest() {
        assert_eq!(unfold(0b11_10_01, 2), [1, 2, 3]);
        for index in 0..64 {
            assert_eq!(fold::<3>(unfold(index, 2), 2), index);
            assert_eq!(fold::<2>(unfold(index, 3), 3), index);
        }
    }
}
