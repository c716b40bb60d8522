//! Tests that `Scatter` gives one set of points in every way: whole, streamed, by windows, with any
//! number of threads. The set keeps its distances, by a separate checker.
//!
//! Large domains are evaluated in several blocks, on several threads at once: one block would not
//! test that.

use crate::common::bits::bits;
use crate::common::checker::{Checker, Fixed};
use crate::common::counting::Asked;
use crate::common::woods::woods;
use crate::common::{Random, even, field, greys, inside, picture, pool, range, square};
use sampler::density::{Bounds, GridField, MapOptions, Perlin, PerlinOptions, RadiusMap};
use sampler::{Edges, Rule, Sample, Scatter, ScatterOptions, Scattered, World};
use spinney_sampler as sampler;
use std::ops::ControlFlow;

fn joined<const D: usize>(all: &mut Scattered<D>, part: Scattered<D>) {
    all.samples.extend(part.samples);
    all.complete &= part.complete;
    all.unresolved += part.unresolved;
    all.unresolved_volume += part.unresolved_volume;
}

/// Returns a box cut at random until no part holds more points than a number drawn for each from 10
/// to 2000.
fn cut<const D: usize>(
    place: Bounds<D>,
    samples: &[Sample<D>],
    random: &mut Random,
) -> Vec<Bounds<D>> {
    let inside = inside(samples, &place);
    if inside.len() as f64 <= random.between(10.0, 2000.0) {
        return vec![place];
    }
    let size = place.size();
    let axis = (0..D).fold(0, |a, b| if size[b] > size[a] { b } else { a });
    let at = place.min()[axis] + size[axis] * random.between(0.2, 0.8);
    let (mut below, mut above) = (place.max(), place.min());
    (below[axis], above[axis]) = (at, at);
    let below = Bounds::new(place.min(), below).expect("a good box");
    let above = Bounds::new(above, place.max()).expect("a good box");
    let mut parts = cut(below, &inside, random);
    parts.extend(cut(above, &inside, random));
    parts
}

/// Returns windows that overlap: some large, some beyond the domain, and small ones around points,
/// most of which lie in dense parts.
fn overlapping<const D: usize>(
    domain: &Bounds<D>,
    samples: &[Sample<D>],
    random: &mut Random,
) -> Vec<Bounds<D>> {
    let mut windows = Vec::new();
    for _ in 0..6 {
        let size = domain.size().map(|s| s * random.between(0.02, 0.3));
        let min: [f64; D] = std::array::from_fn(|a| {
            random.between(domain.min()[a] - 0.5 * size[a], domain.max()[a])
        });
        windows.push(Bounds::with_origin(min, size).expect("a good box"));
        let amid = &samples[random.between(0.0, samples.len() as f64) as usize];
        let size = [0.0; D].map(|_| amid.min_dist * random.between(0.3, 8.0));
        let min = std::array::from_fn(|a| amid.position[a] - size[a] * random.unit());
        windows.push(Bounds::with_origin(min, size).expect("a good box"));
    }
    windows
}

/// Compares windows, cold and warm, with the whole.
#[track_caller]
fn assert_windows<const D: usize>(
    scatter: &Scatter<'_, D>,
    warm: &World<D>,
    whole: &[Sample<D>],
    windows: &[Bounds<D>],
) {
    for window in windows {
        let expected = bits(&inside(whole, window));
        let cold = scatter.points_in(window).expect("a window");
        assert!(bits(&cold.samples) == expected, "cold, {window:?}");
        let warm = warm.window(window).expect("a window");
        assert!(bits(&warm.samples) == expected, "warm, {window:?}");
    }
}

/// Compares all ways with the whole, which must have at least `parts` parts, and returns the number
/// of points.
#[track_caller]
fn assert_one_truth<const D: usize>(
    scatter: &Scatter<'static, D>,
    parts: usize,
    threads: &[usize],
    seed: u64,
) -> usize {
    assert_one_truth_of_layers(scatter, &[], parts, threads, seed)
}

