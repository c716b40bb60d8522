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

use super::lattice::{Parts, fold, unfold};
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
        let width = Parts::<D>::WIDTH.ilog2();
        let bits = width - Parts::<D>::PIECE_HALVINGS;
        for index in 0..1 << (D as u32 * bits) {
            let first: [u32; D] = unfold(index, bits);
            let spot = |piece: u32| {
                let step: [u32; D] = unfold(piece, Parts::<D>::PIECE_HALVINGS);
                let at = std::array::from_fn(|a| first[a] << Parts::<D>::PIECE_HALVINGS | step[a]);
                fold::<D>(at, width) as u16
            };
            let pieces = (0..Parts::<D>::PIECES)
                .filter(|&piece| !self.cover.is_covered(number, spot(piece)))
                .fold(0, |pieces, piece| pieces | 1 << piece);
            let open = Open {
                halvings: bits,
                pieces,
                ..Open::part(number, &tile, inside(index, bits, [0; D]))
            };
            if pieces == 0 {
                continue;
            }
            let Some(mut open) = sharpened(view, &tile, open) else {
                continue;
            };
            // Of a field that cannot bound itself no place around is proven.
            if !open.proven {
                return;
            }
            if open.lo > tile.lo {
                self.strike::<F, L>(view, &mut open);
                let covered = pieces & !open.pieces;
                for piece in (0..Parts::<D>::PIECES).filter(|i| covered >> i & 1 == 1) {
                    self.cover.close(number, spot(piece));
                }
            }
        }
    }
}
