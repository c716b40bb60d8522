//! The accepted points of a region, as each tile sees them.
//!
//! ```text
//!    . .  .      Each tile has every point that may matter to something in it, its own ones and
//!   +-----+ .    those around, in rows of eight: so a question is put to eight points at once,
//!  .| . . |      without a branch, and to no other tile.
//!   |.  . |.
//!   +-----+      Copied: about three times in the plane.
//!    .  .
//! ```
//!
//! Rows are in single precision, counted from the tile's corner: that is the same number in every
//! region, however far away the region begins. They sieve; what lies within their error of the
//! answer is decided in double precision, from world coordinates.

use super::crowd::Guest;
use super::lattice::{Lattice, Parts};
use super::law::Law;
use super::tree::Tree;
use wide::{CmpLt, f32x4, f32x8};

/// Points in a row.
pub(super) const LANES: usize = 8;

/// Rows that a tile has from the start: in a uniform field two are enough, mostly.
const AT_FIRST: u32 = 2;

/// "No further row".
const NONE: u32 = u32::MAX;

/// Where empty lanes lie: nothing is ever near them.
const NOWHERE: f32 = 1e18;

/// What single precision may lose, of a distance and of a tile's longest side: coordinates are
/// rounded (2^-24 each), so are their differences and the squares.
pub(super) const LOSS: f32 = 1e-6;

/// An accepted point. Points are accepted in the order of their ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed<const D: usize> {
    pub(super) p: [f64; D],
    pub(super) r: f64,
    pub(super) id: u64,
}

impl<const D: usize> From<Guest<D>> for Placed<D> {
    fn from(Guest { p, r }: Guest<D>) -> Self {
        Self { p, r, id: 0 }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Row<const D: usize> {
    x: [f32x8; D],
    pub(super) r: f32x8,
    /// Which points these are.
    who: [u32; LANES],
}

impl<const D: usize> Row<D> {
    pub(super) const EMPTY: Self = Self {
        x: [f32x8::new([NOWHERE; LANES]); D],
        r: f32x8::ZERO,
        who: [0; LANES],
    };

    /// The squares of how far its points lie from a place.
    #[inline]
    pub(super) fn distance2(&self, own: [f32x8; D]) -> f32x8 {
        sum::<D>(|a| {
            let d = self.x[a] - own[a];
            d * d
        })
    }
}

/// A place in a tile that asks for a distance from others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<const D: usize> {
    pub(super) tile: u32,
    /// In the world.
    pub(super) p: [f64; D],
    /// From the tile's corner.
    pub(super) x: [f32; D],
    /// The tile's longest side.
    pub(super) side: f32,
}

/// A cell of a tile and its pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces<const D: usize> {
    pub(super) tile: u32,
    /// The lowest corner, from the tile's.
    pub(super) x: [f32; D],
    /// The sides of a piece.
    pub(super) piece: [f32; D],
    /// The tile's longest side.
    pub(super) side: f32,
}

/// The points of a region. Reused from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Store<const D: usize> {
    /// Those of tile 0, those of tile 1, ..; then further ones of any.
    rows: Vec<Row<D>>,
    /// How many points each tile sees, and in which row the last one is.
    seen: Vec<(u32, u32)>,
    /// The further row after each row, if any.
    next: Vec<u32>,
    placed: Vec<(Placed<D>, u32)>,
    /// So many of them are guests.
    guests: usize,
}

impl<const D: usize> Store<D> {
    /// Empties it.
    pub(super) fn reset(&mut self, tiles: usize) {
        let rows = AT_FIRST as usize * tiles;
        self.placed.clear();
        self.guests = 0;
        self.rows.truncate(rows);
        self.rows.fill(Row::EMPTY);
        self.rows.resize(rows, Row::EMPTY);
        self.seen.clear();
        self.seen
            .extend((0..tiles as u32).map(|tile| (0, AT_FIRST * tile)));
        self.next.clear();
    }

    /// Adds a point that lies in a tile; it is seen by those that it is [shown](Self::show).
    pub(super) fn insert(&mut self, placed: Placed<D>, tile: u32) {
        self.placed.push((placed, tile));
    }

