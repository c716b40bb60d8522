//! Errors of the measures.

use crate::set::SetError;
use density::numbers::plain;
use thiserror::Error;

/// The reason why a set cannot be measured.
///
/// ```
/// # use spinney_quality as quality;
/// use density::Bounds;
/// use quality::measures::nearest;
/// use quality::{Claim, Domain, Edges, PointSet, QualityError, Requirement, Rule};
///
/// let set = PointSet::from_positions(vec![[1.0, 1.0]])?;
/// let required = Requirement::new(&set, Rule::Max, Claim::Uniform(6.0))?;
/// let tile = Domain { bounds: Bounds::from_size([10.0, 20.0])?, edges: Edges::Torus };
/// match nearest(&set, &tile, &required) {
///     Err(QualityError::TorusTooSmall { side, distance }) => assert_eq!((side, distance), (10.0, 6.0)),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum QualityError {
    /// Neither the points nor the caller give minimum distances.
    #[error("the points have no column min_dist; give a map, or one distance for all")]
    NoDistances,
    /// The rule needs a column of parents.
    #[error("rule parent needs a column parent; give points that have one")]
    NoParents,
    /// A parent is not among the points.
    #[error("point {id} names {parent} as its parent, which is not among the points")]
    UnknownParent {
        /// Id of the point.
        id: u64,
        /// Id of its parent.
        parent: u64,
    },
    /// A point lies outside a torus.
    #[error("point {id} lies outside the periodic domain; give the domain's true size")]
    OutsideTorus {
        /// Id of the point.
        id: u64,
    },
    /// The torus is so small that a point would conflict with its own images.
    #[error(
        "a periodic domain must be at least twice as wide as the largest distance, but its \
         shortest side is {side} and a distance is {distance}",
        side = plain(*side), distance = plain(*distance)
    )]
    TorusTooSmall {
        /// The shortest side of the domain.
        side: f64,
        /// The largest distance.
        distance: f64,
    },
    /// The requirement was made for a set of another size.
    #[error("the requirement is of {requirement} points, but the set has {set}")]
    OtherSet {
        /// Number of points of the requirement.
        requirement: usize,
        /// Number of points of the set.
        set: usize,
    },
    /// The points have no column of layers.
    #[error("the points have no column layer; give a file that names each point's layer")]
    NoLayers,
    /// The layer of a point does not exist.
    #[error("point {id} is of layer {layer}, but there are {count} layers, numbered from 0")]
    UnknownLayer {
        /// Id of the point.
        id: u64,
        /// Number of its layer.
        layer: u64,
        /// Number of layers.
        count: usize,
    },
    /// Layers cannot be combined with rule `parent`: parents have no layer.
    #[error("layers cannot be checked under rule parent")]
    LayersByParent,
    /// A distance is out of range.
    #[error(transparent)]
    Distance(#[from] SetError),
    /// There is no set, or a set has no points.
    #[error("a spectrum needs at least one set with at least one point")]
    NoPoints,
    /// The domain is so thin that its frequencies along and across do not fit one grid.
    #[error(
        "a spectrum of a domain of {0} x {1} cannot be computed: one side is more than a million \
         times the other", plain(size[0]), plain(size[1])
    )]
    TooThin {
        /// The domain's sides.
        size: [f64; 2],
    },
}
