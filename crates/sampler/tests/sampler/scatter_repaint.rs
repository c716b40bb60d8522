//! Tests how far a repainted corner of a map changes points.

use crate::common::checker::assert_spaced;
use crate::common::{Random, field, greys, options, range, square};
use sampler::density::{Bounds, GridField, Perlin, PerlinOptions, RadiusField};
use sampler::{Rule, Sample, Scatter};
use spinney_sampler as sampler;
use std::collections::BTreeMap;

/// The distance that the documentation of `Scatter` states, in greatest distances.
const STATED: f64 = 8.0;

const PIXELS: usize = 48;

fn points<const D: usize, F: RadiusField<D>>(
    field: F,
    domain: Bounds<D>,
    rule: Rule,
) -> BTreeMap<u64, Sample<D>> {
    let scatter = Scatter::new(field, domain, options(rule, 0));
    let samples = scatter
        .expect("a good run")
        .points()
        .expect("memory")
        .samples;
    assert_spaced(&samples, rule);
    samples.into_iter().map(|s| (s.id, s)).collect()
}

/// Returns the largest distance from `painted` to a point that is in only one of two sets.
fn changed<const D: usize>(
    before: &BTreeMap<u64, Sample<D>>,
    after: &BTreeMap<u64, Sample<D>>,
    painted: &Bounds<D>,
) -> f64 {
    let lost = before.values().filter(|s| after.get(&s.id) != Some(s));
    let new = after.values().filter(|s| before.get(&s.id) != Some(s));
    let away = lost.chain(new).map(|s| away(painted, s.position));
    away.fold(0.0, f64::max)
}

/// Returns the largest distance from the repainted pixels and those next to them to a point that
/// was added, removed or changed, in greatest distances.
fn farthest(random: &mut Random, rule: Rule, ratio: f64, holes: f64, trials: usize) -> f64 {
    let side = 60.0 * ratio;
    let pixel = side / PIXELS as f64;
    let before = greys(random, PIXELS, holes);
    let points_before = points(field(&before, ratio, side), square(side), rule);
    let mut farthest = 0.0_f64;
    for _ in 0..trials {
        let mut after = before.clone();
        let size = [0; 2].map(|_| 1 + random.between(0.0, 8.0) as usize);
        let at = size.map(|s| random.between(0.0, (PIXELS - s) as f64) as usize);
        let grey = random.unit();
        let how = random.unit();
        for y in at[1]..at[1] + size[1] {
            for x in at[0]..at[0] + size[0] {
                // One grey, noise, or a hole.
                after[y * PIXELS + x] = match how {
                    0.0..0.4 => grey,
                    0.4..0.7 => random.unit(),
                    _ => f64::NAN,
                };
            }
        }
        let points_after = points(field(&after, ratio, side), square(side), rule);
        // Between pixel centres the map is interpolated: a pixel has an effect as far as the next.
        let [from, to] = [-1, 1].map(|step| {
            std::array::from_fn(|a| {
                let edge = if step < 0 { at[a] } else { at[a] + size[a] };
                (edge as f64 + f64::from(step)) * pixel
            })
        });
        let painted = Bounds::new(from, to).expect("a good box");
        farthest = farthest.max(changed(&points_before, &points_after, &painted));
    }
    farthest / ratio
}

