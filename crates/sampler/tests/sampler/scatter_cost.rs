//! Counts the field evaluations of a run, its cost that is equal on every machine.

use crate::common::spacing::assert_spaced;
use density::{Bounds, DistRange, GridField, LocalRange, Perlin, PerlinOptions, RadiusField};
use sampler::{Rule, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A field that counts evaluations of distances and of bounds.
struct Counting<F> {
    field: F,
    dists: AtomicU64,
    bounds: AtomicU64,
}

impl<F> Counting<F> {
    fn new(field: F) -> Self {
        Self {
            field,
            dists: AtomicU64::new(0),
            bounds: AtomicU64::new(0),
        }
    }

    /// Returns the evaluations of distances and of bounds for each point.
    fn asked_for(&self, points: usize) -> [f64; 2] {
        [&self.dists, &self.bounds].map(|count| count.load(Relaxed) as f64 / points as f64)
    }
}

/// Returns noise from 1 to `most` that counts its evaluations.
fn noise(most: f64, seed: u64, frequency: f64) -> Counting<Perlin> {
    let range = DistRange::new(1.0, most).expect("a good range");
    let options = PerlinOptions {
        seed,
        frequency,
        ..PerlinOptions::default()
    };
    Counting::new(Perlin::new(range, options).expect("a good field"))
}

/// Returns the evaluations of distances and of bounds for each point of a square.
fn asked_in_a_square(field: &Counting<Perlin>, side: f64) -> [f64; 2] {
    let domain = Bounds::from_size([side; 2]).expect("a good box");
    let scatter = Scatter::new(field, domain, ScatterOptions::default()).expect("a good run");
    let found = scatter.points().expect("memory");
    assert_spaced(&found.samples, Rule::Max, None);
    let [dists, bounds] = field.asked_for(found.samples.len());
    println!("{dists} distances and {bounds} bounds a point");
    [dists, bounds]
}

impl<const D: usize, F: RadiusField<D>> RadiusField<D> for Counting<F> {
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        self.dists.fetch_add(1, Relaxed);
        self.field.min_dist(p)
    }

    fn range(&self) -> DistRange {
        self.field.range()
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        self.bounds.fetch_add(1, Relaxed);
        self.field.range_in(bounds)
    }

    fn value(&self, p: [f64; D]) -> f64 {
        self.field.value(p)
    }
}

/// Blocks are not divided by the upper bound on their points, which is many times their number over steep
/// noise: blocks would be hardly larger than their surroundings.
#[test]
fn steep_noise_is_not_cut_to_pieces() {
    let [dists, bounds] = asked_in_a_square(&noise(16.0, 3, 0.02), 760.0);
    // About ten of them are for candidates where distances differ much.
    assert!(dists < 24.0, "{dists} distances a point");
    assert!(bounds < 16.0, "{bounds} bounds a point");
}

/// Bounds are evaluated only for parts that are not covered for the least distance of the leaf.
#[test]
fn smooth_ground_is_asked_of_what_nothing_covers() {
    let [dists, bounds] = asked_in_a_square(&noise(4.0, 5, 0.012), 700.0);
    assert!(dists < 4.0, "{dists} distances a point");
    assert!(bounds < 1.65, "{bounds} bounds a point");
}

/// A window in 3D evaluates little of its surroundings.
#[test]
fn a_window_in_space_does_not_ask_far_around() {
    let field = Arc::new(noise(4.0, 0, 0.02));
    let world = World::new(Arc::clone(&field), ScatterOptions::default()).expect("a good run");
    let window = Bounds::with_origin([10.0, 20.0, 30.0], [30.0; 3]).expect("a good box");
    let found = world.window(&window).expect("a window");
    assert_spaced(&found.samples, Rule::Max, None);
    let [dists, bounds] = field.asked_for(found.samples.len());
    println!(
        "{dists} distances and {bounds} bounds a point of {}",
        found.samples.len()
    );
    assert!(dists < 100.0, "{dists} distances a point");
    assert!(bounds < 50.0, "{bounds} bounds a point");
}

/// Closed cells of a leaf are skipped as a whole, not part by part: in 3D a leaf has thousands of parts.
#[test]
fn closed_cells_are_skipped_whole() {
    let range = DistRange::new(1.0, 2.0).expect("a good range");
    let ball = |p: [f64; 3]| {
        let square: f64 = p.iter().map(|x| (x - 20.0) * (x - 20.0)).sum();
        (square < 144.0).then(|| 1.0 + square / 144.0)
    };
    let field = GridField::new(range, 2.0, ball).expect("a good field");
    let field = Counting::new(field);
    let domain = Bounds::from_size([40.0; 3]).expect("a good box");
    let scatter = Scatter::new(&field, domain, ScatterOptions::default()).expect("a good run");
    let found = scatter.points().expect("memory");
    assert_spaced(&found.samples, Rule::Max, None);
    let [dists, bounds] = field.asked_for(found.samples.len());
    println!("{dists} distances and {bounds} bounds a point");
    assert!(dists < 80.0, "{dists} distances a point");
    assert!(bounds < 70.0, "{bounds} bounds a point");
}
