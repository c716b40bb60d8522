//! Sifting what was thrown: what conflicts already need not be decided.
//!
//! ```text
//!   thrown   a b c d e f      Most candidates of the later rounds fall beside a point that is
//!   left       b       f      there already. To find that out for all of a tile at once, without
//!                             a branch for each, costs less than to let them wait for their turn,
//!                             and others for them.
//! ```
//!
//! Who falls here falls in any case: points that are there were accepted earlier, and whoever
//! throws later has a later turn. So it decides nothing, and may overlook what it likes.

use super::law::Law;
use super::queue::Queue;
use super::region::Region;
use super::store::{LOSS, Row, Store, surely2};
use super::view::View;
use density::RadiusField;
use wide::{CmpLt, f32x8};

/// Room for so many rows of points.
const MOST_ROWS: usize = 4;

/// Points that surely close what lies near them, some of those that a tile sees.
#[derive(Clone, Copy, Debug)]
struct Sift<'s, const D: usize> {
    rows: [&'s Row<D>; MOST_ROWS],
    /// The squares of how near.
    near2: [f32x8; MOST_ROWS],
}

impl<'s, const D: usize> Sift<'s, D> {
    /// In the plane tiles rarely see more.
    const ROWS: usize = if D > 2 { MOST_ROWS } else { 2 };

    /// Of a tile with this longest side, in which points ask for at least `least`.
    #[inline]
    fn new<L: Law>(store: &'s Store<D>, tile: u32, side: f32, least: f64) -> Self {
        let later = f32x8::splat(least as f32);
        let loss = f32x8::splat(LOSS * side);
        let mut sift = Self {
            rows: [&Row::EMPTY; MOST_ROWS],
            near2: [f32x8::ZERO; MOST_ROWS],
        };
        let places = sift.rows.iter_mut().zip(&mut sift.near2);
        let mut places = places.take(Self::ROWS);
        store.any(tile, |row| {
            let Some((place, near2)) = places.next() else {
                return true;
            };
            (*place, *near2) = (row, surely2(L::keep(row.r, later), loss));
            false
        });
        sift
    }

    /// Whether a place, counted from the tile's corner, is closed.
    #[inline]
    fn closes(&self, x: [f32; D]) -> bool {
        let own = x.map(f32x8::splat);
        let mut closed = f32x8::ZERO;
        for (row, near2) in self.rows.iter().zip(self.near2).take(Self::ROWS) {
            closed |= row.distance2(own).cmp_lt(near2);
        }
        closed.any()
    }
}

impl<const D: usize> Region<D> {
    /// A tile has thrown: what is left of it when that is sifted can be decided.
    #[inline]
    pub(super) fn close<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        number: u32,
    ) {
        if self.store.count(number) > 0 {
            let tile = &self.tree.tiles[number as usize];
            let sift = Sift::new::<L>(&self.store, number, tile.side, tile.lo);
            queue.sift(|candidate| {
                let x = tile.relative(tile.place(view, candidate.at));
                sift.closes(x.map(|x| x as f32))
            });
        }
        queue.close(number);
    }
}
