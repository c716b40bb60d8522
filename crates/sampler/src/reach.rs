//! Detects ground that a front of points left open because it never came near.
//!
//! Bridson's algorithm leaves crevices everywhere: places that its candidates missed by chance. They
//! say nothing about how a run ended. But no candidate was ever drawn at a place farther than two
//! `min_dist`s from every point. If a point could still lie there, the front died early.
//!
//! Each point marks the cells of a grid that lie wholly within reach of its candidates, in the grid
//! of its own octave of distances. That costs a few words a point, and suffices for a run that ended
//! well. Unmarked cells are halved into boxes until one point reaches, or excludes, all of a box; the
//! finest boxes are tested at their centres.

use crate::error::SampleError;
use crate::level_grid::table;
use crate::steps::{self, for_each};
use density::{Bounds, RadiusField};

/// Candidates lie up to this many of their parent's radii away.
pub(crate) const CANDIDATE_REACH: f64 = 2.0;

/// The way in which a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The run has not ended.
    Running,
    /// No candidate is left to draw, and candidates were drawn wherever points may lie. Crevices
    /// remain nevertheless: see [`Bridson`](crate::Bridson).
    Complete,
    /// No candidate is left to draw, but some open ground is farther than two `min_dist`s from every
    /// point: the front died early.
    Open {
        /// Share of the domain that is such ground, in (0, 1].
        share: f64,
    },
    /// The limit on the number of points stopped the run.
    Capped,
    /// The run was stopped because it needed more memory than is allowed, or than there is.
    Failed(SampleError),
    /// No candidate is left to draw. A check for open ground out of reach would have taken more than
    /// a tenth of the run; or the search for islands was given up, as the bounds of a region or field
    /// did not narrow.
    NotChecked,
}

impl End {
    /// Returns the end's name as files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Open { .. } => "open",
            Self::Capped => "capped",
            Self::Failed(_) => "failed",
            Self::NotChecked => "not checked",
        }
    }
}

/// A box is tested at its centre if half its diagonal is at most this many of its distances.
const FINEST: f64 = 0.5;

/// Maximum side of a cell, in least distances of its grid's octave.
const CELL: f64 = 0.7;

/// Number of places that are probed if there are too many boxes.
const PROBES: u32 = 256;

/// Limits on the cost of the check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Maximum number of 64-bit words of marks.
    pub(crate) words: u64,
    /// Maximum number of boxes tested.
    pub(crate) boxes: u64,
}

/// Returns how a run ended that has no candidate left; `points` are its points with their radii.
///
/// `reached` returns `true` if the candidates of one point reach all of a box; `covered`, given also the
/// least distance in it, if one point conflicts with all of it. `open` returns `true` if a place is open
/// and out of reach of every point's candidates.
pub(crate) fn judge<const D: usize>(
    field: &dyn RadiusField<D>,
    domain: Bounds<D>,
    budget: Budget,
    points: impl Iterator<Item = ([f64; D], f64)>,
    reached: impl Fn(&Bounds<D>) -> bool,
    covered: impl Fn(&Bounds<D>, f64) -> bool,
    open: impl Fn([f64; D]) -> bool,
) -> End {
    let range = field.range();
    let Some(mut marks) = Marks::new(domain, range.lo(), range.hi(), budget.words) else {
        return probed(domain, open);
    };
    for (p, r) in points {
        marks.add(p, r);
    }
    marks.fill();
    // More of them exceed the budget in any case.
    let mut todo = marks.unmarked(budget.boxes + 1);
    let varies = range.lo() < range.hi();
    let mut boxes = 0;
    // Summed in a fixed order, so that the result is the same on every machine.
    let mut volume = 0.0;
    while let Some(cell) = todo.pop() {
        if marks.is_marked(cell) {
            continue;
        }
        boxes += 1;
        if boxes > budget.boxes {
            return probed(domain, open);
        }
        // A cell too thin for a box contains no place. The field may be slow: it is evaluated
        // last.
        let Some(place) = marks.place(cell).filter(|place| !reached(place)) else {
            continue;
        };
        let Some(local) = field.range_in(&place) else {
            continue;
        };
        let least = local.range.lo();
        // If all distances are equal, a point excludes no more than its candidates reach.
        if varies && covered(&place, least) {
            continue;
        }
        let size = place.size();
        let diagonal: f64 = size.iter().map(|side| side * side).sum();
        let finest = 2.0 * FINEST * least;
        if diagonal > finest * finest {
            cell.split(&mut todo);
        } else if open(place.center()) {
            // Axis by axis: the volume of a domain may be too small for a number.
            let whole = domain.size();
            volume += (0..D).map(|a| size[a] / whole[a]).product::<f64>();
        }
    }
    if volume > 0.0 {
        End::Open {
            share: volume.min(1.0),
        }
    } else {
        End::Complete
    }
}

