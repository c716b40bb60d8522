//! Tests `Scatter` with a given number of points.

use crate::common::checker::{Checker, assert_spaced};
use crate::common::{even, range, square};
use sampler::density::{
    Bounds, DynField, FnField, GreyMap, MapOptions, RadiusField, RadiusMap, Scaled,
};
use sampler::{
    Apart, Avoiding, Counted, Edges, Layer, Obstacle, PointLimit, Rule, SampleError, Scatter,
    ScatterOptions,
};
use spinney_sampler as sampler;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Returns a map of which one half is dense, a quarter sparse, and a quarter empty.
fn uneven() -> RadiusMap {
    let map = GreyMap::from_fn(64, 64, |x, y| match (x, y) {
        (0..32, 0..32) => f64::NAN,
        (0..32, _) => 1.0,
        _ => 0.0,
    });
    let options = MapOptions {
        bounds: Some(square(100.0)),
        ..MapOptions::default()
    };
    RadiusMap::new(map.expect("a good map"), range(1.0, 2.0), options).expect("a good field")
}

/// Returns `count` points of the run that `scaled` returns for a factor.
fn counted<'f>(
    scaled: impl FnMut(f64, ScatterOptions) -> Result<Scatter<'f, 2>, SampleError>,
    options: ScatterOptions,
    count: u64,
) -> Result<Counted<'f, 2>, SampleError> {
    let go_on = |_| ControlFlow::Continue(());
    let found = Scatter::with_count_of(scaled, options, count, go_on)?;
    Ok(found.expect("nothing broke it off"))
}

#[test]
fn so_many_points_as_asked_for() {
    let field = uneven();
    for (count, levels) in [(1, 0), (10, 0), (150, 3), (1000, 0), (5000, 0), (20_000, 2)] {
        for edges in [Edges::Open, Edges::Tiled] {
            let options = ScatterOptions {
                levels,
                ..ScatterOptions::default()
            };
            let found = Scatter::with_count(&field, square(100.0), edges, options, count);
            if count == 1 && edges == Edges::Tiled {
                // A tile must be twice as large as the greatest distance.
                assert!(matches!(found, Err(SampleError::TileTooSmall { .. })));
                continue;
            }
            let found = found.expect("possible");
            assert_eq!(found.points.samples.len() as u64, count);
            let allowed = if count < 150 && edges == Edges::Tiled {
                count
            } else if count < 1000 {
                count / 10 + 2
            } else {
                count / 200
            };
            assert!(found.dropped <= allowed, "{} of {count}", found.dropped);
            let all = found.scatter.points().expect("memory");
            assert_eq!(all.samples.len() as u64, count + found.dropped);
            let mut sorted: Vec<_> = all.samples.iter().map(|s| (s.rank, s.id)).collect();
            sorted.sort_unstable();
            let last = sorted[count as usize - 1];
            let kept = all.samples.iter().filter(|s| (s.rank, s.id) <= last);
            assert!(kept.eq(&found.points.samples));
            let scaled = &found.scatter.layers()[0].field;
            for sample in found.points.samples.iter().take(100) {
                let plain = field.min_dist(sample.position).expect("open");
                assert_eq!(scaled.min_dist(sample.position), Some(sample.min_dist));
                let factor = sample.min_dist / plain;
                assert!((factor / found.factor - 1.0).abs() < 1e-12, "{factor}");
            }
        }
    }
}

#[test]
fn so_many_points_in_space() {
    let field =
        FnField::new(range(1.0, 3.0), 0.2, |p: [f64; 3]| 1.0 + 0.2 * p[0]).expect("a slope");
    let domain = Bounds::from_size([10.0; 3]).expect("a good box");
    let options = ScatterOptions::default();
    let found = Scatter::with_count(field, domain, Edges::Open, options, 3000);
    let found = found.expect("possible");
    assert_eq!(found.points.samples.len(), 3000);
    assert!(found.dropped <= 15);
}

/// In a strip the number of points grows with the factor, not with its square: the first guess is far
/// off.
#[test]
fn so_many_points_in_a_strip() {
    for (length, count) in [(1e5, 1), (1e5, 50), (1e5, 500), (1e7, 50)] {
        let strip = Bounds::from_size([1.0, length]).expect("a good box");
        let options = ScatterOptions::default();
        let found = Scatter::with_count(even(4.0), strip, Edges::Open, options, count);
        let found = found.unwrap_or_else(|e| panic!("{count} in {length}: {e}"));
        assert_eq!(found.points.samples.len() as u64, count);
        assert!(
            found.dropped <= count / 10 + 2,
            "{} of {count}",
            found.dropped
        );
    }
}

