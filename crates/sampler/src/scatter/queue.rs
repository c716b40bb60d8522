//! The candidates that are not decided, tile by tile, each tile's in the order of their turns.
//!
//! ```text
//!   tile A   3  7 |12  40      Candidates of different tiles may be decided in any order that
//!   tile B   5  9 |31          keeps this: before 12 is decided, all earlier ones of the tiles
//!   tile C   1    |18  22      that matter to it are. So nothing is sorted but a few of one
//!                              tile, and what is worked on lies close together in memory.
//! ```

use super::rounds::ROUNDS;
use super::throw::first_turn;

/// A dart in the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<const D: usize> {
    pub(super) id: u64,
    /// Where in its tile it falls, in `2^-32` of the sides.
    pub(super) at: [u32; D],
}

/// So many tiles matter to a place where distances change slowly.
pub(super) const FEW: usize = 16;

/// The turn of what will be thrown in a tile that has thrown in all of its rounds.
pub(super) const NEVER: u64 = u64::MAX;

/// Where the candidates of a tile stand.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// The first of them, the first that is not decided, and their end.
    from: u32,
    next: u32,
    end: u32,
}

/// The candidates that are not decided. Reused from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue<const D: usize> {
    candidates: Vec<Candidate<D>>,
    /// So many of them belong to tiles that have thrown.
    closed: u32,
    /// Room for `2^n` candidates among them that is free again. What was left last is taken first:
    /// it is still in the processor's cache.
    free: [Vec<u32>; 32],
    lines: Vec<Line>,
    /// Of each tile, the turn of the next candidate or, where none waits, the first turn of what
    /// it may yet throw.
    turns: Vec<u64>,
    /// The round that each tile throws in next.
    rounds: Vec<u32>,
}

impl<const D: usize> Queue<D> {
    /// Whether tiles throw when others wait for it, and not all of them round by round: it takes
    /// the room again that candidates leave.
    pub(super) const ON_DEMAND: bool = D > 2;

    /// Nobody has thrown.
    pub(super) fn reset(&mut self, tiles: usize) {
        self.clear();
        self.lines.clear();
        self.lines.resize(tiles, Line::default());
        self.turns.clear();
        self.turns.resize(tiles, 0);
        self.rounds.clear();
        self.rounds.resize(tiles, 0);
    }

    /// A round is over: no candidate is left.
    pub(super) fn clear(&mut self) {
        self.candidates.clear();
        self.closed = 0;
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// The round that a tile throws in next.
    #[inline]
    pub(super) fn round(&self, tile: u32) -> u32 {
        self.rounds[tile as usize]
    }

    /// The turn of a tile's next candidate or, where none waits, the first turn of what it may
    /// yet throw.
    #[inline]
    pub(super) fn turn(&self, tile: u32) -> u64 {
        self.turns[tile as usize]
    }

    /// A candidate of the tile that throws now.
    #[inline]
    pub(super) fn push(&mut self, candidate: Candidate<D>) {
        self.candidates.push(candidate);
    }

    /// Forgets those candidates of the tile that throws now that surely fall.
    #[inline]
    pub(super) fn sift(&mut self, falls: impl Fn(&Candidate<D>) -> bool) {
        let first = self.closed as usize;
        let mut left = first;
        // Without a branch for each.
        for i in first..self.candidates.len() {
            let candidate = self.candidates[i];
            self.candidates[left] = candidate;
            left += usize::from(!falls(&candidate));
        }
        self.candidates.truncate(left);
    }

    /// A tile has thrown in its round: everything since the last one did is its.
    pub(super) fn close(&mut self, tile: u32) {
        self.candidates[self.closed as usize..].sort_unstable_by_key(|c| c.id);
        self.close_sorted(tile);
    }

    /// As [`close`](Self::close) of a tile that threw in the order of turns.
    pub(super) fn close_sorted(&mut self, tile: u32) {
        self.rounds[tile as usize] += 1;
        let from = self.closed;
        let Some(first) = self.candidates.get(from as usize) else {
            self.turns[tile as usize] = begin(self.round(tile));
            self.lines[tile as usize] = Line::default();
            return;
        };
        self.turns[tile as usize] = first.id;
        let end = self.candidates.len() as u32;
        self.lines[tile as usize] = if Self::ON_DEMAND {
            self.lodge(from, end)
        } else {
            self.closed = end;
            let next = from;
            Line { from, next, end }
        };
    }

    /// Brings the last candidates to room that is free, or makes room that will be.
    fn lodge(&mut self, last: u32, end: u32) -> Line {
        let class = size(end - last);
        let from = if let Some(from) = self.free[class].pop() {
            let there = last as usize..end as usize;
            self.candidates.copy_within(there, from as usize);
            self.candidates.truncate(last as usize);
            from
        } else {
            self.closed = last + (1 << class);
            let nobody = Candidate { id: 0, at: [0; D] };
            self.candidates.resize(self.closed as usize, nobody);
            last
        };
        Line {
            from,
            next: from,
            end: from + (end - last),
        }
    }

    /// The place of the first of some tiles that has, or may yet throw, a candidate whose turn
    /// comes before `turn`.
    #[inline]
    pub(super) fn first_before(&self, tiles: &[u32], turn: u64) -> Option<usize> {
        let waits = |tile: &u32| self.turns[*tile as usize] < turn;
        // Without a branch for each: they are few, mostly, and hard to foresee.
        if tiles.len() <= FEW && !tiles.iter().fold(false, |any, tile| any | waits(tile)) {
            return None;
        }
        tiles.iter().position(waits)
    }

    /// The candidates of a tile that are not decided.
    #[inline]
    pub(super) fn line(&self, tile: u32) -> &[Candidate<D>] {
        let Line { next, end, .. } = self.lines[tile as usize];
        &self.candidates[next as usize..end as usize]
    }

    /// So many of the candidates of a tile have been decided.
    #[inline]
    pub(super) fn advance(&mut self, tile: u32, decided: u32) {
        let Line { from, next, end } = &mut self.lines[tile as usize];
        *next += decided;
        self.turns[tile as usize] = if next < end {
            self.candidates[*next as usize].id
        } else {
            if Self::ON_DEMAND && from < end {
                self.free[size(*end - *from)].push(*from);
                self.lines[tile as usize] = Line::default();
            }
            begin(self.round(tile))
        };
    }
}

/// The first turn of a tile's round.
fn begin(round: u32) -> u64 {
    if round > ROUNDS {
        NEVER
    } else {
        first_turn(round)
    }
}

/// Room for `2^n` is enough for so many candidates.
fn size(count: u32) -> usize {
    count.next_power_of_two().max(8).ilog2() as usize
}
