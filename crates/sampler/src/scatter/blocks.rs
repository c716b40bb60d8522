//! Blocks, which are worked on one at a time.
//!
//! Where one ends decides nothing: a block's points are those of the whole that lie in it.

use super::base::Base;
use super::cut::{Cells, enough_points, most_points};
use super::lattice::{Cell, Turn, clip, top};
use super::law::Law;
use super::lists::cells_reached;
use super::region::{Outcome, Region, Task};
use super::view::View;
use crate::boxes::grown;
use crate::steps::for_each;
use density::{Bounds, RadiusField};

/// How far a block's surroundings reach at first, in greatest distances. What hangs on
/// something farther away than this is rare; it is noticed, and its place looked at again.
const fn halo(dimensions: usize) -> f64 {
    if dimensions < 3 { 4.5 } else { 6.0 }
}

/// A ring's cells are at most so many halvings smaller than those of a region.
const FINER: u32 = 4;

/// Of what the surroundings are widened by when they were too narrow.
pub(super) const WIDEN: f64 = 1.6;

/// How far around a block the field and what is there already are asked, in the greatest distances near it,
/// where a place of it is looked at again once.
pub(crate) const fn asked(dimensions: usize) -> f64 {
    WIDEN * halo(dimensions) + 0.1
}

/// A piece of the world to be worked on at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block<const D: usize> {
    pub(super) place: Bounds<D>,
}

