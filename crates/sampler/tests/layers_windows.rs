//! `Layered`: windows are the whole, layers share a turn, and those that do not mind each other
//! do not know of each other.

#[path = "common/apart.rs"]
mod apart;
mod common;
#[path = "common/layers.rs"]
mod wood;

use apart::{Field, assert_apart, table};
use common::{Random, square};
use sampler::density::{Bounds, Constant, DistRange, FnField, MaskedFnField};
use sampler::{Apart, Layer, Layered, Rule, Sample, Scatter, ScatterOptions};
use spinney_sampler as sampler;
use wood::{WOOD, rough, wood};

type Bits<const D: usize> = (u64, [u64; D], Option<u32>, Option<u32>);

fn bits<const D: usize>(samples: &[Sample<D>]) -> Vec<Bits<D>> {
    let bits = |s: &Sample<D>| (s.id, s.position.map(f64::to_bits), s.rank, s.layer);
    let mut all: Vec<_> = samples.iter().map(bits).collect();
    all.sort_unstable();
    all
}

#[test]
fn windows_are_the_whole() {
    let mut random = Random(4);
    for (seed, rule) in [(1, Rule::Max), (2, Rule::Mean), (3, Rule::Own)] {
        let options = ScatterOptions {
            rule,
            seed,
            ..ScatterOptions::default()
        };
        let new = || Layered::new(wood(), table(3, &WOOD), square(90.0), options).expect("a run");
        let layered = new();
        let whole = layered.points();
        for _ in 0..6 {
            let min = [0, 1].map(|_| 95.0 * random.unit() - 10.0);
            let size = [0, 1].map(|_| 0.5 + 12.0 * random.unit());
            let window = Bounds::with_origin(min, size).expect("a window");
            let found = layered.points_in(&window).expect("points");
            let inside = whole.samples.iter().filter(|s| window.contains(s.position));
            let inside: Vec<_> = inside.copied().collect();
            assert_eq!(bits(&found.samples), bits(&inside), "{window:?}");
        }
    }
}

/// A window of an endless world far larger than any one's surroundings, cut into pieces.
#[test]
fn endless_windows_fit_together() {
    let layers = || {
        let range = DistRange::new(0.5, 2.0).expect("a good range");
        let waves = |p: [f64; 2]| {
            let t = (0.05 * p[0]).rem_euclid(2.0) - 1.0;
            0.5 + 1.5 * t * t
        };
        let waves: Field<2> = Box::new(FnField::new(range, waves));
        let even: Field<2> = Box::new(Constant::new(1.5).expect("a field"));
        let small: Field<2> = Box::new(Constant::new(0.4).expect("a field"));
        vec![Layer::new(even), Layer::new(waves), Layer::new(small)]
    };
    let options = ScatterOptions {
        rule: Rule::Mean,
        levels: 0,
        ..ScatterOptions::default()
    };
    let world = Layered::endless(layers(), Apart::new(3), options).expect("a world");
    let view = |x: f64, y: f64, w: f64, h: f64| {
        let window = Bounds::with_origin([x, y], [w, h]).expect("a window");
        world.points_in(&window).expect("points").samples
    };
    let whole = view(-1000.0, 500.0, 60.0, 40.0);
    assert!(whole.len() > 2000, "{}", whole.len());
    let mut parts = view(-1000.0, 500.0, 17.0, 40.0);
    parts.extend(view(-983.0, 500.0, 43.0, 11.5));
    parts.extend(view(-983.0, 511.5, 43.0, 28.5));
    assert_eq!(bits(&whole), bits(&parts));
}

