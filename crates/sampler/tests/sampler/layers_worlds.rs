//! Tests that windows of layers are crops of the whole, and that layers that ignore each other are
//! independent.

use crate::common::apart::{assert_apart, table};
use crate::common::bits::bits;
use crate::common::layers::{WOOD, rough, wood};
use crate::common::spacing::assert_spaced;
use crate::common::{Random, inside, options, square};
use sampler::density::{Bounds, Constant, DistRange, FnField, RadiusField, Within};
use sampler::{Apart, Edges, Layer, Rule, Sample, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;

#[test]
fn windows_are_the_whole() {
    let mut random = Random(4);
    for (seed, rule) in [(1, Rule::Max), (2, Rule::Mean), (3, Rule::Own)] {
        let options = options(rule, seed);
        let new = || {
            Scatter::layered(wood(), table(3, &WOOD), square(90.0), Edges::Open, options)
                .expect("a run")
        };
        let layered = new();
        let whole = layered.points().expect("memory");
        for _ in 0..6 {
            let min = [0, 1].map(|_| random.between(-10.0, 85.0));
            let size = [0, 1].map(|_| 0.5 + 12.0 * random.unit());
            let window = Bounds::with_origin(min, size).expect("a window");
            let found = layered.points_in(&window).expect("points");
            let inside = inside(&whole.samples, &window);
            assert_eq!(bits(&found.samples), bits(&inside), "{window:?}");
        }
    }
}

/// A large window of an endless world equals the pieces that it is cut into.
#[test]
fn endless_windows_fit_together() {
    let layers = || {
        let range = DistRange::new(0.5, 2.0).expect("a good range");
        let waves = |p: [f64; 2]| {
            let t = (0.05 * p[0]).rem_euclid(2.0) - 1.0;
            0.5 + 1.5 * t * t
        };
        let waves = FnField::new(range, 0.15, waves).expect("a slope");
        let even = Constant::new(1.5).expect("a field");
        let small = Constant::new(0.4).expect("a field");
        vec![Layer::new(even), Layer::new(waves), Layer::new(small)]
    };
    let options = ScatterOptions {
        rule: Rule::Mean,
        levels: 0,
        ..ScatterOptions::default()
    };
    let world = World::layered(layers(), Apart::new(3), options).expect("a world");
    let view = |x: f64, y: f64, w: f64, h: f64| {
        let window = Bounds::with_origin([x, y], [w, h]).expect("a window");
        world.window(&window).expect("points").samples
    };
    let whole = view(-1000.0, 500.0, 60.0, 40.0);
    assert!(whole.len() > 2000, "{}", whole.len());
    let mut parts = view(-1000.0, 500.0, 17.0, 40.0);
    parts.extend(view(-983.0, 500.0, 43.0, 11.5));
    parts.extend(view(-983.0, 511.5, 43.0, 28.5));
    assert_eq!(bits(&whole), bits(&parts));
}

/// Regression: a large distance between layers of the same density took minutes and all memory, as each leaf collected
/// all points within it, and these needed all within theirs.
#[test]
fn a_large_distance_between_layers_needs_little_ground() {
    for turn in [0, 1] {
        let even = Layer::new(Constant::new(1.0).expect("a field"));
        let layers = vec![even.clone(), Layer { turn, ..even }];
        let options = ScatterOptions {
            max_bytes: Some(20_000_000),
            ..options(Rule::Max, 3)
        };
        let world = World::layered(layers, table(2, &[(0, 1, 100.0)]), options).expect("a world");
        let window = Bounds::from_size([30.0; 2]).expect("a window");
        let found = world.window(&window).expect("little memory").samples;
        assert!(found.len() > 600, "{}", found.len());
        assert_spaced(&found, Rule::Max, None);
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
        let grass = Within::new(Constant::new(least).expect("a field"), open);
        let trees = Layer::new(Constant::new(4.0).expect("a field"));
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
            if open == corner {
                assert_apart(&found, Rule::Mean, &[(0, 1, 2.0)]);
            } else {
                assert_spaced(&found, Rule::Mean, None);
            }
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
    let fields = || -> [Box<dyn RadiusField<2>>; 3] {
        let range = DistRange::new(0.5, 4.0).expect("a good range");
        [
            Box::new(rough(7)),
            Box::new(FnField::new(range, 0.05, |p: [f64; 2]| 0.5 + 0.05 * p[0]).expect("a slope")),
            Box::new(Constant::new(1.0).expect("a field")),
        ]
    };
    let options = ScatterOptions {
        seed: 3,
        ..ScatterOptions::default()
    };
    let mut layers: Vec<_> = fields().into_iter().map(Layer::new).collect();
    // Two layers equal in all but their number: their ids must differ.
    layers.push(Layer {
        seed: Some(11),
        ..Layer::new(Constant::new(1.0).expect("a field"))
    });
    layers[2].seed = Some(11);
    let pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
    let indifferent = table(4, &pairs.map(|(a, b)| (a, b, 0.0)));
    let layered =
        Scatter::layered(layers, indifferent, square(50.0), Edges::Open, options).expect("a run");
    let found = layered.points().expect("memory");
    let unnamed = |samples: &[Sample<2>]| {
        let plain = |s: &Sample<2>| {
            let position = s.position.map(f64::to_bits);
            (position, s.min_dist.to_bits(), s.value.to_bits())
        };
        let mut all: Vec<_> = samples.iter().map(plain).collect();
        all.sort_unstable();
        all
    };
    for (layer, field) in fields().into_iter().enumerate() {
        let of = found
            .samples
            .iter()
            .filter(|s| s.layer == Some(layer as u32));
        let of: Vec<_> = of.copied().collect();
        // The second layer's seed is derived, so its points cannot be compared.
        if layer == 1 {
            continue;
        }
        let seed = if layer == 2 { 11 } else { 3 };
        let alone = Scatter::new(field, square(50.0), ScatterOptions { seed, ..options });
        let alone = alone.expect("a run").points().expect("memory");
        assert_eq!(unnamed(&of), unnamed(&alone.samples), "layer {layer}");
    }
    let twins = [2, 3].map(|layer| {
        let of = found.samples.iter().filter(|s| s.layer == Some(layer));
        unnamed(&of.copied().collect::<Vec<_>>())
    });
    assert_eq!(twins[0], twins[1]);
    let mut ids: Vec<u64> = found.samples.iter().map(|s| s.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), found.samples.len());
}

#[test]
fn one_layer_is_a_scatter() {
    let options = ScatterOptions {
        seed: 8,
        ..ScatterOptions::default()
    };
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

#[test]
fn space_is_layered_too() {
    let big = Constant::new(2.0).expect("a field");
    let small = Constant::new(0.7).expect("a field");
    let apart = [(0, 1, 1.1)];
    let domain = Bounds::from_size([12.0; 3]).expect("a box");
    let layers = vec![Layer::new(big), Layer::new(small)];
    let options = ScatterOptions::default();
    let layered =
        Scatter::layered(layers, table(2, &apart), domain, Edges::Open, options).expect("a run");
    let whole = layered.points().expect("memory").samples;
    assert_apart(&whole, Rule::Max, &apart);
    let window = Bounds::with_origin([3.0; 3], [4.0; 3]).expect("a window");
    let inside = inside(&whole, &window);
    let found = layered.points_in(&window).expect("points").samples;
    assert_eq!(bits(&found), bits(&inside));
    assert!(inside.len() > 80, "{}", inside.len());
}
