//! Candidates as hashes of the seed and a cell: their positions and priorities.

use super::lattice::Cell;

/// The odd constant of `SplitMix64`.
pub(super) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The first round that draws into fragments. Round 0 is blind, and those between draw into parts (the definition, 2 to 4).
pub(super) const FIRST_OF_FRAGMENTS: u8 = 3;

/// The last round that a priority can hold. No leaf draws in a later one: [`draw`](super::draw) asserts it.
pub(super) const LAST_ROUND: u8 = 31;

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
    /// Returns the priority of blind candidate `number` of `2^bits` in its leaf, below 2^63. Each candidate has an
    /// equal span of priorities to itself. `scale` multiplies them: it is q / q0 (the definition, 2). Returns
    /// `None` for a priority after the end of the round.
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

/// Returns `drawn * scale`, halved so that round 0 ends at 2^63; `None` for a priority after that.
#[inline]
fn scaled(drawn: u64, scale: f64) -> Option<u64> {
    const HALF: f64 = (1_u64 << 63) as f64;
    let factor = scale * HALF;
    if scale <= 1.0 {
        // The common case: the product of two 64-bit numbers, which never lies after the end.
        return Some(((u128::from(drawn) * u128::from(factor as u64)) >> 64) as u64);
    }
    let priority = u128::from(drawn).checked_mul(factor as u128)? >> 64;
    (priority < 1 << 63).then_some(priority as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The random bits of some candidates.
    fn candidates() -> impl Iterator<Item = CandidateHash> {
        let cell = |i| Cell {
            level: 2,
            at: [i, -3],
        };
        let hashes = (0..100).map(move |i| CellHash::new(mixed(7), cell(i), 1));
        hashes.flat_map(|hash| (0..100).map(move |number| hash.candidate(number)))
    }

    #[test]
    fn later_rounds_have_greater_priorities() {
        for candidate in candidates().take(100) {
            let blind = candidate.blind_priority(15, 4, 1.0).expect("not scaled");
            let drawn = (1..=LAST_ROUND).map(|round| candidate.priority(round));
            let all: Vec<u64> = [blind].into_iter().chain(drawn).collect();
            assert!(all.is_sorted_by(|a, b| a < b), "{all:?}");
            let rounds: Vec<u8> = all.into_iter().map(round).collect();
            assert_eq!(rounds, (0..=LAST_ROUND).collect::<Vec<u8>>());
        }
    }

    /// Each blind candidate has a span of its own, which `scale` stretches; priorities fill it evenly.
    #[test]
    fn blind_candidates_have_spans_of_their_own() {
        let span = (1_u64 << 59) as f64;
        for scale in [0.3, 1.0, 1.7, 40.0] {
            let (mut sum, mut count) = (0.0, 0);
            for (i, candidate) in candidates().enumerate() {
                let number = i as u32 % 16;
                let [from, to] = [0, 1].map(|end| f64::from(number + end) * span * scale);
                match candidate.blind_priority(number, 4, scale) {
                    Some(priority) => {
                        let priority = priority as f64;
                        assert!((from..=to).contains(&priority), "{scale}: {number}");
                        if to <= 16.0 * span {
                            sum += (priority - from) / (to - from);
                            count += 1;
                        }
                    }
                    None => assert!(to > 16.0 * span, "{scale}: {number}"),
                }
            }
            if count > 0 {
                assert!((sum / f64::from(count) - 0.5).abs() < 0.02, "{scale}");
            }
        }
    }

    #[test]
    fn every_bit_of_a_position_is_even_and_no_two_agree() {
        let mut ones = [0; 96];
        let mut agree = [0; 96];
        for candidate in candidates() {
            let [x, y, z] = candidate.position::<3>().map(u128::from);
            assert_eq!(candidate.position().map(u128::from), [x, y]);
            let bits = x | y << 32 | z << 64;
            // Each coordinate beside the next one.
            let next = y | z << 32 | x << 64;
            for bit in 0..96 {
                ones[bit] += bits >> bit & 1;
                agree[bit] += (bits ^ !next) >> bit & 1;
            }
        }
        for count in ones.into_iter().chain(agree) {
            assert!((4700..5300).contains(&count), "{count}");
        }
    }

    #[test]
    fn a_quarter_of_the_parts_draws_in_round_1_and_all_later() {
        let hash = CellHash::new(
            mixed(7),
            Cell {
                level: 0,
                at: [1, 2],
            },
            1,
        );
        let drawing = (0..400).map(|group| hash.drawing_parts(group, 1).count_ones());
        let drawing = drawing.sum::<u32>();
        assert!((6100..6700).contains(&drawing), "{drawing}");
        assert_eq!(hash.drawing_parts(3, 2), u64::MAX);
    }
}
