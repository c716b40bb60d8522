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
use crate::rule::Rule;
use density::RadiusField;

/// The most that a later point can ask for that lies no farther than `far` from an earlier one.
///
/// ```text
///   . . . +---+     A tile across an edge is open to the greatest distance in it only until a point
///   . . . | o |     lies near it. From then on it need not be shown what lies farther away than its
///   . . . +---+     own far corner lies from that point.
/// ```
#[inline]
pub(super) fn most_beside(rule: Rule, earlier: f64, far: f64) -> f64 {
    match rule {
        Rule::Max | Rule::Own => far,
        Rule::Mean => 2.0 * far - earlier,
        Rule::Min | Rule::Prior | Rule::Parent => f64::INFINITY,
    }
}

impl<const D: usize> Region<D> {
    /// The turn of a blind candidate that falls there; `turn` gives it by the share of its tile's time
    /// that such candidates have, which is `scale` where no more is asked for than the least in the
    /// tile. Where more is asked for they are later, or too late for the round: those which are too
    /// late as it is need not ask.
    #[inline]
    pub(super) fn turn_of_blind<F: RadiusField<D>>(
        &self,
        view: &View<'_, D, F>,
        number: u32,
        at: [u32; D],
        scale: f64,
        turn: impl Fn(f64) -> Option<u64>,
    ) -> Option<u64> {
        let soonest = turn(scale)?;
        if self.tree.tiles[number as usize].is_steep() {
            turn(scale * self.room(view, number, at)?)
        } else {
            Some(soonest)
        }
    }

    /// The volume of the distance that a candidate asks for, by that of the least in its tile;
    /// `None` where no point may lie.
    #[inline(never)]
    fn room<F: RadiusField<D>>(
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
            let open = self.cover.open_in_block(cell.tile, block);
            if open == 0 {
                continue;
            }
            let halvings = cell.halvings + bits;
            let mut left = Open {
                at: block.map(|x| x << (32 - halvings)),
                halvings,
                pieces: open,
                ..*cell
            };
            self.strike::<F, L>(view, &mut left);
            self.cover
                .close_in_block(cell.tile, block, open & !left.pieces);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_for_more_beside_a_point_is_too_near_to_it() {
        for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::Parent) {
            for (earlier, far) in [(1.0, 4.0), (3.0, 4.0), (0.25, 0.5)] {
                let most = most_beside(rule, earlier, far);
                for later in [0.1, 0.5, 1.0, 2.0, 4.0, 4.5, 7.0, 8.0, 100.0] {
                    let falls = rule.distance(earlier, later) > far;
                    assert_eq!(later > most, falls, "{rule:?} {earlier} {far} {later}");
                }
            }
        }
    }
}
