//! The samples of a decoded strip or tile.

use ::tiff::decoder::DecodingResult;

/// The samples of a strip or tile: of all bands, or of one.
pub(super) struct Chunk {
    samples: DecodingResult,
    /// Samples of a pixel in it.
    per_pixel: usize,
    /// Samples under 8 bits are packed, each row from a new byte, the first in the high bits.
    bits: u8,
    row_bytes: usize,
    width: usize,
}

impl Chunk {
    pub(super) fn new(samples: DecodingResult, per_pixel: usize, bits: u8, width: u32) -> Self {
        let width = width as usize;
        Self {
            samples,
            per_pixel,
            bits,
            row_bytes: (width * per_pixel * usize::from(bits)).div_ceil(8),
            width,
        }
    }

    /// A sample of a pixel; NaN beyond the chunk.
    #[inline]
    pub(super) fn sample(&self, x: usize, y: usize, nth: usize) -> f64 {
        let of_pixel = x * self.per_pixel + nth;
        if self.bits < 8 {
            return self.packed(y * self.row_bytes, of_pixel);
        }
        let at = y * self.width * self.per_pixel + of_pixel;
        let sample = match &self.samples {
            DecodingResult::U8(list) => list.get(at).map(|&s| f64::from(s)),
            DecodingResult::U16(list) => list.get(at).map(|&s| f64::from(s)),
            DecodingResult::U32(list) => list.get(at).map(|&s| f64::from(s)),
            DecodingResult::U64(list) => list.get(at).map(|&s| s as f64),
            DecodingResult::I8(list) => list.get(at).map(|&s| f64::from(s)),
            DecodingResult::I16(list) => list.get(at).map(|&s| f64::from(s)),
            DecodingResult::I32(list) => list.get(at).map(|&s| f64::from(s)),
            DecodingResult::I64(list) => list.get(at).map(|&s| s as f64),
            DecodingResult::F16(list) => list.get(at).map(|&s| s.to_f64()),
            DecodingResult::F32(list) => list.get(at).map(|&s| f64::from(s)),
            DecodingResult::F64(list) => list.get(at).copied(),
        };
        sample.unwrap_or(f64::NAN)
    }

    fn packed(&self, row: usize, nth: usize) -> f64 {
        let DecodingResult::U8(bytes) = &self.samples else {
            return f64::NAN;
        };
        let bits = usize::from(self.bits);
        let bit = nth * bits;
        let shift = 8 - bits - bit % 8;
        match bytes.get(row + bit / 8) {
            Some(byte) => f64::from(byte >> shift & ((1 << bits) - 1)),
            None => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_samples_are_taken_apart() {
        // Two rows of three pixels with two samples of two bits: a byte and a half each.
        let bytes = vec![0b0001_1011, 0b1110_0000, 0b1100_1100, 0b0101_0000];
        let chunk = Chunk::new(DecodingResult::U8(bytes), 2, 2, 3);
        let row = |y| [0, 1, 2].map(|x| [chunk.sample(x, y, 0), chunk.sample(x, y, 1)]);
        assert_eq!(row(0), [[0.0, 1.0], [2.0, 3.0], [3.0, 2.0]]);
        assert_eq!(row(1), [[3.0, 0.0], [3.0, 0.0], [1.0, 1.0]]);
        assert!(chunk.sample(0, 2, 0).is_nan());
    }
}
