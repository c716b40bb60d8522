//! The first rounds: every cell of a tile throws, blindly and then into what is open.

use super::lattice::{Parts, fold, unfold};
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
        if cut_off {
            let bits = Parts::<D>::WIDTH.ilog2();
            for spot in 0..1 << (bits * D as u32) {
                if view.place(cell.inside(bits, unfold(spot, bits))).is_none() {
                    self.cover.close(tile, spot as u16);
                }
            }
        }
    }

    /// The blind candidates of a tile: one of each cell.
    pub(super) fn throw_blindly<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile {
            cell,
            lo,
            even,
            part,
            ..
        } = self.tree.tiles[tile as usize];
        let along = Parts::<D>::ALONG as f64;
        let volume: f64 = part.iter().map(|s| lo / (along * s)).product();
        let scale = (volume * most_volume(D)).min(1.0);
        let bits = Parts::<D>::CELL_HALVINGS;
        for row in (0..Parts::<D>::CELLS).step_by(1 << bits) {
            let first = cell.inside(bits, unfold(row, bits));
            let throws = Throw::row(view.seed, first, 0);
            for x in 0..1_u32 << bits {
                let throw = throws.throw(first.at[0] + i64::from(x));
                let share = throw.share();
                let step: [u32; D] = unfold(row + x, bits);
                let cell = cell.inside(bits, step);
                // Which part it falls into.
                let at: [u32; D] = std::array::from_fn(|a| {
                    step[a] << Parts::<D>::HALVINGS | (share[a] * along) as u32
                });
                self.candidates.push(Candidate {
                    id: throw.arrival(scale),
                    p: view.lattice.place(cell, share),
                    tile,
                    spot: fold(at, Parts::<D>::WIDTH.ilog2()) as u16,
                    even,
                    lo,
                });
            }
        }
    }

    /// Throws into one open part of each cell of a tile that has any. Whether one has.
    pub(super) fn throw_into_tile<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        tile: u32,
        round: u32,
    ) -> bool {
        if self.cover.is_full(tile) {
            return false;
        }
        let Tile {
            cell, lo, hi, even, ..
        } = self.tree.tiles[tile as usize];
        let bits = Parts::<D>::CELL_HALVINGS;
        let at_edge = round == 1 && self.unknown.is_at_edge(tile);
        let mut row = [0; 4];
        for index in 0..Parts::<D>::CELLS {
            let step: [u32; D] = unfold(index, bits);
            if step[0] == 0 {
                row = self.cover.open_parts(tile, step);
            }
            let parts = row[step[0] as usize];
            if parts == 0 {
                continue;
            }
            let inside = cell.inside(bits, step);
            if at_edge {
                let patch = self.patch(tile, view, inside);
                if self.unknown.hides(&patch, lo) {
                    self.unknown.add_box(&self.tree, &patch, hi);
                    for part in 0..Parts::<D>::COUNT {
                        self.cover.close(tile, Self::spot(step, part));
                    }
                    continue;
                }
            }
            let throw = Throw::new(view.seed, inside, round);
            if let Some(part) = throw.pick(parts) {
                self.candidates.push(Candidate {
                    id: throw.turn(round),
                    p: view.lattice.place(inside.part(part), throw.share()),
                    tile,
                    spot: Self::spot(step, part),
                    even,
                    lo,
                });
            }
        }
        true
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

/// One by the most that the volume of a distance can be of a cell that fits it: a cell with
/// twice the sides would not fit.
fn most_volume(dimensions: usize) -> f64 {
    let side = 0.5 / (dimensions as f64).sqrt();
    (0..dimensions).map(|_| side).product()
}
