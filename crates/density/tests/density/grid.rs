//! Fields and regions of closures.

use proptest::prelude::*;
use spinney_density::{
    Bounds, Constant, Coverage, DistRange, FnRegion, GreyMap, GridField, GridRegion, MapOptions,
    RadiusField, RadiusMap, Region, Share, Within,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn range() -> DistRange {
    DistRange::new(1.0, 9.0).expect("a good range")
}

/// Hills without a known slope.
fn hills<const D: usize>(p: [f64; D]) -> f64 {
    let mut sum = 5.0;
    for (a, x) in p.into_iter().enumerate() {
        let x = x * [0.61, 0.37, 0.83][a];
        let t = x - x.floor();
        sum += 6.0 * t * (1.0 - t) * if x.floor() % 2.0 == 0.0 { 1.0 } else { -1.0 };
    }
    sum
}

/// Hills with closed valleys and a closed node here and there.
fn holed<const D: usize>(p: [f64; D]) -> Option<f64> {
    let r = hills(p);
    let salt = p.into_iter().fold(7.0, |sum: f64, x| sum * 1.7 + x * 3.3);
    (r > 3.5 && (salt - salt.floor()) > 0.1).then_some(r)
}

fn open<const D: usize>(spacing: f64) -> GridField<D> {
    GridField::new(range(), spacing, hills).expect("a good field")
}

fn masked<const D: usize>(spacing: f64) -> GridField<D> {
    GridField::new(range(), spacing, holed).expect("a good field")
}

#[test]
fn nodes_have_what_the_closure_says() {
    let (plane, space) = (open::<2>(0.25), open::<3>(0.25));
    for i in -40..40 {
        let p = [0.25, 0.75, -1.25].map(|step| step * f64::from(i));
        let plane_dist = range().clamp(hills([p[0], p[1]]));
        assert_eq!(plane.min_dist([p[0], p[1]]), Some(plane_dist));
        assert_eq!(space.min_dist(p), Some(range().clamp(hills(p))));
    }
    // Half-way between two nodes lies the mean.
    let ends = [0.5, 0.75].map(|x| plane.min_dist([x, 2.0]).expect("open"));
    let middle = plane.min_dist([0.625, 2.0]).expect("open");
    assert!((middle - 0.5 * (ends[0] + ends[1])).abs() < 1e-14);
}

/// A chunk has 16 cells of 0.25 per side in 2D, and 8 in 3D.
#[test]
fn borders_of_chunks_are_not_seen() {
    let (plane, space) = (masked::<2>(0.25), masked::<3>(0.25));
    for chunk in -3..3 {
        let x = 4.0 * f64::from(chunk);
        for i in 0..200 {
            let y = -7.0 + 0.07 * f64::from(i);
            let sides = [x.next_down(), x, x.next_up()];
            let dists = sides.map(|x| plane.min_dist([x, y]));
            let [below, at, above] = dists.map(|r| r.map(|r| (r * 1e9).round()));
            assert!(below == at && at == above, "{x} {y}: {dists:?}");
            let dists = sides.map(|x| space.min_dist([y, x, 1.1]));
            let [below, at, above] = dists.map(|r| r.map(|r| (r * 1e9).round()));
            assert!(below == at && at == above, "{x} {y}: {dists:?}");
        }
    }
}

#[test]
fn the_nearest_node_decides_what_is_closed_and_closed_ones_have_no_value() {
    // Open at the origin only.
    let one = GridField::new(range(), 2.0, |p: [f64; 2]| (p == [0.0; 2]).then_some(3.0));
    let one = one.expect("a good field");
    for inside in [[0.0, 0.0], [-1.0, -1.0], [0.99, 0.99], [-1.0, 0.99]] {
        assert_eq!(one.min_dist(inside), Some(3.0), "{inside:?}");
    }
    for outside in [[1.0, 0.0], [0.0, 1.0], [-1.001, 0.0], [5.0, 5.0]] {
        assert_eq!(one.min_dist(outside), None, "{outside:?}");
    }
    assert_eq!(one.mask_detail(1e-9), Some(2.0));
    let nan = GridField::new(range(), 1.0, |_: [f64; 2]| f64::NAN).expect("a good field");
    assert_eq!(nan.min_dist([0.0; 2]), None);
    let wild = GridField::new(range(), 1.0, |p: [f64; 2]| 1e300 * p[0]).expect("a good field");
    assert_eq!(wild.min_dist([1.0, 0.0]), Some(9.0));
    assert_eq!(wild.min_dist([-1.0, 0.0]), Some(1.0));
}

/// Compares with a map that has the same values at its pixel centres.
#[test]
fn is_what_a_map_is() {
    let side = 50_u32;
    let grey = |p: [f64; 2]| holed(p).map(|r| (r - 1.0) / 8.0);
    let map = GreyMap::from_fn(side, side, |x, y| {
        grey([f64::from(x), f64::from(y)]).unwrap_or(f64::NAN)
    });
    let bounds = Bounds::with_origin([-0.5; 2], [f64::from(side); 2]).expect("a good box");
    let options = MapOptions {
        bounds: Some(bounds),
        ..MapOptions::default()
    };
    let map = RadiusMap::new(map.expect("a map"), range(), options).expect("a field");
    let grid = masked::<2>(1.0);
    let (mut closed, mut count) = (0, 0);
    for i in 0..400 {
        for j in 0..400 {
            let p = [i, j].map(|i| 0.1 + 0.12 * f64::from(i));
            let (a, b) = (map.min_dist(p), grid.min_dist(p));
            assert_eq!(a.is_some(), b.is_some(), "{p:?}");
            count += 1;
            closed += usize::from(a.is_none());
            if let Some((a, b)) = a.zip(b) {
                // A grey has 65,535 steps.
                assert!((a - b).abs() <= 8.0 / 65_535.0, "{p:?}: {a} {b}");
            }
        }
    }
    assert!(closed > count / 20 && closed < count / 2, "{closed}");
}

#[test]
fn far_places_are_places() {
    let (plane, space) = (masked::<2>(0.01), masked::<3>(0.01));
    let far = [1e9, 1e15, -1e15, 9.1e18, -1e19, 1e300, f64::MAX, f64::MIN];
    for x in far {
        for y in far.into_iter().chain([0.0, -0.0, 5e-324]) {
            for r in [plane.min_dist([x, y]), space.min_dist([y, x, y])]
                .into_iter()
                .flatten()
            {
                assert!(range().lo() <= r && r <= range().hi(), "({x}, {y}): {r}");
            }
            if let Ok(b) = Bounds::new([x, y], [x, y].map(|c| c.next_up().max(c + 0.003))) {
                let local = plane.range_in(&b);
                let r = plane.min_dist([x, y]);
                assert!(r.is_none_or(|r| {
                    local.is_some_and(|local| local.range.lo() <= r && r <= local.range.hi())
                }));
            }
        }
    }
    // Nodes and positions half-way between them are still distinguished.
    let p = [1e12, 3e12];
    assert_eq!(masked::<2>(1.0).min_dist(p), holed(p));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        assert!(GridField::new(range(), bad, hills::<2>).is_err(), "{bad}");
    }
}

