//! Polygons with holes, and the region that they cover.

mod error;
mod exact;
mod grow;
#[cfg(any(feature = "geojson", feature = "svg"))]
mod outlines;
mod tree;

pub use error::PolygonError;
#[cfg(any(feature = "geojson", feature = "svg"))]
pub use outlines::{OutlineError, Outlines};

use crate::{Bounds, Region, Share};
use tree::Tree;

/// Coordinates are no larger than this, world units, so that no product of two overflows.
const MOST: f64 = 1e100;

/// Corners of all polygons together are numbered in 32 bits.
const MOST_CORNERS: usize = 1 << 27;

/// Which places a polygon's rings enclose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FillRule {
    /// Those that an odd number of rings go around: a ring inside a ring is a hole, whichever
    /// way it runs.
    #[default]
    EvenOdd,
    /// Those around which the rings turn at all: a hole has to run the other way. As in SVG unless a
    /// drawing says otherwise.
    NonZero,
}

impl FillRule {
    /// Whether places with this winding number are inside.
    #[inline]
    fn fills(self, winding: i32) -> bool {
        match self {
            Self::EvenOdd => winding & 1 != 0,
            Self::NonZero => winding != 0,
        }
    }
}

/// A polygon: closed rings of straight edges, of which some may be holes.
///
/// Rings may cross themselves and each other. There are two kinds of polygons: rings under one
/// fill rule ([`Polygon::new`], as in SVG), and an outline without its holes
/// ([`Polygon::with_holes`], as in `GeoJSON`).
///
/// # Guarantees
/// There is at least one ring, every ring has at least three corners, and every coordinate is
/// finite and at most 1e100 in size.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    rings: Vec<Vec<[f64; 2]>>,
    fill: FillRule,
    /// The number of rings, at the end of the list, that are holes in the others.
    holes: usize,
}

impl Polygon {
    /// The polygon of these rings, world units. The last corner of a ring is joined to the first;
    /// it may repeat it.
    ///
    /// # Errors
    /// Without a ring, when a ring has fewer than three corners, or when a coordinate is not
    /// finite or larger than 1e100.
    pub fn new(rings: Vec<Vec<[f64; 2]>>, fill: FillRule) -> Result<Self, PolygonError> {
        Self::checked(rings, fill, 0)
    }

    /// The places inside `outline` that lie in none of `holes`, however these overlap, repeat,
    /// nest or leave the outline. Each ring by itself encloses places by [`FillRule::EvenOdd`],
    /// and its direction does not matter.
    ///
    /// ```
    /// use spinney_density::polygons::{Polygon, Polygons};
    /// use spinney_density::Region;
    ///
    /// let square = |from: f64, to: f64| vec![[from, from], [to, from], [to, to], [from, to]];
    /// let holes = vec![square(2.0, 6.0), square(4.0, 8.0)];
    /// let ring = Polygons::new(vec![Polygon::with_holes(square(0.0, 9.0), holes)?])?;
    /// assert!(ring.holds([1.0, 1.0]) && !ring.holds([5.0, 5.0]));
    /// # Ok::<(), spinney_density::polygons::PolygonError>(())
    /// ```
    ///
    /// # Errors
    /// When a ring has fewer than three corners, or a coordinate is not finite or larger than
    /// 1e100. In errors the outline is ring 0 and the first hole is ring 1.
    pub fn with_holes(
        outline: Vec<[f64; 2]>,
        holes: Vec<Vec<[f64; 2]>>,
    ) -> Result<Self, PolygonError> {
        let count = holes.len();
        let rings = std::iter::once(outline).chain(holes).collect();
        Self::checked(rings, FillRule::EvenOdd, count)
    }

