//! Measures the quality of point sets, from this library or others.
//!
//! To test the samplers independently, this crate shares no neighbour search, grid or shortcut with
//! them. Of their crate it uses only the [`Rule`]s.
//!
//! [`judge`] measures a set as a whole; [`measures`] has each measure by itself, [`layers`] judges sets of several
//! layers, and [`files`] reads points. With the feature `plot`, a page of plots shows a set.

mod capacity;
mod claim;
mod density_error;
mod domain;
mod error;
pub mod files;
mod gaps;
mod gridding;
mod kd_tree;
pub mod layers;
pub mod measures;
mod nearest;
mod pairs;
#[cfg(feature = "plot")]
mod plot;
mod prefixes;
mod report;
mod set;
mod spacing;
mod spectrum;

pub use claim::{Claim, Requirement};
pub use domain::{Domain, Edges};
pub use error::QualityError;
#[cfg(feature = "plot")]
pub use plot::{PlotError, plot};
pub use report::{Judgement, Measures, Report, judge};
pub use sampler::Rule;
pub use set::{Columns, PointSet, SetError};
