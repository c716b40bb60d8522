//! How good a point set is, ours or a stranger's.
//!
//! This crate judges: it shares no neighbour search, no grid and no shortcut with the
//! samplers, and knows of them only the [`Rule`]s that points may be held to.

mod read;
mod set;

pub use read::{Format, PointFile, Points, ReadError, RunInfo, read};
pub use sampler::Rule;
pub use set::{Columns, PointSet, SetError};
