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
    // Of the cells around, though rarely the nearest lies farther: patches may be any shape.
    let cells = 3_usize.pow(D as u32);
    let own = cells / 2;
    let start = mix(seed ^ level);
    // Of equally near ones the first.
    let mut nearest = (f64::INFINITY, usize::MAX, 0);
    for around in std::iter::once(own).chain((0..cells).filter(|&around| around != own)) {
        let corner: [f64; D] =
            std::array::from_fn(|a| cell[a] + STEP[around / 3_usize.pow(a as u32) % 3]);
        if around != own && beyond2(corner, scaled) > nearest.0 {
            continue;
        }
        let hash = corner
            .iter()
            .fold(start, |hash, &x| mix(hash ^ (x as i64 as u64)));
        let mut square = 0.0;
        let mut draws = hash;
        for a in 0..D {
            draws = mix(draws);
            let d = corner[a] + unit(draws) - scaled[a];
            square += d * d;
        }
        if square < nearest.0 || (square == nearest.0 && around < nearest.1) {
            nearest = (square, around, hash);
        }
    }
    unit(mix(nearest.2 ^ SHARES))
}

/// The least that the square of the distance from a place to a point in a cell of side 1 may be.
/// Rounded as that is, in steps that never turn the order of two numbers round: no point has less.
#[inline]
fn beyond2<const D: usize>(corner: [f64; D], from: [f64; D]) -> f64 {
    (0..D).fold(0.0, |sum, a| {
        let (below, above) = (corner[a] - from[a], from[a] - (corner[a] + 1.0));
        let out = if below > above { below } else { above };
        let out = if out > 0.0 { out } else { 0.0 };
        sum + out * out
    })
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
                    scaled[a].floor() + STEP[around / 3_usize.pow(a as u32) % 3]
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
