//! Poisson-disk (blue-noise) sampling whose spacing follows a field.
//!
//! A *field* ([`density::RadiusField`]) says how far apart points must be at each place. In
//! this crate a field's value is also called its *radius*, as in Bridson's paper: it is the
//! minimum centre-to-centre distance, never half of it.
//!
//! No pixels and no files here: a program that depends on this crate alone gets no image
//! decoder.

mod rule;
mod sample;

pub use density;
pub use rule::Rule;
pub use sample::Sample;
