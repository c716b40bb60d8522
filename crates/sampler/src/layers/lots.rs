//! Whose a place is.
//!
//! That is a function of the place alone: of the nearest of points strewn by a hash, one a cell
//! of a lattice about as wide as the layers' distances there (Worley, "A cellular texture basis
//! function", 1996). So ground goes to a layer in patches in which its largest rival finds room,
//! and sharing needs to know nothing of what is around.

use super::layer::mix;

/// Sets the lots of ground apart from what else is hashed with a seed.
pub(super) const SHARES: u64 = 0x7368_6172_6573;

/// Cells around one, itself included, in space.
const MOST_AROUND: usize = 27;

/// From one cell to the one before it, itself and the next.
const STEPS: [f64; 3] = [-1.0, 0.0, 1.0];

/// The lot of a place, evenly from 0 to 1: the same in patches about as wide as `widest`.
pub(super) fn lot<const D: usize>(seed: u64, p: [f64; D], widest: f64) -> f64 {
    let side = power_of_two(widest);
    let level = side.to_bits() >> 52;
    let scaled = p.map(|x| x / side);
    // Along each axis the cell before, its own and the next.
    let corners = scaled.map(|x| STEPS.map(|step| floor(x) + step));
    // The hashes of the cells around, the first axis fastest. All are looked at, though few matter: which
    // do cannot be foreseen, and a branch that goes wrong takes longer than a cell.
    let mut hashes = [mix(seed ^ level); MOST_AROUND];
    let mut cells = 1;
    for corners in &corners {
        for (step, &x) in corners.iter().enumerate().rev() {
            for cell in 0..cells {
                hashes[step * cells + cell] = mix(hashes[cell] ^ (x as i64 as u64));
            }
        }
        cells *= 3;
    }
    // Though rarely the nearest point lies farther away: patches may be any shape. Of equally near ones
    // the first.
    let (mut least, mut nearest) = (f64::INFINITY, 0);
    for (around, &hash) in hashes[..cells].iter().enumerate() {
        let (mut square, mut draws, mut rest) = (0.0, hash, around);
        for a in 0..D {
            draws = mix(draws);
            let d = corners[a][rest % 3] + unit(draws) - scaled[a];
            square += d * d;
            rest /= 3;
        }
        let nearer = square < least;
        least = if nearer { square } else { least };
        nearest = if nearer { hash } else { nearest };
    }
    unit(mix(nearest ^ SHARES))
}

/// As [`f64::floor`], which is a call where the processor has no instruction for it.
#[inline]
fn floor(x: f64) -> f64 {
    // From there on all are whole.
    const WHOLE: f64 = (1_u64 << 52) as f64;
    if x.abs() >= WHOLE || x.is_nan() {
        return x;
    }
    let whole = x as i64 as f64;
    if whole > x { whole - 1.0 } else { whole }
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

    /// Cells that are too far away are left out: that changes nothing, however much is rounded.
    #[test]
    fn lots_are_those_of_the_nearest_point_of_all_cells_around() {
        fn slow<const D: usize>(seed: u64, p: [f64; D], widest: f64) -> f64 {
            let side = power_of_two(widest);
            let start = mix(seed ^ (side.to_bits() >> 52));
            let scaled = p.map(|x| x / side);
            let mut found = Vec::new();
            for around in 0..3_usize.pow(D as u32) {
                let corner: [f64; D] = std::array::from_fn(|a| {
                    scaled[a].floor() + [-1.0, 0.0, 1.0][around / 3_usize.pow(a as u32) % 3]
                });
                let mut hash = start;
                for x in corner {
                    hash = mix(hash ^ (x as i64 as u64));
                }
                let mut draws = hash;
                let mut square = 0.0;
                for a in 0..D {
                    draws = mix(draws);
                    square += (corner[a] + unit(draws) - scaled[a]).powi(2);
                }
                found.push((square, hash));
            }
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            unit(mix(found[0].1 ^ SHARES))
        }
        for far in [0.0, -1e6, 1e12, 3e15] {
            for i in 0..3000_u64 {
                let x = [1, 2, 3].map(|a| far + 40.0 * unit(mix(7 * i + a)));
                let plane = [x[0], x[1]];
                assert_eq!(lot(i, plane, 1.5), slow(i, plane, 1.5), "{plane:?}");
                assert_eq!(lot(i, x, 3.0), slow(i, x, 3.0), "{x:?}");
            }
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
