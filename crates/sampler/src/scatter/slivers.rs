//! The later rounds: what is left between disks is divided and looked at ever more closely.

use super::lattice::{Cell, Parts, unfold};
use super::law::Law;
use super::queue::{Candidate, Queue};
use super::region::{Outcome, Region, Task};
use super::rounds::{inside, spot};
use super::store::Pieces;
use super::throw::Throws;
use super::tile::Tile;
use super::unknown::Patch;
use super::view::View;
use density::RadiusField;

/// A part of a tile, or of such a part, in which more points may land.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<const D: usize> {
    pub(super) tile: u32,
    /// Its lowest corner, in `2^-32` of the tile's sides.
    pub(super) at: [u32; D],
    /// By how many halvings of the tile it came about: some 14 but for islands of a mask.
    pub(super) halvings: u32,
    /// Which of its own pieces no single point covers.
    pub(super) pieces: u32,
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Whether the distance is the same in all of it.
    pub(super) even: bool,
    /// Whether points may lie in all of it.
    pub(super) whole: bool,
    /// Whether its bounds are the field's own, and not what was seen at some places.
    pub(super) proven: bool,
}

impl<const D: usize> Open<D> {
    /// A part of a tile.
    pub(super) fn part(number: u32, tile: &Tile<D>, at: [u32; D]) -> Self {
        Self {
            tile: number,
            at,
            halvings: Parts::<D>::WIDTH.ilog2(),
            pieces: Parts::<D>::ALL,
            lo: tile.lo,
            hi: tile.hi,
            even: tile.even,
            whole: tile.even,
            proven: tile.even,
        }
    }

    /// One of its pieces.
    pub(super) fn piece(&self, index: u32) -> Self {
        Self {
            at: self.place(index, [0; D]),
            halvings: self.halvings + Parts::<D>::PIECE_HALVINGS,
            pieces: Parts::<D>::ALL,
            ..*self
        }
    }

    /// A place in the tile from shares of a piece.
    #[inline]
    fn place(&self, piece: u32, share: [u32; D]) -> [u32; D] {
        let halvings = self.halvings + Parts::<D>::PIECE_HALVINGS;
        let step: [u32; D] = unfold(piece, Parts::<D>::PIECE_HALVINGS);
        std::array::from_fn(|a| {
            let step = step[a].unbounded_shl(32 - halvings);
            self.at[a] | step | share[a].unbounded_shr(halvings)
        })
    }

    /// The cell of the lattice that it is.
    pub(super) fn cell(&self, tile: Cell<D>) -> Cell<D> {
        let step = self.at.map(|x| x.unbounded_shr(32 - self.halvings));
        tile.inside(self.halvings, step)
    }
}

impl<const D: usize> Region<D> {
    /// Throws into the open cells, and forgets those that are not open any more.
    pub(super) fn throw_into_cells<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        round: u32,
    ) {
        queue.clear();
        let mut open = std::mem::take(&mut self.open);
        let mut kept = 0;
        for i in 0..open.len() {
            let mut cell = open[i];
            if self.throw_into::<F, L>(view, queue, &mut cell, round) {
                open[kept] = cell;
                kept += 1;
            }
            if open.get(i + 1).is_none_or(|next| next.tile != cell.tile) {
                self.close::<F, L>(view, queue, cell.tile);
            }
        }
        open.truncate(kept);
        self.open = open;
    }

    /// Finds out which pieces of a cell are open, and throws into one of them. Whether there
    /// are any.
    #[inline]
    fn throw_into<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        queue: &mut Queue<D>,
        open: &mut Open<D>,
        round: u32,
    ) -> bool {
        if !self.update::<F, L>(view, open) {
            return false;
        }
        let cell = open.cell(self.tree.tiles[open.tile as usize].cell);
        if self.unknown.minds(open.tile) {
            let patch = self.patch(open.tile, view, cell);
            let tiles = self.tree.list(Self::list_of(open.tile, spot(open.at)));
            // Late: the smaller the cell, the less its loss clouds.
            let gone = |patch: &Patch<D>| {
                self.unknown.hides(patch, open.lo) || self.unknown.may_cover(tiles, patch, open.lo)
            };
            // Which piece throws hangs on which are open: who may cover one of several may change it.
            let doubtful = || {
                let tile = self.tree.tiles[open.tile as usize].cell;
                let pieces = (0..Parts::<D>::PIECES).filter(|i| open.pieces >> i & 1 == 1);
                let along = Parts::<D>::PIECES_ALONG;
                open.pieces.count_ones() > 1
                    && (self.unknown.is_at_edge(open.tile)
                        || self.unknown.may_cover_some(tiles, &patch, along, open.lo))
                    && pieces
                        .map(|i| self.patch(open.tile, view, open.piece(i).cell(tile)))
                        .any(|piece| gone(&piece))
            };
            if gone(&patch) || doubtful() {
                // More may be asked for than was seen.
                let tile = &self.tree.tiles[open.tile as usize];
                let most = if open.proven { open.hi } else { tile.hi };
                self.unknown.add_box(&self.tree, &patch, most);
                return false;
            }
        }
        let throw = Throws::new(view.seed, cell, round).throw(0);
        if let Some(piece) = throw.pick(open.pieces) {
            queue.push(Candidate {
                id: throw.turn(round),
                at: open.place(piece, throw.share()),
            });
        }
        true
    }

    /// Strikes out the pieces of a cell that are covered. Whether any is left.
    #[inline]
    fn update<F: RadiusField<D>, L: Law>(&self, view: &View<'_, D, F>, open: &mut Open<D>) -> bool {
        if self.cover.is_covered(open.tile, spot(open.at)) {
            return false;
        }
        let tile = &self.tree.tiles[open.tile as usize];
        let part = tile.part();
        let share = power(open.halvings + Parts::<D>::PIECE_HALVINGS - Parts::<D>::WIDTH.ilog2());
        let unit = f64::from(Parts::<D>::WIDTH) / (1_u64 << 32) as f64;
        let cell = Pieces {
            tile: open.tile,
            x: std::array::from_fn(|a| (f64::from(open.at[a]) * (unit * part[a])) as f32),
            piece: part.map(|s| (s * share) as f32),
            side: tile.side,
        };
        open.pieces = self.store.uncovered::<L>(&cell, open.lo, open.pieces);
        if open.pieces != 0 && view.crowd.is_some() {
            open.pieces = self.guests.uncovered::<F, L>(view, tile, open, &cell);
        }
        open.pieces != 0
    }

    /// Makes cells of what is still open in tiles.
    pub(super) fn open_tiles<F: RadiusField<D>>(&mut self, view: &View<'_, D, F>) {
        self.open.clear();
        let bits = Parts::<D>::WIDTH.ilog2();
        for tile in 0..self.tree.tiles.len() as u32 {
            let whole = &self.tree.tiles[tile as usize];
            for group in 0..Parts::<D>::GROUPS {
                let mut parts = self.cover.open_in_group(tile, group);
                while parts != 0 {
                    let part = 64 * group + parts.trailing_zeros();
                    parts &= parts - 1;
                    let open = Open::part(tile, whole, inside(part, bits, [0; D]));
                    self.open.extend(sharpened(view, whole, open));
                }
            }
        }
    }

    /// Makes cells of the open pieces of cells.
    pub(super) fn divide<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
        round: u32,
        outcome: &mut Outcome<D>,
    ) {
        self.next.clear();
        let mut cells = std::mem::take(&mut self.open);
        for whole in &mut cells {
            // Nothing near it has changed since it threw, mostly.
            if self.changed[whole.tile as usize] == round && !self.update::<F, L>(view, whole) {
                continue;
            }
            let tile = &self.tree.tiles[whole.tile as usize];
            let mut pieces = whole.pieces;
            while pieces != 0 {
                let piece = whole.piece(pieces.trailing_zeros());
                pieces &= pieces - 1;
                let Some(mut piece) = sharpened(view, tile, piece) else {
                    continue;
                };
                let level = tile.cell.level + piece.halvings;
                if !view.is_finest(&piece, level) {
                    self.next.push(piece);
                } else if tile.turn == [0; D]
                    && let Some(place) = view.place(piece.cell(tile.cell))
                    && task.block.contains(place.center())
                    && self.update::<F, L>(view, &mut piece)
                {
                    outcome.unresolved += 1;
                    outcome.unresolved_volume += place.volume();
                }
            }
        }
        std::mem::swap(&mut self.open, &mut self.next);
        self.next = cells;
    }
}

