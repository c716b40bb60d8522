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
//! use sampler::{Bridson, BridsonOptions};
//!
//! // Dense at the left, sparse at the right.
//! let field = FnField::new(DistRange::new(2.0, 8.0)?, 0.06, |p: [f64; 2]| 2.0 + 0.06 * p[0])?;
//! let mut points = Bridson::new(&field, Bounds::from_size([100.0, 100.0])?, BridsonOptions::default())?;
//! let mut trees = 0;
//! for sample in &mut points {
//!     trees += usize::from(sample.min_dist > 2.0);
//! }
//! assert!(points.is_complete() && trees > 200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
