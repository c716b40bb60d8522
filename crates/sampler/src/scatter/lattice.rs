//! The lattice of cells, as the definition of the engine has it.

use density::{Bounds, DistRange};

/// A cell of the lattice: `at` counts cells of its level from the anchor. Level 0 is the
/// coarsest; each level halves the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell<const D: usize> {
    pub(super) level: u32,
    pub(super) at: [i64; D],
}

/// A cell's image in an unrolled tiling: which turn around each axis it lies in.
pub(super) type Turn<const D: usize> = [i32; D];

impl<const D: usize> Cell<D> {
    /// Cell number `index` of the `2^D` inside: bit `a` says whether it is the upper one along
    /// axis `a`.
    #[inline]
    pub(super) fn half(self, index: usize) -> Self {
        Self {
            level: self.level + 1,
            at: std::array::from_fn(|a| 2 * self.at[a] + ((index >> a) & 1) as i64),
        }
    }

    /// The cell `halvings` levels down, `step` cells from the first one inside.
    #[inline]
    pub(super) fn inside(self, halvings: u32, step: [u32; D]) -> Self {
        Self {
            level: self.level + halvings,
            at: std::array::from_fn(|a| (self.at[a] << halvings) + i64::from(step[a])),
        }
    }
}

/// The coordinates of number `index` in a cube of `2^bits` along each axis, first axis fastest.
#[inline]
pub(super) fn unfold<const D: usize>(index: u32, bits: u32) -> [u32; D] {
    std::array::from_fn(|a| (index >> (a as u32 * bits)) & ((1 << bits) - 1))
}

/// The inverse of [`unfold`].
#[inline]
pub(super) fn fold<const D: usize>(at: [u32; D], bits: u32) -> u32 {
    at.iter().rev().fold(0, |sum, &x| sum << bits | x)
}

/// Into what tiles and cells are divided.
///
/// ```text
///   tile = 4 x 4 (x 4) cells, each = 4 x 4 (x 4) parts
///   a part that stays open = 4 x 4 pieces, in space 2 x 2 x 2, and each of those again
/// ```
pub(super) struct Parts<const D: usize>;

impl<const D: usize> Parts<D> {
    /// How often each axis of a cell is halved to parts.
    pub(super) const HALVINGS: u32 = 2;
    /// Parts of a cell.
    pub(super) const COUNT: u32 = 1 << (D as u32 * Self::HALVINGS);
    /// How often each axis of what stays open is halved: as many pieces as fit a few vectors.
    pub(super) const PIECE_HALVINGS: u32 = if D <= 2 { 2 } else { 1 };
    /// Pieces along each axis.
    pub(super) const PIECES_ALONG: usize = 1 << Self::PIECE_HALVINGS;
    /// Pieces.
    pub(super) const PIECES: u32 = 1 << (D as u32 * Self::PIECE_HALVINGS);
    /// A mask of all of them.
    pub(super) const ALL: u32 = u32::MAX >> (32 - Self::PIECES);
    /// How often each axis of a tile is halved to cells.
    pub(super) const CELL_HALVINGS: u32 = 2;
    /// Parts of a tile along each axis.
    pub(super) const WIDTH: u32 = 1 << (Self::CELL_HALVINGS + Self::HALVINGS);
    /// Rows of parts in a tile.
    pub(super) const ROWS: usize = (Self::WIDTH as usize).pow(D as u32 - 1);
    /// Sixty-fours of parts of a tile, or what there is.
    pub(super) const GROUPS: u32 = 1 << (D as u32 * Self::WIDTH.ilog2()).saturating_sub(6);
    /// Cells of a tile.
    pub(super) const CELLS: u32 = 1 << (D as u32 * Self::CELL_HALVINGS);

    /// The number of a part in its tile; `at` counts parts from the tile's corner.
    #[inline]
    pub(super) fn number(at: [u32; D]) -> u16 {
        fold(at, Self::WIDTH.ilog2()) as u16
    }

    /// The numbers of the parts of a cell; `cell` counts cells from the tile's corner.
    pub(super) fn of_cell(cell: [u32; D]) -> impl Iterator<Item = u16> {
        (0..Self::COUNT).map(move |part| {
            let part: [u32; D] = unfold(part, Self::HALVINGS);
            Self::number(std::array::from_fn(|a| cell[a] << Self::HALVINGS | part[a]))
        })
    }
}

/// Where cells lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice<const D: usize> {
    anchor: [f64; D],
    /// Sides of a cell of level 0, and its diagonal in greatest distances.
    sides: [f64; D],
    top: f64,
    /// How many cells of level 0 make one turn of a tiling, and its size.
    turn: Option<([i64; D], [f64; D])>,
}

/// The diagonal of a cell of level 0, in greatest distances: as measured, fastest. Up to
/// four, a point in each of a tile's `4^D` cells would cover it.
pub(crate) const fn top(dimensions: usize) -> f64 {
    if dimensions == 2 { 4.5 } else { 4.0 }
}

/// A cell of another level is a tile up to a diagonal this many times longer, in least distances. As
/// sides halve, tiles are somewhere between that and half of it: on the whole, as large beside the
/// points in them as where all ask for the same.
pub(super) const ROOM: f64 = 1.5;

/// So that a cell that is as large as fits still fits when rounded.
const HAIR: f64 = 1.0 - 1e-9;

impl<const D: usize> Lattice<D> {
    /// A lattice that fits the greatest distance, with cells so many times as long as where nobody was
    /// there before.
    pub(super) fn open(anchor: [f64; D], range: DistRange, stretch: f64) -> Self {
        let top = stretch * top(D);
        Self {
            anchor,
            sides: [Self::fit(range, top); D],
            top,
            turn: None,
        }
    }

