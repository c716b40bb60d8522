//! Tests caps, ceilings, estimates and cancellation of `Scatter`.

use crate::common::checker::assert_spaced;
use crate::common::layers::table;
use crate::common::{Random, even, field, greys, pool, range, square};
use sampler::density::{
    Bounds, Constant, FnField, FnRegion, GreyMap, GridField, MapOptions, RadiusMap, Within,
};
use sampler::{
    Apart, Edges, Layer, PointLimit, Rule, Sample, SampleError, Scatter, ScatterOptions, Scattered,
    World,
};
use spinney_sampler as sampler;
use std::ops::ControlFlow;

fn uniform(side: f64, options: ScatterOptions) -> Scatter<'static, 2> {
    Scatter::new(even(1.0), square(side), options).expect("a good run")
}

fn capped(most: u64, levels: u32) -> ScatterOptions {
    ScatterOptions {
        limit: PointLimit::Cap(most),
        levels,
        ..ScatterOptions::default()
    }
}

fn streamed(scatter: &Scatter<'static, 2>) -> Scattered<2> {
    let mut all = Scattered::default();
    for part in scatter.stream().expect("memory") {
        let part = part.expect("memory");
        all.samples.extend(part.samples);
        all.complete &= part.complete;
        all.unresolved += part.unresolved;
        all.unresolved_volume += part.unresolved_volume;
    }
    all
}

/// A cap without ranks keeps the points that were decided first.
#[test]
fn a_cap_keeps_the_first_by_rank_and_id() {
    for levels in [0, 2] {
        let all = uniform(200.0, capped(u64::MAX, levels))
            .points()
            .expect("memory");
        let count = all.samples.len() as u64;
        assert!(all.complete && count > 25_000);
        let mut order: Vec<_> = all.samples.iter().map(|s| (s.rank, s.id)).collect();
        order.sort_unstable();
        for most in [0, 1000, count - 1, count] {
            let scatter = uniform(200.0, capped(most, levels));
            let found = scatter.points().expect("memory");
            assert_eq!(found.complete, most >= count, "{most} of {count}");
            let kept = &order[..count.min(most) as usize];
            let first = |s: &&Sample<2>| kept.binary_search(&(s.rank, s.id)).is_ok();
            let expected: Vec<Sample<2>> = all.samples.iter().filter(first).copied().collect();
            assert_eq!(found.samples, expected, "{most} of {count}");
            assert_eq!(found.unresolved, all.unresolved);
            let mut stream = streamed(&scatter);
            if levels > 0 {
                // Parts are sorted one by one.
                stream.samples.sort_unstable_by_key(|s| (s.rank, s.id));
            }
            assert_eq!(stream.samples, expected);
            assert_eq!(stream.complete, found.complete);
        }
    }
}

#[test]
fn a_cap_of_a_window_is_its_own() {
    for levels in [0, 2] {
        let scatter = uniform(200.0, capped(100, levels));
        let window = Bounds::new([20.0; 2], [50.0; 2]).expect("a good box");
        let all = uniform(200.0, capped(u64::MAX, levels)).points_in(&window);
        let mut all = all.expect("a window").samples;
        all.sort_unstable_by_key(|s| (s.rank, s.id));
        let world = World::bounded(scatter.clone());
        for found in [scatter.points_in(&window), world.window(&window)] {
            let mut found = found.expect("a window");
            assert!(!found.complete);
            found.samples.sort_unstable_by_key(|s| (s.rank, s.id));
            assert_eq!(found.samples, all[..100]);
        }
    }
}