/// Layers that do not mind each other are what they would be alone.
#[test]
fn indifferent_layers_are_their_own_runs() {
    let fields = || -> [Field<2>; 3] {
        let range = DistRange::new(0.5, 4.0).expect("a good range");
        [
            Box::new(rough(7)),
            Box::new(FnField::new(range, |p: [f64; 2]| 0.5 + 0.05 * p[0])),
            Box::new(Constant::new(1.0).expect("a field")),
        ]
    };
    let options = ScatterOptions {
        seed: 3,
        levels: 2,
        ..ScatterOptions::default()
    };
    let mut layers: Vec<_> = fields().into_iter().map(Layer::new).collect();
    // Alike to the last bit but for the seed: ids must differ all the same.
    layers.push(Layer {
        seed: Some(11),
        ..Layer::new(Box::new(Constant::new(1.0).expect("a field")))
    });
    layers[2].seed = Some(11);
    let pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
    let indifferent = table(4, &pairs.map(|(a, b)| (a, b, 0.0)));
    let layered = Layered::new(layers, indifferent, square(50.0), options).expect("a run");
    let found = layered.points();
    let unnamed = |samples: &[Sample<2>]| {
        let plain = |s: &Sample<2>| {
            let position = s.position.map(f64::to_bits);
            (position, s.min_dist.to_bits(), s.value.to_bits(), s.rank)
        };
        let mut all: Vec<_> = samples.iter().map(plain).collect();
        all.sort_unstable();
        all
    };
    for (layer, field) in fields().into_iter().enumerate() {
        let of = found
            .samples
            .iter()
            .filter(|s| s.layer == Some(layer as u32));
        let of: Vec<_> = of.copied().collect();
        // What the second layer's seed is, no one has to know.
        if layer == 1 {
            continue;
        }
        let seed = if layer == 2 { 11 } else { 3 };
        let alone = Scatter::new(field, square(50.0), ScatterOptions { seed, ..options });
        let alone = alone.expect("a run").points();
        assert_eq!(unnamed(&of), unnamed(&alone.samples), "layer {layer}");
    }
    let twins = [2, 3].map(|layer| {
        let of = found.samples.iter().filter(|s| s.layer == Some(layer));
        unnamed(&of.copied().collect::<Vec<_>>())
    });
    assert_eq!(twins[0], twins[1]);
    let mut ids: Vec<u64> = found.samples.iter().map(|s| s.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), found.samples.len());
}

#[test]
fn one_layer_is_a_scatter() {
    let options = ScatterOptions {
        seed: 8,
        ..ScatterOptions::default()
    };
    let layers = vec![Layer::new(rough(2))];
    let layered = Layered::new(layers, Apart::new(1), square(40.0), options).expect("a run");
    let alone = Scatter::new(rough(2), square(40.0), options).expect("a run");
    let (found, alone) = (layered.points(), alone.points());
    assert_eq!(found.samples.len(), alone.samples.len());
    for (a, b) in found.samples.iter().zip(&alone.samples) {
        assert_eq!((a.id, a.position), (b.id, b.position));
        assert_eq!(a.layer, Some(0));
    }
}

#[test]
fn space_is_layered_too() {
    let big = Constant::new(2.0).expect("a field");
    let small = Constant::new(0.7).expect("a field");
    let apart = [(0, 1, 1.1)];
    let domain = Bounds::from_size([12.0; 3]).expect("a box");
    let layers = vec![Layer::new(big), Layer::new(small)];
    let options = ScatterOptions::default();
    let layered = Layered::new(layers, table(2, &apart), domain, options).expect("a run");
    let whole = layered.points().samples;
    assert_apart(&whole, Rule::Max, &apart);
    let window = Bounds::with_origin([3.0; 3], [4.0; 3]).expect("a window");
    let inside = whole.iter().filter(|s| window.contains(s.position));
    let inside: Vec<_> = inside.copied().collect();
    let found = layered.points_in(&window).expect("points").samples;
    assert_eq!(bits(&found), bits(&inside));
    assert!(inside.len() > 80, "{}", inside.len());
}

/// How many points each layer has.
fn counts(samples: &[Sample<2>], layers: u32) -> Vec<usize> {
    let of = |layer| samples.iter().filter(|s| s.layer == Some(layer)).count();
    (0..layers).map(of).collect()
}

fn even(r: f64) -> Field<2> {
    Box::new(Constant::new(r).expect("a field"))
}

/// Layers of one turn with these shares and distances.
fn sharing(layers: &[(f64, f64)], apart: &[(u32, u32, f64)], side: f64) -> Layered<2, Field<2>> {
    let layer = |&(share, r): &(f64, f64)| Layer {
        share,
        ..Layer::new(even(r))
    };
    let options = ScatterOptions {
        rule: Rule::Mean,
        seed: 6,
        ..ScatterOptions::default()
    };
    let all = layers.iter().map(layer).collect();
    Layered::new(all, table(layers.len(), apart), square(side), options).expect("a run")
}

/// Layers that differ in nothing but their shares get as many points as these say, whatever
/// their order.
#[test]
fn shares_are_what_layers_get() {
    for shares in [[1.0, 1.0, 1.0], [1.0, 2.0, 5.0], [5.0, 2.0, 1.0]] {
        let layered = sharing(&shares.map(|share| (share, 1.0)), &[], 80.0);
        let found = layered.points().samples;
        assert_apart(&found, Rule::Mean, &[]);
        let counts = counts(&found, 3);
        let total: f64 = shares.iter().sum();
        for (count, share) in counts.iter().zip(shares) {
            let got = *count as f64 / found.len() as f64;
            assert!(
                (got - share / total).abs() < 0.025,
                "{shares:?}: {counts:?}"
            );
        }
        // As many as of one layer: sharing leaves no holes.
        let density = found.len() as f64 / 6400.0;
        assert!((0.69..0.73).contains(&density), "{density}");
    }
}

