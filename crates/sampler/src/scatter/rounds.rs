//! The first rounds: every cell of a tile throws, blindly and then into what is open.

use super::lattice::{Cell, Parts, fold, unfold};
use super::region::{Candidate, Open, Region};
use super::slivers::sharpened;
use super::throw::Throw;
use super::tree::Tile;
use super::view::View;
use density::RadiusField;

impl<const D: usize> Region<D> {
    /// Takes the parts of a tile out that lie outside the domain.
    pub(super) fn clip<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile { cell, cut_off, .. } = self.tree.tiles[tile as usize];
        let Some(domain) = view.domain.filter(|_| cut_off) else {
            return;
        };
        // Slabs of parts across each axis: one that lies outside takes all of its parts along.
        let bits = Parts::<D>::WIDTH.ilog2();
        let mut outside = [0_u16; D];
        for (a, outside) in outside.iter_mut().enumerate() {
            for i in 0..Parts::<D>::WIDTH {
                let at = std::array::from_fn(|b| if a == b { i } else { 0 });
                let inside = view
                    .lattice
                    .bounds(cell.inside(bits, at))
                    .is_some_and(|slab| {
                        let from = slab.min()[a].max(domain.min()[a]);
                        from < slab.max()[a].min(domain.max()[a])
                    });
                *outside |= u16::from(!inside) << i;
            }
        }
        for row in 0..Parts::<D>::ROWS as u32 {
            let at: [u32; D] = unfold(row << bits, bits);
            let gone = (1..D).any(|a| outside[a] >> at[a] & 1 == 1);
            let parts = if gone { u16::MAX } else { outside[0] };
            self.cover.close_in_row(tile, row, parts);
        }
    }

    /// The blind candidates of a tile: one of each cell.
    pub(super) fn throw_blindly<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile { cell, lo, part, .. } = self.tree.tiles[tile as usize];
        let along = Parts::<D>::ALONG as f64;
        let volume: f64 = part.iter().map(|s| lo / (along * s)).product();
        let scale = (volume * most_volume(D)).min(1.0);
        let bits = Parts::<D>::CELL_HALVINGS;
        // Amid guests much is covered before anything was thrown.
        let amid = view.crowd.is_some();
        for row in (0..Parts::<D>::CELLS).step_by(1 << bits) {
            let open = if amid {
                self.cover.open_cells(tile, row)
            } else {
                u32::MAX
            };
            if open == 0 {
                continue;
            }
            let first = cell.inside(bits, unfold(row, bits));
            let throws = Throw::row(view.seed, first, 0);
            for x in (0..1_u32 << bits).filter(|x| open >> x & 1 == 1) {
                let throw = throws.throw(first.at[0] + i64::from(x));
                let share: [f64; D] = throw.share();
                let step: [u32; D] = unfold(row + x, bits);
                // Which part it falls into.
                let at: [u32; D] = std::array::from_fn(|a| {
                    step[a] << Parts::<D>::HALVINGS | (share[a] * along) as u32
                });
                let spot = fold(at, Parts::<D>::WIDTH.ilog2()) as u16;
                if !amid || !self.cover.is_covered(tile, spot) {
                    self.candidates.push(Candidate {
                        id: throw.arrival(scale),
                        by: tile,
                        spot,
                    });
                }
            }
        }
    }

    /// Throws into open parts of a tile, as many of them as the round has it. Whether any part is
    /// open.
    ///
    /// Each part throws with the same chance, whatever else is open in its cell: places that
    /// are the last open ones of a cell would otherwise be hit more often than others, and those
    /// lie at the cells' rims, so that the points would be densest along the lattice.
    pub(super) fn throw_into_tile<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        tile: u32,
        round: u32,
    ) -> bool {
        if self.cover.is_full(tile) {
            return false;
        }
        if round == 1 && self.unknown.is_at_edge(tile) {
            self.hide(view, tile);
        }
        let cell = self.tree.tiles[tile as usize].cell;
        let bits = Parts::<D>::WIDTH.ilog2();
        for row in 0..Parts::<D>::ROWS as u32 {
            let open = self.cover.open_in_row(tile, row);
            if open == 0 {
                continue;
            }
            let first = cell.inside(bits, unfold(row << bits, bits));
            let throws = Throw::row(view.seed, first, round);
            let mut picked = open & throws.lots(first.at[0], round);
            while picked != 0 {
                let x = picked.trailing_zeros();
                picked &= picked - 1;
                let throw = throws.throw(first.at[0] + i64::from(x));
                self.candidates.push(Candidate {
                    id: throw.turn(round),
                    by: tile,
                    spot: (row << bits | x) as u16,
                });
            }
        }
        true
    }

    /// Gives up those cells of a tile at the region's edge that something outside may cover.
    fn hide<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile { cell, lo, hi, .. } = self.tree.tiles[tile as usize];
        let bits = Parts::<D>::CELL_HALVINGS;
        for index in 0..Parts::<D>::CELLS {
            let step: [u32; D] = unfold(index, bits);
            let patch = self.patch(tile, view, cell.inside(bits, step));
            if self.unknown.hides(&patch, lo) {
                self.unknown.add_box(&self.tree, &patch, hi);
                for part in 0..Parts::<D>::COUNT {
                    self.cover.close(tile, Self::spot(step, part));
                }
            }
        }
    }

    /// The number in its tile of a cell's part.
    fn spot(cell: [u32; D], part: u32) -> u16 {
        let bits = Parts::<D>::HALVINGS;
        let part: [u32; D] = unfold(part, bits);
        let at: [u32; D] = std::array::from_fn(|a| cell[a] << bits | part[a]);
        fold(at, Parts::<D>::WIDTH.ilog2()) as u16
    }

    /// Makes cells of what is still open in tiles.
    pub(super) fn open_tiles<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>) {
        self.open.clear();
        let bits = Parts::<D>::WIDTH.ilog2();
        for &tile in &self.alive {
            let whole = self.tree.tiles[tile as usize];
            for spot in self.cover.open_spots(tile) {
                let open = Open {
                    cell: whole.cell.inside(bits, unfold(u32::from(spot), bits)),
                    tile,
                    spot,
                    parts: Parts::<D>::ALL,
                    lo: whole.lo,
                    hi: whole.hi,
                    even: whole.even,
                };
                self.open.extend(sharpened(view, open));
            }
        }
    }
}

/// Where the candidate falls that a tile threw into one of its parts.
#[inline]
pub(super) fn thrown<const D: usize, F: RadiusField<D>>(
    view: &View<'_, D, F>,
    tile: Cell<D>,
    spot: u16,
    round: u32,
) -> [f64; D] {
    let bits = Parts::<D>::WIDTH.ilog2();
    let at: [u32; D] = unfold(u32::from(spot), bits);
    let cell = if round == 0 {
        let step = at.map(|x| x >> Parts::<D>::HALVINGS);
        tile.inside(Parts::<D>::CELL_HALVINGS, step)
    } else {
        tile.inside(bits, at)
    };
    view.lattice
        .place(cell, Throw::new(view.seed, cell, round).share())
}

/// One by the most that the volume of a distance can be of a cell that fits it: a cell with
/// twice the sides would not fit.
fn most_volume(dimensions: usize) -> f64 {
    let side = 0.5 / (dimensions as f64).sqrt();
    (0..dimensions).map(|_| side).product()
}
