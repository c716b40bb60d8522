//! Guests on ground where all ask for the same: each goes to the cells that it reaches.
//!
//! ```text
//!   +---+---+---+---+    Elsewhere a cell looks for its guests, as how large it is says who reaches
//!   |   | # | # |   |    it. Where all cells are alike, each guest knows them: it stamps them row by
//!   +---+---+---+---+    row, and what is the same for all of a row is reckoned once.
//!   |   | # |o# | # |
//!   +---+---+---+---+
//! ```

use super::base::Base;
use super::cover::Stamp;
use super::crowd::{Grids, Guest};
use super::lattice::{Lattice, Parts};
use super::law::{Law, PriorLaw};
use super::region::Task;
use super::shade::{MOST, Shade, Span, diagonal2, nearest2};
use super::view::View;
use density::{Coverage, Extent, RadiusField};

/// Where more guests than this reach a cell, on the average, cells look for them: one may cover all of
/// it, and nobody needs the others.
const CROWDED: f64 = 24.0;

/// The cells of a base level, counted from its first one.
#[derive(Clone, Debug)]
struct Floor<const D: usize> {
    /// Where they begin along each axis, and where the last one ends.
    edges: [Vec<f64>; D],
    sides: [f64; D],
    /// How many cells make a unit of length, and how many parts.
    per_side: [f64; D],
    per_part: [f64; D],
    part: [f64; D],
    /// The square of a cell's diagonal.
    size: f64,
    /// What rounding may shift a place by.
    slack: f64,
}

/// What guests leave of cells of which all are alike.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    /// Which guest reaches which cell.
    visits: Vec<[u32; 2]>,
    /// How many reach each cell, then where they begin in its list.
    starts: Vec<u32>,
    /// Whether one guest covers all of it.
    held: Vec<bool>,
    /// Where a guest lies beside the cells that it may reach, along the first axis.
    columns: Vec<Beside>,
    /// Those of a row that it stamps.
    row: Vec<(u32, f32)>,
}

/// Where a place lies beside a cell, along an axis.
#[derive(Clone, Copy, Debug, Default)]
struct Beside {
    /// The squares of how far it lies from the cell, and from the farther one of its ends.
    out2: f64,
    far2: f64,
    /// How many parts it lies from where the cell begins, as tiles have it.
    parts: f32,
}

impl<const D: usize> Shade<D> {
    /// Finds out what guests leave of each cell of a region where all points ask for the same; gives that
    /// distance. `None` where they do not, or guests are too many.
    pub(super) fn spread<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
    ) -> Option<f64> {
        let crowd = view.crowd?;
        let local = view.field.range_in(&view.inside(&task.area))?;
        let r = local.range.lo();
        let even = r == local.range.hi()
            && local.coverage == Coverage::All
            && local.extent == Extent::Box
            && view.lattice.turn_size().is_none();
        if !even {
            return None;
        }
        let floor = Floor::new(&view.lattice, &task.base);
        let corners = [task.area.min(), task.area.max()];
        self.clear();
        let ruled = self.welcome::<L>(&floor, &crowd.ruled, 0, corners, r);
        let fixed = ruled && self.welcome::<PriorLaw>(&floor, &crowd.fixed, 1, corners, r);
        if !fixed {
            self.clear();
            return None;
        }
        let cells = floor.count();
        self.cover.reset(cells);
        self.tiles.resize(cells, [Span::Kept(0, 0); 2]);
        self.spread.held.clear();
        self.spread.held.resize(cells, false);
        for kind in [0, 1] {
            if self.known[kind].is_empty() {
                continue;
            }
            self.spread.starts.clear();
            self.spread.starts.resize(cells + 1, 0);
            self.spread.visits.clear();
            if kind == 0 {
                self.visit::<L>(&floor, kind, r);
            } else {
                self.visit::<PriorLaw>(&floor, kind, r);
            }
            self.list(kind);
        }
        Some(r)
    }

    /// Whether guests leave anything of a cell that they were spread over.
    pub(super) fn leaves(&self, cell: u32) -> bool {
        !self.spread.held[cell as usize] && !self.cover.is_full(cell)
    }

    /// Lets those guests in that reach a region, unless they are too many.
    fn welcome<L: Law>(
        &mut self,
        floor: &Floor<D>,
        grids: &Grids<D>,
        kind: usize,
        corners: [[f64; D]; 2],
        r: f64,
    ) -> bool {
        let most = CROWDED * floor.count() as f64;
        let known = &mut self.known[kind];
        let mut visits = 0.0;
        !grids.any(corners, r, 0.0, |q| {
            let keep = L::RULE.distance(q.r, r);
            if nearest2(q.p, corners) < keep * keep {
                known.push(*q);
                visits += floor
                    .sides
                    .iter()
                    .map(|s| 2.0 * keep / s + 1.0)
                    .product::<f64>();
            }
            visits > most
        })
    }

    /// Sends the guests to the cells that they reach.
    fn visit<L: Law>(&mut self, floor: &Floor<D>, kind: usize, r: f64) {
        let Spread {
            visits,
            starts,
            held,
            columns,
            row,
        } = &mut self.spread;
        for (guest, q) in (0_u32..).zip(&self.known[kind]) {
            let keep = L::RULE.distance(q.r, r);
            let keep2 = keep * keep;
            let stamp = Stamp::new(floor.per_part, keep);
            let may_hold = 4.1 * keep2 > floor.size;
            let Some((first, last)) = floor.reached(q, keep) else {
                continue;
            };
            columns.clear();
            columns.extend((first[0]..=last[0]).map(|along| floor.beside(0, along, q.p[0])));
            let mut at = first;
            loop {
                let (mut out2, mut far2, mut parts, mut misses) = (0.0, 0.0, [0.0; D], false);
                for a in 1..D {
                    let beside = floor.beside(a, at[a], q.p[a]);
                    (out2, far2) = (out2 + beside.out2, far2 + beside.far2);
                    parts[a] = beside.parts;
                    misses |= stamp.misses(a, beside.parts);
                }
                row.clear();
                for (cell, column) in (floor.number(at)..).zip(&*columns) {
                    if out2 + column.out2 >= keep2 || held[cell as usize] {
                        continue;
                    }
                    visits.push([cell, guest]);
                    starts[cell as usize] += 1;
                    held[cell as usize] = may_hold && far2 + column.far2 < keep2;
                    if !misses && !stamp.misses(0, column.parts) {
                        row.push((cell, column.parts));
                    }
                }
                let row = row.iter().copied();
                self.cover.stamp_row(&stamp, row, parts, floor.part);
                let Some(axis) = (1..D).find(|&a| at[a] < last[a]) else {
                    break;
                };
                at[axis] += 1;
                at[1..axis].copy_from_slice(&first[1..axis]);
            }
        }
    }

    /// Lists the guests that reach each cell of which they leave anything.
    fn list(&mut self, kind: usize) {
        let mut end = 0;
        for cell in 0..self.spread.held.len() {
            let count = self.spread.starts[cell];
            self.tiles[cell][kind] = if !self.leaves(cell as u32) {
                Span::Kept(end, end)
            } else if count as usize > MOST {
                Span::Crowd
            } else {
                Span::Kept(end, end + count)
            };
            self.spread.starts[cell] = end;
            if let Span::Kept(_, to) = self.tiles[cell][kind] {
                end = to;
            }
        }
        let of_tiles = &mut self.of_tiles[kind];
        of_tiles.clear();
        of_tiles.resize(end as usize, 0);
        for &[cell, guest] in &self.spread.visits {
            if let Span::Kept(from, to) = self.tiles[cell as usize][kind]
                && from < to
            {
                let next = &mut self.spread.starts[cell as usize];
                of_tiles[*next as usize] = guest;
                *next += 1;
            }
        }
    }
}

