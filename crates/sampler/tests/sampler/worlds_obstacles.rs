//! Tests obstacles that are put into a world and taken out again. Points are those of a world that
//! had the obstacles from the start, no point conflicts with an obstacle, and no hole is left around
//! them. Distant points do not change and are not evaluated again.

use crate::common::bits::bits;
use crate::common::checker::Checker;
use crate::common::counting::Counting;
use crate::common::layers::table;
use crate::common::obstacles::{assert_clear, is_clear, obstacles};
use crate::common::{Random, even, inside, options, pool, range, squared_around};
use sampler::density::{Bounds, GridField, GridRegion, RadiusField, Within};
use sampler::{AvoidError, Edges, Layer, Obstacle, Rule, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;
use std::sync::{Arc, mpsc};

/// Returns hills from `lo` to three times that.
fn hills<const D: usize>(lo: f64) -> GridField<D> {
    let field = GridField::new(range(lo, 3.0 * lo), lo, move |p: [f64; D]| {
        let wave = |a: usize| ((p[a] / (20.0 * lo) + 0.3 * a as f64).rem_euclid(2.0) - 1.0).abs();
        lo + 2.0 * lo * (0..D).map(wave).sum::<f64>() / D as f64
    });
    field.expect("a field")
}

/// Returns a field with holes.
fn glades<const D: usize>(lo: f64) -> Within<GridField<D>, GridRegion<D>> {
    let stripes = GridRegion::new(lo, move |p: [f64; D]| {
        (p[0] / (9.0 * lo)).rem_euclid(2.0) < 1.2
    });
    Within::new(hills(lo), stripes.expect("a region"))
}

/// Puts some obstacles in, then more, and takes some out, with a window after each change.
fn put_and_take<const D: usize>(
    world: &dyn Fn() -> World<D>,
    view: &Bounds<D>,
    (rule, seed): (Rule, u64),
    sizes: [f64; 2],
) {
    let mut random = Random(seed);
    let changing = world();
    let bare = changing.window(view).expect("points").samples;
    let all = obstacles(view, 12, sizes, &mut random);
    let (first, second) = all.split_at(7);
    let fresh = |all: &[Obstacle<D>]| {
        let world = world();
        world.put(all).expect("obstacles");
        world.window(view).expect("points")
    };
    changing.put(first).expect("obstacles");
    let some = changing.window(view).expect("points");
    assert!(bits(&some.samples) != bits(&bare), "nothing happened");
    assert_eq!(bits(&some.samples), bits(&fresh(first).samples), "{rule:?}");
    assert_clear(&some.samples, rule, first);
    changing.put(second).expect("obstacles");
    let more = changing.window(view).expect("points");
    assert_eq!(bits(&more.samples), bits(&fresh(&all).samples), "{rule:?}");
    assert_clear(&more.samples, rule, &all);
    assert_eq!(changing.take(first), first.len());
    let left = changing.window(view).expect("points");
    assert_eq!(
        bits(&left.samples),
        bits(&fresh(second).samples),
        "{rule:?}"
    );
    assert_eq!(changing.take(first), 0);
    assert_eq!(changing.obstacles().len(), second.len());
    assert_eq!(changing.take(second), second.len());
    let last = changing.window(view).expect("points").samples;
    assert_eq!(bits(&last), bits(&bare), "{rule:?}");
}

fn view<const D: usize>(from: f64, side: f64) -> Bounds<D> {
    Bounds::with_origin([from; D], [side; D]).expect("a view")
}

#[test]
fn points_are_those_of_a_world_that_had_them_from_the_start() {
    for (seed, rule) in (1..).zip(Rule::OF_SCATTER) {
        let what = (rule, seed);
        let flat = || World::new(even(1.0), options(rule, seed)).expect("a world");
        put_and_take(&flat, &view::<2>(-31.0, 40.0), what, [1.0, 9.0]);
        let waves = || World::new(hills(1.0), options(rule, seed)).expect("a world");
        put_and_take(&waves, &view::<2>(200.0, 60.0), what, [2.0, 12.0]);
        let masked = || World::new(glades(1.0), options(rule, seed)).expect("a world");
        put_and_take(&masked, &view::<2>(-90.0, 50.0), what, [2.0, 12.0]);
    }
}

#[test]
fn points_in_space_are_those_of_a_world_that_had_them_from_the_start() {
    let world = || World::new(even(1.0), options(Rule::Max, 1)).expect("a world");
    put_and_take(&world, &view::<3>(-3.0, 5.0), (Rule::Max, 1), [1.0, 2.0]);
}

/// Three layers that depend on each other; two hold one field.
#[test]
fn layers_are_those_of_a_world_that_had_them_from_the_start() {
    for (seed, rule) in [(1, Rule::Max), (2, Rule::Mean), (3, Rule::Prior)] {
        let field: Arc<dyn RadiusField<2>> = Arc::new(hills(1.0));
        let world = || {
            let layers = vec![
                Layer::of(Arc::clone(&field)),
                Layer::of(Arc::clone(&field)),
                Layer {
                    turn: 1,
                    ..Layer::new(even(0.8))
                },
            ];
            let apart = table(3, &[(0, 2, 1.1)]);
            World::layered(layers, apart, options(rule, seed)).expect("a world")
        };
        put_and_take(&world, &view::<2>(-20.0, 45.0), (rule, seed), [2.0, 8.0]);
    }
}

/// A bounded world with obstacles beyond its edges, and a periodic one with obstacles across them.
#[test]
fn obstacles_act_beyond_open_edges_and_across_those_of_a_tile() {
    let domain = view::<2>(0.0, 80.0);
    let scatter = |edges| {
        let (field, options) = (hills(1.0), options(Rule::Max, 5));
        match edges {
            Edges::Open => Scatter::new(field, domain, options),
            Edges::Tiled => Scatter::tiled(field, domain, options),
        }
        .expect("a run")
    };
    for edges in [Edges::Open, Edges::Tiled] {
        let world = || World::bounded(scatter(edges));
        put_and_take(&world, &domain, (Rule::Max, 5), [2.0, 12.0]);
    }
    let tile = World::bounded(scatter(Edges::Tiled));
    tile.prefetch(&domain).expect("points");
    let corner = Obstacle {
        position: [-1.0, 161.0],
        min_dist: 9.0,
    };
    tile.put(&[corner]).expect("an obstacle");
    let home = tile.obstacles()[0].position;
    assert_eq!(home, [79.0, 1.0]);
    for sample in tile.window(&domain).expect("points").samples {
        let square = squared_around(sample.position, home, [80.0; 2]);
        assert!(square >= 81.0, "{sample:?}");
    }
    assert_eq!(tile.take(&[corner]), 1);
    // On the seam, from both sides: what the world returns lies inside it, and can be taken.
    let seam = [[-1e-18, 80.0], [80.0, 160.0], [-80.0, 80.0_f64.next_down()]];
    let seam = seam.map(|position| Obstacle { position, ..corner });
    tile.put(&seam).expect("obstacles");
    let homes = tile.obstacles();
    assert!(
        homes.iter().all(|home| domain.contains(home.position)),
        "{homes:?}"
    );
    assert_eq!(tile.take(&homes), 3);
    // 0 and -0 are equal numbers. An obstacle that was put in twice is taken out twice.
    let [zero, minus] = [0.0, -0.0].map(|x| Obstacle {
        position: [x, 5.0],
        ..corner
    });
    let open = World::bounded(scatter(Edges::Open));
    open.put(&[minus, zero, seam[0]]).expect("obstacles");
    assert_eq!(open.take(&[zero, zero, zero]), 2);
    assert_eq!(open.obstacles(), seam[..1]);
    let refused = tile.put(&[Obstacle {
        min_dist: 41.0,
        ..corner
    }]);
    assert!(
        matches!(refused, Err(AvoidError::TileTooSmall { .. })),
        "{refused:?}"
    );
}

/// No place is left for one more point, and few fragments are unresolved, up to the longest distance
/// allowed.
#[test]
fn no_hole_is_left_beside_obstacles() {
    let house = |x: f64, min_dist: f64| Obstacle {
        position: [x, 20.0],
        min_dist,
    };
    let sizes = [0.2, 1.0, 5.0, 50.0, 1000.0, 10_000.0];
    let world = World::new(even(1.0), options(Rule::Max, 9));
    let world = world.expect("a world");
    for size in sizes {
        let all = [house(20.0 - size, size), house(31.0, 1.5)];
        world.put(&all).expect("obstacles");
        let found = world.window(&view::<2>(0.0, 40.0)).expect("points");
        assert_clear(&found.samples, Rule::Max, &all);
        assert!(
            found.unresolved_volume < 1e-3,
            "{size}: {}",
            found.unresolved_volume
        );
        let middle = Bounds::new([1.0; 2], [39.0; 2]).expect("a box");
        let open = |p| is_clear(p, 1.0, Rule::Max, &all).then_some(1.0);
        let checker = Checker::new(&found.samples, Rule::Max);
        let tried = checker.assert_full(&middle, 20_000, None, open);
        assert!(tried > 2_000, "{tried}");
        assert_eq!(world.take(&all), 2);
    }
}

/// Ground farther away than stated is neither changed nor evaluated again.
#[test]
fn ground_far_from_an_obstacle_stays() {
    let halves = |p: [f64; 2]| if p[0] < 0.0 { 1.0 } else { 2.0 };
    let field = GridField::new(range(1.0, 2.0), 1.0, halves).expect("a field");
    let field = Counting::new(field);
    let asked = field.asked.clone();
    let world = World::new(field, options(Rule::Max, 1)).expect("a world");
    let whole = view::<2>(-100.0, 200.0);
    let before = world.window(&whole).expect("points").samples;
    let house = Obstacle {
        position: [-60.0, 10.0],
        min_dist: 6.0,
    };
    world.put(&[house]).expect("an obstacle");
    // 8 greatest distances and a cell of the lattice.
    let far = Bounds::new([-30.0, -100.0], [100.0, 100.0]).expect("a view");
    let first = asked.count();
    let kept = world.window(&far).expect("points").samples;
    assert_eq!(asked.count(), first, "asked again");
    assert_eq!(bits(&kept), bits(&inside(&before, &far)));
    assert!(world.is_ready(&far) && !world.is_ready(&whole));
    let after = world.window(&whole).expect("points").samples;
    let again = asked.count() - first;
    assert!(0 < again && again < first / 4, "{again} of {first}");
    assert!(bits(&after) != bits(&before));
}

/// Threads request windows while obstacles are put and taken: none panics, and the final points are
/// right.
#[test]
fn obstacles_change_while_other_threads_request_windows() {
    let new = || World::new(hills::<2>(1.0), options(Rule::Max, 3)).expect("a world");
    let (world, place) = (new(), view::<2>(0.0, 120.0));
    let all = obstacles(&place, 24, [2.0, 10.0], &mut Random(4));
    std::thread::scope(|scope| {
        for seed in 0..3 {
            let world = &world;
            scope.spawn(move || {
                let mut random = Random(seed);
                for _ in 0..30 {
                    let from = [0; 2].map(|_| 90.0 * random.unit());
                    let window = Bounds::with_origin(from, [30.0; 2]).expect("a window");
                    assert!(world.window(&window).expect("points").complete);
                }
            });
        }
        for some in all.chunks(4) {
            world.put(some).expect("obstacles");
            world.take(&some[..1]);
        }
    });
    let left = world.obstacles();
    assert_eq!(left.len(), 18);
    let fresh = new();
    fresh.put(&left).expect("obstacles");
    let [kept, fresh] = [&world, &fresh].map(|world| world.window(&place).expect("points"));
    assert_eq!(bits(&kept.samples), bits(&fresh.samples));
}

/// Regression: a request during a change had points of both sets of obstacles, some too close to each other, as shards
/// changed one by one. Four shards meet at the origin.
#[test]
fn each_request_sees_one_set_of_obstacles() {
    let new = || World::<2>::new(even(1.0), options(Rule::Max, 3)).expect("a world");
    let house = Obstacle {
        position: [0.0; 2],
        min_dist: 6.0,
    };
    let [world, without, with] = [new(), new(), new()];
    with.put(&[house]).expect("an obstacle");
    let ask = |seed| {
        let mut random = Random(seed);
        for _ in 0..400 {
            let from = [0; 2].map(|_| -20.0 + 10.0 * random.unit());
            let window = Bounds::with_origin(from, [25.0; 2]).expect("a window");
            let points = |world: &World<2>| bits(&world.window(&window).expect("points").samples);
            let found = points(&world);
            let is = [&without, &with].map(|world| points(world) == found);
            assert_eq!(is.iter().filter(|is| **is).count(), 1, "{window:?}");
        }
    };
    std::thread::scope(|scope| {
        let ask = &ask;
        let threads: Vec<_> = (0..3).map(|seed| scope.spawn(move || ask(seed))).collect();
        while threads.iter().any(|thread| !thread.is_finished()) {
            world.put(&[house]).expect("an obstacle");
            assert_eq!(world.take(&[house]), 1);
        }
    });
}

/// Requests and changes are tasks of one pool. While ranks are computed in parallel, a thread may take up another task:
/// a change that waited for this thread's own request would wait for ever.
#[test]
fn tasks_of_a_pool_do_not_wait_for_each_other() {
    let options = ScatterOptions {
        levels: 2,
        ..options(Rule::Max, 3)
    };
    let house = Obstacle {
        position: [0.0; 2],
        min_dist: 3.0,
    };
    let (done, is_done) = mpsc::channel();
    std::thread::spawn(move || {
        let world = World::<2>::new(even(1.0), options).expect("a world");
        let task = |number: u32| match number % 8 {
            0 => world.put(&[house]).expect("an obstacle"),
            4 => assert!(world.take(&[house]) < 2),
            _ => {
                let from = [f64::from(number % 7) * 10.0, 0.0];
                let window = Bounds::with_origin(from, [40.0; 2]).expect("a window");
                assert!(world.window(&window).expect("points").samples.len() > 900);
            }
        };
        pool(4).scope(|scope| {
            for number in 0..2000 {
                scope.spawn(move |_| task(number));
            }
        });
        done.send(()).expect("the test waits");
    });
    let minute = std::time::Duration::from_secs(60);
    assert_eq!(is_done.recv_timeout(minute), Ok(()));
}

#[test]
fn what_cannot_be_computed_with_is_refused() {
    let world = World::new(even(1.0), options(Rule::Max, 1));
    let world = world.expect("a world");
    let window = view::<2>(0.0, 20.0);
    let before = bits(&world.window(&window).expect("points").samples);
    let at = |x, min_dist| {
        let good = Obstacle {
            position: [5.0, 5.0],
            min_dist: 3.0,
        };
        let bad = Obstacle {
            position: [0.0, x],
            min_dist,
        };
        world.put(&[good, bad])
    };
    for (x, r) in [
        (f64::NAN, 1.0),
        (f64::INFINITY, 1.0),
        (1e200, 1.0),
        (0.0, 0.0),
        (0.0, -1.0),
    ] {
        assert!(at(x, r).is_err(), "{x} {r}");
    }
    let refused = at(0.0, 10_001.0).expect_err("too large").to_string();
    assert!(
        refused.contains("obstacle 1") && refused.contains("10000"),
        "{refused}"
    );
    assert!(world.obstacles().is_empty());
    assert_eq!(
        bits(&world.window(&window).expect("points").samples),
        before
    );
    // An empty list and a far coordinate are accepted.
    world.put(&[]).expect("none");
    at(1e140, 3.0).expect("far away");
}

/// Open leaves beside a place that was decided again once took its points again: 2 kB for each obstacle.
#[test]
fn memory_does_not_grow_where_obstacles_come_and_go() {
    let world = World::new(even(2.0), ScatterOptions::default()).expect("a world");
    let window = Bounds::from_size([20.0; 2]).expect("a box");
    let obstacle = [Obstacle {
        position: [5.0; 2],
        min_dist: 3.0,
    }];
    let bytes = [20, 1000].map(|times| {
        for _ in 0..times {
            world.put(&obstacle).expect("an obstacle");
            world.window(&window).expect("points");
            world.take(&obstacle);
        }
        world.bytes()
    });
    assert!(bytes[1] <= bytes[0], "{bytes:?}");
}
