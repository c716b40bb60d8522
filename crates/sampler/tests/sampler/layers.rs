//! Tests that every pair of layers keeps its distance and that each layer is maximal given the
//! others.

use crate::common::checker::Checker;
use crate::common::counting::Asked;
use crate::common::layers::{WOOD, rough, table, wood};
use crate::common::woods::{Wood, woods};
use crate::common::{even, options, square};
use sampler::density::Bounds;
use sampler::{
    Apart, Edges, Layer, LayersError, PointLimit, Progress, Rule, Sample, SampleError, Scatter,
    ScatterOptions, World,
};
use spinney_sampler as sampler;
use std::ops::ControlFlow;

/// Every pair keeps its distance, and no place is open to any layer: it conflicts with a point of the
/// layer or of an earlier one.
#[test]
fn layers_keep_apart_and_each_is_maximal_given_the_earlier() {
    for rule in Rule::OF_SCATTER {
        let (apart, domain) = (table(3, &WOOD), square(60.0));
        let run = Scatter::layered(wood(), apart, domain, Edges::Open, options(rule, 5));
        let run = run.expect("a run");
        assert_eq!(run.order(), [1, 2, 0]);
        let found = run.points().expect("memory");
        assert!(found.complete);
        // The edges of the first layer's map leave some fragments unresolved.
        let trees = Scatter::new(rough(3), domain, options(rule, 21));
        let trees = trees.expect("a run").points().expect("memory");
        let more = found.unresolved_volume - trees.unresolved_volume;
        assert!(more < 1e-6 * 3600.0, "{rule:?}: {more}");

        let all = found.samples;
        let near = Checker::new(&all, rule).with_fixed(&WOOD).assert_spaced();
        assert!(near.between_layers > 20, "{}", near.between_layers);
        for sample in &all {
            let layer = sample.layer.expect("a layer") as usize;
            let here = run.layers()[layer].field.min_dist(sample.position);
            assert_eq!(here, Some(sample.min_dist));
        }
        let mut decided = Vec::new();
        for &number in run.order() {
            let layer = Some(number as u32);
            let of: Vec<Sample<2>> = all.iter().filter(|s| s.layer == layer).copied().collect();
            // Under these rules little room is left for small points.
            let few = number == 0 && matches!(rule, Rule::Max | Rule::Prior);
            assert!(few || of.len() > 20, "{rule:?}: {} of {number}", of.len());
            // Earlier layers have smaller ids.
            let last = decided.iter().map(|s: &Sample<2>| s.id).max();
            assert!(of.iter().all(|s| Some(s.id) > last));
            decided.extend(of);
            let field = &run.layers()[number].field;
            let decided = Checker::new(&decided, rule).with_fixed(&WOOD);
            let tried = decided.assert_full(&domain, 30_000, layer, |p| field.min_dist(p));
            assert!(tried > 15_000, "{tried}");
        }
    }
}

/// Layers of a periodic domain keep their distances across its edges too.
#[test]
fn layers_of_a_tile_keep_apart_across_the_seam() {
    let asked = Asked::default();
    for (rule, seed) in Rule::OF_SCATTER.into_iter().zip(20..) {
        for (number, wood) in woods::<2>(&asked).into_iter().enumerate() {
            let domain = Bounds::with_origin([3.0, -8.0], [31.0, 27.0]).expect("a box");
            let samples = points_of_a_tile(&wood, domain, options(rule, seed));
            let checker = Checker::new(&samples, rule).with_fixed(&wood.fixed);
            let checker = checker.on_tile(&domain);
            let across = checker.assert_spaced().across_edges;
            assert!(
                across > 10,
                "wood {number}, {rule:?}: {across} pairs across the seam"
            );
            let last = wood.layers.iter().map(|layer| layer.turn).max();
            for (number, layer) in (0..).zip(&wood.layers) {
                if Some(layer.turn) == last {
                    let grows = |p| layer.region.as_ref().is_none_or(|region| region.holds(p));
                    let min_dist = |p| layer.field.min_dist(p).filter(|_| grows(p));
                    checker.assert_full(&domain, 1500, Some(number), min_dist);
                }
            }
        }
        let wood = &woods::<3>(&asked)[1];
        let domain = Bounds::with_origin([3.0, -8.0, 0.5], [8.0, 7.0, 7.5]).expect("a box");
        let samples = points_of_a_tile(wood, domain, options(rule, seed));
        let checker = Checker::new(&samples, rule).with_fixed(&wood.fixed);
        let across = checker.on_tile(&domain).assert_spaced().across_edges;
        assert!(
            across > 10,
            "{rule:?} in space: {across} pairs across the seam"
        );
    }
}

fn points_of_a_tile<const D: usize>(
    wood: &Wood<D>,
    domain: Bounds<D>,
    options: ScatterOptions,
) -> Vec<Sample<D>> {
    let run = wood.bounded(domain, Edges::Tiled, options);
    let samples = run.points().expect("memory").samples;
    assert!(samples.iter().all(|s| domain.contains(s.position)));
    samples
}

#[test]
fn a_cap_takes_from_every_layer() {
    let layers = || vec![Layer::new(even(1.0)); 2];
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
    for (rule, radii) in [
        (Rule::Max, [2.0, 0.5, 0.7]),
        (Rule::Mean, [2.0, 0.5, 0.7]),
        (Rule::Mean, [0.7, 0.9, 1.2]),
        (Rule::Min, [3.0, 1.0, 0.5]),
    ] {
        let options = options(rule, 0);
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
    let even = even(1.0);
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
    let even = even(0.5);
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