/// Estimates the open share from a few places, spread evenly (Roberts, "The unreasonable
/// effectiveness of quasirandom sequences", 2018).
fn probed<const D: usize>(domain: Bounds<D>, open: impl Fn([f64; D]) -> bool) -> End {
    // Powers of 1/g, where g^(D+1) = g + 1.
    let steps: [f64; 3] = match D {
        2 => [0.754_877_666_246_692_8, 0.569_840_290_998_053_2, 0.0],
        _ => [
            0.819_172_513_396_164_4,
            0.671_043_606_703_789_2,
            0.549_700_477_901_970_3,
        ],
    };
    let (min, max, size) = (domain.min(), domain.max(), domain.size());
    let place = |i: u32| {
        std::array::from_fn(|a| {
            let share = (0.5 + f64::from(i) * steps[a]).fract();
            (min[a] + share * size[a]).min(max[a].next_down())
        })
    };
    let found = (0..PROBES).filter(|&i| open(place(i))).count();
    if found == 0 {
        return End::NotChecked;
    }
    End::Open {
        share: found as f64 / f64::from(PROBES),
    }
}

/// The cells wholly within reach of one point's candidates: a grid for each octave of distances, the
/// coarsest first.
struct Marks<const D: usize> {
    domain: Bounds<D>,
    /// The least distance of the finest grid.
    least: f64,
    grids: Vec<Grid<D>>,
}

/// A cell of a grid, or of an imagined one finer than all grids.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell<const D: usize> {
    /// Number of halvings from the coarsest grid.
    level: u32,
    at: [u64; D],
}

impl<const D: usize> Cell<D> {
    /// Adds the `2^D` cells of the next level inside this one.
    fn split(self, todo: &mut Vec<Self>) {
        todo.extend((0..1_u64 << D).map(|part| Self {
            level: self.level + 1,
            at: std::array::from_fn(|a| 2 * self.at[a] + (part >> a & 1)),
        }));
    }
}

/// A grid of bits over the domain, rows along the first axis.
struct Grid<const D: usize> {
    /// Number of cells along each axis.
    size: [usize; D],
    /// Sides of a cell, world units.
    side: [f64; D],
    /// Cells per world unit.
    per_unit: [f64; D],
    /// Words per row.
    stride: usize,
    bits: Vec<u64>,
}

/// A coarser grid is added only if it has at least this many cells along each axis.
const COARSEST: f64 = 8.0;

impl<const D: usize> Marks<D> {
    /// Returns grids for distances from `least` to `most`, of at most `words` words; `None` if they
    /// need more, or more memory than there is.
    fn new(domain: Bounds<D>, least: f64, most: f64, words: u64) -> Option<Self> {
        let mut octaves = 1;
        let mut greatest = least;
        while 2.0 * greatest <= most {
            greatest *= 2.0;
            octaves += 1;
        }
        // Coarser grids skip closed ground in a few boxes. Their cells stay small compared with the
        // domain, so that rounding makes none much smaller.
        let narrowest = domain.size().into_iter().fold(f64::INFINITY, f64::min);
        while 2.0 * greatest * CELL * COARSEST <= narrowest {
            greatest *= 2.0;
            octaves += 1;
        }
        // Each cell contains whole cells of the finer grid.
        let coarsest = domain.size().map(|side| (side / (CELL * greatest)).ceil());
        let cells: f64 = coarsest.iter().product();
        let finest = cells * (0..D).map(|_| greatest / least).product::<f64>();
        // Rows are whole words, even in a domain narrower than a word.
        let rows: f64 = coarsest[1..].iter().product::<f64>() * (greatest / least);
        if finest / 64.0 + rows > words as f64 {
            return None;
        }
        let coarsest = coarsest.map(|cells| (cells as usize).max(1));
        let grids = (0..octaves)
            .map(|finer| Grid::new(&domain, coarsest.map(|cells| cells << finer)))
            .collect::<Option<_>>()?;
        Some(Self {
            domain,
            least,
            grids,
        })
    }

