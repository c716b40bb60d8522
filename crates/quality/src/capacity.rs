//! The capacity of a domain for points, and the share of it that a set reaches.

use crate::claim::{Claim, Requirement};
use crate::domain::{Domain, halves};
use crate::kd_tree::KdTree;
use crate::set::PointSet;
use density::{Coverage, RadiusField};
use std::collections::BinaryHeap;

/// Greatest number of boxes halved where the bounds of a field leave its integral in doubt.
const HALVINGS: usize = 65_536;

/// Number of places at which a field is evaluated.
const FIELD_PLACES: f64 = 1_048_576.0;

/// Number of places at which the nearest point is looked up if there is no field.
const POINT_PLACES: f64 = 262_144.0;

/// Integrals over the part of a domain where points may lie.
///
/// ```
/// # use spinney_quality as quality;
/// use density::Bounds;
/// use quality::measures::{Capacity, packing, relative_radius};
/// use quality::{Claim, Domain, Edges, PointSet, Requirement, Rule};
///
/// // A square grid, as dense as its distance allows.
/// let grid = (0..100).map(|i| [f64::from(i % 10) + 0.5, f64::from(i / 10) + 0.5]);
/// let set = PointSet::from_positions(grid.collect())?;
/// let domain = Domain { bounds: Bounds::from_size([10.0, 10.0])?, edges: Edges::Torus };
/// let required = Requirement::new(&set, Rule::Max, Claim::Uniform(1.0))?;
/// let c = Capacity::of(&set, &domain, &required, Claim::Uniform(1.0)).c(set.len());
/// assert_eq!(c, Some(1.0));
/// assert!((packing::<2>(1.0) - 0.785).abs() < 0.001);
/// // A triangular grid would be the densest.
/// assert!((relative_radius::<2>(1.0, 1.0) - 0.931).abs() < 0.001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// The area (volume) of that part.
    pub allowed: f64,
    /// The integral of 1 / `min_dist`^D over that part: the number of points for c = 1.
    pub discs: f64,
}

impl Capacity {
    /// Integrates over the domain: exactly for a uniform distance. A field is integrated exactly in boxes where its
    /// bounds agree, and those that leave most in doubt are halved, 65,536 at most; in the rest it is evaluated at a
    /// million places. Under [`Claim::Column`] 262,144 places take the distance of their nearest point.
    pub fn of<const D: usize>(
        set: &PointSet<D>,
        domain: &Domain<D>,
        requirement: &Requirement,
        claim: Claim<'_, D>,
    ) -> Self {
        let volume = domain.bounds.volume();
        match (claim, requirement.uniform()) {
            (Claim::Field(field), _) => integral_of(field, domain),
            (Claim::Uniform(distance), _) | (Claim::Column, Some(distance)) => Self {
                allowed: volume,
                discs: volume / distance.powi(D as i32),
            },
            (Claim::Column, None) => {
                let tree = KdTree::new(set.positions(), |_| 0.0, 0.0);
                let here = |i: usize| requirement.min_dist[i];
                integral(domain, POINT_PLACES, |place| {
                    // Without points the density is 0.
                    Some(closest(set, &tree, place).map_or(f64::INFINITY, here))
                })
            }
        }
    }

    /// Returns c, the number of points in units of one per `min_dist`^D:
    /// `n / integral of 1 / min_dist^D`. c is 0.6966 for maximal sets in the plane (the jamming
    /// limit of random sequential addition: Feder, "Random sequential adsorption", 1980, as
    /// coverage 0.5470 = c * pi / 4).
    pub fn c(&self, points: usize) -> Option<f64> {
        let c = points as f64 / self.discs;
        c.is_finite().then_some(c)
    }
}

/// Returns the share of the domain covered by disks (balls) of half the minimum distance, which do
/// not overlap: c * pi / 4 in the plane, c * pi / 6 in space.
pub fn packing<const D: usize>(c: f64) -> f64 {
    let ball = if D == 2 { 4.0 } else { 6.0 };
    c * std::f64::consts::PI / ball
}

/// Returns rho: a distance relative to that of the densest packing of as many points.
///
/// Lagae and Dutré, "A Comparison of Methods for Generating Poisson Disk Distributions" (2008):
/// `rho = d / r_max` with `r_max = sqrt(2 / (sqrt(3) n))` per unit area in the plane; in space
/// `r_max = (sqrt(2) / n)^(1/3)`. For a distance of `ratio` times the required one, and `c` from
/// [`Capacity::c`], rho is `ratio * sqrt(c * sqrt(3) / 2)` in the plane and
/// `ratio * (c / sqrt(2))^(1/3)` in space. This also holds where the density varies.
pub fn relative_radius<const D: usize>(ratio: f64, c: f64) -> f64 {
    if D == 2 {
        ratio * (0.5 * c * 3.0_f64.sqrt()).sqrt()
    } else {
        ratio * (c / 2.0_f64.sqrt()).cbrt()
    }
}

