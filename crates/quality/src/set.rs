//! A set of points to be measured.

use density::numbers::plain;
use thiserror::Error;

/// The columns of a set: one entry per point, in the order of the file.
///
/// See [`PointSet`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns<const D: usize> {
    /// Positions, world units.
    pub positions: Vec<[f64; D]>,
    /// Unique ids. Of two points, the one with the smaller id is the earlier. `None`: positions in
    /// the file, from 0.
    pub ids: Option<Vec<u64>>,
    /// Minimum distances, world units.
    pub min_dist: Option<Vec<f64>>,
    /// Id of the point around which each point was drawn.
    pub parents: Option<Vec<Option<u64>>>,
    /// Ranks in a nested order.
    pub ranks: Option<Vec<u64>>,
    /// Layers (species), from 0.
    pub layers: Option<Vec<u64>>,
}

/// A set of points.
///
/// # Guarantees
/// Every column has one entry per point; coordinates are finite and at most [`PointSet::MOST`] in
/// absolute value; minimum distances lie between 1 / `MOST` and `MOST` (so that no square over- or
/// underflows); ids are unique; there are fewer than 2^32 points.
///
/// ```
/// # use spinney_quality as quality;
/// use quality::{Columns, PointSet, SetError};
///
/// let positions = vec![[0.0, 0.0], [2.0, 0.0]];
/// let set = PointSet::from_positions(positions.clone())?;
/// assert_eq!((set.ids(), set.min_dist()), (&[0, 1][..], None));
/// let twice = Columns { positions, ids: Some(vec![7, 7]), ..Columns::default() };
/// assert_eq!(PointSet::new(twice), Err(SetError::DuplicateId { id: 7 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PointSet<const D: usize> {
    /// All columns except the ids.
    columns: Columns<D>,
    ids: Vec<u64>,
}

/// The reason why points are not a valid set.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SetError {
    /// A column is shorter or longer than the others.
    #[error("there are {points} points but {found} entries in column {column}")]
    Length {
        /// Name of the column.
        column: &'static str,
        /// Number of positions.
        points: usize,
        /// Number of entries in the column.
        found: usize,
    },
    /// There are too many points.
    #[error("{points} points are more than the {limit} that can be checked at a time")]
    TooMany {
        /// Number of points.
        points: usize,
        /// Greatest number allowed.
        limit: usize,
    },
    /// A coordinate is not finite or too large.
    #[error(
        "point {index} (counted from 0) has {column} = {value}; \
         numbers must be finite, between -{limit:e} and {limit:e}",
        value = plain(*value)
    )]
    OutOfScale {
        /// Index of the point, from 0.
        index: usize,
        /// Name of the column.
        column: &'static str,
        /// The number.
        value: f64,
        /// The greatest absolute value allowed.
        limit: f64,
    },
    /// A minimum distance is not positive, or out of range.
    #[error(
        "point {index} (counted from 0) has min_dist = {value}; \
         it must be positive, between {least:e} and {limit:e}",
        value = plain(*value), least = limit.recip()
    )]
    NotADistance {
        /// Index of the point, from 0.
        index: usize,
        /// The number.
        value: f64,
        /// The greatest value allowed; the least is 1 / `limit`.
        limit: f64,
    },
    /// Two points have the same id.
    #[error("id {id} is used more than once; give every point its own, or leave ids out")]
    DuplicateId {
        /// The id.
        id: u64,
    },
}

impl<const D: usize> PointSet<D> {
    /// The greatest absolute value of a number.
    pub const MOST: f64 = 1e150;

