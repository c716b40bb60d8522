//! Cutting blocks until they are small enough, and no smaller.
//!
//! ```text
//!   . . . . . . . .     Each block is worked on with its surroundings. Where distances jump these
//!   . +-----+-----+     are wide, and what lies in them may be dense: four small blocks can cost
//!   . |     |     |     several times what one costs. So a block is cut only where it would take
//!   . +-----+-----+     too much memory.
//! ```

use super::blocks::Block;
use super::lattice::clip;
use super::options::packing;
use super::view::View;
use crate::integral::{fitting, probed};
use density::{Bounds, RadiusField};

/// A block of about this many points or fewer is not cut. In the plane a point takes some 400 bytes of
/// smooth maps, its surroundings included, and up to 1,500 of steep ones. In space it takes 1,100, and of
/// blocks half as large a quarter more time, as surroundings are large beside them.
pub(crate) const fn most_points(dimensions: usize) -> f64 {
    if dimensions < 3 { 200_000.0 } else { 500_000.0 }
}

/// Nor is one of this many: what it takes is in the processor's cache, mostly, and is soon touched for
/// the first time.
pub(super) const fn enough_points(dimensions: usize) -> f64 {
    if dimensions < 3 { 60_000.0 } else { 500_000.0 }
}

/// One in between is cut where its halves hold at most this many times as many points as it does, all
/// with their surroundings.
const CHEAP: f64 = 1.2;

/// A block of this many greatest distances a side is not cut further, whatever it holds: each of its
/// parts would take half as much memory, and all of them twice the time.
const LEAST_SIDE: f64 = 16.0;

/// A box has one in so many of the points at least that its bounds allow, for all that a look at some
/// places tells.
const UNSEEN: f64 = 64.0;

/// How often a box is halved to find out how many points it holds.
const HALVINGS: u32 = 6;

/// The same for a comparison.
const ROUGHLY: u32 = 4;

/// A box of cells of a level: the first and the last along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<const D: usize> {
    pub(super) level: u32,
    pub(super) first: [i64; D],
    pub(super) last: [i64; D],
}

impl<const D: usize> Cells<D> {
    /// Its halves along its longest axis, in cells of the next level where it is a single one.
    fn halves(self) -> [Self; 2] {
        let Self { level, first, last } = if self.first == self.last {
            Self {
                level: self.level + 1,
                first: self.first.map(|c| 2 * c),
                last: self.last.map(|c| 2 * c + 1),
            }
        } else {
            self
        };
        // The last one of the longest.
        let length = |&a: &usize| last[a] - first[a];
        let axis = (0..D).max_by_key(length).unwrap_or(0);
        let middle = first[axis] + length(&axis) / 2;
        let mut halves = [Self { level, first, last }; 2];
        halves[0].last[axis] = middle;
        halves[1].first[axis] = middle + 1;
        halves
    }
}

