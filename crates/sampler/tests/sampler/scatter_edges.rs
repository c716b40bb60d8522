//! Tests that no hole is left at jumps of the distance and at the edges of regions, and that every
//! window ends.
//!
//! The bounds of a cell across an edge are those of the whole map: they must not be taken for unknown.
//! Unknown ground at the edge of a region must not spread through empty ground without an end.

use crate::common::bits::bits;
use crate::common::checker::{Checker, assert_spaced};
use crate::common::{even, inside, options, picture, range, square};
use density::polygons::{FillRule, Polygon, Polygons};
use density::{
    Bounds, FnField, GreyMap, GridField, MapOptions, RadiusField, RadiusMap, Region, Share, Within,
};
use spinney_sampler::density;
use spinney_sampler::{Edges, Rule, Scatter, ScatterOptions, World};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Returns a map of `side` by `side` pixels, white where points are far apart.
fn painted(side: u32, lo: f64, hi: f64, is_white: impl Fn(u32, u32) -> bool) -> RadiusMap {
    let grey = |x, y| if is_white(x, y) { 1.0 } else { 0.0 };
    let map = GreyMap::from_fn(side, side, grey).expect("a map");
    let bounds = Some(square(f64::from(side)));
    let options = MapOptions {
        bounds,
        ..MapOptions::default()
    };
    RadiusMap::new(map, range(lo, hi), options).expect("a field")
}

/// Checks under every rule that points keep their distance, and that no hole is left.
#[track_caller]
fn assert_full(field: &impl RadiusField<2>, domain: &Bounds<2>, edges: Edges) {
    for rule in Rule::OF_SCATTER {
        let options = options(rule, 0);
        let found = match edges {
            Edges::Open => Scatter::new(field, *domain, options),
            Edges::Tiled => Scatter::tiled(field, *domain, options),
        };
        let found = found.expect("a run").points().expect("memory");
        let checker = Checker::new(&found.samples, rule);
        let checker = match edges {
            Edges::Open => checker,
            Edges::Tiled => checker.on_tile(domain),
        };
        checker.assert_spaced();
        checker.assert_full(domain, 14_400, None, |p| field.min_dist(p));
        assert!(
            found.unresolved_volume < 1e-4 * domain.volume(),
            "{rule:?}: {} undecided",
            found.unresolved
        );
    }
}

#[test]
fn pictures_are_filled() {
    for (name, lo, hi, edges) in [
        ("clusters.png", 4.0, 24.0, Edges::Tiled),
        ("meadow.png", 4.0, 24.0, Edges::Open),
        ("boots.jpg", 3.0, 24.0, Edges::Open),
        ("checkerboard.png", 2.0, 64.0, Edges::Open),
    ] {
        let field = RadiusMap::new(picture(name), range(lo, hi), MapOptions::default());
        let field = field.expect("a field");
        assert_full(&field, &field.bounds(), edges);
    }
}

#[test]
fn a_road_is_filled() {
    let road = painted(100, 1.0, 20.0, |x, _| !(50..53).contains(&x));
    assert_full(&road, &square(100.0), Edges::Open);
}

#[test]
fn fine_lines_and_squares_are_filled() {
    let lines = painted(64, 3.0, 12.0, |x, y| x % 7 != 0 && y % 11 != 0);
    assert_full(&lines, &square(64.0), Edges::Open);
    let squares = painted(96, 2.0, 32.0, |x, y| (x / 12 + y / 12) % 2 == 0);
    assert_full(&squares, &square(96.0), Edges::Open);
    let salt = painted(48, 3.0, 12.0, |x, y| (x * 7919 + y * 104_729) % 5 < 2);
    assert_full(&salt, &square(48.0), Edges::Open);
}

/// A triangle with a hole.
struct Triangle;

impl Region<2> for Triangle {
    fn holds(&self, [x, y]: [f64; 2]) -> bool {
        x > 5.0 && y > 5.0 && x + y < 85.0 && (x - 30.0).powi(2) + (y - 30.0).powi(2) > 49.0
    }
    fn share_in(&self, bounds: &Bounds<2>) -> Share {
        let (min, max) = (bounds.min(), bounds.max());
        let outside = max[0] < 5.0 || max[1] < 5.0 || min[0] + min[1] > 85.0;
        if outside { Share::None } else { Share::Part }
    }
    fn detail(&self) -> f64 {
        0.5
    }
}

