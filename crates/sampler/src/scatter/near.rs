//! The leaves around a leaf, eight in a row.

use super::lanes::splat;
use super::lattice::Image;
use super::neighbourhood::{LANES, NOWHERE, sum};
use crate::rule::Rule;
use wide::{CmpLt, f32x8};

/// "Nothing".
pub(super) const NONE: u32 = u32::MAX;

/// Eight leaves that may matter to a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near<const D: usize> {
    /// Middles from the leaf's corner, and half sides, which are a hair too long.
    pub(super) center: [f32x8; D],
    pub(super) half: [f32x8; D],
    /// The greatest distances in them.
    pub(super) hi: f32x8,
    pub(super) node: [u32; LANES],
    /// Which images of them.
    pub(super) image: [Image; LANES],
}

impl<const D: usize> Near<D> {
    /// Returns the lanes that points of a box, of radius `r` or less, may matter to. `x` is its
    /// middle from the leaf's corner, `half` its half sides.
    #[inline]
    pub(super) fn reached(&self, rule: Rule, x: [f32; D], half: [f32; D], r: f32) -> u32 {
        let square = sum::<D>(|a| {
            let gap = (self.center[a] - x[a]).abs() - self.half[a] - half[a];
            let gap = gap.fast_max(f32x8::ZERO);
            gap * gap
        });
        let reach = rule.reaches(self.hi, splat(r)) * 1.0001;
        square.cmp_lt(reach * reach).move_mask() as u32
    }

    /// Takes note that no point of a radius greater than `most` can be accepted in a lane's leaf
    /// any more.
    #[inline]
    pub(super) fn limit(&mut self, lane: usize, most: f64) {
        self.hi.as_array_mut()[lane] = most as f32;
    }

    /// Forgets the leaf in a lane: nothing can happen in it any more.
    #[inline]
    pub(super) fn forget(&mut self, lane: usize) {
        for center in &mut self.center {
            center.as_array_mut()[lane] = NOWHERE;
        }
    }

    /// The lowest corner of a lane's leaf, from the leaf's.
    #[inline]
    pub(super) fn corner(&self, lane: usize) -> [f32; D] {
        std::array::from_fn(|a| {
            self.center[a].as_array_ref()[lane] - self.half[a].as_array_ref()[lane]
        })
    }
}
