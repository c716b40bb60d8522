//! The territories of layers: which layer owns a place.
//!
//! The owner depends on the place alone: on the nearest of random points, one in each cell of a lattice
//! about as wide as the layers' distances there (Worley, "A cellular texture basis function", 1996). So
//! territories are made of patches in which the largest rival finds room, and do not depend on any points.

use super::hash::mix;
use crate::mask::mask_detail;
use density::RadiusField;
use std::sync::Arc;

/// Separates the hashes of territories from other hashes of the same seed.
pub(super) const SHARES: u64 = 0x7368_6172_6573;

/// Separates the hashes for the owner among layers of one pass from those of their common territory.
pub(super) const OWNERS: u64 = 0x6f77_6e65_7273;

/// A layer that shares an area: where it grows, and its share.
#[derive(Clone)]
pub(super) struct Sharer<'f, const D: usize> {
    pub(super) field: Arc<dyn RadiusField<D> + 'f>,
    pub(super) share: f64,
}

/// The territory of some layers beside their rivals.
#[derive(Clone)]
pub(super) struct Territory<'f, const D: usize> {
    /// The seed of the patches.
    pub(super) seed: u64,
    pub(super) own: Vec<Sharer<'f, D>>,
    pub(super) rivals: Vec<Sharer<'f, D>>,
}

impl<const D: usize> Territory<'_, D> {
    /// Returns `true` if a point of radius `r` at `p` lies on the territory.
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
        patch_value(self.seed, p, widest) * (own + rivals) < own
    }
}

/// Returns the index of the layer that owns the point of radius `r` at `p`: one of those that may grow
/// there, chosen by their shares.
pub(super) fn owner<const D: usize>(
    seed: u64,
    layers: &[Sharer<'_, D>],
    p: [f64; D],
    r: f64,
) -> usize {
    let grows = |layer: &Sharer<'_, D>| {
        mask_detail(&*layer.field).is_none() || layer.field.min_dist(p).is_some()
    };
    let growing = || layers.iter().enumerate().filter(|(_, layer)| grows(layer));
    let all: f64 = growing().map(|(_, layer)| layer.share).sum();
    let mut drawn = patch_value(seed, p, r) * all;
    let owner = growing().find(|(_, layer)| {
        drawn -= layer.share;
        drawn < 0.0
    });
    // Rounding may leave a remainder: then the last one.
    owner
        .or_else(|| growing().next_back())
        .map_or(0, |(at, _)| at)
}

/// Steps along an axis to the cell before, the same cell and the next.
const STEPS: [f64; 3] = [-1.0, 0.0, 1.0];

/// Returns a value in [0, 1), evenly distributed and constant over patches about as wide as `widest`.
fn patch_value<const D: usize>(seed: u64, p: [f64; D], widest: f64) -> f64 {
    let side = power_of_two(widest);
    let level = side.to_bits() >> 52;
    let scaled = p.map(|x| x / side);
    // Along each axis: the cells before, at and after the position, and their contributions to the hashes.
    let corners = scaled.map(|x| STEPS.map(|step| x.floor() + step));
    let start = mix(seed ^ level);
    let keys: [[u64; 3]; D] = std::array::from_fn(|a| {
        let key = |x: f64| mix(start ^ (x as i64 as u64)).rotate_left(21 * a as u32);
        corners[a].map(key)
    });
    // The nearest point of all rarely lies beyond these cells; patches may have any shape. The first of
    // equally near points counts. All cells are tested, though few matter: which do cannot be predicted,
    // and a mispredicted branch takes longer than a cell.
    let (mut least, mut nearest) = (f64::INFINITY, 0);
    for around in 0..3_usize.pow(D as u32) {
        let step = |a: usize| around / 3_usize.pow(a as u32) % 3;
        let hash = mix((0..D).fold(0, |key, a| key ^ keys[a][step(a)]));
        let square = (0..D).fold(0.0, |square, a| {
            let d = corners[a][step(a)] + coordinate(hash, a) - scaled[a];
            square + d * d
        });
        let nearer = square < least;
        least = if nearer { square } else { least };
        nearest = if nearer { hash } else { nearest };
    }
    unit(mix(nearest ^ SHARES))
}

/// Returns the position of a cell's point along an axis, in [0, 1), from bits of its own.
#[inline]
fn coordinate(hash: u64, axis: usize) -> f64 {
    const BITS: u32 = 21;
    let bits = hash >> (BITS * axis as u32) & ((1 << BITS) - 1);
    f64::from(bits as i32) / f64::from(1 << BITS)
}

/// Returns a number in [0, 1) from the upper bits.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns the least power of two that is not below `x`; distances are ordinary numbers far from the
/// largest.
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

    /// The search without branches gives the value of the nearest point at every distance from the origin.
    #[test]
    fn a_patch_has_the_value_of_the_nearest_point_of_all_cells_around() {
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
                assert_eq!(patch_value(i, plane, 1.5), slow(i, plane, 1.5), "{plane:?}");
                assert_eq!(patch_value(i, x, 3.0), slow(i, x, 3.0), "{x:?}");
            }
        }
    }

    /// Changing these values changes the points of every run in which layers share a turn.
    #[test]
    fn patches_are_pinned_and_even() {
        let places = [[0.0, 0.0], [12.5, -3.25], [-1e6, 4e5]];
        let values = places.map(|p| (1e6 * patch_value(7, p, 2.5)).floor());
        assert_eq!(values, [35_363.0, 469_646.0, 15_993.0]);
        let mut counts = [0; 10];
        for i in 0..40_000 {
            let p = [f64::from(i % 200), f64::from(i / 200)].map(|x| 3.7 * x - 100.0);
            counts[(10.0 * patch_value(3, p, 1.5)) as usize] += 1;
        }
        assert!(
            counts.iter().all(|n| (3600..4400).contains(n)),
            "{counts:?}"
        );
    }
}
