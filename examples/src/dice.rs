//! Random numbers for drawings.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers that depends on its seed alone.
#[derive(Clone, Debug)]
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// Creates the stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns a number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// Returns a whole number below `count`, or `None` if that is 0.
    pub fn below(&mut self, count: usize) -> Option<usize> {
        let index = (u128::from(self.0.next_u64()) * count as u128) >> 64;
        (count > 0).then_some(index as usize)
    }
}
