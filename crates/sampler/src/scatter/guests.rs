//! The guests of a region: points that were there before it, tile by tile.
//!
//! A tile holds every guest that reaches it, in rows of eight as its own points, and the guests'
//! disks are stamped on its bits. So who falls on a tile asks that one tile's guests, and what
//! they cover is not looked at any closer. Guests are certain: nothing hangs on them that is
//! unknown.

use super::crowd::Grids;
use super::lattice::Cell;
use super::law::{Law, PriorLaw};
use super::region::Region;
use super::slivers::Open;
use super::store::{Pieces, Placed, Spot, Store};
use super::tile::Tile;
use super::tree::Tree;
use super::view::View;
use crate::rule::Rule;
use density::{Bounds, RadiusField};

/// Of a tile with more guests than this, the whole crowd is asked.
const MOST: usize = 192;

/// The guests of a region. Reused from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Guests<const D: usize> {
    /// Kept off by the rule.
    ruled: Seats<D>,
    /// Kept off by distances of their own.
    fixed: Seats<D>,
    /// Those that reach a tile, while it is filled.
    near: Vec<Placed<D>>,
}

/// Guests that are kept off by one rule.
#[derive(Clone, Debug, Default)]
struct Seats<const D: usize> {
    store: Store<D>,
    /// What is known of each tile; empty when there is no guest at all.
    tiles: Vec<Seated>,
}

/// Where the guests of a tile are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seated {
    /// None reaches the tile, or together they cover it.
    Nowhere,
    InStore,
    /// They are too many.
    InCrowd,
}

impl<const D: usize> Region<D> {
    /// Makes room for the guests of a region.
    pub(super) fn expect_guests<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        area: &Bounds<D>,
    ) {
        let Some(crowd) = view.crowd else {
            self.guests.ruled.tiles.clear();
            self.guests.fixed.tiles.clear();
            return;
        };
        crowd.ask(&view.inside(area));
        let tiles = self.tree.tiles.len();
        let Guests { ruled, fixed, .. } = &mut self.guests;
        for (seats, grids) in [(ruled, &crowd.ruled), (fixed, &crowd.fixed)] {
            seats.tiles.clear();
            if !grids.is_empty() {
                seats.tiles.resize(tiles, Seated::Nowhere);
                seats.store.reset(tiles);
            }
        }
    }

    /// Lets the guests that reach a tile in, and closes what they cover of it.
    pub(super) fn seat_guests<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        number: u32,
    ) {
        let Some(crowd) = view.crowd else {
            return;
        };
        let tile = self.tree.tiles[number as usize];
        let Some(place) = view.place(tile.cell) else {
            return;
        };
        self.seat::<L>(number, &tile, &place, &crowd.ruled, |guests| {
            &mut guests.ruled
        });
        if !self.cover.is_full(number) {
            self.seat::<PriorLaw>(number, &tile, &place, &crowd.fixed, |guests| {
                &mut guests.fixed
            });
        }
    }

    /// Lets the guests of one kind into a tile.
    fn seat<L: Law>(
        &mut self,
        number: u32,
        tile: &Tile<D>,
        place: &Bounds<D>,
        grids: &Grids<D>,
        seats: impl Fn(&mut Guests<D>) -> &mut Seats<D>,
    ) {
        let rule = L::RULE;
        let corners = [place.min(), place.max()];
        let mut near = std::mem::take(&mut self.guests.near);
        near.clear();
        // Who covers the tile reaches at least from its middle to its corners.
        let size: f64 = (0..D)
            .map(|a| corners[1][a] - corners[0][a])
            .fold(0.0, |s, d| s + d * d);
        let covered = grids.any(corners, tile.hi, 0.0, |q| {
            let most = rule.distance(q.r, tile.hi);
            if nearest2(q.p, corners) >= most * most {
                return false;
            }
            // One more says that they are too many.
            if near.len() <= MOST {
                near.push(*q);
            }
            let least = rule.distance(q.r, tile.lo);
            if 4.1 * least * least > size && farthest2(q.p, corners) < least * least {
                return true;
            }
            let x = tile.relative(q.p);
            self.cover.stamp(number, tile, x, least);
            self.cover.is_full(number)
        });
        if covered {
            self.cover.close_all(number);
        } else if !near.is_empty() {
            let seats = seats(&mut self.guests);
            let many = near.len() > MOST;
            seats.tiles[number as usize] = if many {
                Seated::InCrowd
            } else {
                Seated::InStore
            };
            for q in near.iter().filter(|_| !many) {
                seats.store.insert(*q, number);
                let x = tile.relative(q.p).map(|x| x as f32);
                seats.store.show(number, x, q.r);
            }
        }
        self.guests.near = near;
    }
}