impl<const D: usize> Floor<D> {
    fn new(lattice: &Lattice<D>, base: &Base<D>) -> Self {
        let (level, sides) = (base.level, lattice.sides(base.level));
        let part = lattice.sides(level + Parts::<D>::WIDTH.ilog2());
        let edge = |a: usize, at: i64| lattice.edge(a, at, sides);
        let edges: [Vec<f64>; D] = std::array::from_fn(|a| {
            (base.first[a]..=base.last[a] + 1)
                .map(|at| edge(a, at))
                .collect()
        });
        let ends = edges
            .iter()
            .flat_map(|edges| edges.first().into_iter().chain(edges.last()));
        let extent = ends.fold(0.0_f64, |most, x| most.max(x.abs()));
        Self {
            size: diagonal2([[0.0; D], sides]),
            slack: 8.0 * f64::EPSILON * extent,
            edges,
            per_side: sides.map(|s| 1.0 / s),
            sides,
            per_part: part.map(|s| 1.0 / s),
            part,
        }
    }

    /// How many cells there are.
    fn count(&self) -> usize {
        self.edges.iter().map(|edges| edges.len() - 1).product()
    }

    /// The number of a cell, the first axis fastest; of a row of them, where it lies first.
    #[inline]
    fn number(&self, at: [u32; D]) -> u32 {
        let along = |sum: u32, a: usize| sum * (self.edges[a].len() as u32 - 1) + at[a];
        (0..D).rev().fold(0, along)
    }

    /// The first and the last cell along each axis that a guest may reach, if there are any.
    #[inline]
    fn reached(&self, q: &Guest<D>, keep: f64) -> Option<([u32; D], [u32; D])> {
        let (mut first, mut last) = ([0; D], [0; D]);
        for a in 0..D {
            let (from, count) = (self.edges[a][0], self.edges[a].len() - 1);
            // Some cells that it does not reach are no harm.
            let by = keep * (1.0 + 1e-6) + self.slack;
            let (low, high) = (q.p[a] - by - from, q.p[a] + by - from);
            if high < 0.0 {
                return None;
            }
            // From below 0 it comes to 0.
            first[a] = (low * self.per_side[a]) as u32;
            last[a] = ((high * self.per_side[a]) as u32).min(count as u32 - 1);
            if first[a] > last[a] {
                return None;
            }
        }
        Some((first, last))
    }

    /// Where a place lies beside a cell, along an axis.
    #[inline]
    fn beside(&self, axis: usize, at: u32, x: f64) -> Beside {
        let edges = &self.edges[axis][at as usize..];
        let &[min, max, ..] = edges else {
            return Beside::default();
        };
        let (below, above) = (min - x, x - max);
        let (out, far) = if below > above {
            (below, max - x)
        } else {
            (above, x - min)
        };
        let out = if out > 0.0 { out } else { 0.0 };
        Beside {
            out2: out * out,
            far2: far * far,
            parts: ((x - min) * self.per_part[axis]) as f32,
        }
    }
}
