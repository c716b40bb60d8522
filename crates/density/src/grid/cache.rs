//! Where the chunks of a grid are kept.

use super::chunk::Chunk;
use std::sync::{Arc, Mutex, PoisonError};

/// A chunk with its place in the grid.
type Entry<const D: usize> = ([i64; D], Arc<Chunk<D>>);

/// Chunks of a set.
const WAYS: usize = 8;

/// A bounded number of chunks, shared by threads: sets of [`WAYS`], in each of which the one that was
/// used least recently makes room for another.
pub(super) struct Cache<const D: usize> {
    sets: Box<[Mutex<Vec<Entry<D>>>]>,
}

impl<const D: usize> Cache<D> {
    /// Room for about `chunks` of them, [`WAYS`] at least.
    pub(super) fn new(chunks: usize) -> Self {
        let sets = (chunks / WAYS).max(1);
        Self {
            sets: (0..sets).map(|_| Mutex::default()).collect(),
        }
    }

    /// Returns `true` if the chunk at a place is kept.
    pub(super) fn has(&self, index: [i64; D]) -> bool {
        let set = self.set(index).lock();
        let set = set.unwrap_or_else(PoisonError::into_inner);
        set.iter().any(|(at, _)| *at == index)
    }

    fn set(&self, index: [i64; D]) -> &Mutex<Vec<Entry<D>>> {
        let number = (u128::from(hash(index)) * self.sets.len() as u128) >> 64;
        &self.sets[number as usize]
    }

    /// The chunk at a place. Threads that ask for the same one at the same time may each make it: it
    /// is made without a lock, as the closure that it is made from may do anything.
    pub(super) fn get_or_make(
        &self,
        index: [i64; D],
        make: impl FnOnce() -> Chunk<D>,
    ) -> Arc<Chunk<D>> {
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
        set.truncate(WAYS - 1);
        set.insert(0, (index, Arc::clone(&made)));
        made
    }
}

/// Finds a chunk in a set, which is sorted by last use.
fn touch<const D: usize>(set: &mut [Entry<D>], index: [i64; D]) -> Option<Arc<Chunk<D>>> {
    let place = set.iter().position(|(at, _)| *at == index)?;
    set[..=place].rotate_right(1);
    Some(Arc::clone(&set[0].1))
}

/// Spreads places over sets: the multiplier and the shifts of `SplitMix64`.
fn hash<const D: usize>(index: [i64; D]) -> u64 {
    index.iter().fold(0, |sum: u64, &i| {
        let mixed = (sum ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

/// The chunks that one thread used last, one for each place modulo [`Memo::SIDE`]: those around a
/// place never push each other out.
pub(super) struct Memo<const D: usize> {
    slots: Vec<Option<Entry<D>>>,
    /// The chunk that was not found in each slot last.
    missed: Vec<Option<[i64; D]>>,
}

impl<const D: usize> Memo<D> {
    /// 64 slots in the plane and in space.
    const SIDE: i64 = if D == 3 { 4 } else { 8 };

    #[inline]
    fn slot(index: [i64; D]) -> usize {
        index
            .iter()
            .fold(0, |sum, &i| sum * Self::SIDE + (i & (Self::SIDE - 1))) as usize
    }

    #[inline]
    pub(super) fn get(&self, index: [i64; D]) -> Option<&Chunk<D>> {
        match &self.slots[Self::slot(index)] {
            Some((at, chunk)) if *at == index => Some(chunk),
            _ => None,
        }
    }

    /// Takes note that a chunk was not found. Returns `true` if that was so the last time too.
    pub(super) fn misses(&mut self, index: [i64; D]) -> bool {
        let missed = &mut self.missed[Self::slot(index)];
        missed.replace(index) == Some(index)
    }

    pub(super) fn put(&mut self, index: [i64; D], chunk: Arc<Chunk<D>>) {
        self.slots[Self::slot(index)] = Some((index, chunk));
    }
}

impl<const D: usize> Default for Memo<D> {
    fn default() -> Self {
        let count = Self::SIDE.pow(D as u32);
        Self {
            slots: (0..count).map(|_| None).collect(),
            missed: vec![None; count as usize],
        }
    }
}
