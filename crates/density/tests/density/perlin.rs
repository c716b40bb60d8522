//! The noise field.

use crate::grid::check;
use proptest::prelude::*;
use spinney_density::{
    Bounds, DistRange, FieldError, OutOfRange, Perlin, PerlinOptions, RadiusField, White,
};

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
        PerlinOptions {
            spacing: Some(0.0),
            ..ok
        },
    ];
    for options in bad {
        assert!(Perlin::new(range(), options).is_err(), "{options:?}");
    }
    let none = PerlinOptions {
        persistence: 0.0,
        ..ok
    };
    let error = Perlin::new(range(), none).expect_err("no persistence");
    let said = "persistence must lie between 2.225e-308 and 1, but is 0";
    assert_eq!(error.to_string(), said);
    assert_eq!(
        Perlin::new(range(), PerlinOptions { octaves: 40, ..ok }).map(|_| ()),
        Err(FieldError::OutOfRange(OutOfRange {
            name: "octaves",
            value: 40.0,
            least: 1.0,
            most: 16.0
        }))
    );
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
fn nodes_are_as_fine_as_what_is_seen() {
    let spacing = |frequency: f64, spacing: Option<f64>| {
        field(PerlinOptions {
            frequency,
            spacing,
            ..PerlinOptions::default()
        })
        .spacing()
    };
    // Three octaves: the last has four times the frequency.
    assert_eq!(spacing(1.0 / 128.0, None), 4.0);
    assert_eq!(spacing(100.0, None), 1.0 / 32.0, "of the least distance");
    assert_eq!(spacing(1.0, Some(0.01)), 0.01);
    // The fourth octave has an eighth of the first octave's amplitude, the fifth a sixteenth.
    let many = PerlinOptions {
        octaves: 12,
        ..PerlinOptions::default()
    };
    assert_eq!(field(many).spacing(), 2.0);
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

/// A golden value: the field is the same on every machine and in every version.
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
    assert_eq!(hash, 0x97ad_fbd0_aa51_4c13, "{hash:#018x}");
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
                spacing: None,
            },
        )
}

/// Returns the average ratio of the width of bounds to the width of the true range. It is taken over squares or cubes
/// with sides of `cycles` cycles of the first octave.
fn looseness<const D: usize>(cycles: f64) -> f64
where
    Perlin: RadiusField<D>,
{
    let field = field(PerlinOptions {
        frequency: 1.0,
        spacing: Some(1.0 / 32.0),
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

#[test]
fn bounds_are_close() {
    let most = [(0.03, 1.1, 1.1), (0.1, 1.7, 1.7), (0.3, 1.5, 1.5)];
    let found = most.map(|(cycles, ..)| [looseness::<2>(cycles), looseness::<3>(cycles)]);
    println!("{found:?}");
    for ((cycles, plane, space), found) in most.into_iter().zip(found) {
        let close = found[0] < plane && found[1] < space;
        assert!(close, "{cycles} cycles: {found:?}");
    }
}

/// Sides and frequencies whose squares vanish or overflow.
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
            check(&field, [0.0; 2], [side; 2], &inside).expect("bounds in the plane");
            check(&field, [0.0; 3], [side; 3], &inside).expect("bounds in space");
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
        prop_assert!(RadiusField::<2>::mask_detail(&field, 1e-9).is_none());
        check(&field, [min[0], min[1]], [size[0], size[1]], &inside)?;
        check(&field, min, size, &inside)?;
    }
}