    fn checked(
        mut rings: Vec<Vec<[f64; 2]>>,
        fill: FillRule,
        holes: usize,
    ) -> Result<Self, PolygonError> {
        if rings.is_empty() {
            return Err(PolygonError::NoRing);
        }
        for (ring, corners) in rings.iter_mut().enumerate() {
            if corners.len() > 1 && corners.first() == corners.last() {
                corners.pop();
            }
            if corners.len() < 3 {
                let found = corners.len();
                return Err(PolygonError::TooFewCorners { ring, found });
            }
            for (corner, place) in corners.iter().enumerate() {
                if let Some(&value) = place.iter().find(|x| x.is_nan() || x.abs() > MOST) {
                    return Err(PolygonError::OutOfScale {
                        ring,
                        corner,
                        value,
                        limit: MOST,
                    });
                }
            }
        }
        Ok(Self { rings, fill, holes })
    }

    /// All rings, holes last, each without a repetition of its first corner.
    pub fn rings(&self) -> &[Vec<[f64; 2]>] {
        &self.rings
    }

    /// The rule by which rings enclose places: all together, or each hole by itself.
    pub fn fill(&self) -> FillRule {
        self.fill
    }

    /// The rings whose inside does not belong to the polygon; none without
    /// [`Polygon::with_holes`].
    pub fn holes(&self) -> &[Vec<[f64; 2]>] {
        &self.rings[self.rings.len() - self.holes..]
    }
}

/// The region that polygons cover together: a place belongs to it when it lies in any of them.
///
/// Whether a place lies in a polygon is decided exactly, as the sign of determinants (Shewchuk,
/// "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997),
/// down to differences of 1e-150. Places on an edge belong to the side of greater x (of greater y
/// along a horizontal one), so polygons that share an edge leave no gap and do not overlap.
///
/// # Cost
/// A quadtree of the edges, some 70 bytes a corner and O(log n) for a question, unless very many
/// edges meet in one place or cross everywhere: then it is right, but slow.
///
/// ```
/// use spinney_density::polygons::{FillRule, Polygon, Polygons};
/// use spinney_density::{Bounds, Region, Share};
///
/// let square = |lo: f64, hi: f64| vec![[lo, lo], [hi, lo], [hi, hi], [lo, hi]];
/// let frame = Polygon::new(vec![square(0.0, 9.0), square(3.0, 6.0)], FillRule::EvenOdd)?;
/// let frame = Polygons::new(vec![frame])?;
/// assert!(frame.holds([1.0, 4.0]) && !frame.holds([4.0, 4.0]));
/// assert_eq!(frame.share_in(&Bounds::new([0.0, 0.0], [2.0, 9.0])?), Share::All);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Polygons {
    tree: Tree,
    corners: usize,
    count: usize,
}

impl Polygons {
    /// The union of some polygons. O(n log n) for n corners.
    ///
    /// # Errors
    /// Without a polygon, with more than 2^27 corners in all, and when all corners lie on one horizontal or
    /// vertical line.
    pub fn new(polygons: Vec<Polygon>) -> Result<Self, PolygonError> {
        let corners = |polygon: &Polygon| polygon.rings.iter().map(Vec::len).sum::<usize>();
        let corners: usize = polygons.iter().map(corners).sum();
        if corners > MOST_CORNERS {
            return Err(PolygonError::TooManyCorners {
                found: corners,
                limit: MOST_CORNERS,
            });
        }
        if polygons.is_empty() {
            return Err(PolygonError::NoPolygon);
        }
        let count = polygons.len();
        let tree = Tree::new(polygons).ok_or(PolygonError::NoArea)?;
        Ok(Self {
            tree,
            corners,
            count,
        })
    }

    /// How many polygons there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Never: there is at least one polygon.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many corners they have together.
    pub fn corners(&self) -> usize {
        self.corners
    }

    /// The smallest box around all of them.
    pub fn bounds(&self) -> Bounds<2> {
        self.tree.bounds()
    }
}

impl Region<2> for Polygons {
    #[inline]
    fn holds(&self, p: [f64; 2]) -> bool {
        self.tree.holds(p)
    }

    fn share_in(&self, bounds: &Bounds<2>) -> Share {
        self.tree.share_in(bounds)
    }

    fn detail(&self) -> f64 {
        0.0
    }
}
