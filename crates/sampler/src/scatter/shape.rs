//! What the field makes of a leaf, and of the fragments it is divided into.

use super::lattice::{Cell, Parts, unfold};

/// What is known of a leaf before it is opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<const D: usize> {
    pub(super) cell: Cell<D>,
    pub(super) min: [f64; D],
    pub(super) sides: [f64; D],
    /// The longest side.
    pub(super) side: f32,
    /// Bounds of the distances in it.
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Whether points may lie in all of it.
    pub(super) whole: bool,
    /// Whether some of it lies outside the domain.
    pub(super) cut_off: bool,
}

impl<const D: usize> Shape<D> {
    /// Returns where its lowest corner lies from `min`, moved by `shift`.
    #[inline]
    pub(super) fn seen_from(&self, min: [f64; D], shift: [f64; D]) -> [f64; D] {
        std::array::from_fn(|a| (self.min[a] - min[a]) + shift[a])
    }

    /// Returns the square of the gap between a box with these sides, at the origin, and this one with its
    /// lowest corner at `away`.
    #[inline]
    pub(super) fn gap2(&self, away: [f64; D], sides: [f64; D]) -> f64 {
        (0..D)
            .map(|a| (away[a] - sides[a]).max(-away[a] - self.sides[a]).max(0.0))
            .map(|gap| gap * gap)
            .sum()
    }
}

/// An uncovered piece of a leaf after the first rounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment<const D: usize> {
    /// Its lowest corner, in `2^-32` of the leaf's sides.
    pub(super) at: [u32; D],
    /// By how many halvings of the leaf it came about.
    pub(super) halvings: u32,
    /// Which of its own pieces no single point covers.
    pub(super) pieces: u32,
    /// Bounds of the distances in it.
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Whether points may lie in all of it.
    pub(super) whole: bool,
}

impl<const D: usize> Fragment<D> {
    /// The cell of the lattice that it is, in a leaf that is `cell`.
    pub(super) fn cell(&self, cell: Cell<D>) -> Cell<D> {
        let step = self.at.map(|x| x.unbounded_shr(32 - self.halvings));
        cell.inside(self.halvings, step)
    }

    /// A position in the leaf, from shares of the sides of a piece.
    #[inline]
    pub(super) fn position(&self, piece: u32, share: [u32; D]) -> [u32; D] {
        let halvings = self.halvings + Parts::<D>::PIECE_HALVINGS;
        let step: [u32; D] = unfold(piece, Parts::<D>::PIECE_HALVINGS);
        let rest = 32_u32.saturating_sub(halvings);
        std::array::from_fn(|a| {
            self.at[a] | step[a].unbounded_shl(rest) | share[a].unbounded_shr(halvings)
        })
    }

    /// Returns one of its pieces as a fragment.
    pub(super) fn piece(&self, index: u32) -> Self {
        Self {
            at: self.position(index, [0; D]),
            halvings: self.halvings + Parts::<D>::PIECE_HALVINGS,
            pieces: Parts::<D>::ALL_PIECES,
            ..*self
        }
    }
}
