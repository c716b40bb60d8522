//! Tests samplers in regions: islands of any size, holes, and windows.

use crate::common::bits::bits;
use crate::common::{even, inside, range};
use spinney_sampler::density::polygons::{FillRule, Polygon, Polygons};
use spinney_sampler::density::{
    Bounds, GreyMap, MapOptions, MaskRegion, Perlin, PerlinOptions, RadiusField, Region, Within,
};
use spinney_sampler::{
    Bridson, BridsonOptions, Sample, SampleError, Scatter, ScatterOptions, Scattered, World,
};
use std::sync::Arc;

const WORLD: [f64; 2] = [120.0, 90.0];

fn world() -> Bounds<2> {
    Bounds::from_size(WORLD).expect("a box")
}

/// Returns a star that crosses itself, a frame with a hole, and islands down to a hundredth of the
/// least distance, each far from all else. The second value is the islands' centres.
fn land() -> (Polygons, Vec<[f64; 2]>) {
    let square = |x: f64, y: f64, half: f64| {
        vec![
            [x - half, y - half],
            [x + half, y - half],
            [x + half, y + half],
            [x - half, y + half],
        ]
    };
    let star = vec![
        [60.0, 8.0],
        [80.0, 66.0],
        [30.0, 30.0],
        [90.0, 30.0],
        [40.0, 66.0],
    ];
    let islands = [
        (1.0, 6.0),
        (0.3, 30.0),
        (0.1, 54.0),
        (0.03, 78.0),
        (0.01, 102.0),
    ];
    let mut all = vec![
        (vec![star], FillRule::EvenOdd),
        (
            vec![square(20.0, 40.0, 12.0), square(20.0, 40.0, 6.0)],
            FillRule::EvenOdd,
        ),
    ];
    let mut middles = Vec::new();
    for (half, x) in islands {
        // Off every lattice of cells.
        let (x, y) = (x + 0.1234, 84.0 + 0.0567);
        middles.push([x, y]);
        all.push((vec![square(x, y, half)], FillRule::NonZero));
    }
    let polygon = |(rings, fill)| Polygon::new(rings, fill).expect("a polygon");
    let polygons = all.into_iter().map(polygon).collect();
    (Polygons::new(polygons).expect("polygons"), middles)
}

fn hills() -> Perlin {
    let options = PerlinOptions {
        frequency: 0.05,
        ..PerlinOptions::default()
    };
    Perlin::new(range(1.0, 3.0), options).expect("a field")
}

fn both(field: &impl RadiusField<2>) -> [Vec<Sample<2>>; 2] {
    let scatter = Scatter::new(field, world(), ScatterOptions::default()).expect("a run");
    let bridson = Bridson::new(field, world(), BridsonOptions::default()).expect("a run");
    [scatter.points().expect("memory").samples, bridson.collect()]
}

#[test]
fn every_island_of_polygons_is_filled() {
    let (land, islands) = land();
    for samples in both(&Within::new(even(1.0), &land))
        .iter()
        .chain(&both(&Within::new(hills(), &land)))
    {
        assert!(samples.len() > 200, "{}", samples.len());
        for sample in samples {
            let [x, y] = sample.position;
            assert!(land.holds([x, y]));
            let hole = (14.0..26.0).contains(&x) && (34.0..46.0).contains(&y);
            assert!(!hole, "{sample:?} in the hole");
            // The middle of the star, around which its outline turns twice.
            let middle = (55.0..65.0).contains(&x) && (33.0..40.0).contains(&y);
            assert!(!middle, "{sample:?} in the star's middle");
        }
        for &[x, y] in &islands {
            let near =
                |s: &&Sample<2>| (s.position[0] - x).abs() < 2.0 && (s.position[1] - y).abs() < 2.0;
            assert!(
                samples.iter().any(|s| near(&s)),
                "no point on the island at {x},{y}"
            );
        }
    }
}

#[test]
fn an_island_of_one_pixel_is_filled() {
    // Pixels are far smaller than distances.
    let bright = [(7, 5), (300, 200), (599, 0), (0, 449)];
    let mask = pixels([600, 450], |x, y| {
        bright.contains(&(x, y)) || x > 560 && y > 300
    });
    for samples in both(&Within::new(hills(), &mask)) {
        for (x, y) in bright {
            let pixel = |s: &&Sample<2>| s.position.map(|p| (5.0 * p) as u32) == [x, y];
            assert_eq!(samples.iter().filter(pixel).count(), 1, "pixel {x},{y}");
        }
        assert!(samples.len() > 20, "{}", samples.len());
        assert!(samples.iter().all(|s| mask.holds(s.position)));
    }
}

/// The only island is far smaller than the finest cells, which must not count as unresolved without
/// a candidate drawn.
#[test]
fn an_island_of_one_pixel_is_filled_however_far_apart_points_are() {
    for least in [200.0, 3e3, 1e6] {
        let field = even(least);
        for i in 0..24 {
            let bright = [(i * 271) % 600, (i * 97) % 450];
            let mask = pixels([600, 450], |x, y| [x, y] == bright);
            for samples in both(&Within::new(&field, &mask)) {
                let found: Vec<_> = samples.iter().map(|s| s.position).collect();
                assert_eq!(found.len(), 1, "{least} apart, pixel {bright:?}: {found:?}");
                assert!(mask.holds(found[0]));
            }
        }
    }
}

