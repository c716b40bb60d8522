//! Tests layers around the points of earlier ones, by brute force: every rule and fixed distances,
//! in 2D and 3D, few large points among many small ones and small points among large ones.

use crate::common::bits::bits;
use crate::common::checker::{Checker, Fixed};
use crate::common::layers::table;
use crate::common::{Random, even, inside, options, pool, range};
use sampler::density::{Bounds, FnField, RadiusField};
use sampler::{Edges, Layer, Rule, Scatter};
use spinney_sampler as sampler;

type Field<const D: usize> = Box<dyn RadiusField<D>>;

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

/// Returns a field that grows along the first axis.
fn slope<const D: usize>(lo: f64, hi: f64, side: f64) -> Field<D> {
    let grade = (hi - lo) / side;
    let field = FnField::new(range(lo, hi), grade, move |p: [f64; D]| lo + grade * p[0]);
    Box::new(field.expect("a slope"))
}

/// Checks that points keep their distance, that no room is left for any layer given the earlier
/// ones, and that windows and several threads give the same points. Returns the number of pairs of
/// points of two layers nearer than 1.25 times the distance to keep, and the number of points in
/// the windows.
fn judge<const D: usize>(
    layers: Vec<Layer<'static, D>>,
    fixed: &[Fixed],
    rule: Rule,
    side: f64,
    least: &[usize],
) -> [usize; 2] {
    let domain = Bounds::from_size([side; D]).expect("a box");
    let table = table(layers.len(), fixed);
    let run = Scatter::layered(layers, table, domain, Edges::Open, options(rule, 3));
    let run = run.expect("a run");
    let pools = [1, 3].map(pool);
    let found = pools[0].install(|| run.points().expect("memory"));
    assert!(found.unresolved_volume <= 1e-6 * side.powi(D as i32));
    let all = found.samples;
    for (layer, &least) in (0..).zip(least) {
        let count = all.iter().filter(|s| s.layer == Some(layer)).count();
        assert!(count >= least, "{rule:?}: {count} points of layer {layer}");
    }

    let near = Checker::new(&all, rule).with_fixed(fixed).assert_spaced();
    for (number, layer) in run.layers().iter().enumerate() {
        let number = Some(number as u32);
        let decided: Vec<_> = all.iter().filter(|s| s.layer <= number).copied().collect();
        let decided = Checker::new(&decided, rule).with_fixed(fixed);
        decided.assert_full(&domain, 2000, number, |p| layer.field.min_dist(p));
    }

    let again = pools[1].install(|| run.points().expect("memory"));
    assert_eq!(bits(&again.samples), bits(&all), "{rule:?}: threads");
    let (mut seen, mut random) = (0, Random(5));
    for pool in &pools {
        let min = [0.0; D].map(|_| side * random.between(-0.1, 0.8));
        let window = Bounds::with_origin(min, [0.2 * side; D]).expect("a window");
        let part = pool.install(|| run.points_in(&window)).expect("points");
        let inside = inside(&all, &window);
        assert_eq!(bits(&part.samples), bits(&inside), "{rule:?}: a window");
        seen += inside.len();
    }
    [near.between_layers, seen]
}

#[test]
fn small_points_amid_large_ones() {
    for rule in Rule::OF_SCATTER {
        // Under these rules the large points leave no room.
        let few = matches!(rule, Rule::Max | Rule::Prior);
        let least = [15, if few { 0 } else { 100 }];
        let flat = in_turns::<2>(vec![Box::new(even(6.0)), Box::new(even(0.8))]);
        let [near, seen] = judge(flat, &[], rule, 40.0, &least);
        assert!(seen > 0 && (few || near > 40), "{rule:?}: {near} {seen}");
        let uneven = || in_turns::<2>(vec![slope(3.0, 7.0, 40.0), slope(0.9, 1.2, 40.0)]);
        let [near, seen] = judge(uneven(), &[], rule, 40.0, &least);
        assert!(seen > 0 && (few || near > 40), "{rule:?}: {near} {seen}");
        let [near, seen] = judge(uneven(), &[(0, 1, 2.0)], rule, 40.0, &[15, 400]);
        assert!(near > 100 && seen > 40, "{rule:?}: {near} {seen}");
    }
}

/// More small points reach a leaf than it can store.
#[test]
fn large_points_amid_a_crowd() {
    for rule in Rule::OF_SCATTER {
        let layers = in_turns::<2>(vec![
            Box::new(even(0.25)),
            Box::new(even(5.0)),
            slope(3.0, 6.0, 20.0),
        ]);
        let fixed = [(0, 1, 0.14), (0, 2, 0.15), (1, 2, 2.0)];
        let [near, seen] = judge(layers, &fixed, rule, 20.0, &[3000, 8, 3]);
        assert!(near > 10 && seen > 100, "{rule:?}: {near} {seen}");
    }
    // Under this rule the smaller distance counts, so large points find room between small ones.
    let layers = in_turns::<2>(vec![slope(0.2, 0.3, 20.0), Box::new(even(5.0))]);
    let [near, seen] = judge(layers, &[], Rule::Min, 20.0, &[3000, 0]);
    assert!(seen > 100, "{near} {seen}");
}

#[test]
fn some_by_the_rule_and_some_at_a_distance() {
    for rule in Rule::OF_SCATTER {
        let layers = || {
            in_turns::<2>(vec![
                Box::new(even(4.0)),
                slope(1.0, 3.0, 40.0),
                Box::new(even(0.9)),
            ])
        };
        let [near, seen] = judge(layers(), &[(0, 2, 1.1)], rule, 40.0, &[40, 0, 0]);
        assert!(near > 10 && seen > 10, "{rule:?}: {near} {seen}");
        let both = [(1, 2, 1.2), (0, 1, 1.5)];
        let [near, seen] = judge(layers(), &both, rule, 40.0, &[40, 60, 0]);
        assert!(near > 10 && seen > 10, "{rule:?}: {near} {seen}");
    }
}

#[test]
fn space_is_judged_too() {
    let mut all = [0; 2];
    for rule in Rule::OF_SCATTER {
        let layers = || in_turns::<3>(vec![Box::new(even(2.5)), slope(0.9, 1.3, 9.0)]);
        let ruled = judge(layers(), &[], rule, 9.0, &[20, 0]);
        let fixed = judge(layers(), &[(0, 1, 1.0)], rule, 9.0, &[20, 80]);
        all = std::array::from_fn(|i| all[i] + ruled[i] + fixed[i]);
    }
    let crowd = in_turns::<3>(vec![Box::new(even(0.5)), Box::new(even(3.0))]);
    judge(crowd, &[(0, 1, 0.25)], Rule::Max, 8.0, &[1500, 5]);
    let [near, seen] = all;
    assert!(near > 400 && seen > 40, "{near} {seen}");
}
