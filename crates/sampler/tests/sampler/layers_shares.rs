//! Tests that layers of one turn get their shares and leave no hole.

use crate::common::bits::bits;
use crate::common::checker::{Checker, Fixed, assert_spaced};
use crate::common::layers::{WOOD, table, wood};
use crate::common::{Random, even, inside, options, pool, range, square};
use sampler::density::{Bounds, GridField, Perlin, PerlinOptions, RadiusField};
use sampler::{Edges, Layer, Rule, Sample, Scatter, ScatterOptions};
use spinney_sampler as sampler;
use std::sync::Arc;

/// Returns the number of points of each layer.
fn counts(samples: &[Sample<2>], layers: u32) -> Vec<usize> {
    let of = |layer| samples.iter().filter(|s| s.layer == Some(layer)).count();
    (0..layers).map(of).collect()
}

type Field = Arc<dyn RadiusField<2>>;

/// Returns layers of one turn with these shares and distances.
fn sharing(layers: &[(f64, f64)], fixed: &[Fixed], side: f64) -> Scatter<'static, 2> {
    // Layers of equal distances hold one field.
    let mut fields: Vec<(f64, Field)> = Vec::new();
    let mut field = |r: f64| {
        if let Some((_, field)) = fields.iter().find(|(of, _)| *of == r) {
            return Arc::clone(field);
        }
        let field: Field = Arc::new(even(r));
        fields.push((r, Arc::clone(&field)));
        field
    };
    let layer = |&(share, r): &(f64, f64)| Layer {
        share,
        ..Layer::of(field(r))
    };
    let options = options(Rule::Mean, 6);
    let all = layers.iter().map(layer).collect();
    Scatter::layered(
        all,
        table(layers.len(), fixed),
        square(side),
        Edges::Open,
        options,
    )
    .expect("a run")
}

/// Layers of equal distances get points by their shares, whatever their order. This holds for layers
/// that are sampled together and for layers that differ slightly, which come one after the other. All
/// of those but the last may leave some of their territory to others.
#[test]
fn shares_are_what_layers_get() {
    for (shares, trifle) in [
        ([1.0, 1.0, 1.0], 0.0),
        ([1.0, 2.0, 5.0], 0.0),
        ([5.0, 2.0, 1.0], 0.0),
        ([1.0, 1.0, 1.0], 1e-3),
        ([1.0, 2.0, 5.0], 1e-3),
        ([5.0, 2.0, 1.0], -1e-3),
        ([1.0, 0.1, 60.0], 1e-3),
        ([60.0, 0.1, 1.0], 1e-3),
    ] {
        let each = [0, 1, 2].map(|n| (shares[n], 1.0 + trifle * n as f64));
        let layered = sharing(&each, &[], 160.0);
        let found = layered.points().expect("memory").samples;
        assert_spaced(&found, Rule::Mean);
        let counts = counts(&found, 3);
        let total: f64 = shares.iter().sum();
        for (count, share) in counts.iter().zip(shares) {
            let share = share / total;
            // A small share comes to some thirty points, and layers before the last get somewhat more.
            let tolerance = if share < 0.1 { 0.35 } else { 0.1 };
            let times = *count as f64 / found.len() as f64 / share;
            assert!((times - 1.0).abs() < tolerance, "{shares:?}: {counts:?}");
        }
        // As many points as of one layer: sharing leaves no holes.
        let density = found.len() as f64 / 25_600.0;
        assert!((0.69..0.73).contains(&density), "{density}");
    }
}

/// With half the distance between layers, together they have more points than one layer, and as many
/// as expected.
#[test]
fn layers_that_come_nearer_to_each_other_have_more_points() {
    let pairs = [(0, 1, 0.5), (0, 2, 0.5), (1, 2, 0.5)];
    let layered = sharing(&[(1.0, 1.0), (2.0, 1.01), (1.5, 1.02)], &pairs, 70.0);
    let whole = layered.points().expect("memory").samples;
    let checker = Checker::new(&whole, Rule::Mean).with_fixed(&pairs);
    assert!(checker.assert_spaced().between_layers > 20);
    let got = counts(&whole, 3);
    println!("{got:?} for {:.0?}", layered.expected());
    assert_eq!(layered.order(), [2, 1, 0]);
    let alone = 0.6966 * 70.0 * 70.0;
    assert!(whole.len() as f64 > 1.7 * alone, "{got:?}");
    let expected: f64 = layered.expected().iter().sum();
    let beside = whole.len() as f64 / expected;
    assert!((0.85..1.2).contains(&beside), "{got:?} for {expected}");
    let window = Bounds::with_origin([20.0, 33.0], [9.0, 14.0]).expect("a window");
    let found = layered.points_in(&window).expect("points").samples;
    assert_eq!(bits(&found), bits(&inside(&whole, &window)));
}

