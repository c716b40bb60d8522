//! The options of [`Bridson`](crate::Bridson), and the version of the algorithms.

use crate::point_limit::PointLimit;
use crate::preflight::{Beyond, Indexed, Needs};
use crate::rule::Rule;

/// The version of the algorithms' values. The points are a pure function of this number, the
/// seed, the field and the options; a change of values raises it and is called
/// value-breaking in the changelog.
pub const ALGORITHM_VERSION: u32 = 1;

/// Options of [`Bridson`](crate::Bridson).
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Bridson, BridsonOptions, End, PointLimit};
///
/// let domain = Bounds::from_size([100.0, 100.0])?;
/// let options = BridsonOptions { seed: 7, limit: PointLimit::Cap(500), ..BridsonOptions::default() };
/// let mut run = Bridson::new(Constant::new(1.0)?, domain, options)?;
/// assert_eq!(run.by_ref().count(), 500);
/// assert_eq!(run.end(), End::Capped);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct BridsonOptions {
    /// The conflict rule, for points of different `min_dist`. Default [`Rule::Max`].
    pub rule: Rule,
    /// Candidates drawn around a point before it is retired (Bridson's k), at least 1. Default 30.
    /// More tries pack the points a little denser and take longer in proportion.
    pub tries: u32,
    /// Seed of the random numbers. Default 0; there is no hidden entropy.
    pub seed: u64,
    /// Limit on the number of points. Default: refuse above 100 million.
    pub limit: PointLimit,
    /// Refuse a run that is expected to need more memory than this, in bytes, and stop one that does need more
    /// ([`End::Failed`](crate::End::Failed)). Default: no limit.
    pub max_bytes: Option<u64>,
}

impl Default for BridsonOptions {
    fn default() -> Self {
        Self {
            rule: Rule::default(),
            tries: 30,
            seed: 0,
            limit: PointLimit::default(),
            max_bytes: None,
        }
    }
}

impl BridsonOptions {
    /// Returns the algorithm's needs; its c is as measured with 30 tries.
    pub(crate) fn needs<const D: usize>(&self) -> Needs {
        Needs {
            limit: self.limit,
            max_bytes: self.max_bytes,
            density: if D == 2 { 0.615 } else { 0.576 },
            index: Indexed::All,
            beyond: Beyond::Nothing,
        }
    }
}
