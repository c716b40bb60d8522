//! The plain index: a grid of lists whose cells are sized by the maximum radius.

use crate::index::{NeighbourIndex, index_in, table};
use crate::rule::Rule;
use crate::steps;
use density::{Bounds, DistRange};
use smallvec::SmallVec;
use std::collections::TryReserveError;

/// A grid of cells with side `max_dist / sqrt(D)`, each with a list of its points, as the
/// Dev.Mag article describes for variable distances. Every query reads all lists within the
/// greatest reach, so its cost grows as `(max_dist / min_dist)^D`. It is the reference in
/// tests.
#[derive(Clone, Debug)]
pub(crate) struct ListGrid<const D: usize> {
    origin: [f64; D],
    per_unit: f64,
    size: [usize; D],
    widest: f64,
    cells: Vec<SmallVec<[u32; 4]>>,
}

impl<const D: usize> ListGrid<D> {
    fn cell(&self, axis: usize, x: f64) -> usize {
        let c = (x - self.origin[axis]) * self.per_unit;
        // The cast saturates: places outside belong to the border cells.
        (c as usize).min(self.size[axis] - 1)
    }
}

impl<const D: usize> NeighbourIndex<D> for ListGrid<D> {
    fn new(domain: &Bounds<D>, range: DistRange, _points: f64) -> Option<Self> {
        let per_unit = (D as f64).sqrt() / range.hi();
        let size = domain.size().map(|s| (s * per_unit) as usize + 1);
        Some(Self {
            origin: domain.min(),
            per_unit,
            size,
            widest: range.hi(),
            cells: table(size, SmallVec::new())?,
        })
    }

    fn insert(&mut self, id: u32, p: [f64; D], _key: f64) -> Result<(), TryReserveError> {
        let cell = index_in(self.size, std::array::from_fn(|a| self.cell(a, p[a])));
        // Lists are short: memory for them that is missing ends the program.
        self.cells[cell].push(id);
        Ok(())
    }

    fn any_near(&self, p: [f64; D], rule: Rule, r: f64, mut hit: impl FnMut(u32) -> bool) -> bool {
        // Slightly more, for the rounding of the exact test and of cell coordinates.
        let reach = rule.distance(self.widest, r) * (1.0 + 1e-9) + 2e-6 / self.per_unit;
        let lo: [usize; D] = std::array::from_fn(|a| self.cell(a, p[a] - reach));
        let hi: [usize; D] = std::array::from_fn(|a| self.cell(a, p[a] + reach));
        steps::any(lo, hi, |cell| {
            let ids = &self.cells[index_in(self.size, cell)];
            ids.iter().any(|&id| hit(id))
        })
    }

    fn any_reaching(
        &self,
        p: [f64; D],
        times: f64,
        margin: f64,
        hit: impl FnMut(u32) -> bool,
    ) -> bool {
        let reach = times * self.widest - margin;
        reach > 0.0 && self.any_near(p, Rule::Own, reach, hit)
    }

    fn bytes(&self) -> usize {
        size_of_val(self.cells.as_slice())
    }
}
