//! Tests `Scatter`'s levels of detail against their definition, by comparing all pairs.

use crate::common::checker::assert_spaced;
use crate::common::layers::table;
use crate::common::{even, inside, range, required, square, squared, squared_around};
use sampler::density::{Bounds, FnField, GreyMap, MapOptions, RadiusMap};
use sampler::{Edges, Layer, Rule, Sample, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;

fn options(rule: Rule, levels: u32) -> ScatterOptions {
    ScatterOptions {
        rule,
        levels,
        seed: 3,
        ..ScatterOptions::default()
    }
}

/// Returns a steep map with holes.
fn steep(side: f64) -> RadiusMap {
    let map = GreyMap::from_fn(16, 16, |x, y| {
        let grey = (x * 37 + y * 91 + x * y * 53) % 16;
        if grey == 7 {
            f64::NAN
        } else {
            f64::from(grey) / 15.0
        }
    });
    let options = MapOptions {
        bounds: Some(square(side)),
        ..MapOptions::default()
    };
    RadiusMap::new(map.expect("a good map"), range(1.0, 4.0), options).expect("a good field")
}

/// Returns the hash that orders the points, written out a second time.
fn turn(id: u64) -> u64 {
    let mut z = id ^ 0xd1b5_4a32_d192_ed03;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the ranks by their definition.
fn defined<const D: usize>(
    samples: &[Sample<D>],
    rule: Rule,
    levels: u32,
    tile: Option<[f64; D]>,
) -> Vec<u32> {
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by_key(|&i| turn(samples[i].id));
    let mut ranks = vec![levels; samples.len()];
    for level in 1..=levels {
        let mut kept: Vec<usize> = Vec::new();
        for i in order {
            let q = &samples[i];
            let conflict = kept.iter().any(|&j| {
                let p = &samples[j];
                let square = match tile {
                    Some(size) => squared_around(p.position, q.position, size),
                    None => squared(p.position, q.position),
                };
                square.sqrt() < f64::from(1 << level) * required(rule, p.min_dist, q.min_dist)
            });
            if !conflict {
                ranks[i] = levels - level;
                kept.push(i);
            }
        }
        order = kept;
    }
    ranks
}

fn assert_defined<const D: usize>(samples: &[Sample<D>], rule: Rule, size: Option<[f64; D]>) {
    let levels = 3;
    let ranks: Vec<u32> = samples.iter().map(|s| s.rank.expect("a rank")).collect();
    assert_eq!(ranks, defined(samples, rule, levels, size), "{rule:?}");
    for rank in 0..=levels {
        assert!(ranks.contains(&rank), "{rule:?}: nobody has rank {rank}");
    }
}

#[test]
fn ranks_are_as_defined() {
    for rule in Rule::OF_SCATTER {
        let field = steep(100.0);
        let scatter = Scatter::new(&field, square(100.0), options(rule, 3));
        assert_defined(
            &scatter
                .expect("a good run")
                .points()
                .expect("memory")
                .samples,
            rule,
            None,
        );
    }
    let domain = Bounds::from_size([14.0; 3]).expect("a good box");
    let scatter = Scatter::new(even(1.0), domain, options(Rule::Max, 3));
    let points = scatter.expect("a good run").points().expect("memory");
    assert_defined(&points.samples, Rule::Max, None);
}

/// Ranks are among the points of one layer, whichever pass decided them.
#[test]
fn ranks_of_layers_are_as_defined() {
    let even = |r, share| Layer {
        share,
        ..Layer::new(even(r))
    };
    let layers = vec![Layer::new(steep(100.0)), even(1.5, 2.0)];
    let apart = table(2, &[(0, 1, 0.8)]);
    let run = Scatter::layered(
        layers,
        apart,
        square(100.0),
        Edges::Open,
        options(Rule::Mean, 3),
    );
    let found = run.expect("a good run").points().expect("memory").samples;
    // The first layer has two passes: its share, and the ground that the second layer left.
    let passes = |layer| {
        let of = found.iter().filter(move |s| s.layer == Some(layer));
        let mut passes: Vec<u64> = of.map(|s| s.id >> 55).collect();
        passes.sort_unstable();
        passes.dedup();
        passes.len()
    };
    assert_eq!([passes(0), passes(1)], [2, 1]);
    for layer in 0..2 {
        let of = found.iter().filter(|s| s.layer == Some(layer));
        let of: Vec<Sample<2>> = of.copied().collect();
        assert_defined(&of, Rule::Mean, None);
    }
}

#[test]
fn ranks_of_a_tile_have_no_seam() {
    for rule in Rule::OF_SCATTER {
        for side in [24.0, 60.0] {
            let field = steep(side);
            let scatter = Scatter::tiled(field, square(side), options(rule, 3));
            let scatter = scatter.expect("a good run");
            let whole = scatter.points().expect("memory");
            assert_defined(&whole.samples, rule, Some([side; 2]));
            let parts = scatter.stream().expect("memory");
            let streamed = parts.flat_map(|part| part.expect("memory").samples);
            let streamed: Vec<_> = streamed.collect();
            assert_eq!(streamed, whole.samples);
            let window = Bounds::new([side * 0.3; 2], [side * 0.9; 2]).expect("a good box");
            let inside = inside(&whole.samples, &window);
            let cold = scatter.points_in(&window).expect("a window");
            assert_eq!(cold.samples, inside);
            let world = World::bounded(scatter);
            assert_eq!(world.window(&window).expect("a window"), cold);
        }
    }
}

/// The points of each level come first, as its own evenly spread set.
#[test]
fn points_run_by_rank_then_id() {
    let scatter = Scatter::new(even(1.0), square(200.0), options(Rule::Max, 1));
    let scatter = scatter.expect("a good run");
    let is_sorted = |samples: &[Sample<2>]| samples.is_sorted_by_key(|s| (s.rank, s.id));
    let whole = scatter.points().expect("memory").samples;
    assert!(is_sorted(&whole));
    let window = Bounds::new([30.0; 2], [170.0; 2]).expect("a good box");
    let of_world = World::bounded(scatter.clone()).window(&window);
    for found in [scatter.points_in(&window), of_world] {
        let found = found.expect("a window").samples;
        assert_eq!(found, inside(&whole, &window));
    }
    let mut parts = 0;
    let mut streamed = Vec::new();
    for part in scatter.stream().expect("memory") {
        let part = part.expect("memory").samples;
        assert!(is_sorted(&part));
        parts += 1;
        streamed.extend(part);
    }
    assert!(parts > 4, "{parts}");
    streamed.sort_unstable_by_key(|s| (s.rank, s.id));
    assert_eq!(streamed, whole);
}

#[test]
fn ranks_change_nothing_else() {
    let field = steep(200.0);
    let points = |levels| {
        let scatter = Scatter::new(&field, square(200.0), options(Rule::Max, levels));
        let mut samples = scatter
            .expect("a good run")
            .points()
            .expect("memory")
            .samples;
        samples.sort_unstable_by_key(|s| s.id);
        samples
    };
    let plain = points(0);
    assert!(plain.iter().all(|s| s.rank.is_none()));
    let strip = |s: Sample<2>| Sample { rank: None, ..s };
    let ranked: Vec<_> = points(4).into_iter().map(strip).collect();
    assert_eq!(ranked, plain);
}

/// The density constant of each level, over enough points that chance is small.
/// `every_level_follows_a_smooth_map` tests it more coarsely in every run.
#[test]
#[ignore = "long"]
fn every_level_is_evenly_spread_in_full() {
    let scatter = Scatter::tiled(even(1.0), square(1600.0), options(Rule::Max, 4));
    let samples = scatter
        .expect("a good run")
        .points()
        .expect("memory")
        .samples;
    for level in 0..=4_u32 {
        let rank = 4 - level;
        let count = samples.iter().filter(|s| s.rank <= Some(rank)).count() as f64;
        let spacing = f64::from(1 << level);
        // Points per squared distance: 0.6966 for all points. A maximal subset of points that are apart
        // already has fewer places to choose from: 0.552, 0.522, 0.518, 0.517.
        let c = count * spacing * spacing / (1600.0 * 1600.0);
        println!("level {level}: c = {c}");
        let expected = if level == 0 { 0.69..0.70 } else { 0.51..0.56 };
        assert!(expected.contains(&c), "level {level}: c = {c}");
    }
}

/// On a smooth map every level has the same density constant at every distance: points times the local
/// distance squared over the area. Levels with one distance everywhere would have it four times as high at
/// one end as at the other. A random share of the points would have it even, and break the distances.
fn levels_follow_a_smooth_map(seeds: &[u64]) {
    const SIDE: f64 = 1200.0;
    const BINS: usize = 4;
    let least = |x: f64| 1.5 - 0.5 * (x * std::f64::consts::TAU / SIDE).cos();
    let field = FnField::new(range(1.0, 2.0), 0.003, move |p: [f64; 2]| {
        least(p[0]).clamp(1.0, 2.0)
    });
    let field = field.expect("a good slope");
    let sets = seeds.iter().map(|&seed| {
        let options = ScatterOptions {
            seed,
            ..options(Rule::Max, 4)
        };
        let scatter = Scatter::tiled(&field, square(SIDE), options);
        scatter
            .expect("a good run")
            .points()
            .expect("memory")
            .samples
    });
    let sets: Vec<Vec<Sample<2>>> = sets.collect();
    let bin = |r: f64| (((r - 1.0) * BINS as f64) as usize).min(BINS - 1);
    let mut discs = [0.0; BINS];
    let probes = 100_000;
    for i in 0..probes {
        let step = SIDE / f64::from(probes);
        let r = least((f64::from(i) + 0.5) * step);
        discs[bin(r)] += step * SIDE / (r * r);
    }
    for level in 0..=4_u32 {
        let spacing = f64::from(1 << level);
        let mut counts = [0.0; BINS];
        for samples in &sets {
            let kept = samples.iter().filter(|s| s.rank <= Some(4 - level));
            let spread = kept.map(|s| Sample {
                min_dist: spacing * s.min_dist,
                ..*s
            });
            let spread: Vec<_> = spread.collect();
            for sample in &spread {
                let at = bin(sample.min_dist / spacing);
                counts[at] += spacing * spacing / sets.len() as f64;
            }
            // Other tests check the distances of all points.
            if level > 0 {
                assert_spaced(&spread, Rule::Max);
            }
        }
        let found: [f64; BINS] = std::array::from_fn(|i| counts[i] / discs[i]);
        println!("level {level}: c = {found:.4?}");
        let (expected, within) = if level == 0 {
            (0.695, 0.02)
        } else {
            ([0.552, 0.522, 0.518, 0.517][level as usize - 1], 0.08)
        };
        for c in found {
            let off = c / expected - 1.0;
            assert!(off.abs() < within, "level {level}: c = {found:?}");
        }
    }
}

#[test]
fn every_level_follows_a_smooth_map() {
    levels_follow_a_smooth_map(&[3]);
}

#[test]
#[ignore = "long"]
fn every_level_follows_a_smooth_map_in_full() {
    levels_follow_a_smooth_map(&[3, 4]);
}
