//! The noise field.

use proptest::prelude::*;
use spinney_density::{Bounds, DistRange, FieldError, Perlin, PerlinOptions, RadiusField, White};

fn range() -> DistRange {
    DistRange::new(1.0, 11.0).expect("a good range")
}

fn field(options: PerlinOptions) -> Perlin {
    Perlin::new(range(), options).expect("a good field")
}

#[test]
fn options_are_validated() {
    let ok = PerlinOptions::default();
    let nan = f64::NAN;
    let bad = [
        PerlinOptions {
            frequency: 0.0,
            ..ok
        },
        PerlinOptions {
            frequency: nan,
            ..ok
        },
        PerlinOptions {
            frequency: 1e308,
            octaves: 3,
            ..ok
        },
        PerlinOptions { octaves: 0, ..ok },
        PerlinOptions { octaves: 17, ..ok },
        PerlinOptions {
            lacunarity: 0.5,
            ..ok
        },
        PerlinOptions {
            lacunarity: nan,
            ..ok
        },
        PerlinOptions {
            lacunarity: f64::INFINITY,
            ..ok
        },
        PerlinOptions {
            persistence: 0.0,
            ..ok
        },
        PerlinOptions {
            persistence: 1.5,
            ..ok
        },
        PerlinOptions {
            persistence: nan,
            ..ok
        },
    ];
    for options in bad {
        assert!(Perlin::new(range(), options).is_err(), "{options:?}");
    }
    assert_eq!(
        Perlin::new(range(), PerlinOptions { octaves: 40, ..ok }).map(|_| ()),
        Err(FieldError::OutOfRange {
            name: "octaves",
            value: 40.0,
            least: 1.0,
            most: 16.0
        })
    );
}

/// The 1 %, 50 % and 99 % quantiles of the value at places far apart.
fn quantiles<const D: usize>(octaves: u32) -> [f64; 3]
where
    Perlin: RadiusField<D>,
{
    let mut values = Vec::new();
    for seed in 0..20 {
        let field = field(PerlinOptions {
            seed,
            octaves,
            frequency: 0.37,
            ..PerlinOptions::default()
        });
        for i in 0..2000 {
            let step = [26.0, 38.0, 14.0];
            values.push(field.value(std::array::from_fn(|a| f64::from(i) * step[a])));
        }
    }
    values.sort_by(f64::total_cmp);
    [0.01, 0.5, 0.99].map(|share| values[(share * values.len() as f64) as usize])
}

#[test]
fn the_values_fill_the_range() {
    for octaves in [1, 2, 3, 6] {
        for [low, middle, high] in [quantiles::<2>(octaves), quantiles::<3>(octaves)] {
            let text = format!("{octaves} octaves: {low} {middle} {high}");
            assert!((0.02..0.1).contains(&low), "{text}");
            assert!((0.45..0.55).contains(&middle), "{text}");
            assert!((0.9..0.98).contains(&high), "{text}");
        }
    }
}

#[test]
fn whole_coordinates_are_like_any_other() {
    // Plain Perlin noise of frequency 1 is 0 at each of these.
    let field = field(PerlinOptions {
        frequency: 1.0,
        ..PerlinOptions::default()
    });
    let values: Vec<f64> = (0..1000)
        .map(|i| field.value([f64::from(i), f64::from(i * i)]))
        .collect();
    let mean = values.iter().sum::<f64>() / 1000.0;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / 1000.0;
    assert!(variance > 0.005, "variance {variance}");
}

#[test]
fn seeds_and_polarity_matter() {
    let one = field(PerlinOptions::default());
    let other = field(PerlinOptions {
        seed: 1 << 40,
        ..PerlinOptions::default()
    });
    let dense = field(PerlinOptions {
        white: White::Dense,
        ..PerlinOptions::default()
    });
    let mut equal = 0;
    for i in 0..100 {
        let p = [f64::from(i) * 13.7, f64::from(i) * 7.1];
        equal += usize::from(one.min_dist(p) == other.min_dist(p));
        assert_eq!(one.value(p), dense.value(p), "the value stays as painted");
        let both = one.min_dist(p).zip(dense.min_dist(p)).expect("no mask");
        assert!((both.0 + both.1 - 12.0).abs() < 1e-9);
    }
    assert!(
        equal < 5,
        "{equal} of 100 places are the same under another seed"
    );
}