    /// Adds points that were there before all others; they are no points of the region.
    pub(super) fn insert_guests(&mut self, guests: &[Guest<D>]) {
        // There are none in a tiling: nobody asks in which tile they lie.
        self.placed
            .extend(guests.iter().map(|&q| (Placed::from(q), 0)));
        self.guests = self.placed.len();
    }

    /// Shows the last point to a tile, from the corner of which it lies at `x`.
    #[inline]
    pub(super) fn show(&mut self, tile: u32, x: [f32; D], r: f64) {
        self.show_as(tile, self.placed.len() as u32 - 1, x, r);
    }

    /// As [`show`](Self::show), of the point with this number.
    #[inline]
    pub(super) fn show_as(&mut self, tile: u32, who: u32, x: [f32; D], r: f64) {
        let (count, last) = self.seen[tile as usize];
        let lane = count as usize % LANES;
        let at = if lane > 0 || count == 0 {
            last as usize
        } else if count < LANES as u32 * AT_FIRST {
            last as usize + 1
        } else {
            self.chain(last as usize)
        };
        self.seen[tile as usize] = (count + 1, at as u32);
        let row = &mut self.rows[at];
        for (row, x) in row.x.iter_mut().zip(x) {
            row.as_array_mut()[lane] = x;
        }
        row.r.as_array_mut()[lane] = r as f32;
        row.who[lane] = who;
    }

    /// A new row after the one at `last`.
    #[cold]
    fn chain(&mut self, last: usize) -> usize {
        let new = self.rows.len();
        self.rows.push(Row::EMPTY);
        self.next.resize(new + 1, NONE);
        self.next[last] = new as u32;
        new
    }

    /// Shows rows of a tile until one is what is looked for.
    #[inline]
    pub(super) fn any<'s>(&'s self, tile: u32, mut is_it: impl FnMut(&'s Row<D>) -> bool) -> bool {
        let rows = (self.seen[tile as usize].0 as usize).div_ceil(LANES);
        let mut at = (AT_FIRST * tile) as usize;
        for number in 1..=rows {
            if is_it(&self.rows[at]) {
                return true;
            }
            if number < AT_FIRST as usize {
                at += 1;
            } else if number < rows {
                at = self.next[at] as usize;
            }
        }
        false
    }

    /// How many points a tile sees.
    #[inline]
    pub(super) fn count(&self, tile: u32) -> u32 {
        self.seen[tile as usize].0
    }

    /// All points but guests, each with the tile that it lies in.
    pub(super) fn points(&self) -> &[(Placed<D>, u32)] {
        &self.placed[self.guests..]
    }

    /// Whether a point at `spot` that comes later and asks for `r` conflicts with one that is
    /// there.
    #[inline]
    pub(super) fn conflicts<L: Law>(
        &self,
        tree: &Tree<D>,
        lattice: &Lattice<D>,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        let later = f32x8::splat(r as f32);
        let own = spot.x.map(f32x8::splat);
        let loss = f32x8::splat(LOSS * spot.side);
        self.any(spot.tile, |row| {
            let square = row.distance2(own);
            let keep = L::keep(row.r, later);
            let wide = keep * (1.0 + LOSS) + loss;
            let mut near = square.cmp_lt(wide * wide).move_mask();
            if near != 0 {
                if square.cmp_lt(surely2(keep, loss)).any() {
                    return true;
                }
                while near != 0 {
                    let lane = near.trailing_zeros() as usize;
                    near &= near - 1;
                    if self.is_near::<L>(tree, lattice, row.who[lane], spot, r) {
                        return true;
                    }
                }
            }
            false
        })
    }

    /// Whether an earlier point is too near to a place: exactly.
    #[cold]
    fn is_near<L: Law>(
        &self,
        tree: &Tree<D>,
        lattice: &Lattice<D>,
        who: u32,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        let (q, tile) = &self.placed[who as usize];
        let carried = lattice.carried(tree.turn(*tile, spot.tile));
        let square: f64 = (0..D)
            .map(|a| (q.p[a] - spot.p[a]) + carried[a])
            .map(|d| d * d)
            .sum();
        let keep = L::RULE.distance(q.r, r);
        square < keep * keep
    }

