//! Axis-aligned boxes in world units.

use thiserror::Error;

/// A half-open box `min <= p < max` in `D` dimensions, world units.
///
/// # Guarantees
/// Every coordinate is finite, `min[a] < max[a]` on each axis `a`, and so is every extent.
///
/// ```
/// use spinney_density::Bounds;
///
/// let field = Bounds::with_origin([100.0, 0.0], [64.0, 32.0])?;
/// assert_eq!((field.max(), field.volume()), ([164.0, 32.0], 2048.0));
/// assert!(field.contains([100.0, 0.0]) && !field.contains([164.0, 0.0]));
/// # Ok::<(), spinney_density::BoundsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Corners<D>")
)]
pub struct Bounds<const D: usize> {
    #[cfg_attr(feature = "serde", serde(with = "serde_big_array::BigArray"))]
    min: [f64; D],
    #[cfg_attr(feature = "serde", serde(with = "serde_big_array::BigArray"))]
    max: [f64; D],
}

/// A saved box that is not checked yet.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Corners<const D: usize> {
    #[serde(with = "serde_big_array::BigArray")]
    min: [f64; D],
    #[serde(with = "serde_big_array::BigArray")]
    max: [f64; D],
}

#[cfg(feature = "serde")]
impl<const D: usize> TryFrom<Corners<D>> for Bounds<D> {
    type Error = BoundsError;

    fn try_from(saved: Corners<D>) -> Result<Self, BoundsError> {
        Self::new(saved.min, saved.max)
    }
}

/// Reason for refusing a box.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BoundsError {
    /// A corner or an extent is infinite or not a number.
    #[error("bounds must be finite, but axis {axis} runs from {min:?} to {max:?}")]
    NotFinite {
        /// Number of the axis, from 0.
        axis: usize,
        /// Lower end of the box on this axis, as given.
        min: f64,
        /// Upper end of the box on this axis, as given.
        max: f64,
    },
    /// The box is empty: an extent is zero, negative, or lost in rounding.
    #[error(
        "bounds must have a positive size, but axis {axis} runs from {min:?} to {max:?} \
         (far from the origin, small sizes are lost in rounding)"
    )]
    Empty {
        /// Number of the axis, from 0.
        axis: usize,
        /// Lower end of the box on this axis, as given.
        min: f64,
        /// Upper end of the box on this axis, as given.
        max: f64,
    },
}

impl<const D: usize> Bounds<D> {
    /// Creates the box from corner `min` to corner `max`.
    ///
    /// # Errors
    /// When a corner or an extent is not finite, or an extent is not positive.
    #[inline]
    pub fn new(min: [f64; D], max: [f64; D]) -> Result<Self, BoundsError> {
        // A positive finite extent implies finite ends. This check is the fast path: boxes are
        // created by the million.
        let is_ordinary = |axis: usize| {
            let extent = max[axis] - min[axis];
            0.0 < extent && extent < f64::INFINITY
        };
        if (0..D).all(is_ordinary) {
            return Ok(Self { min, max });
        }
        Self::checked(min, max)
    }

    /// Checks the corners one axis at a time, and returns the reason if they do not form a box.
    #[cold]
    fn checked(min: [f64; D], max: [f64; D]) -> Result<Self, BoundsError> {
        for axis in 0..D {
            let (lo, hi) = (min[axis], max[axis]);
            if !(lo.is_finite() && hi.is_finite() && (hi - lo).is_finite()) {
                return Err(BoundsError::NotFinite {
                    axis,
                    min: lo,
                    max: hi,
                });
            }
            if lo >= hi {
                return Err(BoundsError::Empty {
                    axis,
                    min: lo,
                    max: hi,
                });
            }
        }
        Ok(Self { min, max })
    }

    /// Creates the box of the given size whose lowest corner is the origin of coordinates.
    ///
    /// # Errors
    /// See [`Bounds::new`].
    pub fn from_size(size: [f64; D]) -> Result<Self, BoundsError> {
        Self::new([0.0; D], size)
    }

