//! Compares the region of polygons with independent arithmetic: integers, and rings walked along edge by edge.

use proptest::prelude::*;
use spinney_density::polygons::{FillRule, Polygon, PolygonError, Polygons};
use spinney_density::{Bounds, Region, Share};

type Ring = Vec<[f64; 2]>;

/// Returns the region of these polygons, `None` if they have no area.
fn filled(all: &[(Vec<Ring>, FillRule)]) -> Option<Polygons> {
    let polygon = |(rings, fill): &(Vec<Ring>, FillRule)| {
        Polygon::new(rings.clone(), *fill).expect("a polygon")
    };
    Polygons::new(all.iter().map(polygon).collect()).ok()
}

fn polygons(all: &[(Vec<Ring>, FillRule)]) -> Polygons {
    filled(all).expect("polygons")
}

/// Returns the winding number from a ray to the right, in integers; `None` on an edge. Corners are even and positions
/// odd, so that no position is level with a corner, and products are exact.
fn winding(rings: &[Ring], p: [f64; 2]) -> Option<i32> {
    let whole = |p: [f64; 2]| p.map(|x| x as i64);
    let [x, y] = whole(p);
    let mut turns = 0;
    for ring in rings {
        for (i, &a) in ring.iter().enumerate() {
            let (a, b) = (whole(a), whole(ring[(i + 1) % ring.len()]));
            if (a[1] < y) == (b[1] < y) {
                continue;
            }
            // Does the edge cross the ray's line to the right of the position?
            let left = (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1]);
            if left == 0 {
                return None;
            }
            if (left > 0) == (b[1] > a[1]) {
                turns += if b[1] > a[1] { 1 } else { -1 };
            }
        }
    }
    Some(turns)
}

fn ring(most: usize) -> impl Strategy<Value = Ring> {
    ring_within(40, most)
}

fn ring_within(far: i32, most: usize) -> impl Strategy<Value = Ring> {
    let place = (-far..far, -far..far).prop_map(|(x, y)| [2 * x, 2 * y].map(f64::from));
    prop::collection::vec(place, 3..most).prop_filter("corners", |ring| {
        let mut open = ring.clone();
        if open.first() == open.last() {
            open.pop();
        }
        open.len() >= 3
    })
}

fn shapes() -> impl Strategy<Value = Vec<(Vec<Ring>, FillRule)>> {
    let fill = prop_oneof![Just(FillRule::EvenOdd), Just(FillRule::NonZero)];
    prop::collection::vec((prop::collection::vec(ring(30), 1..4), fill), 1..5)
}

/// Outlines, each with holes that overlap, nest and extend beyond the outline.
fn with_holes() -> impl Strategy<Value = Vec<(Ring, Vec<Ring>)>> {
    let holes = prop::collection::vec(ring(6), 0..6);
    prop::collection::vec((ring(12), holes), 1..4)
}

