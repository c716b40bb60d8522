//! The geometry of a leaf and of its fragments, and the field's bounds in them.

use super::lattice::{Cell, Parts, unfold};

/// The geometry of a leaf, and the field's bounds in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<const D: usize> {
    pub(super) cell: Cell<D>,
    pub(super) min: [f64; D],
    pub(super) sides: [f64; D],
    /// The longest side.
    pub(super) side: f32,
    /// Bounds of the distances in the leaf.
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Whether points may lie everywhere in the leaf.
    pub(super) whole: bool,
    /// Whether a part of the leaf lies outside the domain.
    pub(super) cut_off: bool,
}

impl<const D: usize> Shape<D> {
    /// Returns the shape of a cell where no point may lie.
    pub(super) fn closed(cell: Cell<D>) -> Self {
        Self {
            cell,
            min: [0.0; D],
            sides: [0.0; D],
            side: 0.0,
            lo: 0.0,
            hi: 0.0,
            whole: false,
            cut_off: false,
        }
    }

    /// Returns the position of the lowest corner relative to `min`, moved by `shift`.
    #[inline]
    pub(super) fn relative_to(&self, min: [f64; D], shift: [f64; D]) -> [f64; D] {
        std::array::from_fn(|a| (self.min[a] - min[a]) + shift[a])
    }

    /// Returns the square of the gap between a box with these sides, at the origin, and this leaf with its
    /// lowest corner at `away`.
    #[inline]
    pub(super) fn gap2(&self, away: [f64; D], sides: [f64; D]) -> f64 {
        (0..D)
            .map(|a| (away[a] - sides[a]).max(-away[a] - self.sides[a]).max(0.0))
            .map(|gap| gap * gap)
            .sum()
    }
}

/// A box in single precision, relative to a leaf's corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalBox<const D: usize> {
    pub(super) center: [f32; D],
    /// Half of the sides.
    pub(super) half: [f32; D],
}

impl<const D: usize> LocalBox<D> {
    /// Returns the box relative to another corner, which lies at `corner`.
    #[inline]
    pub(super) fn relative_to(self, corner: [f32; D]) -> Self {
        Self {
            center: std::array::from_fn(|a| self.center[a] - corner[a]),
            ..self
        }
    }
}

/// An uncovered piece of a leaf after the first rounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment<const D: usize> {
    /// The lowest corner, in `2^-32` of the leaf's sides.
    pub(super) at: [u32; D],
    /// Number of halvings of the leaf's sides that lead to the fragment.
    pub(super) halvings: u32,
    /// The pieces of the fragment that no single point covers, one bit each.
    pub(super) pieces: u32,
    /// Bounds of the distances in the fragment.
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Whether points may lie everywhere in the fragment.
    pub(super) whole: bool,
}

impl<const D: usize> Fragment<D> {
    /// Returns the fragment as a cell of the lattice; the leaf is `cell`.
    pub(super) fn cell(&self, cell: Cell<D>) -> Cell<D> {
        let step = self.at.map(|x| x.unbounded_shr(32 - self.halvings));
        cell.inside(self.halvings, step)
    }

    /// Returns the last position in the fragment, in `2^-32` of the leaf's sides.
    #[inline]
    pub(super) fn last(&self) -> [u32; D] {
        let size = u32::MAX.unbounded_shr(self.halvings);
        self.at.map(|x| x | size)
    }

    /// Returns a position in the leaf; `inside` is the position in the piece, in `2^-32` of its sides.
    #[inline]
    pub(super) fn position(&self, piece: u32, inside: [u32; D]) -> [u32; D] {
        let halvings = self.halvings + Parts::<D>::PIECE_HALVINGS;
        let step: [u32; D] = unfold(piece, Parts::<D>::PIECE_HALVINGS);
        let rest = 32_u32.saturating_sub(halvings);
        std::array::from_fn(|a| {
            self.at[a] | step[a].unbounded_shl(rest) | inside[a].unbounded_shr(halvings)
        })
    }

    /// Returns a piece as a fragment.
    pub(super) fn piece(&self, index: u32) -> Self {
        Self {
            at: self.position(index, [0; D]),
            halvings: self.halvings + Parts::<D>::PIECE_HALVINGS,
            pieces: Parts::<D>::ALL_PIECES,
            ..*self
        }
    }
}
