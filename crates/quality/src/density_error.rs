//! Whether the points are as dense as the map says.

use crate::claim::Claim;
use crate::domain::Domain;
use crate::set::PointSet;
use density::Bounds;
use serde::Serialize;

/// A cell holds at least this many times the square (in space, the cube) of the distances asked
/// for in it: 8 x 8 of them, so that a place is blurred with those within 4 distances of it.
const LEAST_DISTANCES: f64 = 8.0;

/// Cells with fewer expected points say nothing.
const LEAST_EXPECTED: f64 = 8.0;

/// Places at which the field is asked in each cell.
const PLACES: f64 = 1024.0;

/// Stripes of a cell in which its middle is looked for.
const STRIPES: usize = 32;

/// How far the density of points is from the map's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DensityError {
    /// The mean of `|n_cell / integral(c / min_dist^D) - 1|`, each cell weighted with its
    /// integral. Counting whole points alone gives some hundredths: compare with a uniform set.
    pub mean: f64,
    /// The same with its sign, over the cells where the map is denser than on average minus
    /// over those where it is sparser: positive when contrast is exaggerated.
    pub contrast: f64,
    /// The cells that were counted.
    pub cells: usize,
    /// The signed errors, for a picture.
    #[serde(skip)]
    pub map: Vec<CellError>,
}

/// The error of one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellError {
    /// Its lowest corner.
    pub min: Vec<f64>,
    /// Its highest corner.
    pub max: Vec<f64>,
    /// `n_cell / integral(c / min_dist^D) - 1`.
    pub error: f64,
    /// The integral.
    pub expected: f64,
}

/// Compares the counts of points in cells with the integral of `c / min_dist^D` over them, `c`
/// being what the whole set achieves. The domain is cut into halves of equal integrals, across
/// the longer side, while each half has room for 8 x 8 (x 8) distances, so that cells are small
/// where points are dense, however coarse or steep the map. `None` when only the points know
/// their distances, or the domain is smaller than a cell.
pub fn density_error<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    claim: Claim<'_, D>,
    c: f64,
) -> Option<DensityError> {
    let here = |p: [f64; D]| match claim {
        Claim::Field(field) => field.min_dist(p),
        Claim::Uniform(distance) => Some(distance),
        Claim::Column => None,
    };
    if matches!(claim, Claim::Column) {
        return None;
    }
    let inside: Vec<[f64; D]> = set
        .positions()
        .iter()
        .copied()
        .filter(|&p| domain.holds(p))
        .collect();
    let mut map = Vec::new();
    split(domain, domain.bounds, inside, &here, c, &mut map);
    let total: f64 = map.iter().map(|cell| cell.expected).sum();
    if map.is_empty() {
        return None;
    }
    let mean = map
        .iter()
        .map(|cell| cell.error.abs() * cell.expected)
        .sum::<f64>()
        / total;
    Some(DensityError {
        mean,
        contrast: contrast(&map),
        cells: map.len(),
        map,
    })
}

fn split<const D: usize>(
    domain: &Domain<D>,
    bounds: Bounds<D>,
    points: Vec<[f64; D]>,
    here: &impl Fn([f64; D]) -> Option<f64>,
    c: f64,
    map: &mut Vec<CellError>,
) {
    let size = bounds.size();
    let axis = (0..D)
        .max_by(|a, b| size[*a].total_cmp(&size[*b]))
        .unwrap_or(0);
    let (mut mass, mut all) = ([0.0; STRIPES], 0_u32);
    let cell = Domain { bounds, ..*domain };
    crate::capacity::midpoints(&cell, PLACES, |p| {
        let share = (p[axis] - bounds.min()[axis]) / size[axis];
        let stripe = ((share * STRIPES as f64) as usize).min(STRIPES - 1);
        all += 1;
        mass[stripe] += here(p).map_or(0.0, |r| r.powi(-(D as i32)));
    });
    let sum: f64 = mass.iter().sum();
    let room = bounds.volume() * (sum / f64::from(all));
    let least = LEAST_DISTANCES.powi(D as i32);
    if room >= 2.0 * least
        && 0.5 * c * room >= LEAST_EXPECTED
        && let Some([low, high]) = cut(&bounds, axis, middle(&mass))
    {
        let middle = high.min()[axis];
        let (left, right) = points.into_iter().partition(|p| p[axis] < middle);
        split(domain, low, left, here, c, map);
        split(domain, high, right, here, c, map);
        return;
    }
    let expected = c * room;
    if room >= 0.9 * least && expected >= LEAST_EXPECTED && expected.is_finite() {
        map.push(CellError {
            min: bounds.min().to_vec(),
            max: bounds.max().to_vec(),
            error: points.len() as f64 / expected - 1.0,
            expected,
        });
    }
}

/// Where, from 0 to 1, half of the mass is below.
fn middle(mass: &[f64; STRIPES]) -> f64 {
    let half = 0.5 * mass.iter().sum::<f64>();
    let mut below = 0.0;
    for (stripe, &here) in mass.iter().enumerate() {
        if below + here >= half && here > 0.0 {
            return (stripe as f64 + (half - below) / here) / STRIPES as f64;
        }
        below += here;
    }
    0.5
}

fn cut<const D: usize>(bounds: &Bounds<D>, axis: usize, share: f64) -> Option<[Bounds<D>; 2]> {
    let (mut low, mut high) = (bounds.max(), bounds.min());
    low[axis] = bounds.min()[axis] + share * bounds.size()[axis];
    high[axis] = low[axis];
    Some([
        Bounds::new(bounds.min(), low).ok()?,
        Bounds::new(high, bounds.max()).ok()?,
    ])
}

/// The mean signed error of the denser half of the cells minus that of the sparser.
fn contrast(map: &[CellError]) -> f64 {
    let volume =
        |cell: &CellError| -> f64 { cell.min.iter().zip(&cell.max).map(|(a, b)| b - a).product() };
    let mut by_density: Vec<(f64, f64)> = map
        .iter()
        .map(|cell| (cell.expected / volume(cell), cell.error))
        .collect();
    by_density.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = |cells: &[(f64, f64)]| {
        cells.iter().map(|cell| cell.1).sum::<f64>() / cells.len().max(1) as f64
    };
    let (sparse, dense) = by_density.split_at(map.len() / 2);
    let flat = by_density.first().map(|c| c.0) == by_density.last().map(|c| c.0);
    if flat {
        0.0
    } else {
        mean(dense) - mean(sparse)
    }
}