fn walk(field: &GridField<2>) -> Vec<Option<u64>> {
    let mut at = 12_345_u64;
    let places = (0..20_000).map(|_| {
        at = at
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        [at >> 32, at & 0xffff_ffff].map(|bits| bits as f64 / 4e6 - 500.0)
    });
    let dists = places.map(|p| field.min_dist(p).map(f64::to_bits));
    dists.collect()
}

#[test]
fn what_is_kept_changes_no_bit() {
    let large = masked::<2>(0.7);
    let small = masked::<2>(0.7).with_memory(0);
    let truth = walk(&large);
    assert!(truth == walk(&small) && truth == walk(&large) && truth == walk(&small.clone()));
    assert!(truth.iter().flatten().count() > 5000);
}

#[test]
fn threads_agree() {
    let field = masked::<2>(0.7).with_memory(1 << 20);
    let truth = walk(&masked::<2>(0.7));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| walk(&field))).collect();
        for thread in threads {
            assert!(thread.join().expect("no panic") == truth);
        }
    });
}

/// Returns hills, and a counter of computed nodes.
fn counting() -> (GridField<2>, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let field = GridField::new(range(), 1.0, move |p: [f64; 2]| {
        counted.fetch_add(1, Ordering::Relaxed);
        hills(p)
    });
    let field = field.expect("a good field");
    (field, count)
}

/// Every node in memory is computed once, whichever clone needs it.
#[test]
fn a_node_is_computed_once_while_it_is_kept() {
    let (field, count) = counting();
    let ask = |field: &GridField<2>| {
        for i in 0..300 * 300 {
            field.min_dist([f64::from(i % 300), f64::from(i / 300)]);
        }
        count.load(Ordering::Relaxed)
    };
    let first = ask(&field);
    // 19 x 19 chunks of 17 x 17 nodes, and the corners of the first position evaluated in each.
    assert_eq!(first, 19 * 19 * (17 * 17 + 4));
    assert_eq!(ask(&field.clone()), first);
    assert!(ask(&field.with_memory(0)) > first);
}

