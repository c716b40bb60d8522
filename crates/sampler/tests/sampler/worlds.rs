//! Tests that windows of a `World` are crops of the whole, to the last bit, whatever was requested
//! before and whatever was forgotten. Requests for cached points evaluate no field.

use crate::common::bits::bits;
use crate::common::checker::assert_spaced;
use crate::common::counting::Asked;
use crate::common::woods::{Wood, hills, woods};
use crate::common::{Random, even, inside, options, range};
use sampler::density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};
use sampler::{Apart, Edges, Layer, Rule, Sample, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;

/// Budgets in bytes: everything is forgotten again and again, some of it, nothing.
const BUDGETS: [usize; 3] = [1, 400_000, 1 << 30];

/// Returns windows inside a box, a hundredth to half as long.
fn windows<const D: usize>(place: &Bounds<D>, count: usize, random: &mut Random) -> Vec<Bounds<D>> {
    let mut window = || {
        let share = [0.0; D].map(|_| 0.01 + 0.5 * random.unit().powi(2));
        let size: [f64; D] = std::array::from_fn(|a| share[a] * place.size()[a]);
        let min = std::array::from_fn(|a| {
            let room = place.size()[a] - size[a];
            place.min()[a] + room * random.unit()
        });
        Bounds::with_origin(min, size).expect("a window")
    };
    (0..count).map(|_| window()).collect()
}

fn shuffled<T: Clone>(all: &[T], random: &mut Random) -> Vec<T> {
    let mut all = all.to_vec();
    all.sort_by_cached_key(|_| random.unit().to_bits());
    all
}

/// Compares windows of a world, one after the other and from several threads at once, with the whole.
#[track_caller]
fn assert_crops<const D: usize>(
    name: &str,
    world: &(dyn Fn() -> World<D> + Sync),
    whole: &[Sample<D>],
    windows: &[Bounds<D>],
    random: &mut Random,
) {
    let expected: Vec<_> = windows
        .iter()
        .map(|window| bits(&inside(whole, window)))
        .collect();
    // In 3D a window is most of the memory in use.
    let budgets = if D < 3 { &BUDGETS[..] } else { &BUDGETS[1..] };
    for &budget in budgets {
        let alone = world().with_budget(budget);
        for (window, expected) in windows.iter().zip(&expected) {
            let found = alone.window(window).expect("a window");
            assert!(found.complete);
            assert_eq!(
                bits(&found.samples),
                *expected,
                "{name}, {budget} bytes, {window:?}"
            );
        }
        let shared = world().with_budget(budget);
        let (shared, expected) = (&shared, &expected);
        let numbers: Vec<usize> = (0..windows.len()).collect();
        let threads = if D < 3 { 4 } else { 2 };
        let orders = (0..threads).map(|_| shuffled(&numbers, random));
        let orders: Vec<_> = orders.collect();
        std::thread::scope(|scope| {
            for order in &orders {
                scope.spawn(move || {
                    for &number in order {
                        let found = shared.window(&windows[number]).expect("a window");
                        let same = bits(&found.samples) == expected[number];
                        assert!(
                            same,
                            "{name}, {budget} bytes, threads, {:?}",
                            windows[number]
                        );
                    }
                });
            }
        });
    }
}

/// Compares worlds of all kinds over boxes of given lengths with windows in them.
fn worlds_are_crops<const D: usize>(
    [bounded, endless]: [f64; 2],
    count: usize,
    (rule, seed): (Rule, u64),
    wanted: impl Fn(usize) -> bool,
) {
    let mut random = Random(seed);
    let asked = Asked::default();
    let mut all = woods::<D>(&asked);
    // A world of one field without layers differs from a world of a single layer.
    let single = || hills::<D>(0.9, 2.2, &asked);
    let options = options(rule, seed);
    let domain = Bounds::with_origin([-7.3; D], [bounded; D]).expect("a box");
    let far = Bounds::with_origin([913.7; D], [endless; D]).expect("a box");
    let (near, beyond) = (
        windows(&domain, count, &mut random),
        windows(&far, count.div_ceil(2), &mut random),
    );

    let scatter = Scatter::new(single(), domain, options).expect("a run");
    let whole = scatter.points().expect("memory").samples;
    let world = || World::bounded(scatter.clone());
    assert_crops("one field", &world, &whole, &near, &mut random);
    let world = || World::new(single(), options).expect("a world");
    let whole = world().window(&far).expect("a window").samples;
    assert_crops("one endless field", &world, &whole, &beyond, &mut random);

    all.push(Wood {
        layers: all[1].layers[..1].to_vec(),
        fixed: Vec::new(),
    });
    for (number, wood) in all.iter().enumerate().filter(|(number, _)| wanted(*number)) {
        for edges in [Edges::Open, Edges::Tiled] {
            let scatter = wood.bounded(domain, edges, options);
            let whole = scatter.points().expect("memory").samples;
            let few = |layer| whole.iter().filter(|s| s.layer == Some(layer)).count() < 5;
            let layers = 0..wood.layers.len() as u32;
            // Under these rules little room is left for later layers.
            let crowded = matches!(rule, Rule::Max | Rule::Prior | Rule::Own);
            assert!(
                crowded || !layers.into_iter().any(few),
                "wood {number}: a layer is missing"
            );
            let world = || World::bounded(scatter.clone());
            let name = format!("wood {number}, {edges:?}, {rule:?}");
            assert_crops(&name, &world, &whole, &near, &mut random);
        }
        let world = || wood.endless(options);
        let whole = world().window(&far).expect("a window").samples;
        let name = format!("wood {number}, endless, {rule:?}");
        assert_crops(&name, &world, &whole, &beyond, &mut random);
    }
}

#[test]
fn windows_in_the_plane_are_crops() {
    for (number, rule) in Rule::OF_SCATTER.into_iter().enumerate() {
        let seed = 1 + number as u64;
        worlds_are_crops::<2>([40.0, 50.0], 4, (rule, seed), |wood| wood == number);
    }
}

#[test]
#[ignore = "long"]
fn windows_in_the_plane_are_crops_in_full() {
    for (rule, seed) in Rule::OF_SCATTER.into_iter().zip(1..) {
        worlds_are_crops::<2>([40.0, 50.0], 4, (rule, seed), |_| true);
    }
}

/// One rule in 3D, and few layers, as surroundings are wide there.
#[test]
fn windows_in_space_are_crops() {
    worlds_are_crops::<3>([6.0, 2.0], 1, (Rule::Max, 11), |wood| wood == 4);
    let asked = Asked::default();
    let layers: Vec<_> = [hills::<3>(1.6, 2.4, &asked), hills(1.0, 1.8, &asked)]
        .into_iter()
        .zip(0..)
        .map(|(field, turn)| Layer {
            turn,
            ..Layer::of(field)
        })
        .collect();
    let options = options(Rule::Max, 3);
    let world = || World::layered(layers.clone(), Apart::new(2), options).expect("a world");
    let place = Bounds::with_origin([-8.0; 3], [9.0; 3]).expect("a box");
    let whole = world().window(&place).expect("a window").samples;
    assert!(whole.len() > 50, "{}", whole.len());
    let mut random = Random(5);
    let all = windows(&place, 2, &mut random);
    assert_crops("two turns in space", &world, &whole, &all, &mut random);
}

/// Takes minutes for each rule, and gigabytes.
#[test]
#[ignore = "long"]
fn windows_in_space_are_crops_by_all_rules() {
    for (number, rule) in Rule::OF_SCATTER.into_iter().enumerate() {
        let seed = 11 + number as u64;
        worlds_are_crops::<3>([8.0, 4.0], 2, (rule, seed), |wood| wood == number);
    }
}

/// Windows across the borders of shards. The other worlds here are far smaller than a shard.
#[test]
fn windows_across_shards_are_crops() {
    let options = options(Rule::Max, 4);
    let world = || World::new(even(1.0), options).expect("a world");
    // Shards are some hundred distances long and begin at the origin of coordinates.
    let place = Bounds::new([-130.0, -120.0], [140.0, 150.0]).expect("a box");
    let whole = world().window(&place).expect("a window").samples;
    assert!(whole.len() > 50_000, "{}", whole.len());
    let mut random = Random(8);
    let mut all = windows(&place, 8, &mut random);
    all.push(Bounds::new([-5.0; 2], [5.0; 2]).expect("a window"));
    let side = 32.0 * 4.5 / 2.0_f64.sqrt();
    let edge = Bounds::new([0.0, -3.0], [side, side]).expect("a window");
    all.push(edge);
    assert_crops("shards", &world, &whole, &all, &mut random);
}

/// A window far from the origin, where coordinates are coarse.
#[test]
fn far_windows_fit_together() {
    let asked = Asked::default();
    let wood = &woods::<2>(&asked)[1];
    let world = wood.endless(options(Rule::Mean, 2));
    let at = [7e8, -1.5e9];
    let window = |x: f64, y: f64, size: [f64; 2]| {
        let window = Bounds::with_origin([at[0] + x, at[1] + y], size).expect("a box");
        world.window(&window).expect("a window").samples
    };
    let whole = window(0.0, 0.0, [24.0, 20.0]);
    assert!(whole.len() > 200, "{}", whole.len());
    let mut parts = window(0.0, 0.0, [11.0, 20.0]);
    parts.extend(window(11.0, 0.0, [13.0, 4.5]));
    parts.extend(window(11.0, 4.5, [13.0, 15.5]));
    assert_eq!(bits(&parts), bits(&whole));
}

#[test]
fn requests_for_kept_points_evaluate_no_field() {
    for number in 0..4 {
        let asked = Asked::default();
        let wood = &woods::<2>(&asked)[number];
        let options = options(Rule::Mean, 6);
        let domain = Bounds::from_size([60.0; 2]).expect("a box");
        for world in [
            wood.endless(options),
            World::bounded(wood.bounded(domain, Edges::Open, options)),
        ] {
            let window = Bounds::new([10.0, 5.0], [40.0, 30.0]).expect("a window");
            assert!(!world.is_ready(&window));
            let cold = world.window(&window).expect("a window").samples;
            assert!(asked.count() > 1000 && world.is_ready(&window));
            let before = asked.count();
            let warm = world.window(&window).expect("a window").samples;
            assert_eq!(asked.count(), before, "wood {number}");
            assert_eq!(bits(&warm), bits(&cold));
            let part = Bounds::new([12.0, 7.5], [31.0, 8.5]).expect("a window");
            let found = world.window(&part).expect("a window").samples;
            assert_eq!(bits(&found), bits(&inside(&cold, &part)));
            assert!(world.is_ready(&part));
            let place = cold[cold.len() / 2];
            assert!(!world.near([25.0, 17.0], 4.0).expect("points").is_empty());
            assert!(world.nearest([25.0, 17.0], 4.0).expect("a point").is_some());
            let found = world
                .find(place.key(), place.position, 0.01)
                .expect("a point");
            assert_eq!(found, Some(place));
            assert_eq!(asked.count(), before, "wood {number}: near and nearest");

            // A prefetched window evaluates nothing more when it is requested.
            let ahead = Bounds::new([41.0, 31.0], [55.0, 50.0]).expect("a window");
            assert!(!world.is_ready(&ahead));
            world.prefetch(&ahead).expect("a window");
            assert!(world.is_ready(&ahead));
            let before = asked.count();
            assert!(world.window(&ahead).expect("a window").samples.len() > 20);
            assert_eq!(asked.count(), before, "wood {number}: fetched ahead");
        }
    }
}

#[test]
fn requests_in_space_for_kept_points_evaluate_no_field() {
    let asked = Asked::default();
    let world = World::new(hills::<3>(1.6, 2.4, &asked), options(Rule::Mean, 6));
    let world = world.expect("a world");
    let window = Bounds::new([1.0; 3], [5.0; 3]).expect("a window");
    let cold = world.window(&window).expect("a window").samples;
    let before = asked.count();
    assert!(cold.len() > 5 && before > 1000, "{} {before}", cold.len());
    let warm = world.window(&window).expect("a window").samples;
    assert_eq!(bits(&warm), bits(&cold));
    assert!(!world.near([3.0; 3], 1.9).expect("points").is_empty());
    assert_eq!(asked.count(), before);
}

/// Threads that request one place at once evaluate it once, across a corner of four shards too.
#[test]
fn threads_share_the_work_for_one_place() {
    for number in 0..4 {
        let count = |threads: usize| {
            let asked = Asked::default();
            let world = woods::<2>(&asked)[number].endless(options(Rule::Mean, 6));
            let window = Bounds::new([-10.0, -12.0], [10.0, 9.0]).expect("a window");
            let all_began = Barrier::new(threads);
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        all_began.wait();
                        assert!(world.window(&window).expect("a window").samples.len() > 100);
                    });
                }
            });
            asked.count()
        };
        assert_eq!(count(4), count(1), "wood {number}");
    }
}

