//! The guests of a region: points that were there before it, tile by tile.
//!
//! A tile sees every guest that reaches it: those that are kept off by the rule stand among its own
//! points, those with distances of their own in rows beside them. The guests' disks are stamped on
//! its bits. So who falls on a tile asks that one tile's guests, and what they cover is not looked
//! at any closer; a tile that they cover as a whole is none (`shade.rs`). Guests are certain:
//! nothing hangs on them that is unknown.

use super::crowd::{Grids, Guest};
use super::lattice::Cell;
use super::law::{Law, PriorLaw};
use super::region::Region;
use super::shade::farthest2;
use super::slivers::Open;
use super::store::{Pieces, Placed, Spot, Store};
use super::tile::Tile;
use super::tree::Tree;
use super::view::View;
use crate::rule::Rule;
use density::{Bounds, RadiusField};

/// The guests of a region that are not among the points that tiles see. Reused from region to
/// region.
#[derive(Clone, Debug, Default)]
pub(super) struct Guests<const D: usize> {
    /// Whether so many that are kept off by the rule reach a tile that the whole crowd is asked; empty
    /// as long as that is so of no tile.
    ruled: Vec<bool>,
    /// Kept off by distances of their own.
    fixed: Seats<D>,
}

/// Guests that are kept off by distances of their own.
#[derive(Clone, Debug, Default)]
struct Seats<const D: usize> {
    store: Store<D>,
    /// What is known of each tile; empty when there is no guest at all.
    tiles: Vec<Seated>,
}

/// Where the guests of a tile are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seated {
    /// None reaches the tile.
    Nowhere,
    InStore,
    /// They are too many.
    InCrowd,
}

impl<const D: usize> Region<D> {
    /// Notes where guests will be looked for.
    pub(super) fn expect_guests<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        area: &Bounds<D>,
    ) {
        self.shade.clear();
        if let Some(crowd) = view.crowd {
            crowd.ask(&view.inside(area));
        }
    }

    /// Makes room for the guests of the tiles that there are.
    pub(super) fn receive_guests<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>) {
        let tiles = self.tree.tiles.len();
        let Guests { ruled, fixed } = &mut self.guests;
        ruled.clear();
        fixed.tiles.clear();
        let Some(crowd) = view.crowd else {
            return;
        };
        if !crowd.ruled.is_empty() {
            self.store.insert_guests(&self.shade.known[0]);
        }
        if !crowd.fixed.is_empty() {
            fixed.tiles.resize(tiles, Seated::Nowhere);
            fixed.store.reset(tiles);
        }
    }

    /// Lets the guests that reach a tile in, and closes what they cover of it.
    pub(super) fn seat_guests<F>(&mut self, view: &View<'_, D, F>, number: u32) {
        if view.crowd.is_none() {
            return;
        }
        let tile = &self.tree.tiles[number as usize];
        let place = self.tree.guests(number);
        self.cover.lay(number, &self.shade.cover, place);
        let [ruled, fixed] = self.shade.guests(place);
        let Guests {
            ruled: too_many,
            fixed: seats,
        } = &mut self.guests;
        let at = |q: &Guest<D>| tile.relative(q.p).map(|x| x as f32);
        match ruled {
            None => {
                too_many.resize(self.tree.tiles.len(), false);
                too_many[number as usize] = true;
            }
            Some(guests) => {
                let known = &self.shade.known[0];
                for &who in guests {
                    let q = &known[who as usize];
                    self.store.show_as(number, who, at(q), q.r);
                }
            }
        }
        match fixed {
            None => seats.tiles[number as usize] = Seated::InCrowd,
            Some([]) => {}
            Some(guests) => {
                seats.tiles[number as usize] = Seated::InStore;
                let known = &self.shade.known[1];
                for q in guests.iter().map(|&who| &known[who as usize]) {
                    seats.store.insert(Placed::from(*q), number);
                    seats.store.show(number, at(q), q.r);
                }
            }
        }
    }
}

impl<const D: usize> Guests<D> {
    /// Whether tiles see all guests that there are.
    #[inline]
    pub(super) fn are_seen(&self) -> bool {
        self.ruled.is_empty() && self.fixed.tiles.is_empty()
    }

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
            (self.asks_crowd(spot.tile) && conflicts::<D, L>(&crowd.ruled, spot.p, r))
                || self.fixed.conflict(view, &crowd.fixed, tree, spot, r)
        })
    }

    /// Whether all guests that are kept off by the rule are asked about a tile.
    #[inline]
    fn asks_crowd(&self, tile: u32) -> bool {
        self.ruled.get(tile as usize).is_some_and(|&many| many)
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
        let mut left = open.pieces;
        if self.asks_crowd(open.tile) {
            left = uncovered::<D, F, L>(view, &crowd.ruled, tile, open, cell, left);
        }
        let fixed = &crowd.fixed;
        match self.fixed.at(open.tile) {
            _ if left == 0 => left,
            Seated::Nowhere => left,
            Seated::InStore => self.fixed.store.uncovered::<PriorLaw>(cell, open.lo, left),
            Seated::InCrowd => uncovered::<D, F, PriorLaw>(view, fixed, tile, open, cell, left),
        }
    }
}

impl<const D: usize> Seats<D> {
    #[inline]
    fn at(&self, tile: u32) -> Seated {
        let seated = self.tiles.get(tile as usize);
        seated.copied().unwrap_or(Seated::Nowhere)
    }

    #[inline]
    fn conflict<F>(
        &self,
        view: &View<'_, D, F>,
        grids: &Grids<D>,
        tree: &Tree<D>,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        match self.at(spot.tile) {
            Seated::Nowhere => false,
            Seated::InStore => self
                .store
                .conflicts::<PriorLaw>(tree, &view.lattice, spot, r),
            Seated::InCrowd => conflicts::<D, PriorLaw>(grids, spot.p, r),
        }
    }
}

/// Which of an open cell's pieces none of a crowd covers wholly.
fn uncovered<const D: usize, F: RadiusField<D>, L: Law>(
    view: &View<'_, D, F>,
    grids: &Grids<D>,
    tile: &Tile<D>,
    open: &Open<D>,
    cell: &Pieces<D>,
    mut pieces: u32,
) -> u32 {
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

impl<const D: usize, F: RadiusField<D>> View<'_, D, F> {
    /// Whether a point closes all of a cell to points that ask for at least `least`. In double
    /// precision, from world coordinates.
    #[inline]
    fn covers(&self, q: &Guest<D>, cell: Cell<D>, rule: Rule, least: f64) -> bool {
        let Some(place) = self.lattice.bounds(cell) else {
            return true;
        };
        let keep = rule.distance(q.r, least);
        farthest2(q.p, [place.min(), place.max()]) < keep * keep
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