/// Where one layer cannot grow, another does not wait for it.
#[test]
fn shares_count_only_where_rivals_grow() {
    let range = DistRange::new(1.0, 1.0).expect("a good range");
    let west = MaskedFnField::new(range, 1.0, |p: [f64; 2]| (p[0] < 40.0).then_some(1.0));
    let west: Field<2> = Box::new(west.expect("a good field"));
    let layers = vec![Layer::new(even(1.0)), Layer::new(west)];
    let options = ScatterOptions::default();
    let layered = Layered::new(layers, table(2, &[]), square(80.0), options).expect("a run");
    let found = layered.points().samples;
    let of = |layer, east: bool| {
        let of = found.iter().filter(|s| s.layer == Some(layer));
        of.filter(|s| (s.position[0] >= 40.0) == east).count() as f64
    };
    assert_eq!(of(1, true), 0.0);
    assert!((2150.0..2350.0).contains(&of(0, true)), "{}", of(0, true));
    assert!((0.85..1.18).contains(&(of(0, false) / of(1, false))));
}

/// Large things get their ground beside small ones, however the layers are numbered.
#[test]
fn large_layers_are_not_crowded_out() {
    let alone = Scatter::new(even(4.0), square(80.0), ScatterOptions::default());
    let alone = alone.expect("a run").points().samples.len() as f64;
    for order in [[4.0, 1.0], [1.0, 4.0]] {
        let layered = sharing(&order.map(|r| (1.0, r)), &[], 80.0);
        let found = layered.points().samples;
        assert_apart(&found, Rule::Mean, &[]);
        let large = found.iter().filter(|s| s.min_dist == 4.0).count() as f64;
        assert!((0.4..0.6).contains(&(large / alone)), "{large} of {alone}");
        assert!(found.len() as f64 > 3.0 * large);
    }
}

/// No place is left to any layer of the turn, whichever came first.
#[test]
fn shared_ground_is_full() {
    let layered = sharing(&[(1.0, 1.0), (3.0, 1.4), (1.0, 2.0)], &[(0, 2, 0.6)], 40.0);
    let found = layered.points();
    let mut random = Random(3);
    let mut open = 0;
    for _ in 0..20_000 {
        let p = [0, 1].map(|_| random.between(0.0, 40.0));
        for (layer, r) in [(0, 1.0), (1, 1.4), (2, 2.0)] {
            let closed = found.samples.iter().any(|s| {
                let keep = match (layer, s.layer) {
                    (0, Some(2)) | (2, Some(0)) => 0.6,
                    _ => 0.5 * (r + s.min_dist),
                };
                let square: f64 = (0..2).map(|k| (p[k] - s.position[k]).powi(2)).sum();
                square < keep * keep
            });
            open += u32::from(!closed);
        }
    }
    assert_eq!(open, 0);
}

#[test]
fn windows_of_shared_ground_are_the_whole() {
    let layered = sharing(&[(1.0, 0.6), (2.0, 0.8), (1.0, 1.0)], &[(0, 1, 0.5)], 120.0);
    let whole = layered.points().samples;
    let mut random = Random(14);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads");
        for _ in 0..3 {
            let min = [0, 1].map(|_| random.between(-5.0, 115.0));
            let window = Bounds::with_origin(min, [9.0, 6.0]).expect("a window");
            let found = pool.install(|| layered.points_in(&window)).expect("points");
            let inside = whole.iter().filter(|s| window.contains(s.position));
            let inside: Vec<_> = inside.copied().collect();
            assert_eq!(bits(&found.samples), bits(&inside), "{window:?}");
        }
    }
}

/// A change of these is a change of every layered set's points: a value-breaking change.
#[test]
fn points_are_pinned() {
    let options = ScatterOptions {
        rule: Rule::Mean,
        seed: 2,
        ..ScatterOptions::default()
    };
    let turns = Layered::new(wood(), table(3, &WOOD), square(60.0), options).expect("a run");
    let shared = sharing(&[(1.0, 0.8), (2.0, 1.1), (1.0, 1.5)], &[(0, 1, 0.5)], 60.0);
    let pinned = [turns, shared].map(|layered| {
        let found = layered.points().samples;
        // FNV-1a over ids, places and layers.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for (id, position, _, layer) in bits(&found) {
            for word in [id, position[0], position[1], u64::from(layer.unwrap_or(9))] {
                for byte in word.to_le_bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        (found.len(), hash)
    });
    let expected = [(6550, 0x8db0_3152_4f9b_fed2), (4862, 0x84f0_bcce_f41e_e054)];
    assert_eq!(pinned, expected);
}
