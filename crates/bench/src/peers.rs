//! Runs the published crates, each through its own interface with 30 tries (`bluenoise` with its
//! default of 4 as well). Each gets a seeded xoshiro256 generator, the fastest choice that its
//! interface allows: two of them would otherwise draw from a slower cryptographic one.

use crate::contender::{Ran, run, run_infallible};
use bluenoise::BlueNoise;
use rand_0_8::SeedableRng as _;

const TRIES: usize = 30;

/// Runs `fast_poisson`: Bridson over a k-d tree, with the annulus drawn uniformly by distance, not
/// area.
///
/// # Errors
/// The errors of the clock.
pub(crate) fn fast_poisson<const D: usize>(side: f64, r: f64, seed: u64) -> Ran<D> {
    let points = || {
        fast_poisson::Poisson::<D>::new()
            .with_dimensions([side; D], r)
            .with_samples(TRIES as u32)
            .with_seed(seed)
            .generate()
    };
    run_infallible(points, |p| *p)
}

/// Runs `poisson-diskus`: Bridson over a grid. Its choice of the next active point follows the
/// order of a randomly keyed hash set, so the seed alone does not fix its points.
///
/// # Errors
/// The errors of the crate and of the clock.
pub(crate) fn poisson_diskus<const D: usize>(side: f64, r: f64, seed: u64) -> Ran<D> {
    let points = || {
        let mut rng = rand_0_8::rngs::SmallRng::seed_from_u64(seed);
        poisson_diskus::bridson_rng(&[side; D], r, TRIES, false, &mut rng)
    };
    run(points, |p| *p)
}

/// Runs `bluenoise`: Roberts' variant of Bridson, in `f32`. Candidates lie only at distance r +
/// 0.001 from the parent, in equal steps of angle. That is less work (4 tries by default), and a
/// different (denser, biased) distribution.
///
/// # Errors
/// The errors of the clock.
pub(crate) fn bluenoise(side: f64, r: f64, seed: u64, tries: u32) -> Ran<2> {
    type Points = BlueNoise<rand_0_9::rngs::SmallRng>;
    let points = || {
        let mut points = Points::from_seed(side as f32, side as f32, r as f32, seed);
        points.with_samples(tries);
        points.collect()
    };
    run_infallible(points, |p| [p.x, p.y].map(f64::from))
}
