//! The cells that a region begins with, as one grid: where they lie, and which of them a place is near.

use super::base::Base;
use super::crowd::Guest;
use super::lattice::{Lattice, Parts};
use super::shade::diagonal2;

/// The cells of a base level, counted from its first one.
#[derive(Clone, Debug)]
pub(super) struct Floor<const D: usize> {
    /// Where they begin along each axis, and where the last one ends.
    edges: [Vec<f64>; D],
    pub(super) sides: [f64; D],
    /// How many cells make a unit of length, and how many parts.
    per_side: [f64; D],
    pub(super) per_part: [f64; D],
    pub(super) part: [f64; D],
    /// The square of a cell's diagonal.
    pub(super) size: f64,
    /// What rounding may shift a place by.
    slack: f64,
}

/// Where a place lies beside a cell, along an axis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    /// The squares of how far it lies from the cell, and from the farther one of its ends.
    pub(super) out2: f64,
    pub(super) far2: f64,
    /// How many parts it lies from where the cell begins, as tiles have it.
    pub(super) parts: f32,
}

impl<const D: usize> Floor<D> {
    pub(super) fn new(lattice: &Lattice<D>, base: &Base<D>) -> Self {
        let (level, sides) = (base.level, lattice.sides(base.level));
        let part = lattice.sides(level + Parts::<D>::WIDTH.ilog2());
        let edge = |a: usize, at: i64| lattice.edge(a, at, sides);
        let edges: [Vec<f64>; D] = std::array::from_fn(|a| {
            (base.first[a]..=base.last[a] + 1)
                .map(|at| edge(a, at))
                .collect()
        });
        // What they are reckoned from may lie far away.
        let extent = edges.iter().enumerate().fold(0.0_f64, |most, (a, edges)| {
            let anchor = edge(a, 0);
            let ends = edges.first().into_iter().chain(edges.last());
            ends.fold(most.max(anchor.abs()), |most, x| {
                most.max(x.abs()).max((x - anchor).abs())
            })
        });
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
    pub(super) fn count(&self) -> usize {
        self.edges.iter().map(|edges| edges.len() - 1).product()
    }

    /// The number of a cell, the first axis fastest; of a row of them, where it lies first.
    #[inline]
    pub(super) fn number(&self, at: [u32; D]) -> u32 {
        let along = |sum: u32, a: usize| sum * (self.edges[a].len() as u32 - 1) + at[a];
        (0..D).rev().fold(0, along)
    }

    /// The first and the last cell along each axis that a guest may reach, if there are any.
    #[inline]
    pub(super) fn reached(&self, q: &Guest<D>, keep: f64) -> Option<([u32; D], [u32; D])> {
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
    pub(super) fn beside(&self, axis: usize, at: u32, x: f64) -> Beside {
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
