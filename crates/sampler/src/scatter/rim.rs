//! The rim of a region: what lies outside, and what is given up because too little is known around it.
//!
//! ```text
//!   ? ? ? ? ? ? ? ?     Beyond the ends nothing is looked at. What lies near them may conflict with
//!   ? u . ?             something there: it is unknown (u). And so may be what conflicts with that.
//!   ? . u ? . u .       The disk of an unknown candidate is a shadow: whatever falls into it is
//!   ? ? ? .   . . .     unknown as well, and does not have to wait for anybody.
//! ```

use super::lattice::{Parts, unfold};
use super::law::Law;
use super::queue::Candidate;
use super::region::Region;
use super::rounds::spot;
use super::slivers::Open;
use super::tile::Tile;
use super::unknown::Patch;
use super::view::View;
use density::RadiusField;

impl<const D: usize> Region<D> {
    /// Takes the parts of a tile out that lie outside the domain.
    pub(super) fn clip<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile { cell, cut_off, .. } = self.tree.tiles[tile as usize];
        let Some(domain) = view.domain.filter(|_| cut_off) else {
            return;
        };
        let bits = Parts::<D>::WIDTH.ilog2();
        self.close_slabs(tile, |a, i| {
            let at = std::array::from_fn(|b| if a == b { i } else { 0 });
            let inside = view
                .lattice
                .bounds(cell.inside(bits, at))
                .is_some_and(|slab| {
                    let from = slab.min()[a].max(domain.min()[a]);
                    from < slab.max()[a].min(domain.max()[a])
                });
            !inside
        });
    }

    /// Takes the parts of a tile out that lie where nothing is looked at.
    pub(super) fn trim(&mut self, tile: u32) {
        let ends = self.unknown.ends();
        let frame = self.tree.frames[tile as usize];
        self.close_slabs(tile, |a, i| {
            let part = frame.half[a] * (2.0 / Parts::<D>::WIDTH as f32);
            let from = frame.center[a] - frame.half[a] + i as f32 * part;
            from >= ends[a][1] || from + part <= ends[a][0]
        });
    }

    /// Takes slabs of parts of a tile out: `gone` tells whether slab number so many across an axis is.
    fn close_slabs(&mut self, tile: u32, gone: impl Fn(usize, u32) -> bool) {
        let bits = Parts::<D>::WIDTH.ilog2();
        let slabs: [u16; D] = std::array::from_fn(|a| {
            (0..Parts::<D>::WIDTH).fold(0, |slabs, i| slabs | u16::from(gone(a, i)) << i)
        });
        if slabs == [0; D] {
            return;
        }
        for row in 0..Parts::<D>::ROWS as u32 {
            let at: [u32; D] = unfold(row << bits, bits);
            let all = (1..D).any(|a| slabs[a] >> at[a] & 1 == 1);
            let parts = if all { u16::MAX } else { slabs[0] };
            self.cover.close_in_row(tile, row, parts);
        }
    }

    /// Gives up those cells of a tile that something may cover that lies behind the region's edge, or
    /// in a tile that is given up.
    pub(super) fn hide<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile { cell, lo, hi, .. } = self.tree.tiles[tile as usize];
        let bits = Parts::<D>::CELL_HALVINGS;
        for index in 0..Parts::<D>::CELLS {
            let step: [u32; D] = unfold(index, bits);
            let patch = self.patch(tile, view, cell.inside(bits, step));
            if self.unknown.hides(&patch, lo) {
                self.unknown.add_box(&self.tree, &patch, hi);
                for spot in Parts::<D>::of_cell(step) {
                    self.cover.close(tile, spot);
                }
            }
        }
    }

    /// Gives up those parts of a tile that an unknown candidate covers, if it is there: whatever is thrown
    /// there is as unknown.
    pub(super) fn leave_shaded<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>, tile: u32) {
        let Tile { cell, hi, .. } = self.tree.tiles[tile as usize];
        let bits = Parts::<D>::WIDTH.ilog2();
        for index in 0..Parts::<D>::CELLS {
            let step: [u32; D] = unfold(index, Parts::<D>::CELL_HALVINGS);
            // One box for each cell: the more there are, the more everybody has to look at.
            let around = self.unknown.leave_shaded(&mut self.cover, tile, step);
            if let Some((first, last)) = around {
                let [first, last] =
                    [first, last].map(|at| self.patch(tile, view, cell.inside(bits, at)));
                let patch = Patch {
                    tile,
                    center: std::array::from_fn(|a| 0.5 * (first.center[a] + last.center[a])),
                    half: std::array::from_fn(|a| {
                        0.5 * (last.center[a] - first.center[a]) + first.half[a]
                    }),
                };
                self.unknown.add_box(&self.tree, &patch, hi);
            }
        }
    }

    /// Gives an open part up that an unknown candidate may cover. Whether it did. Late: the smaller the
    /// part, the less its loss clouds.
    #[inline]
    pub(super) fn leave_open<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        open: &Open<D>,
    ) -> bool {
        self.leave_if(view, open, |region, list, patch| {
            region.unknown.shades(open.tile, spot(open.at))
                || region.unknown.may_cover(list, patch, open.lo)
        })
    }

    /// The same of a part that is not halved any more: no candidate will be thrown into it that tells
    /// whether a point where nothing was looked at may cover it, or what is left of it.
    #[inline(never)]
    pub(super) fn leave_speck<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        open: &Open<D>,
    ) -> bool {
        // Who covers it for the greatest that was seen around it has closed it.
        let least = open.lo.max(open.within);
        self.leave_if(view, open, |region, list, patch| {
            let place = (patch.center, patch.half);
            region.unknown.may_reach(open.tile, list, place, least)
        })
    }

    #[inline]
    fn leave_if<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        open: &Open<D>,
        may_be_covered: impl Fn(&Self, &[u32], &Patch<D>) -> bool,
    ) -> bool {
        if !self.unknown.minds(open.tile) {
            return false;
        }
        let tile = &self.tree.tiles[open.tile as usize];
        // More may be asked for than was seen.
        let most = if open.proven { open.hi } else { tile.hi };
        let patch = self.patch(open.tile, view, open.cell(tile.cell));
        let list = self.tree.list(Self::list_of(open.tile, spot(open.at)));
        let leaves = self.unknown.hides(&patch, open.lo) || may_be_covered(self, list, &patch);
        if leaves {
            self.unknown.add_box(&self.tree, &patch, most);
        }
        leaves
    }

    /// Whether a candidate falls where an unknown one covers all, if it is there: that one came earlier,
    /// or this one would have been decided before it. So it is unknown as well, if it does not conflict with
    /// a point that is there.
    #[inline]
    pub(super) fn falls_in_shadow<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        number: u32,
        candidate: &Candidate<D>,
    ) -> bool {
        let shaded = self.unknown.shades(number, spot(candidate.at));
        if shaded {
            self.leave_candidate::<F, L>(view, number, candidate);
        }
        shaded
    }

    #[cold]
    fn leave_candidate<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        number: u32,
        candidate: &Candidate<D>,
    ) {
        let Some(spot) = self.spot(view, number, candidate) else {
            return;
        };
        // Whoever is there and too near came earlier.
        if let Some(r) = self.asks_for(view, &spot)
            && !self.conflicts::<F, L>(view, &spot, r)
        {
            let own = self.own(view, number, spot.p);
            self.unknown.add_shaded(&self.tree, number, own, r);
        }
    }

    /// Whether a candidate that would be a point at `p` and asks for `r` might conflict with something
    /// unknown: then it is unknown itself.
    #[inline]
    pub(super) fn is_clouded<F: RadiusField<D>>(
        &mut self,
        view: &View<'_, D, F>,
        number: u32,
        at: [u32; D],
        (p, r): ([f64; D], f64),
    ) -> bool {
        if !self.unknown.minds(number) {
            return false;
        }
        let own = self.own(view, number, p);
        let list = self.tree.list(Self::list_of(number, spot(at)));
        // As it was compared with points that are there: for no less than was seen.
        let asked = r.max(self.least_seen(number, at));
        let clouded = self.unknown.clouds(number, list, own, asked);
        if clouded {
            self.unknown
                .add(view, &self.tree, (number, list), (p, own), r);
        }
        clouded
    }

    /// A place of a tile in the region's own coordinates.
    #[inline]
    fn own<F>(&self, view: &View<'_, D, F>, number: u32, p: [f64; D]) -> [f32; D] {
        let turn = self.tree.tiles[number as usize].turn;
        let shift = self.tree.shift(&view.lattice, turn);
        std::array::from_fn(|a| (p[a] + shift[a]) as f32)
    }
}