/// Fields for which the factor is harder to find, and many points.
#[test]
fn so_many_points_of_any_field() {
    let options = MapOptions {
        bounds: Some(square(200.0)),
        ..MapOptions::default()
    };
    // A smooth hill of grey, and one of two greys with a hard edge.
    let hill = |x: u32, y: u32| {
        let wave = |i: u32| 0.5 - 0.5 * (f64::from(i) / 64.0 * std::f64::consts::TAU).cos();
        wave(x) * wave(y)
    };
    let map = |grey: &dyn Fn(u32, u32) -> f64| {
        let map = GreyMap::from_fn(64, 64, grey).expect("a good map");
        RadiusMap::new(map, range(1.0, 16.0), options).expect("a good field")
    };
    let smooth = map(&hill);
    let hard = map(&|x, y| f64::from(u8::from(hill(x, y) > 0.3)));
    let found = |field: &RadiusMap, count| {
        let options = ScatterOptions::default();
        let found = Scatter::with_count(field, square(200.0), Edges::Open, options, count);
        let found = found.expect("possible");
        (found.dropped, found.points.samples)
    };
    let mut all = Vec::new();
    for (field, name) in [(&smooth, "smooth"), (&hard, "hard-edged")] {
        for count in [1000, 4000, 20_000] {
            let (dropped, samples) = found(field, count);
            all.push((name, count, dropped, samples));
        }
    }
    let options = ScatterOptions::default();
    let many = Scatter::with_count(even(1.0), square(300.0), Edges::Open, options, 100_000);
    let many = many.expect("possible");
    all.push(("uniform", 100_000, many.dropped, many.points.samples));
    for (name, count, dropped, samples) in &all {
        println!("{name}: {dropped} of {count}");
        assert_eq!(samples.len() as u64, *count, "{name}");
        assert!(*dropped <= count / 200, "{name}: {dropped} of {count}");
        assert_spaced(samples, Rule::Max);
    }
}

/// The distances from obstacles stay as they are, however far apart the points come to lie.
#[test]
fn so_many_points_clear_of_obstacles() {
    let field = uneven();
    let houses: Vec<Obstacle<2>> = [[70.0, 20.0], [75.0, 80.0], [55.0, 50.0]]
        .map(|position| Obstacle {
            position,
            min_dist: 15.0,
        })
        .into();
    for (edges, count) in [(Edges::Open, 300), (Edges::Open, 2000), (Edges::Tiled, 800)] {
        let scaled = |factor, options| -> Result<_, SampleError> {
            let (field, there) = (Scaled::new(&field, factor)?, houses.clone());
            match edges {
                Edges::Open => {
                    let clear = Avoiding::new(field, Rule::Max, there)?;
                    Scatter::new(clear, square(100.0), options)
                }
                Edges::Tiled => {
                    let clear = Avoiding::tiled(field, Rule::Max, there, &square(100.0))?;
                    Scatter::tiled(clear, square(100.0), options)
                }
            }
        };
        let found = counted(scaled, ScatterOptions::default(), count).expect("possible");
        let samples = found.points.samples;
        assert_eq!(samples.len() as u64, count);
        assert!(found.dropped <= count / 10, "{} of {count}", found.dropped);
        assert_spaced(&samples, Rule::Max);
        let from_house = |house: &Obstacle<2>| {
            let squares = samples.iter().map(|s| {
                let [x, y] = [0, 1].map(|a| s.position[a] - house.position[a]);
                x * x + y * y
            });
            squares.fold(f64::INFINITY, f64::min).sqrt()
        };
        for house in &houses {
            let nearest = from_house(house);
            assert!((15.0..22.0).contains(&nearest), "{nearest}");
        }
    }
}

