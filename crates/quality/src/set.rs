//! The points under judgement.

use density::numbers::plain;
use thiserror::Error;

/// What is known of each point, one entry a point, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns<const D: usize> {
    /// Where it is, world units.
    pub positions: Vec<[f64; D]>,
    /// What it is called, each name once. Ids also say who came first: the smaller is the
    /// earlier. `None`: the point's place in the file, from 0.
    pub ids: Option<Vec<u64>>,
    /// The minimum distance asked for at it, world units.
    pub min_dist: Option<Vec<f64>>,
    /// The id of the point around which it was thrown.
    pub parents: Option<Vec<Option<u64>>>,
    /// Its place in a nested order.
    pub ranks: Option<Vec<u64>>,
    /// Its layer (species), from 0.
    pub layers: Option<Vec<u64>>,
}

/// A set of points.
///
/// # Guarantees
/// Every column has one entry a point; coordinates are finite and at most
/// [`PointSet::MOST`] in size, minimum distances lie between 1 / `MOST` and `MOST` (so that
/// no square over- or underflows), ids are unique, there are fewer than 2^32 points.
#[derive(Clone, Debug, PartialEq)]
pub struct PointSet<const D: usize> {
    /// All but the ids.
    columns: Columns<D>,
    ids: Vec<u64>,
}

/// Why points were refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SetError {
    /// A column is shorter or longer than the others.
    #[error("there are {points} points but {found} entries in column {column}")]
    Length {
        /// The column.
        column: &'static str,
        /// How many positions there are.
        points: usize,
        /// How many entries it has.
        found: usize,
    },
    /// More points than can be numbered.
    #[error("{points} points are more than the {limit} that can be judged at a time")]
    TooMany {
        /// How many there are.
        points: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A number that cannot be computed with.
    #[error(
        "point {index} (counted from 0) has {column} = {value}; \
         numbers must be finite, between -{limit:e} and {limit:e}",
        value = plain(*value)
    )]
    OutOfScale {
        /// Which point, from 0.
        index: usize,
        /// The column.
        column: &'static str,
        /// The number.
        value: f64,
        /// The greatest allowed.
        limit: f64,
    },
    /// A minimum distance that is none.
    #[error(
        "point {index} (counted from 0) has min_dist = {value}; \
         it must be positive, between 1/{limit:e} and {limit:e}",
        value = plain(*value)
    )]
    NotADistance {
        /// Which point, from 0.
        index: usize,
        /// The number.
        value: f64,
        /// The greatest allowed; the least is 1 / `limit`.
        limit: f64,
    },
    /// Two points have one name.
    #[error("id {id} is used more than once; give every point its own, or leave ids out")]
    DuplicateId {
        /// The id.
        id: u64,
    },
}

impl<const D: usize> PointSet<D> {
    /// The greatest size of a number that is computed with.
    pub const MOST: f64 = 1e150;

    /// Checks the columns.
    ///
    /// # Errors
    /// When a guarantee of the type would not hold; the error says which.
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

    /// Points of which nothing is known but where they are.
    ///
    /// # Errors
    /// As [`PointSet::new`].
    pub fn from_positions(positions: Vec<[f64; D]>) -> Result<Self, SetError> {
        Self::new(Columns {
            positions,
            ..Columns::default()
        })
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.columns.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.columns.positions.is_empty()
    }

    /// Where the points are.
    pub fn positions(&self) -> &[[f64; D]] {
        &self.columns.positions
    }

    /// What the points are called.
    pub fn ids(&self) -> &[u64] {
        &self.ids
    }

    /// The minimum distances that came with the points.
    pub fn min_dist(&self) -> Option<&[f64]> {
        self.columns.min_dist.as_deref()
    }

    /// Around whom each point was thrown.
    pub fn parents(&self) -> Option<&[Option<u64>]> {
        self.columns.parents.as_deref()
    }

    /// The nested order that came with the points.
    pub fn ranks(&self) -> Option<&[u64]> {
        self.columns.ranks.as_deref()
    }

    /// The layers (species) that came with the points.
    pub fn layers(&self) -> Option<&[u64]> {
        self.columns.layers.as_deref()
    }

    /// The points that came with that layer, in their order; none when none came with any.
    #[must_use]
    pub fn of_layer(&self, layer: u64) -> Self {
        let layers = self.layers().unwrap_or_default();
        let of: Vec<usize> = (0..layers.len()).filter(|&i| layers[i] == layer).collect();
        self.of(&of)
    }

    /// The points with these indices, in this order, each once.
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

/// Refuses what cannot be a minimum distance.
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
