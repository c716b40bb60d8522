//! Compares the field of a map with a plain computation.

use proptest::prelude::*;
use spinney_density::{
    Bounds, Coverage, DistRange, GreyMap, MapError, MapOptions, RadiusField, RadiusMap, White,
    YAxis,
};

fn range() -> DistRange {
    DistRange::new(2.0, 18.0).expect("a good range")
}

fn field(map: &GreyMap, options: MapOptions) -> RadiusMap {
    RadiusMap::new(map.clone(), range(), options).expect("a good field")
}

fn covering(min: [f64; 2], size: [f64; 2]) -> Bounds<2> {
    Bounds::with_origin(min, size).expect("a good rectangle")
}

/// An "F", which differs from all its rotations and reflections.
const F: [&str; 5] = ["####", "#...", "###.", "#...", "#..."];

fn letter() -> GreyMap {
    GreyMap::from_fn(4, 5, |x, y| match F[y as usize].as_bytes()[x as usize] {
        b'#' => 0.0,
        _ => 1.0,
    })
    .expect("a good map")
}

#[test]
fn a_gradient_keeps_every_level_of_16_bits() {
    let levels = (0..=u16::MAX).collect();
    let map = GreyMap::new(256, 256, levels, None).expect("a good map");
    for white in [White::Sparse, White::Dense] {
        let field = field(
            &map,
            MapOptions {
                white,
                ..MapOptions::default()
            },
        );
        let mut last = None;
        for y in 0..256 {
            for x in 0..256 {
                let center = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                let level = f64::from(y * 256 + x);
                assert_eq!(field.value(center), level / 65535.0);
                let r = field.min_dist(center).expect("no mask");
                let is_further = last.is_none_or(|last| match white {
                    White::Sparse => r > last,
                    White::Dense => r < last,
                });
                assert!(is_further, "level {level} is lost");
                last = Some(r);
            }
        }
    }
}

#[test]
fn white_is_what_was_asked() {
    let map = GreyMap::new(3, 1, vec![0, 51 * 257, 65535], None).expect("a good map");
    let at = |white, x| {
        let field = field(
            &map,
            MapOptions {
                white,
                ..MapOptions::default()
            },
        );
        (field.min_dist([x, 0.5]), field.value([x, 0.5]))
    };
    assert_eq!(at(White::Sparse, 0.5), (Some(2.0), 0.0));
    assert_eq!(at(White::Sparse, 1.5), (Some(2.0 + 0.2 * 16.0), 0.2));
    assert_eq!(at(White::Sparse, 2.5), (Some(18.0), 1.0));
    assert_eq!(
        at(White::Dense, 0.5),
        (Some(18.0), 0.0),
        "the value stays as painted"
    );
    assert_eq!(at(White::Dense, 1.5), (Some(2.0 + 0.8 * 16.0), 0.2));
    assert_eq!(at(White::Dense, 2.5), (Some(2.0), 1.0));
    assert_eq!(MapOptions::default().white, White::Sparse);
}

#[test]
fn what_is_under_transparency_does_not_bleed() {
    // A black disk on a transparent sheet that was painted white.
    let map = GreyMap::from_fn(20, 20, |x, y| {
        let (dx, dy) = (f64::from(x) - 9.5, f64::from(y) - 9.5);
        if dx * dx + dy * dy < 49.0 {
            0.0
        } else {
            f64::NAN
        }
    });
    let map = map.expect("a good map");
    let mut greys = map.greys().to_vec();
    let mask = map.mask().expect("a mask").to_vec();
    for (grey, &allowed) in greys.iter_mut().zip(&mask) {
        *grey = if allowed { 0 } else { 65535 };
    }
    let map = GreyMap::new(20, 20, greys, Some(mask)).expect("a good map");
    let field = field(&map, MapOptions::default());
    assert_eq!(field.mask_detail(1e-9), Some(1.0));
    let (mut inside, mut outside) = (0, 0);
    for i in 0..200 {
        for j in 0..200 {
            let p = [f64::from(i) * 0.1 + 0.05, f64::from(j) * 0.1 + 0.05];
            let is_inside = map.allowed(p[0] as u32, p[1] as u32);
            assert_eq!(field.min_dist(p), is_inside.then_some(2.0), "at {p:?}");
            inside += usize::from(is_inside);
            outside += usize::from(!is_inside);
        }
    }
    assert!(inside > 10_000 && outside > 10_000);
}

#[test]
fn the_edge_goes_on_for_ever() {
    let map = letter();
    let field = field(&map, MapOptions::default());
    let far = [1e308, -1e308, 1e16, -1e-300, f64::MAX, f64::MIN_POSITIVE];
    for x in far {
        for y in far {
            let column = if x > 1.0 { 3 } else { 0 };
            let row = if y > 1.0 { 4 } else { 0 };
            assert_eq!(field.value([x, y]), map.value(column, row), "({x}, {y})");
        }
    }
}

