//! How many points a run may give.

/// How many points a run may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum PointLimit {
    /// Refuse to start when more than this many points are expected.
    /// [`Bridson`](crate::Bridson) also stops there if the expectation was too low, as it is of a
    /// domain thinner than its distances; [`Scatter`](crate::Scatter) leaves no place empty for
    /// that.
    Refuse(u64),
    /// Start in any case and stop after this many points.
    Cap(u64),
}

impl PointLimit {
    /// The number of points at which a run stops.
    pub fn most(self) -> u64 {
        match self {
            Self::Refuse(n) | Self::Cap(n) => n,
        }
    }
}

impl Default for PointLimit {
    /// Refuses above 100 million points.
    fn default() -> Self {
        Self::Refuse(100_000_000)
    }
}
