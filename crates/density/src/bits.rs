//! A bit for every pixel of a map, in cells of 8 by 8.

use crate::grey_map::filled;

/// Pixels along a cell's side.
pub(crate) const CELL: u32 = 8;

/// Some of a map's pixels.
pub(crate) struct Bits {
    /// Cells per row.
    width: usize,
    /// A cell's pixels, row by row from the lowest bit.
    cells: Vec<u64>,
}

impl Bits {
    /// No pixel of so many columns and rows; `None` without an eighth of a byte for each.
    pub(crate) fn none(columns: usize, rows: usize) -> Option<Self> {
        let side = CELL as usize;
        let width = columns.div_ceil(side);
        let cells = filled(0, width * rows.div_ceil(side))?;
        Some(Self { width, cells })
    }

    /// Cells per row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Row by row from the top; in each a bit for a pixel, row by row from the lowest bit.
    pub(crate) fn cells(&self) -> &[u64] {
        &self.cells
    }

    /// How many pixels there are.
    pub(crate) fn count(&self) -> u64 {
        self.cells
            .iter()
            .map(|bits| u64::from(bits.count_ones()))
            .sum()
    }

    pub(crate) fn has(&self, x: usize, y: usize) -> bool {
        let (cell, bit) = self.place(x, y);
        self.cells[cell] & bit != 0
    }

    pub(crate) fn set(&mut self, x: usize, y: usize) {
        let (cell, bit) = self.place(x, y);
        self.cells[cell] |= bit;
    }

    pub(crate) fn clear(&mut self, x: usize, y: usize) {
        let (cell, bit) = self.place(x, y);
        self.cells[cell] &= !bit;
    }

    /// A pixel's cell, and its bit there.
    fn place(&self, x: usize, y: usize) -> (usize, u64) {
        let side = CELL as usize;
        let cell = y / side * self.width + x / side;
        (cell, 1 << (y % side * side + x % side))
    }
}

/// The places of a cell's bits that are set, columns and rows from its corner.
pub(crate) fn places(mut bits: u64) -> impl Iterator<Item = [u32; 2]> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        Some([bit % CELL, bit / CELL])
    })
}
