//! Random numbers for tests.

/// A stream of random numbers from 0 to 1.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns the next number.
    pub(crate) fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