/// The distances as they are leave no room beside the obstacle, or next to none.
#[test]
fn so_many_points_where_obstacles_leave_no_room_at_first() {
    let house = Obstacle {
        position: [1.5, 1.5],
        min_dist: 0.2,
    };
    for edges in [Edges::Open, Edges::Tiled] {
        for rule in [Rule::Max, Rule::Mean, Rule::Own, Rule::Min] {
            for distance in [1e-6, 1.4, 4.0, 1e3] {
                let scaled = |factor, options: ScatterOptions| -> Result<_, SampleError> {
                    let field = Scaled::new::<2>(even(distance), factor)?;
                    match edges {
                        Edges::Open => {
                            let clear = Avoiding::new(field, rule, vec![house])?;
                            Scatter::new(clear, square(3.0), options)
                        }
                        Edges::Tiled => {
                            let clear = Avoiding::tiled(field, rule, vec![house], &square(3.0))?;
                            Scatter::tiled(clear, square(3.0), options)
                        }
                    }
                };
                let options = ScatterOptions {
                    rule,
                    ..ScatterOptions::default()
                };
                let found = counted(scaled, options, 50);
                let found = found.unwrap_or_else(|e| panic!("{rule:?}, {distance}: {e}"));
                let samples = found.points.samples;
                assert_eq!(samples.len(), 50, "{rule:?}, {distance}");
                assert_spaced(&samples, rule);
            }
        }
    }
}

/// All layers together, with the distances between them. Layers that share a field go on to share one.
#[test]
fn so_many_points_of_all_layers() {
    let trees: DynField<2> = Arc::new(even(4.0));
    let oaks = Layer {
        share: 3.0,
        ..Layer::of(Arc::clone(&trees))
    };
    let flowers = Layer {
        turn: 1,
        ..Layer::new(uneven())
    };
    let layers = [oaks, Layer::of(trees), flowers];
    let mut apart = Apart::new(3);
    for tree in [0, 1] {
        apart.set(tree, 2, 2.0).expect("a good distance");
    }
    for count in [200, 3000] {
        let scaled = |factor, options| -> Result<_, SampleError> {
            let layers = Layer::scaled(&layers, factor)?;
            Scatter::layered(
                layers,
                apart.scaled(factor)?,
                square(100.0),
                Edges::Open,
                options,
            )
        };
        let found = counted(scaled, ScatterOptions::default(), count).expect("possible");
        let samples = found.points.samples;
        assert_eq!(samples.len() as u64, count);
        assert!(found.dropped <= count / 10, "{} of {count}", found.dropped);
        let between = 2.0 * found.factor;
        Checker::new(&samples, Rule::Max)
            .with_fixed(&[(0, 2, between), (1, 2, between)])
            .assert_spaced();
        let number = |layer| samples.iter().filter(|s| s.layer == Some(layer)).count();
        let [oaks, elms] = [number(0), number(1)];
        let share = oaks as f64 / (oaks + elms) as f64;
        assert!((0.6..0.9).contains(&share), "{oaks} and {elms}");
        let scaled = found.scatter.layers();
        assert_eq!(scaled[0].field.range().lo(), 4.0 * found.factor);
        assert!(Arc::ptr_eq(&scaled[0].field, &scaled[1].field));
    }
}

/// Distances that are impossible as they are, but not for so many points.
#[test]
fn so_many_points_of_a_field_in_another_unit() {
    let options = ScatterOptions::default();
    for distance in [1e-14, 1e-9, 1e5, 1e13] {
        for edges in [Edges::Open, Edges::Tiled] {
            let found = Scatter::with_count(even(distance), square(100.0), edges, options, 1000);
            let found = found.unwrap_or_else(|e| panic!("{distance}: {e}"));
            assert_eq!(found.points.samples.len(), 1000);
        }
    }
}

#[test]
fn counts_that_cannot_be_are_refused() {
    let count = |field: &RadiusMap, limit, n| {
        let options = ScatterOptions {
            limit,
            ..ScatterOptions::default()
        };
        let found = Scatter::with_count(field, square(100.0), Edges::Open, options, n);
        found.map(|found| found.points.samples.len())
    };
    let field = uneven();
    let refuse = PointLimit::Refuse(100);
    assert_eq!(count(&field, refuse, 0), Err(SampleError::NoCount));
    assert_eq!(count(&field, refuse, 100), Ok(100));
    let too_many = SampleError::CountAboveLimit {
        count: 101,
        ceiling: 100,
    };
    assert_eq!(count(&field, refuse, 101), Err(too_many));
    let empty = GreyMap::from_fn(4, 4, |_, _| f64::NAN).expect("a good map");
    let empty =
        RadiusMap::new(empty, range(1.0, 2.0), MapOptions::default()).expect("a good field");
    assert!(matches!(
        count(&empty, refuse, 10),
        Err(SampleError::CountOutOfReach { count: 10, most: 0 })
    ));
}
