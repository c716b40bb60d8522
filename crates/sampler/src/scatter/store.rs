//! The accepted points of a region, eight at a time.
//!
//! Each tile holds its points in rows of eight, so that a question is put to eight of them
//! at once, without a branch. The rows are in single precision, in the region's own
//! coordinates: they sieve. What lies within their error of the answer is decided in double
//! precision, from world coordinates, which are the same in every region.

use super::lattice::{Lattice, Parts, Turn};
use super::law::Law;
use super::tree::Tree;
use wide::{CmpLt, f32x8};

/// Points in a row.
const LANES: usize = 8;

/// "No further row".
const NONE: u32 = u32::MAX;

/// Where empty lanes lie: nothing is ever near them.
const NOWHERE: f32 = 1e18;

/// An accepted point. Points are accepted in the order of their ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed<const D: usize> {
    pub(super) p: [f64; D],
    pub(super) r: f64,
    pub(super) id: u64,
}

impl<const D: usize> Placed<D> {
    /// What stands in empty lanes.
    const NONE: Self = Self {
        p: [0.0; D],
        r: 0.0,
        id: 0,
    };
}

#[derive(Clone, Copy, Debug)]
struct Row<const D: usize> {
    x: [f32x8; D],
    r: f32x8,
    len: u32,
    next: u32,
}

impl<const D: usize> Row<D> {
    const EMPTY: Self = Self {
        x: [f32x8::new([NOWHERE; LANES]); D],
        r: f32x8::ZERO,
        len: 0,
        next: NONE,
    };
}

/// A place in the region's own coordinates, and how far points must keep from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<const D: usize> {
    pub(super) tile: u32,
    pub(super) p: [f64; D],
    pub(super) own: [f32; D],
}

/// The answer of a sieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sieved {
    No,
    Unsure,
    Yes,
}

/// The points of a region. Reused from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Store<const D: usize> {
    rows: Vec<Row<D>>,
    placed: Vec<[Placed<D>; LANES]>,
    /// Squares of distances in single precision are right up to these factors.
    down: f32x8,
    up: f32x8,
}

impl<const D: usize> Store<D> {
    /// Empties it. `extent` is the region's largest coordinate, `least` the least distance.
    pub(super) fn reset(&mut self, tiles: usize, extent: f64, least: f64) {
        self.rows.clear();
        self.rows.resize(tiles, Row::EMPTY);
        self.placed.clear();
        self.placed.resize(tiles, [Placed::NONE; LANES]);
        // Coordinates are rounded once (2^-24 of the extent) and again when subtracted.
        let error = 6.0 * (D as f64).sqrt() * extent * (1.0 / f64::from(1 << 24)) / least + 1e-6;
        self.up = f32x8::splat(((1.0 + error) * (1.0 + error)) as f32 * (1.0 + f32::EPSILON));
        let down = (1.0 - error).max(0.0);
        self.down = f32x8::splat((down * down) as f32 * (1.0 - f32::EPSILON));
    }

    /// Adds a point.
    pub(super) fn insert(&mut self, spot: &Spot<D>, placed: Placed<D>) {
        let mut row = spot.tile as usize;
        while self.rows[row].len as usize == LANES {
            if self.rows[row].next == NONE {
                self.rows[row].next = self.rows.len() as u32;
                self.rows.push(Row::EMPTY);
                self.placed.push([Placed::NONE; LANES]);
            }
            row = self.rows[row].next as usize;
        }
        let lane = self.rows[row].len as usize;
        let target = &mut self.rows[row];
        for a in 0..D {
            target.x[a].as_array_mut()[lane] = spot.own[a];
        }
        target.r.as_array_mut()[lane] = placed.r as f32;
        target.len += 1;
        self.placed[row][lane] = placed;
    }

    /// The points of a tile.
    pub(super) fn points(&self, tile: u32) -> impl Iterator<Item = &Placed<D>> {
        let mut row = tile;
        std::iter::from_fn(move || {
            let this = (row != NONE).then_some(row)? as usize;
            row = self.rows[this].next;
            Some(&self.placed[this][..self.rows[this].len as usize])
        })
        .flatten()
    }

    /// Whether a point at `spot` that comes later and asks for `r` conflicts with one in the
    /// tiles of a list.
    #[inline]
    pub(super) fn conflicts<L: Law>(
        &self,
        tree: &Tree<D>,
        lattice: &Lattice<D>,
        list: &[u32],
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        let later = f32x8::splat(r as f32);
        let own = spot.own.map(f32x8::splat);
        let sieve = |row: &Row<D>| self.sieve(row, own, |q| L::keep(q, later));
        let exact = |q: &Placed<D>, turn: Turn<D>| {
            let carried = lattice.carried(turn);
            let square: f64 = (0..D)
                .map(|a| (q.p[a] - spot.p[a]) + carried[a])
                .map(|d| d * d)
                .sum();
            let keep = L::RULE.distance(q.r, r);
            square < keep * keep
        };
        self.any(tree, list, spot.tile, sieve, exact)
    }

    /// Looks at the tiles of a list, which brings them nearer in memory. What comes of it says
    /// nothing.
    #[inline]
    pub(super) fn touched(&self, list: &[u32]) -> u32 {
        list.iter().fold(0, |all, &tile| {
            let row = &self.rows[tile as usize];
            all ^ row.next ^ row.x[0].as_array_ref()[0].to_bits()
        })
    }

