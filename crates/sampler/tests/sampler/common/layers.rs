//! Layers for several tests.

use crate::common::checker::Fixed;
use crate::common::{Random, field, greys, range};
use sampler::density::{FnField, GridField, RadiusMap};
use sampler::{Apart, Layer};
use spinney_sampler as sampler;

/// Returns a map with holes, distances 1 to 2.5.
pub(crate) fn rough(seed: u64) -> RadiusMap {
    field(&greys(&mut Random(seed), 6, 0.1), 2.5, 60.0)
}

/// Returns the layers of a wood: flowers with none in the middle, trees by a rough field, shrubs by
/// a smooth one.
pub(crate) fn wood() -> Vec<Layer<'static, 2>> {
    let shrubs = FnField::new(range(0.5, 2.0), 0.02, |p: [f64; 2]| 0.5 + 0.02 * p[0]);
    let shrubs = shrubs.expect("a slope");
    let ring = |p: [f64; 2]| {
        let [x, y] = [p[0] - 30.0, p[1] - 30.0];
        (x * x + y * y > 300.0).then_some(0.4)
    };
    let flowers = GridField::new(range(0.4, 0.4), 0.5, ring);
    let flowers = flowers.expect("a good field");
    vec![
        Layer {
            turn: 2,
            ..Layer::new(flowers)
        },
        Layer {
            seed: Some(21),
            ..Layer::new(rough(3))
        },
        Layer {
            turn: 1,
            ..Layer::new(shrubs)
        },
    ]
}

/// The distances between the layers of a [`wood`] that do not follow the rule.
pub(crate) const WOOD: [Fixed; 2] = [(0, 2, 0.3), (1, 2, 0.9)];

/// Returns the table with these distances between layers.
pub(crate) fn table(layers: usize, fixed: &[Fixed]) -> Apart {
    let mut table = Apart::new(layers);
    for &(a, b, distance) in fixed {
        let set = table.set(a as usize, b as usize, distance);
        set.expect("a good distance");
    }
    table
}
