//! Compares the gradient limit and the dilation by the local distance with computations over all
//! pairs of pixels.

use proptest::prelude::*;
use spinney_density::shape::{DistMap, Side, dilate_local, limit};
use spinney_density::{DistRange, GreyMap, White};

/// Random greys, smooth or not, with holes.
fn map(width: u32, height: u32, salt: u32, kind: u32) -> GreyMap {
    let hash = |x: u32, y: u32| {
        let place = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ salt;
        (place ^ (place >> 15)).wrapping_mul(0x2c1b_3c6d) >> 12
    };
    GreyMap::from_fn(width, height, |x, y| match kind % 3 {
        0 if hash(x, y) % 5 == 0 => f64::NAN,
        0 | 1 => f64::from(hash(x, y) % 1000) / 999.0,
        _ => f64::from(hash(x / 7, y / 9) % 2),
    })
    .expect("a good map")
}

fn distances(map: &GreyMap, lo: f64, wider: f64, pixel: [f64; 2]) -> DistMap {
    let range = DistRange::new(lo, lo + wider).expect("a good range");
    DistMap::new(map, range, White::Sparse, pixel).expect("a good pixel")
}

/// Returns the position and the distance of every pixel that allows points.
fn pixels(map: &DistMap) -> Vec<([f64; 2], f64)> {
    let width = map.width() as usize;
    let [dx, dy] = map.pixel();
    let place = |i: usize| [(i % width) as f64 * dx, (i / width) as f64 * dy];
    let all = map.distances().iter().enumerate();
    all.filter(|(_, r)| !r.is_nan())
        .map(|(i, &r)| (place(i), r))
        .collect()
}

fn apart(p: [f64; 2], q: [f64; 2]) -> f64 {
    ((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])).sqrt()
}

/// Computes the envelopes by their definitions, over all pairs.
fn envelope(all: &[([f64; 2], f64)], slope: f64, keep: Side) -> Vec<f64> {
    let at = |&(p, _): &([f64; 2], f64)| match keep {
        Side::Dense => all
            .iter()
            .map(|&(q, r)| (r * r + slope * slope * apart(p, q) * apart(p, q)).sqrt())
            .fold(f64::INFINITY, f64::min),
        Side::Sparse => all
            .iter()
            .map(|&(q, r)| r - slope * apart(p, q))
            .fold(0.0, f64::max),
    };
    all.iter().map(at).collect()
}

/// Returns the least and the greatest distance that the definition allows for each pixel.
fn allowed(map: &DistMap, slope: f64, keep: Side) -> Vec<[f64; 2]> {
    let all = pixels(map);
    let [short, long] = {
        let [dx, dy] = map.pixel();
        [f64::min(dx, dy), f64::max(dx, dy)]
    };
    let exact = envelope(&all, slope, keep);
    let most = match keep {
        Side::Dense => exact.clone(),
        Side::Sparse if long <= 9.0 * short => envelope(&all, 0.99 * slope, keep),
        Side::Sparse => vec![map.extremes().map_or(0.0, |range| range.hi()); all.len()],
    };
    exact.into_iter().zip(most).map(|(a, b)| [a, b]).collect()
}

/// Asserts that the map is limited, and again after a second limit: then all pixels lie on the
/// cones of others.
fn assert_limited(map: &DistMap, slope: f64, keep: Side) -> Result<(), TestCaseError> {
    let limited = assert_limited_once(map, slope, keep)?;
    if keep == Side::Sparse {
        let again = assert_limited_once(&limited, slope, keep)?;
        for (h, again) in limited.distances().iter().zip(again.distances()) {
            let same = (h - again).abs() <= 1e-12 * h || h.is_nan() && again.is_nan();
            prop_assert!(same, "{} became {}", h, again);
        }
    }
    Ok(())
}

fn assert_limited_once(map: &DistMap, slope: f64, keep: Side) -> Result<DistMap, TestCaseError> {
    let limited = limit(map, slope, keep).expect("a good slope");
    let (before, after) = (pixels(map), pixels(&limited));
    prop_assert_eq!(before.len(), after.len(), "the mask has changed");
    let unit = before.iter().map(|&(_, r)| r).fold(0.0, f64::max);
    let rounding = 1e-12 * unit;
    for (&(_, h), [least, most]) in after.iter().zip(allowed(map, slope, keep)) {
        let good = least - rounding <= h && h <= most + rounding;
        prop_assert!(good, "{} is not from {} to {}", h, least, most);
    }
    for (&(_, h), &(_, r)) in after.iter().zip(&before) {
        let kept = match keep {
            Side::Dense => h <= r,
            Side::Sparse => h >= r,
        };
        prop_assert!(kept, "{} became {}", r, h);
    }
    for (i, &(p, a)) in after.iter().enumerate() {
        for &(q, b) in &after[i + 1..] {
            let most = slope * apart(p, q) * (1.0 + 1e-6);
            prop_assert!((a - b).abs() <= most + 1e-12 * unit, "{} and {}", a, b);
        }
    }
    Ok(limited)
}

#[test]
fn is_the_envelope_of_64_by_64_pixels() {
    for kind in 0..3 {
        let map = distances(&map(64, 64, 11, kind), 1.0, 40.0, [1.0, 1.5]);
        for keep in [Side::Dense, Side::Sparse] {
            for slope in [0.05, 0.25, 1.0] {
                assert_limited(&map, slope, keep).expect("limited");
            }
        }
    }
}

