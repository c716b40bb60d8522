//! Tests layers around the points of earlier ones, by brute force: every rule and fixed distances,
//! in 2D and 3D, few large points among many small ones and small points among large ones.

use crate::common::bits::bits;
use crate::common::dice::Dice;
use crate::common::{RULES, inside, options, required, squared};
use sampler::density::{Bounds, Constant, DistRange, FnField, RadiusField};
use sampler::{Apart, Edges, Layer, Rule, Sample, Scatter};
use spinney_sampler as sampler;

type Field<const D: usize> = Box<dyn RadiusField<D>>;

/// Returns the distance that a later point must keep from an earlier one.
fn keep(
    (layer, r): (u32, f64),
    newcomer: (u32, f64),
    rule: Rule,
    apart: &[(u32, u32, f64)],
) -> f64 {
    let given = apart.iter().find(|a| (a.0, a.1) == (layer, newcomer.0));
    given.map_or_else(|| required(rule, r, newcomer.1), |given| given.2)
}

/// Returns layers decided one after the other.
fn in_turns<const D: usize>(fields: Vec<Field<D>>) -> Vec<Layer<'static, D>> {
    let layers = fields.into_iter().zip(0..);
    layers
        .map(|(field, turn)| Layer {
            turn,
            ..Layer::new(field)
        })
        .collect()
}

fn even<const D: usize>(r: f64) -> Field<D>
where
    Constant: RadiusField<D>,
{
    Box::new(Constant::new(r).expect("a field"))
}

/// Returns a field that grows along the first axis.
fn slope<const D: usize>(lo: f64, hi: f64, side: f64) -> Field<D> {
    let range = DistRange::new(lo, hi).expect("a good range");
    let grade = (hi - lo) / side;
    let field = FnField::new(range, grade, move |p: [f64; D]| lo + grade * p[0]);
    Box::new(field.expect("a slope"))
}

type Run<'r, const D: usize> = (
    &'r dyn Fn() -> Vec<Layer<'static, D>>,
    &'r [(u32, u32, f64)],
);

/// Checks that points keep their distance, that no room is left for any layer given the earlier
/// ones, and that windows and several threads give the same points. Returns the number of pairs of
/// points of two layers nearer than 1.25 times the distance to keep, and the number of points in
/// the windows.
fn judge<const D: usize>(
    (layers, apart): Run<'_, D>,
    rule: Rule,
    side: f64,
    least: &[usize],
) -> [usize; 2] {
    let options = options(rule, 3);
    let domain = Bounds::from_size([side; D]).expect("a box");
    let mut table = Apart::new(layers().len());
    for &(a, b, distance) in apart {
        let set = table.set(a as usize, b as usize, distance);
        set.expect("a good distance");
    }
    let run = Scatter::layered(layers(), table, domain, Edges::Open, options).expect("a run");
    let threads = |count| rayon::ThreadPoolBuilder::new().num_threads(count).build();
    let pools = [1, 3].map(|count| threads(count).expect("threads"));
    let found = pools[0].install(|| run.points().expect("memory"));
    assert!(found.unresolved_volume <= 1e-6 * side.powi(D as i32));
    let mut all = found.samples;
    all.sort_by_key(|s| s.id);
    let plain = |s: &Sample<D>| (s.layer.expect("a layer"), s.min_dist);
    for (layer, &least) in (0..).zip(least) {
        let count = all.iter().filter(|s| s.layer == Some(layer)).count();
        assert!(count >= least, "{rule:?}: {count} points of layer {layer}");
    }

    let mut near = 0;
    for (i, later) in all.iter().enumerate() {
        for earlier in &all[..i] {
            let keep = keep(plain(earlier), plain(later), rule, apart);
            let square = squared(earlier.position, later.position);
            assert!(square >= keep * keep, "{rule:?}: {earlier:?} {later:?}");
            let two = earlier.layer != later.layer;
            near += usize::from(two && square < (1.25 * keep).powi(2));
        }
    }

    let mut dice = Dice(17);
    for _ in 0..2000 {
        let p = std::array::from_fn(|_| side * dice.roll());
        for (layer, Layer { field, .. }) in (0..).zip(run.layers()) {
            let newcomer = (layer, field.min_dist(p).expect("no mask"));
            let closed = all.iter().any(|s| {
                let keep = keep(plain(s), newcomer, rule, apart);
                s.layer <= Some(layer) && squared(p, s.position) < keep * keep
            });
            assert!(closed, "{rule:?}: {p:?} is open to layer {layer}");
        }
    }

    let again = pools[1].install(|| run.points().expect("memory"));
    assert_eq!(bits(&again.samples), bits(&all), "{rule:?}: threads");
    let mut seen = 0;
    for pool in &pools {
        let min = std::array::from_fn(|_| side * (0.9 * dice.roll() - 0.1));
        let window = Bounds::with_origin(min, [0.2 * side; D]).expect("a window");
        let part = pool.install(|| run.points_in(&window)).expect("points");
        let inside = inside(&all, &window);
        assert_eq!(bits(&part.samples), bits(&inside), "{rule:?}: a window");
        seen += inside.len();
    }
    [near, seen]
}