/// Integrates over the domain, by the bounds of the field where they agree.
fn integral_of<const D: usize>(field: &dyn RadiusField<D>, domain: &Domain<D>) -> Capacity {
    let mut sum = Capacity {
        allowed: 0.0,
        discs: 0.0,
    };
    // The boxes in doubt, each with its doubt: bits of positive doubles are in their order.
    let (mut cells, mut doubts, mut rest) = (Vec::new(), BinaryHeap::new(), Vec::new());
    let mut parts = vec![domain.bounds];
    for left in (0..=HALVINGS).rev() {
        for cell in parts.drain(..) {
            let Some(local) = field.range_in(&cell) else {
                continue;
            };
            let discs = |distance: f64| cell.volume() * distance.powi(-(D as i32));
            let most = discs(local.range.lo());
            let least = match local.coverage {
                Coverage::All => discs(local.range.hi()),
                Coverage::Part => 0.0,
            };
            if least == most {
                sum.allowed += cell.volume();
                sum.discs += most;
            } else {
                doubts.push(((most - least).to_bits(), cells.len()));
                cells.push(cell);
            }
        }
        if left > 0
            && let Some((_, worst)) = doubts.pop()
        {
            match halves(&cells[worst]) {
                Some(halves) => parts.extend(halves),
                None => rest.push(worst),
            }
        }
    }
    rest.extend(doubts.into_iter().map(|(_, cell)| cell));
    for &cell in &rest {
        let part = Domain {
            bounds: cells[cell],
            ..*domain
        };
        let part = integral(&part, FIELD_PLACES / rest.len() as f64, |p| {
            field.min_dist(p)
        });
        sum.allowed += part.allowed;
        sum.discs += part.discs;
    }
    sum
}

/// Integrates over the domain, with `here` the minimum distance at a place; `None` where no point may lie.
fn integral<const D: usize>(
    domain: &Domain<D>,
    places: f64,
    here: impl Fn([f64; D]) -> Option<f64>,
) -> Capacity {
    let (mut sum, mut allowed, mut all) = (0.0, 0_u64, 0_u64);
    for place in scattered(domain, places) {
        all += 1;
        if let Some(distance) = here(place) {
            allowed += 1;
            sum += distance.powi(-(D as i32));
        }
    }
    let volume = domain.bounds.volume();
    Capacity {
        allowed: volume * (allowed as f64 / all as f64),
        discs: volume * (sum / all as f64),
    }
}

/// Returns the index of the point nearest to a place, not around a torus: an integral hardly depends on the edges.
pub(crate) fn closest<const D: usize>(
    set: &PointSet<D>,
    tree: &KdTree<D>,
    place: [f64; D],
) -> Option<usize> {
    let mut nearest = (f64::INFINITY, None);
    tree.visit(
        place,
        &mut nearest,
        |(square, _), _| square.sqrt(),
        |nearest, index| {
            let q = set.positions()[index];
            let square: f64 = (0..D).map(|a| (q[a] - place[a]) * (q[a] - place[a])).sum();
            if square < nearest.0 {
                *nearest = (square, Some(index));
            }
        },
    );
    nearest.1
}

/// Returns a place in each of about `wanted` equal boxes, as close to cubes as possible. The places are random, as
/// those of a lattice could all lie on the same part of a pattern, but always the same for the same domain.
pub(crate) fn scattered<const D: usize>(
    domain: &Domain<D>,
    wanted: f64,
) -> impl Iterator<Item = [f64; D]> {
    let (min, size) = (domain.bounds.min(), domain.bounds.size());
    let longest = domain.bounds.longest_side();
    // In units of the longest side, to avoid overflow.
    let shape: f64 = size.iter().map(|s| (s / longest).max(1e-9)).product();
    let per_unit = (wanted / shape).powf(1.0 / D as f64);
    let counts = size.map(|s| (s / longest * per_unit).round().clamp(1.0, wanted) as usize);
    let ends = min.into_iter().chain(domain.bounds.max());
    let mut state = ends.fold(0, |state: u64, x| mixed(state ^ x.to_bits()));
    (0..counts.iter().product()).map(move |mut number: usize| {
        std::array::from_fn(|a| {
            let at = number % counts[a];
            number /= counts[a];
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let within = (mixed(state) >> 11) as f64 / (1_u64 << 53) as f64;
            min[a] + (at as f64 + within) / counts[a] as f64 * size[a]
        })
    })
}

/// Returns a hash: the last step of `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
