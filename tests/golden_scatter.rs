//! The points of `Scatter`, pinned as those of `Bridson` are: sorted by their ids, which is the
//! order in which they were decided, so that the order of blocks has no part in it.

use density::{Bounds, Constant, MapOptions, Perlin, PerlinOptions, RadiusField};
use sampler::{Rule, Sample, Scatter, ScatterOptions};
use spinney_tests::pinned::{self, map, pinned, range};

fn sorted<const D: usize>(mut samples: Vec<Sample<D>>) -> (usize, u64) {
    samples.sort_by_key(|s| s.id);
    pinned::hash(samples)
}

fn hash<const D: usize>(
    field: &impl RadiusField<D>,
    domain: Bounds<D>,
    rule: Rule,
    seed: u64,
) -> (usize, u64) {
    let options = ScatterOptions {
        rule,
        seed,
        ..ScatterOptions::default()
    };
    let scatter = Scatter::new(field, domain, options).expect("a good run");
    sorted(scatter.points().samples)
}

#[test]
fn uniform_2d() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([60.0, 40.0]).expect("a good box");
    pinned(
        "uniform 2D",
        hash(&field, domain, Rule::Max, 0),
        (1722, 0x52ad_4794_c4f8_5105),
    );
}

#[test]
fn uniform_3d() {
    let field = Constant::new(1.5).expect("a good field");
    let domain = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a good box");
    pinned(
        "uniform 3D",
        hash(&field, domain, Rule::Max, 1),
        (1979, 0xdc29_5d41_7218_f2d1),
    );
}

#[test]
fn meadow_under_each_rule() {
    let (field, bounds) = map("meadow.png", 4.0, 24.0, MapOptions::default());
    for (rule, expected) in [
        (Rule::Max, (1564, 0x358e_134c_82b9_f9c3)),
        (Rule::Mean, (1799, 0x8e6f_7b1e_000e_691c)),
        (Rule::Min, (2075, 0xd59f_c278_3829_b2d2)),
        (Rule::Own, (1786, 0xab4d_df83_768c_1732)),
        (Rule::Prior, (1694, 0x3e58_34b2_ea5c_a8f8)),
    ] {
        pinned(rule.name(), hash(&field, bounds, rule, 3), expected);
    }
}

#[test]
fn checkerboard_ratio_64() {
    let (field, bounds) = map("checkerboard.png", 1.0, 64.0, MapOptions::default());
    pinned(
        "checkerboard",
        hash(&field, bounds, Rule::Max, 2),
        (16_305, 0xe186_cd9c_056b_91a1),
    );
}

#[test]
fn photograph() {
    let (field, bounds) = map("boots.jpg", 3.0, 24.0, MapOptions::default());
    pinned(
        "photograph",
        hash(&field, bounds, Rule::Max, 5),
        (3526, 0x48b8_266f_ba30_f54f),
    );
}

#[test]
fn tile() {
    let (field, bounds) = map("clusters.png", 4.0, 24.0, MapOptions::default());
    let scatter = Scatter::tiled(&field, bounds, ScatterOptions::default());
    let scatter = scatter.expect("a good run");
    pinned(
        "tile",
        sorted(scatter.points().samples),
        (612, 0x2557_5825_06db_0afa),
    );
}

#[test]
fn ranked_window_of_an_endless_perlin_world() {
    let options = PerlinOptions::default();
    let field = Perlin::new(range(2.0, 8.0), options).expect("a good field");
    let options = ScatterOptions {
        levels: 3,
        ..ScatterOptions::default()
    };
    let scatter = Scatter::<2, _>::endless(field, options).expect("a good run");
    let window = Bounds::with_origin([1e6, -333.0], [150.0, 100.0]).expect("a good box");
    let found = scatter.points_in(&window).expect("a good window");
    pinned(
        "window",
        sorted(found.samples),
        (284, 0x09f6_95e4_76e4_8213),
    );
}
