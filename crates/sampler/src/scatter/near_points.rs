//! The accepted points that may conflict with candidates of one leaf: its own and those around it.
//!
//! ```text
//!    . .  .      Each leaf stores every accepted point that may conflict with something in it, in
//!   +-----+ .    rows of eight. So a candidate is compared with eight points at once, without a
//!  .| . . |      branch, and without access to other leaves.
//!   |.  . |.
//!   +-----+      Points are copied: about three times in 2D.
//!    .  .
//! ```
//!
//! Rows are in single precision, relative to the leaf's corner. They pre-filter; pairs within the error of
//! single precision are decided in double precision, from world coordinates.

use super::lanes::{LANES, NOWHERE, distance2, ones, splat, sum};
use super::lattice::{Image, Lattice, Parts};
use super::margin::{in_leaf, maybe_within2, surely_within2};
use crate::boxes::square;
use crate::rule::Rule;
use wide::{CmpLt, f32x4, f32x8};

/// Number of rows that are tested to reject candidates before their radii are known.
const SIEVED_ROWS: usize = 8;

/// An accepted point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed<const D: usize> {
    pub(super) p: [f64; D],
    pub(super) r: f64,
    /// Its priority.
    pub(super) id: u64,
}

/// A position in a leaf, with all that an exact comparison needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<const D: usize> {
    /// Position in the world.
    pub(super) p: [f64; D],
    /// Position relative to the leaf's corner.
    pub(super) x: [f32; D],
    pub(super) id: u64,
}

#[derive(Clone, Copy, Debug)]
struct Row<const D: usize> {
    x: [f32x8; D],
    r: f32x8,
    /// Squares of the distances within which the points surely reject every later candidate of the leaf:
    /// the distances for the least radius in the leaf.
    near2: f32x8,
}

/// The pieces of a fragment, relative to the leaf's corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces<const D: usize> {
    /// The lowest corner of the fragment.
    pub(super) x: [f32; D],
    /// The sides of a piece.
    pub(super) piece: [f32; D],
}

/// The accepted points around a leaf.
#[derive(Clone, Debug, Default)]
pub(super) struct NearPoints<const D: usize> {
    rows: Vec<Row<D>>,
    points: Vec<(Placed<D>, Image)>,
    rule: Rule,
    /// The least radius in the leaf, and the leaf's longest side.
    least: f64,
    side: f32,
}

impl<const D: usize> NearPoints<D> {
    /// Removes all points, for a leaf with this least radius and longest side. Its candidates conflict with
    /// the points by `rule`.
    pub(super) fn reset(&mut self, rule: Rule, least: f64, side: f32) {
        self.rows.clear();
        self.points.clear();
        self.rule = rule;
        (self.least, self.side) = (least, side);
    }

    /// Returns `true` if there are no points.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns `true` if this image of the point of this priority was added.
    pub(super) fn contains(&self, id: u64, image: Image) -> bool {
        let mut points = self.points.iter();
        points.any(|&(ref placed, other)| placed.id == id && other == image)
    }

    /// Adds a point whose `image` lies at `x` from the leaf's corner.
    #[inline]
    pub(super) fn push(&mut self, placed: Placed<D>, image: Image, x: [f32; D]) {
        let lane = self.points.len() % LANES;
        if lane == 0 {
            self.rows.push(Row {
                x: [splat(NOWHERE); D],
                r: f32x8::ZERO,
                near2: f32x8::ZERO,
            });
        }
        self.points.push((placed, image));
        let (earlier, least) = (splat(placed.r as f32), splat(self.least as f32));
        let near2 = surely_within2(self.rule.distances(earlier, least), self.margin());
        if let Some(row) = self.rows.last_mut() {
            for (row, x) in row.x.iter_mut().zip(x) {
                row.as_array_mut()[lane] = x;
            }
            row.r.as_array_mut()[lane] = placed.r as f32;
            row.near2.as_array_mut()[lane] = near2.as_array_ref()[0];
        }
    }

    /// Returns the [margin](in_leaf) of distances in the leaf.
    #[inline]
    fn margin(&self) -> f32x8 {
        splat(in_leaf(self.side))
    }

