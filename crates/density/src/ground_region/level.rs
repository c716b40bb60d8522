//! What is known of blocks of pixels.

use crate::Share;

/// A rectangle is read on the level where it touches at most this many blocks a side.
pub(super) const MOST_BLOCKS: usize = 4;

/// Of two boxes together, given how much of each a region holds.
pub(super) fn union(a: Share, b: Share) -> Share {
    if a == b { a } else { Share::Part }
}

/// What is known of blocks of 2^n by 2^n pixels.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) width: usize,
    pub(super) shares: Vec<Share>,
}

impl Level {
    /// Blocks twice as large; `None` when these are few.
    pub(super) fn halved(&self) -> Option<Self> {
        let height = self.shares.len() / self.width;
        if self.width <= MOST_BLOCKS && height <= MOST_BLOCKS {
            return None;
        }
        let block = |x: usize, y: usize| {
            let (right, lower) = ((2 * x + 1).min(self.width - 1), (2 * y + 1).min(height - 1));
            let at = |x: usize, y: usize| self.shares[y * self.width + x];
            let upper = union(at(2 * x, 2 * y), at(right, 2 * y));
            union(upper, union(at(2 * x, lower), at(right, lower)))
        };
        let width = self.width.div_ceil(2);
        let places = (0..height.div_ceil(2)).flat_map(|y| (0..width).map(move |x| (x, y)));
        Some(Self {
            width,
            shares: places.map(|(x, y)| block(x, y)).collect(),
        })
    }
}
