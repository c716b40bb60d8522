//! What the points are held to.

use crate::domain::{Domain, Edges};
use crate::error::QualityError;
use crate::set::{PointSet, check_distances};
use density::RadiusField;
use sampler::Rule;

/// Where the minimum distances come from.
#[derive(Clone, Copy)]
pub enum Claim<'a, const D: usize> {
    /// A field. It decides even when the points bring distances of their own.
    Field(&'a dyn RadiusField<D>),
    /// The distances that the points bring.
    Column,
    /// One distance for all.
    Uniform(f64),
}

/// The rule and the distances at the points: what each pair must keep.
#[derive(Clone, Debug)]
pub struct Requirement {
    pub(crate) rule: Rule,
    /// The minimum distance at each point.
    pub(crate) min_dist: Vec<f64>,
    /// What each point asks for as the later of a pair: under [`Rule::Parent`] its parent's
    /// distance, else its own.
    pub(crate) reach: Vec<f64>,
    /// Who came first.
    ages: Vec<u64>,
    /// Indices of points where the field allows none.
    misplaced: Vec<usize>,
}

impl Requirement {
    /// Looks up the distance at every point. O(n), O(n log n) under [`Rule::Parent`].
    ///
    /// # Errors
    /// When a distance is missing or cannot be computed with, or a parent is not there.
    pub fn new<const D: usize>(
        set: &PointSet<D>,
        rule: Rule,
        claim: Claim<'_, D>,
    ) -> Result<Self, QualityError> {
        let mut misplaced = Vec::new();
        let min_dist = match claim {
            Claim::Uniform(distance) => vec![distance; set.len()],
            Claim::Column => set.min_dist().ok_or(QualityError::NoDistances)?.to_vec(),
            Claim::Field(field) => {
                let at = |(index, &p): (usize, &[f64; D])| {
                    field.min_dist(p).unwrap_or_else(|| {
                        misplaced.push(index);
                        // Whatever it is held to, it should not be there.
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

    /// How far apart the points with these indices must be.
    #[inline]
    pub fn distance(&self, i: usize, j: usize) -> f64 {
        let (earlier, later) = if self.ages[i] < self.ages[j] {
            (i, j)
        } else {
            (j, i)
        };
        apart(self.rule, self.min_dist[earlier], self.reach[later])
    }

    /// Returns `true` if `i` is the point that counts the pair: its reach is at least the pair's distance.
    /// True for exactly one of the two.
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

    /// Indices of the points that lie where the field allows none.
    pub fn misplaced(&self) -> &[usize] {
        &self.misplaced
    }

    /// The minimum distance asked for at each point.
    pub fn min_dist(&self) -> &[f64] {
        &self.min_dist
    }

    /// The greatest distance that any pair may have to keep.
    pub(crate) fn widest(&self) -> f64 {
        self.reach.iter().fold(0.0, |w: f64, &r| w.max(r))
    }

    /// Whether all points ask for the same, and for how much.
    pub(crate) fn uniform(&self) -> Option<f64> {
        let first = *self.min_dist.first()?;
        self.min_dist.iter().all(|&r| r == first).then_some(first)
    }

    /// Refuses what a torus cannot be judged for: around one so small, a pair would meet
    /// several times.
    pub(crate) fn check_domain<const D: usize>(
        &self,
        set: &PointSet<D>,
        domain: &Domain<D>,
    ) -> Result<(), QualityError> {
        if domain.edges == Edges::Open {
            return Ok(());
        }
        if let Some(index) = set.positions().iter().position(|&p| !domain.holds(p)) {
            let id = set.ids()[index];
            return Err(QualityError::OutsideTorus { id });
        }
        domain.check_period(self.widest())
    }
}

/// How far apart a rule keeps two points, of which the later asks for its parent's distance under
/// [`Rule::Parent`]. Written down again, so that the sampler is not judged by its own rule.
#[inline]
pub(crate) fn apart(rule: Rule, earlier: f64, later: f64) -> f64 {
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
    let parents = set.parents().ok_or(QualityError::NoParents)?;
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
