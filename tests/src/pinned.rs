//! Pins points: a hash of all their values, and fields for them.

use density::decode::{Channel, DecodeLimits};
use density::{Bounds, DistRange, GreyMap, MapOptions, RadiusMap};
use sampler::Sample;
use std::path::Path;

/// Returns the number of points, and the FNV-1a hash of the bits of all their values, in order.
pub fn hash<const D: usize>(samples: impl IntoIterator<Item = Sample<D>>) -> (usize, u64) {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut count = 0;
    for s in samples {
        let parent = s.parent.map_or(u64::MAX, |p| p);
        let rank = s.rank.map(u64::from);
        let numbers = s.position.into_iter().chain([s.min_dist, s.value]);
        let words = [s.id, parent].into_iter().chain(numbers.map(f64::to_bits));
        for word in words.chain(rank) {
            for byte in word.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        count += 1;
    }
    (count, hash)
}

/// Returns a range of distances.
///
/// # Panics
/// If it is not valid.
pub fn range(lo: f64, hi: f64) -> DistRange {
    DistRange::new(lo, hi).expect("a good range")
}

/// Returns a map of the repository as a field, and the rectangle that it covers.
///
/// # Panics
/// If the map cannot be read.
pub fn map(name: &str, lo: f64, hi: f64, options: MapOptions) -> (RadiusMap, Bounds<2>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../maps")
        .join(name);
    let bytes = std::fs::read(&path).expect("a map of the repository");
    let map = GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default()).expect("a good map");
    let field = RadiusMap::new(map, range(lo, hi), options).expect("a good field");
    let bounds = field.bounds();
    (field, bounds)
}

/// Checks that the points are the pinned ones.
///
/// # Panics
/// If they differ.
#[track_caller]
pub fn pinned(found: (usize, u64), expected: (usize, u64)) {
    let [found, expected] = [found, expected].map(|(n, hash)| format!("({n}, {hash:#018x})"));
    assert_eq!(found, expected);
}