/// Isolated evaluations do not compute whole chunks.
#[test]
fn a_single_look_computes_the_nodes_around_it() {
    let (field, count) = counting();
    for i in 0..100 {
        field.min_dist([1e3 * f64::from(i), 0.5]);
    }
    assert_eq!(count.load(Ordering::Relaxed), 100 * 4);
}

#[test]
fn a_closure_that_panics_leaves_the_field_usable() {
    let first = AtomicUsize::new(0);
    let field = GridField::new(range(), 1.0, move |p: [f64; 2]| {
        assert!(first.fetch_add(1, Ordering::Relaxed) > 0, "once");
        hills(p)
    });
    let field = field.expect("a good field");
    let caught =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| field.min_dist([1.0, 2.0])));
    assert!(caught.is_err());
    assert_eq!(
        field.min_dist([1.0, 2.0]),
        open::<2>(1.0).min_dist([1.0, 2.0])
    );
}

#[test]
fn bounds_become_narrow() {
    let (plane, space) = (open::<2>(0.1), open::<3>(0.1));
    for i in 0..50 {
        let min = [0.37, 0.71, 1.13].map(|step| step * f64::from(i));
        let side = 0.01;
        let b = Bounds::with_origin([min[0], min[1]], [side; 2]).expect("a good box");
        let local = plane.range_in(&b).expect("open");
        assert_eq!(local.coverage, Coverage::All);
        let places = [0.0, 0.5, 0.999].map(|t| [min[0] + t * side, min[1] + t * side]);
        let there = places.map(|p| plane.min_dist(p).expect("open"));
        assert!(
            local.range.hi() - local.range.lo() < 0.12,
            "{local:?} {there:?}"
        );
        let b = Bounds::with_origin(min, [side; 3]).expect("a good box");
        let local = space.range_in(&b).expect("open");
        assert!(local.range.hi() - local.range.lo() < 0.18, "{local:?}");
    }
    // Where all values are the same, bounds are exact.
    let even = GridField::new(range(), 0.3, |_: [f64; 3]| 4.7).expect("a good field");
    let b = Bounds::with_origin([0.2; 3], [3.0; 3]).expect("a good box");
    let range = even.range_in(&b).expect("open").range;
    assert_eq!([range.lo(), range.hi()], [4.7; 2]);
}