#[test]
fn what_would_not_end_is_refused() {
    let field = even(1.0);
    let new = |side: f64, options| Scatter::new(field, square(side), options).map(|_| ());
    assert!(new(1e5, capped(10, 0)).is_ok());
    assert!(matches!(
        new(3e5, capped(10, 0)),
        Err(SampleError::TooManyToCap { cap: 10, .. })
    ));
    assert!(matches!(
        new(10.0, capped(10, 33)),
        Err(SampleError::TooManyLevels { levels: 33, .. })
    ));
    // The field is closed everywhere, but all blocks would have to be walked over.
    let empty =
        GridField::new(range(1.0, 1.0), 1e6, |_: [f64; 2]| None::<f64>).expect("a good field");
    assert!(matches!(
        Scatter::new(empty, square(1e9), ScatterOptions::default()).map(|_| ()),
        Err(SampleError::TooManyBlocks { .. })
    ));
    let world = World::new(field, ScatterOptions::default()).expect("a good run");
    assert!(matches!(
        world.window(&square(1e5)),
        Err(SampleError::TooManyPoints { .. })
    ));
    let far = Bounds::with_origin([1e12; 2], [10.0; 2]).expect("a good box");
    assert!(matches!(
        world.window(&far),
        Err(SampleError::TooFine { .. })
    ));
    assert!(world.window(&square(10.0)).is_ok());
}