/// `2^-n`.
#[inline]
fn power(n: u32) -> f64 {
    f64::from_bits((1023 - u64::from(n.min(1022))) << 52)
}

/// A cell keeps the bounds of what it lies in when they are closer than this share of its side: how
/// large it is leaves more open than they do.
const CLEAR: f64 = 0.2;

/// A cell of a tile with its own bounds in place of those of what it lies in, unless these are close
/// enough; `None` when no point may lie in it.
#[inline]
fn sharpened<const D: usize, F: RadiusField<D>>(
    view: &View<'_, D, F>,
    tile: &Tile<D>,
    open: Open<D>,
) -> Option<Open<D>> {
    let side = || view.lattice.side(tile.cell.level + open.halvings);
    let clear = open.even || (open.whole && open.proven && open.hi - open.lo <= CLEAR * side());
    if clear && !tile.cut_off {
        return Some(open);
    }
    let cell = open.cell(tile.cell);
    let place = view.place(cell)?;
    if open.even {
        return Some(open);
    }
    let sight = view.look_at(place, cell.level)?;
    Some(Open {
        lo: sight.lo,
        hi: sight.hi,
        even: sight.even,
        whole: sight.whole,
        proven: sight.is_proven(),
        ..open
    })
}

#[cfg(test)]
mod tests {
    use super::super::engine::{Scatter, ScatterOptions};
    use super::super::node::Node;
    use super::*;
    use density::{Bounds, DistRange, FnField};
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// A closure that cannot bound itself kept what five places of a cell said of all of it: whatever lay
    /// between them was never looked at.
    #[test]
    fn what_was_only_seen_is_looked_at_again() {
        let asked = AtomicU32::new(0);
        let field = FnField::new(DistRange::new(1.0, 4.0).expect("a range"), |_: [f64; 2]| {
            asked.fetch_add(1, Relaxed);
            1.0
        });
        let domain = Bounds::from_size([100.0; 2]).expect("a box");
        let scatter = Scatter::new(&field, domain, ScatterOptions::default()).expect("a run");
        let view = scatter.view();
        let cell = Cell {
            level: 2,
            at: [2, 3],
        };
        let sight = view.look(cell).expect("open ground");
        let tile = Node::new(&view, cell, [0; 2], [0.0; 2], &sight, false).tile;
        let seen = Open {
            lo: 1.0,
            hi: 1.0,
            even: false,
            whole: true,
            proven: false,
            ..Open::part(0, &tile, [0; 2])
        };
        let looks = |open: Open<2>| {
            let before = asked.load(Relaxed);
            assert!(sharpened(&view, &tile, open).is_some());
            asked.load(Relaxed) > before
        };
        assert!(looks(seen));
        let proven = Open {
            proven: true,
            ..seen
        };
        assert!(!looks(proven));
    }
}
