//! The distances that points are required to keep.

use crate::domain::{Domain, Edges};
use crate::error::QualityError;
use crate::set::{PointSet, check_distances};
use density::RadiusField;
use sampler::Rule;

/// The source of the minimum distances.
///
/// ```
/// # use spinney_quality as quality;
/// use quality::{Claim, PointSet, QualityError, Requirement, Rule};
///
/// let set = PointSet::from_positions(vec![[0.0, 0.0], [2.0, 0.0]])?;
/// let uniform = Requirement::new(&set, Rule::Max, Claim::Uniform(2.5))?;
/// assert_eq!(uniform.distance(0, 1), 2.5);
/// // These points were given without distances.
/// let refused = Requirement::new(&set, Rule::Max, Claim::Column);
/// assert!(matches!(refused, Err(QualityError::NoDistances)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub enum Claim<'a, const D: usize> {
    /// A field. Distances stored with the points are ignored.
    Field(&'a dyn RadiusField<D>),
    /// The distances stored with the points.
    Column,
    /// One distance for all points.
    Uniform(f64),
}

/// The rule and the distances at the points, which give the required distance of each pair.
///
/// ```
/// # use spinney_quality as quality;
/// use quality::{Claim, Columns, PointSet, Requirement, Rule};
///
/// let set = PointSet::new(Columns {
///     positions: vec![[0.0, 0.0], [2.0, 0.0]],
///     ids: Some(vec![9, 4]),
///     min_dist: Some(vec![1.0, 3.0]),
///     ..Columns::default()
/// })?;
/// assert_eq!(Requirement::new(&set, Rule::Max, Claim::Column)?.distance(0, 1), 3.0);
/// // The later point counts: that of the greater id, wherever it stands in the file.
/// assert_eq!(Requirement::new(&set, Rule::Own, Claim::Column)?.distance(0, 1), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Requirement {
    pub(crate) rule: Rule,
    /// The minimum distance at each point.
    pub(crate) min_dist: Vec<f64>,
    /// The distance of each point as the later of a pair: under [`Rule::Parent`] its parent's distance, else its own.
    pub(crate) reach: Vec<f64>,
    /// Ids of the points: the smaller of two is the earlier point's.
    ages: Vec<u64>,
    /// Indices of points where the field allows none.
    misplaced: Vec<usize>,
}

impl Requirement {
    /// Evaluates the distance at every point. O(n), O(n log n) under [`Rule::Parent`].
    ///
    /// # Errors
    /// If a distance is missing or out of range, or a parent is not among the points.
    pub fn new<const D: usize>(
        set: &PointSet<D>,
        rule: Rule,
        claim: Claim<'_, D>,
    ) -> Result<Self, QualityError> {
        let mut misplaced = Vec::new();
        let min_dist = match claim {
            Claim::Uniform(distance) => vec![distance; set.len()],
            Claim::Column => {
                let column = set.or_empty(set.min_dist());
                column.ok_or(QualityError::NoDistances)?.to_vec()
            }
            Claim::Field(field) => {
                let at = |(index, &p): (usize, &[f64; D])| {
                    field.min_dist(p).unwrap_or_else(|| {
                        misplaced.push(index);
                        // The point is reported as misplaced; its distance is arbitrary.
                        field.range().lo()
                    })
                };
                set.positions().iter().enumerate().map(at).collect()
            }
        };
        check_distances(&min_dist, PointSet::<D>::MOST)?;
        let reach = match rule {
            Rule::Parent => parents_distances(set, &min_dist)?,
            _ => min_dist.clone(),
        };
        Ok(Self {
            rule,
            min_dist,
            reach,
            ages: set.ids().to_vec(),
            misplaced,
        })
    }

    /// Returns the required distance of the points with these indices.
    #[inline]
    pub fn distance(&self, i: usize, j: usize) -> f64 {
        let (earlier, later) = if self.ages[i] < self.ages[j] {
            (i, j)
        } else {
            (j, i)
        };
        rule_distance(self.rule, self.min_dist[earlier], self.reach[later])
    }

    /// Returns `true` if `i` is the point that counts the pair: its reach is at least the required distance. True for
    /// exactly one point of a pair.
    #[inline]
    pub(crate) fn counts_pair(&self, i: usize, j: usize) -> bool {
        let later = self.ages[i] > self.ages[j];
        let (a, b) = (self.reach[i], self.reach[j]);
        match self.rule {
            Rule::Max | Rule::Mean => a > b || (a == b && later),
            Rule::Min => a < b || (a == b && later),
            Rule::Own | Rule::Parent => later,
            Rule::Prior => !later,
        }
    }

    /// Returns the indices of the points that lie where the field allows none.
    pub fn misplaced(&self) -> &[usize] {
        &self.misplaced
    }

    /// Returns the minimum distance at each point.
    pub fn min_dist(&self) -> &[f64] {
        &self.min_dist
    }

    /// Returns an upper bound on the required distance of any pair.
    pub(crate) fn widest(&self) -> f64 {
        self.reach.iter().fold(0.0, |w: f64, &r| w.max(r))
    }

    /// Returns the minimum distance if it is the same at all points.
    pub(crate) fn uniform(&self) -> Option<f64> {
        let first = *self.min_dist.first()?;
        self.min_dist.iter().all(|&r| r == first).then_some(first)
    }

    /// Refuses a set of another size than the requirement's. Also refuses a torus with points outside, or so small that
    /// a pair could be closer than required in several images.
    pub(crate) fn check<const D: usize>(
        &self,
        set: &PointSet<D>,
        domain: &Domain<D>,
    ) -> Result<(), QualityError> {
        if self.min_dist.len() != set.len() {
            return Err(QualityError::OtherSet {
                requirement: self.min_dist.len(),
                set: set.len(),
            });
        }
        if domain.edges != Edges::Torus {
            return Ok(());
        }
        if let Some(index) = set.positions().iter().position(|&p| !domain.holds(p)) {
            let id = set.ids()[index];
            return Err(QualityError::OutsideTorus { id });
        }
        domain.check_period(self.widest())
    }
}

/// Returns the required distance of two points. Under [`Rule::Parent`] `later` is the distance of the later point's
/// parent. Deliberately not the sampler's own code, to test the sampler independently.
#[inline]
pub(crate) fn rule_distance(rule: Rule, earlier: f64, later: f64) -> f64 {
    match rule {
        Rule::Max => earlier.max(later),
        Rule::Mean => 0.5 * (earlier + later),
        Rule::Min => earlier.min(later),
        Rule::Own | Rule::Parent => later,
        Rule::Prior => earlier,
    }
}

fn parents_distances<const D: usize>(
    set: &PointSet<D>,
    min_dist: &[f64],
) -> Result<Vec<f64>, QualityError> {
    let parents = set.or_empty(set.parents()).ok_or(QualityError::NoParents)?;
    let mut by_id: Vec<usize> = (0..set.len()).collect();
    by_id.sort_unstable_by_key(|&i| set.ids()[i]);
    let find = |(index, parent): (usize, &Option<u64>)| match *parent {
        None => Ok(min_dist[index]),
        Some(id) => match by_id.binary_search_by_key(&id, |&i| set.ids()[i]) {
            Ok(at) => Ok(min_dist[by_id[at]]),
            Err(_) => Err(QualityError::UnknownParent {
                id: set.ids()[index],
                parent: id,
            }),
        },
    };
    parents.iter().enumerate().map(find).collect()
}
