//! The candidates of a round, tile by tile, each tile's in the order of their turns.
//!
//! ```text
//!   tile A   3  7 |12  40      Candidates of different tiles may be decided in any order that
//!   tile B   5  9 |31          keeps this: before 12 is decided, all earlier ones of the tiles
//!   tile C   1    |18  22      that matter to it are. So nothing is sorted but a few of one
//!                              tile, and what is worked on lies close together in memory.
//! ```

/// A dart in the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<const D: usize> {
    pub(super) id: u64,
    /// Where in its tile it falls, in `2^-32` of the sides.
    pub(super) at: [u32; D],
}

/// So many tiles matter to a place where distances change slowly.
pub(super) const FEW: usize = 16;

/// Nothing waits in a tile.
const NEVER: u64 = u64::MAX;

/// The candidates of a round that are not decided.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue<const D: usize> {
    candidates: Vec<Candidate<D>>,
    /// So many of them belong to tiles that have thrown.
    closed: u32,
    /// Of each tile, the next candidate and the end of its candidates.
    lines: Vec<(u32, u32)>,
    /// Of each tile, the turn of the next candidate.
    turns: Vec<u64>,
    /// The tiles that threw.
    tiles: Vec<u32>,
}

impl<const D: usize> Queue<D> {
    /// Nobody has thrown.
    pub(super) fn reset(&mut self, tiles: usize) {
        self.clear();
        self.lines.clear();
        self.lines.resize(tiles, (0, 0));
        self.turns.clear();
        self.turns.resize(tiles, NEVER);
    }

    /// The round is over.
    pub(super) fn clear(&mut self) {
        self.candidates.clear();
        self.tiles.clear();
        self.closed = 0;
    }

    /// A candidate of the tile that throws now.
    #[inline]
    pub(super) fn push(&mut self, candidate: Candidate<D>) {
        self.candidates.push(candidate);
    }

    /// A tile has thrown: everything since the last one did is its.
    pub(super) fn close(&mut self, tile: u32) {
        self.candidates[self.closed as usize..].sort_unstable_by_key(|c| c.id);
        self.close_sorted(tile);
    }

    /// As [`close`](Self::close) of a tile that threw in the order of turns.
    pub(super) fn close_sorted(&mut self, tile: u32) {
        let from = std::mem::replace(&mut self.closed, self.candidates.len() as u32);
        if let Some(first) = self.candidates.get(from as usize) {
            self.turns[tile as usize] = first.id;
            self.lines[tile as usize] = (from, self.closed);
            self.tiles.push(tile);
        }
    }

    /// How many tiles threw.
    pub(super) fn len(&self) -> usize {
        self.tiles.len()
    }

    /// The tile that threw as number `index`.
    pub(super) fn tile(&self, index: usize) -> u32 {
        self.tiles[index]
    }

    /// The place of the first of some tiles that has a candidate whose turn comes before `turn`.
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
        let (next, end) = self.lines[tile as usize];
        &self.candidates[next as usize..end as usize]
    }

    /// So many of the candidates of a tile have been decided.
    #[inline]
    pub(super) fn advance(&mut self, tile: u32, decided: u32) {
        let (next, end) = &mut self.lines[tile as usize];
        *next += decided;
        self.turns[tile as usize] = if next < end {
            self.candidates[*next as usize].id
        } else {
            NEVER
        };
    }
}
