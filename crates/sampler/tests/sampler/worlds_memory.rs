//! Tests that the memory of a world and its requests stay within their limits.

use crate::common::bits::bits;
use crate::common::counting::Asked;
use crate::common::woods::woods;
use crate::common::{Random, even, options};
use sampler::density::Bounds;
use sampler::{PointLimit, Rule, SampleError, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;
use std::thread;

/// A window that was just requested is never forgotten, whatever the budget; all else is if there is
/// no room.
#[test]
fn memory_stays_within_its_budget() {
    let asked = Asked::default();
    for (number, wood) in woods::<2>(&asked).into_iter().enumerate() {
        let options = options(Rule::Mean, 9);
        let mut random = Random(number as u64);
        let all: Vec<Bounds<2>> = (0..5)
            .map(|_| {
                let min = [0; 2].map(|_| -200.0 + 380.0 * random.unit());
                Bounds::with_origin(min, [20.0, 15.0]).expect("a window")
            })
            .collect();
        let touched = all.iter().map(|window| {
            let fresh = wood.endless(options);
            fresh.window(window).expect("a window");
            fresh.bytes()
        });
        let touched: Vec<usize> = touched.collect();
        let mut most = 0;
        for budget in [1, 3 << 20] {
            let world = wood.endless(options).with_budget(budget);
            for (window, touched) in all.iter().zip(&touched) {
                world.window(window).expect("a window");
                let held = world.bytes();
                assert!(
                    held <= budget.max(2 * touched),
                    "wood {number}: {held} bytes, {budget} allowed, {touched} touched"
                );
                assert!(
                    world.is_ready(window),
                    "wood {number}, {budget} bytes: {window:?}"
                );
                let before = asked.count();
                world.window(window).expect("a window");
                assert_eq!(
                    asked.count(),
                    before,
                    "wood {number}, {budget} bytes: {window:?}"
                );
            }
            most = most.max(world.bytes());
        }
        let world = wood.endless(options).with_budget(1 << 30);
        for window in &all {
            world.window(window).expect("a window");
        }
        assert!(world.bytes() > most, "nothing had to be forgotten");
        assert!(all.iter().all(|window| world.is_ready(window)));
    }
}

/// Regression: the limit held for each part of the world, so that a window with many levels of detail took all memory.
#[test]
fn the_memory_limit_is_that_of_the_whole_world() {
    const LIMIT: u64 = 8_000_000;
    let world = |levels, max_bytes| {
        let options = ScatterOptions {
            levels,
            max_bytes,
            ..ScatterOptions::default()
        };
        World::new(even(1.0), options).expect("a world")
    };
    // The second window needs the points around it for ranks.
    for (levels, side) in [(0, 250.0), (4, 20.0)] {
        let window = Bounds::from_size([side; 2]).expect("a window");
        let unlimited = world(levels, None);
        let expected = unlimited.window(&window).expect("a window").samples;
        assert!(unlimited.bytes() as u64 > LIMIT, "{}", unlimited.bytes());

        let limited = world(levels, Some(LIMIT));
        for _ in 0..2 {
            let found = limited.window(&window).expect("room enough").samples;
            assert_eq!(bits(&found), bits(&expected));
            assert!(limited.bytes() as u64 <= LIMIT, "{}", limited.bytes());
        }
    }
    // Windows that fit one by one, next to each other and by several threads: what is kept refuses none of them.
    let limited = world(0, Some(LIMIT));
    thread::scope(|threads| {
        for number in 0..4 {
            let limited = &limited;
            threads.spawn(move || {
                let mut random = Random(number);
                for _ in 0..20 {
                    let at = [0; 2].map(|_| 300.0 * random.unit());
                    let window = Bounds::with_origin(at, [50.0; 2]).expect("a window");
                    limited.window(&window).expect("room enough");
                }
            });
        }
    });
}

/// Regression: few leaves in many places were not counted.
#[test]
fn scattered_windows_stay_within_the_budget() {
    const BUDGET: usize = 3_000_000;
    let world = World::new(even(1.0), options(Rule::Max, 7));
    let world = world.expect("a world").with_budget(BUDGET);
    for number in 0..200 {
        let at = [f64::from(number) * 200.0, 0.0];
        let window = Bounds::with_origin(at, [8.0; 2]).expect("a window");
        world.window(&window).expect("a window");
        if number == 0 {
            assert!(world.bytes() > 50_000, "{}", world.bytes());
        }
        assert!(world.bytes() <= BUDGET, "{}", world.bytes());
    }
}

/// Walks chunk by chunk over rows as wide as a view, to the right and back. With a budget of one view some
/// surroundings are evaluated again.
fn walk_with_room_for_one_view(chunks: u32) {
    const SIDE: f64 = 16.0;
    const ACROSS: u32 = 9;
    let new = |asked: &Asked| woods::<2>(asked)[0].endless(options(Rule::Mean, 2));
    let chunk = |number: u32| {
        let (row, at) = (number / ACROSS, number % ACROSS);
        let column = if row % 2 == 0 { at } else { ACROSS - 1 - at };
        let min = [column, row].map(|at| SIDE * f64::from(at));
        Bounds::with_origin(min, [SIDE; 2]).expect("a chunk")
    };
    let [one, view] = [1.0, f64::from(ACROSS)].map(|across| {
        let world = new(&Asked::default());
        let place = Bounds::from_size([across * SIDE; 2]).expect("a view");
        world.prefetch(&place).expect("a view");
        world.bytes()
    });
    // Returns the evaluations for a chunk and the most memory in use.
    let walk = |budget, chunks| {
        let asked = Asked::default();
        let world = new(&asked).with_budget(budget);
        let held = (0..chunks).map(|number| {
            world.window(&chunk(number)).expect("a chunk");
            world.bytes()
        });
        let most = held.max().expect("a chunk");
        (asked.count() as f64 / f64::from(chunks), most)
    };
    let (once, all) = walk(usize::MAX, 270);
    assert!(all > 2 * view, "{all} bytes of all, {view} of a view");
    let (again, most) = walk(view, chunks);
    assert!(again <= 1.5 * once, "{again} evaluations, not {once}");
    assert!(most <= view + one, "{most} bytes, {view} allowed");
}

#[test]
fn a_budget_of_one_view_is_enough() {
    walk_with_room_for_one_view(270);
}

#[test]
#[ignore = "long"]
fn a_budget_of_one_view_is_enough_in_full() {
    walk_with_room_for_one_view(10_000);
}

/// A request that needs too much memory leaves none of it in use: the world then has room for all
/// that a new world has room for.
#[test]
fn a_refused_request_leaves_no_memory_behind() {
    let options = ScatterOptions {
        max_bytes: Some(2_000_000),
        ..ScatterOptions::default()
    };
    let new = || World::new(even(1.0), options).expect("a world");
    let large = Bounds::from_size([150.0; 2]).expect("a window");
    let small = Bounds::from_size([45.0; 2]).expect("a window");
    let expected = new().window(&small).expect("room enough").samples;
    let world = new();
    let refused = world.window(&large);
    assert!(
        matches!(refused, Err(SampleError::MemorySpent { .. })),
        "{refused:?}"
    );
    assert!(world.bytes() < 1000, "{}", world.bytes());
    let found = world.window(&small).expect("room enough").samples;
    assert_eq!(bits(&found), bits(&expected));
}

/// States of leaves are added as fast as leaves are opened, and are measured all the same.
#[test]
fn a_request_in_space_ends_at_its_memory_limit() {
    for limit in [3_000_000, 10_000_000, 20_000_000, 60_000_000] {
        let options = ScatterOptions {
            max_bytes: Some(limit),
            ..ScatterOptions::default()
        };
        let world = World::new(even(1.0), options).expect("a world");
        let window = Bounds::from_size([12.0; 3]).expect("a window");
        match world.window(&window) {
            Err(SampleError::MemorySpent { .. }) => assert!(limit < 42_000_000, "{limit}"),
            Ok(found) => assert!(
                limit > 42_000_000,
                "{limit}: {} points",
                found.samples.len()
            ),
            Err(error) => panic!("{limit}: {error}"),
        }
    }
}

#[test]
fn requests_beyond_the_limits_are_refused() {
    let field = || even(1.0);
    let large = Bounds::from_size([100.0; 2]).expect("a window");
    let small = Bounds::from_size([3.0; 2]).expect("a window");
    let few = ScatterOptions {
        limit: PointLimit::Refuse(500),
        ..ScatterOptions::default()
    };
    let world = World::new(field(), few).expect("a world");
    let refused = world.window(&large);
    assert!(
        matches!(refused, Err(SampleError::TooManyPoints { .. })),
        "{refused:?}"
    );
    assert!(world.window(&small).is_ok());
    // Its shards alone would be too many to look up.
    let vast = Bounds::from_size([1e9; 2]).expect("a window");
    assert!(!world.is_ready(&vast) && world.window(&vast).is_err());
    let outside = Bounds::new([-9.0; 2], [-3.0; 2]).expect("a window");
    let scatter = Scatter::new(field(), large, ScatterOptions::default()).expect("a run");
    let world = World::bounded(scatter);
    assert!(world.window(&outside).expect("a window").samples.is_empty());
    assert!(world.is_ready(&outside));
}
