//! Tests that windows of a `World` are crops of the whole, to the last bit, whatever was requested
//! before and whatever was forgotten. Requests for cached points evaluate no field; memory stays
//! within its budget.

use crate::common::bits::bits;
use crate::common::dice::Dice;
use crate::common::spacing::assert_spaced;
use crate::common::{RULES, options, required, squared};
use sampler::density::{
    Bounds, Constant, Coverage, DistRange, GridField, GridRegion, LocalRange, RadiusField, Region,
    Share,
};
use sampler::{
    Apart, Edges, Layer, PointLimit, Rule, Sample, SampleError, Scatter, ScatterOptions, World,
};
use spinney_sampler as sampler;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

/// Budgets in bytes: everything is forgotten again and again, some of it, nothing.
const BUDGETS: [usize; 3] = [1, 400_000, 1 << 30];

type Field<const D: usize> = Arc<dyn RadiusField<D>>;

/// A count of the evaluations of fields and regions, at places and in boxes.
#[derive(Clone, Default)]
struct Asked(Arc<AtomicU64>);

impl Asked {
    fn one(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    fn count(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A field or a region that counts its evaluations.
struct Counting<F> {
    of: F,
    asked: Asked,
}

impl<const D: usize, F: RadiusField<D>> RadiusField<D> for Counting<F> {
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        self.asked.one();
        self.of.min_dist(p)
    }

    fn range(&self) -> DistRange {
        self.of.range()
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        self.asked.one();
        self.of.range_in(bounds)
    }

    fn value(&self, p: [f64; D]) -> f64 {
        self.asked.one();
        self.of.value(p)
    }

    fn mask_detail(&self, finest: f64) -> Option<f64> {
        self.of.mask_detail(finest)
    }
}

impl<const D: usize, R: Region<D>> Region<D> for Counting<R> {
    fn holds(&self, p: [f64; D]) -> bool {
        self.asked.one();
        self.of.holds(p)
    }

    fn share_in(&self, bounds: &Bounds<D>) -> Share {
        self.asked.one();
        self.of.share_in(bounds)
    }

    fn detail(&self) -> f64 {
        self.of.detail()
    }
}

/// Returns hills without an end. They are lower in 3D, as surroundings grow with the cube of the
/// greatest distance over the least.
fn hills<const D: usize>(lo: f64, hi: f64, asked: &Asked) -> Field<D> {
    let hi = if D < 3 { hi } else { lo + 0.25 * (hi - lo) };
    let range = DistRange::new(lo, hi).expect("a range");
    let field = GridField::new(range, 0.5 * lo, move |p: [f64; D]| {
        let wave = |a: usize| ((p[a] / (9.0 * hi) + 0.3 * a as f64).rem_euclid(2.0) - 1.0).abs();
        let height = (0..D).map(wave).sum::<f64>() / D as f64;
        lo + (hi - lo) * height
    });
    Arc::new(Counting {
        of: field.expect("a field"),
        asked: asked.clone(),
    })
}

fn even<const D: usize>(r: f64, asked: &Asked) -> Field<D>
where
    Constant: RadiusField<D>,
{
    Arc::new(Counting {
        of: Constant::new(r).expect("a field"),
        asked: asked.clone(),
    })
}

/// Returns stripes across an axis, open and closed alternately.
fn stripes<const D: usize>(axis: usize, width: f64, asked: &Asked) -> Arc<dyn Region<D>> {
    let region = GridRegion::new(0.25 * width, move |p: [f64; D]| {
        (p[axis] / width).rem_euclid(2.0) < 1.3
    });
    Arc::new(Counting {
        of: region.expect("a region"),
        asked: asked.clone(),
    })
}

/// Layers and the distances between them.
#[derive(Clone)]
struct Wood<const D: usize> {
    layers: Vec<Layer<'static, D>>,
    fixed: Vec<(usize, usize, f64)>,
}

impl<const D: usize> Wood<D> {
    fn apart(&self) -> Apart {
        let mut apart = Apart::new(self.layers.len());
        for &(a, b, distance) in &self.fixed {
            apart.set(a, b, distance).expect("a distance");
        }
        apart
    }

    fn bounded(
        &self,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Scatter<'static, D> {
        let layers = self.layers.clone();
        Scatter::layered(layers, self.apart(), domain, edges, options).expect("a run")
    }

    fn endless(&self, options: ScatterOptions) -> World<D> {
        World::layered(self.layers.clone(), self.apart(), options).expect("a world")
    }
}

/// Returns three layers that depend on each other, in every way possible.
fn woods<const D: usize>(asked: &Asked) -> Vec<Wood<D>>
where
    Constant: RadiusField<D>,
{
    let layer = |turn, share, field: &Field<D>| Layer {
        turn,
        share,
        ..Layer::of(Arc::clone(field))
    };
    let [large, middle, small] = [
        hills(1.6, 2.4, asked),
        hills(1.0, 1.8, asked),
        even(0.9, asked),
    ];
    let inside = |layer: Layer<'static, D>, axis, width| Layer {
        region: Some(stripes(axis, width, asked)),
        ..layer
    };
    vec![
        // All share one turn, by the conflict rule.
        Wood {
            layers: vec![
                layer(0, 1.0, &large),
                layer(0, 2.0, &middle),
                layer(0, 1.0, &small),
            ],
            fixed: vec![],
        },
        // Two share, with regions; a third comes later, at a fixed distance from one of them.
        Wood {
            layers: vec![
                inside(layer(0, 3.0, &large), 0, 3.0),
                inside(layer(0, 1.0, &middle), 1, 4.0),
                layer(1, 1.0, &small),
            ],
            fixed: vec![(0, 2, 0.7)],
        },
        // Two layers of one field, each in its own region; another shares with both at fixed
        // distances.
        Wood {
            layers: vec![
                inside(layer(0, 1.0, &middle), 0, 3.0),
                inside(layer(0, 2.0, &middle), 1, 4.0),
                layer(0, 1.0, &small),
            ],
            fixed: vec![(0, 2, 0.8), (1, 2, 0.8)],
        },
        // One after the other, the small ones first; two ignore each other.
        Wood {
            layers: vec![
                layer(2, 1.0, &large),
                layer(1, 1.0, &middle),
                inside(layer(0, 1.0, &small), 0, 3.0),
            ],
            fixed: vec![(0, 1, 1.1), (0, 2, 0.0), (1, 2, 0.6)],
        },
    ]
}

fn crop<'s, const D: usize>(
    whole: &'s [Sample<D>],
    window: &'s Bounds<D>,
) -> impl Iterator<Item = &'s Sample<D>> {
    whole.iter().filter(|s| window.contains(s.position))
}

