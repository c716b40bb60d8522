//! The points of `Scatter`, pinned in the order of their ids, which is the order of decision. The
//! order of blocks has no influence.

use density::{Bounds, Constant, MapOptions, Perlin, PerlinOptions, RadiusField, Scaled};
use sampler::{Apart, Edges, Layer, Rule, Sample, Scatter, ScatterOptions, World};
use spinney_tests::pinned::{self, map, pinned, range};
use std::ops::ControlFlow;
use std::sync::Arc;

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
    sorted(scatter.points().expect("memory").samples)
}

/// Hashes the points of a domain that consists of at least `blocks` blocks, worked on in parallel.
/// A domain of one block would not test the threads.
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
    sorted(found.expect("memory").expect("not broken off").samples)
}

#[test]
fn uniform_2d_in_blocks() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::with_origin([-100.0, 7.0], [620.0, 600.0]).expect("a good box");
    let found = hash_of_blocks(&field, domain, 6, 9);
    pinned(found, (259_524, 0x887b_ae89_5b65_627b));
}

#[test]
fn perlin_in_blocks() {
    let options = PerlinOptions {
        frequency: 0.005,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(range(1.0, 4.0), options).expect("a good field");
    let domain = Bounds::from_size([1700.0, 1650.0]).expect("a good box");
    let found = hash_of_blocks(&field, domain, 7, 4);
    pinned(found, (376_623, 0x4601_3d1d_ce7c_0cff));
}

#[test]
fn uniform_3d_in_blocks() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([8.0, 400.0, 8.0]).expect("a good box");
    let found = hash_of_blocks(&field, domain, 9, 3);
    pinned(found, (21_961, 0xd608_d06b_97e8_f819));
}

#[test]
fn uniform_2d() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([60.0, 40.0]).expect("a good box");
    let found = hash(&field, domain, Rule::Max, 0);
    pinned(found, (1710, 0x2b20_edf8_c0be_ded3));
}

#[test]
fn uniform_3d() {
    let field = Constant::new(1.5).expect("a good field");
    let domain = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a good box");
    let found = hash(&field, domain, Rule::Max, 1);
    pinned(found, (1999, 0xd9df_7244_0304_c17c));
}

#[test]
fn meadow_under_each_rule() {
    let (field, bounds) = map("meadow.png", 4.0, 24.0, MapOptions::default());
    for (rule, expected) in [
        (Rule::Max, (1559, 0xfb4a_2c5b_223a_0365)),
        (Rule::Mean, (1828, 0x45bd_8afe_8fc5_7d15)),
        (Rule::Min, (2081, 0xad4a_9235_e288_54d3)),
        (Rule::Own, (1793, 0x7b79_e791_edd7_310e)),
        (Rule::Prior, (1725, 0x77e5_b30d_1903_86a5)),
    ] {
        pinned(hash(&field, bounds, rule, 3), expected);
    }
}

#[test]
fn checkerboard_ratio_64() {
    let (field, bounds) = map("checkerboard.png", 1.0, 64.0, MapOptions::default());
    let found = hash(&field, bounds, Rule::Max, 2);
    pinned(found, (22_541, 0x6365_45d4_5091_0788));
}

#[test]
fn photograph() {
    let (field, bounds) = map("boots.jpg", 3.0, 24.0, MapOptions::default());
    let found = hash(&field, bounds, Rule::Max, 5);
    pinned(found, (3784, 0xa47d_b4f2_a528_021d));
}

#[test]
fn tile() {
    let (field, bounds) = map("clusters.png", 4.0, 24.0, MapOptions::default());
    let scatter = Scatter::tiled(&field, bounds, ScatterOptions::default());
    let scatter = scatter.expect("a good run");
    let found = sorted(scatter.points().expect("memory").samples);
    pinned(found, (618, 0x4cfb_0536_cd45_2e66));
}

