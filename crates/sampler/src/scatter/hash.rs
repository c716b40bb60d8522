//! Candidates as hashes of the seed and a cell: their positions and priorities.

use super::lattice::Cell;

/// The odd constant of `SplitMix64`.
pub(super) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The last round that a priority can hold. Fragments are divided to 2^-28 of a leaf at most, which takes
/// some 27 rounds.
const LAST_ROUND: u8 = 31;

/// Returns the seed in the form that hashes use, mixed once.
pub(super) fn mixed(seed: u64) -> u64 {
    mix(seed.wrapping_add(GAMMA))
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood 2014).
#[inline]
pub(super) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the round that drew a candidate, from its priority.
pub(super) fn round(id: u64) -> u8 {
    if id < 1 << 63 {
        0
    } else {
        (id >> 58) as u8 & LAST_ROUND
    }
}

/// The hash shared by all candidates of a cell in one round.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellHash(u64);

impl CellHash {
    /// Returns the hash of `cell` in a round; `seed` is [mixed].
    #[inline]
    pub(super) fn new<const D: usize>(seed: u64, cell: Cell<D>, round: u8) -> Self {
        // Odd constants from the binary digits of sqrt(2), sqrt(3) and sqrt(5).
        const AXES: [u64; 3] = [
            0x6a09_e667_f3bc_c909,
            0xbb67_ae85_84ca_a73b,
            0x3c6e_f372_fe94_f82b,
        ];
        let kind = u64::from(u32::from(round) << 8 | cell.level as u32);
        let mut word = seed ^ kind.wrapping_mul(GAMMA);
        for (&at, factor) in cell.at.iter().zip(AXES) {
            word = mix(word ^ (at as u64).wrapping_mul(factor));
        }
        Self(word)
    }

    /// Returns the random bits of candidate `number`.
    #[inline]
    pub(super) fn candidate(self, number: u32) -> CandidateHash {
        CandidateHash(mix(self.0 ^ u64::from(number + 1).wrapping_mul(GAMMA)))
    }

    /// Returns the parts of 64 that draw a candidate: each with probability 1/4 in round 1, all in later
    /// rounds. `group` is the index of the 64 parts in the leaf.
    #[inline]
    pub(super) fn drawing_parts(self, group: u32, round: u8) -> u64 {
        if round > 1 {
            return u64::MAX;
        }
        let word = |i: u32| mix(!self.0 ^ u64::from(2 * group + i).wrapping_mul(GAMMA));
        word(0) & word(1)
    }
}

/// The random bits of one candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct CandidateHash(u64);

impl CandidateHash {
    /// Returns the priority of blind candidate `number` of `2^bits` in its leaf, below 2^63. Each candidate
    /// has an equal span of priorities to itself. `scale` multiplies all priorities: it grows with a disk's
    /// volume over the cell's, so that candidates come at the same rate for each disk on both sides of a
    /// jump in cell size. `None` for a priority after the end of the round.
    #[inline]
    pub(super) fn blind_priority(self, number: u32, bits: u32, scale: f64) -> Option<u64> {
        scaled(u64::from(number) << (64 - bits) | self.0 >> bits, scale)
    }

    /// Returns the priority of a candidate of round 1 or later, above those of every earlier round.
    #[inline]
    pub(super) fn priority(self, round: u8) -> u64 {
        1 << 63 | u64::from(round.min(LAST_ROUND)) << 58 | self.0 >> 6
    }

    /// Returns the position in its cell or part, in `2^-32` of the sides.
    #[inline]
    pub(super) fn position<const D: usize>(self) -> [u32; D] {
        let mut position = [0; D];
        let mut state = self.0;
        for pair in position.chunks_mut(2) {
            state = state.wrapping_add(GAMMA);
            let mut bits = mix(state);
            for x in pair {
                *x = bits as u32;
                bits >>= 32;
            }
        }
        position
    }
}

/// Returns half of `time * scale`; `None` at or above 2^63.
#[inline]
fn scaled(time: u64, scale: f64) -> Option<u64> {
    const WHOLE: f64 = (1_u64 << 63) as f64;
    let stretch = scale * WHOLE;
    if scale <= 1.0 {
        return Some(((u128::from(time) * u128::from(stretch as u64)) >> 64) as u64);
    }
    let priority = u128::from(time).checked_mul(stretch as u128)? >> 64;
    (priority < 1 << 63).then_some(priority as u64)
}