fn holed(all: &[(Ring, Vec<Ring>)]) -> Option<Polygons> {
    let polygon = |(outline, holes): &(Ring, Vec<Ring>)| {
        Polygon::with_holes(outline.clone(), holes.clone()).expect("a polygon")
    };
    Polygons::new(all.iter().map(polygon).collect()).ok()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn places_are_held_as_whole_numbers_say(all in shapes()) {
        let Some(region) = filled(&all) else {
            return Ok(());
        };
        for x in -42..42 {
            for y in -42..42 {
                let p = [f64::from(2 * x + 1), f64::from(2 * y + 1)];
                let inside = |(rings, fill): &(Vec<Ring>, FillRule)| {
                    winding(rings, p).map(|turns| match fill {
                        FillRule::EvenOdd => turns % 2 != 0,
                        FillRule::NonZero => turns != 0,
                    })
                };
                let told: Vec<_> = all.iter().map(inside).collect();
                let sure = told.contains(&Some(true)) || !told.contains(&None);
                if sure {
                    prop_assert_eq!(region.holds(p), told.contains(&Some(true)), "{:?}", p);
                }
            }
        }
    }

    /// A position belongs to the region if it lies in an outline and in none of that outline's holes.
    #[test]
    fn holes_are_taken_from_their_outline(all in with_holes()) {
        let Some(region) = holed(&all) else {
            return Ok(());
        };
        for x in -42..42 {
            for y in -42..42 {
                let p = [f64::from(2 * x + 1), f64::from(2 * y + 1)];
                let odd = |ring: &Ring| winding(std::slice::from_ref(ring), p).map(|w| w % 2 != 0);
                let rings = all.iter().flat_map(|(outline, holes)| holes.iter().chain([outline]));
                if rings.map(odd).any(|told| told.is_none()) {
                    continue;
                }
                let inside = all.iter().any(|(outline, holes)| {
                    odd(outline) == Some(true) && holes.iter().all(|hole| odd(hole) == Some(false))
                });
                prop_assert_eq!(region.holds(p), inside, "{:?}", p);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn boxes_with_holes_are_bounded(all in with_holes(), bounds in any_box()) {
        let Some(region) = holed(&all) else {
            return Ok(());
        };
        let rings = all.iter().flat_map(|(outline, holes)| holes.iter().chain([outline]));
        judge_box(&region, &bounds, rings)?;
    }

    #[test]
    fn boxes_are_bounded_and_sharply(all in shapes(), bounds in any_box()) {
        let Some(region) = filled(&all) else {
            return Ok(());
        };
        judge_box(&region, &bounds, all.iter().flat_map(|(rings, _)| rings))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Corners lie in so few places that many edges are on one line, and boxes are small and among them.
    #[test]
    fn boxes_along_seams_are_bounded(
        all in prop::collection::vec((ring_within(2, 6), prop::collection::vec(ring_within(2, 5), 0..4)), 1..3),
        low in [-10..10_i32, -10..10],
        shift in [0.0..1.0_f64, 0.0..1.0],
        size in [0.01..1.0_f64, 0.01..1.0],
    ) {
        let Some(region) = holed(&all) else {
            return Ok(());
        };
        let low = [0, 1].map(|a| 0.5 * f64::from(low[a]) - shift[a] * size[a]);
        let bounds = Bounds::with_origin(low, size).expect("a box");
        let rings = all.iter().flat_map(|(outline, holes)| holes.iter().chain([outline]));
        judge_box(&region, &bounds, rings)?;
    }
}

/// Boxes whose least corner is an integer, large and small compared to the polygons.
fn any_box() -> impl Strategy<Value = Bounds<2>> {
    let scale = prop_oneof![Just(1.0_f64), Just(0.25), Just(0.013)];
    (-90..80_i32, -90..80_i32, 1..60_i32, 1..60_i32, scale).prop_map(|(x, y, w, h, scale)| {
        let size = [w, h].map(|side| f64::from(side) * scale);
        Bounds::with_origin([x, y].map(f64::from), size).expect("a box")
    })
}

/// Checks that the result for a box holds for every position tried in it, and that `Part` is returned only for a box
/// that an edge of a ring meets.
fn judge_box<'a>(
    region: &Polygons,
    bounds: &Bounds<2>,
    mut rings: impl Iterator<Item = &'a Ring>,
) -> Result<(), TestCaseError> {
    let mut seen = [false; 2];
    for p in places_in(bounds) {
        seen[usize::from(region.holds(p))] = true;
    }
    match region.share_in(bounds) {
        Share::All => prop_assert!(!seen[0]),
        Share::None => prop_assert!(!seen[1]),
        Share::Part => {
            let met = rings.any(|ring| meets(ring, bounds));
            prop_assert!(met || (seen[0] && seen[1]), "{:?} says Part", bounds);
        }
    }
    Ok(())
}

/// Returns positions spread over a box, including its first and its last.
fn places_in(bounds: &Bounds<2>) -> Vec<[f64; 2]> {
    let (min, size) = (bounds.min(), bounds.size());
    let at = |a: usize, i: u32| min[a] + size[a] * f64::from(i) / 12.0;
    let grid = (0..144).map(|i| [at(0, i / 12), at(1, i % 12)]);
    grid.chain([bounds.max().map(f64::next_down)]).collect()
}

/// Returns `true` if an edge of a ring touches a box: the edge clipped to the box is not empty (Liang and Barsky). The
/// region uses another method.
fn meets(ring: &Ring, bounds: &Bounds<2>) -> bool {
    (0..ring.len()).any(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            let step = b[axis] - a[axis];
            let ends = [bounds.min(), bounds.max()].map(|corner| corner[axis] - a[axis]);
            if step == 0.0 {
                if ends[0] > 0.0 || ends[1] < 0.0 {
                    return false;
                }
            } else {
                let (s, t) = (ends[0] / step, ends[1] / step);
                from = from.max(s.min(t));
                to = to.min(s.max(t));
            }
        }
        from <= to + 1e-12
    })
}

#[test]
fn polygons_that_share_edges_leave_no_gap_and_do_not_overlap() {
    // Triangles of a fan around a position that no float represents, with slanted edges.
    let middle = [1.0 / 3.0, 0.1];
    let rim = [
        [-1.0, -0.7],
        [0.9, -1.1],
        [1.3, 0.4],
        [0.2, 1.7],
        [-1.1, 0.6],
    ];
    let parts: Vec<Polygons> = (0..5)
        .map(|i| {
            polygons(&[(
                vec![vec![middle, rim[i], rim[(i + 1) % 5]]],
                FillRule::EvenOdd,
            )])
        })
        .collect();
    let whole = polygons(&[(vec![rim.to_vec()], FillRule::EvenOdd)]);
    let mut on_edges = 0;
    for corner in &rim {
        for step in 0..=1000 {
            let t = f64::from(step) / 1000.0;
            let p = [0, 1].map(|a| middle[a] + t * (corner[a] - middle[a]));
            let held = parts.iter().filter(|part| part.holds(p)).count();
            assert_eq!(held, usize::from(whole.holds(p)), "{p:?}");
            on_edges += held;
        }
    }
    assert!(on_edges > 4900, "{on_edges}");
}

/// Regression: between two holes, and along a spike, every box was partly inside, however small. Runs took minutes there
/// or were refused.
#[test]
fn boxes_along_a_seam_are_all_inside_or_all_outside() {
    let square = |x: f64, y: f64, w: f64, h: f64| -> Ring {
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
            .map(|[u, v]| [x + u * w, y + v * h])
            .into()
    };
    let holes = vec![square(1.0, 1.0, 3.0, 7.0), square(4.0, 3.0, 3.0, 2.0)];
    let seam = Polygon::with_holes(square(0.0, 0.0, 9.0, 9.0), holes).expect("a polygon");
    let mut out = square(0.0, 0.0, 4.0, 9.0);
    out.splice(2..2, [[4.0, 4.5], [7.0, 4.5], [4.0, 4.5]]);
    let spike = Polygon::with_holes(out, Vec::new()).expect("a polygon");
    let halves = [square(0.0, 0.0, 4.0, 9.0), square(4.0, 1.0, 3.0, 7.0)]
        .map(|ring| Polygon::with_holes(ring, Vec::new()).expect("a polygon"));
    let slanted = vec![
        vec![[1.0, 1.0], [7.0, 7.0], [1.0, 7.0]],
        vec![[2.0, 2.0], [6.0, 2.0], [6.0, 6.0]],
    ];
    let slanted = Polygon::with_holes(square(0.0, 0.0, 9.0, 9.0), slanted).expect("a polygon");
    for (what, polygons, at, share) in [
        ("between holes", vec![seam], [4.0, 4.0], Share::None),
        ("along a spike", vec![spike], [5.5, 4.5], Share::None),
        ("halves of an area", halves.into(), [4.0, 4.0], Share::All),
        (
            "a slanted edge of holes",
            vec![slanted],
            [4.0, 4.0],
            Share::None,
        ),
    ] {
        let region = Polygons::new(polygons).expect("an area");
        for size in [0.75, 1e-3, 1e-12] {
            for shift in [0.1, 0.5, 0.9] {
                let low = at.map(|x: f64| x - shift * size);
                let place = Bounds::new(low, low.map(|x| x + size)).expect("a box");
                assert_eq!(region.share_in(&place), share, "{what}: {place:?}");
            }
        }
    }
}

/// Regression: corners that lie on the edge of another hole but for rounding left strips of 1e-16, along which every box
/// was partly inside: runs took seconds for each hundred distances.
#[test]
fn boxes_along_a_seam_of_rounded_corners_are_outside() {
    let (a, b) = ([1.1, 1.3], [7.1, 7.7]);
    let on_edge = |t: f64| [0, 1].map(|axis| a[axis] + t * (b[axis] - a[axis]));
    let above = vec![a, b, [1.0, 7.0]];
    let below = vec![b, on_edge(0.7), on_edge(0.3), a, [6.0, 1.0]];
    let outline = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
    let holes = vec![above.clone(), below.clone()];
    let holes = Polygons::new(vec![
        Polygon::with_holes(outline, holes).expect("a polygon"),
    ]);
    let both = [above, below].map(|ring| Polygon::with_holes(ring, Vec::new()).expect("a polygon"));
    let [holes, both] = [holes, Polygons::new(both.into())].map(|region| region.expect("an area"));
    for t in [0.05, 0.1, 0.23, 0.3, 0.5, 0.699, 0.7, 0.9] {
        for size in [0.3, 1e-3, 1e-6, 1e-12] {
            let low = on_edge(t).map(|x| x - 0.4 * size);
            let place = Bounds::with_origin(low, [size; 2]).expect("a box");
            assert_eq!(holes.share_in(&place), Share::None, "{t}, {size}");
            // A strip is closed here, where no point may lie.
            assert_eq!(both.share_in(&place), Share::Part, "{t}, {size}");
        }
    }
}

/// Ten thousand lakes in one land, and islands that are not polygons of their own.
#[test]
fn many_holes_cost_little() {
    let square = |x: f64, y: f64, side: f64| {
        vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
    };
    let lake = |i: u32| square(f64::from(i % 100), f64::from(i / 100), 0.5);
    let holes: Vec<Ring> = (0..10_000).map(lake).collect();
    let twice = [holes.clone(), holes].concat();
    let started = std::time::Instant::now();
    let land = Polygon::with_holes(square(-1.0, -1.0, 102.0), twice).expect("a polygon");
    assert_eq!(land.holes().len(), 20_000);
    let region = Polygons::new(vec![land]).expect("polygons");
    for i in 0..400 {
        for j in 0..400 {
            let (x, y) = (0.25 * f64::from(i) + 0.1, 0.25 * f64::from(j) + 0.1);
            let wet = x.fract() < 0.5 && y.fract() < 0.5;
            assert_eq!(region.holds([x, y]), !wet, "{x}, {y}");
        }
    }
    assert!(
        started.elapsed().as_secs_f64() < 10.0,
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_hundred_thousand_corners_cost_little() {
    let count = 100_000;
    // A circle with a fine saw along it, by repeated rotation.
    let (c, s) = {
        let t = std::f64::consts::PI / f64::from(count);
        ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t))
    };
    let mut turn = [1.0, 0.0];
    let mut ring = Vec::new();
    for i in 0..count {
        let r = if i % 2 == 0 { 100.0 } else { 100.3 };
        ring.push([r * turn[0], r * turn[1]]);
        turn = [c * turn[0] - s * turn[1], s * turn[0] + c * turn[1]];
    }
    let started = std::time::Instant::now();
    let region = polygons(&[(vec![ring], FillRule::EvenOdd)]);
    let built = started.elapsed();
    let started = std::time::Instant::now();
    let (mut held, mut asked) = (0, 0);
    for i in 0..1000 {
        for j in 0..1000 {
            let p = [f64::from(i), f64::from(j)].map(|x| 0.22 * (x - 500.0) + 0.01);
            asked += 1;
            held += usize::from(region.holds(p));
        }
    }
    let took = started.elapsed();
    let share = f64::from(held as u32) / f64::from(asked);
    println!("built in {built:?}; {asked} places in {took:?}, {share} inside");
    let expected = std::f64::consts::PI * 100.15 * 100.15 / (220.0 * 220.0);
    assert!((share - expected).abs() < 1e-3, "{share}, not {expected}");
    // Some 100 ns per position; without an index, 100 us.
    assert!(took.as_secs_f64() < 10.0, "{took:?}");
}

#[test]
fn what_is_hostile_is_refused_or_answered() {
    let ring = |value: f64| vec![vec![[0.0, 0.0], [1.0, 0.0], [value, 1.0]]];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
        let refused = Polygon::new(ring(bad), FillRule::EvenOdd);
        assert!(
            matches!(refused, Err(PolygonError::OutOfScale { corner: 2, .. })),
            "{bad}"
        );
    }
    assert_eq!(
        Polygon::new(vec![], FillRule::EvenOdd),
        Err(PolygonError::NoRing)
    );
    let line = vec![vec![[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]]];
    let refused = Polygon::new(line, FillRule::EvenOdd);
    assert_eq!(
        refused,
        Err(PolygonError::TooFewCorners { ring: 0, found: 2 })
    );
    let flat = Polygon::new(
        vec![vec![[0.0, 5.0], [1.0, 5.0], [2.0, 5.0]]],
        FillRule::NonZero,
    );
    let refused = Polygons::new(vec![flat.expect("three corners")]);
    assert!(matches!(refused, Err(PolygonError::NoArea)));
    assert!(matches!(
        Polygons::new(vec![]),
        Err(PolygonError::NoPolygon)
    ));

    // The largest and the smallest possible polygon.
    let vast = polygons(&[(
        vec![vec![[-1e100, -1e100], [1e100, -1e100], [0.0, 1e100]]],
        FillRule::NonZero,
    )]);
    assert!(vast.holds([0.0, 0.0]) && !vast.holds([9e99, 9e99]) && !vast.holds([1e300, 0.0]));
    assert!(!vast.holds([f64::NAN, 0.0]));
    let tiny = 5e-324;
    let speck = polygons(&[(
        vec![vec![[0.0, 0.0], [tiny, 0.0], [0.0, tiny]]],
        FillRule::NonZero,
    )]);
    let _ = speck.holds([0.0, 0.0]);
    let _ = speck.share_in(&Bounds::from_size([1.0, 1.0]).expect("a box"));

    // A hundred thousand edges that meet in one position cannot be separated.
    let rays = (0..50_000).flat_map(|i| {
        let t = f64::from(i) / 25_000.0 - 1.0;
        [[0.0, 0.0], [100.0, 100.0 * t]]
    });
    let star = polygons(&[(vec![rays.collect()], FillRule::NonZero)]);
    assert!(!star.holds([-1.0, 0.0]));
    let _ = star.holds([1e-3, 1e-9]);
}
