//! Maps for tests.

use crate::GreyMap;

/// Returns a map of random greys; about one pixel in `every` is closed.
pub(crate) fn random(width: u32, height: u32, salt: u32, every: u32) -> GreyMap {
    let hash = |x: u32, y: u32| {
        let place = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ salt;
        (place ^ (place >> 15)).wrapping_mul(0x2c1b_3c6d) >> 12
    };
    GreyMap::from_fn(width, height, |x, y| match hash(x, y) {
        h if h % every == 0 => f64::NAN,
        h => f64::from(h % 1000) / 999.0,
    })
    .expect("a good map")
}
