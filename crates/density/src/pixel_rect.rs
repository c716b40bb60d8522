//! A rectangle of the pixels of a map.

use crate::pyramid::NodeBox;
use std::fmt;

/// A rectangle of pixels of a [`PixelGrid`](crate::PixelGrid): columns and rows `min <= pixel < max`,
/// counted from the image's first column and first row.
///
/// ```
/// use spinney_density::PixelRect;
///
/// let tile = PixelRect::at([64, 0], [64, 64]).expect("a rectangle with pixels");
/// let shown = PixelRect { min: [100, 50], max: [200, 90] };
/// assert_eq!(tile.meet(&shown), PixelRect::at([100, 50], [28, 14]));
/// assert_eq!((shown.width(), shown.height()), (100, 40));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PixelRect {
    /// The first column and the first row.
    pub min: [u32; 2],
    /// The column and the row after the last.
    pub max: [u32; 2],
}

impl fmt::Display for PixelRect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([left, top], [right, bottom]) = (self.min, self.max);
        write!(f, "columns {left}..{right} and rows {top}..{bottom}")
    }
}

impl PixelRect {
    /// Returns the rectangle of this size whose first pixel is `min`; `None` if it has no pixel or
    /// exceeds 32 bits.
    pub fn at(min: [u32; 2], size: [u32; 2]) -> Option<Self> {
        let end = |axis: usize| min[axis].checked_add(size[axis]).filter(|_| size[axis] > 0);
        Some(Self {
            min,
            max: [end(0)?, end(1)?],
        })
    }

    /// Returns the number of columns.
    pub fn width(&self) -> u32 {
        self.max[0].saturating_sub(self.min[0])
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u32 {
        self.max[1].saturating_sub(self.min[1])
    }

    /// Returns `true` if this rectangle contains every pixel of `other`.
    pub fn contains(&self, other: &Self) -> bool {
        (0..2).all(|a| self.min[a] <= other.min[a] && other.max[a] <= self.max[a])
    }

    /// Returns the smallest rectangle that contains both.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self {
            min: [0, 1].map(|a| self.min[a].min(other.min[a])),
            max: [0, 1].map(|a| self.max[a].max(other.max[a])),
        }
    }

    /// Returns the intersection of both; `None` if it is empty.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let both = Self {
            min: [0, 1].map(|a| self.min[a].max(other.min[a])),
            max: [0, 1].map(|a| self.max[a].min(other.max[a])),
        };
        (0..2).all(|a| both.min[a] < both.max[a]).then_some(both)
    }

    /// Returns the first and the last pixel along each axis.
    #[inline]
    pub(crate) fn nodes(&self) -> NodeBox<2> {
        [0, 1].map(|a| [self.min[a], self.max[a] - 1])
    }

    /// Creates the rectangle from the first and the last pixel along each axis.
    #[inline]
    pub(crate) fn of_nodes(nodes: NodeBox<2>) -> Self {
        Self {
            min: nodes.map(|[first, _]| first),
            max: nodes.map(|[_, last]| last + 1),
        }
    }
}
