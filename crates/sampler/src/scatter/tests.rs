//! The definition against its execution in blocks.

use super::blocks::Block;
use super::engine::{Scatter, ScatterOptions};
use super::law::MaxLaw;
use super::region::{Outcome, Region, Task};
use crate::rule::Rule;
use density::{
    Bounds, Constant, DistRange, FnField, GreyMap, GridField, MapOptions, RadiusField, RadiusMap,
};
use std::collections::BTreeMap;

const RULES: [Rule; 5] = [Rule::Max, Rule::Mean, Rule::Min, Rule::Own, Rule::Prior];

fn grey(seed: u64, x: u32, y: u32) -> f64 {
    let mut z = (u64::from(x) << 32 | u64::from(y)) ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3 {
        z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    (z >> 40) as f64 / (1_u64 << 24) as f64
}

/// A map of 16 x 16 greys from noise, of which this share is closed.
pub(super) fn map(seed: u64, ratio: f64, side: f64, holes: f64) -> RadiusMap {
    let map = GreyMap::from_fn(16, 16, |x, y| {
        let hole = grey(seed ^ 1, x, y) < holes;
        if hole { f64::NAN } else { grey(seed, x, y) }
    });
    let options = MapOptions {
        bounds: Some(Bounds::from_size([side; 2]).expect("a good box")),
        ..MapOptions::default()
    };
    let range = DistRange::new(1.0, ratio).expect("a good range");
    RadiusMap::new(map.expect("a good map"), range, options).expect("a good field")
}

type Found<const D: usize> = BTreeMap<u64, ([u64; D], u64)>;

fn found<const D: usize>(points: impl IntoIterator<Item = ([f64; D], f64, u64)>) -> Found<D> {
    let mut found = Found::new();
    for (p, r, id) in points {
        let before = found.insert(id, (p.map(f64::to_bits), r.to_bits()));
        assert_eq!(before, None, "an id twice");
    }
    found
}

/// The whole as one block with nothing unknown around it: the definition itself.
fn at_once<const D: usize, F: RadiusField<D>>(scatter: &Scatter<D, F>) -> Found<D> {
    let place = scatter.domain().expect("a bounded domain");
    let outcome = scatter.run(&mut Region::default(), &Block { place });
    found(outcome.points.into_iter().map(|q| (q.p, q.r, q.id)))
}

fn in_blocks<const D: usize, F: RadiusField<D>>(scatter: &Scatter<D, F>, side: i64) -> Found<D> {
    let mut region = Region::default();
    let domain = scatter.domain().expect("a bounded domain");
    let blocks = scatter.view().even_blocks(&domain, side);
    assert!(blocks.len() > 3, "only {} blocks", blocks.len());
    let outcomes = blocks.iter().map(|block| scatter.run(&mut region, block));
    found(
        outcomes
            .flat_map(|outcome| outcome.points)
            .map(|q| (q.p, q.r, q.id)),
    )
}

/// Checks spacing without the engine's index: a sweep along x.
fn assert_spaced<const D: usize>(points: &Found<D>, rule: Rule, wrap: Option<[f64; D]>) {
    let mut sorted: Vec<(u64, [f64; D], f64)> = points
        .iter()
        .map(|(&id, &(p, r))| (id, p.map(f64::from_bits), f64::from_bits(r)))
        .collect();
    sorted.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]));
    let most = sorted.iter().fold(0.0, |m: f64, q| m.max(q.2));
    let near_end = |x: f64| wrap.is_some_and(|size| x > size[0] - most);
    for (i, q) in sorted.iter().enumerate() {
        let after = sorted[i + 1..]
            .iter()
            .take_while(|s| s.1[0] - q.1[0] < most);
        let ahead = sorted
            .iter()
            .take_while(|s| near_end(q.1[0]) && s.1[0] < most);
        for s in after.chain(ahead).filter(|s| s.0 != q.0) {
            let square: f64 = (0..D)
                .map(|a| {
                    let d = (q.1[a] - s.1[a]).abs();
                    wrap.map_or(d, |size| d.min(size[a] - d))
                })
                .map(|d| d * d)
                .sum();
            let (first, later) = if q.0 < s.0 { (q, s) } else { (s, q) };
            let keep = rule.distance(first.2, later.2);
            assert!(square >= keep * keep, "{q:?} {s:?}");
        }
    }
}

