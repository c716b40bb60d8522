//! Caches for the chunks of a grid, and for the tiles of a map.

use std::sync::{Arc, Mutex, PoisonError};

/// A chunk with its index in the grid.
type Entry<const D: usize, T> = ([i64; D], Arc<T>);

/// Chunks per set.
const WAYS: usize = 8;

/// A bounded number of chunks, shared by threads: a set-associative cache with [`WAYS`] chunks per
/// set. Each set replaces its least recently used chunk.
pub(crate) struct Cache<const D: usize, T> {
    sets: Box<[Mutex<Vec<Entry<D, T>>>]>,
    /// Chunks per set; less than [`WAYS`] in a small cache.
    ways: usize,
}

impl<const D: usize, T> Cache<D, T> {
    /// Creates a cache with room for about `chunks` chunks, at least one.
    pub(crate) fn new(chunks: usize) -> Self {
        let sets = (chunks / WAYS).max(1);
        Self {
            sets: (0..sets).map(|_| Mutex::default()).collect(),
            ways: chunks.clamp(1, WAYS),
        }
    }

    /// Returns `true` if the chunk at an index is in the cache.
    pub(super) fn has(&self, index: [i64; D]) -> bool {
        let set = self.set(index).lock();
        let set = set.unwrap_or_else(PoisonError::into_inner);
        set.iter().any(|(at, _)| *at == index)
    }

    fn set(&self, index: [i64; D]) -> &Mutex<Vec<Entry<D, T>>> {
        let number = (u128::from(hash(index)) * self.sets.len() as u128) >> 64;
        &self.sets[number as usize]
    }

    /// Returns the chunk at an index. Threads that request the same chunk at the same time may each
    /// make it: no lock is held meanwhile, as `make` may do anything.
    pub(crate) fn get_or_make(&self, index: [i64; D], make: impl FnOnce() -> T) -> Arc<T> {
        let set = self.set(index);
        // A set is valid whenever its lock is free.
        let lock = || set.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(chunk) = touch(&mut lock(), index) {
            return chunk;
        }
        let made = Arc::new(make());
        let mut set = lock();
        if let Some(chunk) = touch(&mut set, index) {
            return chunk;
        }
        set.truncate(self.ways - 1);
        set.insert(0, (index, Arc::clone(&made)));
        made
    }
}

/// Finds a chunk in a set, which is sorted by last use, and moves it to the front.
fn touch<const D: usize, T>(set: &mut [Entry<D, T>], index: [i64; D]) -> Option<Arc<T>> {
    let place = set.iter().position(|(at, _)| *at == index)?;
    set[..=place].rotate_right(1);
    Some(Arc::clone(&set[0].1))
}

/// Hashes an index, with the multiplier and the shifts of `SplitMix64`.
fn hash<const D: usize>(index: [i64; D]) -> u64 {
    index.iter().fold(0, |sum: u64, &i| {
        let mixed = (sum ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

/// The chunks that one thread used last, one for each index modulo the memo's side. So the chunks
/// around a place never replace each other.
pub(crate) struct Memo<const D: usize, T> {
    side: i64,
    slots: Vec<Option<Entry<D, T>>>,
    /// The chunk that was last not found in each slot.
    missed: Vec<Option<[i64; D]>>,
}

impl<const D: usize, T> Memo<D, T> {
    /// Creates a memo with room for `2^bits` chunks along each axis.
    pub(crate) fn new(bits: u32) -> Self {
        let side = 1_i64 << bits;
        let count = side.pow(D as u32);
        Self {
            side,
            slots: (0..count).map(|_| None).collect(),
            missed: vec![None; count as usize],
        }
    }

    #[inline]
    fn slot(&self, index: [i64; D]) -> usize {
        index
            .iter()
            .fold(0, |sum, &i| sum * self.side + (i & (self.side - 1))) as usize
    }

    #[inline]
    pub(crate) fn get(&self, index: [i64; D]) -> Option<&Arc<T>> {
        match &self.slots[self.slot(index)] {
            Some((at, chunk)) if *at == index => Some(chunk),
            _ => None,
        }
    }

    /// Records that a chunk was not found. Returns `true` if its slot missed the same chunk the
    /// last time.
    pub(super) fn misses(&mut self, index: [i64; D]) -> bool {
        let slot = self.slot(index);
        self.missed[slot].replace(index) == Some(index)
    }

    pub(crate) fn put(&mut self, index: [i64; D], chunk: Arc<T>) {
        let slot = self.slot(index);
        self.slots[slot] = Some((index, chunk));
    }
}
