//! What is kept of every tile of a map that was fetched once.

use crate::pyramid::{Level, NodeBox, Pyramid, Summary};
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// Blocks of the finest level that are kept have at least `2^FINEST` pixels a side.
const FINEST: u32 = 4;

/// At most about this many blocks are kept, of 5 bytes each.
const MOST_BLOCKS: u64 = 1 << 23;

/// One level of the whole's pyramid, as far as tiles were fetched: so that a box of many pixels is
/// judged without fetching a tile again.
#[derive(Debug)]
pub(crate) struct Coarse {
    level: u32,
    tiles: RwLock<BTreeMap<[i64; 2], Known>>,
}

/// What is kept of a tile.
#[derive(Debug)]
struct Known {
    all: Summary<u16>,
    /// Missing where one block is the tile, and where all pixels are equal.
    blocks: Option<Level<2, u16>>,
}

impl Coarse {
    /// Nothing yet of a map of so many columns and rows, in tiles of this size.
    pub(crate) fn new(map: [u32; 2], tile: [u32; 2]) -> Self {
        let along = |axis: usize, level: u32| {
            let blocks = u64::from(tile[axis] >> level) + 1;
            u64::from(map[axis].div_ceil(tile[axis])) * blocks
        };
        let fits = |&level: &u32| along(0, level).saturating_mul(along(1, level)) <= MOST_BLOCKS;
        Self {
            level: (FINEST..u32::BITS).find(fits).unwrap_or(u32::BITS),
            tiles: RwLock::default(),
        }
    }

    /// The finest level that is kept.
    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    /// Returns `true` if a tile was fetched before.
    pub(crate) fn has(&self, index: [i64; 2]) -> bool {
        let tiles = self.tiles.read().unwrap_or_else(PoisonError::into_inner);
        tiles.contains_key(&index)
    }

    /// Keeps what there is to say of a tile.
    pub(crate) fn add(&self, index: [i64; 2], all: Summary<u16>, pyramid: &Pyramid<2, u16>) {
        let blocks = pyramid.level(self.level).filter(|blocks| !blocks.is_one());
        let blocks = blocks.cloned();
        let mut tiles = self.tiles.write().unwrap_or_else(PoisonError::into_inner);
        tiles.insert(index, Known { all, blocks });
    }

    /// Summary of the blocks of a level that lie in a part of a tile; `None` if it is not known.
    pub(crate) fn over(
        &self,
        index: [i64; 2],
        part: NodeBox<2>,
        level: u32,
        is_all: bool,
    ) -> Option<Summary<u16>> {
        let tiles = self.tiles.read().unwrap_or_else(PoisonError::into_inner);
        let known = tiles.get(&index)?;
        if is_all || known.all.is_even() {
            return Some(known.all);
        }
        let blocks = known.blocks.as_ref().filter(|_| level >= self.level)?;
        Some(blocks.over(part.map(|ends| ends.map(|pixel| pixel >> self.level))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_a_large_map_is_bounded() {
        let level = |map, tile| Coarse::new(map, tile).level;
        assert_eq!(level([4096; 2], [256; 2]), FINEST);
        assert_eq!(level([1 << 16; 2], [256; 2]), 5);
        // Each row is a tile.
        assert_eq!(level([1 << 16; 2], [1 << 16, 1]), 10);
        // The tiles alone are more.
        assert_eq!(level([1 << 20; 2], [256; 2]), u32::BITS);
    }
}
