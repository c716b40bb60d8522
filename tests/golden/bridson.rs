//! The points of `Bridson`, pinned in the order of acceptance.

use density::{Bounds, Constant, MapOptions, Perlin, PerlinOptions, RadiusField, White, YAxis};
use sampler::{Bridson, BridsonOptions, Rule};
use spinney_tests::pinned::{self, map, pinned, range};

/// Hashes the points of Bridson's algorithm in the order of acceptance.
fn hash<const D: usize>(
    field: &impl RadiusField<D>,
    domain: Bounds<D>,
    rule: Rule,
    seed: u64,
) -> (usize, u64) {
    let options = BridsonOptions {
        rule,
        seed,
        ..BridsonOptions::default()
    };
    pinned::hash(Bridson::new(field, domain, options).expect("a good run"))
}

#[test]
fn uniform_2d() {
    let field = Constant::new(1.0).expect("a good field");
    let domain = Bounds::from_size([60.0, 40.0]).expect("a good box");
    let found = hash(&field, domain, Rule::Max, 0);
    pinned(found, (1518, 0x3551_85ad_0c43_fe01));
}

#[test]
fn uniform_3d() {
    let field = Constant::new(1.5).expect("a good field");
    let domain = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a good box");
    let found = hash(&field, domain, Rule::Max, 1);
    pinned(found, (1498, 0x510b_910f_cb2e_3f2d));
}

#[test]
fn meadow_max() {
    let (field, bounds) = map("meadow.png", 4.0, 24.0, MapOptions::default());
    let found = hash(&field, bounds, Rule::Max, 0);
    pinned(found, (1423, 0x12a8_e946_5e1e_40c7));
}

#[test]
fn clusters_mean_dense_upwards() {
    let options = MapOptions {
        white: White::Dense,
        y_axis: YAxis::Up,
        ..MapOptions::default()
    };
    let (field, bounds) = map("clusters.png", 3.0, 30.0, options);
    let found = hash(&field, bounds, Rule::Mean, 7);
    pinned(found, (1021, 0xd5b7_fa85_0309_c290));
}

#[test]
fn checkerboard_own() {
    let (field, bounds) = map("checkerboard.png", 4.0, 24.0, MapOptions::default());
    let found = hash(&field, bounds, Rule::Own, 2);
    pinned(found, (1369, 0x40ab_039a_c61b_91e4));
}

#[test]
fn letter_min_in_its_own_world() {
    let options = MapOptions {
        bounds: Some(Bounds::with_origin([-100.0, 50.0], [37.0, 53.0]).expect("a good box")),
        ..MapOptions::default()
    };
    let (field, bounds) = map("f.png", 0.5, 3.0, options);
    let found = hash(&field, bounds, Rule::Min, 3);
    pinned(found, (1478, 0x9b83_fb43_537d_948c));
}

#[test]
fn heights_prior() {
    let (field, bounds) = map("jacksboro_dem.png", 3.0, 12.0, MapOptions::default());
    let found = hash(&field, bounds, Rule::Prior, 4);
    pinned(found, (2882, 0x9c82_534e_af0a_785e));
}

#[test]
fn perlin_parent() {
    let field = Perlin::new(range(2.0, 9.0), PerlinOptions::default()).expect("a good field");
    let domain = Bounds::with_origin([1e6, -1e6], [200.0; 2]).expect("a good box");
    let found = hash(&field, domain, Rule::Parent, 5);
    pinned(found, (1290, 0x8407_2c57_2498_7c3e));
}

#[test]
fn perlin_3d() {
    let field = Perlin::new(range(2.0, 6.0), PerlinOptions::default()).expect("a good field");
    let domain = Bounds::from_size([40.0; 3]).expect("a good box");
    let found = hash(&field, domain, Rule::Max, u64::MAX);
    pinned(found, (606, 0x277a_9a0f_17f7_38f9));
}
