//! Masks of every kind that overlap in places narrower than their details, and masks of scaled fields.

use crate::common::counting::Counting;
use crate::common::squared;
use sampler::density::polygons::{FillRule, Polygon, Polygons};
use sampler::density::{
    Bounds, Constant, DistRange, DynField, FnRegion, GreyMap, GridField, GridRegion, MapOptions,
    MaskRegion, RadiusMap, Region, Scaled, Within,
};
use sampler::{
    Apart, Bridson, BridsonOptions, Edges, End, Layer, Sample, Scatter, ScatterOptions, Scattered,
};
use spinney_sampler as sampler;
use std::sync::Arc;

/// The side of the world.
const SIDE: f64 = 24.0;

/// The distance between points.
const DIST: f64 = 2.0;

fn world() -> Bounds<2> {
    Bounds::from_size([SIDE; 2]).expect("a box")
}

/// Returns the mask of 40 x 40 pixels, from a corner on, whose centres `open` allows.
fn mask(corner: f64, pixel: f64, open: impl Fn([f64; 2]) -> bool) -> MaskRegion {
    let at = |x: u32| corner + (f64::from(x) + 0.5) * pixel;
    let map = GreyMap::from_fn(40, 40, |x, y| f64::from(u8::from(open([at(x), at(y)]))));
    let bounds = Bounds::with_origin([corner; 2], [40.0 * pixel; 2]);
    let options = MapOptions {
        bounds: Some(bounds.expect("a box")),
        ..MapOptions::default()
    };
    MaskRegion::new(&map.expect("a map"), 0.5, options).expect("a mask")
}

/// Fails if a place with this x is farther than `DIST` from all points, or if cells are unresolved.
fn assert_filled(name: &str, x: f64, points: &Scattered<2>) {
    for y in (0..2400).map(|i| 0.01 * f64::from(i)) {
        let near = |s: &Sample<2>| (s.position[0] - x).hypot(s.position[1] - y) < 1.01 * DIST;
        assert!(points.samples.iter().any(near), "{name}: nothing near {y}");
    }
    assert!(
        points.unresolved < 20,
        "{name}: {} cells",
        points.unresolved
    );
}

/// The first is open up to x = 7, the second from 6.97 on: in a thirtieth of their pixels.
#[test]
fn a_strip_between_masks_of_any_kind_is_filled() {
    const FROM: f64 = 6.97;
    let range = DistRange::new(DIST, DIST).expect("a range");
    let map = GreyMap::from_fn(24, 24, |x, _| if x < 7 { 0.0 } else { f64::NAN });
    let map = RadiusMap::new(map.expect("a map"), range, MapOptions::default());
    // A node closes the square around it.
    let nodes = GridField::new(range, 2.0, |p: [f64; 2]| (p[0] < 7.0).then_some(DIST));
    let all = Constant::new(DIST).expect("a field");
    let first = mask(0.0, 1.0, |p| p[0] < 7.0);
    let fields: [(&str, DynField<2>); 3] = [
        ("map", Arc::new(map.expect("a field"))),
        ("nodes", Arc::new(nodes.expect("a field"))),
        ("mask", Arc::new(Within::new(all, first))),
    ];
    let second = mask(FROM - 12.0 * 0.98, 0.98, |p| p[0] > FROM);
    let spacing = FROM / 6.5;
    let nodes = GridRegion::new(spacing, |p: [f64; 2]| p[0] > FROM).expect("a region");
    let regions: [(&str, Arc<dyn Region<2>>); 2] =
        [("mask", Arc::new(second)), ("nodes", Arc::new(nodes))];
    for (name, field) in fields {
        for (other, region) in &regions {
            let name = format!("{name} and {other}");
            let strip = Within::new(Arc::clone(&field), Arc::clone(region));
            let open = |x: f64| sampler::density::RadiusField::min_dist(&strip, [x, 3.3]).is_some();
            let wide: Vec<f64> = (0..2400)
                .map(|i| 0.01 * f64::from(i))
                .filter(|&x| open(x))
                .collect();
            assert!((2..5).contains(&wide.len()), "{name}: {wide:?}");
            let middle = 0.5 * (wide[0] + wide[wide.len() - 1]);
            let one = Scatter::new(strip, world(), ScatterOptions::default()).expect("a run");
            assert_filled(&name, middle, &one.points().expect("memory"));
            let layer = || Layer {
                region: Some(Arc::clone(region)),
                ..Layer::of(Arc::clone(&field))
            };
            let layers = vec![layer(), layer()];
            let options = ScatterOptions::default();
            let two = Scatter::layered(layers, Apart::new(2), world(), Edges::Open, options);
            let two = two.expect("a run").points().expect("memory");
            assert_filled(&format!("two layers of {name}"), middle, &two);
        }
    }
}

/// Each island is a part of a pixel wide, where two masks overlap.
#[test]
fn bridson_starts_in_islands_between_two_masks() {
    for width in [0.5, 0.2, 0.05, 0.01] {
        let third = |x: f64| x.floor().rem_euclid(3.0) == 1.0;
        let shift = 1.0 - width;
        let one = mask(0.0, 1.0, |p| p.iter().all(|&x| third(x)));
        let other = mask(shift - 3.0, 1.0, |p| p.iter().all(|&x| third(x - shift)));
        let field = Within::new(Constant::new(1.5).expect("a field"), one);
        let field = Within::new(field, other);
        let mut run = Bridson::new(&field, world(), BridsonOptions::default()).expect("a run");
        assert_eq!(
            (run.by_ref().count(), run.end()),
            (64, End::Complete),
            "{width}"
        );
    }
}

