//! What a run is told.

use crate::point_limit::PointLimit;
use crate::preflight::{Beyond, Indexed, Needs};
use crate::rule::Rule;

/// The version of the algorithms' values. The points are a pure function of this number, the
/// seed, the field and the options; a change of values raises it and is called
/// value-breaking in the changelog.
pub const ALGORITHM_VERSION: u32 = 1;

/// Options of [`Bridson`](crate::Bridson).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default)
)]
pub struct BridsonOptions {
    /// How far apart two points of different `min_dist` must be. Default [`Rule::Max`].
    pub rule: Rule,
    /// Candidates thrown around a point before it is given up (Bridson's k), at least 1.
    /// Default 30. More tries pack the points a little denser and take longer in proportion.
    pub tries: u32,
    /// Where the random numbers start. Default 0; there is no hidden entropy.
    pub seed: u64,
    /// How many points may come out. Default: refuse above 100 million.
    pub limit: PointLimit,
    /// Refuse to start when more memory than this, in bytes, is expected to be needed.
    /// Default: no limit.
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
    /// What the algorithm makes of a domain; c as measured with 30 tries.
    pub(crate) fn needs(&self) -> Needs {
        Needs {
            limit: self.limit,
            max_bytes: self.max_bytes,
            density: [0.615, 0.576, 0.6],
            index: Indexed::All,
            beyond: Beyond::Nothing,
        }
    }
}
