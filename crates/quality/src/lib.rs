//! Measures the quality of point sets, from this library or others.
//!
//! To test the samplers independently, this crate shares no neighbour search, grid or shortcut with
//! them. Of their crate it uses only the [`Rule`]s.

mod capacity;
mod claim;
mod density_error;
mod domain;
mod error;
mod gaps;
mod gridding;
mod kd_tree;
mod layers;
mod nearest;
mod pairs;
#[cfg(feature = "plot")]
mod plot;
mod prefixes;
mod read;
mod report;
mod set;
mod spacing;
mod spectrum;

pub use capacity::{Capacity, packing, relative_radius};
pub use claim::{Claim, Requirement};
pub use density_error::{CellError, DensityError, density_error};
pub use domain::{Domain, Edges};
pub use error::QualityError;
pub use gaps::{GapOptions, Gaps, Hole, gaps};
pub use layers::{BetweenReport, LayerReport, LayersClaim, LayersReport, judge_layers};
pub use nearest::{Nearest, nearest};
pub use pairs::{PairCorrelation, pair_correlation};
#[cfg(feature = "plot")]
pub use plot::{PlotError, plot};
pub use prefixes::{Prefix, prefixes};
pub use read::{Format, Place, PointFile, Points, ReadError, RunInfo, read};
pub use report::{Judgement, Measures, Report, judge};
pub use sampler::Rule;
pub use set::{Columns, PointSet, SetError};
pub use spacing::{Pair, Violations, violations};
pub use spectrum::{Periodogram, Ring};
