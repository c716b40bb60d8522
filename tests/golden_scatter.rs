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
        (259_411, 0xef0b_32f6_1100_b02f),
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
        (376_930, 0xaac0_53d3_b14f_83ce),
    );
}

#[test]
fn uniform_3d_in_blocks() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([8.0, 400.0, 8.0]).expect("a good box");
    pinned(
        "uniform 3D in blocks",
        hash_of_blocks(&field, domain, 9, 3),
        (21_960, 0x8387_fbc7_80e8_ce04),
    );
}

#[test]
fn uniform_2d() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([60.0, 40.0]).expect("a good box");
    pinned(
        "uniform 2D",
        hash(&field, domain, Rule::Max, 0),
        (1709, 0xe4cc_f4a4_ebad_672e),
    );
}

#[test]
fn uniform_3d() {
    let field = Constant::new(1.5).expect("a good field");
    let domain = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a good box");
    pinned(
        "uniform 3D",
        hash(&field, domain, Rule::Max, 1),
        (1999, 0x04e5_2b56_0cfc_9973),
    );
}

#[test]
fn meadow_under_each_rule() {
    let (field, bounds) = map("meadow.png", 4.0, 24.0, MapOptions::default());
    for (rule, expected) in [
        (Rule::Max, (1553, 0x4cd0_e08e_d7d2_f910)),
        (Rule::Mean, (1829, 0xecf5_d751_292f_7d4a)),
        (Rule::Min, (2074, 0x44e2_c6eb_e087_0b9f)),
        (Rule::Own, (1812, 0xadc9_53e9_ed7f_e759)),
        (Rule::Prior, (1710, 0x5e12_0734_3b54_1fee)),
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
        (18_893, 0x0598_0d13_afe0_ffde),
    );
}

#[test]
fn photograph() {
    let (field, bounds) = map("boots.jpg", 3.0, 24.0, MapOptions::default());
    pinned(
        "photograph",
        hash(&field, bounds, Rule::Max, 5),
        (3497, 0x847b_dd3f_f881_9353),
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
        (613, 0x1f58_fc29_96bb_6823),
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
        (291, 0x9933_983e_ad19_6031),
    );
}

/// Space is decided tile by tile on demand, the plane round by round.
#[test]
fn perlin_in_space_under_each_rule() {
    let field = Perlin::new(range(1.0, 4.0), PerlinOptions::default()).expect("a good field");
    let domain = Bounds::with_origin([3.0, -40.0, 7.0], [24.0, 30.0, 20.0]).expect("a good box");
    for (rule, expected) in [
        (Rule::Max, (1312, 0x1011_251e_1e56_b031)),
        (Rule::Mean, (1323, 0x6096_f0f7_bdfe_b0f2)),
        (Rule::Min, (1345, 0x0d7f_a80c_c602_1ee2)),
        (Rule::Own, (1326, 0x6e13_f6cf_1a74_d5d6)),
        (Rule::Prior, (1331, 0xe00d_e164_44f4_504b)),
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
        (1606, 0x5196_d9f1_dc36_94ae),
    );
}
