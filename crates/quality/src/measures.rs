//! The measures of [`judge`](crate::judge), one by one.

pub use crate::capacity::{Capacity, packing, relative_radius};
pub use crate::density_error::{CellError, DensityError, density_error};
pub use crate::gaps::{Gaps, Hole, gaps};
pub use crate::nearest::{Nearest, nearest};
pub use crate::pairs::{PairCorrelation, pair_correlation};
pub use crate::prefixes::{Prefix, prefixes};
pub use crate::spacing::{Pair, Violations, violations};
pub use crate::spectrum::{Periodogram, Ring};