    fn add(&mut self, p: [f64; D], r: f64) {
        let mut grid = self.grids.len() - 1;
        let mut greatest = 2.0 * self.least;
        while greatest <= r && grid > 0 {
            (grid, greatest) = (grid - 1, 2.0 * greatest);
        }
        let from = self.domain.min();
        let p = std::array::from_fn(|a| p[a] - from[a]);
        self.grids[grid].add(p, CANDIDATE_REACH * r);
    }

    /// Marks each cell if all of its parts are marked in the next finer grid.
    fn fill(&mut self) {
        for coarse in (0..self.grids.len() - 1).rev() {
            let (coarser, finer) = self.grids.split_at_mut(coarse + 1);
            coarser[coarse].fill_from(&finer[0]);
        }
    }

    /// Returns the cells of the coarsest grid that are not marked, at most `most` of them.
    fn unmarked(&self, most: u64) -> Vec<Cell<D>> {
        let grid = &self.grids[0];
        let mut cells = Vec::new();
        steps::any([0; D], grid.size.map(|cells| cells - 1), |cell| {
            if !grid.is_marked(cell) {
                let at = cell.map(|at| at as u64);
                cells.push(Cell { level: 0, at });
            }
            cells.len() as u64 >= most
        });
        cells
    }

    /// Returns `true` if the cell is marked in its own grid.
    fn is_marked(&self, cell: Cell<D>) -> bool {
        let grid = self.grids.get(cell.level as usize);
        grid.is_some_and(|grid| grid.is_marked(cell.at.map(|at| at as usize)))
    }

    /// Returns the box of a cell; `None` if the cell is too thin for floating-point numbers.
    fn place(&self, cell: Cell<D>) -> Option<Bounds<D>> {
        let (min, max) = (self.domain.min(), self.domain.max());
        let cells = (1_u64 << cell.level) as f64;
        let corner = |at: [u64; D]| {
            std::array::from_fn(|a| {
                let side = self.grids[0].side[a] / cells;
                // The last cell ends with the domain.
                (min[a] + at[a] as f64 * side).min(max[a])
            })
        };
        let last = |a: usize| ((self.grids[0].size[a] as u64) << cell.level) - 1;
        let mut end = corner(cell.at.map(|at| at + 1));
        for a in 0..D {
            if cell.at[a] == last(a) {
                end[a] = max[a];
            }
        }
        Bounds::new(corner(cell.at), end).ok()
    }
}

impl<const D: usize> Grid<D> {
    /// Returns a grid of unmarked cells; `None` if there is not enough memory for it.
    fn new(domain: &Bounds<D>, size: [usize; D]) -> Option<Self> {
        let extent = domain.size();
        let stride = size[0].div_ceil(64);
        let mut words = size;
        words[0] = stride;
        Some(Self {
            size,
            side: std::array::from_fn(|a| extent[a] / size[a] as f64),
            per_unit: std::array::from_fn(|a| size[a] as f64 / extent[a]),
            stride,
            bits: table(words, 0)?,
        })
    }

    /// Returns the index of the first word of the row through a cell.
    fn row(&self, cell: [usize; D]) -> usize {
        let row = (1..D).rev().fold(0, |row, a| row * self.size[a] + cell[a]);
        row * self.stride
    }

    /// Marks the cells that lie wholly within `reach` of `p`, a position relative to the grid's
    /// corner.
    fn add(&mut self, p: [f64; D], reach: f64) {
        let index = |a: usize, x: f64| ((x * self.per_unit[a]) as usize).min(self.size[a] - 1);
        let mut lo: [usize; D] = std::array::from_fn(|a| index(a, p[a] - reach));
        let mut hi: [usize; D] = std::array::from_fn(|a| index(a, p[a] + reach));
        // One cell of each row.
        (lo[0], hi[0]) = (0, 0);
        for_each(lo, hi, |cell| {
            let aside: f64 = (1..D)
                .map(|a| {
                    let low = p[a] - cell[a] as f64 * self.side[a];
                    low.max(self.side[a] - low)
                })
                .map(|far| far * far)
                .sum();
            let left = reach * reach - aside;
            if left > 0.0 {
                let half = left.sqrt();
                // Rounded up; casts saturate at 0 from below.
                let from = (p[0] - half) * self.per_unit[0];
                let first = from as usize + usize::from(from > from as usize as f64);
                let end = ((p[0] + half) * self.per_unit[0]) as usize;
                let row = self.row(cell);
                self.mark(row, first, end.min(self.size[0]));
            }
        });
    }

