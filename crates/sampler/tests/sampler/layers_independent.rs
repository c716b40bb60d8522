//! Tests that layers that need not know each other do not change each other's points, and need little
//! ground.

use crate::common::bits::bits;
use crate::common::checker::{Checker, assert_spaced};
use crate::common::layers::{rough, table};
use crate::common::{even, inside, options, range, square};
use sampler::density::{Bounds, FnField, RadiusField, Within};
use sampler::{Apart, Edges, Layer, Rule, Sample, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;

/// Regression: a large distance between layers of the same density took minutes and all memory, as each leaf collected
/// all points within it, and these needed all within theirs.
#[test]
fn a_large_distance_between_layers_needs_little_ground() {
    for turn in [0, 1] {
        let first = Layer::new(even(1.0));
        let layers = vec![first.clone(), Layer { turn, ..first }];
        let options = ScatterOptions {
            max_bytes: Some(20_000_000),
            ..options(Rule::Max, 3)
        };
        let world = World::layered(layers, table(2, &[(0, 1, 100.0)]), options).expect("a world");
        let window = Bounds::from_size([30.0; 2]).expect("a window");
        let found = world.window(&window).expect("little memory").samples;
        assert!(found.len() > 600, "{}", found.len());
        assert_spaced(&found, Rule::Max);
        let part = Bounds::with_origin([7.0, 11.0], [9.0, 5.0]).expect("a window");
        let crop = world.window(&part).expect("little memory").samples;
        assert_eq!(bits(&crop), bits(&inside(&found, &part)));
    }
}

/// Regression: no layer had points far from those of the densest layer, where that layer's map was closed.
#[test]
fn a_layer_that_is_closed_closes_no_other() {
    let side = 600.0;
    let closed = Bounds::with_origin([2.0 * side; 2], [9.0; 2]).expect("a box");
    let corner = Bounds::with_origin([5.0, 9.0], [20.0, 9.0]).expect("a box");
    for (least, open) in [(1.0, corner), (0.4, corner), (4.0, corner), (1.0, closed)] {
        let grass = Within::new(even(least), open);
        let trees = Layer::new(even(4.0));
        for turn in [0, 1] {
            let grass = Layer {
                turn,
                ..Layer::new(grass.clone())
            };
            let layers = vec![trees.clone(), grass];
            let options = options(Rule::Mean, 5);
            let run = |layers: Vec<Layer<'static, 2>>, apart| {
                Scatter::layered(layers, apart, square(side), Edges::Open, options).expect("a run")
            };
            let layered = run(layers, table(2, &[(0, 1, 2.0)]));
            let found = layered.points().expect("memory").samples;
            let checker = Checker::new(&found, Rule::Mean).with_fixed(&[(0, 1, 2.0)]);
            let near = checker.assert_spaced();
            assert!(open == closed || near.between_layers > 0);
            let mut far = Vec::new();
            let alone = run(vec![trees.clone()], Apart::new(1));
            for found in [&found, &alone.points().expect("memory").samples] {
                let of =
                    |s: &&Sample<2>| s.layer == Some(0) && s.position.iter().sum::<f64>() > 150.0;
                let mut places: Vec<_> = found
                    .iter()
                    .filter(of)
                    .map(|s| s.position.map(f64::to_bits))
                    .collect();
                places.sort_unstable();
                far.push(places);
            }
            assert!(
                far[0].len() > 14_000 && far[0] == far[1],
                "{} {}",
                far[0].len(),
                far[1].len()
            );
            for origin in [[0.0; 2], [16.0, 0.0], [300.0, 410.0], [579.0, 7.0]] {
                let window = Bounds::with_origin(origin, [40.0, 13.0]).expect("a window");
                let part = layered.points_in(&window).expect("points").samples;
                assert!(part.len() > 5);
                assert_eq!(bits(&part), bits(&inside(&found, &window)), "{window:?}");
            }
        }
    }
}

/// Layers that ignore each other have the points that each has alone.
#[test]
fn indifferent_layers_are_their_own_runs() {
    let slope = FnField::new(range(0.5, 4.0), 0.05, |p: [f64; 2]| 0.5 + 0.05 * p[0]);
    let seeded = Layer {
        seed: Some(11),
        ..Layer::new(even(1.0))
    };
    // The last two are equal in all but their number: their ids must differ.
    let layers = vec![
        Layer::new(rough(7)),
        Layer::new(slope.expect("a slope")),
        seeded.clone(),
        seeded,
    ];
    let pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
    let indifferent = pairs.map(|(a, b)| (a, b, 0.0));
    let apart = table(4, &indifferent);
    let options = options(Rule::Max, 3);
    let run = Scatter::layered(layers, apart, square(50.0), Edges::Open, options);
    let found = run.expect("a run").points().expect("memory").samples;
    let checker = Checker::new(&found, Rule::Max).with_fixed(&indifferent);
    checker.assert_spaced();
    let plain = |s: &Sample<2>| {
        let position = s.position.map(f64::to_bits);
        (position, s.min_dist.to_bits(), s.value.to_bits())
    };
    // The second layer's seed is derived, so its points cannot be compared.
    let alone: [(u32, Box<dyn RadiusField<2>>, u64); 3] = [
        (0, Box::new(rough(7)), 3),
        (2, Box::new(even(1.0)), 11),
        (3, Box::new(even(1.0)), 11),
    ];
    for (layer, field, seed) in alone {
        let alone = Scatter::new(field, square(50.0), ScatterOptions { seed, ..options });
        let alone = alone.expect("a run").points().expect("memory").samples;
        let mut alone: Vec<_> = alone.iter().map(plain).collect();
        let of = found.iter().filter(|s| s.layer == Some(layer));
        let mut of: Vec<_> = of.map(plain).collect();
        alone.sort_unstable();
        of.sort_unstable();
        assert_eq!(of, alone, "layer {layer}");
    }
}

#[test]
fn one_layer_is_a_scatter() {
    let options = options(Rule::Max, 8);
    let layers = vec![Layer::new(rough(2))];
    let layered =
        Scatter::layered(layers, Apart::new(1), square(40.0), Edges::Open, options).expect("a run");
    let alone = Scatter::new(rough(2), square(40.0), options).expect("a run");
    let (found, alone) = (
        layered.points().expect("memory"),
        alone.points().expect("memory"),
    );
    assert_eq!(found.samples.len(), alone.samples.len());
    for (a, b) in found.samples.iter().zip(&alone.samples) {
        assert_eq!((a.id, a.position), (b.id >> 9, b.position));
        assert_eq!(a.layer, Some(0));
    }
}
