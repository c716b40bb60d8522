//! Counts the field evaluations of a run, its cost that is equal on every machine.

use crate::common::checker::assert_spaced;
use crate::common::counting::{Asked, Counting};
use crate::common::range;
use density::{Bounds, GridField, Perlin, PerlinOptions, RadiusField};
use sampler::{Rule, Sample, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;

/// Returns noise from 1 to `most` that counts its evaluations.
fn noise(most: f64, seed: u64, frequency: f64) -> Counting<Perlin> {
    let options = PerlinOptions {
        seed,
        frequency,
        ..PerlinOptions::default()
    };
    Counting::new(Perlin::new(range(1.0, most), options).expect("a good field"))
}

/// Returns the evaluations of distances and of bounds for each point.
fn a_point<const D: usize>(asked: &Asked, samples: &[Sample<D>]) -> [f64; 2] {
    assert_spaced(samples, Rule::Max);
    let count = samples.len();
    let [dists, bounds] = [asked.places(), asked.boxes()].map(|asked| asked as f64 / count as f64);
    println!("{dists} distances and {bounds} bounds a point of {count}");
    [dists, bounds]
}

/// Returns the evaluations for each point of a square or a cube.
fn asked_in<const D: usize, F: RadiusField<D>>(field: &Counting<F>, side: f64) -> [f64; 2] {
    let domain = Bounds::from_size([side; D]).expect("a good box");
    let scatter = Scatter::new(field, domain, ScatterOptions::default()).expect("a good run");
    a_point(&field.asked, &scatter.points().expect("memory").samples)
}

/// Blocks are not divided by the upper bound on their points, which is many times their number over steep
/// noise: blocks would be hardly larger than their surroundings.
#[test]
fn steep_noise_is_not_cut_to_pieces() {
    let [dists, bounds] = asked_in::<2, _>(&noise(16.0, 3, 0.02), 760.0);
    // About ten of them are for candidates where distances differ much.
    assert!(dists < 24.0, "{dists} distances a point");
    assert!(bounds < 16.0, "{bounds} bounds a point");
}

/// Bounds are evaluated only for parts that are not covered for the least distance of the leaf.
#[test]
fn smooth_ground_is_asked_of_what_nothing_covers() {
    let [dists, bounds] = asked_in::<2, _>(&noise(4.0, 5, 0.012), 700.0);
    assert!(dists < 4.0, "{dists} distances a point");
    assert!(bounds < 1.65, "{bounds} bounds a point");
}

/// A window in 3D evaluates little of its surroundings.
#[test]
fn a_window_in_space_does_not_ask_far_around() {
    let field = noise(4.0, 0, 0.02);
    let asked = field.asked.clone();
    let world = World::new(field, ScatterOptions::default()).expect("a good run");
    let window = Bounds::with_origin([10.0, 20.0, 30.0], [30.0; 3]).expect("a good box");
    let found = world.window(&window).expect("a window");
    let [dists, bounds] = a_point(&asked, &found.samples);
    assert!(dists < 100.0, "{dists} distances a point");
    assert!(bounds < 50.0, "{bounds} bounds a point");
}

/// Closed cells of a leaf are skipped as a whole, not part by part: in 3D a leaf has thousands of parts.
#[test]
fn closed_cells_are_skipped_whole() {
    let ball = |p: [f64; 3]| {
        let square: f64 = p.iter().map(|x| (x - 20.0) * (x - 20.0)).sum();
        (square < 144.0).then(|| 1.0 + square / 144.0)
    };
    let field = GridField::new(range(1.0, 2.0), 2.0, ball).expect("a good field");
    let [dists, bounds] = asked_in(&Counting::new(field), 40.0);
    assert!(dists < 80.0, "{dists} distances a point");
    assert!(bounds < 70.0, "{bounds} bounds a point");
}
