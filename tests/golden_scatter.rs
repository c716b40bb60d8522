//! The points of `Scatter`, pinned as those of `Bridson` are: sorted by their ids, which is the
//! order in which they were decided, so that the order of blocks has no part in it.

use density::{Bounds, Constant, MapOptions, Perlin, PerlinOptions, RadiusField};
use sampler::{Rule, Sample, Scatter, ScatterOptions};
use spinney_tests::pinned::{self, map, pinned, range};
use std::ops::ControlFlow;

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

/// As `hash`, of a domain that is worked on in at least so many blocks, several at a time. A
/// domain of one block would show nothing of the threads that share the work.
#[track_caller]
fn hash_of_blocks<const D: usize>(
    field: &impl RadiusField<D>,
    domain: Bounds<D>,
    seed: u64,
    blocks: usize,
) -> (usize, u64) {
    let options = ScatterOptions {
        seed,
        ..ScatterOptions::default()
    };
    let scatter = Scatter::new(field, domain, options).expect("a good run");
    let mut of = 0;
    let found = scatter.points_with(|progress| {
        of = progress.of;
        ControlFlow::Continue(())
    });
    assert!(of >= blocks, "{of} blocks");
    sorted(found.expect("not broken off").samples)
}

#[test]
fn uniform_2d_in_blocks() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::with_origin([-100.0, 7.0], [620.0, 600.0]).expect("a good box");
    pinned(
        "uniform 2D in blocks",
        hash_of_blocks(&field, domain, 6, 9),
        (259_420, 0xe3fc_dbd0_a5fa_64c8),
    );
}

#[test]
fn perlin_in_blocks() {
    let options = PerlinOptions {
        frequency: 0.005,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(range(1.0, 4.0), options).expect("a good field");
    let domain = Bounds::from_size([1700.0, 1650.0]).expect("a good box");
    pinned(
        "Perlin in blocks",
        hash_of_blocks(&field, domain, 7, 4),
        (376_574, 0xb900_8f8a_c2d4_872c),
    );
}

#[test]
fn uniform_3d_in_blocks() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([8.0, 400.0, 8.0]).expect("a good box");
    pinned(
        "uniform 3D in blocks",
        hash_of_blocks(&field, domain, 9, 3),
        (21_960, 0xb59c_b935_bac4_253a),
    );
}

#[test]
fn uniform_2d() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([60.0, 40.0]).expect("a good box");
    pinned(
        "uniform 2D",
        hash(&field, domain, Rule::Max, 0),
        (1720, 0xccf9_d18f_97f6_dc48),
    );
}

#[test]
fn uniform_3d() {
    let field = Constant::new(1.5).expect("a good field");
    let domain = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a good box");
    pinned(
        "uniform 3D",
        hash(&field, domain, Rule::Max, 1),
        (1999, 0xe7b9_2f7a_3dec_53da),
    );
}

#[test]
fn meadow_under_each_rule() {
    let (field, bounds) = map("meadow.png", 4.0, 24.0, MapOptions::default());
    for (rule, expected) in [
        (Rule::Max, (1563, 0x8582_3b02_3a61_43fe)),
        (Rule::Mean, (1796, 0x50c0_25be_bb16_044f)),
        (Rule::Min, (2080, 0x438a_fde6_b538_bb9f)),
        (Rule::Own, (1783, 0xc2f6_86ff_06eb_af1b)),
        (Rule::Prior, (1703, 0x2696_80c4_6de9_b3fb)),
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
        (14_404, 0xc8a1_a7d7_83d0_51bb),
    );
}

#[test]
fn photograph() {
    let (field, bounds) = map("boots.jpg", 3.0, 24.0, MapOptions::default());
    pinned(
        "photograph",
        hash(&field, bounds, Rule::Max, 5),
        (3443, 0x77fe_902b_d242_d5d8),
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
        (608, 0x3080_4a80_adc9_c9f8),
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
        (292, 0xd6f1_f35d_e73e_92f3),
    );
}

/// Space is decided tile by tile on demand, the plane round by round.
#[test]
fn perlin_in_space_under_each_rule() {
    let field = Perlin::new(range(1.0, 4.0), PerlinOptions::default()).expect("a good field");
    let domain = Bounds::with_origin([3.0, -40.0, 7.0], [24.0, 30.0, 20.0]).expect("a good box");
    for (rule, expected) in [
        (Rule::Max, (1310, 0x9160_a5bc_c1f6_0af2)),
        (Rule::Mean, (1324, 0x6899_665a_7646_a4f4)),
        (Rule::Min, (1345, 0xdb10_2112_cf5c_6bb7)),
        (Rule::Own, (1331, 0xd0c3_5640_0270_b8bd)),
        (Rule::Prior, (1330, 0x2495_0a2e_3679_f435)),
    ] {
        pinned(rule.name(), hash(&field, domain, rule, 4), expected);
    }
}

#[test]
fn tile_in_space() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([14.0, 13.0, 12.0]).expect("a good box");
    let scatter = Scatter::tiled(&field, domain, ScatterOptions::default());
    let scatter = scatter.expect("a good run");
    pinned(
        "tile in space",
        sorted(scatter.points().samples),
        (1606, 0x271d_1fb0_0ccb_2aef),
    );
}
