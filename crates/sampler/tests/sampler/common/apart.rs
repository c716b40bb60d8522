//! Checks the distances between points of layers, by a search of its own.

use crate::common::{required, squared};
use sampler::{Apart, Rule, Sample};
use spinney_sampler as sampler;

/// Returns the distance that two points must keep, looked up the long way.
pub(crate) fn keep<const D: usize>(
    a: &Sample<D>,
    b: &Sample<D>,
    rule: Rule,
    apart: &[(u32, u32, f64)],
) -> f64 {
    let (first, later) = if a.id < b.id { (a, b) } else { (b, a) };
    let pair = (a.layer.min(b.layer), a.layer.max(b.layer));
    for &(i, j, distance) in apart {
        if pair == (Some(i), Some(j)) {
            return distance;
        }
    }
    required(rule, first.min_dist, later.min_dist)
}

/// Checks every pair, by a sweep along the first axis.
pub(crate) fn assert_apart<const D: usize>(
    samples: &[Sample<D>],
    rule: Rule,
    apart: &[(u32, u32, f64)],
) {
    let widest = apart.iter().map(|a| a.2);
    let widest = samples.iter().map(|s| s.min_dist).chain(widest);
    let widest = widest.fold(0.0, f64::max);
    let mut all: Vec<&Sample<D>> = samples.iter().collect();
    all.sort_by(|a, b| a.position[0].total_cmp(&b.position[0]));
    let mut between = 0;
    for (i, a) in all.iter().enumerate() {
        let ahead = all[i + 1..].iter();
        for b in ahead.take_while(|b| b.position[0] - a.position[0] < widest) {
            let keep = keep(a, b, rule, apart);
            let square = squared(a.position, b.position);
            assert!(square >= keep * keep, "{a:?} {b:?} {keep}");
            between += u32::from(a.layer != b.layer && square < (2.0 * keep).powi(2));
        }
    }
    assert!(between > 20, "{between} pairs were put to the test");
    let mut ids: Vec<u64> = samples.iter().map(|s| s.id).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "one id twice");
}

pub(crate) fn table(layers: usize, apart: &[(u32, u32, f64)]) -> Apart {
    let mut table = Apart::new(layers);
    for &(a, b, distance) in apart {
        table
            .set(a as usize, b as usize, distance)
            .expect("a good distance");
    }
    table
}
