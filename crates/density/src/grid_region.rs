//! The region of a closure, sampled at nodes.

use crate::grid::{Grid, MEMORY, grid};
use crate::pyramid::Summary;
use crate::{Bounds, FieldError, Region, Share};

/// The region of the nodes at which a closure is `true`.
///
/// Nodes lie `spacing` world units apart along each axis, at whole multiples of it, and the closure
/// is evaluated only there. A place belongs to the region if its nearest node does, so the outline
/// has steps of `spacing`. If the distance to the outline is known, an
/// [`FnRegion`](crate::FnRegion) follows it exactly.
///
/// Guarantees and cost are those of a [`GridField`](crate::GridField).
///
/// ```
/// use spinney_density::{Constant, GridRegion, RadiusField, Within};
///
/// let stripes = GridRegion::new(0.5, |p: [f64; 2]| (p[0] / 10.0).floor() % 2.0 == 0.0)?;
/// let field = Within::new(Constant::new(1.0)?, stripes);
/// assert_eq!(field.min_dist([5.0, 0.0]), Some(1.0));
/// assert_eq!(field.min_dist([15.0, 0.0]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridRegion<const D: usize> {
    grid: Grid<D>,
}

impl<const D: usize> GridRegion<D> {
    /// Creates the region where `f` is `true`, evaluated at nodes `spacing` world units apart.
    ///
    /// # Errors
    /// Unless `spacing` lies between 1e-300 and 1e300, and there are one to three dimensions.
    pub fn new<F>(spacing: f64, f: F) -> Result<Self, FieldError>
    where
        F: Fn([f64; D]) -> bool + Send + Sync + 'static,
    {
        let grid = grid(spacing, MEMORY, move |p| if f(p) { 0.0 } else { f64::NAN })?;
        Ok(Self { grid })
    }

    /// Returns the region with an empty cache of about `bytes` instead of 32 MiB.
    #[must_use]
    pub fn with_memory(self, bytes: usize) -> Self {
        Self {
            grid: self.grid.with_memory(bytes),
        }
    }
}

impl<const D: usize> Region<D> for GridRegion<D> {
    #[inline]
    fn holds(&self, p: [f64; D]) -> bool {
        self.grid.at(p).is_some()
    }

    fn share_in(&self, bounds: &Bounds<D>) -> Share {
        let sum = self.grid.over(bounds);
        sum.map_or(Share::Part, Summary::share)
    }

    fn detail(&self) -> f64 {
        self.grid.spacing()
    }
}