/// Compares all ways with the whole, for layers with some fixed distances.
#[track_caller]
fn assert_one_truth_of_layers<const D: usize>(
    scatter: &Scatter<'static, D>,
    fixed: &[Fixed],
    parts: usize,
    threads: &[usize],
    seed: u64,
) -> usize {
    let mut of = 0;
    let whole = scatter.points_with(|progress| {
        of = progress.of;
        ControlFlow::Continue(())
    });
    let whole = whole.expect("memory").expect("not broken off");
    assert!(whole.complete);
    assert!(of >= parts, "{of} parts");
    let domain = scatter.domain();
    let mut checker = Checker::new(&whole.samples, scatter.options().rule).with_fixed(fixed);
    if scatter.edges() == Edges::Tiled {
        checker = checker.on_tile(&domain);
    }
    checker.assert_spaced();
    let expected = bits(&whole.samples);
    let mut random = Random(seed);
    for &threads in threads {
        let pool = pool(threads);
        let again = pool.install(|| scatter.points().expect("memory"));
        assert!(again == whole, "whole, {threads} threads");
        let mut streamed = Scattered::default();
        pool.install(|| {
            for part in scatter.stream().expect("memory") {
                joined(&mut streamed, part.expect("memory"));
            }
        });
        let mut shown = Scattered::default();
        let flow = pool.install(|| {
            scatter.stream_with(|part, _| {
                joined(&mut shown, part);
                ControlFlow::Continue(())
            })
        });
        assert!(
            flow.expect("memory").is_continue() && shown == streamed,
            "{threads} threads"
        );
        if scatter.options().levels > 0 {
            // Each part was sorted by itself.
            streamed.samples.sort_by_key(|s| (s.rank, s.id));
        }
        assert!(streamed.samples == whole.samples, "{threads} threads");
        assert_eq!(streamed.unresolved, whole.unresolved);
        let windows = overlapping(&domain, &whole.samples, &mut random);
        let warm = World::bounded(scatter.clone());
        pool.install(|| assert_windows(scatter, &warm, &whole.samples, &windows));
    }
    let mut parts = cut(domain, &whole.samples, &mut random);
    parts.sort_by_cached_key(|_| random.unit().to_bits());
    // A point takes some hundred bytes: the second world has room for a fifth of them.
    let budgets = [1 << 30, 60 * expected.len()];
    let worlds = budgets.map(|bytes| World::bounded(scatter.clone()).with_budget(bytes));
    let mut found: [Vec<Sample<D>>; 3] = std::array::from_fn(|_| Vec::new());
    for part in &parts {
        let cold = scatter.points_in(part).expect("a window");
        let [warm, cramped] = [0, 1].map(|i| worlds[i].window(part).expect("a window"));
        for (found, part) in found.iter_mut().zip([cold, warm, cramped]) {
            found.extend(part.samples);
        }
    }
    for (how, found) in ["cold", "warm", "cramped"].into_iter().zip(&found) {
        assert!(bits(found) == expected, "{} windows, {how}", parts.len());
    }
    let windows = overlapping(&domain, &whole.samples, &mut random);
    assert_windows(scatter, &worlds[0], &whole.samples, &windows);
    expected.len()
}

fn options(rule: Rule, levels: u32) -> ScatterOptions {
    ScatterOptions {
        rule,
        levels,
        seed: 11,
        ..ScatterOptions::default()
    }
}

fn uniform_2d(height: f64, threads: [&[usize]; 2]) {
    let field = even(1.0);
    // Long, so that there are several blocks.
    let domain = Bounds::from_size([1000.0, height]).expect("a good box");
    for (levels, threads) in [0, 2].into_iter().zip(threads) {
        let scatter = Scatter::new(field, domain, options(Rule::Max, levels));
        let scatter = scatter.expect("a good run");
        assert!(assert_one_truth(&scatter, 4, threads, 1) > 30_000);
    }
}

#[test]
fn uniform() {
    uniform_2d(45.0, [&[1, 8], &[2, 3]]);
}

#[test]
#[ignore = "long"]
fn uniform_in_full() {
    uniform_2d(90.0, [&[1, 2, 3, 8]; 2]);
}

#[test]
fn uniform_in_space() {
    let field = even(1.0);
    // Long enough that a window does not need all of it, and thin, as its surroundings are large.
    let domain = Bounds::from_size([70.0, 10.0, 9.0]).expect("a good box");
    let scatter = Scatter::new(field, domain, options(Rule::Max, 1));
    let scatter = scatter.expect("a good run");
    assert!(assert_one_truth(&scatter, 1, &[1, 3], 1) > 4_000);
}

