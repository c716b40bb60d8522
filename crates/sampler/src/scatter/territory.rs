//! Territory: which layer owns the ground at a place.
//!
//! The owner is a function of the place alone: of the nearest of points strewn by a hash, one in each
//! cell of a lattice about as wide as the layers' distances there (Worley, "A cellular texture basis
//! function", 1996). So ground goes to a layer in patches in which its largest rival finds room,
//! and sharing needs to know nothing of the points around.

use super::hash::mix;
use density::RadiusField;
use std::sync::Arc;

/// Separates the hashes of shares from others of the same seed.
pub(super) const SHARES: u64 = 0x7368_6172_6573;

/// Separates the hashes that tell the owner among alike layers from those of their common share.
pub(super) const OWNERS: u64 = 0x6f77_6e65_7273;

/// A layer that shares ground: where it grows, and its share.
#[derive(Clone)]
pub(super) struct Sharer<'f, const D: usize> {
    pub(super) field: Arc<dyn RadiusField<D> + 'f>,
    pub(super) share: f64,
}

/// The ground of some layers beside their rivals.
#[derive(Clone)]
pub(super) struct Territory<'f, const D: usize> {
    /// What the patches are a function of.
    pub(super) seed: u64,
    pub(super) own: Vec<Sharer<'f, D>>,
    pub(super) rivals: Vec<Sharer<'f, D>>,
}

impl<const D: usize> Territory<'_, D> {
    /// Returns `true` if a point of radius `r` at `p` lies on the layers' own ground.
    pub(super) fn holds(&self, p: [f64; D], r: f64) -> bool {
        let mut widest = r;
        let mut shares = |sharers: &[Sharer<'_, D>]| -> f64 {
            let mut sum = 0.0;
            for sharer in sharers {
                if let Some(there) = sharer.field.min_dist(p) {
                    widest = if there > widest { there } else { widest };
                    sum += sharer.share;
                }
            }
            sum
        };
        let (own, rivals) = (shares(&self.own), shares(&self.rivals));
        lot(self.seed, p, widest) * (own + rivals) < own
    }
}

/// Returns which of alike layers owns the point of radius `r` at `p`: of those that grow there, by
/// their shares.
pub(super) fn owner<const D: usize>(
    seed: u64,
    layers: &[Sharer<'_, D>],
    p: [f64; D],
    r: f64,
) -> usize {
    let grows = |layer: &Sharer<'_, D>| {
        layer.field.mask_detail().is_none() || layer.field.min_dist(p).is_some()
    };
    let growing = || layers.iter().enumerate().filter(|(_, layer)| grows(layer));
    let all: f64 = growing().map(|(_, layer)| layer.share).sum();
    let mut drawn = lot(seed, p, r) * all;
    let owner = growing().find(|(_, layer)| {
        drawn -= layer.share;
        drawn < 0.0
    });
    // The last one, if rounding left a trifle.
    owner
        .or_else(|| growing().next_back())
        .map_or(0, |(at, _)| at)
}

/// From one cell to the one before it, itself and the next.
const STEPS: [f64; 3] = [-1.0, 0.0, 1.0];

/// Returns the lot of a place, evenly from 0 to 1: the same in patches about as wide as `widest`.
fn lot<const D: usize>(seed: u64, p: [f64; D], widest: f64) -> f64 {
    let side = power_of_two(widest);
    let level = side.to_bits() >> 52;
    let scaled = p.map(|x| x / side);
    // Along each axis the cell before, its own and the next, and what each has of the hashes.
    let corners = scaled.map(|x| STEPS.map(|step| floor(x) + step));
    let start = mix(seed ^ level);
    let keys: [[u64; 3]; D] = std::array::from_fn(|a| {
        let key = |x: f64| mix(start ^ (x as i64 as u64)).rotate_left(21 * a as u32);
        corners[a].map(key)
    });
    // Though rarely the nearest point lies farther away: patches may be any shape. Of equally near ones the
    // first. All cells are looked at, though few matter: which do cannot be foreseen, and a branch that
    // goes wrong takes longer than a cell.
    let (mut least, mut nearest) = (f64::INFINITY, 0);
    for around in 0..3_usize.pow(D as u32) {
        let step = |a: usize| around / 3_usize.pow(a as u32) % 3;
        let hash = mix((0..D).fold(0, |key, a| key ^ keys[a][step(a)]));
        let square = (0..D).fold(0.0, |square, a| {
            let d = corners[a][step(a)] + share(hash, a) - scaled[a];
            square + d * d
        });
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

/// Where a cell's point lies along an axis: from 0 to 1, of bits of its own.
#[inline]
fn share(hash: u64, axis: usize) -> f64 {
    const BITS: u32 = 21;
    let bits = hash >> (BITS * axis as u32) & ((1 << BITS) - 1);
    f64::from(bits as i32) / f64::from(1 << BITS)
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

    /// Cells are numbered and rounded without calls and branches: that changes nothing, however far away.
    #[test]
    fn lots_are_those_of_the_nearest_point_of_all_cells_around() {
        fn slow<const D: usize>(seed: u64, p: [f64; D], widest: f64) -> f64 {
            let side = power_of_two(widest);
            let start = mix(seed ^ (side.to_bits() >> 52));
            let scaled = p.map(|x| x / side);
            let mut found = Vec::new();
            for around in 0..3_usize.pow(D as u32) {
                let (mut key, mut corner) = (0, [0.0; D]);
                for a in 0..D {
                    let step = around / 3_usize.pow(a as u32) % 3;
                    corner[a] = scaled[a].floor() + [-1.0, 0.0, 1.0][step];
                    key ^= mix(start ^ (corner[a] as i64 as u64)).rotate_left(21 * a as u32);
                }
                let hash = mix(key);
                let mut square = 0.0;
                for a in 0..D {
                    let share = (hash >> (21 * a) & 0x1f_ffff) as f64 / f64::from(1 << 21);
                    square += {
                        let d = corner[a] + share - scaled[a];
                        d * d
                    };
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
        assert_eq!(lots, [35_363.0, 469_646.0, 15_993.0]);
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
