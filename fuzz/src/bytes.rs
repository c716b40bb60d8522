//! Numbers and choices from bytes. After the last byte, all further ones are 0.

/// A reader of bytes, from the front.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    pub(crate) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    /// Returns an entry of `list`, which must not be empty.
    pub(crate) fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[usize::from(self.byte()) % list.len()]
    }

    pub(crate) fn word(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// Returns any number: a hostile one, any bits, or a tame one.
    pub(crate) fn number(&mut self) -> f64 {
        const HOSTILE: [f64; 12] = [
            0.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -1.0,
            5e-324,
            1e-300,
            1e300,
            f64::MAX,
            9_007_199_254_740_992.0,
            1e15,
        ];
        match self.byte() {
            kind @ 0..64 => HOSTILE[usize::from(kind) % HOSTILE.len()],
            64..96 => f64::from_bits(self.word()),
            _ => self.tame(),
        }
    }

    /// Returns a number from 1/16 to 4096, finely graded.
    pub(crate) fn tame(&mut self) -> f64 {
        let scale = f64::from(1_u32 << (self.byte() % 17)) / 16.0;
        scale * (1.0 + f64::from(self.byte()) / 256.0)
    }
}
