//! Polygons with holes, and the region that they cover.

mod error;
mod exact;
mod grow;
#[cfg(any(feature = "geojson", feature = "svg"))]
mod outlines;
mod tree;

pub use error::PolygonError;
#[cfg(any(feature = "geojson", feature = "svg"))]
pub use outlines::{OutlineError, Outlines, system_of_world};

use crate::{Bounds, Region, Share};
use tree::Tree;

/// Largest coordinate, world units: the product of two does not overflow.
const MOST: f64 = 1e100;

/// Largest number of corners of all polygons together: their numbers have 32 bits.
const MOST_CORNERS: usize = 1 << 27;

/// The rule that decides which places the rings of a polygon enclose.
///
/// ```
/// use spinney_density::Region;
/// use spinney_density::polygons::{FillRule, Polygon, Polygons};
///
/// // Both rings run the same way.
/// let square = |lo: f64, hi: f64| vec![[lo, lo], [hi, lo], [hi, hi], [lo, hi]];
/// for (rule, is_filled) in [(FillRule::EvenOdd, false), (FillRule::NonZero, true)] {
///     let frame = Polygon::new(vec![square(0.0, 10.0), square(4.0, 6.0)], rule)?;
///     assert_eq!(Polygons::new(vec![frame])?.holds([5.0, 5.0]), is_filled);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FillRule {
    /// Encloses the places that an odd number of rings go around. A ring inside a ring is a hole, in either direction.
    #[default]
    EvenOdd,
    /// Encloses the places with a winding number other than 0: a hole has to run the other way. The default of SVG.
    NonZero,
}

impl FillRule {
    /// Returns `true` if places with this winding number are inside.
    #[inline]
    fn fills(self, winding: i32) -> bool {
        match self {
            Self::EvenOdd => winding & 1 != 0,
            Self::NonZero => winding != 0,
        }
    }
}

/// A polygon: closed rings of straight edges, some of which may be holes.
///
/// Rings may cross themselves and each other. There are two kinds of polygons: rings under one
/// fill rule ([`Polygon::new`], as in SVG), and an outline without its holes
/// ([`Polygon::with_holes`], as in `GeoJSON`).
///
/// # Guarantees
/// There is at least one ring, every ring has at least three corners, and every coordinate is
/// finite and at most 1e100 in size.
///
/// See [`Polygons`] and [`Polygon::with_holes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    rings: Vec<Vec<[f64; 2]>>,
    fill: FillRule,
    /// The number of rings, at the end of the list, that are holes in the others.
    holes: usize,
}

impl Polygon {
    /// Creates the polygon of these rings, world units. The last corner of a ring is joined to the first, which it may
    /// repeat.
    ///
    /// # Errors
    /// If there is no ring, a ring has fewer than three corners, or a coordinate is not finite or larger than 1e100.
    pub fn new(rings: Vec<Vec<[f64; 2]>>, fill: FillRule) -> Result<Self, PolygonError> {
        Self::checked(rings, fill, 0)
    }

    /// Creates the polygon of the places inside `outline` that lie in none of `holes`. Holes may overlap, repeat, nest
    /// or leave the outline. Each ring by itself encloses places by [`FillRule::EvenOdd`]; its direction does not
    /// matter.
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
    /// If a ring has fewer than three corners, or a coordinate is not finite or larger than 1e100. In errors the
    /// outline is ring 0 and the first hole is ring 1.
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

    /// Returns all rings, holes last, each without a repetition of its first corner.
    pub fn rings(&self) -> &[Vec<[f64; 2]>] {
        &self.rings
    }

    /// Returns the rule by which rings enclose places: all rings together, or each hole by itself.
    pub fn fill(&self) -> FillRule {
        self.fill
    }

    /// Returns the rings whose inside does not belong to the polygon: none unless [`Polygon::with_holes`] created it.
    pub fn holes(&self) -> &[Vec<[f64; 2]>] {
        &self.rings[self.rings.len() - self.holes..]
    }
}

/// The union of polygons as a region: the places that lie in any of them.
///
/// Whether a place lies in a polygon is decided exactly, by the sign of determinants, down to differences of 1e-150
/// (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997). Places on an
/// edge belong to the side of greater x (of greater y along a horizontal edge). So polygons that share an edge leave no
/// gap and do not overlap. If corners miss a neighbour's edge by a few roundings, the strip between them may be open to
/// [`holds`](Region::holds), but boxes ([`share_in`](Region::share_in)) count it as closed.
///
/// # Cost
/// A quadtree of the edges: some 70 bytes a corner, up to 125 MB more if edges lie close side by side or cross
/// everywhere; O(log n) a query. If more than some thousands do so, or meet in one place, queries are exact but slow.
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
    /// Creates the union of some polygons. O(n log n) for n corners.
    ///
    /// # Errors
    /// If there is no polygon, there are more than 2^27 corners in all, or all corners lie on one horizontal or
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

    /// Returns the number of polygons.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns `false`: there is at least one polygon.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of corners of all polygons together.
    pub fn corners(&self) -> usize {
        self.corners
    }

    /// Returns the smallest box around all polygons.
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