fn away<const D: usize>(place: &Bounds<D>, p: [f64; D]) -> f64 {
    let outside = |a: usize| (place.min()[a] - p[a]).max(p[a] - place.max()[a]).max(0.0);
    (0..D).map(|a| outside(a).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn a_repainted_corner_is_not_felt_far_away() {
    let mut random = Random(1);
    for (ratio, holes) in [(1.0, 0.3), (1.0, 0.0), (2.0, 0.1), (4.0, 0.0)] {
        // At ratio 1 without holes, only new holes have an effect.
        let far = farthest(&mut random, Rule::Max, ratio, holes, 15);
        println!("ratio {ratio}, holes {holes}: {far:.2} greatest distances");
        assert!(far < STATED, "ratio {ratio}: {far}");
        assert!(far > 0.0, "or nothing was repainted");
    }
}

/// Repaints `trials` corners for each rule and field.
fn repaint_under_each_rule(trials: usize) {
    let mut random = Random(3);
    for rule in [Rule::Mean, Rule::Min, Rule::Own, Rule::Prior] {
        for (ratio, holes) in [(2.0, 0.1), (4.0, 0.0)] {
            let far = farthest(&mut random, rule, ratio, holes, trials);
            println!("{rule:?}, ratio {ratio}, holes {holes}: {far:.2} greatest distances");
            assert!(0.0 < far && far < STATED, "{rule:?}, ratio {ratio}: {far}");
        }
    }
}

#[test]
fn no_rule_carries_a_repainted_corner_far() {
    repaint_under_each_rule(3);
}

#[test]
#[ignore = "long"]
fn no_rule_carries_a_repainted_corner_far_in_full() {
    repaint_under_each_rule(8);
}

#[test]
fn distances_that_differ_sixteenfold_carry_no_corner_far() {
    let far = farthest(&mut Random(4), Rule::Max, 16.0, 0.0, 5);
    println!("ratio 16: {far:.2} greatest distances");
    assert!(0.0 < far && far < STATED, "{far}");
}

/// A world that grows from the same lowest corner keeps its points, but for those near its former edge.
#[test]
fn a_larger_world_has_the_same_points_inside() {
    const MOST: f64 = 2.0;
    const SIDE: f64 = 80.0;
    let noise = PerlinOptions {
        frequency: 1.0 / 16.0,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(range(1.0, MOST), noise).expect("good noise");
    let small = square(SIDE);
    for rule in [Rule::Max, Rule::Mean, Rule::Own] {
        let before = points(&field, small, rule);
        for side in [SIDE + 1.0, 2.0 * SIDE] {
            let after = points(&field, square(side), rule);
            let all = before.values().chain(after.values());
            let changed = all.filter(|s| before.get(&s.id) != after.get(&s.id));
            // The depth of the changed points in the smaller world, negative outside of it.
            let depths = changed.map(|s| SIDE - s.position[0].max(s.position[1]));
            let deepest = depths.fold(f64::MIN, f64::max);
            println!("{rule:?}, {side}: {:.2} greatest distances", deepest / MOST);
            assert!(deepest < STATED * MOST, "{rule:?}, {side}: {deepest}");
            assert!(deepest > 0.0, "or there was no edge");
        }
    }
}

/// Repaints one node of a bar of nodes.
#[test]
fn a_repainted_node_in_space_is_not_felt_far_away() {
    const CUBE: f64 = 4.0;
    const LONG: usize = 12;
    const THICK: usize = 3;
    let most = 1.5;
    let domain = [LONG, THICK, THICK].map(|n| n as f64 * CUBE);
    let domain = Bounds::from_size(domain).expect("a good box");
    let bar = |cubes: &[f64]| {
        let cubes = cubes.to_vec();
        let field = GridField::new(range(1.0, most), CUBE, move |p: [f64; 3]| {
            let node = p.map(|x| (x / CUBE).round() as usize);
            let at = [0, 1, 2].map(|a| node[a].min([LONG, THICK, THICK][a] - 1));
            let r = cubes[(at[2] * THICK + at[1]) * LONG + at[0]];
            (!r.is_nan()).then_some(r)
        });
        points(field.expect("a good field"), domain, Rule::Max)
    };
    let mut random = Random(5);
    let cubes: Vec<f64> = (0..LONG * THICK * THICK)
        .map(|_| random.between(1.0, most))
        .collect();
    let before = bar(&cubes);
    let mut farthest = 0.0_f64;
    for trial in 0..6 {
        // Near one end, so that a change has room to spread.
        let at = [2, trial % THICK, trial / 2];
        let index = (at[2] * THICK + at[1]) * LONG + at[0];
        let mut after = cubes.clone();
        after[index] = match trial % 3 {
            0 => f64::NAN,
            1 => 1.0,
            _ => most,
        };
        // A node affects the field as far as the next one; the last along an axis is repeated.
        let place = at.map(|i| (i as f64 - 1.0) * CUBE);
        let painted = Bounds::with_origin(place, [3.0 * CUBE; 3]).expect("a good box");
        farthest = farthest.max(changed(&before, &bar(&after), &painted));
    }
    println!("in space: {:.2} greatest distances", farthest / most);
    assert!(0.0 < farthest && farthest < STATED * most, "{farthest}");
}

/// Measures the stated distance. Takes minutes; `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn measure_how_far() {
    let mut random = Random(2);
    for (ratio, holes) in [(1.0, 0.3), (1.0, 0.0), (2.0, 0.0), (4.0, 0.2), (8.0, 0.0)] {
        let mut all: Vec<f64> = (0..100)
            .map(|_| farthest(&mut random, Rule::Max, ratio, holes, 10))
            .collect();
        all.sort_by(f64::total_cmp);
        println!(
            "ratio {ratio}, holes {holes}: of 100 times 10 repaints the farthest {:.2}, median {:.2}",
            all[99], all[50]
        );
        assert!(all[99] < STATED);
    }
}
