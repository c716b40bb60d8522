//! The options of [`Scatter`](crate::Scatter).

use crate::error::SampleError;
use crate::packing::packing;
use crate::point_limit::PointLimit;
use crate::preflight::{Beyond, Indexed, Needs};
use crate::rule::Rule;
use crate::sample::Sample;

/// Options of [`Scatter`](crate::Scatter).
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Scatter, ScatterOptions};
///
/// // Ranks 0, 1 and 2: without the last, points are twice as far apart.
/// let options = ScatterOptions { seed: 7, levels: 2, ..ScatterOptions::default() };
/// let domain = Bounds::from_size([100.0, 100.0])?;
/// let trees = Scatter::new(Constant::new(1.0)?, domain, options)?.points()?.samples;
/// let far: Vec<_> = trees.iter().filter(|tree| tree.rank <= Some(1)).collect();
/// assert!(trees.len() > 3 * far.len());
/// for (i, a) in far.iter().enumerate() {
///     let [x, y] = a.position;
///     assert!(far[..i].iter().all(|b| (b.position[0] - x).hypot(b.position[1] - y) > 1.999));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct ScatterOptions {
    /// The conflict rule: the distance between two points of different `min_dist`. The earlier point is the
    /// one with the smaller [`id`](Sample::id). Default [`Rule::Max`]. [`Rule::Parent`] has no meaning
    /// here: no point has a parent.
    pub rule: Rule,
    /// The seed of the points. Default 0.
    pub seed: u64,
    /// The greatest number of points. [`PointLimit::Cap`] keeps the points with the smallest ids, of each layer in
    /// proportion to its points. They lie all over the requested area, by chance; with ranks, the first by (rank, id) are
    /// kept, so that full levels stay evenly spread. All points have to be decided for that, so it too refuses where more
    /// than 10^10 are expected. Default: refuse above 100 million.
    pub limit: PointLimit,
    /// Memory limit, bytes: refuse to start when more is expected to be needed, and end with
    /// [`SampleError::MemorySpent`] when evaluation takes more. Default: no limit. See
    /// [`Scatter::with_budget`](crate::Scatter::with_budget) for the second alone.
    pub max_bytes: Option<u64>,
    /// Levels of detail, K, at most [`MAX_LEVELS`](Self::MAX_LEVELS): every point gets a [`rank`](Sample::rank) from 0, the
    /// coarsest, to K. The points with a rank up to m keep `2^(K - m)` times the rule's distance from each
    /// other, and none of rank m + 1 could be added to them. So leaving out the ranks above m thins the
    /// points evenly, by about 4 (8 in 3D) a level. Ranks are decided in the order of a hash of the ids;
    /// [`Rule::Own`] and [`Rule::Prior`] use that order there. Default 0: no ranks.
    pub levels: u32,
}

/// The greatest number of points that are decided for the sake of the first of them.
const MOST_TO_CAP: f64 = 1e10;

impl ScatterOptions {
    /// The greatest number of [`levels`](Self::levels) of detail.
    pub const MAX_LEVELS: u32 = 32;

    /// Returns the memory that a run holding all of its points takes for each, bytes.
    pub(super) fn bytes_per_point<const D: usize>(&self) -> f64 {
        let sample = size_of::<Sample<D>>() as f64;
        // Points beyond a cap are dropped when they are as many as the kept ones; each has a key. Ranks need an order.
        let kept = match self.limit {
            PointLimit::Refuse(_) => sample,
            PointLimit::Cap(_) => 2.0 * (sample + 24.0),
        };
        let ranking = if self.levels > 0 { 32.0 } else { 0.0 };
        kept + ranking
    }

    /// Returns the greatest number of points that a run holds at once. With ranks these are all: ranks are computed
    /// before a cap is applied.
    pub(super) fn most_held(&self) -> u64 {
        if self.levels > 0 {
            u64::MAX
        } else {
            self.limit.most()
        }
    }

    /// Returns the requirements of the engine for a domain with these surroundings.
    pub(super) fn needs<const D: usize>(&self, beyond: Beyond) -> Needs {
        Needs {
            limit: self.limit,
            max_bytes: self.max_bytes,
            density: packing(D),
            index: Indexed::Block {
                bytes: self.bytes_per_point::<D>(),
                most: self.most_held(),
            },
            beyond,
        }
    }

    /// Checks the options that depend on no field.
    pub(super) fn check(&self) -> Result<(), SampleError> {
        if self.rule == Rule::Parent {
            return Err(SampleError::NoParents);
        }
        if self.levels > Self::MAX_LEVELS {
            return Err(SampleError::TooManyLevels {
                levels: self.levels,
                most: Self::MAX_LEVELS,
            });
        }
        Ok(())
    }

    /// Checks that no more points are expected under a cap than can be decided.
    pub(super) fn check_expected(&self, expected: f64) -> Result<(), SampleError> {
        match self.limit {
            PointLimit::Cap(cap) if expected > MOST_TO_CAP => Err(SampleError::TooManyToCap {
                expected,
                cap,
                most: MOST_TO_CAP,
            }),
            PointLimit::Refuse(_) | PointLimit::Cap(_) => Ok(()),
        }
    }

    /// Returns the cap, if there is one.
    pub(super) fn cap(&self) -> Option<u64> {
        match self.limit {
            PointLimit::Refuse(_) => None,
            PointLimit::Cap(most) => Some(most),
        }
    }
}