#[test]
fn no_finite_place_panics() {
    let far = [
        0.0,
        -0.0,
        1.0,
        -256.0,
        1e15,
        -1e19,
        1e19,
        9.3e18,
        1e300,
        -1e308,
        f64::MAX,
        5e-324,
    ];
    for frequency in [1e-300, 1.0 / 128.0, 1.0, 1e300] {
        let field = field(PerlinOptions {
            frequency,
            lacunarity: 1.5,
            ..PerlinOptions::default()
        });
        for x in far {
            for y in far {
                let plane = field.min_dist([x, y]).expect("no mask");
                let space = field.min_dist([x, y, x]).expect("no mask");
                for r in [plane, space] {
                    assert!(range().lo() <= r && r <= range().hi(), "({x}, {y}): {r}");
                }
            }
        }
    }
}

/// A golden value: the noise is the same on every machine and in every version.
#[test]
fn values_stay_what_they_are() {
    let field = field(PerlinOptions {
        seed: 7,
        frequency: 0.05,
        ..PerlinOptions::default()
    });
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for i in 0..1000 {
        let p = [f64::from(i) * 1.25 - 500.0, f64::from(i * i % 997) * 0.75];
        let plane = field.min_dist(p).expect("no mask");
        let space = field.min_dist([p[0], p[1], 0.5]).expect("no mask");
        for r in [plane, space] {
            hash = (hash ^ r.to_bits()).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(hash, 0x1fdc_39fc_1a30_39e2, "{hash:#018x}");
}

fn any_options() -> impl Strategy<Value = PerlinOptions> {
    (
        any::<u64>(),
        -7i32..7,
        1u32..6,
        1.0..4.0,
        0.1..=1.0,
        any::<bool>(),
    )
        .prop_map(
            |(seed, power, octaves, lacunarity, persistence, is_dense)| PerlinOptions {
                seed,
                frequency: 1.3 * 2f64.powi(power),
                octaves,
                lacunarity,
                persistence,
                white: if is_dense {
                    White::Dense
                } else {
                    White::Sparse
                },
            },
        )
}

fn check_box<const D: usize>(
    field: &Perlin,
    min: [f64; D],
    size: [f64; D],
    inside: &[[f64; 3]],
) -> Result<(), TestCaseError>
where
    Perlin: RadiusField<D>,
{
    let Ok(b) = Bounds::with_origin(min, size) else {
        return Ok(());
    };
    let local = field.range_in(&b).expect("no mask").range;
    let last = b.max().map(f64::next_down);
    let places = inside
        .iter()
        .map(|t| std::array::from_fn(|a| (min[a] + t[a] * size[a]).clamp(min[a], last[a])));
    for p in places.chain([b.min(), last]) {
        let r = field.min_dist(p).expect("no mask");
        prop_assert!(
            local.lo() <= r && r <= local.hi(),
            "{:?} lacks {} at {:?}",
            local,
            r,
            p
        );
    }
    Ok(())
}

/// How many times wider bounds are than what is there, in squares or cubes so many cycles of the first
/// octave long, on the whole.
fn looseness<const D: usize>(cycles: f64) -> f64
where
    Perlin: RadiusField<D>,
{
    let field = field(PerlinOptions {
        frequency: 1.0,
        ..PerlinOptions::default()
    });
    let steps: usize = if D == 2 { 24 } else { 10 };
    let (mut bounded, mut there) = (0.0, 0.0);
    for i in 0..100 {
        let min = [1.37, 0.71, 2.13].map(|step| step * f64::from(i));
        let min: [f64; D] = std::array::from_fn(|a| min[a]);
        let b = Bounds::with_origin(min, [cycles; D]).expect("a good box");
        let local = field.range_in(&b).expect("no mask").range;
        let dists = (0..steps.pow(D as u32)).map(|n| {
            let step = |a: usize| (n / steps.pow(a as u32) % steps) as f64 / (steps - 1) as f64;
            let place = std::array::from_fn(|a| min[a] + step(a) * cycles);
            field.min_dist(place).expect("no mask")
        });
        let (lo, hi) = dists.fold((f64::INFINITY, 0.0_f64), |(lo, hi), r| {
            (lo.min(r), hi.max(r))
        });
        bounded += local.hi() - local.lo();
        there += hi - lo;
    }
    bounded / there
}

/// How steep noise can be says little of how steep it is: bounds by that alone were 3 to 7 times as wide
/// as what is there, and tiles as much too small.
#[test]
fn bounds_are_close() {
    let most = [(0.03, 1.3, 1.5), (0.1, 1.4, 1.6), (0.3, 2.2, 2.3)];
    let found = most.map(|(cycles, ..)| [looseness::<2>(cycles), looseness::<3>(cycles)]);
    println!("{found:?}");
    for ((cycles, plane, space), found) in most.into_iter().zip(found) {
        let close = found[0] < plane && found[1] < space;
        assert!(close, "{cycles} cycles: {found:?}");
    }
}

/// Squares of such sides vanish, and those of such frequencies overflow.
#[test]
fn bounds_hold_at_absurd_scales() {
    for frequency in [1e-200, 1.0, 1e149, 1e160, 1.7e308] {
        let field = field(PerlinOptions {
            frequency,
            octaves: 1,
            ..PerlinOptions::default()
        });
        for cycles in [1e-120, 1e-3, 0.1, 0.3, 10.0] {
            let inside: Vec<[f64; 3]> = (0..50)
                .map(|i: u32| [7, 11, 13].map(|step| f64::from(i * step % 50) / 50.0))
                .collect();
            let side = cycles / frequency;
            check_box(&field, [0.0; 2], [side; 2], &inside).expect("bounds in the plane");
            check_box(&field, [0.0; 3], [side; 3], &inside).expect("bounds in space");
        }
    }
}

proptest! {
    #[test]
    fn a_box_is_bounded(
        options in any_options(),
        min in prop::array::uniform3(prop_oneof![-100.0..100.0, -1e15..1e15]),
        size in prop::array::uniform3(prop_oneof![1e-12..1e-3, 1e-3..1.0, 1.0..100.0]),
        inside in prop::collection::vec(prop::array::uniform3(0.0..1.0), 30),
    ) {
        let field = field(options);
        check_box(&field, [min[0], min[1]], [size[0], size[1]], &inside)?;
        check_box(&field, min, size, &inside)?;
    }

    #[test]
    fn the_lipschitz_bound_holds(
        options in any_options(),
        p in prop::array::uniform3(-100.0..100.0),
        step in prop::array::uniform3(-1.0..1.0),
        length in prop_oneof![1e-4..1.0, 1e-6..1e-4],
    ) {
        let field = field(options);
        let plane = |p: [f64; 3]| field.min_dist([p[0], p[1]]).expect("no mask");
        let space = |p: [f64; 3]| field.min_dist(p).expect("no mask");
        let length = length / options.frequency;
        let q = [0, 1, 2].map(|a: usize| p[a] + length * step[a]);
        let of = |d: usize| (0..d).map(|a| (p[a] - q[a]) * (p[a] - q[a])).sum::<f64>().sqrt();
        prop_assert!((plane(p) - plane(q)).abs() <= field.lipschitz::<2>() * of(2) + 1e-9);
        prop_assert!((space(p) - space(q)).abs() <= field.lipschitz::<3>() * of(3) + 1e-9);
    }
}