#[test]
fn small_points_amid_large_ones() {
    for rule in RULES {
        // Under these rules the large points leave no room.
        let few = matches!(rule, Rule::Max | Rule::Prior);
        let least = [15, if few { 0 } else { 100 }];
        let even = || in_turns(vec![even::<2>(6.0), even(0.8)]);
        let [near, seen] = judge((&even, &[]), rule, 40.0, &least);
        assert!(seen > 0 && (few || near > 40), "{rule:?}: {near} {seen}");
        let uneven = || in_turns(vec![slope::<2>(3.0, 7.0, 40.0), slope(0.9, 1.2, 40.0)]);
        let [near, seen] = judge((&uneven, &[]), rule, 40.0, &least);
        assert!(seen > 0 && (few || near > 40), "{rule:?}: {near} {seen}");
        let [near, seen] = judge((&uneven, &[(0, 1, 2.0)]), rule, 40.0, &[15, 400]);
        assert!(near > 100 && seen > 40, "{rule:?}: {near} {seen}");
    }
}

/// More small points reach a leaf than it can store.
#[test]
fn large_points_amid_a_crowd() {
    for rule in RULES {
        let layers = || in_turns(vec![even::<2>(0.25), even(5.0), slope(3.0, 6.0, 20.0)]);
        let fixed = [(0, 1, 0.14), (0, 2, 0.15), (1, 2, 2.0)];
        let [near, seen] = judge((&layers, &fixed), rule, 20.0, &[3000, 8, 3]);
        assert!(near > 10 && seen > 100, "{rule:?}: {near} {seen}");
    }
    // Under this rule the smaller distance counts, so large points find room between small ones.
    let layers = || in_turns(vec![slope::<2>(0.2, 0.3, 20.0), even(5.0)]);
    let [near, seen] = judge((&layers, &[]), Rule::Min, 20.0, &[3000, 0]);
    assert!(seen > 100, "{near} {seen}");
}

#[test]
fn some_by_the_rule_and_some_at_a_distance() {
    for rule in RULES {
        let layers = || in_turns(vec![even::<2>(4.0), slope(1.0, 3.0, 40.0), even(0.9)]);
        let [near, seen] = judge((&layers, &[(0, 2, 1.1)]), rule, 40.0, &[40, 0, 0]);
        assert!(near > 10 && seen > 10, "{rule:?}: {near} {seen}");
        let both = [(1, 2, 1.2), (0, 1, 1.5)];
        let [near, seen] = judge((&layers, &both), rule, 40.0, &[40, 60, 0]);
        assert!(near > 10 && seen > 10, "{rule:?}: {near} {seen}");
    }
}

#[test]
fn space_is_judged_too() {
    let mut all = [0; 2];
    for rule in RULES {
        let layers = || in_turns(vec![even::<3>(2.5), slope(0.9, 1.3, 9.0)]);
        let ruled = judge((&layers, &[]), rule, 9.0, &[20, 0]);
        let fixed = judge((&layers, &[(0, 1, 1.0)]), rule, 9.0, &[20, 80]);
        all = std::array::from_fn(|i| all[i] + ruled[i] + fixed[i]);
    }
    let crowd = || in_turns(vec![even::<3>(0.5), even(3.0)]);
    judge((&crowd, &[(0, 1, 0.25)]), Rule::Max, 8.0, &[1500, 5]);
    let [near, seen] = all;
    assert!(near > 400 && seen > 40, "{near} {seen}");
}
