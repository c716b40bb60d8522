//! Offsets drawn uniformly by area (volume) from the shell 1 <= |v| < 2.

use crate::rng::Draws;

/// Draws made in one go.
const BATCH: usize = 64;

/// A stream of offsets, uniform over the shell between radius 1 and 2.
///
/// Rejection from the enclosing cube: no angle, so no sine that differs between platforms,
/// and in 3D no crowding at poles, which two uniform angles give. A batch is drawn at once and
/// the misses are squeezed out without a branch, because a mispredicted branch per draw costs
/// more than the draw.
#[derive(Clone, Debug)]
pub(crate) struct Annulus<const D: usize> {
    // One spare place: the slot after the last hit is written by every miss.
    hits: [[f64; D]; BATCH + 1],
    len: usize,
    next: usize,
}

impl<const D: usize> Annulus<D> {
    pub(crate) fn new() -> Self {
        Self {
            hits: [[0.0; D]; BATCH + 1],
            len: 0,
            next: 0,
        }
    }

    #[inline]
    pub(crate) fn draw(&mut self, rng: &mut Draws) -> [f64; D] {
        // A batch may hold no hit at all in high dimensions.
        while self.next == self.len {
            self.refill(rng);
        }
        self.next += 1;
        self.hits[self.next - 1]
    }

    fn refill(&mut self, rng: &mut Draws) {
        self.next = 0;
        self.len = 0;
        for _ in 0..BATCH {
            let v = cube(rng);
            let square: f64 = v.iter().map(|x| x * x).sum();
            self.hits[self.len] = v;
            self.len += usize::from((1.0..4.0).contains(&square));
        }
    }
}

/// Uniform in the cube [-2, 2)^D: 32 bits a coordinate, two coordinates a random word.
#[inline]
fn cube<const D: usize>(rng: &mut Draws) -> [f64; D] {
    let mut v = [0.0; D];
    for pair in v.chunks_mut(2) {
        let mut bits = rng.bits();
        for x in pair {
            *x = f64::from(bits as u32 as i32) * (1.0 / f64::from(1_u32 << 30));
            bits >>= 32;
        }
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radii_and_octants<const D: usize>() -> (Vec<f64>, Vec<u32>) {
        let (mut rng, mut ring) = (Draws::new(3), Annulus::<D>::new());
        let mut octants = vec![0; 1 << D];
        let radii = (0..80_000)
            .map(|_| {
                let v = ring.draw(&mut rng);
                octants[(0..D).map(|a| usize::from(v[a] > 0.0) << a).sum::<usize>()] += 1;
                v.iter().map(|x| x * x).sum::<f64>().sqrt()
            })
            .collect();
        (radii, octants)
    }

    /// By area, the share inside radius 1.5 is (1.5^D - 1) / (2^D - 1); by radius, as in some
    /// of the seed articles, it would be one half.
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

    /// Two uniform angles, as in the 3D seed code, put 71 % of the directions within 45
    /// degrees of the poles' axis planes; a fair shell has |z| < r/2 for half of them.
    #[test]
    fn has_no_poles() {
        let (mut rng, mut ring) = (Draws::new(4), Annulus::<3>::new());
        let flat = (0..40_000)
            .filter(|_| {
                let v = ring.draw(&mut rng);
                let r = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                v[2].abs() < 0.5 * r
            })
            .count();
        assert!((f64::from(flat as u32) / 40_000.0 - 0.5).abs() < 0.01);
    }
}
