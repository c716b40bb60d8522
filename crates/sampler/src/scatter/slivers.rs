//! The later rounds: what is left between disks is divided and looked at ever more closely.

use super::lattice::{Parts, Turn};
use super::law::Law;
use super::region::{Candidate, Open, Outcome, Region, Task};
use super::store::{Patch, Placed};
use super::throw::Throw;
use super::view::View;
use density::RadiusField;

impl<const D: usize> Region<D> {
    /// Throws into the open cells, and forgets those that are not open any more.
    pub(super) fn throw_into_cells<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        round: u32,
    ) {
        let mut open = std::mem::take(&mut self.open);
        let mut kept = 0;
        for i in 0..open.len() {
            let mut cell = open[i];
            if self.throw_into::<F, L>(view, &mut cell, round, kept) {
                open[kept as usize] = cell;
                kept += 1;
            }
        }
        open.truncate(kept as usize);
        self.open = open;
    }

    /// Finds out which parts of a cell are open, and throws into one of them. Whether there
    /// are any.
    fn throw_into<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        open: &mut Open<D>,
        round: u32,
        number: u32,
    ) -> bool {
        let patch = self.patch(open.tile, view, open.cell);
        let list = Self::list_of(open.tile, open.spot);
        if !self.update::<F, L>(view, open, &patch, list) {
            return false;
        }
        let tiles = self.tree.list(list);
        // Late: the smaller the cell, the less its loss clouds.
        if self.unknown.hides(&patch, open.lo) || self.unknown.may_cover(tiles, &patch, open.lo) {
            self.unknown.add_box(&self.tree, &patch, open.hi);
            return false;
        }
        let throw = Throw::new(view.seed, open.cell, round);
        if let Some(part) = throw.pick(open.parts) {
            self.candidates.push(Candidate {
                id: throw.turn(round),
                by: number,
                spot: part as u16,
            });
        }
        true
    }

    /// Strikes out the parts of a cell that are covered. Whether any is left.
    fn update<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        open: &mut Open<D>,
        patch: &Patch<D>,
        list: u32,
    ) -> bool {
        let exact = |q: &Placed<D>, turn: Turn<D>, part: u32| {
            view.covers(q, turn, open.cell.piece(part), L::RULE, open.lo)
        };
        let tiles = self.tree.list(list);
        let (tree, parts) = (&self.tree, open.parts);
        open.parts = self
            .store
            .uncovered::<L>(tree, tiles, patch, open.lo, parts, exact);
        if open.parts != 0 {
            open.parts = self.guests.uncovered::<F, L>(view, tree, open, patch);
        }
        open.parts != 0
    }

    /// Whether any of a cell is open, as far as its own bounds tell.
    fn is_open<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        open: &mut Open<D>,
    ) -> bool {
        let patch = self.patch(open.tile, view, open.cell);
        let list = Self::list_of(open.tile, open.spot);
        self.update::<F, L>(view, open, &patch, list)
    }

    /// Makes cells of the open parts of cells.
    pub(super) fn divide<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
        round: u32,
        outcome: &mut Outcome<D>,
    ) {
        self.next.clear();
        let mut cells = std::mem::take(&mut self.open);
        for whole in &mut cells {
            // Nothing near it has changed since it threw, mostly.
            if self.changed[whole.tile as usize] == round && !self.is_open::<F, L>(view, whole) {
                continue;
            }
            let mut parts = whole.parts;
            while parts != 0 {
                let cell = whole.cell.piece(parts.trailing_zeros());
                parts &= parts - 1;
                let part = Open {
                    cell,
                    parts: Parts::<D>::ALL,
                    ..*whole
                };
                let Some(mut part) = sharpened(view, part) else {
                    continue;
                };
                if !view.is_finest(part.lo, part.hi, cell.level) {
                    self.next.push(part);
                } else if let Some(place) = view.place(cell)
                    && task.block.contains(place.center())
                    && self.is_open::<F, L>(view, &mut part)
                {
                    outcome.unresolved += 1;
                    outcome.unresolved_volume += place.volume();
                }
            }
        }
        std::mem::swap(&mut self.open, &mut self.next);
        self.next = cells;
    }
}

/// A cell with its own bounds in place of those of what it lies in; `None` when no point may
/// lie in it.
pub(super) fn sharpened<const D: usize, F: RadiusField<D>>(
    view: &View<'_, D, F>,
    open: Open<D>,
) -> Option<Open<D>> {
    let place = view.place(open.cell)?;
    if open.even {
        return Some(open);
    }
    let sight = view.look_at(place, open.cell.level)?;
    Some(Open {
        lo: sight.lo,
        hi: sight.hi,
        even: sight.even,
        ..open
    })
}