impl<const D: usize, F: RadiusField<D>> View<'_, D, F> {
    /// Cuts a block of cells until its parts are small in points or in distances; those that an area
    /// touches. None of `enough` points is cut, and none of more where that costs much.
    pub(super) fn cut(
        &self,
        cells: Cells<D>,
        enough: f64,
        area: &Bounds<D>,
        blocks: &mut Vec<Block<D>>,
    ) {
        let place = self.place_of(cells);
        let Some(place) = place.filter(|p| clip(p, area).is_some()) else {
            return;
        };
        let Some(local) = self.field.range_in(&place) else {
            return;
        };
        // Most are small by their bounds: windows come here each time, and should not look closer.
        let (lo, hi) = (local.range.lo(), local.range.hi());
        let is_small =
            place.longest_side() / hi <= LEAST_SIDE || packing(D) * fitting(&place, lo) <= enough;
        let stays = || {
            let points = self.expected(&place, lo, HALVINGS);
            points <= enough || (points <= most_points(D) && !self.is_cheap(cells))
        };
        if is_small || stays() {
            blocks.push(Block { place });
        } else {
            for half in cells.halves() {
                self.cut(half, enough, area, blocks);
            }
        }
    }

    /// Whether a block's halves with their surroundings hold hardly more points than it does with its own.
    fn is_cheap(&self, cells: Cells<D>) -> bool {
        let work = |cells: Cells<D>| {
            let place = self.around(&self.place_of(cells)?)?;
            let lo = self.field.range_in(&place)?.range.lo();
            Some(self.expected(&place, lo, ROUGHLY))
        };
        let halves: f64 = cells.halves().into_iter().filter_map(work).sum();
        work(cells).is_some_and(|whole| halves <= CHEAP * whole)
    }

    /// Some cells as a box, inside the domain.
    fn place_of(&self, cells: Cells<D>) -> Option<Bounds<D>> {
        let place = self.lattice.span(cells.first, cells.last, cells.level)?;
        match &self.domain {
            None => Some(place),
            Some(domain) => clip(&place, domain),
        }
    }

    /// About how many points a box holds; `lo` is a bound of the distances in it.
    fn expected(&self, place: &Bounds<D>, lo: f64, halvings: u32) -> f64 {
        let most = fitting(place, lo);
        if halvings == 0 || packing(D) * most <= 1000.0 {
            // A steep field's bounds would have it that all is as dense as its densest places.
            return packing(D) * probed(self.field, place).max(most / UNSEEN).min(most);
        }
        let corners = (0..1 << D).filter_map(|i| place.corner(i));
        let parts = corners.filter_map(|part| {
            let lo = self.field.range_in(&part)?.range.lo();
            Some(self.expected(&part, lo, halvings - 1))
        });
        parts.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::{Scatter, ScatterOptions};
    use super::*;
    use density::{Coverage, DistRange, LocalRange};

    /// Distances that rise evenly with x, from 1 at 0 to the given one at 1,000; or two of them in stripes
    /// of 100.
    enum Along {
        Slope(f64),
        Stripes(f64),
    }

    impl RadiusField<2> for Along {
        fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
            self.range_in(&Bounds::with_origin(p, [1e-6; 2]).expect("a box"))
                .map(|local| local.range.lo())
        }

        fn range(&self) -> DistRange {
            let (Self::Slope(most) | Self::Stripes(most)) = *self;
            DistRange::new(1.0, most).expect("a range")
        }

        fn range_in(&self, place: &Bounds<2>) -> Option<LocalRange> {
            let [from, to] = [place.min()[0], place.max()[0]];
            let range = match *self {
                Self::Slope(most) => {
                    let at = |x: f64| 1.0 + (most - 1.0) * (x / 1000.0).clamp(0.0, 1.0);
                    DistRange::new(at(from), at(to))
                }
                Self::Stripes(most) => {
                    let stripe = |x: f64| (x / 100.0).floor();
                    let is_sparse = |x: f64| stripe(x).rem_euclid(2.0) == 1.0;
                    if stripe(from) == stripe(to) {
                        let one = if is_sparse(from) { most } else { 1.0 };
                        DistRange::new(one, one)
                    } else {
                        DistRange::new(1.0, most)
                    }
                }
            };
            Some(LocalRange {
                range: range.expect("a range"),
                coverage: Coverage::All,
            })
        }
    }

    /// Where surroundings are small, blocks are cut until what they take is in the cache; where a hard edge
    /// makes them wide and dense, only for the memory they take.
    #[test]
    fn blocks_are_as_small_as_their_surroundings_allow() {
        let blocks = |field: &Along, side: f64| {
            let domain = Bounds::from_size([side; 2]).expect("a box");
            let scatter = Scatter::new(field, domain, ScatterOptions::default()).expect("a run");
            let view = scatter.view();
            let blocks = view.even_blocks(&domain, 64);
            let points = blocks
                .iter()
                .map(|b| view.expected(&b.place, 1.0, HALVINGS));
            points.collect::<Vec<f64>>()
        };
        // Some 170,000 points each.
        let smooth = blocks(&Along::Slope(4.0), 1000.0);
        assert!(smooth.len() >= 3, "{smooth:?}");
        assert!(smooth.iter().all(|&n| n < 60_000.0), "{smooth:?}");
        let steep = blocks(&Along::Stripes(16.0), 700.0);
        assert!(steep.len() == 1 && steep[0] > 120_000.0, "{steep:?}");
        // Four times as many.
        let large = blocks(&Along::Stripes(16.0), 1400.0);
        assert!(large.len() >= 4, "{large:?}");
        assert!(large.iter().all(|&n| n < 200_000.0), "{large:?}");
        assert!(large.iter().any(|&n| n > 60_000.0), "{large:?}");
    }

    #[test]
    fn halves_are_all_cells_once() {
        let halves = |level, first, last| {
            Cells { level, first, last }
                .halves()
                .map(|half| (half.level, half.first, half.last))
        };
        let wide = halves(0, [3, 5], [7, 6]);
        assert_eq!(wide, [(0, [3, 5], [5, 6]), (0, [6, 5], [7, 6])]);
        let high = halves(1, [3, 5], [4, 8]);
        assert_eq!(high, [(1, [3, 5], [4, 6]), (1, [3, 7], [4, 8])]);
        let one = halves(2, [3, -2], [3, -2]);
        assert_eq!(one, [(3, [6, -4], [7, -4]), (3, [6, -3], [7, -3])]);
    }
}
