//! Tests that every pair of layers keeps its distance and that each layer is maximal given the
//! others. The checkers share nothing with the sampler.

use crate::common::apart::{assert_apart, keep, table};
use crate::common::layers::{WOOD, rough, wood};
use crate::common::{RULES, Random, square};
use sampler::density::{Bounds, Constant};
use sampler::{
    Apart, Edges, Layer, LayersError, PointLimit, Progress, Rule, Sample, SampleError, Scatter,
    ScatterOptions, World,
};
use spinney_sampler as sampler;
use std::ops::ControlFlow;

#[test]
fn every_pair_of_layers_keeps_its_distance() {
    for rule in RULES {
        let options = ScatterOptions {
            rule,
            seed: 5,
            ..ScatterOptions::default()
        };
        let layered = Scatter::layered(wood(), table(3, &WOOD), square(60.0), Edges::Open, options)
            .expect("a run");
        assert_eq!(layered.order(), [1, 2, 0]);
        let found = layered.points().expect("memory");
        assert!(found.complete);
        assert_apart(&found.samples, rule, &WOOD);
        let counts = [0, 1, 2].map(|layer| {
            let of = |s: &&Sample<2>| s.layer == Some(layer);
            found.samples.iter().filter(of).count()
        });
        assert!(counts[1..].iter().all(|&n| n > 20), "{rule:?}: {counts:?}");
        // Under these rules little room is left for small points.
        let few = matches!(rule, Rule::Max | Rule::Prior);
        assert!(few || counts[0] > 20, "{rule:?}: {counts:?}");
        // Earlier layers have smaller ids.
        let ends = |layer| {
            let ids = found.samples.iter().filter(|s| s.layer == Some(layer));
            let ids: Vec<u64> = ids.map(|s| s.id).collect();
            (ids.iter().min().copied(), ids.iter().max().copied())
        };
        assert!(ends(1).1 < ends(2).0);
        assert!(counts[0] == 0 || ends(2).1 < ends(0).0);
        for sample in &found.samples {
            let layer = sample.layer.expect("a layer") as usize;
            let here = layered.layers()[layer].field.min_dist(sample.position);
            assert_eq!(here, Some(sample.min_dist));
        }
    }
}

/// No place of many is open to any layer: it conflicts with a point of the layer or of an earlier
/// one.
#[test]
fn each_layer_is_maximal_given_the_earlier() {
    for rule in [Rule::Max, Rule::Mean, Rule::Prior] {
        let options = ScatterOptions {
            rule,
            seed: 1,
            ..ScatterOptions::default()
        };
        let layered = Scatter::layered(wood(), table(3, &WOOD), square(60.0), Edges::Open, options)
            .expect("a run");
        let found = layered.points().expect("memory");
        // The edges of the first layer's map leave some fragments unresolved.
        let trees = ScatterOptions {
            seed: 21,
            ..options
        };
        let trees = Scatter::new(rough(3), square(60.0), trees).expect("a run");
        let more = found.unresolved_volume - trees.points().expect("memory").unresolved_volume;
        assert!(more < 1e-6 * 3600.0, "{more}");
        let mut rows: Vec<Vec<&Sample<2>>> = vec![Vec::new(); 60];
        for sample in &found.samples {
            rows[sample.position[1] as usize].push(sample);
        }
        let mut random = Random(9);
        let (mut open, mut asked) = (0, [0; 3]);
        for _ in 0..30_000 {
            let p = [0, 1].map(|_| random.between(0.0, 60.0));
            for (place, &layer) in layered.order().iter().enumerate() {
                let Some(here) = layered.layers()[layer].field.min_dist(p) else {
                    continue;
                };
                asked[layer] += 1;
                let earlier = &layered.order()[..=place];
                let newcomer = Sample {
                    id: u64::MAX,
                    position: p,
                    min_dist: here,
                    value: 0.0,
                    parent: None,
                    rank: None,
                    layer: Some(layer as u32),
                };
                // No distance here exceeds 6.
                let (from, to) = ((p[1] - 6.0).max(0.0), (p[1] + 6.0).min(59.5));
                let near = rows[from as usize..=to as usize].iter().flatten();
                let closed = near
                    .filter(|s| s.layer.is_some_and(|l| earlier.contains(&(l as usize))))
                    .any(|s| {
                        let keep = keep(s, &newcomer, rule, &WOOD);
                        let square: f64 = (0..2).map(|k| (p[k] - s.position[k]).powi(2)).sum();
                        square < keep * keep
                    });
                open += u32::from(!closed);
            }
        }
        assert!(asked.iter().all(|&n| n > 15_000), "{asked:?}");
        assert_eq!(open, 0, "{rule:?}: open places");
    }
}

