//! A tile: a cell that fits the field, which candidates are thrown into; or one that is too far away
//! to matter, whatever its size.

use super::lattice::{Cell, Parts, Turn};
use super::view::View;

/// What `lo` and `hi` of a tile are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Points may lie in all of it, and all ask for the same.
    Even,
    /// Points may lie in all of it, and these are the field's own bounds.
    Proven,
    /// Points may not lie everywhere, or only some places were looked at.
    Seen,
}

/// A tile, as the region needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile<const D: usize> {
    pub(super) cell: Cell<D>,
    pub(super) turn: Turn<D>,
    pub(super) lo: f64,
    pub(super) hi: f64,
    pub(super) trust: Trust,
    /// How many of its parts make a unit of length, and its lowest corner in the world.
    pub(super) per_part: [f64; D],
    pub(super) min: [f64; D],
    /// Its sides, and the longest.
    pub(super) sides: [f64; D],
    pub(super) side: f32,
    /// Whether some of it lies outside the domain.
    pub(super) cut_off: bool,
    /// Whether it is too far away to matter: nothing in it is known.
    pub(super) remote: bool,
}

/// A box in the region's own coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<const D: usize> {
    pub(super) center: [f32; D],
    pub(super) half: [f32; D],
}

impl<const D: usize> Frame<D> {
    /// The square of the gap between two boxes.
    #[inline]
    pub(super) fn gap2(&self, other: &Self) -> f32 {
        (0..D)
            .map(|a| {
                let gap = (self.center[a] - other.center[a]).abs() - self.half[a] - other.half[a];
                let gap = if gap > 0.0 { gap } else { 0.0 };
                gap * gap
            })
            .sum()
    }

    /// The squares of the gaps between another box and the lower and the upper half of this one,
    /// along each axis.
    #[inline]
    pub(super) fn corner_gaps(&self, other: &Self) -> [[f32; 2]; D] {
        std::array::from_fn(|a| {
            let half = 0.5 * self.half[a];
            let away = self.center[a] - other.center[a];
            [away - half, away + half].map(|away| {
                let gap = away.abs() - half - other.half[a];
                let gap = if gap > 0.0 { gap } else { 0.0 };
                gap * gap
            })
        })
    }
}

/// Where distances differ by less in a tile they are taken for alike.
const STEEP: f64 = 2.0;

/// Where they differ by more, less is found before anyone looks between disks.
const GENTLE: f64 = 1.25;

/// Whether distances differ so little that as large a share of points is found by throwing as anywhere.
#[inline]
pub(super) fn is_gentle(lo: f64, hi: f64) -> bool {
    hi <= GENTLE * lo
}

impl<const D: usize> Tile<D> {
    /// Whether points may lie in all of it, and all ask for the same.
    #[inline]
    pub(super) fn is_even(&self) -> bool {
        self.trust == Trust::Even
    }

    /// Whether distances differ much in it.
    #[inline]
    pub(super) fn is_steep(&self) -> bool {
        self.hi > STEEP * self.lo
    }

    /// Whether what is found in it by throwing is as large a share as anywhere on even ground.
    #[inline]
    pub(super) fn is_gentle(&self) -> bool {
        self.trust != Trust::Seen && is_gentle(self.lo, self.hi) && !self.cut_off
    }

    /// The sides of its parts.
    #[inline]
    pub(super) fn part(&self) -> [f64; D] {
        self.sides.map(|s| s * (1.0 / f64::from(Parts::<D>::WIDTH)))
    }

    /// A place in the world from one in the tile, in `2^-32` of its sides.
    #[inline]
    pub(super) fn place<F>(&self, view: &View<'_, D, F>, at: [u32; D]) -> [f64; D] {
        let share = at.map(|x| f64::from(x) * (1.0 / (1_u64 << 32) as f64));
        view.lattice.place_by(self.cell, self.sides, share)
    }

    /// A place of the world counted from its corner.
    #[inline]
    pub(super) fn relative(&self, p: [f64; D]) -> [f64; D] {
        std::array::from_fn(|a| p[a] - self.min[a])
    }

    /// The square of how far its farthest corner lies from a place, counted from its lowest one.
    #[inline]
    pub(super) fn far2(&self, x: [f64; D]) -> f64 {
        (0..D).fold(0.0, |sum, a| {
            let half = 0.5 * self.sides[a];
            let out = (x[a] - half).abs() + half;
            sum + out * out
        })
    }

    /// The square of how far a place, counted from its corner, lies from it: 0 inside.
    #[inline]
    pub(super) fn away2(&self, x: [f64; D]) -> f64 {
        (0..D).fold(0.0, |sum, a| {
            let above = x[a] - self.sides[a];
            let out = if above > -x[a] { above } else { -x[a] };
            let out = if out > 0.0 { out } else { 0.0 };
            sum + out * out
        })
    }
}
