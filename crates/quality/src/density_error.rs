//! Compares the density of points with the map's.

use crate::capacity::scattered;
use crate::claim::Claim;
use crate::domain::{Domain, cut};
use crate::set::PointSet;
use density::Bounds;
use serde::Serialize;

/// A cell has room for at least this many minimum distances along each axis: 8 x 8 (x 8) of them,
/// so that a density error is averaged over places within 4 distances.
const LEAST_DISTANCES: f64 = 8.0;

/// Cells with fewer expected points are not significant.
const LEAST_EXPECTED: f64 = 8.0;

/// Number of places at which the field is evaluated in each cell.
const PLACES: f64 = 1024.0;

/// Number of stripes of a cell in the search for the plane that halves its integral.
const STRIPES: usize = 32;

/// The difference between the density of points and the map's.
///
/// See [`density_error`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DensityError {
    /// The mean of `|n_cell / integral(c / min_dist^D) - 1|`, each cell weighted with its integral.
    /// Counting whole points alone gives some hundredths: compare with a uniform set.
    pub mean: f64,
    /// The mean signed error of the denser half of the cells minus that of the sparser half:
    /// positive if contrast is exaggerated.
    pub contrast: f64,
    /// Number of cells.
    pub cells: usize,
    /// The signed error of each cell, for a picture.
    #[serde(skip)]
    pub map: Vec<CellError>,
}

/// The error of one cell.
///
/// See [`density_error`].
#[derive(Clone, Debug, PartialEq)]
pub struct CellError {
    /// The lowest corner.
    pub min: Vec<f64>,
    /// The highest corner.
    pub max: Vec<f64>,
    /// `n_cell / integral(c / min_dist^D) - 1`.
    pub error: f64,
    /// The integral: the expected number of points.
    pub expected: f64,
}

/// Compares the number of points in cells with the integral of `c / min_dist^D` over them, `c`
/// being the whole set's.
///
/// The domain is divided into halves of equal integrals, across the longer side, while each half
/// has room for 8 x 8 (x 8) distances. So cells are small where points are dense, however coarse or
/// steep the map. Returns `None` under [`Claim::Column`], or if the domain is smaller than a cell.
///
/// ```
/// # use spinney_quality as quality;
/// use density::{Bounds, DistRange, FnField};
/// use quality::measures::density_error;
/// use quality::{Claim, Domain, Edges, PointSet};
///
/// // A square grid in place of points that are four times as dense at the left as at the right.
/// let field = FnField::new(DistRange::new(1.0, 2.0)?, 0.01, |p: [f64; 2]| 1.0 + 0.01 * p[0])?;
/// let grid = (0..4900).map(|i| [f64::from(i % 70) / 0.7 + 0.7, f64::from(i / 70) / 0.7 + 0.7]);
/// let set = PointSet::from_positions(grid.collect())?;
/// let domain = Domain { bounds: Bounds::from_size([100.0, 100.0])?, edges: Edges::Open };
/// let found = density_error(&set, &domain, Claim::Field(&field), 0.98);
/// // The map's contrast is flattened.
/// assert!(found.is_some_and(|found| found.contrast < -0.3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn density_error<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    claim: Claim<'_, D>,
    c: f64,
) -> Option<DensityError> {
    let here: &dyn Fn([f64; D]) -> Option<f64> = match claim {
        Claim::Field(field) => &|p| field.min_dist(p),
        Claim::Uniform(distance) => &move |_| Some(distance),
        Claim::Column => return None,
    };
    let inside: Vec<[f64; D]> = set
        .positions()
        .iter()
        .copied()
        .filter(|&p| domain.holds(p))
        .collect();
    let mut map = Vec::new();
    split(domain, domain.bounds, inside, here, c, &mut map);
    if map.is_empty() {
        return None;
    }
    let total: f64 = map.iter().map(|cell| cell.expected).sum();
    let weighted = map.iter().map(|cell| cell.error.abs() * cell.expected);
    Some(DensityError {
        mean: weighted.sum::<f64>() / total,
        contrast: contrast(&map),
        cells: map.len(),
        map,
    })
}

fn split<const D: usize>(
    domain: &Domain<D>,
    bounds: Bounds<D>,
    points: Vec<[f64; D]>,
    here: &dyn Fn([f64; D]) -> Option<f64>,
    c: f64,
    map: &mut Vec<CellError>,
) {
    let size = bounds.size();
    let axis = (0..D)
        .max_by(|a, b| size[*a].total_cmp(&size[*b]))
        .unwrap_or(0);
    let (mut mass, mut all) = ([0.0; STRIPES], 0_u32);
    let cell = Domain { bounds, ..*domain };
    for p in scattered(&cell, PLACES) {
        let share = (p[axis] - bounds.min()[axis]) / size[axis];
        let stripe = ((share * STRIPES as f64) as usize).min(STRIPES - 1);
        all += 1;
        mass[stripe] += here(p).map_or(0.0, |r| r.powi(-(D as i32)));
    }
    let sum: f64 = mass.iter().sum();
    let room = bounds.volume() * (sum / f64::from(all));
    let least = LEAST_DISTANCES.powi(D as i32);
    if room >= 2.0 * least
        && 0.5 * c * room >= LEAST_EXPECTED
        && let Some([low, high]) = cut(
            &bounds,
            axis,
            bounds.min()[axis] + middle(&mass) * size[axis],
        )
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

/// Returns the position, from 0 to 1, below which half of the mass lies.
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

/// Returns the mean signed error of the denser half of the cells minus that of the sparser half.
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