#[test]
fn a_cap_takes_from_every_layer() {
    let layers = || {
        let even = Constant::new(1.0).expect("a field");
        vec![Layer::new(even), Layer::new(even)]
    };
    let apart = || table(2, &[(0, 1, 0.0)]);
    let options = ScatterOptions {
        limit: PointLimit::Cap(400),
        ..ScatterOptions::default()
    };
    let run =
        Scatter::layered(layers(), apart(), square(40.0), Edges::Open, options).expect("a run");
    let found = run.points().expect("memory");
    assert!(!found.complete);
    assert_eq!(found.samples.len(), 400);
    let first = found.samples.iter().filter(|s| s.layer == Some(0)).count();
    assert!((197..=203).contains(&first), "{first}");
    let few = ScatterOptions {
        limit: PointLimit::Refuse(2000),
        ..options
    };
    let refused = Scatter::layered(layers(), apart(), square(40.0), Edges::Open, few).map(|_| ());
    assert!(
        matches!(refused, Err(SampleError::TooManyPoints { expected, .. }) if expected > 2100.0)
    );
}

/// The estimate is about the number of points.
#[test]
fn estimates_are_of_use() {
    let even = |r| Constant::new(r).expect("a field");
    for (rule, radii) in [
        (Rule::Max, [2.0, 0.5, 0.7]),
        (Rule::Mean, [2.0, 0.5, 0.7]),
        (Rule::Mean, [0.7, 0.9, 1.2]),
        (Rule::Min, [3.0, 1.0, 0.5]),
    ] {
        let options = ScatterOptions {
            rule,
            ..ScatterOptions::default()
        };
        let layers = radii.map(|r| Layer::new(even(r))).to_vec();
        let run = Scatter::layered(layers, Apart::new(3), square(60.0), Edges::Open, options)
            .expect("a run");
        let estimate = run.estimate();
        let found = run.points().expect("memory");
        let counts = [0, 1, 2].map(|layer| {
            let of = |s: &&Sample<2>| s.layer == Some(layer);
            found.samples.iter().filter(of).count()
        });
        let ratio = estimate.points / found.samples.len() as f64;
        println!(
            "{rule:?} {radii:?}: {:.0?} expected, {counts:?} came",
            run.expected()
        );
        assert!((0.6..1.6).contains(&ratio), "{rule:?} {radii:?}: {ratio}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let even = Constant::new(1.0).expect("a field");
    let options = ScatterOptions::default();
    let new = |layers, apart| {
        Scatter::layered(layers, apart, square(9.0), Edges::Open, options).map(|_| ())
    };
    let refused = |result| match result {
        Err(SampleError::Layers(error)) => error,
        other => panic!("{other:?}"),
    };
    assert!(matches!(
        refused(new(Vec::new(), Apart::new(0))),
        LayersError::Number { layers: 0, .. }
    ));
    assert!(matches!(
        refused(new(vec![Layer::new(even); 257], Apart::new(257))),
        LayersError::Number { layers: 257, .. }
    ));
    assert!(matches!(
        refused(new(vec![Layer::new(even); 2], Apart::new(3))),
        LayersError::Table {
            table: 3,
            layers: 2
        }
    ));
    for share in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let layer = Layer {
            share,
            ..Layer::new(even)
        };
        assert!(matches!(
            refused(new(vec![layer], Apart::new(1))),
            LayersError::Share { layer: 0, .. }
        ));
    }
    let parent = ScatterOptions {
        rule: Rule::Parent,
        ..options
    };
    let run = Scatter::layered(
        vec![Layer::new(even)],
        Apart::new(1),
        square(9.0),
        Edges::Open,
        parent,
    );
    assert!(matches!(run.map(|_| ()), Err(SampleError::NoParents)));
    let world = World::layered(vec![Layer::new(even)], Apart::new(1), options).expect("a world");
    let vast = Bounds::from_size([1e8; 2]).expect("a box");
    assert!(world.window(&vast).is_err());
}

#[test]
fn a_run_can_be_broken_off() {
    let even = Constant::new(0.5).expect("a field");
    let layers = vec![Layer::new(even); 2];
    let apart = table(2, &[(0, 1, 0.2)]);
    let options = ScatterOptions::default();
    let run = Scatter::layered(layers, apart, square(300.0), Edges::Open, options).expect("a run");
    let mut last = Progress::default();
    let found = run.points_with(|at| {
        assert!(at.done <= at.of && at.points >= last.points);
        last = at;
        if at.points > 100_000 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(found.expect("memory").is_none());
    assert!(last.points > 100_000 && last.done < last.of, "{last:?}");
    let broken = run.points_with(|_| ControlFlow::Break(()));
    assert!(broken.expect("memory").is_none());
}