/// Polygons are searched for down to a 1024th of the distance of the run, whatever it is scaled from.
#[test]
fn a_scaled_field_keeps_its_small_islands() {
    const WIDE: f64 = 6e-5;
    let places = (0..400).map(|i| [i % 20, i / 20].map(|n| (f64::from(n) + 0.3) / 20.0));
    let squares = places.map(|[x, y]| {
        let ring = vec![[x, y], [x + WIDE, y], [x + WIDE, y + WIDE], [x, y + WIDE]];
        Polygon::new(vec![ring], FillRule::NonZero).expect("a polygon")
    });
    let land = Polygons::new(squares.collect()).expect("polygons");
    let domain = Bounds::from_size([1.0; 2]).expect("a box");
    for (distance, factor) in [(0.02, 1.0), (1.0, 0.02), (1000.0, 2e-5), (2e-5, 1000.0)] {
        let field = Within::new(Constant::new(distance).expect("a field"), &land);
        let field = Scaled::new::<2>(field, factor).expect("a factor");
        let run = Scatter::new(&field, domain, ScatterOptions::default()).expect("a run");
        assert_eq!(
            run.points().expect("memory").samples.len(),
            400,
            "{distance} x {factor}"
        );
        let run = Bridson::new(&field, domain, BridsonOptions::default()).expect("a run");
        assert_eq!(run.count(), 400, "{distance} x {factor}");
    }
}

/// Two pairs of masks leave a rectangle, which no side of a box shows before the other pair has narrowed it.
#[test]
fn a_rectangle_between_four_masks_gets_its_point() {
    let edge =
        |at: f64, axis: usize, above: bool| mask(at - 12.0, 1.0, move |p| (p[axis] > at) == above);
    let field = Within::new(Constant::new(DIST).expect("a field"), edge(7.03, 0, true));
    let field = Within::new(field, edge(7.07, 0, false));
    let field = Within::new(field, edge(9.13, 1, true));
    let field = Within::new(field, edge(9.17, 1, false));
    let run = Scatter::new(&field, world(), ScatterOptions::default()).expect("a run");
    assert_eq!(run.points().expect("memory").samples.len(), 1);
    let run = Bridson::new(&field, world(), BridsonOptions::default()).expect("a run");
    assert_eq!(run.count(), 1);
}

/// Strips too thin for a random candidate are counted, down to a millionth of a pixel.
#[test]
fn no_thin_strip_is_called_filled() {
    for width in [1e-3, 1e-4, 1e-5, 1e-6] {
        let first = mask(0.0, 1.0, |p| p[0] < 7.0);
        let second = mask(7.0 - width - 12.0 * 0.98, 0.98, |p| p[0] > 7.0 - width);
        let field = Within::new(Constant::new(DIST).expect("a field"), first);
        let run = Scatter::new(
            Within::new(field, second),
            world(),
            ScatterOptions::default(),
        );
        let points = run.expect("a run").points().expect("memory");
        let found = (points.samples.len(), points.unresolved);
        assert!(found.0 >= 8 || found.1 > 100, "{width}: {found:?}");
    }
}

#[test]
fn a_slab_between_two_regions_of_space_is_filled() {
    const DOMAIN: f64 = 6.0;
    let first = GridRegion::new(1.0, |p: [f64; 3]| p[2] < 3.0).expect("a region");
    // These end at 2.5 and begin at 2.47.
    let spacing = 2.47 / 2.5;
    let second = GridRegion::new(spacing, |p: [f64; 3]| p[2] > 2.5).expect("a region");
    let field = Within::new(Constant::new(1.5).expect("a field"), first);
    let field = Within::new(field, second);
    let domain = Bounds::from_size([DOMAIN; 3]).expect("a box");
    let run = Scatter::new(&field, domain, ScatterOptions::default()).expect("a run");
    let points = run.points().expect("memory");
    for i in 0..3600 {
        let place = [0.1 * f64::from(i % 60), 0.1 * f64::from(i / 60), 2.485];
        let near = |s: &Sample<3>| squared(s.position, place) < 1.53 * 1.53;
        assert!(points.samples.iter().any(near), "nothing near {place:?}");
    }
}

/// Bounds of a closure that is far too steep for its values leave many small boxes open.
#[test]
fn wide_bounds_cost_few_evaluations() {
    let disk = |p: [f64; 2]| 20.0 * ((p[0] - 12.0).hypot(p[1] - 12.0) - 8.0);
    let disk = FnRegion::new(400.0, disk)
        .expect("a region")
        .with_detail(1.0);
    let region = Counting::new(disk.expect("a detail"));
    let asked = region.asked.clone();
    let field = Within::new(Constant::new(1.0).expect("a field"), region);
    let run = Scatter::new(&field, world(), ScatterOptions::default()).expect("a run");
    let points = run.points().expect("memory").samples.len();
    let by_scatter = asked.count();
    let run = Bridson::new(&field, world(), BridsonOptions::default()).expect("a run");
    let both = [points, run.count()].map(|points| points as u64);
    let each = [by_scatter / both[0], (asked.count() - by_scatter) / both[1]];
    assert!(each[0] < 3000 && each[1] < 2000, "{each:?} a point");
}
