//! The candidates that cells throw: hashes of nothing but the seed and the cell.

use super::lattice::{Cell, Parts};

/// The random numbers of a cell's candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Throw(u64);

/// What of a run's seed goes into every hash, mixed once.
pub(super) fn mixed(seed: u64) -> u64 {
    mix(seed.wrapping_add(GAMMA))
}

/// What the candidates of a tile have in common in a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Throws(u64);

impl Throws {
    /// The candidates of a cell in a round, and of what lies in it.
    #[inline]
    pub(super) fn new<const D: usize>(seed: u64, cell: Cell<D>, round: u32) -> Self {
        // Odd constants from the binary digits of sqrt(2), sqrt(3) and sqrt(5).
        const AXES: [u64; 3] = [
            0x6a09_e667_f3bc_c909,
            0xbb67_ae85_84ca_a73b,
            0x3c6e_f372_fe94_f82b,
        ];
        let kind = u64::from(round << 8 | cell.level);
        let mut word = seed ^ kind.wrapping_mul(GAMMA);
        for (&at, factor) in cell.at.iter().zip(AXES) {
            word = mix(word ^ (at as u64).wrapping_mul(factor));
        }
        Self(word)
    }

    /// One of the candidates.
    #[inline]
    pub(super) fn throw(self, number: u32) -> Throw {
        Throw(mix(self.0 ^ u64::from(number + 1).wrapping_mul(GAMMA)))
    }

    /// Which of 64 parts throw in a round, each with the same chance: a quarter in the first,
    /// then all. `group` says which 64.
    #[inline]
    pub(super) fn lots(self, group: u32, round: u32) -> u64 {
        if round > 1 {
            return u64::MAX;
        }
        let word = |i: u32| mix(!self.0 ^ u64::from(2 * group + i).wrapping_mul(GAMMA));
        word(0) & word(1)
    }

    /// Which of 64 parts throw blindly: as many lots are drawn as cells are as large as these, but
    /// the same part may be drawn twice.
    #[inline]
    pub(super) fn few<const D: usize>(self, group: u32) -> u64 {
        const LOTS_A_WORD: u32 = 8;
        let lots = (64 / Parts::<D>::COUNT).max(1);
        let words = lots.div_ceil(LOTS_A_WORD);
        (0..lots).fold(0, |drawn, lot| {
            let number = words * group + lot / LOTS_A_WORD;
            let word = mix(!self.0 ^ u64::from(number).wrapping_mul(GAMMA));
            drawn | 1 << (word >> (8 * (lot % LOTS_A_WORD)) & 63)
        })
    }
}

impl Throw {
    /// The turn of a blind candidate, below 2^63, that is number `place` of the `2^bits` of its
    /// tile: each comes in a span of time of its own. Early for cells that are large beside the
    /// distance in them: `scale` is the volume of that distance by the cell's. `None` for what would
    /// come after the round: of cells that are smaller than they could be, most.
    ///
    /// Where the sides of cells jump by two along a contour of the field, there are suddenly
    /// `2^D` times as many candidates a disk; spread over as much more time, they come at one
    /// rate on both sides.
    #[inline]
    pub(super) fn arrival(self, place: u32, bits: u32, scale: f64) -> Option<u64> {
        early(u64::from(place) << (64 - bits) | self.0 >> bits, scale)
    }

    /// The same for a blind candidate that may come at any time.
    #[inline]
    pub(super) fn moment(self, scale: f64) -> Option<u64> {
        early(self.0, scale)
    }

    /// The turn of a candidate of a later round, above 2^63 and above every earlier round.
    #[inline]
    pub(super) fn turn(self, round: u32) -> u64 {
        first_turn(round) | self.0 >> 6
    }

    /// Where it falls in its cell or part: shares of the sides, in `2^-32`.
    #[inline]
    pub(super) fn share<const D: usize>(self) -> [u32; D] {
        let mut share = [0; D];
        let mut state = self.0;
        for pair in share.chunks_mut(2) {
            state = state.wrapping_add(GAMMA);
            let mut bits = mix(state);
            for x in pair {
                *x = bits as u32;
                bits >>= 32;
            }
        }
        share
    }
}

/// The first turn of a round.
#[inline]
pub(super) fn first_turn(round: u32) -> u64 {
    if round == 0 {
        0
    } else {
        1 << 63 | u64::from(round.min(LAST_ROUND)) << 58
    }
}

/// A time of the blind round, in the first `scale` of what lies below 2^63; `None` when that lies
/// beyond.
#[inline]
fn early(time: u64, scale: f64) -> Option<u64> {
    const WHOLE: f64 = (1_u64 << 63) as f64;
    let stretch = scale * WHOLE;
    if scale <= 1.0 {
        return Some(((u128::from(time) * u128::from(stretch as u64)) >> 64) as u64);
    }
    let turn = u128::from(time).checked_mul(stretch as u128)? >> 64;
    (turn < 1 << 63).then_some(turn as u64)
}

/// The last round that a turn can hold; only distances that span ten orders of magnitude come
/// near it.
const LAST_ROUND: u32 = 31;

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of `SplitMix64` (Steele, Lea, Flood 2014).
#[inline]
pub(super) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
