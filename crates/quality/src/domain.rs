//! The domain of points, and its edges.

use crate::error::QualityError;
use density::Bounds;

/// The kind of a domain's edges.
///
/// See [`Domain`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edges {
    /// There are no points beyond the edge.
    #[default]
    Open,
    /// Opposite edges are one, as in a tile that is repeated.
    Torus,
    /// There may be points beyond the edge that are not known. Gaps are only searched where no such point can matter,
    /// as far as the distances are known: those of points alone say nothing of others.
    Window,
}

impl Edges {
    /// Returns the kind's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Torus => "torus",
            Self::Window => "window",
        }
    }
}

/// A box and its edges.
///
/// ```
/// # use spinney_quality as quality;
/// use density::Bounds;
/// use quality::{Domain, Edges};
///
/// let bounds = Bounds::from_size([10.0, 10.0])?;
/// let square = |edges| Domain { bounds, edges }.square_distance([1.0, 5.0], [9.0, 5.0]);
/// assert_eq!(square(Edges::Open), 64.0);
/// // Across the edges of a tile the points are much nearer.
/// assert_eq!(square(Edges::Torus), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain<const D: usize> {
    /// The box that was filled with points, world units.
    pub bounds: Bounds<D>,
    /// The kind of its edges.
    pub edges: Edges,
}

impl<const D: usize> Domain<D> {
    /// Returns the square of the distance of two points, on a torus the shorter way round.
    ///
    /// Computed as `dx*dx + dy*dy (+ dz*dz)` in doubles, without fused multiply-add: a pair is a violation exactly if
    /// `square < d * d`.
    #[inline]
    pub fn square_distance(&self, p: [f64; D], q: [f64; D]) -> f64 {
        let mut sum = 0.0;
        for axis in 0..D {
            let mut step = (p[axis] - q[axis]).abs();
            if self.edges == Edges::Torus {
                let round = self.bounds.max()[axis] - self.bounds.min()[axis];
                step = step.min((round - step).abs());
            }
            sum += step * step;
        }
        sum
    }

    /// Returns the offsets from a point to each of its images, beginning with zero.
    pub(crate) fn shifts(&self) -> Vec<[f64; D]> {
        let mut shifts = vec![[0.0; D]];
        if self.edges == Edges::Torus {
            for (axis, side) in self.bounds.size().into_iter().enumerate() {
                let shifted: Vec<[f64; D]> = shifts
                    .iter()
                    .flat_map(|shift| [-side, side].map(|by| with(*shift, axis, by)))
                    .collect();
                shifts.extend(shifted);
            }
        }
        shifts
    }

    /// Returns the shortest side, world units.
    pub(crate) fn shortest_side(&self) -> f64 {
        let sides = self.bounds.size().into_iter();
        sides.fold(f64::INFINITY, f64::min)
    }

    /// Checks that a distance is at most half the shortest side of a torus: only one image of a point can then be
    /// closer.
    pub(crate) fn check_period(&self, distance: f64) -> Result<(), QualityError> {
        let side = self.shortest_side();
        if self.edges == Edges::Torus && distance > 0.5 * side {
            return Err(QualityError::TorusTooSmall { side, distance });
        }
        Ok(())
    }

    /// Returns `true` if the point lies in the closed box. Samplers use half-open ones, but rounding may move a point
    /// onto an upper edge, and one point of a bounding box always lies there.
    pub fn holds(&self, p: [f64; D]) -> bool {
        let (min, max) = (self.bounds.min(), self.bounds.max());
        (0..D).all(|a| min[a] <= p[a] && p[a] <= max[a])
    }
}

/// Returns the parts of a box below and above `at` along an axis; `None` if one of them is empty.
pub(crate) fn cut<const D: usize>(
    bounds: &Bounds<D>,
    axis: usize,
    at: f64,
) -> Option<[Bounds<D>; 2]> {
    let (low, high) = (with(bounds.max(), axis, at), with(bounds.min(), axis, at));
    Some([
        Bounds::new(bounds.min(), low).ok()?,
        Bounds::new(high, bounds.max()).ok()?,
    ])
}

/// Returns the halves across the longest side; `None` if the box is too small to halve.
pub(crate) fn halves<const D: usize>(bounds: &Bounds<D>) -> Option<[Bounds<D>; 2]> {
    let (min, max, side) = (bounds.min(), bounds.max(), bounds.size());
    let axis = (0..D).max_by(|a, b| side[*a].total_cmp(&side[*b]))?;
    cut(bounds, axis, 0.5 * min[axis] + 0.5 * max[axis])
}

/// Returns a box with each side moved outwards by `by`; `None` if nothing is left.
pub(crate) fn grown<const D: usize>(bounds: &Bounds<D>, by: f64) -> Option<Bounds<D>> {
    let (min, max) = (bounds.min().map(|x| x - by), bounds.max().map(|x| x + by));
    Bounds::new(min, max).ok()
}

fn with<const D: usize>(mut p: [f64; D], axis: usize, value: f64) -> [f64; D] {
    p[axis] = value;
    p
}

/// Returns `p + q`.
#[inline]
pub(crate) fn sum<const D: usize>(p: [f64; D], q: [f64; D]) -> [f64; D] {
    std::array::from_fn(|a| p[a] + q[a])
}