    /// Returns the memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row<D>>()
            + self.points.capacity() * size_of::<(Placed<D>, Image)>()
    }

    /// Returns `true` if a later candidate at `spot` with radius `r` conflicts with one of the points.
    #[inline]
    pub(super) fn conflicts(&self, lattice: &Lattice<D>, spot: &Spot<D>, r: f64) -> bool {
        let later = splat(r as f32);
        let own: [f32x8; D] = std::array::from_fn(|a| splat(spot.x[a]));
        let margin = self.margin();
        for (index, row) in self.rows.iter().enumerate() {
            let square = distance2(&row.x, own);
            let distance = self.rule.distances(row.r, later);
            let near = square.cmp_lt(maybe_within2(distance, margin)).move_mask() as u32;
            if near == 0 {
                continue;
            }
            let surely = square.cmp_lt(surely_within2(distance, margin)).move_mask();
            if surely != 0 && self.rule.is_symmetric() {
                return true;
            }
            if self.conflicts_exactly(near, LANES * index, lattice, spot, r) {
                return true;
            }
        }
        false
    }

    /// Returns `true` if a candidate conflicts with one of the points in the lanes `near`, counted from
    /// point number `first`, in double precision.
    #[cold]
    fn conflicts_exactly(
        &self,
        near: u32,
        first: usize,
        lattice: &Lattice<D>,
        spot: &Spot<D>,
        r: f64,
    ) -> bool {
        for lane in ones(near) {
            let (placed, image) = &self.points[first + lane as usize];
            // A point of greater priority is no reason to reject, unless the rule is symmetric: it was
            // accepted, and would not have been if it conflicted with this candidate.
            if !self.rule.is_symmetric() && placed.id > spot.id {
                continue;
            }
            let distance = self.rule.distance(placed.r, r);
            if square_between(placed.p, spot.p, lattice.shift(*image)) < distance * distance {
                return true;
            }
        }
        false
    }

    /// Returns `true` if a later candidate at `x`, relative to the leaf's corner, conflicts with one of the
    /// first points, whatever its radius.
    #[inline]
    pub(super) fn rejects(&self, x: [f32; D]) -> bool {
        let rows = self.rows.get(..SIEVED_ROWS).unwrap_or(&self.rows);
        let own: [f32x8; D] = std::array::from_fn(|a| splat(x[a]));
        // The least difference between a squared distance and that within which a point rejects, lane by lane.
        let least = rows.iter().fold(splat(NOWHERE), |least, row| {
            least.fast_min(distance2(&row.x, own) - row.near2)
        });
        least.cmp_lt(f32x8::ZERO).move_mask() != 0
    }

    /// Returns those of a fragment's pieces in `open` that no single point wholly covers, for later points
    /// of radius `least` or more. It may return pieces that are covered within rounding at the rim of a
    /// disk.
    #[inline]
    pub(super) fn uncovered(&self, fragment: &Pieces<D>, least: f64, mut open: u32) -> u32 {
        let later = splat(least as f32);
        let margin = self.margin();
        let along = Parts::<D>::PIECES_ALONG as f32;
        let center: [f32x8; D] =
            std::array::from_fn(|a| splat(fragment.x[a] + 0.5 * along * fragment.piece[a]));
        // For the piece nearest to a point, the distance to its farthest corner along an axis is this much less
        // than the distance to the fragment's centre; but at least half a piece.
        let inner = fragment.piece.map(|s| splat((0.5 * along - 1.0) * s));
        let half = fragment.piece.map(|s| splat(0.5 * s));
        for row in &self.rows {
            let square = sum::<D>(|a| {
                let d = ((row.x[a] - center[a]).abs() - inner[a]).fast_max(half[a]);
                d * d
            });
            let within2 = if least == self.least {
                row.near2
            } else {
                surely_within2(self.rule.distances(row.r, later), margin)
            };
            for lane in ones(square.cmp_lt(within2).move_mask() as u32) {
                let lane = lane as usize;
                let x = std::array::from_fn(|a| row.x[a].as_array_ref()[lane]);
                open &= !fragment.within(x, within2.as_array_ref()[lane]);
                if open == 0 {
                    return 0;
                }
            }
        }
        open
    }
}