    /// A lattice whose cells divide a box, the opposite sides of which are one.
    pub(super) fn tiled(domain: &Bounds<D>, range: DistRange) -> Self {
        let size = domain.size();
        let top = top(D);
        let counts = size.map(|s| (s / Self::fit(range, top)).ceil().max(1.0));
        Self {
            anchor: domain.min(),
            top,
            sides: std::array::from_fn(|a| size[a] / counts[a]),
            turn: Some((counts.map(|n| n as i64), size)),
        }
    }

    fn fit(range: DistRange, top: f64) -> f64 {
        top * range.hi() / (D as f64).sqrt() * HAIR
    }

    /// The diagonal of a cell of level 0, in greatest distances.
    #[inline]
    pub(super) fn top(&self) -> f64 {
        self.top
    }

    /// Sides of a cell. Exact: halving is.
    #[inline]
    pub(super) fn sides(&self, level: u32) -> [f64; D] {
        // 2^-level, from its bits: a division would cost as much as the rest.
        let share = f64::from_bits((1023 - u64::from(level.min(1022))) << 52);
        self.sides.map(|s| s * share)
    }

    /// A cell's longest side.
    #[inline]
    pub(super) fn side(&self, level: u32) -> f64 {
        self.sides(level).into_iter().fold(0.0, f64::max)
    }

    /// Length of a cell's diagonal.
    pub(super) fn diagonal(&self, level: u32) -> f64 {
        let square: f64 = self.sides(level).iter().map(|s| s * s).sum();
        square.sqrt()
    }

    /// The cell as a box; `None` when it is lost in rounding, far from the origin.
    #[inline]
    pub(super) fn bounds(&self, cell: Cell<D>) -> Option<Bounds<D>> {
        self.span(cell.at, cell.at, cell.level)
    }

    /// Where a cell with these sides begins along an axis.
    #[inline]
    pub(super) fn edge(&self, axis: usize, at: i64, sides: [f64; D]) -> f64 {
        self.anchor[axis] + at as f64 * sides[axis]
    }

    /// A place in a cell from shares of its sides in [0, 1).
    #[inline]
    pub(super) fn place(&self, cell: Cell<D>, share: [f64; D]) -> [f64; D] {
        self.place_by(cell, self.sides(cell.level), share)
    }

    /// As [`place`](Self::place), for a cell whose sides are known.
    #[inline]
    pub(super) fn place_by(&self, cell: Cell<D>, sides: [f64; D], share: [f64; D]) -> [f64; D] {
        std::array::from_fn(|a| self.anchor[a] + (cell.at[a] as f64 + share[a]) * sides[a])
    }

    /// The first and the last cell of a level that a box touches, both included; of a tiling,
    /// unrolled.
    pub(super) fn cells(&self, area: &Bounds<D>, level: u32) -> ([i64; D], [i64; D]) {
        let sides = self.sides(level);
        let cell = |a: usize, x: f64| ((x - self.anchor[a]) / sides[a]).floor() as i64;
        let first = std::array::from_fn(|a| cell(a, area.min()[a]));
        // A box that ends where a cell begins does not touch it.
        let last = std::array::from_fn(|a| {
            let end = (area.max()[a] - self.anchor[a]) / sides[a];
            ((end.ceil() as i64) - 1).max(first[a])
        });
        (first, last)
    }

    /// The box from the first to the last of some cells of a level, unrolled.
    #[inline]
    pub(super) fn span(&self, first: [i64; D], last: [i64; D], level: u32) -> Option<Bounds<D>> {
        let sides = self.sides(level);
        Bounds::new(
            std::array::from_fn(|a| self.edge(a, first[a], sides)),
            std::array::from_fn(|a| self.edge(a, last[a] + 1, sides)),
        )
        .ok()
    }

    /// The cell that an unrolled one is the image of, and the turn that it lies in.
    pub(super) fn wrap(&self, cell: Cell<D>) -> (Cell<D>, Turn<D>) {
        match self.turn {
            None => (cell, [0; D]),
            Some((counts, _)) => {
                let round = |a: usize| counts[a] << cell.level;
                let wrapped = Cell {
                    level: cell.level,
                    at: std::array::from_fn(|a| cell.at[a].rem_euclid(round(a))),
                };
                let turn = std::array::from_fn(|a| cell.at[a].div_euclid(round(a)) as i32);
                (wrapped, turn)
            }
        }
    }

    /// How many cells of a level make one turn of a tiling.
    pub(super) fn turn_cells(&self, level: u32) -> Option<[i64; D]> {
        self.turn.map(|(counts, _)| counts.map(|n| n << level))
    }

    /// The size of a tiling.
    pub(super) fn turn_size(&self) -> Option<[f64; D]> {
        self.turn.map(|(_, size)| size)
    }

    /// How far a turn carries.
    pub(super) fn carried(&self, turn: Turn<D>) -> [f64; D] {
        match self.turn {
            None => [0.0; D],
            Some((_, size)) => std::array::from_fn(|a| f64::from(turn[a]) * size[a]),
        }
    }
}

/// The common part of two boxes.
pub(super) fn clip<const D: usize>(a: &Bounds<D>, b: &Bounds<D>) -> Option<Bounds<D>> {
    Bounds::new(
        std::array::from_fn(|i| a.min()[i].max(b.min()[i])),
        std::array::from_fn(|i| a.max()[i].min(b.max()[i])),
    )
    .ok()
}

/// Whether all of a box lies in another one.
#[inline]
pub(super) fn encloses<const D: usize>(outer: &Bounds<D>, inner: &Bounds<D>) -> bool {
    (0..D).all(|a| outer.min()[a] <= inner.min()[a] && inner.max()[a] <= outer.max()[a])
}