/// Returns windows inside a box, a hundredth to half as long.
fn windows<const D: usize>(place: &Bounds<D>, count: usize, dice: &mut Dice) -> Vec<Bounds<D>> {
    let mut window = || {
        let share = [0.0; D].map(|_| 0.01 + 0.5 * dice.roll().powi(2));
        let size: [f64; D] = std::array::from_fn(|a| share[a] * place.size()[a]);
        let min = std::array::from_fn(|a| {
            let room = place.size()[a] - size[a];
            place.min()[a] + room * dice.roll()
        });
        Bounds::with_origin(min, size).expect("a window")
    };
    (0..count).map(|_| window()).collect()
}

fn shuffled<T: Clone>(all: &[T], dice: &mut Dice) -> Vec<T> {
    let mut all = all.to_vec();
    all.sort_by_cached_key(|_| dice.roll().to_bits());
    all
}

/// Compares windows of a world, one after the other and from several threads at once, with the whole.
#[track_caller]
fn assert_crops<const D: usize>(
    name: &str,
    world: &(dyn Fn() -> World<D> + Sync),
    whole: &[Sample<D>],
    windows: &[Bounds<D>],
    dice: &mut Dice,
) {
    let expected: Vec<_> = windows
        .iter()
        .map(|window| bits(crop(whole, window)))
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
        let orders = (0..threads).map(|_| shuffled(&numbers, dice));
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
) where
    Constant: RadiusField<D>,
{
    let mut dice = Dice(seed);
    let asked = Asked::default();
    let mut all = woods::<D>(&asked);
    // A world of one field without layers differs from a world of a single layer.
    let single = || hills::<D>(0.9, 2.2, &asked);
    let options = options(rule, seed);
    let domain = Bounds::with_origin([-7.3; D], [bounded; D]).expect("a box");
    let far = Bounds::with_origin([913.7; D], [endless; D]).expect("a box");
    let (near, beyond) = (
        windows(&domain, count, &mut dice),
        windows(&far, count.div_ceil(2), &mut dice),
    );

    let scatter = Scatter::new(single(), domain, options).expect("a run");
    let whole = scatter.points().expect("memory").samples;
    let world = || World::bounded(scatter.clone());
    assert_crops("one field", &world, &whole, &near, &mut dice);
    let world = || World::new(single(), options).expect("a world");
    let whole = world().window(&far).expect("a window").samples;
    assert_crops("one endless field", &world, &whole, &beyond, &mut dice);

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
            assert_crops(&name, &world, &whole, &near, &mut dice);
        }
        let world = || wood.endless(options);
        let whole = world().window(&far).expect("a window").samples;
        let name = format!("wood {number}, endless, {rule:?}");
        assert_crops(&name, &world, &whole, &beyond, &mut dice);
    }
}