/// Checks the bounds of a box at its least corner, its middle and its last position. The positions `inside` are checked
/// too, in shares of the box's sides.
pub(crate) fn check<const D: usize>(
    field: &impl RadiusField<D>,
    min: [f64; D],
    size: [f64; D],
    inside: &[[f64; 3]],
) -> Result<(), TestCaseError> {
    let Ok(b) = Bounds::with_origin(min, size) else {
        return Ok(());
    };
    let local = field.range_in(&b);
    let last = b.max().map(f64::next_down);
    let shares = inside.iter().chain(&[[0.5; 3]]);
    let places =
        shares.map(|t| std::array::from_fn(|a| (min[a] + t[a] * size[a]).clamp(min[a], last[a])));
    for p in places.chain([b.min(), last]) {
        match (field.min_dist(p), local) {
            (Some(_), None) => prop_assert!(false, "open at {:?}, but the box is closed", p),
            (None, Some(local)) => prop_assert!(local.coverage == Coverage::Part, "{:?}", p),
            (Some(r), Some(local)) => prop_assert!(
                local.range.lo() <= r && r <= local.range.hi(),
                "{:?} lacks {} at {:?}",
                local,
                r,
                p
            ),
            (None, None) => {}
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_box_is_bounded(
        spacing in 0.05..3.0,
        min in prop::array::uniform3(prop_oneof![-30.0..30.0, -1e6..1e6]),
        size in prop::array::uniform3(prop_oneof![1e-9..1e-3, 1e-3..1.0, 1.0..20.0]),
        cells in prop::array::uniform3(prop_oneof![0.01..2.5, 0.01..70.0]),
        inside in prop::collection::vec(prop::array::uniform3(0.0..1.0), 60),
    ) {
        for size in [size, cells.map(|n| n * spacing)] {
            check(&open::<2>(spacing), [min[0], min[1]], [size[0], size[1]], &inside)?;
            check(&open::<3>(spacing), min, size, &inside)?;
            check(&masked::<2>(spacing), [min[0], min[1]], [size[0], size[1]], &inside)?;
            check(&masked::<3>(spacing), min, size, &inside)?;
        }
    }

    /// Boxes that begin and end on nodes and half-way between them, at the borders of cells.
    #[test]
    fn a_box_along_nodes_is_bounded(
        min in prop::array::uniform3(-40i32..40),
        size in prop::array::uniform3(1i32..9),
        inside in prop::collection::vec(prop::array::uniform3(0.0..1.0), 60),
    ) {
        let (min, size) = (min.map(|n| 0.25 * f64::from(n)), size.map(|n| 0.25 * f64::from(n)));
        check(&masked::<2>(0.5), [min[0], min[1]], [size[0], size[1]], &inside)?;
        check(&masked::<3>(0.5), min, size, &inside)?;
        check(&masked::<1>(0.5), [min[0]], [size[0]], &inside)?;
    }

    #[test]
    fn a_box_of_a_region_is_bounded(
        min in prop::array::uniform2(-15.0..15.0),
        size in prop::array::uniform2(prop_oneof![1e-6..1.0, 1.0..20.0]),
        inside in prop::collection::vec(prop::array::uniform3(0.0..1.0), 60),
    ) {
        let plain = Constant::new(1.0).expect("a distance");
        let ring = |[x, y]: [f64; 2]| ((x * x + y * y).sqrt() - 10.0).abs() - 2.0;
        let exact = FnRegion::new(1.0, ring).expect("a region");
        check(&Within::new(plain, exact), min, size, &inside)?;
        let stepped = GridRegion::new(0.4, move |p| ring(p) <= 0.0).expect("a region");
        check(&Within::new(plain, stepped), min, size, &inside)?;
    }
}

#[test]
fn regions_of_closures_say_what_boxes_hold() {
    let ring = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt() - 10.0;
    let exact = FnRegion::new(1.0, ring).expect("a region");
    let stepped = GridRegion::new(0.5, move |p| ring(p) <= 0.0).expect("a region");
    let regions: [Arc<dyn Region<3>>; 2] = [Arc::new(exact), Arc::new(stepped)];
    for region in &regions {
        let share = |at: [f64; 3]| {
            let bounds = Bounds::with_origin(at, [1.0; 3]).expect("a box");
            Region::share_in(region, &bounds)
        };
        assert_eq!(share([0.0, 3.0, 5.0]), Share::All);
        assert_eq!(share([9.5, 0.0, 0.0]), Share::Part);
        assert_eq!(share([8.0, 8.0, 0.0]), Share::None);
        assert!(region.holds([9.0, 0.0, 0.0]) && !region.holds([11.0, 0.0, 0.0]));
    }
    assert_eq!(regions[0].detail(), 0.0);
    assert_eq!(regions[1].detail(), 0.5);
    for bad in [-1.0, f64::NAN] {
        assert!(FnRegion::new(bad, ring).is_err());
        assert!(
            FnRegion::new(1.0, ring)
                .expect("a region")
                .with_detail(bad)
                .is_err()
        );
    }
}

/// Pointers to fields are fields, and can be sent to other threads.
#[test]
fn pointers_are_fields_and_regions() {
    fn is_field(field: impl RadiusField<2> + 'static) -> Option<f64> {
        let ask = move || field.min_dist([1.0, 1.0]);
        std::thread::spawn(ask).join().expect("no panic")
    }
    let field: Arc<dyn RadiusField<2>> = Arc::new(open::<2>(1.0));
    let region: Box<dyn Region<2>> = Box::new(GridRegion::new(1.0, |_| true).expect("a region"));
    let truth = field.min_dist([1.0, 1.0]);
    assert_eq!(is_field(Arc::clone(&field)), truth);
    assert_eq!(
        is_field(Box::new(Arc::clone(&field)) as Box<dyn RadiusField<2>>),
        truth
    );
    assert_eq!(is_field(Within::new(field, region)), truth);
}

#[test]
fn grids_have_one_to_three_dimensions() {
    assert!(GridField::new(range(), 1.0, |p: [f64; 1]| p[0]).is_ok());
    let refused = GridField::new(range(), 1.0, |p: [f64; 4]| p[0]).map(|_| ());
    let sentence = "the number of dimensions must lie between 1 and 3, but is 4";
    assert_eq!(
        refused.map_err(|error| error.to_string()),
        Err(sentence.into())
    );
    assert!(GridRegion::new(1.0, |p: [f64; 5]| p[0] > 0.0).is_err());
}