#[test]
fn ranked_window_of_an_endless_perlin_world() {
    let options = PerlinOptions::default();
    let field = Perlin::new(range(2.0, 8.0), options).expect("a good field");
    let options = ScatterOptions {
        levels: 3,
        ..ScatterOptions::default()
    };
    let world = World::new(field, options).expect("a good run");
    let window = Bounds::with_origin([1e6, -333.0], [150.0, 100.0]).expect("a good box");
    let found = world.window(&window).expect("a good window");
    pinned(sorted(found.samples), (291, 0xdf21_3302_bdb6_80bb));
}

#[test]
fn perlin_in_space_under_each_rule() {
    let field = Perlin::new(range(1.0, 4.0), PerlinOptions::default()).expect("a good field");
    let domain = Bounds::with_origin([3.0, -40.0, 7.0], [24.0, 30.0, 20.0]).expect("a good box");
    for (rule, expected) in [
        (Rule::Max, (1303, 0x8644_986b_7902_423b)),
        (Rule::Mean, (1322, 0xcc57_1c1e_061b_eac5)),
        (Rule::Min, (1342, 0x5e53_073e_a518_1a07)),
        (Rule::Own, (1318, 0xc933_16b0_a68d_0c3c)),
        (Rule::Prior, (1325, 0x2055_6fb1_76ce_784c)),
    ] {
        pinned(hash(&field, domain, rule, 4), expected);
    }
}

#[test]
fn tile_in_space() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([14.0, 13.0, 12.0]).expect("a good box");
    let scatter = Scatter::tiled(field, domain, ScatterOptions::default());
    let scatter = scatter.expect("a good run");
    let found = sorted(scatter.points().expect("memory").samples);
    pinned(found, (1606, 0x5e29_accb_1d1d_8103));
}

type Field<'f> = Arc<dyn RadiusField<2> + 'f>;

/// Hashes the points of three species with these turns and fields, and their layers.
fn species(layers: [(u32, Field<'_>); 3], domain: Bounds<2>, seed: u64) -> (usize, u64) {
    let layers = layers.map(|(turn, field)| Layer {
        turn,
        ..Layer::of(field)
    });
    let options = ScatterOptions {
        seed,
        rule: Rule::Mean,
        ..ScatterOptions::default()
    };
    let layers = layers.into_iter().collect();
    let apart = Apart::new(3);
    let layered =
        Scatter::layered(layers, apart, domain, Edges::Open, options).expect("a good run");
    let samples = layered.points().expect("memory").samples.into_iter();
    sorted(samples.map(|s| Sample { rank: s.layer, ..s }).collect())
}

/// A hash determines which layer owns the territory at a place.
#[test]
fn species_in_turns_and_sharing() {
    let even = |r| -> Field<'_> { Arc::new(Constant::new(r).expect("a good field")) };
    let square = Bounds::with_origin([-40.0, 9.0], [310.0, 290.0]).expect("a good box");
    let turns = [(0, even(4.0)), (1, even(2.0)), (2, even(1.0))];
    pinned(species(turns, square, 4), (18_744, 0xd6c0_1364_0d7f_4b79));
    let shared = [(0, even(4.0)), (0, even(2.0)), (0, even(1.0))];
    pinned(species(shared, square, 5), (39_065, 0x26fe_deb0_5b42_4940));
    let same = even(1.5);
    let alike = [(0, same.clone()), (0, same), (1, even(1.0))];
    pinned(species(alike, square, 6), (40_054, 0x4a71_f4fa_5e47_c50e));
    let (field, bounds) = map("meadow.png", 4.0, 24.0, MapOptions::default());
    let scaled = |by| -> Field<'_> { Arc::new(Scaled::new(&field, by).expect("a good field")) };
    let maps = [(0, scaled(2.0)), (1, scaled(1.0)), (1, scaled(0.7))];
    pinned(species(maps, bounds, 7), (1_505, 0xe1b2_3f33_19a9_8e61));
    let same = scaled(0.7);
    let shared = [(0, scaled(2.0)), (1, same.clone()), (1, same)];
    pinned(species(shared, bounds, 8), (1_604, 0x9973_b147_6f7b_61f3));
}
