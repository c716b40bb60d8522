//! The pair correlation: the frequency of distances between points.

use crate::capacity::closest;
use crate::claim::{Claim, Requirement};
use crate::domain::{Domain, Edges, sum};
use crate::error::QualityError;
use crate::kd_tree::KdTree;
use crate::set::PointSet;
use crate::spacing::slack;
use density::Coverage;
use sampler::Rule;
use serde::Serialize;

/// Bins per unit of distance.
const BINS: f64 = 20.0;

/// The largest distance, relative to the required one.
const REACH: f64 = 5.0;

/// Greatest number of points from which distances are measured.
const MOST: usize = 20_000;

/// Number of points whose neighbours are counted to estimate the number of pairs.
const LOOKS: usize = 64;

/// Distances are measured from fewer points if these have more neighbours than this in all: the distance
/// is far too large, or points are clustered. Sets that keep their distances have a sixth of it at most.
const MOST_PAIRS: usize = 50_000_000;

/// The pair correlation g over distances relative to each pair's required distance, which makes
/// sets of varying density comparable. Random points of the map's density would give g = 1.
///
/// See [`pair_correlation`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairCorrelation {
    /// The width of a bin; bin i runs from i * width to (i + 1) * width.
    pub width: f64,
    /// g in each bin.
    pub g: Vec<f64>,
    /// Number of points from which distances were measured.
    pub points: usize,
}

/// Counts distances |p - q| / d(p, q), d being the required distance. Divides by the counts for
/// random points of density `c / h^D`, h being the minimum distance at a place.
///
/// For a uniform distance, and points allowed everywhere, all neighbours of a point are counted, and the expected count
/// is the shell's area (volume) in closed form. In an open domain distances are then measured only from
/// points so far inside that no shell leaves the domain; `None` if there are none. Else each pair
/// is counted from the point that d comes from, and the expected count is the integral over the
/// domain, by one random place per shell and point: some 1 % of noise at 20,000 points. Under
/// [`Claim::Column`] h is the nearest point's distance. Under rules that depend on age, ages are
/// assumed to be random.
///
/// ```
/// # use spinney_quality as quality;
/// use density::{Bounds, Constant};
/// use quality::measures::pair_correlation;
/// use quality::{Claim, Domain, Edges, PointSet, Requirement, Rule};
/// use sampler::{Scatter, ScatterOptions};
///
/// let bounds = Bounds::from_size([40.0, 40.0])?;
/// let tile = Scatter::tiled(Constant::new(1.0)?, bounds, ScatterOptions::default())?.points()?.samples;
/// let set = PointSet::from_positions(tile.iter().map(|point| point.position).collect())?;
/// let (domain, claim) = (Domain { bounds, edges: Edges::Torus }, Claim::Uniform(1.0));
/// let required = Requirement::new(&set, Rule::Max, claim)?;
/// let found = pair_correlation(&set, &domain, &required, claim, 0.697)?;
/// // No pair is nearer than 1 (the bins are 0.05 wide), and many are a little farther.
/// assert!(found.is_some_and(|found| found.g[..20] == [0.0; 20] && found.g[20] > 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the requirement is that of a set of another size; on a torus, if a point lies outside or a distance is above half
/// the shortest side.
pub fn pair_correlation<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    requirement: &Requirement,
    claim: Claim<'_, D>,
    c: f64,
) -> Result<Option<PairCorrelation>, QualityError> {
    requirement.check(set, domain)?;
    // Around a torus a pair is unique only up to half the side.
    let reach = match domain.edges {
        Edges::Torus => REACH.min(0.5 * domain.shortest_side() / requirement.widest()),
        Edges::Open | Edges::Window => REACH,
    };
    let bins = (reach * BINS).floor() as usize;
    let tree = KdTree::new(
        set.positions(),
        |i| requirement.reach[i],
        slack(set, domain),
    );
    let alike = requirement.uniform().is_some() && is_all_open(claim, domain);
    let from: Vec<usize> = tree
        .order()
        .filter(|&i| !alike || has_room(set.positions()[i], domain, reach * requirement.reach[i]))
        .collect();
    if from.is_empty() || bins == 0 {
        return Ok(None);
    }
    let shifts = domain.shifts();
    // An estimate of the neighbours of all points.
    let look = from.len().div_ceil(LOOKS);
    let mut neighbours = 0;
    for &index in from.iter().step_by(look) {
        for &shift in &shifts {
            tree.visit(
                sum(set.positions()[index], shift),
                &mut neighbours,
                |_, _| reach * requirement.reach[index],
                |neighbours, _| *neighbours += look,
            );
        }
    }
    let mut counts = vec![0_u64; bins];
    let mut expected = Expected {
        set,
        domain,
        requirement,
        claim,
        tree: &tree,
        random: 0x5eed,
        bins: vec![0.0; bins],
    };
    let step = from.len().div_ceil(MOST);
    let step = step.max(neighbours.div_ceil(MOST_PAIRS));
    let mut points = 0_u32;
    for &index in from.iter().step_by(step) {
        points += 1;
        for &shift in &shifts {
            tree.visit(
                sum(set.positions()[index], shift),
                &mut counts,
                // Unless all are `alike`, pairs whose distance comes from the other point are counted there.
                |_, _| reach * requirement.reach[index],
                |counts, other| {
                    // If all are `alike`, each point counts all its neighbours.
                    if other == index || !(alike || requirement.counts_pair(index, other)) {
                        return;
                    }
                    let [p, q] = [index, other].map(|i| set.positions()[i]);
                    let required = requirement.distance(index, other);
                    let t = domain.square_distance(p, q).sqrt() / required;
                    if let Some(bin) = counts.get_mut((t * BINS) as usize) {
                        *bin += 1;
                    }
                },
            );
        }
        if !alike {
            expected.add(index);
        }
    }
    if alike {
        let points = f64::from(points);
        expected.bins = (0..bins).map(|bin| points * shell::<D>(bin)).collect();
    }
    let g = counts.iter().zip(&expected.bins);
    Ok(Some(PairCorrelation {
        width: 1.0 / BINS,
        g: g.map(|(&count, &expected)| {
            let g = count as f64 / (c * expected);
            if g.is_finite() { g } else { 0.0 }
        })
        .collect(),
        points: points as usize,
    }))
}

