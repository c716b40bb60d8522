//! Tests that points around a place are found, and no others.

use crate::common::bits::bits;
use crate::common::counting::Asked;
use crate::common::woods::woods;
use crate::common::{Random, even, options, squared, squared_around};
use sampler::density::Bounds;
use sampler::{Edges, PointLimit, Rule, Sample, SampleError, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;

#[test]
fn near_and_nearest_are_found() {
    let asked = Asked::default();
    for (number, wood) in woods::<2>(&asked).into_iter().enumerate() {
        let options = options(Rule::Mean, 7);
        let domain = Bounds::new([-20.0; 2], [20.0; 2]).expect("a box");
        let scatter = wood.bounded(domain, Edges::Open, options);
        let whole = scatter.points().expect("memory").samples;
        let world = World::bounded(scatter).with_budget(200_000);
        let mut random = Random(5);
        let (mut some, mut none) = (0, 0);
        for _ in 0..200 {
            let at = [0; 2].map(|_| -24.0 + 48.0 * random.unit());
            let radius = 5.0 * random.unit().powi(3);
            let from = |s: &Sample<2>| squared(s.position, at);
            let near = whole.iter().filter(|s| from(s) < radius * radius);
            let near: Vec<Sample<2>> = near.copied().collect();
            let found = world.near(at, radius).expect("points");
            assert_eq!(bits(&found), bits(&near), "wood {number}: {at:?} {radius}");
            let nearest = near.iter().min_by(|a, b| from(a).total_cmp(&from(b)));
            let found = world.nearest(at, radius).expect("a point");
            assert_eq!(found.as_ref(), nearest, "wood {number}: {at:?} {radius}");
            some += usize::from(found.is_some());
            none += usize::from(found.is_none());
            for sample in near.iter().take(3) {
                let found = world.find(sample.key(), at, radius).expect("a point");
                assert_eq!(found, Some(*sample));
                let other = (sample.key().0, sample.id ^ 1);
                assert_eq!(world.find(other, at, radius).expect("no point"), None);
            }
        }
        assert!(some > 50 && none > 50, "{some} {none}");
        let any = whole[17];
        let found = world.nearest(any.position, f64::INFINITY);
        assert_eq!(found.expect("a point"), Some(any));
        assert_eq!(world.nearest([0.0; 2], f64::NAN).expect("no point"), None);
    }
}

/// Regression: points across the edges of a tile were not found.
#[test]
fn near_looks_across_the_edges_of_a_tile() {
    let domain = Bounds::with_origin([10.0, -5.0], [40.0, 32.0]).expect("a box");
    let scatter = Scatter::tiled(even(2.0), domain, options(Rule::Max, 7)).expect("a run");
    let whole = scatter.points().expect("memory").samples;
    let world = World::bounded(scatter);
    let mut random = Random(9);
    let mut across = 0;
    for _ in 0..200 {
        let home = [10.0 + 40.0 * random.unit(), -5.0 + 32.0 * random.unit()];
        // A copy of the place, two tiles off.
        let at = [home[0] + 40.0, home[1] - 64.0];
        let radius = 25.0 * random.unit().powi(2);
        let from = |s: &Sample<2>| squared_around(s.position, home, domain.size());
        let mut near: Vec<_> = whole
            .iter()
            .filter(|s| from(s) < radius * radius)
            .copied()
            .collect();
        let mut found = world.near(at, radius).expect("points");
        across += found
            .iter()
            .filter(|s| squared(s.position, home) > radius * radius)
            .count();
        for samples in [&mut near, &mut found] {
            samples.sort_unstable_by_key(|sample| sample.id);
        }
        assert_eq!(bits(&found), bits(&near), "{at:?} {radius}");
        let nearest = near
            .iter()
            .min_by(|a, b| from(a).total_cmp(&from(b)))
            .copied();
        assert_eq!(world.nearest(at, radius).expect("a point"), nearest);
    }
    assert!(across > 1000, "{across}");
}

/// Regression: a cap, which is for windows, hid points that exist.
#[test]
fn near_knows_points_beyond_a_cap() {
    let new = |limit| {
        let options = ScatterOptions {
            limit,
            ..options(Rule::Max, 7)
        };
        World::new(even(1.0), options).expect("a world")
    };
    let capped = new(PointLimit::Cap(5));
    let all = new(PointLimit::Refuse(1000))
        .near([3.0, 4.0], 6.0)
        .expect("points");
    assert_eq!(capped.near([3.0, 4.0], 6.0).expect("points"), all);
    assert!(all.len() > 60);
    for tree in &all {
        let found = capped
            .find(tree.key(), tree.position, 4.0)
            .expect("a point");
        assert_eq!(found, Some(*tree));
    }
    let window = Bounds::from_size([9.0; 2]).expect("a window");
    let found = capped.window(&window).expect("a window");
    assert!(found.samples.len() == 5 && !found.complete);
}

/// A radius may be infinite or lost in rounding; a point that is not finite or too far away is
/// refused, as by `window`.
#[test]
fn near_finds_within_any_radius_and_refuses_no_place() {
    let domain = Bounds::new([1e6; 2], [1e6 + 20.0; 2]).expect("a box");
    let scatter = Scatter::new(even(2.0), domain, options(Rule::Max, 7)).expect("a run");
    let mut whole = scatter.points().expect("memory").samples;
    let bounded = World::bounded(scatter);
    let mut all = bounded.near([0.0; 2], f64::INFINITY).expect("points");
    for samples in [&mut whole, &mut all] {
        samples.sort_unstable_by_key(|sample| sample.id);
    }
    assert_eq!(bits(&all), bits(&whole));
    let any = whole[17];
    for radius in [1e-200, 1e-12, 1.0] {
        let found = bounded.near(any.position, radius).expect("a point");
        assert_eq!(found, [any], "{radius}");
    }
    for radius in [0.0, -1.0, f64::NAN] {
        assert_eq!(bounded.near(any.position, radius).expect("none"), []);
    }
    let endless = World::new(even(2.0), options(Rule::Max, 7)).expect("a world");
    let far = [
        [f64::NAN, 0.0],
        [0.0, f64::INFINITY],
        [1e200, 0.0],
        [0.0, 1e305],
    ];
    for point in far {
        for world in [&bounded, &endless] {
            let near = world.near(point, 2.0);
            assert!(matches!(near, Err(SampleError::TooFine { .. })), "{near:?}");
            for within in [2.0, f64::NAN] {
                let near = world.nearest(point, within);
                assert!(matches!(near, Err(SampleError::TooFine { .. })), "{near:?}");
            }
        }
    }
    let all = endless.near([0.0; 2], f64::INFINITY);
    assert!(matches!(all, Err(SampleError::TooFine { .. })), "{all:?}");
}