/// Polygons are searched for down to a 1024th of the least distance: see [`Within`].
#[test]
fn a_polygon_a_thousandth_as_wide_as_the_distance_is_filled() {
    let least = 300.0;
    let field = even(least);
    let side = least / 1000.0;
    for i in 0..60 {
        let (x, y) = (
            f64::from(i * 37 % 119) + 0.1234,
            f64::from(i * 53 % 89) + 0.0567,
        );
        let ring = vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
        let polygon = Polygon::new(vec![ring], FillRule::NonZero).expect("a polygon");
        let land = Polygons::new(vec![polygon]).expect("polygons");
        for samples in both(&Within::new(&field, &land)) {
            assert_eq!(samples.len(), 1, "at {x},{y}");
            assert!(land.holds(samples[0].position));
        }
    }
}

/// A function that returns a window.
type Ask<'a> = &'a dyn Fn(&Bounds<2>) -> Result<Scattered<2>, SampleError>;

/// Windows of a bounded and of an endless world are crops of the whole.
#[test]
fn windows_see_the_same() {
    let (land, _) = land();
    let field = Within::new(hills(), land);
    let field = Arc::new(field);
    let bounded = Scatter::new(Arc::clone(&field), world(), ScatterOptions::default());
    let bounded = bounded.expect("a run");
    let endless = World::new(field, ScatterOptions::default()).expect("a world");
    let ways: [Ask<'_>; 2] = [&|window| bounded.points_in(window), &|window| {
        endless.window(window)
    }];
    let wholes = [bounded.points(), endless.window(&world())];
    for (ask, whole) in ways.into_iter().zip(wholes) {
        let whole = whole.expect("points").samples;
        assert!(whole.len() > 200, "{}", whole.len());
        for i in 0..24 {
            let min = [f64::from(i % 6) * 19.3, f64::from(i / 6) * 21.7];
            let window = Bounds::with_origin(min, [23.1, 24.9]).expect("a box");
            let part = ask(&window).expect("points").samples;
            let part = inside(&part, &world());
            assert_eq!(bits(&part), bits(&inside(&whole, &window)), "{window:?}");
        }
    }
}

/// Returns the region of the pixels that `open` allows, of an image over the world.
fn pixels([width, height]: [u32; 2], open: impl Fn(u32, u32) -> bool) -> MaskRegion {
    let map = GreyMap::from_fn(width, height, |x, y| f64::from(u8::from(open(x, y))));
    let options = MapOptions {
        bounds: Some(world()),
        ..MapOptions::default()
    };
    MaskRegion::new(&map.expect("a map"), 0.5, options).expect("a mask")
}

/// Returns the region of the columns that `open` allows, of `count` columns across the world.
fn columns(count: u32, open: impl Fn(u32) -> bool) -> MaskRegion {
    pixels([count, 1], |x, _| open(x))
}

/// Returns the points 3 apart where two regions overlap.
fn overlap(one: &dyn Region<2>, other: &dyn Region<2>) -> Scattered<2> {
    let field = Within::new(even(3.0), one);
    let field = Within::new(field, other);
    let run = Scatter::new(field, world(), ScatterOptions::default());
    run.expect("a run").points().expect("memory")
}

/// The strip where two masks of other pixels overlap is far narrower than the pixels of either.
#[test]
fn a_strip_between_two_masks_is_filled() {
    let (first, rest) = (columns(31, |x| x == 0), columns(32, |x| x > 0));
    let strip = [WORLD[0] / 32.0, WORLD[0] / 31.0];
    let points = overlap(&rest, &first);
    for sample in &points.samples {
        assert!((strip[0]..strip[1]).contains(&sample.position[0]));
    }
    let x = 0.5 * (strip[0] + strip[1]);
    for y in (0..9000).map(|i| 0.01 * f64::from(i)) {
        let near = |s: &Sample<2>| (s.position[0] - x).hypot(s.position[1] - y) < 3.01;
        assert!(points.samples.iter().any(near), "nothing near {y}");
    }
    assert!(points.unresolved < 20, "{points:?}");
}

/// Regions that only touch leave nothing between them to search.
#[test]
fn regions_that_only_touch_leave_nothing_unresolved() {
    let assert_closed = |name: &str, one: &dyn Region<2>, other: &dyn Region<2>| {
        let points = overlap(one, other);
        assert_eq!((points.samples.len(), points.unresolved), (0, 0), "{name}");
    };
    let (left, right) = (columns(7, |x| x < 3), columns(14, |x| x >= 6));
    assert_closed("7 and 14 columns", &left, &right);
    // These edges are not the same number.
    let (left, right) = (columns(31, |x| x < 10), columns(93, |x| x >= 30));
    assert_closed("31 and 93 columns", &left, &right);
    let fourth = pixels([2, 2], |x, y| x + y == 2);
    let three = pixels([2, 2], |x, y| x + y < 2);
    assert_closed("three pixels and the fourth", &three, &fourth);
    let half = columns(4, |x| x < 2);
    let [x, right, bottom] = [0.5 * WORLD[0], WORLD[0], WORLD[1]];
    let ring = vec![[x, 0.0], [right, 0.0], [right, bottom], [x, bottom]];
    let polygon = Polygon::new(vec![ring], FillRule::NonZero).expect("a polygon");
    let polygons = Polygons::new(vec![polygon]).expect("polygons");
    assert_closed("a mask and a polygon", &half, &polygons);
    assert_closed("a polygon and a mask", &polygons, &half);
}