    /// Creates a set from its columns.
    ///
    /// # Errors
    /// If a guarantee of the type would not hold; the error says which.
    pub fn new(mut columns: Columns<D>) -> Result<Self, SetError> {
        let points = columns.positions.len();
        let limit = u32::MAX as usize;
        if points >= limit {
            return Err(SetError::TooMany { points, limit });
        }
        let lengths = [
            ("id", columns.ids.as_ref().map(Vec::len)),
            ("min_dist", columns.min_dist.as_ref().map(Vec::len)),
            ("parent", columns.parents.as_ref().map(Vec::len)),
            ("rank", columns.ranks.as_ref().map(Vec::len)),
            ("layer", columns.layers.as_ref().map(Vec::len)),
        ];
        for (column, length) in lengths {
            if let Some(found) = length
                && found != points
            {
                return Err(SetError::Length {
                    column,
                    points,
                    found,
                });
            }
        }
        check_positions(&columns.positions, Self::MOST)?;
        check_distances(columns.min_dist.as_deref().unwrap_or_default(), Self::MOST)?;
        let ids = match columns.ids.take() {
            Some(ids) => {
                let mut sorted = ids.clone();
                sorted.sort_unstable();
                if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                    return Err(SetError::DuplicateId { id: pair[0] });
                }
                ids
            }
            None => (0..points as u64).collect(),
        };
        Ok(Self { columns, ids })
    }

    /// Creates a set from positions alone.
    ///
    /// # Errors
    /// The errors of [`PointSet::new`].
    pub fn from_positions(positions: Vec<[f64; D]>) -> Result<Self, SetError> {
        Self::new(Columns {
            positions,
            ..Columns::default()
        })
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.columns.positions.len()
    }

    /// Returns `true` if there are no points.
    pub fn is_empty(&self) -> bool {
        self.columns.positions.is_empty()
    }

    /// Returns the positions.
    pub fn positions(&self) -> &[[f64; D]] {
        &self.columns.positions
    }

    /// Returns the ids.
    pub fn ids(&self) -> &[u64] {
        &self.ids
    }

    /// Returns `column`; empty if there are no points, which lack no column.
    pub(crate) fn or_empty<'a, T>(&self, column: Option<&'a [T]>) -> Option<&'a [T]> {
        column.or(self.is_empty().then_some(&[]))
    }

    /// Returns the minimum distances stored with the points.
    pub fn min_dist(&self) -> Option<&[f64]> {
        self.columns.min_dist.as_deref()
    }

    /// Returns the id of the point around which each point was drawn.
    pub fn parents(&self) -> Option<&[Option<u64>]> {
        self.columns.parents.as_deref()
    }

    /// Returns the ranks stored with the points.
    pub fn ranks(&self) -> Option<&[u64]> {
        self.columns.ranks.as_deref()
    }

    /// Returns the layers (species) stored with the points.
    pub fn layers(&self) -> Option<&[u64]> {
        self.columns.layers.as_deref()
    }

    /// Returns the points of a layer, in their order; an empty set without a column of layers.
    #[must_use]
    pub fn of_layer(&self, layer: u64) -> Self {
        let layers = self.layers().unwrap_or_default();
        let of: Vec<usize> = (0..layers.len()).filter(|&i| layers[i] == layer).collect();
        self.of(&of)
    }

    /// Returns the points with these indices, in this order, each once.
    pub(crate) fn of(&self, which: &[usize]) -> Self {
        fn picked<T: Copy>(all: &[T], which: &[usize]) -> Vec<T> {
            which.iter().map(|&i| all[i]).collect()
        }
        let columns = Columns {
            positions: picked(self.positions(), which),
            ids: None,
            min_dist: self.min_dist().map(|all| picked(all, which)),
            parents: self.parents().map(|all| picked(all, which)),
            ranks: self.ranks().map(|all| picked(all, which)),
            layers: self.layers().map(|all| picked(all, which)),
        };
        let ids = picked(self.ids(), which);
        Self { columns, ids }
    }
}

fn check_positions<const D: usize>(positions: &[[f64; D]], limit: f64) -> Result<(), SetError> {
    for (index, p) in positions.iter().enumerate() {
        for (axis, &value) in p.iter().enumerate() {
            if !value.is_finite() || value.abs() > limit {
                return Err(SetError::OutOfScale {
                    index,
                    column: ["x", "y", "z"].get(axis).copied().unwrap_or("w"),
                    value,
                    limit,
                });
            }
        }
    }
    Ok(())
}

/// Checks that all minimum distances are positive and in range.
pub(crate) fn check_distances(min_dist: &[f64], limit: f64) -> Result<(), SetError> {
    for (index, &value) in min_dist.iter().enumerate() {
        if !(value >= limit.recip() && value <= limit) {
            return Err(SetError::NotADistance {
                index,
                value,
                limit,
            });
        }
    }
    Ok(())
}
