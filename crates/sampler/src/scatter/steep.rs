//! Tiles in which distances differ much: such as lie across a hard edge.
//!
//! ```text
//!   . . . .|         A tile fits the least distance in it, here that on the left, and throws as
//!   . . . .|   .     many candidates for it. On the right these would be many for each disk: some
//!   . . . .|         would come before all on the left, and carve the dense side away. So each is
//!   . . . .|      .  as late as its own distance has it.
//!   . . . .|         And what is open to the least distance may be covered for its own: that is
//!        edge        looked at before more is thrown there.
//! ```

use super::lattice::{Parts, unfold};
use super::law::Law;
use super::region::Region;
use super::rounds::inside;
use super::slivers::{Open, sharpened};
use super::view::View;
use density::RadiusField;

/// Where distances differ by less in a tile they are taken for alike.
const STEEP: f64 = 2.0;

impl<const D: usize> Region<D> {
    /// Whether distances differ much in a tile.
    #[inline]
    pub(super) fn is_steep(&self, number: u32) -> bool {
        let tile = &self.tree.tiles[number as usize];
        tile.hi > STEEP * tile.lo
    }

    /// The volume of the distance that a candidate asks for, by that of the least in its tile;
    /// `None` where no point may lie.
    #[inline(never)]
    pub(super) fn room<F: RadiusField<D>>(
        &self,
        view: &View<'_, D, F>,
        number: u32,
        at: [u32; D],
    ) -> Option<f64> {
        let tile = &self.tree.tiles[number as usize];
        let p = tile.place(view, at);
        if tile.cut_off && view.domain.is_some_and(|domain| !domain.contains(p)) {
            return None;
        }
        let r = view.field.min_dist(p)? / tile.lo;
        let r = if r > 1.0 { r } else { 1.0 };
        Some((0..D).map(|_| r).product())
    }

    /// Closes those parts of a tile that are covered for what is asked for around them. That spares
    /// candidates that would fall, and decides nothing.
    #[inline(never)]
    pub(super) fn close_steep<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        number: u32,
    ) {
        let tile = self.tree.tiles[number as usize];
        for index in 0..Parts::<D>::CELLS {
            let step: [u32; D] = unfold(index, Parts::<D>::CELL_HALVINGS);
            if self.cover.covers_cell(number, step) {
                continue;
            }
            let cell = Open {
                halvings: Parts::<D>::CELL_HALVINGS,
                ..Open::part(
                    number,
                    &tile,
                    inside(index, Parts::<D>::CELL_HALVINGS, [0; D]),
                )
            };
            let Some(cell) = sharpened(view, &tile, cell) else {
                continue;
            };
            // Of a field that cannot bound itself no place around is proven.
            if !cell.proven {
                return;
            }
            if cell.lo > tile.lo {
                self.close_in_cell::<F, L>(view, &cell, step);
            }
        }
    }

    /// Closes those parts of a cell of a tile that are covered for what is asked for in it, as many at
    /// a time as an open part has pieces.
    fn close_in_cell<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        cell: &Open<D>,
        step: [u32; D],
    ) {
        let pieces = Parts::<D>::PIECE_HALVINGS;
        let bits = Parts::<D>::HALVINGS - pieces;
        for block in 0..1 << (D as u32 * bits) {
            let block: [u32; D] = unfold(block, bits);
            let block: [u32; D] = std::array::from_fn(|a| step[a] << bits | block[a]);
            let spot = |piece: u32| {
                let piece: [u32; D] = unfold(piece, pieces);
                Parts::<D>::number(std::array::from_fn(|a| block[a] << pieces | piece[a]))
            };
            let is_open = |&piece: &u32| !self.cover.is_covered(cell.tile, spot(piece));
            let open = (0..Parts::<D>::PIECES).filter(is_open);
            let open = open.fold(0, |open, piece| open | 1 << piece);
            let halvings = cell.halvings + bits;
            let mut left = Open {
                at: block.map(|x| x << (32 - halvings)),
                halvings,
                pieces: open,
                ..*cell
            };
            if open != 0 {
                self.strike::<F, L>(view, &mut left);
            }
            for piece in (0..Parts::<D>::PIECES).filter(|i| (open & !left.pieces) >> i & 1 == 1) {
                self.cover.close(cell.tile, spot(piece));
            }
        }
    }
}
