//! The candidates that cells throw: hashes of nothing but the seed and the cell.

use super::lattice::Cell;

/// The random numbers of a cell's candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Throw(u64);

/// What of a run's seed goes into every hash, mixed once.
pub(super) fn mixed(seed: u64) -> u64 {
    mix(seed.wrapping_add(GAMMA))
}

/// What the candidates of a row of cells have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row(u64);

impl Row {
    /// The candidate of the cell with this first coordinate.
    #[inline]
    pub(super) fn throw(self, x: i64) -> Throw {
        // An odd constant from the binary digits of sqrt(2).
        Throw(mix(self.0 ^ (x as u64).wrapping_mul(0x6a09_e667_f3bc_c909)))
    }

    /// Which of the parts in a row of a tile throw in a round: each with the same chance. `x`
    /// is the first one's first coordinate.
    #[inline]
    pub(super) fn lots(self, x: i64, round: u32) -> u16 {
        let word = mix(self.throw(x).0 ^ GAMMA);
        let [a, b, c] = [word as u16, (word >> 16) as u16, (word >> 32) as u16];
        match round {
            1 => a & b & c,
            2 => a & (b | c),
            _ => u16::MAX,
        }
    }
}

impl Throw {
    /// The candidate of a cell in a round.
    #[inline]
    pub(super) fn new<const D: usize>(seed: u64, cell: Cell<D>, round: u32) -> Self {
        Self::row(seed, cell, round).throw(cell.at[0])
    }

    /// What the candidates of the cells with the same coordinates but the first have in common.
    #[inline]
    pub(super) fn row<const D: usize>(seed: u64, cell: Cell<D>, round: u32) -> Row {
        // Odd constants from the binary digits of sqrt(3) and sqrt(5).
        const AXES: [u64; 2] = [0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b];
        let kind = u64::from(round << 8 | cell.level);
        let mut word = seed ^ kind.wrapping_mul(GAMMA);
        for (&at, factor) in cell.at[1..].iter().zip(AXES) {
            word = mix(word ^ (at as u64).wrapping_mul(factor));
        }
        Row(word)
    }

    /// The turn of a blind candidate, below 2^63: early for cells that are large beside the
    /// distance in them. `scale` in (0, 1] is the volume of that distance by the cell's.
    ///
    /// Where the sides of cells jump by two along a contour of the field, there are suddenly
    /// `2^D` times as many candidates a disk; spread over as much more time, they come at one
    /// rate on both sides.
    #[inline]
    pub(super) fn arrival(self, scale: f64) -> u64 {
        const WHOLE: f64 = (1_u64 << 63) as f64;
        let stretch = (scale * WHOLE) as u64;
        ((u128::from(self.order()) * u128::from(stretch)) >> 64) as u64
    }

    /// The turn of a candidate of a later round, above 2^63 and above every earlier round.
    #[inline]
    pub(super) fn turn(self, round: u32) -> u64 {
        1 << 63 | u64::from(round.min(LAST_ROUND)) << 58 | self.order() >> 6
    }

    #[inline]
    fn order(self) -> u64 {
        mix(self.0.wrapping_add(GAMMA))
    }

    /// One of the parts in a mask, each as likely; `None` of none.
    #[inline]
    pub(super) fn pick(self, mut mask: u32) -> Option<u32> {
        let count = u64::from(mask.count_ones());
        let bits = mix(self.0 ^ GAMMA) >> 32;
        for _ in 0..(bits * count) >> 32 {
            mask &= mask - 1;
        }
        (mask != 0).then(|| mask.trailing_zeros())
    }

    /// Where it falls in its cell or part: shares of the sides in [0, 1), 32 bits each.
    #[inline]
    pub(super) fn share<const D: usize>(self) -> [f64; D] {
        let mut share = [0.0; D];
        let mut state = self.0.wrapping_add(GAMMA);
        for pair in share.chunks_mut(2) {
            state = state.wrapping_add(GAMMA);
            let mut bits = mix(state);
            for x in pair {
                *x = f64::from(bits as u32) * (1.0 / (1_u64 << 32) as f64);
                bits >>= 32;
            }
        }
        share
    }
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