#[test]
fn pixels_that_cannot_be_computed_with_are_refused() {
    let with = |map: GreyMap, size| {
        let bounds = Some(covering([0.0; 2], size));
        RadiusMap::new(
            map,
            range(),
            MapOptions {
                bounds,
                ..MapOptions::default()
            },
        )
    };
    let tiny = with(letter(), [1e-310, 1.0]);
    assert!(matches!(
        tiny,
        Err(MapError::PixelSize {
            axis: 0,
            pixels: 4,
            ..
        })
    ));
    let dot = GreyMap::from_fn(1, 1, |_, _| 0.5).expect("a good map");
    let huge = with(dot, [1.0, 1e308]);
    assert!(matches!(
        huge,
        Err(MapError::PixelSize {
            axis: 1,
            pixels: 1,
            ..
        })
    ));
    let field = with(letter(), [8.0, 1.0]).expect("a good field");
    assert_eq!(field.bounds().size(), [8.0, 1.0]);
    assert_eq!(field.mask_detail(1e-9), None);
}

/// Computes the bilinear interpolation over the allowed pixels directly from the definition.
fn plain_value(map: &GreyMap, u: f64, v: f64) -> Option<f64> {
    let (w, h) = (f64::from(map.width()), f64::from(map.height()));
    let near = |t: f64, n: f64| t.clamp(0.0, n - 1.0) as u32;
    if !map.allowed(near(u.floor(), w), near(v.floor(), h)) {
        return None;
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for y in [(v - 0.5).floor(), (v - 0.5).floor() + 1.0] {
        for x in [(u - 0.5).floor(), (u - 0.5).floor() + 1.0] {
            let weight = (1.0 - (u - 0.5 - x).abs()) * (1.0 - (v - 0.5 - y).abs());
            let (x, y) = (near(x, w), near(y, h));
            if map.allowed(x, y) {
                sum += weight * map.value(x, y);
                weights += weight;
            }
        }
    }
    Some(sum / weights)
}

#[derive(Clone, Debug)]
struct Case {
    map: GreyMap,
    options: MapOptions,
}

/// Maps of a size, with and without a mask, in which the share `open` of the pixels is open.
pub(crate) fn pixels((width, height): (u32, u32), open: f64) -> impl Strategy<Value = GreyMap> {
    let count = (width * height) as usize;
    let grey = prop_oneof![any::<u16>(), Just(0), Just(u16::MAX)];
    let greys = prop::collection::vec(grey, count);
    let mask = prop::option::of(prop::collection::vec(prop::bool::weighted(open), count));
    (greys, mask).prop_map(move |(greys, mask)| {
        GreyMap::new(width, height, greys, mask).expect("a good map")
    })
}

/// Maps down to 1x1 and 1xN, with and without masks, anywhere in the world, either way up.
fn any_case() -> impl Strategy<Value = Case> {
    let size = prop_oneof![
        (1u32..40, 1u32..40),
        (Just(1u32), 1u32..60),
        (1u32..60, Just(1u32)),
        (1u32..4, 1u32..4),
    ];
    let bounds = prop::option::of((
        prop::array::uniform2(-1e3..1e3),
        prop::array::uniform2(1e-3..1e3),
    ));
    (
        size.prop_flat_map(|size| pixels(size, 0.7)),
        bounds,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(map, bounds, is_dense, is_up)| Case {
            map,
            options: MapOptions {
                white: if is_dense {
                    White::Dense
                } else {
                    White::Sparse
                },
                bounds: bounds.map(|(min, size)| covering(min, size)),
                y_axis: if is_up { YAxis::Up } else { YAxis::Down },
            },
        })
}

/// Includes boxes across the lines through pixel centres, where the slope changes, and masks: a
/// sampler that halves boxes along such a line would otherwise not terminate.
#[test]
fn a_small_box_has_narrow_bounds() {
    let (greys, along) = (
        [0, 40_000, 9_000, 65_535, 20_000, 1_000, 30_000, 3, 50_000],
        3,
    );
    for closed in [None, Some(4), Some(8)] {
        let mask = closed.map(|at| (0..greys.len()).map(|i| i != at).collect());
        let map = GreyMap::new(along, along, greys.to_vec(), mask).expect("a good map");
        let field = field(&map, MapOptions::default());
        let reach = field.range().hi() - field.range().lo();
        let side = 1e-3;
        for i in 0..150 {
            for j in 0..150 {
                let min = [i, j].map(|k| f64::from(k) * 0.02 - side / 3.0);
                let Some(local) = field.range_in(&covering(min, [side; 2])) else {
                    continue;
                };
                // From the slope: at most 1 per pixel along each axis, and 8 at a mask's rim.
                let steepest = if closed.is_some() { 16.0 } else { 2.0 };
                let width = local.range.hi() - local.range.lo();
                assert!(width <= steepest * side * reach * 1.01, "{min:?}: {width}");
            }
        }
    }
}

/// Above the centres of the first row, the second row has no weight, so rounding must not be bound
/// by its greys.
#[test]
fn a_row_without_weight_bounds_no_grey() {
    let (mut greys, mut open) = ([0; 9], vec![false; 9]);
    greys[2] = 2842;
    (open[2], open[5]) = (true, true);
    let map = GreyMap::new(3, 3, greys.to_vec(), Some(open)).expect("a good map");
    let field = field(&map, MapOptions::default());
    let p = [0.775_008_324_224_787_5, 0.141_506_763_744_336_94_f64];
    for x in 0..1000 {
        let p = [3.0 * p[0] + 1e-4 * f64::from(x), 3.0 * p[1]];
        assert_eq!(field.grey_at(p), Some(2842.0 / 65_535.0), "{p:?}");
    }
}

proptest! {
    #[test]
    fn a_box_is_bounded_to_the_last_bit(
        case in any_case(),
        // In pixels: integers put the box's ends on the borders of pixels.
        corner in prop::array::uniform2(prop_oneof![-3.0..45.0, (-3..45i32).prop_map(f64::from)]),
        size in prop::array::uniform2(prop_oneof![1e-9..1.0, 0.1..50.0, (1..20i32).prop_map(f64::from)]),
        inside in prop::collection::vec(prop::array::uniform2(0.0..1.0), 40),
    ) {
        let field = field(&case.map, case.options);
        let world = field.bounds();
        let pixel = [
            world.size()[0] / f64::from(case.map.width()),
            world.size()[1] / f64::from(case.map.height()),
        ];
        let min = [0, 1].map(|a: usize| world.min()[a] + corner[a] * pixel[a]);
        let max = [0, 1].map(|a: usize| world.min()[a] + (corner[a] + size[a]) * pixel[a]);
        let Ok(b) = Bounds::new(min, max) else { return Ok(()) };
        let local = field.range_in(&b);

        let last = b.max().map(f64::next_down);
        let ends = [b.min(), last, [b.min()[0], last[1]], [last[0], b.min()[1]]];
        let places = inside.iter().map(|t| {
            [0, 1].map(|a: usize| f64::clamp(min[a] + t[a] * b.size()[a], min[a], last[a]))
        });
        for p in places.chain(ends) {
            let r = field.min_dist(p);
            match local {
                None => prop_assert_eq!(r, None),
                Some(local) => {
                    prop_assert!(local.coverage == Coverage::Part || r.is_some());
                    if let Some(r) = r {
                        prop_assert!(local.range.lo() <= r && r <= local.range.hi());
                    }
                }
            }
        }
    }

    #[test]
    fn the_value_is_bilinear(case in any_case(), place in prop::array::uniform2(-3.0..45.0)) {
        let field = field(&case.map, case.options);
        let world = field.bounds();
        let (w, h) = (f64::from(case.map.width()), f64::from(case.map.height()));
        let p = [
            world.min()[0] + place[0] * world.size()[0] / w,
            world.min()[1] + place[1] * world.size()[1] / h,
        ];
        let down = match case.options.y_axis {
            YAxis::Down => place[1],
            YAxis::Up => h - place[1],
        };
        // On a border, rounding may decide between two pixels.
        let is_clear = |t: f64| (t - t.round()).abs() > 1e-6;
        prop_assume!(is_clear(place[0]) && is_clear(down));
        let expected = plain_value(&case.map, place[0], down);
        match (field.grey_at(p), expected) {
            (None, None) => {}
            (Some(found), Some(value)) => {
                prop_assert!((found - value).abs() < 1e-6, "{} is not {}", found, value);
                let sparseness = match case.options.white {
                    White::Sparse => found,
                    White::Dense => 1.0 - found,
                };
                prop_assert_eq!(field.min_dist(p), Some(range().at(sparseness)));
            }
            (found, expected) => prop_assert!(false, "{found:?} is not {expected:?}"),
        }
    }

    #[test]
    fn no_grey_leaves_its_four_pixels(case in any_case(), place in prop::array::uniform2(0.0..1.0_f64)) {
        let field = field(&case.map, case.options);
        let (world, map) = (field.bounds(), &case.map);
        let p = [0, 1].map(|a: usize| world.min()[a] + place[a] * world.size()[a]);
        let down = match case.options.y_axis {
            YAxis::Down => place[1],
            YAxis::Up => 1.0 - place[1],
        };
        // In pixels, from the centre of the first.
        let at = [place[0] * f64::from(map.width()), down * f64::from(map.height())];
        let at: [f64; 2] = at.map(|t| t - 0.5);
        // On a line through centres, rounding may decide which four pixels count.
        prop_assume!(at.iter().all(|t| (t - t.round()).abs() > 1e-6));
        let Some(value) = field.grey_at(p) else { return Ok(()) };
        let near = |t: f64, n: u32| {
            [t.floor(), t.floor() + 1.0].map(|t| t.clamp(0.0, f64::from(n - 1)) as u32)
        };
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for y in near(at[1], map.height()) {
            for x in near(at[0], map.width()) {
                if map.allowed(x, y) {
                    (lo, hi) = (lo.min(map.value(x, y)), hi.max(map.value(x, y)));
                }
            }
        }
        prop_assert!(lo <= value && value <= hi, "{} is not in {}..={}", value, lo, hi);
    }
}
