//! `Layered`: layers that share their ground by one map are scattered as one.

#[path = "common/apart.rs"]
mod apart;
mod common;

use apart::{Field, assert_apart, table};
use common::{Random, field, greys, square};
use sampler::density::{
    Bounds, Constant, GreyMap, MapOptions, MaskRegion, RadiusField, RadiusMap, Scaled, Within,
};
use sampler::{Layer, Layered, Rule, Sample, Scatter, ScatterOptions};
use spinney_sampler as sampler;

const SIDE: f64 = 80.0;

/// One map, read anew each time.
fn map() -> RadiusMap {
    field(&greys(&mut Random(8), 6, 0.0), 4.0, SIDE)
}

fn run(layers: Vec<Layer<Field<2>>>) -> Layered<2, Field<2>> {
    let options = ScatterOptions {
        rule: Rule::Mean,
        seed: 5,
        ..ScatterOptions::default()
    };
    let table = table(layers.len(), &[]);
    Layered::new(layers, table, square(SIDE), options).expect("a run")
}

fn share(share: f64, field: Field<2>) -> Layer<Field<2>> {
    Layer {
        share,
        ..Layer::new(field)
    }
}

/// What each layer's points say of the distances there is what its own field asks for.
fn assert_own(layered: &Layered<2, Field<2>>, samples: &[Sample<2>]) {
    for sample in samples {
        let layer = sample.layer.expect("a layer") as usize;
        let field = &layered.layers()[layer].field;
        assert_eq!(field.min_dist(sample.position), Some(sample.min_dist));
        assert_eq!(field.value(sample.position), sample.value);
    }
}

/// Each was scattered for itself and thinned, which took four times as long as one of them and left
/// hairs between for the first ones to come back to.
#[test]
fn layers_of_one_map_are_one_set() {
    let shares = [1.0, 2.0, 5.0];
    let layered = run(shares.map(|of| share(of, Box::new(map()))).into());
    let found = layered.points().samples;
    assert_apart(&found, Rule::Mean, &[]);
    assert_own(&layered, &found);
    let of = |layer| found.iter().filter(|s| s.layer == Some(layer)).count() as f64;
    for (layer, share) in (0..).zip(shares) {
        let got = 8.0 * of(layer) / found.len() as f64;
        assert!((got / share - 1.0).abs() < 0.25, "{layer}: {got} of 8");
    }
    // But for their layers they are the points of the first one alone.
    let alone = Scatter::new(map(), square(SIDE), *layered.options()).expect("a run");
    let places = |samples: &[Sample<2>]| {
        let mut places: Vec<_> = samples
            .iter()
            .map(|s| s.position.map(f64::to_bits))
            .collect();
        places.sort_unstable();
        places
    };
    assert_eq!(places(&found), places(&alone.points().samples));
    let mut random = Random(2);
    for _ in 0..5 {
        let min = [0, 1].map(|_| random.between(0.0, 70.0));
        let window = Bounds::with_origin(min, [9.0, 6.0]).expect("a window");
        let mut there = layered.points_in(&window).expect("points").samples;
        let mut inside: Vec<_> = found
            .iter()
            .filter(|s| window.contains(s.position))
            .copied()
            .collect();
        there.sort_unstable_by_key(|s| s.id);
        inside.sort_unstable_by_key(|s| s.id);
        assert_eq!(there, inside);
    }
}

/// The same lots said which points the two get and whose these are: the second had but a sixteenth.
#[test]
fn layers_that_are_one_share_what_a_small_one_leaves() {
    let even = |r| -> Field<2> { Box::new(Constant::new(r).expect("a distance")) };
    let times =
        |factor| -> Field<2> { Box::new(Scaled::new::<2>(map(), factor).expect("a factor")) };
    for [large, other, small] in [
        [even(2.0), even(2.0), even(1.5)],
        [even(2.0), even(2.0), even(0.7)],
        [times(1.0), times(1.0), times(0.4)],
    ] {
        let layered = run(vec![
            share(3.0, large),
            share(1.0, other),
            share(1.0, small),
        ]);
        let found = layered.points().samples;
        assert_apart(&found, Rule::Mean, &[]);
        assert_own(&layered, &found);
        let of = |layer| found.iter().filter(|s| s.layer == Some(layer)).count() as f64;
        let times = of(0) / of(1);
        assert!((2.2..4.2).contains(&times), "{} and {}", of(0), of(1));
    }
}

/// Only the west of a map, or only its south.
fn part(layer: usize) -> Field<2> {
    let open = |x: u32, y: u32| if [x, y][layer] == 0 { 1.0 } else { 0.0 };
    let mask = GreyMap::from_fn(2, 2, open).expect("a map");
    let options = MapOptions {
        bounds: Some(square(SIDE)),
        ..MapOptions::default()
    };
    let region = MaskRegion::new(&mask, 0.5, options).expect("a region");
    Box::new(Within::new(map(), region))
}

/// Each fills its own ground, and they share what both grow on.
#[test]
fn layers_of_one_map_may_grow_in_different_places() {
    let layered = run(vec![Layer::new(part(0)), Layer::new(part(1))]);
    let found = layered.points();
    assert_apart(&found.samples, Rule::Mean, &[]);
    assert_own(&layered, &found.samples);
    let mut random = Random(11);
    let mut asked = [0; 3];
    for _ in 0..20_000 {
        let p = [0, 1].map(|_| random.between(0.0, SIDE));
        let grows = [0, 1].map(|layer: usize| layered.layers()[layer].field.min_dist(p));
        let Some(r) = grows[0].or(grows[1]) else {
            continue;
        };
        let kind = usize::from(grows[1].is_some()) + usize::from(grows.iter().all(Option::is_some));
        asked[kind] += 1;
        let closed = found.samples.iter().any(|s| {
            let keep = 0.5 * (r + s.min_dist);
            let square: f64 = (0..2).map(|a| (p[a] - s.position[a]).powi(2)).sum();
            square < keep * keep
        });
        assert!(closed, "a hole at {p:?}");
    }
    assert!(asked.iter().all(|&n| n > 3000), "{asked:?}");
    let both = |s: &&Sample<2>| s.position.iter().all(|&x| x < 40.0);
    let of = |layer| {
        let of = found.samples.iter().filter(|s| s.layer == Some(layer));
        of.filter(both).count() as f64
    };
    assert!((0.75..1.33).contains(&(of(0) / of(1))));
}

/// Where flowers have left nothing for trees of the same map there was a search for it.
#[test]
fn nobody_comes_back_to_ground_that_cannot_be_open() {
    let times =
        |factor| -> Field<2> { Box::new(Scaled::new::<2>(map(), factor).expect("a factor")) };
    let even = |r| -> Field<2> { Box::new(Constant::new(r).expect("a distance")) };
    let steps = |fields: [Field<2>; 2]| {
        let layered = run(fields.map(Layer::new).into());
        let found = layered.points().samples;
        assert_apart(&found, Rule::Mean, &[]);
        // The step's number stands in an id's first bits: in one as long as there are two, else in two.
        let last = found.iter().filter(|s| s.layer == Some(1));
        let last = last.map(|s| s.id).min().expect("small ones");
        if last >= 1 << 63 { 2 } else { 3 }
    };
    assert_eq!(steps([times(4.0), times(1.0)]), 2);
    assert_eq!(steps([times(1.02), times(1.0)]), 2);
    assert_eq!(steps([times(1.005), times(1.0)]), 3);
    assert_eq!(steps([even(4.1), times(1.0)]), 2);
    // In its densest places the map asks for less than the last one.
    assert_eq!(steps([times(2.0), even(2.5)]), 3);
}
