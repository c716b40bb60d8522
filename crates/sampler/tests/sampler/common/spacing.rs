//! Checks that points keep their distance, by a search that shares nothing with the sampler.

use crate::common::{required, squared};
use spinney_sampler::{Rule, Sample};

/// Checks every pair, by a sweep along the first axis. On a tile, points near an edge are repeated
/// beyond the opposite one.
pub(crate) fn assert_spaced<const D: usize>(
    samples: &[Sample<D>],
    rule: Rule,
    tile: Option<[f64; D]>,
) {
    let most = samples.iter().fold(0.0, |m: f64, s| m.max(s.min_dist));
    let mut all: Vec<([f64; D], &Sample<D>)> = samples.iter().map(|s| (s.position, s)).collect();
    for (axis, size) in tile.into_iter().flatten().enumerate() {
        for (p, s) in all.clone() {
            if p[axis] < most {
                let mut image = p;
                image[axis] += size;
                all.push((image, s));
            }
            if p[axis] > size - most {
                let mut image = p;
                image[axis] -= size;
                all.push((image, s));
            }
        }
    }
    all.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    for (i, (p, a)) in all.iter().enumerate() {
        for (q, b) in all[i + 1..].iter().take_while(|(q, _)| q[0] - p[0] < most) {
            let (first, later) = if a.id < b.id { (a, b) } else { (b, a) };
            let keep = required(rule, first.min_dist, later.min_dist);
            let square = squared(*p, *q);
            // The position of a repeated point is rounded once more.
            let tolerance = if tile.is_some() { 1e-12 } else { 0.0 };
            assert!(square >= keep * keep * (1.0 - tolerance), "{a:?} {b:?}");
        }
    }
}
