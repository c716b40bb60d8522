//! The pair correlation: how often which distances occur.

use crate::claim::Requirement;
use crate::domain::{Domain, Edges, sum};
use crate::error::QualityError;
use crate::kd_tree::{KdTree, Visitor};
use crate::set::PointSet;
use crate::spacing::slack;
use serde::Serialize;

/// Bins per unit of distance.
const BINS: f64 = 20.0;

/// The largest distance, in units of what the rule asks for.
const REACH: f64 = 5.0;

/// Points from which distances are measured, at most.
const MOST: usize = 20_000;

/// The pair correlation g over distances in units of what the rule asks of each pair, so that
/// sets of varying density can be judged: g = 1 is what points strewn at random would give.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairCorrelation {
    /// The width of a bin; bin i runs from i * width to (i + 1) * width.
    pub width: f64,
    /// g in each bin.
    pub g: Vec<f64>,
    /// The points from which distances were measured.
    pub points: usize,
}

/// Counts distances |p - q| / d(p, q), d being what the rule asks for, and divides by what
/// points of the density `c` per d^D would give: the shell's area (volume) times `c`. That is
/// exact for uniform sets; where the map changes over a few distances, g does not quite tend
/// to 1. In an open domain distances are measured from points so far inside that no shell
/// leaves it. `None` when there are no such points.
///
/// # Errors
/// On a torus, when a point lies outside or a distance is above half its shortest side.
pub fn pair_correlation<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
    c: f64,
) -> Result<Option<PairCorrelation>, QualityError> {
    requirement.check_domain(set, domain)?;
    let side = domain
        .bounds
        .size()
        .into_iter()
        .fold(f64::INFINITY, f64::min);
    // Around a torus, a pair is met once only up to half its side.
    let reach = match domain.edges {
        Edges::Torus => REACH.min(0.5 * side / requirement.widest()),
        Edges::Open => REACH,
    };
    let bins = (reach * BINS).floor() as usize;
    let tree = KdTree::new(
        set.positions(),
        |i| requirement.reach[i],
        slack(set, domain),
    );
    let from: Vec<usize> = tree
        .order()
        .filter(|&i| has_room(set.positions()[i], domain, reach * requirement.reach[i]))
        .collect();
    if from.is_empty() || bins == 0 {
        return Ok(None);
    }
    let shifts = domain.shifts();
    let mut counts = Counts {
        set,
        domain,
        requirement,
        reach,
        index: 0,
        bins: vec![0; bins],
    };
    let step = from.len().div_ceil(MOST);
    let mut points = 0;
    for &index in from.iter().step_by(step) {
        counts.index = index;
        points += 1;
        for &shift in &shifts {
            tree.visit(sum(set.positions()[index], shift), &mut counts);
        }
    }
    let ball = |t: f64| match D {
        2 => std::f64::consts::PI * t * t,
        _ => 4.0 / 3.0 * std::f64::consts::PI * t * t * t,
    };
    let g = counts.bins.iter().enumerate().map(|(bin, &count)| {
        let (low, high) = (bin as f64 / BINS, (bin as f64 + 1.0) / BINS);
        count as f64 / (points as f64 * c * (ball(high) - ball(low)))
    });
    Ok(Some(PairCorrelation {
        width: 1.0 / BINS,
        g: g.collect(),
        points,
    }))
}

fn has_room<const D: usize>(p: [f64; D], domain: &Domain<D>, room: f64) -> bool {
    let (min, max) = (domain.bounds.min(), domain.bounds.max());
    domain.edges == Edges::Torus || (0..D).all(|a| p[a] - min[a] >= room && max[a] - p[a] >= room)
}

struct Counts<'a, const D: usize> {
    set: &'a PointSet<D>,
    domain: &'a Domain<D>,
    requirement: &'a Requirement,
    reach: f64,
    index: usize,
    bins: Vec<u64>,
}

impl<const D: usize> Visitor for Counts<'_, D> {
    fn radius(&self, reach: f64) -> f64 {
        self.reach * reach.max(self.requirement.reach[self.index])
    }
    fn point(&mut self, other: usize) {
        if other == self.index {
            return;
        }
        let [p, q] = [self.index, other].map(|i| self.set.positions()[i]);
        let required = self.requirement.distance(self.index, other);
        let t = self.domain.square_distance(p, q).sqrt() / required;
        if let Some(bin) = self.bins.get_mut((t * BINS) as usize) {
            *bin += 1;
        }
    }
}