impl<const D: usize> Guests<D> {
    /// Whether a point at `spot` that asks for `r` conflicts with a guest.
    #[inline(never)]
    pub(super) fn conflict<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        tree: &Tree<D>,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        view.crowd.is_some_and(|crowd| {
            self.ruled
                .conflict::<F, L>(view, &crowd.ruled, tree, spot, r)
                || self
                    .fixed
                    .conflict::<F, PriorLaw>(view, &crowd.fixed, tree, spot, r)
        })
    }

    /// Which of an open cell's pieces are not wholly covered by one of the guests.
    #[inline(never)]
    pub(super) fn uncovered<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        tile: &Tile<D>,
        open: &Open<D>,
        cell: &Pieces<D>,
    ) -> u32 {
        let Some(crowd) = view.crowd else {
            return open.pieces;
        };
        let ruled = &crowd.ruled;
        let left = self
            .ruled
            .uncovered::<F, L>(view, ruled, tile, open, cell, open.pieces);
        let fixed = &crowd.fixed;
        self.fixed
            .uncovered::<F, PriorLaw>(view, fixed, tile, open, cell, left)
    }
}

impl<const D: usize> Seats<D> {
    #[inline]
    fn at(&self, tile: u32) -> Seated {
        let seated = self.tiles.get(tile as usize);
        seated.copied().unwrap_or(Seated::Nowhere)
    }

    #[inline]
    fn conflict<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        grids: &Grids<D>,
        tree: &Tree<D>,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        match self.at(spot.tile) {
            Seated::Nowhere => false,
            Seated::InStore => self.store.conflicts::<L>(tree, &view.lattice, spot, r),
            Seated::InCrowd => conflicts::<D, L>(grids, spot.p, r),
        }
    }

    #[inline]
    fn uncovered<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        grids: &Grids<D>,
        tile: &Tile<D>,
        open: &Open<D>,
        cell: &Pieces<D>,
        mut pieces: u32,
    ) -> u32 {
        let seated = self.at(open.tile);
        if pieces == 0 || seated == Seated::Nowhere {
            return pieces;
        }
        if seated == Seated::InStore {
            return self.store.uncovered::<L>(cell, open.lo, pieces);
        }
        let Some(place) = view.lattice.bounds(open.cell(tile.cell)) else {
            return 0;
        };
        // Who covers a piece reaches at least from its middle to its corners.
        let square: f64 = cell.piece.iter().map(|&s| f64::from(0.25 * s * s)).sum();
        let reach = 0.999 * square.sqrt();
        grids.any([place.min(), place.max()], open.lo, reach, |q| {
            let mut left = pieces;
            while left != 0 {
                let piece = left.trailing_zeros();
                left &= left - 1;
                let cell = open.piece(piece).cell(tile.cell);
                if view.covers(q, cell, L::RULE, open.lo) {
                    pieces &= !(1 << piece);
                }
            }
            pieces == 0
        });
        pieces
    }
}

impl<const D: usize, F: RadiusField<D>> View<'_, D, F> {
    /// Whether a point closes all of a cell to points that ask for at least `least`. In double
    /// precision, from world coordinates.
    #[inline]
    fn covers(&self, q: &Placed<D>, cell: Cell<D>, rule: Rule, least: f64) -> bool {
        let Some(place) = self.lattice.bounds(cell) else {
            return true;
        };
        let (min, max) = (place.min(), place.max());
        let square: f64 = (0..D)
            .map(|a| {
                let (below, above) = (q.p[a] - min[a], q.p[a] - max[a]);
                below.abs().max(above.abs())
            })
            .map(|d| d * d)
            .sum();
        let keep = rule.distance(q.r, least);
        square < keep * keep
    }
}

/// Whether a point that asks for `r` conflicts with any of a crowd. In double precision, from world
/// coordinates.
fn conflicts<const D: usize, L: Law>(grids: &Grids<D>, p: [f64; D], r: f64) -> bool {
    grids.any([p; 2], r, 0.0, |q| {
        let square: f64 = (0..D).map(|a| q.p[a] - p[a]).map(|d| d * d).sum();
        let keep = L::RULE.distance(q.r, r);
        square < keep * keep
    })
}

/// The square of the distance from a point to the nearest place between two corners. Rounded as
/// that to any place between: it bounds what is compared. So does the next.
#[inline]
fn nearest2<const D: usize>(p: [f64; D], [min, max]: [[f64; D]; 2]) -> f64 {
    (0..D).fold(0.0, |sum, a| {
        let (below, above) = (min[a] - p[a], p[a] - max[a]);
        let out = if below > above { below } else { above };
        if out > 0.0 { sum + out * out } else { sum }
    })
}

/// The square of the distance to the farthest place.
#[inline]
fn farthest2<const D: usize>(p: [f64; D], [min, max]: [[f64; D]; 2]) -> f64 {
    (0..D).fold(0.0, |sum, a| {
        let (below, above) = (p[a] - min[a], max[a] - p[a]);
        let far = if below > above { below } else { above };
        sum + far * far
    })
}