/// Returns the square of the distance from `q`, moved by `shift`, to `p`.
#[inline]
pub(super) fn square_between<const D: usize>(q: [f64; D], p: [f64; D], shift: [f64; D]) -> f64 {
    square::<D>(|a| (q[a] - p[a]) + shift[a])
}

impl<const D: usize> Pieces<D> {
    /// Centres of four pieces along each axis but the last, in pieces from the lowest corner: of a row in
    /// 2D, of a layer in 3D.
    const STEPS: &'static [[f32; 4]] = if D == 2 {
        &[Self::MIDDLES]
    } else {
        &[[0.5, 1.5, 0.5, 1.5], [0.5, 0.5, 1.5, 1.5]]
    };

    /// Centres of pieces along an axis, in pieces.
    const MIDDLES: [f32; 4] = [0.5, 1.5, 2.5, 3.5];

    /// Returns the pieces all of whose corners are nearer to `q` than the square root of `within2`.
    #[inline]
    fn within(&self, q: [f32; D], within2: f32) -> u32 {
        let far = |a: usize, steps: [f32; 4]| {
            let center = f32x4::new(steps) * self.piece[a] + (self.x[a] - q[a]);
            let d = center.abs() + 0.5 * self.piece[a];
            d * d
        };
        let square = (1..D - 1).fold(far(0, Self::STEPS[0]), |sum, a| {
            sum + far(a, Self::STEPS[a])
        });
        let left = (f32x4::splat(within2) - far(D - 1, Self::MIDDLES)).to_array();
        let mut within = 0;
        for (group, left) in (0..Parts::<D>::PIECES / 4).zip(left) {
            within |= (square.cmp_lt(f32x4::splat(left)).move_mask() as u32) << (4 * group);
        }
        within
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Draws;
    use crate::scatter::lattice::{image, unfold};

    fn check_uncovered<const D: usize>() {
        let mut draws = Draws::new(5);
        let mut near = NearPoints::<D>::default();
        let (mut left, mut all) = (0, 0);
        for number in 0..3000 {
            near.reset(Rule::Max, 1.0, 4.0);
            for id in 0..number % 20 {
                let p: [f64; D] = std::array::from_fn(|_| 6.0 * draws.unit() - 1.0);
                let r = 1.0 + draws.unit();
                near.push(Placed { p, r, id }, image([0; D]), p.map(|x| x as f32));
            }
            let pieces = Pieces {
                x: std::array::from_fn(|_| 4.0 * draws.unit() as f32),
                piece: [0; D].map(|_| 0.5 * draws.unit().powi(4) as f32),
            };
            let least = [1.0, 1.5][draws.below(2) as usize];
            let open = draws.below(u32::MAX) & Parts::<D>::ALL_PIECES;
            let uncovered = near.uncovered(&pieces, least, open);
            assert_eq!(uncovered & !open, 0);
            for piece in ones(open) {
                let step: [u32; D] = unfold(piece, Parts::<D>::PIECE_HALVINGS);
                // The greatest distance by which a point's disk reaches beyond the farthest corner.
                let beyond = near.points.iter().map(|(q, _)| {
                    let far2 = square::<D>(|a| {
                        let side = f64::from(pieces.piece[a]);
                        let middle = f64::from(pieces.x[a]) + (f64::from(step[a]) + 0.5) * side;
                        (q.p[a] - middle).abs() + 0.5 * side
                    });
                    q.r.max(least) - far2.sqrt()
                });
                let beyond = beyond.fold(f64::NEG_INFINITY, f64::max);
                let is_uncovered = uncovered >> piece & 1 == 1;
                assert!(beyond < 2e-5 || !is_uncovered, "{number}: {beyond}");
                assert!(beyond > 0.0 || is_uncovered, "{number}: {beyond}");
                left += u32::from(is_uncovered);
                all += 1;
            }
        }
        assert!(left > all / 10 && left < all - all / 10, "{left} of {all}");
    }

    /// A piece is covered if the disk of a single point contains all of it, but for a hair.
    #[test]
    fn pieces_are_covered_by_single_points() {
        check_uncovered::<2>();
        check_uncovered::<3>();
    }
}
