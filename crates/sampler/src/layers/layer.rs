//! One layer.

/// The most layers of a [`Layered`](crate::Layered).
pub const MAX_LAYERS: usize = 256;

/// One layer (species): where and how densely it grows, and how it competes with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer<F> {
    /// How far apart its own points must be at each place.
    pub field: F,
    /// How much of the ground it gets beside others of the same turn that keep off it: its share
    /// over the sum of theirs, at each place of those that may grow there. Above 0. Default 1.
    pub share: f64,
    /// Layers of a smaller turn are all decided before: trees before flowers. Default 0.
    pub turn: u32,
    /// What its points are a function of, beside its field. Default: a hash of the run's seed
    /// and the layer's number; of layer 0 the run's seed itself.
    pub seed: Option<u64>,
}

impl<F> Layer<F> {
    /// A layer that competes as every other.
    pub fn new(field: F) -> Self {
        Self {
            field,
            share: 1.0,
            turn: 0,
            seed: None,
        }
    }

    /// The seed of layer `number` in a run.
    pub(super) fn seed(&self, run: u64, number: usize) -> u64 {
        match (self.seed, number) {
            (Some(seed), _) => seed,
            (None, 0) => run,
            (None, _) => mix(mix(run) ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        }
    }
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood 2014).
pub(super) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of these is a change of every layered set's points.
    #[test]
    fn seeds_are_pinned() {
        let layer = Layer::new(());
        let seeds = [(0, 0), (0, 1), (0, 2), (7, 0), (7, 1)];
        let seeds = seeds.map(|(run, number)| layer.seed(run, number));
        let expected = [
            0,
            16_294_208_416_658_607_535,
            7_960_286_522_194_355_700,
            7,
            15_613_610_022_589_591_469,
        ];
        assert_eq!(seeds, expected);
        let given = Layer {
            seed: Some(9),
            ..layer
        };
        assert_eq!(given.seed(7, 1), 9);
    }
}