/// Smooth greys with slopes around the limit, with edges and holes. Pixels far and near affect
/// others, few or all of them, and blocks are cut off at the map's edge.
#[test]
fn holds_over_many_blocks_of_slopes_near_the_limit() {
    let slope = 0.25;
    for (salt, size) in [[75, 41], [33, 67], [1, 200], [200, 1], [2, 90], [90, 3]]
        .into_iter()
        .enumerate()
    {
        for pixel in [[1.0, 1.0], [0.7, 1.9], [1.0, 40.0]] {
            for steep in [0.5, 0.95, 0.99, 1.0, 1.01, 2.0] {
                let grey = GreyMap::from_fn(size[0], size[1], |x, y| {
                    let place = [f64::from(x) * pixel[0], f64::from(y) * pixel[1]];
                    let away = apart(place, [20.3 * pixel[0], 11.7 * pixel[1]]);
                    match (salt as u32 + x / 11 * 7 + y / 13 * 5) % 6 {
                        0 if (x + y) % 3 > 0 => f64::NAN,
                        1 => 0.0,
                        _ => (1.0 - steep * slope * away / 40.0).max(0.0),
                    }
                })
                .expect("a good map");
                let map = distances(&grey, 1.0, 40.0, pixel);
                for keep in [Side::Dense, Side::Sparse] {
                    assert_limited(&map, slope, keep).expect("limited");
                }
            }
        }
    }
}

/// The tip of a cone, and ramps exactly as steep as the limit, in every direction.
#[test]
fn holds_around_single_pixels_and_on_ramps_of_the_limit_itself() {
    let slope = 0.25;
    for pixel in [[1.0, 1.0], [1.0, 1.3], [3.0, 1.0], [1.0, 9.0], [1.0, 40.0]] {
        let tip = GreyMap::from_fn(47, 39, |x, y| match (x, y) {
            (23, 19) => 1.0,
            _ if (x * y) % 7 == 1 => f64::NAN,
            _ => 0.0,
        });
        let tip = distances(&tip.expect("a good map"), 1.0, 40.0, pixel);
        assert_limited(&tip, slope, Side::Sparse).expect("limited");
        for turn in 0..12 {
            let angle = std::f64::consts::TAU * f64::from(turn) / 12.0;
            let ahead = [angle.cos(), angle.sin()];
            let ramp = GreyMap::from_fn(40, 30, |x, y| {
                let place = [f64::from(x) * pixel[0], f64::from(y) * pixel[1]];
                let along = place[0] * ahead[0] + place[1] * ahead[1];
                (0.5 + slope * along / 40.0).clamp(0.0, 1.0)
            });
            let ramp = distances(&ramp.expect("a good map"), 1.0, 40.0, pixel);
            assert_limited(&ramp, slope, Side::Sparse).expect("limited");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_slope_is_steeper_than_the_limit(
        size in prop::array::uniform2(1u32..35),
        salt in any::<u32>(),
        kind in any::<u32>(),
        lo in prop_oneof![Just(1e-6), 0.1..10.0],
        wider in prop_oneof![Just(0.0), 0.0..100.0, Just(1e9)],
        pixel in prop::array::uniform2(prop_oneof![Just(1.0), 1e-3..1e3]),
        slope in prop_oneof![0.01..2.0, Just(1e-6), Just(1e6)],
        sparse in any::<bool>(),
    ) {
        let map = distances(&map(size[0], size[1], salt, kind), lo, wider, pixel);
        assert_limited(&map, slope, if sparse { Side::Sparse } else { Side::Dense })?;
    }

    #[test]
    fn a_dilation_reaches_as_far_as_the_local_distance(
        size in prop::array::uniform2(1u32..22),
        salt in any::<u32>(),
        kind in any::<u32>(),
        lo in 0.1..10.0,
        wider in 0.0..100.0,
        pixel in prop::array::uniform2(0.1..10.0),
        reach in 0.0..3.0,
        sparse in any::<bool>(),
    ) {
        let map = distances(&map(size[0], size[1], salt, kind), lo, wider, pixel);
        let grows = if sparse { Side::Sparse } else { Side::Dense };
        let grown = dilate_local(&map, reach, grows).expect("a good reach");
        let (before, after) = (pixels(&map), pixels(&grown));
        prop_assert_eq!(before.len(), after.len(), "the mask has changed");
        for (&(p, r), &(_, found)) in before.iter().zip(&after) {
            let near = |far: f64| {
                let within = before.iter().filter(move |(q, _)| apart(p, *q) <= far);
                let all = within.map(|&(_, r)| r);
                if sparse { all.fold(0.0, f64::max) } else { all.fold(f64::INFINITY, f64::min) }
            };
            // A pixel whose centre lies exactly on the edge may be in or out.
            let (just, ample) = (near(reach * r * (1.0 - 1e-12)), near(reach * r * (1.0 + 1e-12)));
            let extra = [just, ample, r];
            prop_assert!(extra.contains(&found), "{} at {:?}", found, p);
        }
    }
}

#[test]
fn refuses_what_is_no_slope() {
    let map = distances(&map(3, 3, 0, 1), 1.0, 1.0, [1.0; 2]);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9, 1e9] {
        assert!(limit(&map, bad, Side::Dense).is_err(), "{bad}");
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(dilate_local(&map, bad, Side::Dense).is_err(), "{bad}");
    }
}

#[test]
fn a_map_without_points_stays_so() {
    let none = GreyMap::from_fn(4, 4, |_, _| f64::NAN).expect("a good map");
    let map = distances(&none, 1.0, 9.0, [1.0; 2]);
    for side in [Side::Dense, Side::Sparse] {
        let limited = limit(&map, 0.25, side).expect("a good slope");
        assert!(limited.distances().iter().all(|r| r.is_nan()));
        let grown = dilate_local(&map, 1.0, side).expect("a good reach");
        assert!(grown.distances().iter().all(|r| r.is_nan()));
    }
}
