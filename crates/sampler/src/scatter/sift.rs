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
use super::queue::{Candidate, Queue};
use super::region::Region;
use super::store::{LANES, LOSS, Row, Store, surely2};
use super::tile::Tile;
use wide::{CmpLt, f32x8};

/// Room for so many rows of points.
const MOST_ROWS: usize = 4;

/// Points that surely close what lies near them, some of those that a tile sees.
#[derive(Clone, Copy, Debug)]
struct Sift<'s, const D: usize> {
    rows: [&'s Row<D>; MOST_ROWS],
    /// The squares of how near.
    near2: [f32x8; MOST_ROWS],
    /// The sides of the tile, in `2^-24`.
    unit: [f32; D],
}

impl<'s, const D: usize> Sift<'s, D> {
    /// In the plane tiles rarely see more.
    const ROWS: usize = if D > 2 { MOST_ROWS } else { 2 };

    /// Of a tile and its number.
    #[inline]
    fn new<L: Law>(store: &'s Store<D>, number: u32, tile: &Tile<D>) -> Self {
        let later = f32x8::splat(tile.lo as f32);
        // Of places as well only single precision is looked at, and less of it.
        let loss = f32x8::splat(2.0 * LOSS * tile.side);
        let mut sift = Self {
            rows: [&Row::EMPTY; MOST_ROWS],
            near2: [f32x8::ZERO; MOST_ROWS],
            unit: tile.sides.map(|s| (s * (1.0 / f64::from(1 << 24))) as f32),
        };
        let places = sift.rows.iter_mut().zip(&mut sift.near2);
        let mut places = places.take(Self::ROWS);
        store.any(number, |row| {
            let Some((place, near2)) = places.next() else {
                return true;
            };
            (*place, *near2) = (row, surely2(L::keep(row.r, later), loss));
            false
        });
        sift
    }

    /// Whether a candidate surely falls to one of the first so many rows.
    #[inline]
    fn closes(&self, candidate: &Candidate<D>, rows: usize) -> bool {
        let own: [f32x8; D] = std::array::from_fn(|a| {
            let share = (candidate.at[a] >> 8) as i32 as f32;
            f32x8::splat(share * self.unit[a])
        });
        let mut closed = f32x8::ZERO;
        for (row, near2) in self.rows.iter().zip(self.near2).take(rows) {
            closed |= row.distance2(own).cmp_lt(near2);
        }
        closed.any()
    }
}

impl<const D: usize> Region<D> {
    /// A tile has thrown: what is left of it when that is sifted can be decided.
    #[inline]
    pub(super) fn close<L: Law>(&self, queue: &mut Queue<D>, number: u32) {
        let count = self.store.count(number) as usize;
        if count > 0 {
            let tile = &self.tree.tiles[number as usize];
            let sift = Sift::new::<L>(&self.store, number, tile);
            if count <= LANES {
                queue.sift(|candidate| sift.closes(candidate, 1));
            } else {
                queue.sift(|candidate| sift.closes(candidate, Sift::<D>::ROWS));
            }
        }
        queue.close(number);
    }
}