#[test]
fn perlin() {
    let noise = PerlinOptions {
        frequency: 0.01,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(range(1.0, 3.0), noise).expect("a good field");
    let domain = Bounds::from_size([2600.0, 130.0]).expect("a good box");
    let scatter = Scatter::new(field, domain, options(Rule::Max, 0));
    assert!(assert_one_truth(&scatter.expect("a good run"), 4, &[3], 2) > 30_000);
}

#[test]
fn checkerboard_of_ratio_64() {
    let field = GridField::new(range(0.25, 16.0), 0.25, |p: [f64; 2]| {
        let odd = ((p[0] / 15.0) as i64 + (p[1] / 15.0) as i64) % 2 == 1;
        if odd { 16.0 } else { 0.25 }
    });
    let field = field.expect("a good field");
    let scatter = Scatter::new(field, square(40.0), options(Rule::Max, 0));
    assert!(assert_one_truth(&scatter.expect("a good run"), 1, &[8], 3) > 5_000);
}

fn photographed(size: [f64; 2], most: f64, rule: Rule, levels: u32, [parts, threads]: [usize; 2]) {
    let place = MapOptions {
        bounds: Some(Bounds::from_size(size).expect("a good box")),
        ..MapOptions::default()
    };
    let field = RadiusMap::new(picture("boots.jpg"), range(most / 4.0, most), place);
    let field = field.expect("a good field");
    let domain = field.bounds();
    let scatter = Scatter::new(field, domain, options(rule, levels));
    let scatter = scatter.expect("a good run");
    assert!(assert_one_truth(&scatter, parts, &[threads], 4) > 10_000);
}

#[test]
fn photograph() {
    photographed([320.0, 213.25], 3.0, Rule::Mean, 2, [1, 2]);
}

#[test]
#[ignore = "long"]
fn photograph_in_full() {
    photographed([320.0, 213.25], 3.0, Rule::Mean, 2, [1, 8]);
    photographed([1280.0, 853.0], 4.0, Rule::Max, 0, [2, 2]);
    photographed([1280.0, 853.0], 4.0, Rule::Max, 0, [2, 8]);
}

/// Samples each field under another rule.
fn random_fields_of(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut random = Random(seed);
        let ratio = 1.0 + 19.0 * random.unit().powi(2);
        let side = random.between(60.0, 150.0);
        let holes = if seed % 2 == 0 { 0.3 } else { 0.0 };
        let greys = greys(&mut random, 10, holes);
        let field = field(&greys, ratio, side);
        let rule = Rule::OF_SCATTER[seed as usize % Rule::OF_SCATTER.len()];
        let levels = (seed % 3) as u32;
        let domain = square(side);
        let scatter = if seed % 4 == 3 && side > 2.0 * ratio {
            Scatter::tiled(field, domain, options(rule, levels))
        } else {
            Scatter::new(field, domain, options(rule, levels))
        };
        let scatter = scatter.expect("a good run");
        let count = assert_one_truth(&scatter, 1, &[2], seed);
        println!("{seed}: ratio {ratio:.1}, {rule:?}, {levels} levels: {count} points");
        assert!(count > 30);
    }
}

#[test]
fn random_fields() {
    random_fields_of(0..5);
}

#[test]
#[ignore = "long"]
fn random_fields_in_full() {
    random_fields_of(5..20);
}

fn species_of(number: usize, levels: u32, height: f64) {
    let wood = &woods::<2>(&Asked::default())[number];
    // Long, so that there are several blocks.
    let domain = Bounds::from_size([1100.0, height]).expect("a good box");
    let scatter = wood.bounded(domain, Edges::Open, options(Rule::Mean, levels));
    let count = assert_one_truth_of_layers(&scatter, &wood.fixed, 3, &[1, 2, 3, 8], 5);
    assert!(count > 10_000, "{count}");
}

/// Two layers share a turn, and a later one keeps a fixed distance from one of them.
#[test]
fn species() {
    species_of(1, 0, 16.0);
}

#[test]
#[ignore = "long"]
fn species_in_full() {
    for (number, levels) in [(0, 1), (1, 2), (2, 0), (3, 0)] {
        species_of(number, levels, 24.0);
    }
}