/// Returns `true` if points may lie everywhere in the domain.
fn is_all_open<const D: usize>(claim: Claim<'_, D>, domain: &Domain<D>) -> bool {
    match claim {
        Claim::Field(field) => field
            .range_in(&domain.bounds)
            .is_some_and(|local| local.coverage == Coverage::All),
        Claim::Uniform(_) | Claim::Column => true,
    }
}

/// Returns the area (volume) of a bin's shell.
fn shell<const D: usize>(bin: usize) -> f64 {
    let ball = |t: f64| match D {
        2 => std::f64::consts::PI * t * t,
        _ => 4.0 / 3.0 * std::f64::consts::PI * t * t * t,
    };
    ball((bin + 1) as f64 / BINS) - ball(bin as f64 / BINS)
}

fn has_room<const D: usize>(p: [f64; D], domain: &Domain<D>, room: f64) -> bool {
    let (min, max) = (domain.bounds.min(), domain.bounds.max());
    domain.edges == Edges::Torus || (0..D).all(|a| p[a] - min[a] >= room && max[a] - p[a] >= room)
}

/// Expected counts for random points of density 1 / h^D.
struct Expected<'a, const D: usize> {
    set: &'a PointSet<D>,
    domain: &'a Domain<D>,
    requirement: &'a Requirement,
    claim: Claim<'a, D>,
    tree: &'a KdTree<D>,
    random: u64,
    bins: Vec<f64>,
}

impl<const D: usize> Expected<'_, D> {
    fn add(&mut self, index: usize) {
        let p = self.set.positions()[index];
        let reach = self.requirement.reach[index];
        for bin in 0..self.bins.len() {
            // One place in each shell around the point.
            let direction = self.direction();
            let t = (bin as f64 + self.next()) / BINS * reach;
            let Some(place) = self.inside(sum(p, direction.map(|x| x * t))) else {
                continue;
            };
            let Some(here) = self.min_dist(place) else {
                continue;
            };
            let (share, required) = self.pair(reach, here);
            let at = (t / required * BINS) as usize;
            if let Some(sum) = self.bins.get_mut(at) {
                let density = (reach / here).powi(D as i32);
                *sum += share * density * ring::<D>(t / reach);
            }
        }
    }

    /// Returns the probability that a pair with a point there is counted here, and the pair's
    /// required distance.
    fn pair(&self, own: f64, other: f64) -> (f64, f64) {
        let tie = if own == other { 0.5 } else { 0.0 };
        let larger = if own > other { 1.0 } else { tie };
        match self.requirement.rule {
            Rule::Max => (larger, own),
            Rule::Mean => (larger, 0.5 * (own + other)),
            Rule::Min => (if own < other { 1.0 } else { tie }, own),
            Rule::Own | Rule::Prior | Rule::Parent => (0.5, own),
        }
    }

    fn min_dist(&self, place: [f64; D]) -> Option<f64> {
        match self.claim {
            Claim::Field(field) => field.min_dist(place),
            Claim::Uniform(distance) => Some(distance),
            Claim::Column => {
                let nearest = closest(self.set, self.tree, place)?;
                Some(self.requirement.min_dist[nearest])
            }
        }
    }

    /// Returns the place, on a torus moved into the domain; `None` if it lies outside.
    fn inside(&self, mut place: [f64; D]) -> Option<[f64; D]> {
        let (min, max, size) = (
            self.domain.bounds.min(),
            self.domain.bounds.max(),
            self.domain.bounds.size(),
        );
        for axis in 0..D {
            if self.domain.edges == Edges::Torus {
                if place[axis] < min[axis] {
                    place[axis] += size[axis];
                } else if place[axis] >= max[axis] {
                    place[axis] -= size[axis];
                }
            }
        }
        self.domain.holds(place).then_some(place)
    }

    /// Returns a random unit vector, by rejection from the ball.
    fn direction(&mut self) -> [f64; D] {
        loop {
            let p = [(); D].map(|()| 2.0 * self.next() - 1.0);
            let square: f64 = p.iter().map(|x| x * x).sum();
            if square <= 1.0 && square > 1e-6 {
                return p.map(|x| x / square.sqrt());
            }
        }
    }

    /// Returns a random number from 0 to 1: Steele and Vigna, "Computationally easy, spectrally
    /// good multipliers for congruential pseudorandom number generators" (2021).
    fn next(&mut self) -> f64 {
        self.random = self
            .random
            .wrapping_mul(0xd134_2543_de82_ef95)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        (self.random >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns the area (volume) represented by a place at distance `t`, drawn uniformly from the width
/// of a bin.
fn ring<const D: usize>(t: f64) -> f64 {
    let sphere = match D {
        2 => std::f64::consts::TAU * t,
        _ => 4.0 * std::f64::consts::PI * t * t,
    };
    sphere / BINS
}