    /// Creates the box of the given size whose lowest corner is `origin`.
    ///
    /// # Errors
    /// See [`Bounds::new`].
    pub fn with_origin(origin: [f64; D], size: [f64; D]) -> Result<Self, BoundsError> {
        Self::new(origin, std::array::from_fn(|a| origin[a] + size[a]))
    }

    /// Returns the lowest corner, which is inside the box.
    #[inline]
    pub fn min(&self) -> [f64; D] {
        self.min
    }

    /// Returns the highest corner, which is outside the box.
    #[inline]
    pub fn max(&self) -> [f64; D] {
        self.max
    }

    /// Returns the extent along each axis.
    #[inline]
    pub fn size(&self) -> [f64; D] {
        std::array::from_fn(|a| self.max[a] - self.min[a])
    }

    /// Returns the centre of the box.
    #[inline]
    pub fn center(&self) -> [f64; D] {
        std::array::from_fn(|a| self.min[a] + 0.5 * (self.max[a] - self.min[a]))
    }

    /// Returns the area in 2D, the volume in 3D. May overflow to infinity for astronomic boxes.
    pub fn volume(&self) -> f64 {
        self.size().iter().product()
    }

    /// Returns the largest extent.
    ///
    /// ```
    /// let strip = spinney_density::Bounds::new([-1.0, 5.0], [9.0, 7.0])?;
    /// assert_eq!(strip.longest_side(), 10.0);
    /// # Ok::<(), spinney_density::BoundsError>(())
    /// ```
    pub fn longest_side(&self) -> f64 {
        self.size().into_iter().fold(0.0, f64::max)
    }

    /// Returns the distance from the centre to the corners, slightly rounded up.
    pub(crate) fn half_diagonal(&self) -> f64 {
        // Relative to the longest side: squares of tiny sides would underflow, those of large ones
        // overflow.
        let longest = self.longest_side();
        let squares = self.size().map(|s| (s / longest) * (s / longest));
        0.5 * longest * squares.iter().sum::<f64>().sqrt() * (1.0 + 1e-12)
    }

    /// Returns `true` if `min <= p < max` on every axis; always `false` for NaN.
    #[inline]
    pub fn contains(&self, p: [f64; D]) -> bool {
        (0..D).all(|a| self.min[a] <= p[a] && p[a] < self.max[a])
    }