#[track_caller]
fn blocks_are_the_whole<const D: usize, F: RadiusField<D>>(field: F, side: f64, cells: i64) {
    for rule in RULES {
        let options = ScatterOptions {
            rule,
            seed: 5,
            ..ScatterOptions::default()
        };
        let domain = Bounds::from_size([side; D]).expect("a good box");
        let scatter = Scatter::new(&field, domain, options).expect("a good run");
        let whole = at_once(&scatter);
        assert_spaced(&whole, rule, None);
        let blocks = in_blocks(&scatter, cells);
        let lost = whole.iter().filter(|(id, _)| !blocks.contains_key(id));
        let lost = lost.count();
        assert_eq!(lost, 0, "{rule:?}: of {} points", whole.len());
        assert_eq!(blocks, whole, "{rule:?}");
    }
}

#[test]
fn uniform_blocks_are_the_whole() {
    blocks_are_the_whole::<2, _>(Constant::new(1.0).expect("a good field"), 130.0, 10);
}

#[test]
fn uniform_blocks_in_space_are_the_whole() {
    blocks_are_the_whole::<3, _>(Constant::new(1.0).expect("a good field"), 20.0, 4);
}

#[test]
fn varied_blocks_are_the_whole() {
    for seed in 0..3 {
        blocks_are_the_whole::<2, _>(map(seed, 4.0, 300.0, 0.0), 300.0, 8);
    }
}

#[test]
fn masked_blocks_are_the_whole() {
    blocks_are_the_whole::<2, _>(map(9, 2.0, 200.0, 0.3), 200.0, 8);
}

#[test]
fn hard_edges_in_blocks_are_the_whole() {
    let range = DistRange::new(1.0, 3.0).expect("a good range");
    let field = GridField::new(range, 0.5, |p: [f64; 2]| {
        if (p[0] as i64 / 20 + p[1] as i64 / 20) % 2 == 0 {
            1.0
        } else {
            3.0
        }
    });
    let field = field.expect("a good field");
    blocks_are_the_whole::<2, _>(field, 200.0, 8);
}

