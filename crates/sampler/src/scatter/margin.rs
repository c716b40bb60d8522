//! The margins of comparisons in single precision.
//!
//! A pair within the margin is compared again, in double precision. So a wider one only costs time.
//!
//! # The error in a leaf
//! Let u be 2^-24, s the longest side of the leaf, d the limit of a conflict, and e the least distance anywhere. The
//! distance of a candidate from a point, near d, is off by at most
//!
//! | rounded | along an axis | in 3D |
//! |---|---|---|
//! | the candidate's coordinate: cut to 24 bits, rounded twice | 3us | 5.2us |
//! | the point's coordinate, at most s + d from the leaf's corner | us + ud | 1.8us + 1.8ud |
//! | their difference | ud | 1.8ud |
//! | squares, their sum, the distance by the rule | | 6ud |
//! | five world coordinates, each at most 2^31 e, in double precision | 5e / 2^23 | 1.1e-6 e |
//!
//! which is less than 0.5e-6 s + 0.6e-6 d + 1.1e-6 e. The margin 2e-6 (s + d) is greater, as s is at least 1.15 e: half
//! of the least cell of level 0, whose diagonal is [`top`] distances. The bound 2^31 e is [`MOST_DISTANCES`].
//!
//! # The error between two leaves
//! A candidate in another leaf, of side t, is first moved by the corner c between the leaves: the centre of this one less
//! half of its side, both rounded, and the half side [`enlarged`]. Along an axis the distance is off by at most
//! u (3 |c| + 12.4 s + 4 t + d), in 3D by 0.2e-6 (sum of |c|) + 1.3e-6 s + 0.5e-6 t beside the terms in d and e of
//! the table. The margin is 1e-6 (sum of |c|) + 4e-6 s + 1e-6 t + 2e-6 d.

use super::lattice::top;
use crate::preflight::MOST_DISTANCES;
use wide::f32x8;

/// The error of single precision, as a share of a distance or of a leaf's longest side.
const LOSS: f32 = 1e-6;

// The proof's numbers: the square of the least side of a leaf, and the greatest coordinate, both in least distances.
const _: () = {
    assert!(0.25 * top(2) * top(2) / 2.0 > 1.15 * 1.15);
    assert!(0.25 * top(3) * top(3) / 3.0 > 1.15 * 1.15);
    assert!(MOST_DISTANCES <= (1_u64 << 31) as f64);
};

/// Reaches of boxes, or their squares, are widened by this factor, beside the errors of the positions in the boxes.
pub(super) const WIDE: f64 = 1.000_1;

/// Returns a bound on the error of a position in a leaf; `side` is the leaf's longest.
#[inline]
pub(super) fn of_position(side: f32) -> f32 {
    LOSS * side
}

/// Returns half of a side, enlarged by the error of positions that are relative to it.
#[inline]
pub(super) fn enlarged(half: f32) -> f32 {
    half * (1.0 + LOSS)
}

/// Returns the part of the margin that is due to the size of a leaf. `side` is its longest side.
#[inline]
pub(super) fn in_leaf(side: f32) -> f32 {
    2.0 * LOSS * side
}

/// Returns the part of the margin that is due to the sizes of two leaves, for a pair with a candidate in each. `side` is
/// the longest side of the leaf to which positions are relative; in it, `far` bounds the coordinates of the other leaf.
#[inline]
pub(super) fn between_leaves(side: f32, far: f32) -> f32 {
    LOSS * (4.0 * side + far)
}

/// Returns the squares of computed distances below which a pair is surely nearer than `distance`. `of_leaves` is the
/// part of the margin that is due to leaves.
#[inline]
pub(super) fn surely_within2(distance: f32x8, of_leaves: f32x8) -> f32x8 {
    let least = (distance * (1.0 - 2.0 * LOSS) - of_leaves).fast_max(f32x8::ZERO);
    least * least
}

/// Returns the squares of computed distances from which on a pair is surely not nearer than `distance`. `of_leaves` is
/// the part of the margin that is due to leaves.
#[inline]
pub(super) fn maybe_within2(distance: f32x8, of_leaves: f32x8) -> f32x8 {
    let most = distance * (1.0 + 2.0 * LOSS) + of_leaves;
    most * most
}
