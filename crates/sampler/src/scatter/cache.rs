//! Blocks of the fixed grid, kept for windows to come.

use super::blocks::Block;
use super::engine::Scatter;
use super::plan::Regions;
use super::scattered::Scattered;
use density::RadiusField;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A block is known by its corners.
type Key<const D: usize> = [[u64; D]; 2];

#[derive(Clone, Debug)]
struct Entry<const D: usize> {
    found: Arc<Scattered<D>>,
    ranked: bool,
    used: u64,
}

#[derive(Debug, Default)]
struct Kept<const D: usize> {
    blocks: BTreeMap<Key<D>, Entry<D>>,
    /// When each was used last.
    uses: BTreeMap<u64, Key<D>>,
    clock: u64,
    points: usize,
}

/// Keeps the blocks used last, up to a number of points.
#[derive(Debug)]
pub(super) struct Cache<const D: usize> {
    most: usize,
    kept: Mutex<Kept<D>>,
    pub(super) regions: Regions<D>,
}

/// A block without points takes memory, too: as much as this many.
const BLOCK: usize = 8;

fn key<const D: usize>(block: &Block<D>) -> Key<D> {
    [block.place.min(), block.place.max()].map(|corner| corner.map(f64::to_bits))
}

impl<const D: usize> Cache<D> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            kept: Mutex::default(),
            regions: Regions::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept<D>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Points kept.
    pub(super) fn points(&self) -> usize {
        self.lock().points
    }

    /// A block if it is there, and has ranks if it has to.
    pub(super) fn get(&self, block: &Block<D>, ranked: bool) -> Option<Arc<Scattered<D>>> {
        let kept = &mut *self.lock();
        let key = key(block);
        let entry = kept.blocks.get_mut(&key)?;
        if ranked && !entry.ranked {
            return None;
        }
        kept.clock += 1;
        kept.uses.remove(&entry.used);
        entry.used = kept.clock;
        kept.uses.insert(kept.clock, key);
        Some(Arc::clone(&entry.found))
    }

    pub(super) fn put(&self, block: &Block<D>, found: &Arc<Scattered<D>>, ranked: bool) {
        let size = |found: &Scattered<D>| found.samples.len() + BLOCK;
        if size(found) > self.most {
            return;
        }
        let kept = &mut *self.lock();
        kept.clock += 1;
        let entry = Entry {
            found: Arc::clone(found),
            ranked,
            used: kept.clock,
        };
        let key = key(block);
        kept.uses.insert(kept.clock, key);
        kept.points += size(found);
        if let Some(old) = kept.blocks.insert(key, entry) {
            kept.uses.remove(&old.used);
            kept.points -= size(&old.found);
        }
        while kept.points > self.most {
            let Some((_, key)) = kept.uses.pop_first() else {
                break;
            };
            if let Some(old) = kept.blocks.remove(&key) {
                kept.points -= size(&old.found);
            }
        }
    }
}

impl<const D: usize, F: RadiusField<D>> Scatter<D, F> {
    /// Blocks of the fixed grid, from the cache or, all that are missing at once, computed.
    pub(super) fn fetch(&self, cache: &Cache<D>, blocks: &[Block<D>]) -> Vec<Arc<Scattered<D>>> {
        let cached: Vec<_> = blocks.iter().map(|b| cache.get(b, false)).collect();
        let compute = |block: &Block<D>| {
            let mut found = cache.regions.with(|region| self.block(region, block));
            if self.options().levels > 0 {
                // The order of the whole.
                found.samples.sort_unstable_by_key(|s| s.id);
            }
            found.samples.shrink_to_fit();
            let found = Arc::new(found);
            cache.put(block, &found, false);
            found
        };
        let missing = cached.iter().filter(|found| found.is_none()).count();
        let pairs = cached.into_iter().zip(blocks);
        if missing < 2 {
            let all = pairs.map(|(found, block)| found.unwrap_or_else(|| compute(block)));
            return all.collect();
        }
        let pairs: Vec<_> = pairs.collect();
        let all = pairs.into_par_iter().with_max_len(1);
        all.map(|(found, block)| found.unwrap_or_else(|| compute(block)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::Bounds;

    #[test]
    fn keeps_what_was_used_last() {
        let blocks: Vec<Block<2>> = (0..5)
            .map(|i| Block {
                place: Bounds::with_origin([f64::from(i), 0.0], [1.0; 2]).expect("a good box"),
            })
            .collect();
        let found = Arc::new(Scattered::default());
        let cache = Cache::new(3 * BLOCK);
        for block in &blocks[..3] {
            cache.put(block, &found, false);
        }
        assert!(cache.get(&blocks[0], true).is_none(), "it has no ranks");
        assert!(cache.get(&blocks[0], false).is_some());
        cache.put(&blocks[3], &found, true);
        assert!(cache.get(&blocks[3], true).is_some());
        cache.put(&blocks[3], &found, true);
        let there: Vec<bool> = blocks
            .iter()
            .map(|b| cache.get(b, false).is_some())
            .collect();
        assert_eq!(there, [true, false, true, true, false]);
        assert_eq!(cache.points(), 3 * BLOCK);
    }
}
