//! The limit on the number of points of a run.

/// The limit on the number of points of a run.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{PointLimit, Scatter, ScatterOptions};
///
/// // There is room for some 7,000 points.
/// let (field, domain) = (Constant::new(1.0)?, Bounds::from_size([100.0, 100.0])?);
/// let options = |limit| ScatterOptions { limit, ..ScatterOptions::default() };
/// assert!(Scatter::new(field, domain, options(PointLimit::Refuse(500))).is_err());
/// let some = Scatter::new(field, domain, options(PointLimit::Cap(500)))?.points()?;
/// assert_eq!((some.samples.len(), some.complete), (500, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum PointLimit {
    /// Refuse to start if more than this many points are expected. With a mask, too few may be expected:
    /// [`Bridson`](crate::Bridson) then stops there. [`Scatter`](crate::Scatter) does not, as it leaves no place
    /// empty.
    Refuse(u64),
    /// Keep at most this many. [`Bridson`](crate::Bridson) stops there. [`Scatter`](crate::Scatter) decides all points
    /// and keeps those of the smallest ids (with ranks, the first by rank and id), of each layer in proportion to its
    /// points; it refuses to start if more than 10^10 are expected.
    Cap(u64),
}

impl PointLimit {
    /// Returns the number of points.
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
