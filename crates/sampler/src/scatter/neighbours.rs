//! The neighbours of a leaf, eight in a row.

use super::lanes::{LANES, NOWHERE, splat, sum};
use super::lattice::{Image, image};
use super::margin::{WIDE, enlarged};
use super::shape::LocalBox;
use crate::rule::Rule;
use wide::{CmpLt, f32x8};

/// The number of no node, slot or leaf.
pub(super) const NONE: u32 = u32::MAX;

/// A neighbour of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour<const D: usize> {
    pub(super) node: u32,
    /// The image of it that lies nearby.
    pub(super) image: Image,
    /// Its lowest corner, relative to the leaf's corner.
    pub(super) corner: [f32; D],
}

impl<const D: usize> Neighbour<D> {
    /// Returns a bound on the coordinates of positions in the leaf, relative to the neighbour's corner. `side` is the
    /// leaf's longest.
    #[inline]
    pub(super) fn far(&self, side: f32) -> f32 {
        self.corner.iter().fold(side, |sum, x| sum + x.abs())
    }
}

/// Eight neighbours of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct NeighbourRow<const D: usize> {
    /// Centres relative to the leaf's corner, and half sides, slightly enlarged.
    center: [f32x8; D],
    half: [f32x8; D],
    /// The greatest radii that are still possible in them.
    hi: f32x8,
    pub(super) node: [u32; LANES],
    /// The image of each that lies nearby.
    pub(super) image: [Image; LANES],
}

impl<const D: usize> NeighbourRow<D> {
    /// Returns a row without neighbours.
    pub(super) fn empty() -> Self {
        Self {
            center: [splat(NOWHERE); D],
            half: [f32x8::ZERO; D],
            hi: f32x8::ZERO,
            node: [NONE; LANES],
            image: [image([0; D]); LANES],
        }
    }

    /// Puts a neighbour into a lane. Its lowest corner lies at `away` from the leaf's, and `hi` is the greatest radius
    /// that is still possible in it.
    #[inline]
    pub(super) fn set(
        &mut self,
        lane: usize,
        (node, image): (u32, Image),
        away: [f64; D],
        sides: [f64; D],
        hi: f64,
    ) {
        for a in 0..D {
            let half = 0.5 * sides[a];
            self.center[a].as_array_mut()[lane] = (away[a] + half) as f32;
            self.half[a].as_array_mut()[lane] = enlarged(half as f32);
        }
        self.hi.as_array_mut()[lane] = hi as f32;
        self.node[lane] = node;
        self.image[lane] = image;
    }

    /// Returns the lanes of neighbours that points in `place`, of radius `r` or less, may reach. `place` is relative to
    /// the leaf's corner.
    #[inline]
    pub(super) fn lanes_in_reach(&self, rule: Rule, place: &LocalBox<D>, r: f32) -> u32 {
        let square = sum::<D>(|a| {
            let gap = (self.center[a] - place.center[a]).abs() - self.half[a] - place.half[a];
            let gap = gap.fast_max(f32x8::ZERO);
            gap * gap
        });
        let reach = rule.reaches(self.hi, splat(r)) * WIDE as f32;
        square.cmp_lt(reach * reach).move_mask() as u32
    }

    /// Returns the neighbour in a lane.
    #[inline]
    pub(super) fn get(&self, lane: u32) -> Neighbour<D> {
        let lane = lane as usize;
        Neighbour {
            node: self.node[lane],
            image: self.image[lane],
            corner: std::array::from_fn(|a| {
                self.center[a].as_array_ref()[lane] - self.half[a].as_array_ref()[lane]
            }),
        }
    }

    /// Lowers the greatest radius with which a point can still be accepted in a lane's leaf.
    #[inline]
    pub(super) fn limit(&mut self, lane: u32, max_radius: f64) {
        self.hi.as_array_mut()[lane as usize] = max_radius as f32;
    }

    /// Removes the leaf in a lane, as it can change nothing any more.
    #[inline]
    pub(super) fn forget(&mut self, lane: u32) {
        for center in &mut self.center {
            center.as_array_mut()[lane as usize] = NOWHERE;
        }
    }
}
