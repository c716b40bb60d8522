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
        (1735, 0x6716_fef7_18c5_ac21),
    );
}

#[test]
fn uniform_3d() {
    let field = Constant::new(1.5).expect("a good field");
    let domain = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a good box");
    pinned(
        "uniform 3D",
        hash(&field, domain, Rule::Max, 1),
        (1996, 0xadb4_4842_a76b_3d6d),
    );
}

#[test]
fn meadow_under_each_rule() {
    let (field, bounds) = map("meadow.png", 4.0, 24.0, MapOptions::default());
    for (rule, expected) in [
        (Rule::Max, (1543, 0x59b0_0070_00de_3221)),
        (Rule::Mean, (1815, 0x11f3_4d48_66b0_f89a)),
        (Rule::Min, (2090, 0x2d4b_8466_579d_89be)),
        (Rule::Own, (1795, 0xccf8_3b22_6d68_7c2b)),
        (Rule::Prior, (1696, 0xa5ba_2176_38a4_c8ee)),
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
        (16_005, 0x7d56_e36b_d160_fd68),
    );
}

#[test]
fn photograph() {
    let (field, bounds) = map("boots.jpg", 3.0, 24.0, MapOptions::default());
    pinned(
        "photograph",
        hash(&field, bounds, Rule::Max, 5),
        (3503, 0xef17_c0a9_fa0a_178c),
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
        (605, 0x3f0e_dbc4_6955_1cf2),
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
        (288, 0x55a1_ae6e_1709_f62a),
    );
}
