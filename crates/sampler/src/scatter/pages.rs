//! The cells of level 0 that were created, by position, and when they were last used.
//!
//! Cells are numbered in *pages*, which are cubes of cells: a page is created with its first cell, so that memory grows
//! with the area that was evaluated. The *index* of a cell stays the same as long as its page exists.

use super::lattice::unfold;
use super::neighbours::NONE;
use crate::steps::{self, for_each};
use std::collections::BTreeMap;
use std::ops::Range;

/// Returns `b`, where the side of a page is `2^b` cells.
pub(super) const fn page_bits(dimensions: usize) -> u32 {
    if dimensions < 3 { 4 } else { 2 }
}

/// A cube of cells of level 0.
#[derive(Clone, Copy, Debug, Default)]
struct Page {
    /// The number of the page; `None` once its cells were forgotten.
    number: Option<u32>,
    /// Whether all of its points were handed out.
    is_retired: bool,
}

/// The cells of level 0.
#[derive(Debug)]
pub(super) struct Pages<const D: usize> {
    by_position: BTreeMap<[i64; D], Page>,
    /// Numbers of pages that can be reused.
    free: Vec<u32>,
    /// The page used last of each parity of its coordinates: around any cell there is one page of each parity.
    recent: Vec<Option<([i64; D], u32)>>,
    /// The node of each cell, page by page; [`NONE`] if it was not created.
    pub(super) nodes: Vec<u32>,
    /// The last request that used each cell.
    last_use: Vec<u64>,
    /// The number of requests so far.
    requests: u64,
}

impl<const D: usize> Pages<D> {
    /// Number of cells in a page.
    const CELLS: usize = 1 << (page_bits(D) * D as u32);

    pub(super) fn new() -> Self {
        Self {
            by_position: BTreeMap::new(),
            free: Vec::new(),
            recent: vec![None; 1 << D],
            nodes: Vec::new(),
            last_use: Vec::new(),
            requests: 0,
        }
    }

