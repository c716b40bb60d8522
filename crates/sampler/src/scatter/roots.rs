//! The cells that a region's tree begins with, and what guests leave of them.

use super::base::Base;
use super::lattice::Cell;
use super::law::Law;
use super::region::Task;
use super::shade::Shade;
use super::tree::{NONE, Tree, Within};
use super::view::View;
use crate::steps::for_each;
use density::RadiusField;

/// The guests of so many cells of the base level in a row are looked for at once.
const STRIP: i64 = 4;

impl<const D: usize> Tree<D> {
    /// The cells of the base level. Gives the most that a point in them may ask for.
    pub(super) fn roots<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        shade: &mut Shade<D>,
        task: &Task<D>,
    ) -> f64 {
        let base = &task.base;
        let mut most: f64 = 0.0;
        let mut strip = Some(NONE);
        self.grid.clear();
        let even = shade.spread::<F, L>(view, task);
        if even.is_some() {
            let (level, at) = (base.level, base.last);
            self.note_far(view.lattice.place(Cell { level, at }, [0.5; D]));
        }
        for_each(base.first, base.last, |at| {
            let number = self.grid.len() as u32;
            if even.is_some() && !shade.leaves(number) {
                self.grid.push(NONE);
                return;
            }
            let along = at[0] - base.first[0];
            // Where guests are many beside cells, each cell looks for its own.
            let many = along > 0 && strip.is_some_and(|strip| shade.is_crowded(strip));
            if even.is_none() && view.crowd.is_some() && along % STRIP == 0 && !many {
                strip = self.strip::<F, L>(view, shade, base, at);
            }
            let level = base.level;
            let (cell, turn) = view.lattice.wrap(Cell { level, at });
            let node = strip.and_then(|guests| {
                let guests = if many { NONE } else { guests };
                let place = view.place(cell)?;
                if task.is_beyond(&view.lattice, &place, turn) {
                    return None;
                }
                let sight = view.look_at(place, level)?;
                let is_even = |r: f64| sight.even && sight.lo == r;
                let guests = if even.is_some_and(is_even) {
                    Within::Spread(number)
                } else {
                    Within::Cell(guests)
                };
                self.add::<F, L>(view, shade, task, (cell, turn), &sight, guests)
            });
            if let Some(node) = node {
                most = most.max(self.nodes[node as usize].tile.hi);
            }
            self.grid.push(node.unwrap_or(NONE));
        });
        most
    }

    /// Looks for the guests of some cells of the base level in a row, from `at` on, once for all of
    /// them. `None` when one of them covers all.
    fn strip<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        shade: &mut Shade<D>,
        base: &Base<D>,
        at: [i64; D],
    ) -> Option<u32> {
        let mut last = at;
        last[0] = (at[0] + STRIP - 1).min(base.last[0]);
        let Some(place) = view.lattice.span(at, last, base.level) else {
            return Some(NONE);
        };
        let place = view.inside(&place);
        let Some((crowd, local)) = view.crowd.zip(view.field.range_in(&place)) else {
            return Some(NONE);
        };
        let guests = shade.cell::<L>(crowd, &place, &local.range, NONE);
        if guests.is_none() {
            let level = base.level;
            self.note_far(view.lattice.place(Cell { level, at: last }, [0.5; D]));
        }
        guests
    }

    /// Notes where there is, or would be, a tile.
    pub(super) fn note_far(&mut self, center: [f64; D]) {
        for (x, origin) in center.into_iter().zip(self.origin) {
            self.far = self.far.max((x - origin) as f32);
        }
    }
}