/// Where one layer cannot grow, its share goes to the other.
#[test]
fn shares_count_only_where_rivals_grow() {
    let west = GridField::new(range(1.0, 1.0), 0.25, |p: [f64; 2]| {
        (p[0] < 40.0).then_some(1.0)
    });
    let west = west.expect("a good field");
    let layers = vec![Layer::new(even(1.0)), Layer::new(west)];
    let options = ScatterOptions::default();
    let layered =
        Scatter::layered(layers, table(2, &[]), square(80.0), Edges::Open, options).expect("a run");
    let found = layered.points().expect("memory").samples;
    let of = |layer, east: bool| {
        let of = found.iter().filter(|s| s.layer == Some(layer));
        of.filter(|s| (s.position[0] >= 40.0) == east).count() as f64
    };
    assert_eq!(of(1, true), 0.0);
    assert!((2150.0..2350.0).contains(&of(0, true)), "{}", of(0, true));
    let times = of(0, false) / of(1, false);
    assert!((0.9..1.1).contains(&times), "{times}");
}

/// Layers of large distances get their territory among smaller ones, whatever the order of layers.
#[test]
fn large_layers_are_not_crowded_out() {
    let alone = Scatter::new(even(4.0), square(80.0), ScatterOptions::default());
    let alone = alone.expect("a run").points().expect("memory");
    let alone = alone.samples.len() as f64;
    for order in [[4.0, 1.0], [1.0, 4.0]] {
        let layered = sharing(&order.map(|r| (1.0, r)), &[], 80.0);
        let found = layered.points().expect("memory").samples;
        assert_spaced(&found, Rule::Mean);
        let large = found.iter().filter(|s| s.min_dist == 4.0).count() as f64;
        assert!((0.4..0.6).contains(&(large / alone)), "{large} of {alone}");
        assert!(found.len() as f64 > 3.0 * large);
    }
}

/// No place is left open to any layer of the turn, whichever came first.
#[test]
fn shared_ground_is_full() {
    is_full(&[(1.0, 1.0), (3.0, 1.4), (1.0, 2.0)], &[(0, 2, 0.6)]);
    // The large layers leave some of their territory to the small ones. Where fixed distances are
    // small, the large layers return for ground that the small ones left.
    is_full(&[(1.0, 1.0), (1.0, 2.0), (1.0, 4.0)], &[]);
    is_full(
        &[(1.0, 1.0), (1.0, 1.0), (1.0, 2.0)],
        &[(0, 2, 0.5), (1, 2, 0.5), (0, 1, 0.5)],
    );
}

fn is_full(layers: &[(f64, f64)], fixed: &[Fixed]) {
    let found = sharing(layers, fixed, 40.0).points().expect("memory");
    let checker = Checker::new(&found.samples, Rule::Mean).with_fixed(fixed);
    checker.assert_spaced();
    for (layer, &(_, r)) in (0..).zip(layers) {
        checker.assert_full(&square(40.0), 20_000, Some(layer), |_| Some(r));
    }
}

/// Trees, bushes and flowers each get about their share, the small ones somewhat more.
#[test]
fn layers_of_three_sizes_get_their_shares() {
    for (shares, expected) in [
        ([1.0, 1.0, 1.0], [1350.0, 6065.0, 31_547.0]),
        ([5.0, 2.0, 1.0], [2532.0, 5673.0, 21_060.0]),
        ([1.0, 2.0, 5.0], [527.0, 4139.0, 45_506.0]),
    ] {
        let sizes = [4.0, 2.0, 1.0];
        let each = [0, 1, 2].map(|n| (shares[n], sizes[n]));
        // The expected counts are from four worlds of 150 x 150.
        let layered = sharing(&each, &[], 300.0);
        let found = layered.points().expect("memory").samples;
        assert_spaced(&found, Rule::Mean);
        for (count, expected) in counts(&found, 3).into_iter().zip(expected) {
            let times = count as f64 / expected;
            assert!((0.93..1.07).contains(&times), "{count}, not {expected}");
        }
    }
}