/// Saves name points by their keys, so that layers of later turns can be added to a world.
#[test]
fn layers_behind_others_change_no_key() {
    let asked = Asked::default();
    let window = Bounds::new([10.0, 5.0], [25.0, 20.0]).expect("a window");
    for (wood, rule) in woods::<2>(&asked).into_iter().zip(Rule::OF_SCATTER) {
        let own = wood.layers.len() as u32;
        let keys = |added: &[f64]| {
            let mut wood = wood.clone();
            for (&min_dist, layer) in added.iter().zip(own..) {
                // Near enough to earlier layers that there is room under every rule.
                wood.fixed
                    .extend((0..layer).map(|other| (other, layer, 0.3)));
                wood.layers.push(Layer {
                    turn: 5 + layer,
                    ..Layer::new(even(min_dist))
                });
            }
            let found = wood.endless(options(rule, 6)).window(&window);
            let mut found = found.expect("a window").samples;
            let all = found.len();
            found.retain(|s| s.layer < Some(own));
            let keys = found
                .iter()
                .map(|s| (s.key(), s.position.map(f64::to_bits)));
            (keys.collect::<BTreeSet<_>>(), all - found.len())
        };
        let (before, none) = keys(&[]);
        assert!(before.len() > 50 && none == 0, "{}", before.len());
        for added in [&[0.5][..], &[0.5, 3.1]] {
            let (after, others) = keys(added);
            assert!(after == before && others > 10, "{rule:?}, {added:?}");
        }
    }
}