    /// Returns the intersection with another box; `None` if they do not overlap. Boxes that touch do not.
    ///
    /// ```
    /// use spinney_density::Bounds;
    ///
    /// let world = Bounds::from_size([100.0, 100.0])?;
    /// let window = Bounds::new([80.0, -10.0], [120.0, 10.0])?;
    /// let common = Bounds::new([80.0, 0.0], [100.0, 10.0])?;
    /// assert_eq!(world.intersection(&window), Some(common));
    /// let beside = Bounds::new([100.0, 0.0], [120.0, 10.0])?;
    /// assert_eq!(world.intersection(&beside), None);
    /// # Ok::<(), spinney_density::BoundsError>(())
    /// ```
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        Self::new(
            std::array::from_fn(|a| self.min[a].max(other.min[a])),
            std::array::from_fn(|a| self.max[a].min(other.max[a])),
        )
        .ok()
    }

    /// Returns `true` if all of `other` lies in this box, which may end where `other` ends.
    ///
    /// ```
    /// use spinney_density::Bounds;
    ///
    /// let world = Bounds::from_size([100.0, 100.0])?;
    /// assert!(world.encloses(&world));
    /// assert!(!world.encloses(&Bounds::new([80.0, -10.0], [100.0, 10.0])?));
    /// # Ok::<(), spinney_density::BoundsError>(())
    /// ```
    #[inline]
    pub fn encloses(&self, other: &Self) -> bool {
        (0..D).all(|a| self.min[a] <= other.min[a] && other.max[a] <= self.max[a])
    }

    /// Returns the part of the box in corner number `index` of `2^D`: bit `a` of `index` is set for
    /// the upper half along axis `a`. `None` if the box is too small to be halved.
    ///
    /// ```
    /// use spinney_density::Bounds;
    ///
    /// let world = Bounds::from_size([100.0, 40.0])?;
    /// let lower_right = Bounds::new([50.0, 0.0], [100.0, 20.0])?;
    /// assert_eq!(world.corner(0b01), Some(lower_right));
    /// # Ok::<(), spinney_density::BoundsError>(())
    /// ```
    pub fn corner(&self, index: usize) -> Option<Self> {
        let Self { min, max } = self.halved(index);
        Self::new(min, max).ok()
    }

    /// Returns the part in corner number `index` of a box that is known to have a
    /// [`corner`](Self::corner).
    #[inline]
    pub(crate) fn halved(&self, index: usize) -> Self {
        let mid = self.center();
        let upper = |a: usize| index >> a & 1 == 1;
        Self {
            min: std::array::from_fn(|a| if upper(a) { mid[a] } else { self.min[a] }),
            max: std::array::from_fn(|a| if upper(a) { self.max[a] } else { mid[a] }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_holds_no_place() {
        assert!(matches!(
            Bounds::from_size([1.0, f64::NAN]),
            Err(BoundsError::NotFinite { axis: 1, .. })
        ));
        assert!(matches!(
            Bounds::from_size([0.0, 1.0]),
            Err(BoundsError::Empty { axis: 0, .. })
        ));
        assert!(Bounds::new([-1e308], [1e308]).is_err(), "extent overflows");
        assert!(Bounds::with_origin([1e300], [1.0]).is_err(), "size is lost");
    }

    #[test]
    fn corners_tile_the_box() {
        let b = Bounds::new([1.0, 2.0], [5.0, 10.0]).expect("a good box");
        let area: f64 = (0..4).filter_map(|i| b.corner(i)).map(|c| c.volume()).sum();
        assert_eq!(area, b.volume());
        assert_eq!(b.corner(1).map(|c| c.min()), Some([3.0, 2.0]));
        assert_eq!(b.corner(2).map(|c| c.min()), Some([1.0, 6.0]));
    }

    #[test]
    fn too_small_boxes_have_no_corners() {
        let next = 1.0_f64.next_up();
        let thin = Bounds::new([0.0, 1.0], [1.0, next]).expect("a good box");
        assert!((0..4).any(|i| thin.corner(i).is_none()));
        assert!(thin.encloses(&thin));
    }

    #[test]
    fn encloses_is_intersection_with_a_smaller_box() {
        let b = Bounds::new([0.0, 0.0], [4.0, 2.0]).expect("a good box");
        for (x, y) in (-2..6).flat_map(|x| (-2..4).map(move |y| (f64::from(x), f64::from(y)))) {
            let other = Bounds::with_origin([x, y], [2.0, 1.0]).expect("a good box");
            let common = b.intersection(&other);
            assert_eq!(b.encloses(&other), common == Some(other), "{other:?}");
            assert_eq!(common, other.intersection(&b));
            let overlaps = (-1.0..4.0).contains(&x) && (0.0..2.0).contains(&y);
            assert_eq!(common.is_some(), overlaps, "{other:?}");
        }
    }

    #[test]
    fn centers_and_diagonals_are_right_at_any_scale() {
        for scale in [1e-200, 1.0, 1e300] {
            let b = Bounds::with_origin([scale; 2], [6.0 * scale, 8.0 * scale]);
            let b = b.expect("a good box");
            let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-11;
            assert!(near(b.center()[0], 4.0 * scale) && near(b.center()[1], 5.0 * scale));
            assert!(near(b.longest_side(), 8.0 * scale));
            let half = b.half_diagonal();
            assert!(near(half, 5.0 * scale) && half > 5.0 * scale, "{half}");
        }
    }

    #[test]
    fn is_half_open() {
        let b = Bounds::from_size([1.0, 1.0]).expect("a good box");
        assert!(b.contains([0.0, 0.0]));
        assert!(!b.contains([1.0, 0.5]));
        assert!(!b.contains([f64::NAN, 0.5]));
    }
}
