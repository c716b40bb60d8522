//! Poisson-disk (blue-noise) sampling whose spacing follows a field.
//!
//! A *field* ([`density::RadiusField`]) says how far apart points must be at each place. In
//! this crate a field's value is also called its *radius*, as in Bridson's paper: it is the
//! minimum centre-to-centre distance, never half of it.
//!
//! This crate handles no pixels and no files: a program that depends on it alone gets no image decoder.
//!
//! ```
//! # use spinney_sampler as sampler;
//! use sampler::density::{Bounds, DistRange, FnField};
//! use sampler::{Scatter, ScatterOptions};
//!
//! // Dense at the left, sparse at the right.
//! let field = FnField::new(DistRange::new(2.0, 8.0)?, 0.06, |p: [f64; 2]| 2.0 + 0.06 * p[0])?;
//! let domain = Bounds::from_size([100.0, 100.0])?;
//! let trees = Scatter::new(field, domain, ScatterOptions::default())?.points()?.samples;
//! let left = trees.iter().filter(|tree| tree.position[0] < 50.0).count();
//! assert!(left > 3 * (trees.len() - left));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to get | use |
//! |---|---|
//! | all points of a bounded domain | [`Scatter::points`] |
//! | the same points part by part, in little memory | [`Scatter::stream`] |
//! | the points of one window of the domain | [`Scatter::points_in`] |
//! | many windows, of a domain or of an endless world | [`World`] |
//! | a given number of points | [`Scatter::with_count`], of layers or clear of obstacles [`Scatter::with_count_of`] |
//! | several species that keep their distance from each other | [`Layer`] and [`Apart`], in [`Scatter::layered`] or [`World::layered`] |
//! | points that keep clear of given ones | [`Avoiding`], a field; [`World::put`] for a world in use |
//! | points in the order in which they are found, one at a time | [`Bridson`] |
//!
//! [`Scatter`] and [`World`] leave no gap, and give the same points in whatever parts, order and threads. [`Bridson`]
//! takes any number of points from a run that leaves small gaps.
//!
//! Options are plain structs: write the fields that matter and then `..Default::default()`, as later releases may add
//! fields. They are not `#[non_exhaustive]`, which would forbid this.

mod annulus;
mod avoiding;
mod boxes;
mod bridson;
mod compiled;
mod error;
mod index;
mod integral;
mod islands;
mod layers_error;
mod level_grid;
mod list_grid;
mod mask;
mod obstacles;
mod options;
mod packing;
mod point_limit;
mod preflight;
mod reach;
mod refusal;
mod rng;
mod rule;
mod sample;
mod scatter;
mod steps;
mod surround;

pub use avoiding::Avoiding;
pub use bridson::Bridson;
pub use density;
pub use error::SampleError;
pub use layers_error::LayersError;
pub use obstacles::{AvoidError, Obstacle};
pub use options::{ALGORITHM_VERSION, BridsonOptions};
pub use point_limit::PointLimit;
pub use preflight::Estimate;
pub use reach::End;
pub use refusal::Refusal;
pub use rule::Rule;
pub use sample::Sample;
pub use scatter::{
    Apart, Counted, Edges, Layer, Progress, Scatter, ScatterOptions, Scattered, Stream, World,
};
