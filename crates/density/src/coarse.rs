//! Keeps summaries of the tiles of a map that were fetched before.

use crate::pyramid::{Level, NodeBox, Pyramid, Summary};
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// The finest level that may be kept: its blocks have `2^FINEST` pixels a side.
const FINEST: u32 = 4;

/// Approximate limit on the number of blocks, which take 5 bytes each.
const MOST_BLOCKS: u64 = 1 << 23;

/// One level of the whole map's pyramid, as far as tiles were fetched. It gives summaries of large
/// boxes without fetching a tile again.
#[derive(Debug)]
pub(crate) struct Coarse {
    level: u32,
    tiles: RwLock<BTreeMap<[i64; 2], TileSummary>>,
}

/// The summaries of a tile.
#[derive(Debug)]
struct TileSummary {
    all: Summary<u16>,
    /// `None` if one block covers the tile, or if all pixels are equal.
    blocks: Option<Level<2, u16>>,
}

impl Coarse {
    /// Creates a level without tiles, for a map of `map` columns and rows in tiles of size `tile`.
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

    /// Returns the number of the level that is kept.
    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    /// Returns `true` if a tile was fetched before.
    pub(crate) fn has(&self, index: [i64; 2]) -> bool {
        let tiles = self.tiles.read().unwrap_or_else(PoisonError::into_inner);
        tiles.contains_key(&index)
    }

    /// Stores the summaries of a tile.
    pub(crate) fn add(&self, index: [i64; 2], all: Summary<u16>, pyramid: &Pyramid<2, u16>) {
        let blocks = pyramid.level(self.level);
        let blocks = blocks.filter(|blocks| !blocks.is_one() && !all.is_even());
        let blocks = blocks.cloned();
        let mut tiles = self.tiles.write().unwrap_or_else(PoisonError::into_inner);
        tiles.insert(index, TileSummary { all, blocks });
    }

    /// Returns the summary of the blocks of `level` in a part of a tile; `None` if it is not known.
    /// `is_all` states that the part is the whole tile.
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
        // The tiles alone exceed the limit.
        assert_eq!(level([1 << 20; 2], [256; 2]), u32::BITS);
    }
}
