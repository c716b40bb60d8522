//! Why a set cannot be judged.

use crate::set::SetError;
use density::numbers::plain;
use thiserror::Error;

/// Why a set cannot be judged as asked.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum QualityError {
    /// Neither the points nor the caller say how far apart they should be.
    #[error("the points have no column min_dist; give a map, or one distance for all")]
    NoDistances,
    /// The rule needs parents.
    #[error("rule parent can be judged only with a column parent; make the points with one")]
    NoParents,
    /// A parent is not among the points.
    #[error("point {id} names {parent} as its parent, which is not among the points")]
    UnknownParent {
        /// The point.
        id: u64,
        /// Its parent.
        parent: u64,
    },
    /// On a torus every point lies inside.
    #[error("point {id} lies outside the domain, which is repeated: give the domain's true size")]
    OutsideTorus {
        /// The point.
        id: u64,
    },
    /// The torus is so small that a point would conflict with its own images.
    #[error(
        "a repeated domain must be at least twice as wide as the largest distance, but its \
         shortest side is {side} and a distance is {distance}",
        side = plain(*side), distance = plain(*distance)
    )]
    TorusTooSmall {
        /// The shortest side of the domain.
        side: f64,
        /// The largest distance.
        distance: f64,
    },
    /// Points that are to be of several layers do not say which.
    #[error("the points have no column layer; give a file that names each point's layer")]
    NoLayers,
    /// A point names a layer that there is not.
    #[error("point {id} is of layer {layer}, but there are {count} layers, numbered from 0")]
    UnknownLayer {
        /// The point.
        id: u64,
        /// Its layer.
        layer: u64,
        /// How many there are.
        count: usize,
    },
    /// The parents of points are of no layer.
    #[error("layers cannot be judged under rule parent")]
    LayersByParent,
    /// A distance that cannot be computed with.
    #[error(transparent)]
    Distance(#[from] SetError),
    /// Spectra need a plane and at least one point in each set.
    #[error("a spectrum needs at least one set with at least one point")]
    NoPoints,
    /// Frequencies along and across such a domain cannot be held on one grid.
    #[error(
        "a spectrum of a domain of {0} x {1} cannot be computed: one side is more than a million \
         times the other", plain(size[0]), plain(size[1])
    )]
    TooThin {
        /// The domain's sides.
        size: [f64; 2],
    },
}
