//! Tests that layers of one turn and one map are scattered as one.

use crate::common::bits::bits;
use crate::common::checker::{Checker, assert_spaced};
use crate::common::layers::table;
use crate::common::{Random, even, field, greys, inside, options, square};
use sampler::density::{
    Bounds, GreyMap, MapOptions, MaskRegion, RadiusField, RadiusMap, Region, Scaled,
};
use sampler::{Edges, Layer, Rule, Sample, Scatter};
use spinney_sampler as sampler;
use std::sync::Arc;

const SIDE: f64 = 240.0;

/// Returns one map, built anew each time.
fn map() -> RadiusMap {
    field(&greys(&mut Random(8), 6, 0.0), 4.0, SIDE)
}

fn run(layers: Vec<Layer<'static, 2>>) -> Scatter<'static, 2> {
    let options = options(Rule::Mean, 5);
    let table = table(layers.len(), &[]);
    Scatter::layered(layers, table, square(SIDE), Edges::Open, options).expect("a run")
}

type Field = Arc<dyn RadiusField<2>>;

fn share(share: f64, field: &Field) -> Layer<'static, 2> {
    Layer {
        share,
        ..Layer::of(Arc::clone(field))
    }
}

/// Checks that each point has the distance and the value of its own layer's field.
fn assert_own(layered: &Scatter<'_, 2>, samples: &[Sample<2>]) {
    for sample in samples {
        let layer = sample.layer.expect("a layer") as usize;
        let field = &layered.layers()[layer].field;
        assert_eq!(field.min_dist(sample.position), Some(sample.min_dist));
        assert_eq!(field.value(sample.position), sample.value);
    }
}

/// Layers of one field are sampled together. Sampling each alone and thinning it would take several
/// times as long, and leave narrow gaps between layers.
#[test]
fn layers_of_one_map_are_one_set() {
    let shares = [1.0, 2.0, 5.0];
    let field: Field = Arc::new(map());
    let layered = run(shares.map(|of| share(of, &field)).into());
    let found = layered.points().expect("memory").samples;
    assert_spaced(&found, Rule::Mean);
    assert_own(&layered, &found);
    let of = |layer| found.iter().filter(|s| s.layer == Some(layer)).count() as f64;
    for (layer, share) in (0..).zip(shares) {
        let got = 8.0 * of(layer) / found.len() as f64;
        assert!((got / share - 1.0).abs() < 0.1, "{layer}: {got} of 8");
    }
    // Apart from their layers the points are those of the first layer alone.
    let alone = Scatter::new(map(), square(SIDE), *layered.options()).expect("a run");
    let places = |samples: &[Sample<2>]| {
        let mut places: Vec<_> = samples
            .iter()
            .map(|s| s.position.map(f64::to_bits))
            .collect();
        places.sort_unstable();
        places
    };
    assert_eq!(
        places(&found),
        places(&alone.points().expect("memory").samples)
    );
    let mut random = Random(2);
    for _ in 0..5 {
        let min = [0, 1].map(|_| random.between(0.0, SIDE - 10.0));
        let window = Bounds::with_origin(min, [9.0, 6.0]).expect("a window");
        let there = layered.points_in(&window).expect("points").samples;
        assert_eq!(bits(&there), bits(&inside(&found, &window)));
    }
}

fn flat(r: f64) -> Field {
    Arc::new(even(r))
}

fn times(factor: f64) -> Field {
    Arc::new(Scaled::new::<2>(map(), factor).expect("a factor"))
}

/// Layers sampled together share the ground that a smaller layer leaves. The choice of that ground
/// must be independent of its division among these layers.
#[test]
fn layers_that_are_one_share_what_a_small_one_leaves() {
    for [large, small] in [
        [flat(2.0), flat(1.5)],
        [flat(2.0), flat(0.7)],
        [times(1.0), times(0.4)],
    ] {
        let layered = run(vec![
            share(3.0, &large),
            share(1.0, &large),
            share(1.0, &small),
        ]);
        let found = layered.points().expect("memory").samples;
        assert_spaced(&found, Rule::Mean);
        assert_own(&layered, &found);
        let of = |layer| found.iter().filter(|s| s.layer == Some(layer)).count() as f64;
        let times = of(0) / of(1);
        assert!((2.7..3.3).contains(&times), "{} and {}", of(0), of(1));
    }
}

/// Returns the half of the square with small x for layer 0, with small y for layer 1.
fn part(layer: usize) -> Arc<dyn Region<2>> {
    let open = |x: u32, y: u32| if [x, y][layer] == 0 { 1.0 } else { 0.0 };
    let mask = GreyMap::from_fn(2, 2, open).expect("a map");
    let options = MapOptions {
        bounds: Some(square(SIDE)),
        ..MapOptions::default()
    };
    Arc::new(MaskRegion::new(&mask, 0.5, options).expect("a region"))
}

/// Each layer fills its own region, and both share the intersection.
#[test]
fn layers_of_one_map_may_grow_in_different_places() {
    let field: Field = Arc::new(map());
    let regions = [0, 1].map(part);
    let layer = |region: &Arc<dyn Region<2>>| Layer {
        region: Some(Arc::clone(region)),
        ..Layer::of(Arc::clone(&field))
    };
    let layered = run(regions.iter().map(layer).collect());
    let found = layered.points().expect("memory");
    assert_spaced(&found.samples, Rule::Mean);
    assert_own(&layered, &found.samples);
    for sample in &found.samples {
        let layer = sample.layer.expect("a layer") as usize;
        assert!(regions[layer].holds(sample.position), "{sample:?}");
    }
    let checker = Checker::new(&found.samples, Rule::Mean);
    for (layer, region) in (0..).zip(&regions) {
        let grows = |p| field.min_dist(p).filter(|_| region.holds(p));
        let tried = checker.assert_full(&square(SIDE), 20_000, Some(layer), grows);
        assert!(tried > 9000, "{tried}");
    }
    let both = |s: &&Sample<2>| s.position.iter().all(|&x| x < 0.5 * SIDE);
    let of = |layer| {
        let of = found.samples.iter().filter(|s| s.layer == Some(layer));
        of.filter(both).count() as f64
    };
    let times = of(0) / of(1);
    assert!((0.9..1.1).contains(&times), "{} and {}", of(0), of(1));
}

/// No pass searches ground that cannot be open to large points, as the small ones fill it.
#[test]
fn large_layers_do_not_return_to_ground_that_cannot_be_open() {
    let steps = |fields: [Field; 2]| {
        let layered = run(fields.map(Layer::of).into());
        let found = layered.points().expect("memory").samples;
        assert_spaced(&found, Rule::Mean);
        // The first bits of an id are the number of its pass.
        let passes = found.iter().map(|s| s.id >> (64 - 9));
        1 + passes.max().expect("points")
    };
    assert_eq!(steps([times(4.0), times(1.0)]), 2);
    assert_eq!(steps([flat(4.1), times(1.0)]), 2);
    // In its densest places the map's distances are less than the other layer's.
    assert_eq!(steps([times(2.0), flat(3.5)]), 3);
}
