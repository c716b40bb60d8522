//! What guests leave of the cells of a region, while that is divided into tiles.
//!
//! ```text
//!   +-------+---+---+    A tile that guests cover, one of them or all together, is none: there
//!   |  o    |   |###|    is nothing to be found in it. Of the others it is kept who reaches
//!   |     o +---+---+    them and what they stamp. Who reaches a cell that is cut is looked
//!   |  o    |  o|   |    for once, and its parts ask no others.
//!   +-------+---+---+
//! ```

use super::cover::Cover;
use super::crowd::{Crowd, Grids, Guest};
use super::law::{Law, PriorLaw};
use super::spread::Spread;
use super::tile::Tile;
use density::{Bounds, DistRange};

/// Of a tile with more guests than this, the whole crowd is asked.
pub(super) const MOST: usize = 192;

/// As many guests are kept of a cell that is cut.
const MOST_OF_CELL: usize = 1024;

/// So many guests take longer to look through than to look for.
const CROWDED: u32 = 24;

/// The guests of tiles and cells. Reused from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Shade<const D: usize> {
    /// What they stamp on tiles.
    pub(super) cover: Cover<D>,
    pub(super) tiles: Vec<[Span; 2]>,
    cells: Vec<Shaded>,
    /// By the rule and by distances of their own: those that tiles know, which of them each does, and
    /// those of cells.
    pub(super) known: [Vec<Guest<D>>; 2],
    pub(super) of_tiles: [Vec<u32>; 2],
    of_cells: [Vec<Guest<D>>; 2],
    pub(super) spread: Spread,
}

/// A cell that is cut.
#[derive(Clone, Copy, Debug)]
struct Shaded {
    /// A bound of what points in it ask for.
    least: f64,
    guests: [Span; 2],
}

/// Some of the guests.
#[derive(Clone, Copy, Debug)]
pub(super) enum Span {
    /// From one to before another.
    Kept(u32, u32),
    /// They are too many.
    Crowd,
}

