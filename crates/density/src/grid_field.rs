//! The field of a closure, sampled at nodes.

use crate::grid::{Grid, MEMORY, grid};
use crate::{Bounds, Coverage, DistRange, FieldError, LocalRange, RadiusField, Share};

/// The field of a closure that is sampled at nodes: endless, in one to three dimensions, with
/// bounds that hold for any closure.
///
/// Nodes lie `spacing` world units apart along each axis, at whole multiples of it. The closure is
/// evaluated at nodes only; between them, distances are bilinear (trilinear in space). So the field
/// *is* the interpolated one, and details finer than `spacing` are lost. A good spacing is an
/// eighth of the width of the smallest waves that matter. Much less than the least distance is
/// seldom worth its cost.
///
/// The closure returns a distance, or an `Option` of one: `None` (and NaN) closes its node. A place
/// is closed if its nearest node is. So a closed node closes a square (a cube) of `spacing` around
/// itself, like a pixel of a [`RadiusMap`](crate::RadiusMap), and does not affect the distances
/// around it. For closed places with finer outlines, put the field [`Within`](crate::Within) an
/// [`FnRegion`](crate::FnRegion).
///
/// # Guarantees
/// 1. The field is a pure function of the closure, the spacing and the range, if the closure is a
///    pure function. Memory, threads and earlier evaluations change no bit.
/// 2. Distances lie in the range: values of the closure are clamped to it.
/// 3. Places up to 2^50 nodes from the origin are distinct; coordinates farther out are clamped.
///
/// # Cost
/// Nodes are computed on first use, in chunks of 16 x 16 cells (8 x 8 x 8 in space), and cached.
/// The cache holds up to 32 MiB (some 1.6 million cells; see [`with_memory`](Self::with_memory)),
/// and clones share it. Each thread also keeps the last 64 chunks that it used (0.3 MB in the
/// plane, 0.6 MB in space). Evaluating a place takes some 20 ns.
///
/// ```
/// use spinney_density::{DistRange, GridField, RadiusField};
///
/// // Points lie 2 to 8 units apart in a disk, and nowhere else.
/// let field = GridField::new(DistRange::new(2.0, 8.0)?, 1.0, |[x, y]: [f64; 2]| {
///     let square = x * x + y * y;
///     (square < 100.0 * 100.0).then(|| 2.0 + 6e-4 * square)
/// })?;
/// assert_eq!(field.min_dist([50.0, 0.0]), Some(3.5));
/// assert_eq!(field.min_dist([101.0, 0.0]), None);
///
/// // A closure without closed places returns plain numbers.
/// let slope = GridField::new(DistRange::new(2.0, 8.0)?, 1.0, |p: [f64; 3]| 2.0 + 0.1 * p[2])?;
/// assert_eq!(slope.min_dist([0.0, 0.0, 10.0]), Some(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridField<const D: usize> {
    range: DistRange,
    grid: Grid<D>,
}

impl<const D: usize> GridField<D> {
    /// Creates the field of `f`, evaluated at nodes `spacing` world units apart, with distances in
    /// `range`.
    ///
    /// # Errors
    /// Unless `spacing` lies between 1e-300 and 1e300, and there are one to three dimensions.
    pub fn new<F, R>(range: DistRange, spacing: f64, f: F) -> Result<Self, FieldError>
    where
        F: Fn([f64; D]) -> R + Send + Sync + 'static,
        R: Into<Option<f64>>,
    {
        let dist = move |p| f(p).into().map_or(f64::NAN, |r| range.clamp(r));
        let grid = grid(spacing, MEMORY, dist)?;
        Ok(Self { range, grid })
    }

    /// Returns the field with an empty cache of about `bytes` instead of 32 MiB, at least 8 chunks
    /// (40 kB in the plane, 80 kB in space).
    ///
    /// The cache should hold all nodes that a sampler works on at once; otherwise they are computed
    /// again.
    #[must_use]
    pub fn with_memory(self, bytes: usize) -> Self {
        Self {
            grid: self.grid.with_memory(bytes),
            ..self
        }
    }

    /// Returns the distance between nodes, world units.
    pub fn spacing(&self) -> f64 {
        self.grid.spacing()
    }
}

impl<const D: usize> RadiusField<D> for GridField<D> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        self.grid.at(p)
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        let Some(sum) = self.grid.over(bounds) else {
            let (range, coverage) = (self.range, Coverage::Part);
            return Some(LocalRange { range, coverage });
        };
        let coverage = match sum.share() {
            Share::None => return None,
            Share::All => Coverage::All,
            Share::Part => Coverage::Part,
        };
        let range = DistRange::new(sum.min, sum.max).unwrap_or(self.range);
        Some(LocalRange { range, coverage })
    }

    /// Returns the spacing of nodes, since the closure may close any of them.
    fn mask_detail(&self, _: f64) -> Option<f64> {
        Some(self.grid.spacing())
    }
}