    /// Which of a cell's pieces in `open` are not wholly covered by one of the points, where
    /// points in the cell ask for at least `least`. It may miss a hair at the rim of a disk, the
    /// same in every region.
    #[inline]
    pub(super) fn uncovered<L: Law>(&self, cell: &Pieces<D>, least: f64, mut open: u32) -> u32 {
        let later = f32x8::splat(least as f32);
        let loss = f32x8::splat(2.0 * LOSS * cell.side);
        let along = Parts::<D>::PIECES_ALONG as f32;
        let center: [f32x8; D] =
            std::array::from_fn(|a| f32x8::splat(cell.x[a] + 0.5 * along * cell.piece[a]));
        // The farthest corner of the piece that is nearest to a point is so much nearer than
        // the point is to the centre; but half a piece away at least.
        let inner = cell.piece.map(|s| f32x8::splat((0.5 * along - 1.0) * s));
        let half = cell.piece.map(|s| f32x8::splat(0.5 * s));
        self.any(cell.tile, |row| {
            let square = sum::<D>(|a| {
                let d = ((row.x[a] - center[a]).abs() - inner[a]).fast_max(half[a]);
                d * d
            });
            let keep = L::keep(row.r, later) * (1.0 - 2.0 * LOSS) - loss;
            let keep = keep.fast_max(f32x8::ZERO);
            let keep = keep * keep;
            let mut lanes = square.cmp_lt(keep).move_mask();
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let x = std::array::from_fn(|a| row.x[a].as_array_ref()[lane]);
                open &= !cell.within(x, keep.as_array_ref()[lane]);
                if open == 0 {
                    return true;
                }
            }
            false
        });
        open
    }
}

/// The squares of distances below which points are surely nearer than `keep`.
#[inline]
pub(super) fn surely2(keep: f32x8, loss: f32x8) -> f32x8 {
    let tight = (keep * (1.0 - LOSS) - loss).fast_max(f32x8::ZERO);
    tight * tight
}

/// The sum over the axes.
#[inline]
fn sum<const D: usize>(of: impl Fn(usize) -> f32x8) -> f32x8 {
    (1..D).fold(of(0), |sum, a| sum + of(a))
}

impl<const D: usize> Pieces<D> {
    /// How many axes four pieces in a vector lie along.
    const ALONG: usize = if D > 2 { 2 } else { 1 };

    /// Where the centres of four pieces lie, in pieces from the lowest corner.
    const STEPS: [[f32; 4]; D] = {
        let mut steps = [[0.5; 4]; D];
        let mut index = 0;
        while index < 4 {
            let mut rest = index;
            let mut a = 0;
            while a < Self::ALONG {
                steps[a][index] += (rest % Parts::<D>::PIECES_ALONG) as f32;
                rest /= Parts::<D>::PIECES_ALONG;
                a += 1;
            }
            index += 1;
        }
        steps
    };

    /// Where the centres of pieces lie along an axis.
    const MIDDLES: [f32; 4] = [0.5, 1.5, 2.5, 3.5];

    /// Which pieces are nearer to `q` with all of their corners than the root of `keep`.
    #[inline]
    fn within(&self, q: [f32; D], keep: f32) -> u32 {
        let far = |a: usize, steps: [f32; 4]| {
            let center = f32x4::new(steps) * self.piece[a] + (self.x[a] - q[a]);
            let d = center.abs() + 0.5 * self.piece[a];
            d * d
        };
        let square = (1..Self::ALONG).fold(far(0, Self::STEPS[0]), |sum, a| {
            sum + far(a, Self::STEPS[a])
        });
        // The other axes are one at most.
        let left = f32x4::splat(keep);
        let left = (Self::ALONG..D).fold(left, |left, a| left - far(a, Self::MIDDLES));
        let left = left.to_array();
        let mut within = 0;
        for (group, left) in (0..Parts::<D>::PIECES / 4).zip(left) {
            within |= (square.cmp_lt(f32x4::splat(left)).move_mask() as u32) << (4 * group);
        }
        within
    }
}