/// On steep ground few candidates of large layers succeed, and a leaf covers little of a narrow
/// strip. Large layers are searched for to the end there, so that they get their share.
fn large_ones_get_their_share(steep: f64, on_steep: [f64; 3]) {
    let noise = |times| -> Field {
        let options = PerlinOptions {
            frequency: 0.3,
            spacing: Some(0.125),
            ..PerlinOptions::default()
        };
        Arc::new(Perlin::new(range(times, 10.0 * times), options).expect("noise"))
    };
    let strip = Bounds::from_size([2000.0, 0.05]).expect("a box");
    for (domain, field, expected) in [
        (square(steep), &noise as &dyn Fn(f64) -> Field, on_steep),
        (
            strip,
            &|r| -> Field { Arc::new(even(r)) },
            [125.0, 322.0, 1087.0],
        ),
    ] {
        let layers = [4.0, 2.0, 1.0].map(|times| Layer::new(field(times)));
        let options = options(Rule::Own, 0);
        let run = Scatter::layered(layers.into(), table(3, &[]), domain, Edges::Open, options)
            .expect("a run");
        let found = run.points().expect("memory").samples;
        for (count, expected) in counts(&found, 3).into_iter().zip(expected) {
            let times = count as f64 / expected;
            assert!((0.85..1.15).contains(&times), "{count}, not {expected}");
        }
    }
}

#[test]
fn large_layers_get_their_share_of_steep_or_narrow_ground() {
    // The expected counts are means of eight seeds.
    large_ones_get_their_share(150.0, [115.0, 266.0, 1009.0]);
}

#[test]
#[ignore = "long"]
fn large_layers_get_their_share_of_steep_or_narrow_ground_in_full() {
    large_ones_get_their_share(300.0, [448.0, 1108.0, 4071.0]);
}

#[test]
fn windows_of_shared_ground_are_the_whole() {
    windows_are_the_whole(&sharing(
        &[(1.0, 0.6), (2.0, 0.8), (1.0, 1.0)],
        &[(0, 1, 0.5)],
        120.0,
    ));
    // The large layers leave some of their territory to the small ones.
    windows_are_the_whole(&sharing(&[(1.0, 0.6), (1.0, 1.3), (1.0, 2.6)], &[], 120.0));
}

fn windows_are_the_whole(layered: &Scatter<'_, 2>) {
    let whole = layered.points().expect("memory").samples;
    let mut random = Random(14);
    for pool in [1, 3].map(pool) {
        for _ in 0..3 {
            let min = [0, 1].map(|_| random.between(-5.0, 115.0));
            let window = Bounds::with_origin(min, [9.0, 6.0]).expect("a window");
            let found = pool.install(|| layered.points_in(&window)).expect("points");
            let inside = inside(&whole, &window);
            assert_eq!(bits(&found.samples), bits(&inside), "{window:?}");
        }
    }
}

/// A change of these values changes the points of every layered set: a value-breaking change.
#[test]
fn points_are_pinned() {
    let options = options(Rule::Mean, 2);
    let turns = Scatter::layered(wood(), table(3, &WOOD), square(60.0), Edges::Open, options)
        .expect("a run");
    let shared = sharing(&[(1.0, 0.8), (2.0, 1.1), (1.0, 1.5)], &[(0, 1, 0.5)], 60.0);
    let pinned = [turns, shared].map(|layered| {
        let found = layered.points().expect("memory").samples;
        // FNV-1a over ids, positions and layers.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for (id, position, _, _, _, layer) in bits(&found) {
            for word in [id, position[0], position[1], u64::from(layer.unwrap_or(9))] {
                for byte in word.to_le_bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        (found.len(), hash)
    });
    let expected = [(6553, 0x5b0b_98f7_828b_5a60), (4842, 0x14d5_9e3e_d3eb_0057)];
    assert_eq!(pinned, expected);
}
