//! The later rounds: what is left between disks is divided and looked at ever more closely.

use super::lattice::{Cell, Parts, unfold};
use super::law::Law;
use super::queue::{Candidate, Queue};
use super::region::{Region, Task};
use super::rounds::{inside, spot};
use super::store::Pieces;
use super::throw::Throws;
use super::tile::{Tile, Trust};
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
    /// The greatest `lo` of what it lies in: who covers it for that has closed it.
    pub(super) within: f64,
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
            within: tile.lo,
            even: tile.is_even(),
            whole: tile.trust != Trust::Seen,
            proven: tile.trust != Trust::Seen,
        }
    }

    /// One of its pieces.
    pub(super) fn piece(&self, index: u32) -> Self {
        Self {
            at: self.place(index, [0; D]),
            halvings: self.halvings + Parts::<D>::PIECE_HALVINGS,
            pieces: Parts::<D>::ALL,
            within: self.within.max(self.lo),
            ..*self
        }
    }

    /// A place in the tile from shares of a piece.
    #[inline]
    fn place(&self, piece: u32, share: [u32; D]) -> [u32; D] {
        let halvings = self.halvings + Parts::<D>::PIECE_HALVINGS;
        let step: [u32; D] = unfold(piece, Parts::<D>::PIECE_HALVINGS);
        if halvings < 32 {
            let rest = 32 - halvings;
            return std::array::from_fn(|a| self.at[a] | step[a] << rest | share[a] >> halvings);
        }
        std::array::from_fn(|a| {
            let step = step[a].unbounded_shl(32 - halvings);
            self.at[a] | step | share[a].unbounded_shr(halvings)
        })
    }

    /// Whether a place in the tile lies in it.
    fn contains(&self, at: [u32; D]) -> bool {
        let rest = 32_u32.saturating_sub(self.halvings);
        (0..D).all(|a| (self.at[a] ^ at[a]).unbounded_shr(rest) == 0)
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
                self.close::<L>(queue, cell.tile);
            }
        }
        open.truncate(kept);
        self.open = open;
    }

    /// Finds out which pieces of a cell are open, and throws into each of them. Whether there
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
        if self.leave_open(view, open) {
            return false;
        }
        let cell = open.cell(self.tree.tiles[open.tile as usize].cell);
        // Whether a piece throws hangs on nothing but whether it is open itself. An unknown point
        // that may cover it conflicts with its candidate; with one candidate for all of the cell,
        // the point would also decide which other piece throws.
        let throws = Throws::new(view.seed, cell, round);
        let mut pieces = open.pieces;
        while pieces != 0 {
            let piece = pieces.trailing_zeros();
            pieces &= pieces - 1;
            let throw = throws.throw(piece);
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
        !self.cover.is_covered(open.tile, spot(open.at)) && self.strike::<F, L>(view, open)
    }

    /// The same, whatever the bits say.
    #[inline]
    pub(super) fn strike<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        open: &mut Open<D>,
    ) -> bool {
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
        // Of a field that cannot bound itself less may be seen here than of all of the tile, but no
        // candidate is compared for less than that.
        let least = open.lo.max(tile.lo);
        open.pieces = self.store.uncovered::<L>(&cell, least, open.pieces);
        if open.pieces != 0 && !self.guests.are_seen() {
            let open_to = Open { lo: least, ..*open };
            open.pieces = self.guests.uncovered::<F, L>(view, tile, &open_to, &cell);
        }
        open.pieces != 0
    }

    /// The least that was seen around a place in a tile, in this round or an earlier one: a piece
    /// there is covered by whoever covers it if it asks for that.
    pub(super) fn least_seen(&self, number: u32, at: [u32; D]) -> f64 {
        let least = self.tree.tiles[number as usize].lo;
        let first = self.open.partition_point(|open| open.tile < number);
        let cells = self.open[first..].iter();
        let mut cells = cells.take_while(|open| open.tile == number);
        let open = cells.find(|open| open.contains(at));
        open.map_or(least, |open| least.max(open.within).max(open.lo))
    }

    /// Makes cells of what is still open in tiles.
    #[inline(never)]
    pub(super) fn open_tiles<F: RadiusField<D>, L: Law>(&mut self, view: &View<'_, D, F>) {
        let mut found = std::mem::take(&mut self.open);
        found.clear();
        let bits = Parts::<D>::WIDTH.ilog2();
        let tiles = (0..).zip(&self.tree.tiles);
        for (tile, whole) in tiles.filter(|(_, whole)| !view.is_done_with(whole)) {
            for group in 0..Parts::<D>::GROUPS {
                let mut parts = self.cover.open_in_group(tile, group);
                while parts != 0 {
                    let part = 64 * group + parts.trailing_zeros();
                    parts &= parts - 1;
                    let mut open = Open::part(tile, whole, inside(part, bits, [0; D]));
                    if whole.is_even() || whole.is_steep() || self.strike::<F, L>(view, &mut open) {
                        found.extend(sharpened(view, whole, open));
                    }
                }
            }
        }
        self.open = found;
    }

    /// Makes cells of the open pieces of cells.
    pub(super) fn divide<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
        round: u32,
    ) {
        self.next.clear();
        let mut cells = std::mem::take(&mut self.open);
        for whole in &mut cells {
            // Nothing near it has changed since it threw, mostly.
            if self.changed[whole.tile as usize] == round && !self.update::<F, L>(view, whole) {
                continue;
            }
            let mut pieces = whole.pieces;
            while pieces != 0 {
                let tile = &self.tree.tiles[whole.tile as usize];
                let piece = whole.piece(pieces.trailing_zeros());
                pieces &= pieces - 1;
                let Some(mut piece) = sharpened(view, tile, piece) else {
                    continue;
                };
                let level = tile.cell.level + piece.halvings;
                // Where more is asked for than was seen in the tile, whoever is thrown falls, for all that
                // was seen. As nothing ever covers that, all of the volume would be halved to the end.
                let in_vain = piece.lo > tile.hi;
                if !in_vain && !view.is_finest(&piece, level) {
                    self.next.push(piece);
                } else if tile.turn == [0; D]
                    && let Some(place) = view.place(piece.cell(tile.cell))
                    && task.block.contains(place.center())
                    && self.update::<F, L>(view, &mut piece)
                    && !self.leave_speck(view, &piece)
                {
                    self.specks.push(place);
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
const CLEAR: f64 = 0.25;

/// A cell of a tile with its own bounds in place of those of what it lies in, unless these are close
/// enough; `None` when no point may lie in it.
#[inline]
pub(super) fn sharpened<const D: usize, F: RadiusField<D>>(
    view: &View<'_, D, F>,
    tile: &Tile<D>,
    open: Open<D>,
) -> Option<Open<D>> {
    // Mostly it is, and nothing has to be moved.
    if open.even && !tile.cut_off {
        return Some(open);
    }
    sharpened_by_field(view, tile, open)
}

/// The same where that takes a look.
#[inline(never)]
fn sharpened_by_field<const D: usize, F: RadiusField<D>>(
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

    /// A field of 1 and its count of questions; in a view of it, one tile.
    fn in_a_tile(test: impl FnOnce(&View<'_, 2, &dyn RadiusField<2>>, &Tile<2>, &AtomicU32)) {
        let asked = AtomicU32::new(0);
        let range = DistRange::new(1.0, 4.0).expect("a range");
        let field = FnField::new(range, 0.0, |_: [f64; 2]| {
            asked.fetch_add(1, Relaxed);
            1.0
        });
        let field = field.expect("a slope");
        let field: &dyn RadiusField<2> = &field;
        let domain = Bounds::from_size([100.0; 2]).expect("a box");
        let scatter = Scatter::new(field, domain, ScatterOptions::default()).expect("a run");
        let view = scatter.view();
        let cell = Cell {
            level: 2,
            at: [2, 3],
        };
        let sight = view.look(cell).expect("open ground");
        let (Node { tile, .. }, _) = Node::new(&view, cell, [0; 2], [0.0; 2], &sight, false);
        test(&view, &tile, &asked);
    }

    /// A closure that cannot bound itself kept what five places of a cell said of all of it: whatever lay
    /// between them was never looked at.
    #[test]
    fn what_was_only_seen_is_looked_at_again() {
        in_a_tile(|view, tile, asked| {
            let seen = Open {
                lo: 1.0,
                hi: 1.0,
                even: false,
                whole: true,
                proven: false,
                ..Open::part(0, tile, [0; 2])
            };
            let looks = |open: Open<2>| {
                let before = asked.load(Relaxed);
                assert!(sharpened(view, tile, open).is_some());
                asked.load(Relaxed) > before
            };
            assert!(looks(seen));
            let proven = Open {
                proven: true,
                ..seen
            };
            assert!(!looks(proven));
        });
    }

    /// A point that asked for less than was seen around it was compared with unknown ones by that alone:
    /// one of these may cover the piece that it was thrown into, if it asks for what was seen.
    #[test]
    fn the_least_is_what_was_seen_around_a_place() {
        in_a_tile(|_, tile, _| {
            let mut region = Region::default();
            region.tree.tiles = vec![*tile; 3];
            let part = |number: u32, at: [u32; 2], lo: f64| Open {
                lo,
                ..Open::part(number, tile, at.map(|x| x << 28))
            };
            let piece = part(1, [3, 7], 2.5).piece(5);
            region.open = vec![
                part(0, [3, 7], 2.0),
                Open { lo: 3.5, ..piece },
                part(1, [4, 7], 3.0),
                part(2, [3, 7], 0.5),
            ];
            let inside = piece.at.map(|x| x + 1234);
            assert_eq!(region.least_seen(0, inside), 2.0);
            assert_eq!(region.least_seen(1, inside), 3.5);
            // In a piece less was seen later, when whoever covered it for more had closed it.
            region.open[1].lo = 0.5;
            assert_eq!(region.least_seen(1, inside), 2.5);
            assert_eq!(region.least_seen(1, inside.map(|x| x + (1 << 26))), tile.lo);
            assert_eq!(region.least_seen(1, [4 << 28, 7 << 28]), 3.0);
            // Never less than is asked for in the tile.
            assert_eq!(region.least_seen(2, inside), tile.lo);
        });
    }
}