/// Distances grow slowly from a few dense places on, some of which lie just beyond blocks that are sparse
/// elsewhere: in a region as wide as its sparse places need it, most points were such as do not matter.
#[test]
fn remote_places_are_left_alone() {
    let range = DistRange::new(1.0, 32.0).expect("a good range");
    let dense = [
        [230.0, 1060.0],
        [470.0, 320.0],
        [880.0, 700.0],
        [1120.0, 60.0],
        [1310.0, 1290.0],
    ];
    let field = FnField::new(range, 0.05, move |p: [f64; 2]| {
        let square = |q: &[f64; 2]| (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
        let nearest = dense.iter().map(square).fold(f64::INFINITY, f64::min);
        1.0 + 0.05 * nearest.sqrt()
    });
    let field = field.expect("a good slope");
    blocks_are_the_whole::<2, _>(&field, 1500.0, 4);

    let domain = Bounds::from_size([1500.0; 2]).expect("a good box");
    let scatter = Scatter::new(&field, domain, ScatterOptions::default()).expect("a good run");
    let (mut wanted, mut made, mut remote) = (0, 0, 0);
    let mut region = Region::default();
    for block in scatter.view().even_blocks(&domain, 4) {
        wanted += scatter.run(&mut region, &block).points.len();
        made += region.store.points().len();
        remote += region.tree.tiles.iter().filter(|t| t.remote).count();
    }
    println!("{made} points for {wanted}, {remote} tiles left");
    assert!(remote > 0);
    assert!(made < 2 * wanted, "{made} points for {wanted}");
}

#[test]
fn a_tiling_has_no_seam() {
    for (field, side) in [(map(3, 3.0, 60.0, 0.0), 60.0), (map(4, 1.0, 7.0, 0.0), 7.0)] {
        let domain = Bounds::from_size([side, 0.8 * side]).expect("a good box");
        let scatter = Scatter::tiled(&field, domain, ScatterOptions::default());
        let scatter = scatter.expect("a good run");
        let whole = at_once(&scatter);
        assert_spaced(&whole, Rule::Max, Some(domain.size()));
        assert_eq!(in_blocks(&scatter, 1), whole);
    }
}

/// A tiling bent to a ring has the points, and leaves open what it leaves open, when it is unrolled as
/// far as it takes to know them all.
#[track_caller]
fn a_ring_is_the_tiling_unrolled<const D: usize, F: RadiusField<D>>(field: F, size: [f64; D]) {
    let domain = Bounds::from_size(size).expect("a good box");
    for seed in 0..4 {
        let options = ScatterOptions {
            seed,
            ..ScatterOptions::default()
        };
        let scatter = Scatter::tiled(&field, domain, options).expect("a good run");
        let view = scatter.view();
        let mut region = Region::default();
        let mut run = |task: &Task<D>| {
            let mut outcome = Outcome::default();
            let unsure = region.run::<_, MaxLaw>(&view, task, &mut outcome);
            unsure.is_empty().then_some(outcome)
        };
        let far = view.task(&domain, 40.0).expect("a task");
        let ring = run(&view.ring(&far).expect("a ring")).expect("all is known");
        let mut halos = [4.0, 7.0, 12.0, 20.0].into_iter();
        let unrolled = halos.find_map(|halo| run(&view.task(&domain, halo).expect("a task")));
        let unrolled = unrolled.expect("enough of it");
        let points = |outcome: &Outcome<D>| found(outcome.points.iter().map(|q| (q.p, q.r, q.id)));
        let whole = points(&ring);
        assert!(whole.len() > 3, "only {} points", whole.len());
        assert_spaced(&whole, Rule::Max, Some(size));
        assert_eq!(whole, points(&unrolled), "seed {seed}");
        assert_eq!(ring.unresolved, unrolled.unresolved, "seed {seed}");
    }
}

#[test]
fn rings_are_tilings_unrolled() {
    let one = Constant::new(1.0).expect("a good field");
    for size in [[2.0, 2.0], [2.9, 5.3], [7.0, 3.1], [13.0, 11.0]] {
        a_ring_is_the_tiling_unrolled(one, size);
    }
    a_ring_is_the_tiling_unrolled(map(3, 3.0, 12.0, 0.0), [12.0, 9.0]);
    a_ring_is_the_tiling_unrolled(map(7, 6.0, 30.0, 0.2), [30.0, 30.0]);
    // Of cells finer than the coarsest.
    a_ring_is_the_tiling_unrolled(map(5, 16.0, 36.0, 0.0), [36.0, 33.0]);
    a_ring_is_the_tiling_unrolled(one, [2.0, 2.3, 4.1]);
}

#[test]
fn windows_of_an_endless_world_agree() {
    let field = FnField::new(
        DistRange::new(1.0, 4.0).expect("a good range"),
        0.02,
        |p: [f64; 2]| 2.0 + 0.02 * (25.0 - (p[0].rem_euclid(50.0) - 25.0).abs()),
    )
    .expect("a good slope");
    let scatter = Scatter::endless(field, ScatterOptions::default()).expect("a good run");
    let window = |min: [f64; 2], max: [f64; 2]| {
        let window = Bounds::new(min, max).expect("a good box");
        let found = scatter.points_in(&window).expect("a good window");
        found.samples
    };
    let large = window([-100.0, -50.0], [100.0, 70.0]);
    let small = window([-13.0, 3.0], [25.0, 31.5]);
    let inside = large
        .iter()
        .filter(|s| (-13.0..25.0).contains(&s.position[0]) && (3.0..31.5).contains(&s.position[1]));
    let ids = |samples: Vec<u64>| {
        let mut samples = samples;
        samples.sort_unstable();
        samples
    };
    let inside = ids(inside.map(|s| s.id).collect());
    assert!(inside.len() > 50);
    assert_eq!(ids(small.iter().map(|s| s.id).collect()), inside);
}

/// Ground where no point may lie, beside some where points may ask for anything, became tiles to which all
/// within the greatest distance mattered: gigabytes.
#[test]
fn closed_ground_is_no_tiles() {
    let pond = |p: [f64; 2]| {
        let square: f64 = p.iter().map(|x| (x - 110.0) * (x - 110.0)).sum();
        (square < 49.0).then_some(2.0)
    };
    let range = DistRange::new(1.0, 56.0).expect("a good range");
    let field = GridField::new(range, 1.0, pond).expect("a good field");
    let domain = Bounds::from_size([300.0; 2]).expect("a good box");
    let scatter = Scatter::new(field, domain, ScatterOptions::default()).expect("a good run");
    let mut region = Region::default();
    let outcome = scatter.run(&mut region, &Block { place: domain });
    assert!(outcome.points.len() > 20);
    let (tiles, listed) = (region.tree.tiles.len(), region.tree.lists.len());
    assert!(tiles < 400, "{tiles} tiles");
    assert!(listed < 40_000, "{listed} neighbours");
}
