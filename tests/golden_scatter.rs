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
        (1733, 0xeb7e_c2fa_36bb_4454),
    );
}

#[test]
fn uniform_3d() {
    let field = Constant::new(1.5).expect("a good field");
    let domain = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a good box");
    pinned(
        "uniform 3D",
        hash(&field, domain, Rule::Max, 1),
        (2002, 0xca18_11d3_b8da_5cc0),
    );
}

#[test]
fn meadow_under_each_rule() {
    let (field, bounds) = map("meadow.png", 4.0, 24.0, MapOptions::default());
    for (rule, expected) in [
        (Rule::Max, (1542, 0x2a0e_5350_7a2c_a26e)),
        (Rule::Mean, (1815, 0xc476_686d_3e39_b5b8)),
        (Rule::Min, (2094, 0x36c3_3861_1d08_1165)),
        (Rule::Own, (1795, 0xa012_d3c8_1900_1490)),
        (Rule::Prior, (1689, 0x0f3f_1338_338d_74bd)),
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
        (15_980, 0x7cbc_4d09_082b_19a6),
    );
}

#[test]
fn photograph() {
    let (field, bounds) = map("boots.jpg", 3.0, 24.0, MapOptions::default());
    pinned(
        "photograph",
        hash(&field, bounds, Rule::Max, 5),
        (3504, 0x07af_1a8c_7053_535d),
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
        (605, 0xc638_4899_3150_2f09),
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
        (287, 0xece6_ee2a_582b_16a9),
    );
}
