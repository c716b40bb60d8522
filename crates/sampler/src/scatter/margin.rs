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
//! which is less than 0.5e-6 s + 0.6e-6 d + 1.1e-6 e. The margin 2e-6 (s + d) is greater, as s is at least 1.15 e:
//! half of the least cell of level 0, whose diagonal is [`top`](super::lattice::top) distances. The bound 2^31 e is that
//! of `preflight`.

use wide::f32x8;

/// The error of single precision, as a share of a distance or of a leaf's longest side.
pub(super) const LOSS: f32 = 1e-6;

/// Reaches of boxes, or their squares, are widened by this factor, beside the errors of the positions in the boxes.
pub(super) const WIDE: f64 = 1.000_1;

/// Returns the part of the margin that is due to the size of a leaf. `side` is its longest side.
#[inline]
pub(super) fn loss(side: f32) -> f32 {
    2.0 * LOSS * side
}

/// Returns the part of the margin that is due to the sizes of two leaves, for a pair with a candidate in each. `side` is
/// the longest side of the leaf to which positions are relative; in it, `far` bounds the coordinates of the other leaf.
/// The corner between them is rounded too, and set off by [`LOSS`] of half a side.
#[inline]
pub(super) fn loss_between(side: f32, far: f32) -> f32 {
    LOSS * (4.0 * side + far)
}

/// Returns the squares of computed distances below which a pair is surely nearer than `distance`. `loss` is the part of
/// the margin that is due to leaves.
#[inline]
pub(super) fn surely_within2(distance: f32x8, loss: f32x8) -> f32x8 {
    let least = (distance * (1.0 - 2.0 * LOSS) - loss).fast_max(f32x8::ZERO);
    least * least
}

/// Returns the squares of computed distances from which on a pair is surely not nearer than `distance`. `loss` is the
/// part of the margin that is due to leaves.
#[inline]
pub(super) fn maybe_within2(distance: f32x8, loss: f32x8) -> f32x8 {
    let most = distance * (1.0 + 2.0 * LOSS) + loss;
    most * most
}