    /// Which of a cell's parts in `open` are not wholly covered by one of the points in the
    /// tiles of a list, where points in the cell ask for at least `least`.
    #[inline]
    pub(super) fn uncovered<L: Law>(
        &self,
        tree: &Tree<D>,
        list: &[u32],
        patch: &Patch<D>,
        least: f64,
        mut open: u32,
        exact: impl Fn(&Placed<D>, Turn<D>, u32) -> bool,
    ) -> u32 {
        let later = f32x8::splat(least as f32);
        let center = patch.center.map(f32x8::splat);
        let part = patch
            .half
            .map(|h| h * (1.0 / Parts::<D>::PIECES_ALONG as f32));
        // A part's farthest corner is at least this far from a point.
        let inner: [f32x8; D] =
            std::array::from_fn(|a| f32x8::splat(patch.half[a] - 2.0 * part[a]));
        let half = part.map(f32x8::splat);
        for &tile in list {
            let mut at = tile as usize;
            loop {
                let row = &self.rows[at];
                let mut square = f32x8::ZERO;
                for a in 0..D {
                    let d = ((row.x[a] - center[a]).abs() - inner[a]).fast_max(half[a]);
                    square += d * d;
                }
                let keep = L::keep(row.r, later);
                let keep = keep * keep;
                let mut lanes = square.cmp_lt(keep * self.up).move_mask();
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let q: [f32; D] = std::array::from_fn(|a| row.x[a].as_array_ref()[lane]);
                    let keep = f32x8::splat(keep.as_array_ref()[lane]);
                    let (sure, maybe) = self.parts_within(patch, part, q, keep);
                    let mut doubt = maybe & !sure & open;
                    open &= !sure;
                    while doubt != 0 {
                        let index = doubt.trailing_zeros();
                        doubt &= doubt - 1;
                        let turn = tree.turn(tile, patch.tile);
                        if exact(&self.placed[at][lane], turn, index) {
                            open &= !(1 << index);
                        }
                    }
                    if open == 0 {
                        return 0;
                    }
                }
                if row.next == NONE {
                    break;
                }
                at = row.next as usize;
            }
        }
        open
    }

    /// Which parts of a cell are surely, and which perhaps, nearer to `q` with all of their
    /// corners than the root of `keep`.
    #[inline]
    fn parts_within(
        &self,
        patch: &Patch<D>,
        part: [f32; D],
        q: [f32; D],
        keep: f32x8,
    ) -> (u32, u32) {
        let (up, down) = (keep * self.up, keep * self.down);
        let (mut sure, mut maybe) = (0, 0);
        for (group, steps) in Self::STEPS[..Parts::<D>::PIECES.div_ceil(8) as usize]
            .iter()
            .enumerate()
        {
            let mut square = f32x8::ZERO;
            for a in 0..D {
                let step = f32x8::new(steps[a]) * part[a];
                let d = (step + (patch.center[a] - q[a])).abs() + part[a];
                square += d * d;
            }
            sure |= (square.cmp_lt(down).move_mask() as u32) << (8 * group);
            maybe |= (square.cmp_lt(up).move_mask() as u32) << (8 * group);
        }
        (sure, maybe)
    }

    /// Where the centres of parts lie in a cell, in halves of a part from its centre.
    const STEPS: [[[f32; 8]; D]; 2] = {
        let along = Parts::<D>::PIECES_ALONG;
        let mut steps = [[[0.0; 8]; D]; 2];
        let mut index = 0;
        while index < 16 {
            let mut rest = index;
            let mut a = 0;
            while a < D {
                steps[index / 8][a][index % 8] = (2 * (rest % along) + 1) as f32 - along as f32;
                rest /= along;
                a += 1;
            }
            index += 1;
        }
        steps
    };

    /// Asks every row of a list; where the sieve is unsure, each point of it.
    #[inline]
    fn any(
        &self,
        tree: &Tree<D>,
        list: &[u32],
        own: u32,
        sieve: impl Fn(&Row<D>) -> Sieved,
        exact: impl Fn(&Placed<D>, Turn<D>) -> bool,
    ) -> bool {
        for &tile in list {
            let mut at = tile as usize;
            loop {
                let row = &self.rows[at];
                match sieve(row) {
                    Sieved::No => {}
                    Sieved::Yes => return true,
                    Sieved::Unsure => {
                        let turn = tree.turn(tile, own);
                        let placed = &self.placed[at][..row.len as usize];
                        if placed.iter().any(|q| exact(q, turn)) {
                            return true;
                        }
                    }
                }
                if row.next == NONE {
                    break;
                }
                at = row.next as usize;
            }
        }
        false
    }

    /// Whether one of eight points is nearer to a place than `keep` of its distance.
    #[inline]
    fn sieve(&self, row: &Row<D>, place: [f32x8; D], keep: impl Fn(f32x8) -> f32x8) -> Sieved {
        let mut square = f32x8::ZERO;
        for (x, place) in row.x.iter().zip(place) {
            let d = *x - place;
            square += d * d;
        }
        let keep = keep(row.r);
        let keep = keep * keep;
        if !square.cmp_lt(keep * self.up).any() {
            Sieved::No
        } else if square.cmp_lt(keep * self.down).any() {
            Sieved::Yes
        } else {
            Sieved::Unsure
        }
    }
}

/// A cell in the region's own coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch<const D: usize> {
    pub(super) tile: u32,
    pub(super) center: [f32; D],
    pub(super) half: [f32; D],
}