    /// Returns the memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<u32>()
            + self.last_use.capacity() * size_of::<u64>()
            + self.by_position.len() * size_of::<([i64; D], Page)>()
    }

    /// Begins a new request.
    pub(super) fn begin_request(&mut self) {
        self.requests += 1;
    }

    /// Returns the index of the cell at `at`, and marks it as used in this request. Its page is added if it is new.
    #[inline]
    pub(super) fn index_of(&mut self, at: [i64; D]) -> usize {
        let bits = page_bits(D);
        let page = at.map(|x| x >> bits);
        let number = match self.recent[Self::parity(page)] {
            Some((recent, number)) if recent == page => number,
            _ => self.number_of(page),
        };
        let inside = at
            .iter()
            .rev()
            .fold(0, |sum, x| sum << bits | (x & ((1 << bits) - 1)) as usize);
        let index = number as usize * Self::CELLS + inside;
        self.last_use[index] = self.requests;
        index
    }

    /// Returns the number of a page, which is added if it is new.
    fn number_of(&mut self, page: [i64; D]) -> u32 {
        let Self {
            by_position,
            free,
            nodes,
            last_use,
            ..
        } = self;
        let known = &mut by_position.entry(page).or_default().number;
        let number = *known.get_or_insert_with(|| {
            free.pop().unwrap_or_else(|| {
                let new = nodes.len();
                nodes.resize(new + Self::CELLS, NONE);
                last_use.resize(new + Self::CELLS, 0);
                (new / Self::CELLS) as u32
            })
        });
        self.recent[Self::parity(page)] = Some((page, number));
        number
    }

    /// Returns the parities of a page's coordinates, one bit each.
    #[inline]
    fn parity(page: [i64; D]) -> usize {
        (0..D).fold(0, |bits, a| bits | ((page[a] & 1) as usize) << a)
    }

    /// Returns the indices of the cells in a page.
    fn cells(number: u32) -> Range<usize> {
        let first = number as usize * Self::CELLS;
        first..first + Self::CELLS
    }

    /// Returns the indices of the cells that were last used more than `age` requests ago.
    pub(super) fn not_used_for(&self, age: u64) -> Vec<usize> {
        let old =
            |&cell: &usize| self.nodes[cell] != NONE && self.last_use[cell] + age < self.requests;
        (0..self.nodes.len()).filter(old).collect()
    }

    /// Returns the indices of the cells from `first` to `last`, both included.
    pub(super) fn between(&self, first: [i64; D], last: [i64; D]) -> Vec<usize> {
        let bits = page_bits(D);
        let mut found = Vec::new();
        let numbered = |(at, page): (_, &Page)| Some((at, page.number?));
        for (page, number) in self.by_position.iter().filter_map(numbered) {
            let cells = Self::cells(number);
            let start = cells.start;
            found.extend(cells.filter(|&cell| {
                let inside: [u32; D] = unfold((cell - start) as u32, bits);
                let at = |a: usize| (page[a] << bits) + i64::from(inside[a]);
                self.nodes[cell] != NONE && (0..D).all(|a| (first[a]..=last[a]).contains(&at(a)))
            }));
        }
        found
    }

    /// Removes cells by their indices, and pages without a cell. Returns the nodes of the cells.
    pub(super) fn remove(&mut self, cells: &[usize]) -> Vec<u32> {
        let taken = cells
            .iter()
            .map(|&cell| std::mem::replace(&mut self.nodes[cell], NONE));
        let taken = taken.filter(|&node| node != NONE).collect();
        let Self {
            by_position,
            free,
            nodes,
            ..
        } = self;
        by_position.retain(|_, page| {
            let Some(number) = page.number else {
                return true;
            };
            let is_used = nodes[Self::cells(number)].iter().any(|&node| node != NONE);
            if !is_used {
                free.push(number);
            }
            is_used
        });
        self.recent.fill(None);
        taken
    }

    /// Marks a page as retired: all of its points were handed out. Removes the cells of this page and of those around
    /// it, if all pages around them are retired too, so that no leaf can depend on them any more. `is_outside` tells
    /// whether a page lies outside the domain: it needs not be retired. Returns the nodes of the removed cells.
    pub(super) fn retire(
        &mut self,
        page: [i64; D],
        is_outside: impl Fn([i64; D]) -> bool,
    ) -> Vec<u32> {
        let mut removed = Vec::new();
        if let Some(page) = self.by_position.get_mut(&page)
            && std::mem::replace(&mut page.is_retired, true)
        {
            return removed;
        }
        for_each(
            page.map(|x| x - 1),
            page.map(|x| x + 1),
            |other: [i64; D]| {
                let is_retired = |page| {
                    self.by_position
                        .get(&page)
                        .is_some_and(|page| page.is_retired)
                };
                let is_needed = |around| !is_retired(around) && !is_outside(around);
                if !steps::any(other.map(|x| x - 1), other.map(|x| x + 1), is_needed) {
                    self.remove_page(other, &mut removed);
                }
            },
        );
        removed
    }

    /// Removes the cells of a page and adds their nodes to `removed`. The page stays retired, but its number is reused.
    fn remove_page(&mut self, page: [i64; D], removed: &mut Vec<u32>) {
        let known = self.by_position.get_mut(&page);
        let Some(number) = known.and_then(|page| page.number.take()) else {
            return;
        };
        let cells = &mut self.nodes[Self::cells(number)];
        removed.extend(cells.iter().filter(|&&node| node != NONE));
        cells.fill(NONE);
        self.free.push(number);
        self.recent.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates the cells from -40 to 40 along both axes. The node of each is its number.
    fn square() -> (Pages<2>, Vec<[i64; 2]>) {
        let (mut pages, mut cells) = (Pages::new(), Vec::new());
        for_each([-40_i64; 2], [40; 2], |at| {
            let index = pages.index_of(at);
            pages.nodes[index] = cells.len() as u32;
            cells.push(at);
        });
        (pages, cells)
    }

    /// Returns the cells at these indices, in the order of their nodes.
    fn at(pages: &Pages<2>, indices: &[usize], cells: &[[i64; 2]]) -> Vec<[i64; 2]> {
        let mut nodes: Vec<u32> = indices.iter().map(|&index| pages.nodes[index]).collect();
        nodes.sort_unstable();
        nodes.iter().map(|&node| cells[node as usize]).collect()
    }

    #[test]
    fn cells_are_found_by_position_and_by_age() {
        let (mut pages, cells) = square();
        let inside = |at: &&[i64; 2]| (-17..=3).contains(&at[0]) && (5..=99).contains(&at[1]);
        let expected: Vec<_> = cells.iter().filter(inside).copied().collect();
        let found = pages.between([-17, 5], [3, 99]);
        assert_eq!(at(&pages, &found, &cells), expected);
        pages.begin_request();
        for &cell in &expected {
            pages.index_of(cell);
        }
        assert!(pages.not_used_for(1).is_empty());
        let old = pages.not_used_for(0);
        let expected: Vec<_> = cells.iter().filter(|at| !inside(at)).copied().collect();
        assert_eq!(at(&pages, &old, &cells), expected);
        assert_eq!(pages.remove(&old).len(), expected.len());
        assert_eq!(pages.between([-40; 2], [40; 2]), found);
    }

    #[test]
    fn a_page_is_removed_once_all_around_are_retired() {
        let (mut pages, cells) = square();
        let mut left = cells.len();
        // Pages lie from -3 to 2. Those beyond are outside.
        let is_outside = |page: [i64; 2]| page.iter().any(|x| !(-3..=2).contains(x));
        let mut retired = Vec::new();
        for_each([-3_i64; 2], [2; 2], |page| {
            retired.push(page);
            for node in pages.retire(page, is_outside) {
                let own = cells[node as usize].map(|x| x >> 4);
                let depends = |other: [i64; 2]| !is_outside(other) && !retired.contains(&other);
                assert!(!steps::any(own.map(|x| x - 1), own.map(|x| x + 1), depends));
                left -= 1;
            }
        });
        assert_eq!((left, pages.between([-99; 2], [99; 2])), (0, Vec::new()));
    }
}
