//! Summaries of blocks of equal size, computed in batches.

use super::{NodeBox, Nodes, Summary, Value, for_rows, greater, lesser, read};
use crate::filled::filled;
use std::ops::Range;

/// Summaries of blocks of equal size, in rows along the first axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Level<const D: usize, V> {
    /// The first block.
    first: [u32; D],
    widths: [u32; D],
    // Separate lists, so that compilers vectorise the loops.
    min: Vec<V>,
    max: Vec<V>,
    all: Vec<bool>,
}

/// Mutable lists of summaries, equally long.
pub(crate) struct Columns<'a, V> {
    pub(crate) min: &'a mut [V],
    pub(crate) max: &'a mut [V],
    pub(crate) all: &'a mut [bool],
}

/// Joins the values of `from` to those of `to`, one by one.
#[inline]
pub(crate) fn join<T: Copy>(to: &mut [T], from: &[T], both: impl Fn(T, T) -> T) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = both(*to, from);
    }
}

/// Joins the values of `from` two by two, into `to`.
#[inline]
fn halve<T: Copy>(to: &mut [T], from: &[T], both: impl Fn(T, T) -> T) {
    for (to, pair) in to.iter_mut().zip(from.chunks_exact(2)) {
        *to = both(pair[0], pair[1]);
    }
}

/// Most blocks of a row that are computed at once.
const BATCH: usize = 64;

impl<const D: usize, V: Value> Level<D, V> {
    /// Creates an empty level for a box of blocks; `None` without enough memory.
    pub(super) fn empty(blocks: NodeBox<D>) -> Option<Self> {
        let widths = blocks.map(|[first, last]| last - first + 1);
        let count = widths.iter().map(|&width| width as usize).product();
        let Summary { min, max, all } = Summary::NOTHING;
        Some(Self {
            first: blocks.map(|[first, _]| first),
            widths,
            min: filled(min, count)?,
            max: filled(max, count)?,
            all: filled(all, count)?,
        })
    }

    /// Returns `true` if the level has one block.
    pub(crate) fn is_one(&self) -> bool {
        self.widths == [1; D]
    }

    /// Returns the summary of a box of blocks.
    pub(crate) fn over(&self, blocks: NodeBox<D>) -> Summary<V> {
        read(None::<&Self>, self, blocks)
    }

    /// Returns the positions of `count` blocks of a row in the lists.
    #[inline]
    fn cells(&self, first: [u32; D], count: usize) -> Range<usize> {
        let start = (0..D).rev().fold(0, |sum, a| {
            sum * self.widths[a] as usize + (first[a] - self.first[a]) as usize
        });
        start..start + count
    }

    /// Recomputes the summaries of a box of blocks from the `nodes` below, of which those in
    /// `known` exist. A block that overlaps their edge is smaller.
    pub(super) fn update(
        &mut self,
        blocks: NodeBox<D>,
        nodes: &impl Nodes<D, Value = V>,
        known: NodeBox<D>,
    ) {
        let [first, last] = blocks[0];
        for_rows(blocks, |mut at| {
            for start in (first..=last).step_by(BATCH) {
                at[0] = start;
                let count = (last - start + 1).min(BATCH as u32);
                self.update_batch(at, count, nodes, known);
            }
        });
    }

    /// Recomputes `count` blocks of a row, [`BATCH`] at most: first over the rows of nodes, then
    /// along the row.
    fn update_batch(
        &mut self,
        at: [u32; D],
        count: u32,
        nodes: &impl Nodes<D, Value = V>,
        known: NodeBox<D>,
    ) {
        let below: NodeBox<D> = std::array::from_fn(|a| {
            let blocks = if a == 0 { count } else { 1 };
            let [first, last] = known[a];
            // In this order the sum does not overflow.
            [
                (2 * at[a]).max(first),
                (2 * at[a] + (2 * blocks - 1)).min(last),
            ]
        });
        let [left, right] = below[0].map(|node| (node - 2 * at[0]) as usize);
        let mut rows = below;
        rows[0] = [below[0][0]; 2];
        let mut min = [V::GREATEST; 2 * BATCH];
        let mut max = [V::LEAST; 2 * BATCH];
        let mut all = [true; 2 * BATCH];
        for_rows(rows, |row| {
            let columns = Columns {
                min: &mut min[left..=right],
                max: &mut max[left..=right],
                all: &mut all[left..=right],
            };
            nodes.add_row(row, columns);
        });
        let cells = self.cells(at, count as usize);
        halve(&mut self.min[cells.clone()], &min, lesser);
        halve(&mut self.max[cells.clone()], &max, greater);
        halve(&mut self.all[cells], &all, |a, b| a & b);
    }
}

impl<const D: usize, V: Value> Nodes<D> for Level<D, V> {
    type Value = V;

    #[inline]
    fn each(&self, first: [u32; D], last: u32, mut f: impl FnMut(Summary<V>)) {
        let cells = self.cells(first, (last - first[0]) as usize + 1);
        let ends = self.min[cells.clone()].iter().zip(&self.max[cells.clone()]);
        for ((&min, &max), &all) in ends.zip(&self.all[cells]) {
            f(Summary { min, max, all });
        }
    }

    fn add_row(&self, first: [u32; D], sums: Columns<'_, V>) {
        let cells = self.cells(first, sums.min.len());
        join(sums.min, &self.min[cells.clone()], lesser);
        join(sums.max, &self.max[cells.clone()], greater);
        join(sums.all, &self.all[cells], |a, b| a & b);
    }
}