#[test]
fn progress_is_told_and_can_break_off() {
    let all = uniform(300.0, ScatterOptions::default()).points();
    let all = all.expect("memory").samples.len() as u64;
    for (levels, cap) in [(0, 1000), (1, 1000), (0, u64::MAX), (1, u64::MAX)] {
        let scatter = uniform(300.0, capped(cap, levels));
        let mut seen = Vec::new();
        let points = scatter.points_with(|progress| {
            seen.push(progress);
            ControlFlow::Continue(())
        });
        let points = points.expect("memory").expect("not broken off");
        assert_eq!(points, scatter.points().expect("memory"));
        let last = *seen.last().expect("some progress");
        assert_eq!((last.done, last.of), (seen.len(), seen.len()));
        assert_eq!(last.points, all);
        assert!(seen.windows(2).all(|w| w[0].points < w[1].points));
    }
    for levels in [0, 1] {
        let options = ScatterOptions {
            levels,
            ..ScatterOptions::default()
        };
        let mut calls = 0;
        let broken = uniform(300.0, options).points_with(|progress| {
            calls += 1;
            if progress.done == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert!(broken.expect("memory").is_none() && calls == 2);
    }
    let scatter = uniform(300.0, ScatterOptions::default());
    let mut parts = 0;
    let flow = scatter.stream_with(|_, _| {
        parts += 1;
        ControlFlow::Break(())
    });
    assert!(flow.expect("memory").is_break() && parts == 1);
}

/// A run frees memory before it uses all that a thread may use. Without that, each of these would need
/// more.
#[test]
fn a_run_forgets_early_when_memory_is_scarce() {
    let options = ScatterOptions::default();
    let single = Scatter::new(even(1.0), square(700.0), options);
    let later = Layer {
        turn: 1,
        ..Layer::new(even(1.0))
    };
    let layers = vec![Layer::new(even(1.0)), later];
    let apart = table(2, &[(0, 1, 0.5)]);
    let long = Bounds::from_size([1050.0, 100.0]).expect("a good box");
    let layered = Scatter::layered(layers, apart, long, Edges::Open, options);
    let pool = pool(1);
    for scatter in [single, layered] {
        let scatter = scatter.expect("a good run");
        let all = pool.install(|| scatter.points()).expect("memory");
        let little = pool.install(|| scatter.with_budget(12_000_000).points());
        assert!(little.expect("memory enough") == all);
    }
}

/// A cap bounds memory with layers as with one field. Ranks are computed before points are dropped, so that all count.
#[test]
fn layers_under_a_cap_are_estimated_as_one_field_is() {
    let domain = square(1000.0);
    for (levels, at_most) in [(0, 1.1), (1, 2.0)] {
        let options = capped(1000, levels);
        let single = Scatter::new(even(1.0), domain, options).expect("a run");
        let layers = vec![Layer::new(even(1.0))];
        let layered = Scatter::layered(layers, Apart::new(1), domain, Edges::Open, options);
        let [single, layered] = [single, layered.expect("a run")].map(|run| run.estimate().bytes);
        let ratio = single.max(layered) / single.min(layered);
        assert!(ratio < at_most, "{levels}: {single} and {layered}");
        assert_eq!(single > 1e8, levels > 0, "{single}");
    }
}

/// Regression: one leaf took gigabytes, beyond any limit, where a field is much steeper than it says.
#[test]
fn a_leaf_that_is_divided_without_end_is_refused() {
    let steep =
        FnField::new(range(2.0, 8.0), 0.0, |p: [f64; 2]| 2.0 + 0.06 * p[0]).expect("a slope");
    let square = Bounds::from_size([100.0; 2]).expect("a box");
    let run = Scatter::new(steep, square, ScatterOptions::default()).expect("a run");
    for bytes in [400_000, 3_000_000, 100_000_000] {
        let refused = run.clone().with_budget(bytes).points();
        assert!(
            matches!(refused, Err(SampleError::MemorySpent { .. })),
            "{bytes}: {refused:?}"
        );
    }
}

/// Regression: fragments of a world that is thinner than any of them draw nothing, and took all memory.
#[test]
fn a_hair_of_a_world_is_refused() {
    let greys = [211, 58, 20, 96];
    let map = GreyMap::from_fn(5, 9, |x, y| match (x, y) {
        (4, 0) => f64::NAN,
        (x, 0) => f64::from(greys[x as usize]) / 255.0,
        (0, 1) => 20.0 / 255.0,
        _ => 0.0,
    });
    let hair = Bounds::from_size([1.226_562_5, 1e-300]).expect("a box");
    let options = MapOptions {
        bounds: Some(hair),
        ..MapOptions::default()
    };
    let field = RadiusMap::new(map.expect("a map"), range(0.125, 512.0), options);
    let options = ScatterOptions {
        rule: Rule::Own,
        ..ScatterOptions::default()
    };
    let run = Scatter::new(field.expect("a field"), hair, options).expect("a run");
    let refused = run.with_budget(32 << 20).points();
    assert!(
        matches!(refused, Err(SampleError::MemorySpent { .. })),
        "{refused:?}"
    );
}

/// Regression: a region with a generous slope took all memory, as millions of pieces of one leaf were neither open nor
/// closed.
#[test]
fn bounds_that_are_too_wide_are_refused() {
    let west = |slope| FnRegion::new(slope, |p: [f64; 2]| p[0] - 6.0).expect("a region");
    let of = |region| Within::new(even(1.0), region);
    let run = |region| Scatter::new(of(region), square(12.0), ScatterOptions::default());
    let world = World::new(of(west(1e4)), ScatterOptions::default()).expect("a world");
    let refused = world.window(&square(12.0));
    assert_eq!(refused, Err(SampleError::BoundsTooWide));
    assert_eq!(world.bytes(), 0);
    let searched = west(1e4).with_detail(0.5).expect("a detail");
    let [searched, known] = [searched, west(1.0)].map(|region| {
        run(region)
            .expect("a run")
            .points()
            .expect("memory")
            .samples
    });
    assert_eq!(searched, known);
    assert_spaced(&searched, Rule::Max);
}

/// The limit that an error reports is one thread's share, and the message says so.
#[test]
fn a_run_out_of_memory_names_the_share_of_a_thread() {
    let scatter = uniform(300.0, ScatterOptions::default()).with_budget(4_000_000);
    let refused = pool(4).install(|| scatter.points());
    let Err(
        error @ SampleError::MemorySpent {
            limit_megabytes, ..
        },
    ) = refused
    else {
        panic!("{refused:?}");
    };
    assert!((0.9..=1.0).contains(&limit_megabytes), "{limit_megabytes}");
    let message = error.to_string();
    assert!(
        message.contains("on one thread, more than its share of 1.0 MB"),
        "{message}"
    );
}

/// Blocks are evaluated in single precision. At the limits of the allowed range points keep their
/// distance and leave no gap; beyond it distances are refused.
#[test]
fn distances_of_any_scale_are_kept_or_refused() {
    let mut counts = Vec::new();
    for scale in [
        1e-150, 1e-30, 1e-22, 1e-16, 1e-15, 1e-8, 1.0, 1e8, 2e14, 1e15, 1e16, 1e20, 1e150,
    ] {
        let slope = move |p: [f64; 2]| scale + p[0] / 10.0;
        let field = FnField::new(range(scale, 4.0 * scale), 0.1, slope).expect("a good slope");
        let world = World::<2>::new(field.clone(), ScatterOptions::default());
        let scatter = match Scatter::new(&field, square(40.0 * scale), ScatterOptions::default()) {
            Err(SampleError::OutOfScale { .. }) => {
                assert!(!(1e-15..=2e14).contains(&scale), "{scale:e}");
                assert!(matches!(world, Err(SampleError::OutOfScale { .. })));
                continue;
            }
            other => other.expect("a good run"),
        };
        assert!((1e-15..=2e14).contains(&scale), "{scale:e}");
        assert!(world.is_ok());
        let points = scatter.points().expect("memory").samples;
        counts.push(points.len());
        assert_spaced(&points, Rule::Max);
    }
    let [least, most] = [counts.iter().min(), counts.iter().max()].map(|n| *n.expect("some"));
    assert!(
        counts.len() == 5 && 10 * (most - least) < most,
        "{counts:?}"
    );
}

/// White noise: distances change 20-fold within a pixel. Few fragments are unresolved, though bounds
/// are loose along the lines between pixels: covered cells must be recognised as such.
#[test]
fn steep_maps_leave_few_specks() {
    // At the rims of holes bounds are wider, and cells that are unlikely to hold a point are given up.
    for (holes, most, share) in [(0.0, 0.1, 1e-7), (0.1, 2.0, 1e-4)] {
        let mut random = Random(1);
        let greys = greys(&mut random, 80, holes);
        let field = field(&greys, 20.0, random.between(380.0, 400.0));
        let scatter = Scatter::new(&field, field.bounds(), ScatterOptions::default());
        let found = scatter.expect("a good run").points().expect("memory");
        let count = found.samples.len() as f64;
        let specks = found.unresolved as f64;
        println!(
            "{count} points, {specks} specks, {:e}",
            found.unresolved_volume
        );
        assert!(count > 500.0 && specks <= most * count, "{specks}");
        assert!(found.unresolved_volume < share * 160_000.0);
    }
}

fn assert_expected(expected: f64, found: usize, what: &str) {
    let off = expected / found as f64;
    assert!((0.85..1.2).contains(&off), "{what}: {expected} for {found}");
}

/// Checks the estimate for points one apart in a box of this size, and returns the box.
fn assert_box_expected<const D: usize>(size: [f64; D]) -> Bounds<D>
where
    Constant: density::RadiusField<D>,
{
    let domain = Bounds::from_size(size).expect("a good box");
    let field = even(1.0);
    let scatter = Scatter::new(field, domain, ScatterOptions::default()).expect("a good run");
    let expected = scatter.estimate().points;
    let found = scatter.points().expect("memory").samples.len();
    assert_expected(expected, found, &format!("{size:?}"));
    domain
}

/// Nothing beyond the edges conflicts with points. That allows most of the points of a domain thinner
/// than its distances: its area alone has room for a hundredth of them.
#[test]
fn thin_domains_are_estimated_too() {
    let field = even(1.0);
    let options = ScatterOptions::default();
    for size in [
        [1e4, 0.01],
        [0.3, 2e3],
        [2e3, 1.0],
        [1e3, 3.0],
        [90.0, 110.0],
    ] {
        let domain = assert_box_expected(size);
        let bridson = sampler::BridsonOptions::default();
        let bridson = sampler::Bridson::new(field, domain, bridson).expect("a good run");
        let expected = bridson.estimate().points;
        assert_expected(expected, bridson.count(), &format!("{size:?}, Bridson"));
    }
    for size in [[2e3, 0.01, 0.02], [60.0, 0.01, 50.0], [20.0, 30.0, 25.0]] {
        assert_box_expected(size);
    }
    // A tile has no edges.
    let domain = Bounds::from_size([4.0, 900.0]).expect("a good box");
    let tile = Scatter::tiled(field, domain, options).expect("a good run");
    let expected = tile.estimate().points;
    assert_expected(
        expected,
        tile.points().expect("memory").samples.len(),
        "a tile",
    );
    let options = ScatterOptions {
        limit: PointLimit::Refuse(10_000),
        ..options
    };
    let strip = Bounds::from_size([1e5, 0.01]).expect("a good box");
    let refused = Scatter::new(field, strip, options).map(|_| ());
    assert!(
        matches!(refused, Err(SampleError::TooManyPoints { .. })),
        "{refused:?}"
    );
}