impl<const D: usize, F: RadiusField<D>> View<'_, D, F> {
    /// The blocks that a box touches, on a fixed grid of `side` coarsest cells, row by row.
    pub(super) fn blocks_of_grid(&self, area: &Bounds<D>, side: i64) -> Vec<Block<D>> {
        let (first, last) = self.lattice.cells(area, 0);
        let mut blocks = Vec::new();
        for_each(
            first.map(|c| c.div_euclid(side)),
            last.map(|c| c.div_euclid(side)),
            |at| {
                let first = at.map(|c| c * side);
                let last = first.map(|c| c + side - 1);
                let level = 0;
                // Windows come here each time: for them it is cut for the memory alone.
                let cells = Cells { level, first, last };
                self.cut(cells, most_points(D), area, &mut blocks);
            },
        );
        blocks
    }

    /// Blocks that fill a box evenly, each about `side` coarsest cells long, row by row.
    pub(super) fn even_blocks(&self, area: &Bounds<D>, side: i64) -> Vec<Block<D>> {
        let (first, last) = self.lattice.cells(area, 0);
        let count: [i64; D] = std::array::from_fn(|a| last[a] - first[a] + 1);
        let parts = count.map(|n| ((n + side / 2) / side).max(1));
        let mut blocks = Vec::new();
        // Larger tiles are fewer: there earlier points leave little room.
        let stretch = self.lattice.top() / top(D);
        let enough = (0..D).fold(enough_points(D), |enough, _| enough * stretch.max(1.0));
        for_each([0; D], parts.map(|n| n - 1), |at| {
            let edge = |a: usize, i: i64| first[a] + i * count[a] / parts[a];
            let cells = Cells {
                level: 0,
                first: std::array::from_fn(|a| edge(a, at[a])),
                last: std::array::from_fn(|a| edge(a, at[a] + 1) - 1),
            };
            self.cut(cells, enough, area, &mut blocks);
        });
        blocks
    }

    /// The points of one block, exactly those that the whole has there.
    pub(super) fn run<L: Law>(&self, region: &mut Region<D>, block: &Bounds<D>) -> Outcome<D> {
        self.run_within::<L>(region, block, halo(D))
    }

    /// The same, with surroundings as deep as this at first.
    pub(super) fn run_within<L: Law>(
        &self,
        region: &mut Region<D>,
        block: &Bounds<D>,
        halo: f64,
    ) -> Outcome<D> {
        let mut outcome = Outcome::default();
        let mut due = vec![(*block, halo)];
        while let Some((place, halo)) = due.pop() {
            let Some(task) = self.task(&place, halo) else {
                continue;
            };
            let task = self.ring(&task).unwrap_or(task);
            let unsure = region.run::<F, L>(self, &task, &mut outcome);
            due.extend(unsure.into_iter().map(|place| (place, WIDEN * halo)));
        }
        outcome
    }

    /// The region to look at around a block; `None` when no point may lie in it.
    pub(super) fn task(&self, block: &Bounds<D>, halo: f64) -> Option<Task<D>> {
        let most = self.field.range().hi();
        let reach = self.widest_near(block, most)?;
        let wanted = self.grown(block, halo * reach);
        let base = self.base(&wanted)?;
        let area = self.lattice.span(base.first, base.last, base.level)?;
        let mut open = [[true; 2]; D];
        let domain = self.domain.filter(|_| self.lattice.turn_size().is_none());
        if let Some(domain) = domain {
            for (a, open) in open.iter_mut().enumerate() {
                *open = [
                    wanted.min()[a] > domain.min()[a],
                    wanted.max()[a] < domain.max()[a],
                ];
            }
        }
        Some(Task {
            base,
            area,
            open,
            known: wanted,
            widest: self.widest_near(&wanted, most)?,
            block: *block,
            halo,
        })
    }

    /// Whole turns of a tiling in place of a region that is no smaller: there everything is known.
    pub(super) fn ring(&self, task: &Task<D>) -> Option<Task<D>> {
        let size = self.lattice.turn_size()?;
        let turn: f64 = size.iter().product();
        if turn > task.area.volume() {
            return None;
        }
        // Of smaller cells fewer turns are enough, but none may be smaller than one that throws.
        let mut base = self.ring_of(task.base.level)?;
        for level in task.base.level + 1..=task.base.level + FINER {
            let above = Base {
                level: level - 1,
                first: [0; D],
                last: self.lattice.turn_cells(level - 1)?.map(|n| n - 1),
                turns: None,
            };
            if base.turns == Some([1; D]) || self.any_fits(&above) {
                break;
            }
            let finer = self.ring_of(level)?;
            if finer.turns_in_all() < base.turns_in_all() {
                base = finer;
            }
        }
        if turn * base.turns_in_all() > task.area.volume() {
            return None;
        }
        Some(Task {
            base,
            area: self.lattice.span(base.first, base.last, base.level)?,
            open: [[false; 2]; D],
            ..*task
        })
    }

    /// So many turns of a tiling, in cells of this level, that of the images of a cell only one can
    /// matter to another.
    fn ring_of(&self, level: u32) -> Option<Base<D>> {
        let cells = self.lattice.turn_cells(level)?;
        let reach = cells_reached(self.field.range().hi(), self.lattice.sides(level));
        let turns: Turn<D> =
            std::array::from_fn(|a| ((2 * reach[a] + 2) as u64).div_ceil(cells[a] as u64) as i32);
        Some(Base {
            level,
            first: [0; D],
            last: std::array::from_fn(|a| i64::from(turns[a]) * cells[a] - 1),
            turns: Some(turns),
        })
    }

    /// Whether any of some cells is small enough for a tile.
    fn any_fits(&self, base: &Base<D>) -> bool {
        let (level, mut fits) = (base.level, false);
        for_each(base.first, base.last, |at| {
            let (cell, _) = self.lattice.wrap(Cell { level, at });
            let sight = || self.look(cell);
            fits = fits || sight().is_some_and(|sight| self.fits(&sight, level));
        });
        fits
    }

    /// The cells that make up a region: as small as its greatest distance allows, but no
    /// smaller than any that throw.
    fn base(&self, wanted: &Bounds<D>) -> Option<Base<D>> {
        let most = self.most_in(wanted)?;
        let base = |level| {
            let (first, last) = self.lattice.cells(wanted, level);
            Base {
                level,
                first,
                last,
                turns: None,
            }
        };
        let mut level = 0;
        while self.lattice.diagonal(level) > self.lattice.top() * most
            && !self.any_fits(&base(level))
        {
            level += 1;
        }
        Some(base(level))
    }

    /// A bound of the distances that matter to a box: of the points in it, and of those
    /// outside whose reach may touch it. `most` is one of all that might be.
    pub(super) fn widest_near(&self, place: &Bounds<D>, most: f64) -> Option<f64> {
        let mut reach = most;
        // Points farther away than `reach` cannot matter; that bounds those which can, which
        // may bring `reach` down again.
        for _ in 0..8 {
            let hi = self.most_in(&self.grown(place, reach))?;
            if hi >= reach {
                break;
            }
            reach = hi;
        }
        Some(reach)
    }

    /// A block with the surroundings that it has at first.
    pub(super) fn around(&self, block: &Bounds<D>) -> Option<Bounds<D>> {
        let reach = self.widest_near(block, self.field.range().hi())?;
        Some(self.grown(block, halo(D) * reach))
    }

    /// A box grown on all sides, inside the domain.
    fn grown(&self, place: &Bounds<D>, by: f64) -> Bounds<D> {
        let grown = grown(place, by);
        match &self.domain {
            Some(domain) if self.lattice.turn_size().is_none() => {
                clip(&grown, domain).unwrap_or(grown)
            }
            _ => grown,
        }
    }
}