impl<const D: usize> Shade<D> {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.cover.reset(0);
        self.tiles.clear();
        self.cells.clear();
        let lists = self.known.iter_mut().chain(&mut self.of_cells);
        lists.for_each(Vec::clear);
        self.of_tiles.iter_mut().for_each(Vec::clear);
    }

    /// Which guests reach a tile, by the rule and by their own distances; `None` where they are too
    /// many.
    pub(super) fn guests(&self, tile: u32) -> [Option<&[u32]>; 2] {
        let spans = &self.tiles[tile as usize];
        [0, 1].map(|kind| spans[kind].of(&self.of_tiles[kind]))
    }

    /// Whether a guest of a cell covers all of a part of it, as far as that is known.
    pub(super) fn covers<L: Law>(&self, cell: u32, place: &Bounds<D>) -> bool {
        let Some(shaded) = self.cells.get(cell as usize) else {
            return false;
        };
        let corners = [place.min(), place.max()];
        let [ruled, fixed] = [0, 1].map(|kind| {
            let guests: Option<&[Guest<D>]> = shaded.guests[kind].of(&self.of_cells[kind]);
            guests.unwrap_or_default()
        });
        let size = diagonal2(corners);
        let ruled = ruled.iter();
        ruled
            .map(|q| (q.p, L::RULE.distance(q.r, shaded.least)))
            .chain(fixed.iter().map(|q| (q.p, q.r)))
            .any(|(p, keep)| holds(p, keep, corners, size))
    }

    /// Whether so many guests were found in a cell that its parts had better look for themselves.
    pub(super) fn is_crowded(&self, cell: u32) -> bool {
        let Some(cell) = self.cells.get(cell as usize) else {
            return false;
        };
        cell.guests.iter().any(|span| match span {
            Span::Kept(from, to) => to - from > CROWDED,
            Span::Crowd => true,
        })
    }

    /// Looks for the guests of a cell that will be cut, where points ask for what lies in `dists`,
    /// among those of the one that it is part of. `None` when one of them covers it.
    pub(super) fn cell<L: Law>(
        &mut self,
        crowd: &Crowd<D>,
        place: &Bounds<D>,
        dists: &DistRange,
        within: u32,
    ) -> Option<u32> {
        let corners = [place.min(), place.max()];
        let ruled = self.gather::<L>(&crowd.ruled, 0, corners, dists, within)?;
        let fixed = self.gather::<PriorLaw>(&crowd.fixed, 1, corners, dists, within)?;
        self.cells.push(Shaded {
            least: dists.lo(),
            guests: [ruled, fixed],
        });
        Some(self.cells.len() as u32 - 1)
    }

    fn gather<L: Law>(
        &mut self,
        grids: &Grids<D>,
        kind: usize,
        corners: [[f64; D]; 2],
        dists: &DistRange,
        within: u32,
    ) -> Option<Span> {
        if grids.is_empty() {
            return Some(Span::Kept(0, 0));
        }
        let size = diagonal2(corners);
        let span = self
            .cells
            .get(within as usize)
            .map(|cell| cell.guests[kind]);
        let kept = &mut self.of_cells[kind];
        let start = kept.len();
        let reaches = |q: &Guest<D>| {
            let most = L::RULE.distance(q.r, dists.hi());
            nearest2(q.p, corners) < most * most
        };
        let covers = |q: &Guest<D>, kept: &mut Vec<Guest<D>>| {
            if kept.len() - start <= MOST_OF_CELL {
                kept.push(*q);
            }
            holds(q.p, L::RULE.distance(q.r, dists.lo()), corners, size)
        };
        let covered = if let Some(Span::Kept(from, to)) = span {
            (from..to).any(|i| {
                let q = kept[i as usize];
                reaches(&q) && covers(&q, kept)
            })
        } else {
            grids.any(corners, dists.hi(), 0.0, |q| reaches(q) && covers(q, kept))
        };
        if covered {
            kept.truncate(start);
            return None;
        }
        if kept.len() - start > MOST_OF_CELL {
            kept.truncate(start);
            return Some(Span::Crowd);
        }
        Some(Span::Kept(start as u32, kept.len() as u32))
    }

    /// Lets the guests that reach a tile in and stamps them on it. `None` when they cover it.
    pub(super) fn tile<L: Law>(
        &mut self,
        crowd: &Crowd<D>,
        tile: &Tile<D>,
        place: &Bounds<D>,
        within: u32,
    ) -> Option<u32> {
        let number = self.cover.push();
        let starts = [0, 1].map(|kind| [self.of_tiles[kind].len(), self.known[kind].len()]);
        let spans = self
            .seat::<L>(&crowd.ruled, 0, tile, place, within)
            .and_then(|ruled| {
                let fixed = self.seat::<PriorLaw>(&crowd.fixed, 1, tile, place, within)?;
                Some([ruled, fixed])
            });
        let Some(spans) = spans else {
            self.cover.pop();
            for (kind, [list, known]) in starts.into_iter().enumerate() {
                self.of_tiles[kind].truncate(list);
                self.known[kind].truncate(known);
            }
            return None;
        };
        self.tiles.push(spans);
        Some(number)
    }

    fn seat<L: Law>(
        &mut self,
        grids: &Grids<D>,
        kind: usize,
        tile: &Tile<D>,
        place: &Bounds<D>,
        within: u32,
    ) -> Option<Span> {
        if grids.is_empty() {
            return Some(Span::Kept(0, 0));
        }
        let number = self.tiles.len() as u32;
        let corners = [place.min(), place.max()];
        let size = diagonal2(corners);
        let (cover, near) = (&mut self.cover, &mut self.of_tiles[kind]);
        let known = &mut self.known[kind];
        let (start, first) = (near.len(), known.len());
        let reaches = |q: &Guest<D>| {
            let most = L::RULE.distance(q.r, tile.hi);
            nearest2(q.p, corners) < most * most
        };
        let mut covers = |q: &Guest<D>| {
            // One more says that they are too many.
            if near.len() - start <= MOST {
                near.push(known.len() as u32);
                known.push(*q);
            }
            let least = L::RULE.distance(q.r, tile.lo);
            if holds(q.p, least, corners, size) {
                return true;
            }
            cover.stamp(number, tile, tile.relative(q.p), least);
            cover.is_full(number)
        };
        let cell = self.cells.get(within as usize);
        let among = cell.and_then(|cell| cell.guests[kind].of(&self.of_cells[kind]));
        let covered = match among {
            Some(guests) => guests.iter().any(|q| reaches(q) && covers(q)),
            None => grids.any(corners, tile.hi, 0.0, |q| reaches(q) && covers(q)),
        };
        if covered {
            return None;
        }
        if near.len() - start > MOST {
            near.truncate(start);
            known.truncate(first);
            return Some(Span::Crowd);
        }
        Some(Span::Kept(start as u32, near.len() as u32))
    }
}

impl Span {
    fn of<T>(self, list: &[T]) -> Option<&[T]> {
        match self {
            Self::Kept(from, to) => list.get(from as usize..to as usize),
            Self::Crowd => None,
        }
    }
}

/// Whether all between two corners, whose distance has this square, lies nearer to a point than
/// `keep`.
#[inline]
fn holds<const D: usize>(p: [f64; D], keep: f64, corners: [[f64; D]; 2], size: f64) -> bool {
    // Who does reaches at least from the middle to the corners.
    4.1 * keep * keep > size && farthest2(p, corners) < keep * keep
}

/// The square of the distance between two corners.
#[inline]
pub(super) fn diagonal2<const D: usize>([min, max]: [[f64; D]; 2]) -> f64 {
    (0..D)
        .map(|a| max[a] - min[a])
        .fold(0.0, |sum, d| sum + d * d)
}

/// The square of the distance from a point to the nearest place between two corners. Rounded as
/// that to any place between: it bounds what is compared. So does the next.
#[inline]
pub(super) fn nearest2<const D: usize>(p: [f64; D], [min, max]: [[f64; D]; 2]) -> f64 {
    (0..D).fold(0.0, |sum, a| {
        let (below, above) = (min[a] - p[a], p[a] - max[a]);
        let out = if below > above { below } else { above };
        let out = if out > 0.0 { out } else { 0.0 };
        sum + out * out
    })
}

/// The square of the distance to the farthest place.
#[inline]
pub(super) fn farthest2<const D: usize>(p: [f64; D], [min, max]: [[f64; D]; 2]) -> f64 {
    (0..D).fold(0.0, |sum, a| {
        let (below, above) = (p[a] - min[a], max[a] - p[a]);
        let far = if below > above { below } else { above };
        sum + far * far
    })
}
