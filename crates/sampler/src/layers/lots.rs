//! Whose a place is.
//!
//! That is a function of the place alone: of the nearest of points strewn by a hash, one a cell
//! of a lattice about as wide as the layers' distances there (Worley, "A cellular texture basis
//! function", 1996). So ground goes to a layer in patches in which its largest rival finds room,
//! and sharing needs to know nothing of what is around.

use super::layer::mix;

/// Sets the lots of ground apart from what else is hashed with a seed.
pub(super) const SHARES: u64 = 0x7368_6172_6573;

/// From one cell to the one before it, itself and the next.
const STEP: [f64; 3] = [-1.0, 0.0, 1.0];

/// The lot of a place, evenly from 0 to 1: the same in patches about as wide as `widest`.
pub(super) fn lot<const D: usize>(seed: u64, p: [f64; D], widest: f64) -> f64 {
    let side = power_of_two(widest);
    let level = side.to_bits() >> 52;
    let scaled = p.map(|x| x / side);
    let cell = scaled.map(f64::floor);
    let mut nearest = (f64::INFINITY, 0);
    // Of the cells around, though rarely the nearest lies farther: patches may be any shape.
    let start = mix(seed ^ level);
    for around in 0..3_usize.pow(D as u32) {
        let mut hash = start;
        let mut digits = around;
        let mut corner = [0.0; D];
        for a in 0..D {
            corner[a] = cell[a] + STEP[digits % 3];
            digits /= 3;
            hash = mix(hash ^ (corner[a] as i64 as u64));
        }
        let mut square = 0.0;
        let mut draws = hash;
        for a in 0..D {
            draws = mix(draws);
            let d = corner[a] + unit(draws) - scaled[a];
            square += d * d;
        }
        if square < nearest.0 {
            nearest = (square, hash);
        }
    }
    unit(mix(nearest.1 ^ SHARES))
}

/// From 0 to 1, of the upper bits.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// The next power of two; distances are ordinary numbers far from the largest.
fn power_of_two(x: f64) -> f64 {
    let bits = x.to_bits();
    let fraction = (1_u64 << 52) - 1;
    f64::from_bits((bits + fraction) & !fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_not_below() {
        for (x, power) in [
            (1.0, 1.0),
            (1.1, 2.0),
            (0.3, 0.5),
            (1e15, 1.125_899_906_842_624e15),
        ] {
            assert_eq!(power_of_two(x), power);
        }
    }

    /// A change of these is a change of every shared set's points.
    #[test]
    fn lots_are_pinned_and_even() {
        let places = [[0.0, 0.0], [12.5, -3.25], [-1e6, 4e5]];
        let lots = places.map(|p| (1e6 * lot(7, p, 2.5)).floor());
        assert_eq!(lots, [893_375.0, 292_937.0, 62_040.0]);
        let mut counts = [0; 10];
        for i in 0..40_000 {
            let p = [f64::from(i % 200), f64::from(i / 200)].map(|x| 3.7 * x - 100.0);
            counts[(10.0 * lot(3, p, 1.5)) as usize] += 1;
        }
        assert!(
            counts.iter().all(|n| (3600..4400).contains(n)),
            "{counts:?}"
        );
    }
}