#[test]
fn edges_inside_a_region_are_filled() {
    let squares = painted(90, 3.0, 12.0, |x, y| (x / 9 + y / 9) % 2 == 0);
    assert_full(&Within::new(squares, Triangle), &square(90.0), Edges::Open);
}

/// Distances differ by less than half, and have no bounds. Ground between the least and the true
/// distance must not be divided to the finest resolution.
#[test]
fn closures_of_like_distances_leave_no_specks() {
    let waves = |p: [f64; 2]| 1.0 + 0.245 * (1.0 + (p[0] * 0.1).fract());
    let field = GridField::new(range(1.0, 1.49), 0.25, waves).expect("a field");
    for rule in Rule::OF_SCATTER {
        let found = Scatter::new(&field, square(20.0), options(rule, 0))
            .expect("a run")
            .points()
            .expect("memory");
        assert!(found.unresolved < 1000, "{rule:?}: {}", found.unresolved);
        Checker::new(&found.samples, rule)
            .assert_full(&square(20.0), 40_000, None, |p| field.min_dist(p));
    }
}

/// Windows of an island or a path in empty ground end.
#[test]
fn windows_over_nothing_come() {
    let is_open: [fn([f64; 2]) -> bool; 2] = [
        |p| p[0] * p[0] + p[1] * p[1] < 25.0,
        |p| (p[1] - 0.1).abs() < 0.1,
    ];
    for (is_open, detail) in [
        (is_open[0], 0.3),
        (is_open[0], 0.1),
        (is_open[1], 0.2),
        (is_open[1], 0.1),
    ] {
        let some = move |p| is_open(p).then_some(1.0);
        let field = GridField::new(range(1.0, 1.0), 0.5 * detail, some).expect("a field");
        let world = World::new(field, options(Rule::Max, 0)).expect("a world");
        let window = Bounds::new([-8.0; 2], [8.0; 2]).expect("a box");
        let found = world.window(&window).expect("a window").samples;
        assert!(found.len() > 8, "{detail}");
        let wider = Bounds::new([-11.0, -9.0], [9.5, 12.0]).expect("a box");
        let wider = world.window(&wider).expect("a window").samples;
        assert_eq!(bits(&found), bits(&inside(&wider, &window)), "{detail}");
    }
}

/// Ponds of a wide range of distances in closed ground are filled.
#[test]
fn ponds_of_a_wide_range_are_filled() {
    let pond = |p: [f64; 2]| {
        let [x, y] = p.map(|x| (x / 45.0).fract() * 45.0 - 20.0);
        let middle = (x * x + y * y).sqrt();
        (middle < 9.0).then(|| 1.0 + 30.0 * (1.0 - middle / 9.0))
    };
    let field = GridField::new(range(1.0, 31.0), 0.5, pond).expect("a field");
    assert_full(&field, &square(90.0), Edges::Open);
}

/// A closure inside a region needs few evaluations at the edge. Polygons count as detailed down to a
/// thousandth of the least distance, but small cells along the edge must not be searched place by
/// place.
#[test]
fn closures_along_fine_edges_are_not_asked_for_ever() {
    let corner = |i: u32| {
        let turn = 0.4 * std::f64::consts::PI * f64::from(i);
        [30.0 + 29.0 * turn.sin(), 30.0 - 29.0 * turn.cos()]
    };
    let ring = [0, 2, 4, 1, 3].map(corner).to_vec();
    let star = Polygon::new(vec![ring], FillRule::EvenOdd).expect("a star");
    let star = Polygons::new(vec![star]).expect("a region");
    for (hi, most) in [(1.0, 150_000), (8.0, 400_000)] {
        let asked = AtomicU64::new(0);
        let waves = |p: [f64; 2]| {
            asked.fetch_add(1, Relaxed);
            1.0 + (hi - 1.0) * (0.5 + 0.5 * (p[0] * 0.1).sin())
        };
        let waves = FnField::new(range(1.0, hi), 0.05 * (hi - 1.0), waves).expect("a slope");
        let field = Within::new(waves, &star);
        let scatter = Scatter::new(&field, square(60.0), options(Rule::Max, 0)).expect("a run");
        let found = scatter.points().expect("memory");
        assert_spaced(&found.samples, Rule::Max);
        assert!(found.samples.len() > 50);
        let asked = asked.load(Relaxed);
        assert!(asked < most, "up to {hi}: {asked} places");
    }
}