#[test]
fn windows_in_the_plane_are_crops() {
    for (number, rule) in RULES.into_iter().enumerate() {
        let seed = 1 + number as u64;
        worlds_are_crops::<2>([40.0, 50.0], 4, (rule, seed), |wood| wood == number);
    }
}

#[test]
#[ignore = "long"]
fn windows_in_the_plane_are_crops_in_full() {
    for (rule, seed) in RULES.into_iter().zip(1..) {
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
    let mut dice = Dice(5);
    let all = windows(&place, 2, &mut dice);
    assert_crops("two turns in space", &world, &whole, &all, &mut dice);
}

/// Takes minutes for each rule, and gigabytes.
#[test]
#[ignore = "long"]
fn windows_in_space_are_crops_by_all_rules() {
    for (number, rule) in RULES.into_iter().enumerate() {
        let seed = 11 + number as u64;
        worlds_are_crops::<3>([8.0, 4.0], 2, (rule, seed), |wood| wood == number);
    }
}

/// Windows across the borders of shards. The other worlds here are far smaller than a shard.
#[test]
fn windows_across_shards_are_crops() {
    let options = options(Rule::Max, 4);
    let world = || World::new(Constant::new(1.0).expect("a field"), options).expect("a world");
    // Shards are some hundred distances long and begin at the origin of coordinates.
    let place = Bounds::new([-130.0, -120.0], [140.0, 150.0]).expect("a box");
    let whole = world().window(&place).expect("a window").samples;
    assert!(whole.len() > 50_000, "{}", whole.len());
    let mut dice = Dice(8);
    let mut all = windows(&place, 8, &mut dice);
    all.push(Bounds::new([-5.0; 2], [5.0; 2]).expect("a window"));
    let side = 32.0 * 4.5 / 2.0_f64.sqrt();
    let edge = Bounds::new([0.0, -3.0], [side, side]).expect("a window");
    all.push(edge);
    assert_crops("shards", &world, &whole, &all, &mut dice);
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
fn what_is_kept_asks_the_fields_nothing() {
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
            let inside = Bounds::new([12.0, 7.5], [31.0, 8.5]).expect("a window");
            let found = world.window(&inside).expect("a window").samples;
            assert_eq!(bits(&found), bits(crop(&cold, &inside)));
            assert!(world.is_ready(&inside));
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

/// A window that was just requested is never forgotten, whatever the budget; all else is if there is
/// no room.
#[test]
fn memory_stays_within_its_budget() {
    let asked = Asked::default();
    for (number, wood) in woods::<2>(&asked).into_iter().enumerate() {
        let options = options(Rule::Mean, 9);
        let mut dice = Dice(number as u64);
        let all: Vec<Bounds<2>> = (0..5)
            .map(|_| {
                let min = [0; 2].map(|_| -200.0 + 380.0 * dice.roll());
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
                    held <= budget + 2 * touched,
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
                assert_eq!(bits(&found), bits(crop(&whole, &other)));
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

#[test]
fn near_and_nearest_are_found() {
    let asked = Asked::default();
    for (number, wood) in woods::<2>(&asked).into_iter().enumerate() {
        let options = options(Rule::Mean, 7);
        let domain = Bounds::new([-20.0; 2], [20.0; 2]).expect("a box");
        let scatter = wood.bounded(domain, Edges::Open, options);
        let whole = scatter.points().expect("memory").samples;
        let world = World::bounded(scatter).with_budget(200_000);
        let mut dice = Dice(5);
        let (mut some, mut none) = (0, 0);
        for _ in 0..200 {
            let at = [0; 2].map(|_| -24.0 + 48.0 * dice.roll());
            let radius = 5.0 * dice.roll().powi(3);
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
    let field = Constant::new(2.0).expect("a field");
    let scatter = Scatter::tiled(field, domain, options(Rule::Max, 7)).expect("a run");
    let whole = scatter.points().expect("memory").samples;
    let world = World::bounded(scatter);
    let mut dice = Dice(9);
    let mut across = 0;
    for _ in 0..200 {
        let home = [10.0 + 40.0 * dice.roll(), -5.0 + 32.0 * dice.roll()];
        // A copy of the place, two tiles off.
        let at = [home[0] + 40.0, home[1] - 64.0];
        let radius = 25.0 * dice.roll().powi(2);
        let from = |s: &Sample<2>| square_around(s.position, home, domain.size());
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
        World::new(Constant::new(1.0).expect("a field"), options).expect("a world")
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
        DistRange::new(2.0, 2.0).expect("a range")
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
        assert_spaced(&found.samples, Rule::Max, None);
        assert!(found.samples.len() > 50);
    });
}

/// A radius may be infinite or lost in rounding; a point that is not finite or too far away is
/// refused, as by `window`.
#[test]
fn near_finds_within_any_radius_and_refuses_no_place() {
    let domain = Bounds::new([1e6; 2], [1e6 + 20.0; 2]).expect("a box");
    let field = Constant::new(2.0).expect("a field");
    let scatter = Scatter::new(field, domain, options(Rule::Max, 7)).expect("a run");
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
    let field = Constant::new(2.0).expect("a field");
    let endless = World::new(field, options(Rule::Max, 7)).expect("a world");
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

/// Layers of a periodic domain keep their distances across its edges too.
#[test]
fn layers_of_a_tile_keep_apart_across_the_seam() {
    let asked = Asked::default();
    for (number, wood) in woods::<2>(&asked).into_iter().enumerate() {
        for (rule, seed) in RULES.into_iter().zip(20..) {
            let domain = Bounds::with_origin([3.0, -8.0], [31.0, 27.0]).expect("a box");
            let run = wood.bounded(domain, Edges::Tiled, options(rule, seed));
            let samples = run.points().expect("memory").samples;
            assert!(samples.iter().all(|s| domain.contains(s.position)));
            let across = assert_apart_around(&samples, &wood, rule, domain.size());
            assert!(
                across > 10,
                "wood {number}, {rule:?}: {across} pairs across the seam"
            );
            let open = open_places(&samples, &wood, rule, &domain);
            assert_eq!(
                open, 0,
                "wood {number}, {rule:?}: places open to the last layer"
            );
        }
    }
    for (rule, seed) in RULES.into_iter().zip(20..) {
        let wood = &woods::<3>(&asked)[1];
        let domain = Bounds::with_origin([3.0, -8.0, 0.5], [8.0, 7.0, 7.5]).expect("a box");
        let run = wood.bounded(domain, Edges::Tiled, options(rule, seed));
        let samples = run.points().expect("memory").samples;
        let across = assert_apart_around(&samples, wood, rule, domain.size());
        assert!(
            across > 10,
            "{rule:?} in space: {across} pairs across the seam"
        );
    }
}

/// Returns the distance that a later point must keep from an earlier one.
fn keep(
    fixed: &[(usize, usize, f64)],
    rule: Rule,
    (earlier, a): (usize, f64),
    (later, b): (usize, f64),
) -> f64 {
    let pair = (earlier.min(later), earlier.max(later));
    if let Some(&(.., distance)) = fixed.iter().find(|&&(a, b, _)| (a, b) == pair) {
        return distance;
    }
    required(rule, a, b)
}

/// Returns the square of the distance between two places on a torus.
fn square_around<const D: usize>(p: [f64; D], q: [f64; D], size: [f64; D]) -> f64 {
    let along = |a: usize| {
        let d = (p[a] - q[a]).abs();
        d.min(size[a] - d)
    };
    (0..D).map(|a| along(a) * along(a)).sum()
}

/// Checks every pair, and returns the number of pairs that are near each other across a seam.
fn assert_apart_around<const D: usize>(
    samples: &[Sample<D>],
    wood: &Wood<D>,
    rule: Rule,
    size: [f64; D],
) -> usize {
    let plain = |s: &Sample<D>| (s.layer.expect("a layer") as usize, s.min_dist);
    let mut all: Vec<&Sample<D>> = samples.iter().collect();
    all.sort_by_key(|s| s.id);
    let mut across = 0;
    for (i, later) in all.iter().enumerate() {
        for earlier in &all[..i] {
            assert_ne!(earlier.id, later.id, "one id twice");
            let keep = keep(&wood.fixed, rule, plain(earlier), plain(later));
            let around = square_around(earlier.position, later.position, size);
            // A difference around the seam is rounded once more.
            assert!(
                around >= keep * keep * (1.0 - 1e-12),
                "{rule:?}: {earlier:?} {later:?}"
            );
            let straight = squared(earlier.position, later.position);
            across += usize::from(around < straight && around < 4.0 * keep * keep);
        }
    }
    across
}

/// Returns the number of places with room for a layer of the last turn, among many tried.
fn open_places(samples: &[Sample<2>], wood: &Wood<2>, rule: Rule, domain: &Bounds<2>) -> usize {
    let last = wood.layers.iter().map(|layer| layer.turn).max();
    let mut dice = Dice(77);
    let mut open = 0;
    for _ in 0..1500 {
        let p: [f64; 2] = std::array::from_fn(|a| domain.min()[a] + domain.size()[a] * dice.roll());
        for (number, layer) in wood.layers.iter().enumerate() {
            let grows = layer.region.as_ref().is_none_or(|region| region.holds(p));
            let r = layer.field.min_dist(p).filter(|_| grows);
            let Some(r) = r.filter(|_| Some(layer.turn) == last) else {
                continue;
            };
            let closed = samples.iter().any(|s| {
                let earlier = (s.layer.expect("a layer") as usize, s.min_dist);
                let keep = keep(&wood.fixed, rule, earlier, (number, r));
                square_around(s.position, p, domain.size()) < keep * keep
            });
            open += usize::from(!closed);
        }
    }
    open
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
        DistRange::new(1.0, 1.0).expect("a range")
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
        World::new(Constant::new(1.0).expect("a field"), options).expect("a world")
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
                let mut dice = Dice(number);
                for _ in 0..20 {
                    let at = [0; 2].map(|_| 300.0 * dice.roll());
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
    let world = World::new(Constant::new(1.0).expect("a field"), options(Rule::Max, 7));
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

/// A request that needs too much memory leaves none of it in use: the world then has room for all
/// that a new world has room for.
#[test]
fn a_refused_request_leaves_no_memory_behind() {
    let options = ScatterOptions {
        max_bytes: Some(2_000_000),
        ..ScatterOptions::default()
    };
    let new = || World::new(Constant::new(1.0).expect("a field"), options).expect("a world");
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
        let world = World::new(Constant::new(1.0).expect("a field"), options).expect("a world");
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
    let field = || Constant::new(1.0).expect("a field");
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
    let [one, other] = [0, 1].map(|_| Layer::new(Constant::new(2.0).expect("a field")));
    for layers in [vec![one.clone(), one.clone()], vec![one, other]] {
        let world = World::<2>::layered(layers, Apart::new(2), plain).expect("a world");
        all.push(world.fingerprint());
    }
    // Their points are the same, but not the ids.
    let oak = || Constant::new(2.0).expect("a field");
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
fn windows_of_layers_know_their_ranks() {
    let asked = Asked::default();
    let wood = &woods::<2>(&asked)[1];
    let options = ScatterOptions {
        levels: 2,
        ..options(Rule::Mean, 5)
    };
    let domain = Bounds::from_size([40.0; 2]).expect("a box");
    let mut dice = Dice(3);
    for edges in [Edges::Open, Edges::Tiled] {
        let scatter = wood.bounded(domain, edges, options);
        let whole = scatter.points().expect("memory").samples;
        for rank in 0..=2 {
            assert!(whole.iter().any(|s| s.rank == Some(rank)), "{rank}");
        }
        let all = windows(&domain, 5, &mut dice);
        let world = || World::bounded(scatter.clone());
        assert_crops("ranks", &world, &whole, &all, &mut dice);
    }
    let place = Bounds::new([-40.0, 90.0], [0.0, 120.0]).expect("a box");
    let world = || wood.endless(options);
    let whole = world().window(&place).expect("a window").samples;
    let all = windows(&place, 4, &mut dice);
    assert_crops("ranks of an endless world", &world, &whole, &all, &mut dice);
}