#[test]
fn a_request_that_was_broken_off_is_asked_again() {
    let asked = Asked::default();
    for (number, wood) in woods::<2>(&asked).into_iter().enumerate() {
        let options = options(Rule::Mean, 12);
        let window = Bounds::new([-11.0, 3.0], [17.0, 24.0]).expect("a window");
        let whole = wood
            .endless(options)
            .window(&window)
            .expect("a window")
            .samples;
        for budget in BUDGETS {
            let world = wood.endless(options).with_budget(budget);
            let mut broken = 0;
            for steps in [0, 1, 2, 5, 13, 40, 1_000_000] {
                let mut left = steps;
                let found = world.window_while(&window, || {
                    left -= 1;
                    if left < 0 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                match found.expect("a window") {
                    None => broken += 1,
                    Some(found) => assert_eq!(bits(&found.samples), bits(&whole)),
                }
                // Another request in between.
                let other = Bounds::new([-11.0, 3.0], [-9.0, 6.0]).expect("a window");
                let found = world.window(&other).expect("a window").samples;
                assert_eq!(bits(&found), bits(&inside(&whole, &other)));
            }
            assert!((4..7).contains(&broken), "wood {number}: {broken}");
            // Regression: kept leaves counted too, and a request of some leaves at a time never ended.
            let fresh = wood.endless(options).with_budget(budget);
            let some = || {
                let mut left = 40;
                let go_on = || {
                    left -= 1;
                    match left {
                        0 => ControlFlow::Break(()),
                        _ => ControlFlow::Continue(()),
                    }
                };
                fresh.window_while(&window, go_on).expect("a window")
            };
            assert!((0..200).any(|_| some().is_some()), "wood {number}");
            let found = world.window(&window).expect("a window").samples;
            assert_eq!(bits(&found), bits(&whole));
        }
    }
}

/// Regression: `prefetch` and `is_ready` left out the surroundings of ranks.
#[test]
fn what_is_ready_with_ranks_asks_for_little() {
    let asked = Asked::default();
    let wood = &woods::<2>(&asked)[1];
    let options = ScatterOptions {
        levels: 2,
        ..options(Rule::Mean, 5)
    };
    let world = wood.endless(options);
    let window = Bounds::with_origin([70.0, -9.0], [20.0, 20.0]).expect("a window");
    assert!(!world.is_ready(&window));
    world.prefetch(&window).expect("a window");
    assert!(world.is_ready(&window));
    let before = asked.count();
    let found = world.window(&window).expect("a window").samples;
    assert!(asked.count() - before < 200, "{}", asked.count() - before);
    let new = wood
        .endless(options)
        .window(&window)
        .expect("a window")
        .samples;
    assert_eq!(bits(&found), bits(&new));
    assert!(asked.count() - before > 2000, "{}", asked.count() - before);
    // Surroundings that do not fit are refused, and nothing is tried.
    for levels in [16, 32] {
        let world = wood.endless(ScatterOptions { levels, ..options });
        assert!(!world.is_ready(&window));
        let refused = world.window(&window);
        assert!(
            refused.is_err() && world.prefetch(&window).is_err(),
            "{refused:?}"
        );
    }
    let little = ScatterOptions {
        levels: 6,
        max_bytes: Some(10_000_000),
        ..options
    };
    let refused = wood.endless(little).window(&window);
    assert!(refused.is_err(), "{refused:?}");
}

/// A field that waits at its first evaluation.
struct Waiting {
    began: Mutex<Option<mpsc::Sender<()>>>,
    go_on: Mutex<mpsc::Receiver<()>>,
}

impl RadiusField<2> for Waiting {
    fn min_dist(&self, _: [f64; 2]) -> Option<f64> {
        Some(2.0)
    }

    fn range(&self) -> DistRange {
        range(2.0, 2.0)
    }

    fn range_in(&self, _: &Bounds<2>) -> Option<LocalRange> {
        let began = self.began.lock().expect("no panic").take();
        if let Some(began) = began {
            began.send(()).expect("a receiver");
            self.go_on
                .lock()
                .expect("no panic")
                .recv()
                .expect("a sender");
        }
        Some(LocalRange {
            range: self.range(),
            coverage: Coverage::All,
        })
    }
}

/// Regression: a request could not be broken off while another thread evaluated its place.
#[test]
fn a_request_that_waits_for_another_can_be_broken_off() {
    let (began, has_begun) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel();
    let field = Waiting {
        began: Mutex::new(Some(began)),
        go_on: Mutex::new(may_go_on),
    };
    let world = World::new(field, options(Rule::Max, 7)).expect("a world");
    let window = Bounds::from_size([20.0; 2]).expect("a window");
    thread::scope(|threads| {
        let other = threads.spawn(|| world.window(&window));
        has_begun.recv().expect("it begins");
        let mut asked = 0;
        let broken = world.window_while(&window, || {
            asked += 1;
            if asked < 3 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        go_on.send(()).expect("it waits");
        assert_eq!((broken, asked), (Ok(None), 3));
        let found = other.join().expect("no panic").expect("a window");
        assert_spaced(&found.samples, Rule::Max);
        assert!(found.samples.len() > 50);
    });
}

/// A field that panics once.
struct Failing {
    armed: Arc<AtomicBool>,
}

impl RadiusField<2> for Failing {
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        let armed = p[0] > 30.0 && self.armed.swap(false, Relaxed);
        assert!(!armed, "a field's own fault");
        Some(1.0)
    }

    fn range(&self) -> DistRange {
        range(1.0, 1.0)
    }

    // Boxes have no useful bounds, so that all places are evaluated.
    fn range_in(&self, _: &Bounds<2>) -> Option<LocalRange> {
        Some(LocalRange {
            range: RadiusField::<2>::range(self),
            coverage: sampler::density::Coverage::Part,
        })
    }
}

/// A panic of a field is passed on, and the world is as before.
#[test]
fn a_field_that_panics_leaves_the_world_whole() {
    let options = options(Rule::Max, 3);
    let window = Bounds::new([20.0, 0.0], [40.0, 20.0]).expect("a window");
    let world = |armed| {
        let armed = Arc::new(AtomicBool::new(armed));
        World::new(Failing { armed }, options).expect("a world")
    };
    let whole = world(false).window(&window).expect("a window").samples;
    assert!(whole.len() > 200, "{}", whole.len());
    let world = world(true);
    let near = Bounds::new([0.0, 0.0], [2.0, 2.0]).expect("a window");
    assert!(world.window(&near).is_ok() && world.is_ready(&near));
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.window(&window)));
    assert!(failed.is_err());
    // The next request forgets the whole shard.
    assert!(!world.is_ready(&near));
    assert_eq!(
        bits(&world.window(&window).expect("a window").samples),
        bits(&whole)
    );
}

/// A change to a world.
type Change = fn(&mut Wood<2>);

/// Worlds of other points have other fingerprints.
#[test]
fn fingerprints_tell_worlds_apart() {
    let asked = Asked::default();
    let wood = &woods::<2>(&asked)[1];
    let plain = options(Rule::Mean, 1);
    let print = |wood: &Wood<2>, options| wood.endless(options).fingerprint();
    let first = print(wood, plain);
    assert_eq!(print(wood, plain), first);
    let mut all = vec![first];
    all.extend([options(Rule::Mean, 2), options(Rule::Max, 1)].map(|other| print(wood, other)));
    let levels = ScatterOptions { levels: 2, ..plain };
    all.push(print(wood, levels));
    let changes: [Change; 5] = [
        |wood| wood.fixed[0].2 = 0.71,
        |wood| wood.fixed.clear(),
        |wood| wood.layers[1].share = 2.0,
        |wood| wood.layers[2].turn = 2,
        |wood| wood.layers[2].seed = Some(5),
    ];
    for change in changes {
        let mut other = wood.clone();
        change(&mut other);
        all.push(print(&other, plain));
    }
    for length in [30.0, 31.0] {
        for edges in [Edges::Open, Edges::Tiled] {
            let domain = Bounds::from_size([length; 2]).expect("a box");
            all.push(World::bounded(wood.bounded(domain, edges, plain)).fingerprint());
        }
    }
    // Layers of one field are sampled together.
    let [one, other] = [0, 1].map(|_| Layer::new(even(2.0)));
    for layers in [vec![one.clone(), one.clone()], vec![one, other]] {
        let world = World::<2>::layered(layers, Apart::new(2), plain).expect("a world");
        all.push(world.fingerprint());
    }
    // Their points are the same, but not the ids.
    let oak = || even(2.0);
    let layered =
        World::<2>::layered(vec![Layer::new(oak())], Apart::new(1), plain).expect("a world");
    all.extend([
        World::<2>::new(oak(), plain)
            .expect("a world")
            .fingerprint(),
        layered.fingerprint(),
    ]);
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

/// Ranks are those of the whole, whatever was requested before.
#[test]
fn windows_know_their_ranks() {
    let asked = Asked::default();
    let wood = &woods::<2>(&asked)[1];
    let options = ScatterOptions {
        levels: 2,
        ..options(Rule::Mean, 5)
    };
    let domain = Bounds::from_size([40.0; 2]).expect("a box");
    let mut random = Random(3);
    for edges in [Edges::Open, Edges::Tiled] {
        let scatter = wood.bounded(domain, edges, options);
        let whole = scatter.points().expect("memory").samples;
        for rank in 0..=2 {
            assert!(whole.iter().any(|s| s.rank == Some(rank)), "{rank}");
        }
        let all = windows(&domain, 5, &mut random);
        let world = || World::bounded(scatter.clone());
        assert_crops("ranks", &world, &whole, &all, &mut random);
    }
    let place = Bounds::new([-40.0, 90.0], [0.0, 120.0]).expect("a box");
    let layers = || wood.endless(options);
    let single = || World::new(hills(1.0, 2.0, &asked), options).expect("a world");
    let worlds: [&(dyn Fn() -> World<2> + Sync); 2] = [&layers, &single];
    for world in worlds {
        let whole = world().window(&place).expect("a window").samples;
        let all = windows(&place, 2, &mut random);
        assert_crops("ranks, endless", world, &whole, &all, &mut random);
    }
}