/// Domains narrower than the finest cells are filled: candidates must lie inside of the domain.
#[test]
fn domains_thinner_than_the_finest_cells_are_filled() {
    let run = |r: f64, size: [f64; 2]| {
        let domain = Bounds::with_origin([0.3, -7.7], size).expect("a box");
        let field = even(r);
        let scatter = Scatter::new(field, domain, options(Rule::Max, 4)).expect("a run");
        let found = scatter.points().expect("memory");
        assert_eq!(found.unresolved, 0, "{r} in {size:?}");
        found.samples
    };
    for (r, size) in [(1e4, 1.0), (3e3, 0.7), (1e6, 2.0)] {
        assert_eq!(run(r, [size; 2]).len(), 1, "{r} in {size}");
    }
    for width in [1e-2, 1e-3, 3e-4, 1e-5, 1e-6] {
        for along in [0, 1] {
            let mut size = [width; 2];
            size[along] = 60.0;
            let mut places: Vec<f64> = run(1.0, size).iter().map(|s| s.position[along]).collect();
            places.sort_unstable_by(f64::total_cmp);
            let start = [0.3, -7.7][along];
            let all = [&[start - 1.0], &*places, &[start + 61.0]].concat();
            for pair in all.windows(2) {
                let gap = pair[1] - pair[0];
                assert!(gap <= 2.0 + width, "{width}, {along}: {gap}");
            }
        }
    }
    let field = even(2e3);
    let domain = Bounds::from_size([1.0; 3]).expect("a box");
    let scatter = Scatter::new(field, domain, ScatterOptions::default()).expect("a run");
    assert_eq!(scatter.points().expect("memory").samples.len(), 1);
}

/// Tiles two distances long meet themselves: the run must end, for these seeds among others.
#[test]
fn the_smallest_tiles_come() {
    for (side, seeds) in [
        (2.0, [60, 77, 132, 135, 147, 164, 225, 239, 257]),
        (2.02, [60, 132, 172, 257, 10, 0, 1, 2, 3]),
    ] {
        for seed in seeds {
            let field = even(1.0);
            let tile = Scatter::tiled(field, square(side), options(Rule::Max, seed));
            let found = tile.expect("a tile").points().expect("memory").samples;
            assert!((2..=4).contains(&found.len()), "{side}, {seed}");
            let checker = Checker::new(&found, Rule::Max).on_tile(&square(side));
            checker.assert_spaced();
        }
    }
}

/// Cells that divide a tile may end slightly before its edge, as sides are rounded. A last row of
/// cells beginning there would meet itself: points would break the spacing, or the run would not end.
#[test]
fn tiles_whose_cells_end_before_the_edge_come() {
    let ends_early = |side: &f64| {
        let cells = (side / (4.5 / 2.0_f64.sqrt() * (1.0 - 1e-9))).ceil();
        cells * (side / cells) < *side
    };
    let sides = (0..5000).map(|k| 12.0 + 0.007 * f64::from(k));
    let early: Vec<f64> = sides.filter(ends_early).take(8).collect();
    assert_eq!(early.len(), 8);
    for side in early {
        assert_tile_spaced(square(side), 7);
    }
    assert_tile_spaced(Bounds::from_size([30.0, 10.0, 10.0]).expect("a box"), 0);
}

/// Checks that points one unit apart over a tile keep their distance across its edges.
#[track_caller]
fn assert_tile_spaced<const D: usize>(tile: Bounds<D>, seed: u64) {
    let run = Scatter::tiled(even(1.0), tile, options(Rule::Max, seed)).expect("a tile");
    let found = run.points().expect("memory").samples;
    let is_dense = found.len() as f64 > 0.6 * tile.volume();
    assert!(is_dense, "{tile:?}: {}", found.len());
    Checker::new(&found, Rule::Max)
        .on_tile(&tile)
        .assert_spaced();
}