    /// Marks the cells from `first` up to `end` of a row.
    fn mark(&mut self, row: usize, first: usize, end: usize) {
        let mut at = first;
        while at < end {
            let word = at / 64;
            let stop = end.min(64 * (word + 1));
            self.bits[row + word] |= (u64::MAX >> (64 - (stop - at))) << (at % 64);
            at = stop;
        }
    }

    fn is_marked(&self, cell: [usize; D]) -> bool {
        self.bits[self.row(cell) + cell[0] / 64] >> (cell[0] % 64) & 1 == 1
    }

    /// Marks each cell if all of its parts are marked in the grid that is twice as fine.
    fn fill_from(&mut self, fine: &Self) {
        let mut last = self.size.map(|cells| cells - 1);
        // One cell of each row.
        last[0] = 0;
        for_each([0; D], last, |cell| {
            let row = self.row(cell);
            let parts: Vec<usize> = (0..1 << (D - 1))
                .map(|part| {
                    let inner = std::array::from_fn(|a| match a {
                        0 => 0,
                        _ => 2 * cell[a] + (part >> (a - 1) & 1),
                    });
                    fine.row(inner)
                })
                .collect();
            for word in 0..fine.stride {
                let all = parts.iter().map(|part| fine.bits[part + word]);
                let all = all.fold(u64::MAX, |all, bits| all & bits);
                // Two fine cells make a coarse one.
                let halves = even_bits(all & (all >> 1));
                self.bits[row + word / 2] |= halves << (32 * (word % 2));
            }
        });
    }
}

/// Returns the even-numbered bits, packed together.
fn even_bits(word: u64) -> u64 {
    let mut x = word & 0x5555_5555_5555_5555;
    x = (x | x >> 1) & 0x3333_3333_3333_3333;
    x = (x | x >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x >> 4) & 0x00ff_00ff_00ff_00ff;
    x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_bits_are_moved_together() {
        assert_eq!(even_bits(u64::MAX), 0xffff_ffff);
        assert_eq!(even_bits(0b0100_0001), 0b1001);
        assert_eq!(even_bits(0xaaaa_aaaa_aaaa_aaaa), 0);
        assert_eq!(even_bits(1 << 62), 1 << 31);
    }

    /// Every marked cell lies within reach of one point's candidates, corner by corner.
    #[test]
    fn marks_are_the_cells_that_a_throw_holds() {
        let domain = Bounds::with_origin([-7.0, 3.0], [150.0, 41.0]).expect("a box");
        let points = [
            ([10.0, 20.0], 1.0),
            ([60.0, 9.0], 5.0),
            ([142.9, 43.9], 3.0),
        ];
        let mut marks = Marks::new(domain, 1.0, 8.0, 1 << 20).expect("few words");
        for (p, r) in points {
            marks.add(p, r);
        }
        let mut marked = 0;
        for grid in &marks.grids {
            for_each([0; 2], grid.size.map(|cells| cells - 1), |cell| {
                let held = |&(p, r): &([f64; 2], f64)| {
                    let far: f64 = (0..2)
                        .map(|a| {
                            let low = domain.min()[a] + cell[a] as f64 * grid.side[a];
                            (p[a] - low).max(low + grid.side[a] - p[a])
                        })
                        .map(|d| d * d)
                        .sum();
                    far <= CANDIDATE_REACH * r * (CANDIDATE_REACH * r)
                };
                let is_marked = grid.is_marked(cell);
                marked += usize::from(is_marked);
                assert!(!is_marked || points.iter().any(held), "{cell:?}");
            });
        }
        assert!(marked > 30, "{marked}");
        // Filled from the finest grid, all cells of the coarsest are marked.
        for x in 0..150 {
            for y in 0..41 {
                marks.add([f64::from(x) - 6.5, f64::from(y) + 3.5], 1.0);
            }
        }
        marks.fill();
        assert_eq!(marks.unmarked(1), []);
    }
}
