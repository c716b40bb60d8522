//! Obstacles for several tests.

use crate::common::{Random, required, squared};
use sampler::density::Bounds;
use sampler::{Obstacle, Rule, Sample};
use spinney_sampler as sampler;

/// Returns obstacles of which every fifth is vast.
pub(crate) fn obstacles<const D: usize>(
    place: &Bounds<D>,
    count: usize,
    [least, vast]: [f64; 2],
    random: &mut Random,
) -> Vec<Obstacle<D>> {
    let mut new = |number: usize| Obstacle {
        position: random.place(place),
        min_dist: if number.is_multiple_of(5) {
            vast
        } else {
            least
        } * random.between(0.5, 1.5),
    };
    (0..count).map(&mut new).collect()
}

/// Returns `true` if a point at `p` keeps its distance from all obstacles.
pub(crate) fn is_clear<const D: usize>(
    p: [f64; D],
    min_dist: f64,
    rule: Rule,
    obstacles: &[Obstacle<D>],
) -> bool {
    obstacles.iter().all(|obstacle| {
        let keep = required(rule, obstacle.min_dist, min_dist);
        squared(p, obstacle.position) >= keep * keep
    })
}

/// Checks that all points keep their distances from all obstacles.
#[track_caller]
pub(crate) fn assert_clear<const D: usize>(
    samples: &[Sample<D>],
    rule: Rule,
    obstacles: &[Obstacle<D>],
) {
    for sample in samples {
        let is_clear = is_clear(sample.position, sample.min_dist, rule, obstacles);
        assert!(is_clear, "{rule:?}: {sample:?}");
    }
}
