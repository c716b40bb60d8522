//! The first rounds: every cell of a tile throws, blindly and then into what is open.

use super::lattice::{Parts, ROOM, unfold};
use super::law::Law;
use super::queue::{Candidate, Queue};
use super::region::Region;
use super::throw::{Throw, Throws};
use super::tile::Tile;
use super::view::View;
use density::RadiusField;

/// In so many rounds after the blind one tiles throw into their open parts, before these become
/// cells.
pub(super) const ROUNDS: u32 = 2;

impl<const D: usize> Region<D> {
    /// Throws into a tile in its next round.
    #[inline(never)]
    pub(super) fn throw<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        tile: u32,
    ) {
        if self.tree.tiles[tile as usize].remote {
            queue.close(tile);
            return;
        }
        match queue.round(tile) {
            0 => {
                self.clip(view, tile);
                if self.unknown.is_at_edge(tile) {
                    self.trim(tile);
                }
                self.seat_guests(view, tile);
                self.throw_blindly::<F, L>(view, queue, tile);
            }
            round => self.throw_into_tile::<F, L>(view, queue, tile, round),
        }
    }

    /// The blind candidates of a tile: as many as it has cells, anywhere in it, and of a tile that is
    /// small for the distances in it as many fewer. With one in each cell fewer are in vain, but their
    /// points are 1 % denser in the middles of cells, which is a line in the spectrum.
    ///
    /// Amid guests, which leave little of most tiles, open parts throw instead, as many for each
    /// volume.
    fn throw_blindly<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        tile: u32,
    ) {
        let Tile {
            cell, lo, sides, ..
        } = self.tree.tiles[tile as usize];
        let along = f64::from(1 << Parts::<D>::CELL_HALVINGS);
        let volume: f64 = sides.iter().map(|s| along * lo / s).product();
        let scale = volume * most_volume::<D>(view.lattice.top());
        let throws = Throws::new(view.seed, cell, 0);
        if view.crowd.is_some() {
            let few = |group| throws.few::<D>(group);
            self.throw_into_parts::<L>(queue, tile, throws, few, |throw, at| {
                self.turn_of_blind(view, tile, at, scale, |scale| throw.moment(scale))
            });
            return;
        }
        for place in 0..Parts::<D>::CELLS {
            let throw = throws.throw(place);
            let at = throw.share();
            let bits = Parts::<D>::CELLS.ilog2();
            let arrival = |scale| throw.arrival(place, bits, scale);
            if let Some(id) = self.turn_of_blind(view, tile, at, scale, arrival) {
                queue.push(Candidate { id, at });
            }
        }
        if self.tree.tiles[tile as usize].is_steep() {
            queue.close(tile);
        } else {
            queue.close_sorted(tile);
        }
    }

    /// Throws into open parts of a tile, as many of them as the round has it.
    ///
    /// Each part throws with the same chance, whatever else is open in its cell: places that
    /// are the last open ones of a cell would otherwise be hit more often than others, and those
    /// lie at the cells' rims, so that the points would be densest along the lattice.
    fn throw_into_tile<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        tile: u32,
        round: u32,
    ) {
        if self.cover.is_full(tile) {
            queue.close(tile);
            return;
        }
        if round == 1 {
            if self.unknown.is_at_edge(tile) {
                self.hide(view, tile);
            }
            if self.tree.tiles[tile as usize].is_steep() {
                self.close_steep::<F, L>(view, tile);
            }
        }
        if round == ROUNDS && self.unknown.minds(tile) {
            self.leave_shaded(view, tile);
        }
        let throws = Throws::new(view.seed, self.tree.tiles[tile as usize].cell, round);
        let lots = |group| throws.lots(group, round);
        self.throw_into_parts::<L>(queue, tile, throws, lots, |throw, _| {
            Some(throw.turn(round))
        });
    }

    /// Throws into those open parts of a tile that `lots` says of each sixty-four.
    #[inline]
    fn throw_into_parts<L: Law>(
        &self,
        queue: &mut Queue<D>,
        tile: u32,
        throws: Throws,
        lots: impl Fn(u32) -> u64,
        turn: impl Fn(Throw, [u32; D]) -> Option<u64>,
    ) {
        let bits = Parts::<D>::WIDTH.ilog2();
        for group in 0..Parts::<D>::GROUPS {
            let open = self.cover.open_in_group(tile, group);
            if open == 0 {
                continue;
            }
            let mut picked = open & lots(group);
            while picked != 0 {
                let part = 64 * group + picked.trailing_zeros();
                picked &= picked - 1;
                let throw = throws.throw(part);
                let at = inside(part, bits, throw.share());
                if let Some(id) = turn(throw, at) {
                    queue.push(Candidate { id, at });
                }
            }
        }
        self.close::<L>(queue, tile);
    }
}

/// A place in a tile that is divided by so many halvings, from a place in its part number
/// `index`.
#[inline]
pub(super) fn inside<const D: usize>(index: u32, halvings: u32, share: [u32; D]) -> [u32; D] {
    let step: [u32; D] = unfold(index, halvings);
    std::array::from_fn(|a| step[a] << (32 - halvings) | share[a] >> halvings)
}

/// The number of the part of a tile that a place lies in.
#[inline]
pub(super) fn spot<const D: usize>(at: [u32; D]) -> u16 {
    let bits = Parts::<D>::WIDTH.ilog2();
    Parts::<D>::number(at.map(|x| x >> (32 - bits)))
}

/// One by the most that the volume of a distance can be of a cell of a tile that fits it and is cut for
/// nothing else: one with twice the sides would not fit.
fn most_volume<const D: usize>(top: f64) -> f64 {
    let cells = f64::from(1 << Parts::<D>::CELL_HALVINGS);
    let side = 0.5 * ROOM * top / (cells * (D as f64).sqrt());
    (0..D).map(|_| side).product()
}
