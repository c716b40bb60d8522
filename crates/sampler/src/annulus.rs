//! Offsets drawn uniformly by area (volume) from the shell 1 <= |v| < 2.

use crate::rng::Draws;

/// Draws per batch.
const BATCH: usize = 64;

/// Candidates tested together.
pub(crate) const LANES: usize = 8;

/// A stream of offsets, uniform over the shell between radius 1 and 2.
///
/// Drawn by rejection from the enclosing cube: no angle, so no sine that differs between
/// platforms, and in 3D no crowding at the poles, as two uniform angles give. A batch is drawn
/// at once and the misses are squeezed out without a branch, because a mispredicted branch per
/// draw costs more than the draw. The hits are stored as rows of `f32`, one row an axis, for
/// coarse tests of several at once. The few that pass those tests are computed precisely from
/// their random bits.
#[derive(Clone, Debug)]
pub(crate) struct Annulus<const D: usize> {
    // Spare slots: misses write to the slot after the last hit, and rows are read past it.
    bits: [[i32; BATCH + LANES]; D],
    rows: [[f32; BATCH + LANES]; D],
    len: usize,
    next: usize,
}

impl<const D: usize> Annulus<D> {
    pub(crate) fn new() -> Self {
        Self {
            bits: [[0; BATCH + LANES]; D],
            rows: [[0.0; BATCH + LANES]; D],
            len: 0,
            next: 0,
        }
    }

    /// Returns the number of offsets that are ready: at least one and at most `most` (which is not
    /// 0).
    #[inline]
    pub(crate) fn ready(&mut self, rng: &mut Draws, most: usize) -> usize {
        // A batch may hold no hit at all.
        while self.next == self.len {
            self.refill(rng);
        }
        most.min(self.len - self.next)
    }

    /// Returns number `i` of the ready offsets.
    #[inline]
    pub(crate) fn offset(&self, i: usize) -> [f64; D] {
        std::array::from_fn(|a| f64::from(self.bits[a][self.next + i]) * STEP)
    }

    /// Returns the ready offsets, at most eight of them, an axis a row. Values after the last one
    /// are meaningless.
    #[inline]
    pub(crate) fn rows(&self) -> [[f32; LANES]; D] {
        std::array::from_fn(|a| std::array::from_fn(|i| self.rows[a][self.next + i]))
    }

    /// Uses up `n` of the ready offsets.
    #[inline]
    pub(crate) fn advance(&mut self, n: usize) {
        self.next += n;
    }

    fn refill(&mut self, rng: &mut Draws) {
        // Uniform in the cube [-2, 2)^D: 32 bits a coordinate, two coordinates a random word.
        let mut bits = [[0_i32; BATCH]; D];
        for i in 0..BATCH {
            for pair in bits.chunks_mut(2) {
                let word = rng.bits();
                pair[0][i] = word as i32;
                if let Some(second) = pair.get_mut(1) {
                    second[i] = (word >> 32) as i32;
                }
            }
        }
        // The shell's borders hold to f32 precision only: nothing depends on them.
        let mut rows = [[0.0_f32; BATCH]; D];
        let mut squares = [0.0_f32; BATCH];
        for (row, bits) in rows.iter_mut().zip(&bits) {
            for ((x, &b), square) in row.iter_mut().zip(bits).zip(&mut squares) {
                *x = b as f32 * STEP as f32;
                *square += *x * *x;
            }
        }
        let mut len = 0;
        for (i, square) in squares.iter().enumerate() {
            for a in 0..D {
                self.bits[a][len] = bits[a][i];
                self.rows[a][len] = rows[a][i];
            }
            len += usize::from((1.0..4.0).contains(square));
        }
        self.next = 0;
        self.len = len;
    }
}

/// The offset for one unit of 32 random bits.
const STEP: f64 = 1.0 / (1_u64 << 30) as f64;

#[cfg(test)]
mod tests {
    use super::*;

    fn radii_and_octants<const D: usize>() -> (Vec<f64>, Vec<u32>) {
        let (mut rng, mut ring) = (Draws::new(3), Annulus::<D>::new());
        let mut octants = vec![0; 1 << D];
        let radii = (0..80_000)
            .map(|_| {
                ring.ready(&mut rng, 1);
                let v = ring.offset(0);
                ring.advance(1);
                octants[(0..D).map(|a| usize::from(v[a] > 0.0) << a).sum::<usize>()] += 1;
                v.iter().map(|x| x * x).sum::<f64>().sqrt()
            })
            .collect();
        (radii, octants)
    }

    /// By area, the share inside radius 1.5 is (1.5^D - 1) / (2^D - 1); by radius, as in some
    /// articles, it would be one half.
    #[test]
    fn is_uniform_by_area() {
        let (flat, octants) = radii_and_octants::<2>();
        assert!(flat.iter().all(|r| (1.0..2.0).contains(r)));
        let inner = flat.iter().filter(|&&r| r < 1.5).count() as f64 / 80_000.0;
        assert!((inner - 1.25 / 3.0).abs() < 0.01, "{inner}");
        assert!(octants.iter().all(|n| n.abs_diff(20_000) < 800));

        let (solid, octants) = radii_and_octants::<3>();
        let inner = solid.iter().filter(|&&r| r < 1.5).count() as f64 / 80_000.0;
        assert!((inner - 2.375 / 7.0).abs() < 0.01, "{inner}");
        assert!(octants.iter().all(|n| n.abs_diff(10_000) < 600));
    }

    /// Two uniform angles, as some articles draw, put 71 % of the directions within 45 degrees of
    /// the poles' axis planes; a uniform shell has |z| < r/2 for half of them.
    #[test]
    fn has_no_poles() {
        let (mut rng, mut ring) = (Draws::new(4), Annulus::<3>::new());
        let flat = (0..40_000)
            .filter(|_| {
                ring.ready(&mut rng, 1);
                let v = ring.offset(0);
                ring.advance(1);
                let r = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                v[2].abs() < 0.5 * r
            })
            .count();
        assert!((f64::from(flat as u32) / 40_000.0 - 0.5).abs() < 0.01);
    }
}
