//! The cells that a region is made of: a box of them or, of a tiling, a ring along each axis.
//!
//! ```text
//!   a box      ? ? [ 0 1 2 3 4 5 ] ? ?     What lies behind its ends is unknown.
//!   a ring     4 5 [ 0 1 2 3 4 5 ] 0 1     Behind one end lies the other: nothing is unknown.
//! ```

use super::lattice::{Lattice, Turn};

/// The cells of a level that a region is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base<const D: usize> {
    pub(super) level: u32,
    pub(super) first: [i64; D],
    pub(super) last: [i64; D],
    /// So many whole turns of a tiling, whose opposite sides are one; `None` of a box with ends.
    pub(super) turns: Option<Turn<D>>,
}

/// Turns of a tiling, bent to a ring along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring<const D: usize> {
    turns: Turn<D>,
    /// How far once around is.
    around: [f32; D],
}

impl<const D: usize> Ring<D> {
    /// So many times once around lies the image of `to` that is nearest to `from`.
    #[inline]
    fn times(&self, axis: usize, from: f32, to: f32) -> i32 {
        let half = 0.5 * self.around[axis];
        i32::from(from - to > half) - i32::from(to - from > half)
    }

    /// The image of `to` that is nearest to `from`.
    pub(super) fn image(&self, from: [f32; D], to: [f32; D]) -> [f32; D] {
        std::array::from_fn(|a| to[a] + self.times(a, from[a], to[a]) as f32 * self.around[a])
    }

    /// How many turns that image lies ahead, where `to` itself lies `ahead`.
    #[inline]
    pub(super) fn turn(&self, ahead: Turn<D>, from: [f32; D], to: [f32; D]) -> Turn<D> {
        std::array::from_fn(|a| ahead[a] + self.turns[a] * self.times(a, from[a], to[a]))
    }
}

impl<const D: usize> Base<D> {
    /// How many cells lie along an axis.
    #[inline]
    pub(super) fn count(&self, axis: usize) -> usize {
        (self.last[axis] - self.first[axis] + 1) as usize
    }

    /// The number, along an axis, of a cell that lies in it or, of a ring, of which an image does.
    #[inline]
    pub(super) fn index(&self, axis: usize, at: i64) -> usize {
        let from_first = at - self.first[axis];
        match self.turns {
            None => from_first as usize,
            Some(_) => from_first.rem_euclid(self.count(axis) as i64) as usize,
        }
    }

    /// The first and the last cell around one, up to `reach` cells away.
    pub(super) fn around(&self, at: [i64; D], reach: [i64; D]) -> ([i64; D], [i64; D]) {
        let (first, last) = (
            std::array::from_fn(|a| at[a] - reach[a]),
            std::array::from_fn(|a| at[a] + reach[a]),
        );
        match self.turns {
            None => (
                std::array::from_fn(|a| self.first[a].max(first[a])),
                std::array::from_fn(|a| self.last[a].min(last[a])),
            ),
            Some(_) => (first, last),
        }
    }

    /// How many turns of a tiling it holds, along all axes together.
    pub(super) fn turns_in_all(&self) -> f64 {
        let turns = self.turns.unwrap_or([1; D]);
        turns.iter().map(|&n| f64::from(n)).product()
    }

    /// The ring that it is.
    pub(super) fn ring(&self, lattice: &Lattice<D>) -> Option<Ring<D>> {
        let (turns, size) = self.turns.zip(lattice.turn_size())?;
        Some(Ring {
            turns,
            around: std::array::from_fn(|a| (f64::from(turns[a]) * size[a]) as f32),
        })
    }
}
