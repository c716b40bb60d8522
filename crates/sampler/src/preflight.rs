//! Estimates and checks of a run, before anything is allocated.

use crate::error::SampleError;
use crate::integral::integral;
use crate::level_grid::LevelGrid;
use crate::packing::most_points;
use crate::point_limit::PointLimit;
use density::{Bounds, DistRange, RadiusField};

/// The points and the memory that a run is expected to need.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Scatter, ScatterOptions};
///
/// let domain = Bounds::from_size([100.0, 100.0])?;
/// let trees = Scatter::new(Constant::new(1.0)?, domain, ScatterOptions::default())?;
/// let expected = trees.estimate().points;
/// let found = trees.points()?.samples.len() as f64;
/// assert!((found / expected - 1.0).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Points expected: c times the integral of `1 / min_dist^D` over the domain, and the points that
    /// fit in addition at its edges, as nothing beyond conflicts with them. In a domain much thinner
    /// than its distances these are most points; at the edges of a mask they are not counted.
    pub points: f64,
    /// Memory expected, in bytes.
    pub bytes: f64,
}

/// Coordinates up to this many times the least distance are precise enough to tell points apart.
pub(crate) const MOST_DISTANCES: f64 = 2_147_483_648.0;

/// Range of distances whose squares, and the inverses of these, are normal numbers.
pub(crate) const SCALE: (f64, f64) = (1e-150, 1e150);

/// Range of distances in single precision, in which blocks are evaluated: the squares of a thousandth
/// of a distance and of a thousand distances are normal numbers.
const BLOCK_SCALE: (f64, f64) = (1e-15, 1e15);

/// The parameters of an estimate, by algorithm, and the limits on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    pub(crate) limit: PointLimit,
    pub(crate) max_bytes: Option<u64>,
    /// The density constant c, points per `min_dist^D` of volume.
    pub(crate) density: f64,
    pub(crate) index: Indexed,
    pub(crate) beyond: Beyond,
}

/// The surroundings of a domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Beyond {
    /// No points.
    Nothing,
    /// More points: of a tile's other side, or of an endless world.
    More,
}

/// The points that an algorithm holds in an index at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Indexed {
    /// All points.
    All,
    /// A block of points, of bounded size; `bytes` are stored for each of the run's points, `most` at most.
    Block { bytes: f64, most: u64 },
}

/// Memory of blocks and their surroundings in 2D where all distances are equal, some tens of thousands
/// of points each, in bytes.
pub(crate) const BLOCK_BYTES: f64 = 3e7;

/// Memory for each point of a block while it is evaluated, surroundings included, in bytes: over a map
/// (over a steep one up to four times this), and in 3D, where a block may be the whole domain.
const BLOCK_BYTES_OF_MAPS: f64 = 400.0;
const BLOCK_BYTES_IN_SPACE: f64 = 1100.0;

/// A block in 3D, with its surroundings, takes the memory of at most this many times the intended number of points.
const BLOCK_EXCESS_IN_SPACE: f64 = 2.25;

/// A single thread in 3D goes on from block to block, and keeps the leaves along its front: they take the memory of this
/// many points at most.
const FRONT_IN_SPACE: f64 = 2.3e6;

/// Returns the points expected of a field over a domain, whatever the limits; `density` is c.
pub(crate) fn expected<const D: usize>(
    field: &dyn RadiusField<D>,
    domain: &Bounds<D>,
    density: f64,
) -> f64 {
    density * integral(field, domain)
}

/// Checks everything that can be known before the start, and returns the estimate.
pub(crate) fn check<const D: usize>(
    field: &dyn RadiusField<D>,
    domain: &Bounds<D>,
    needs: &Needs,
) -> Result<Estimate, SampleError> {
    let range = field.range();
    let scale = match needs.index {
        Indexed::All => SCALE,
        Indexed::Block { .. } => BLOCK_SCALE,
    };
    check_scaled::<D>(&range, scale)?;
    check_extent(&range, domain)?;
    let estimate = estimate(field, domain, needs);
    check_limits(&estimate, needs.limit, needs.max_bytes)?;
    Ok(estimate)
}

/// Checks that an estimate is within the limits.
pub(crate) fn check_limits(
    estimate: &Estimate,
    limit: PointLimit,
    max_bytes: Option<u64>,
) -> Result<(), SampleError> {
    match limit {
        PointLimit::Refuse(ceiling) if estimate.points > ceiling as f64 => {
            return Err(SampleError::TooManyPoints {
                expected: estimate.points,
                ceiling,
            });
        }
        PointLimit::Refuse(_) | PointLimit::Cap(_) => {}
    }
    if let Some(limit) = max_bytes
        && estimate.bytes > limit as f64
    {
        return Err(SampleError::TooMuchMemory {
            expected: estimate.points,
            megabytes: estimate.bytes / 1e6,
            limit_megabytes: limit as f64 / 1e6,
        });
    }
    Ok(())
}

/// Checks that the coordinates in a domain are precise enough to tell points apart.
pub(crate) fn check_extent<const D: usize>(
    range: &DistRange,
    domain: &Bounds<D>,
) -> Result<(), SampleError> {
    let extent = (0..D)
        .flat_map(|a| {
            [
                domain.min()[a].abs(),
                domain.max()[a].abs(),
                domain.size()[a],
            ]
        })
        .fold(0.0, f64::max);
    if extent > MOST_DISTANCES * range.lo() {
        return Err(too_fine(extent, range.lo()));
    }
    Ok(())
}

/// Returns the error for coordinates that reach too far for points as near to each other as `min_dist`.
pub(crate) fn too_fine(extent: f64, min_dist: f64) -> SampleError {
    SampleError::TooFine {
        extent,
        min_dist,
        limit: MOST_DISTANCES * min_dist,
    }
}

/// Checks the range of a field without a domain, for evaluation in blocks.
pub(crate) fn check_range<const D: usize>(range: &DistRange) -> Result<(), SampleError> {
    check_scaled::<D>(range, BLOCK_SCALE)
}

fn check_scaled<const D: usize>(
    range: &DistRange,
    (least, most): (f64, f64),
) -> Result<(), SampleError> {
    if range.lo() < least || range.hi() > most {
        return Err(SampleError::OutOfScale {
            lo: range.lo(),
            hi: range.hi(),
            least,
            most,
        });
    }
    let most_ratio = (1_u64 << LevelGrid::<D>::MAX_LEVELS) as f64;
    if range.hi() / range.lo() > most_ratio {
        return Err(SampleError::RatioTooLarge {
            lo: range.lo(),
            hi: range.hi(),
            ratio: range.hi() / range.lo(),
            limit: most_ratio,
        });
    }
    Ok(())
}

fn estimate<const D: usize>(
    field: &dyn RadiusField<D>,
    domain: &Bounds<D>,
    needs: &Needs,
) -> Estimate {
    let mut points = expected(field, domain, needs.density);
    if needs.beyond == Beyond::Nothing {
        points *= edge_factor(&field.range(), domain, points / needs.density);
    }
    // At least one point fits into any domain that may hold points.
    let points = points.max(1.0);
    let bytes = match needs.index {
        Indexed::All => {
            let kept = points.min(needs.limit.most() as f64);
            LevelGrid::<D>::bytes_for(domain, field.range(), kept) + kept * 40.0
        }
        Indexed::Block { bytes, most } => {
            points.min(most as f64) * bytes + block_bytes::<D>(points, &field.range())
        }
    };
    Estimate { points, bytes }
}

/// Returns the memory of blocks while they are evaluated, as many at once as there are threads.
fn block_bytes<const D: usize>(points: f64, range: &DistRange) -> f64 {
    let (bytes, excess) = if D > 2 {
        (BLOCK_BYTES_IN_SPACE, BLOCK_EXCESS_IN_SPACE)
    } else if range.lo() < range.hi() {
        (BLOCK_BYTES_OF_MAPS, 1.0)
    } else {
        return BLOCK_BYTES;
    };
    let threads = rayon::current_num_threads() as f64;
    let most = if D > 2 && threads < 2.0 {
        FRONT_IN_SPACE
    } else {
        threads * excess * most_points(D)
    };
    BLOCK_BYTES + bytes * points.min(most)
}

/// Returns the factor by which the edges of a domain raise the number of points; `unit_count` is the
/// integral of `1 / min_dist^D`.
///
/// An axis counts as longer by some 0.62 distances, and by 1.07 as the domain becomes thin: the value
/// for a line (0.7476 points a distance, Renyi 1958, by 0.6966 a square).
fn edge_factor<const D: usize>(range: &DistRange, domain: &Bounds<D>, unit_count: f64) -> f64 {
    let longest = domain.longest_side();
    let volume: f64 = domain.size().iter().map(|s| s / longest).product();
    let r = longest * root(volume / unit_count, D);
    let r = if r.is_finite() {
        range.clamp(r)
    } else {
        range.lo()
    };
    let more = |side: f64| {
        let along = side / r;
        1.0 + (0.62 + 0.45 / (1.0 + 5.0 * along)) / along
    };
    domain.size().into_iter().map(more).product()
}

/// Returns the root of degree `degree` of a positive number, by Newton's method from above: the square root
/// is the only library function that gives the same bits everywhere.
pub(crate) fn root(x: f64, degree: usize) -> f64 {
    if degree == 2 {
        return x.sqrt();
    }
    let n = degree as f64;
    let mut root = x.max(1.0);
    loop {
        let power: f64 = (1..degree).map(|_| root).product();
        let next = ((n - 1.0) * root + x / power) / n;
        // Rounding ends the descent at the latest; infinity and zero have no next value.
        if next.is_nan() || next >= root {
            return root;
        }
        root = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::BridsonOptions;
    use SampleError as E;
    use density::{Constant, DistRange, FnField};

    fn check_2d(
        range: (f64, f64),
        side: f64,
        options: BridsonOptions,
    ) -> Result<Estimate, SampleError> {
        let range = DistRange::new(range.0, range.1).expect("a good range");
        let domain = Bounds::from_size([side; 2]).expect("a good box");
        check(
            &FnField::new(range, 0.0, move |_: [f64; 2]| range.lo()).expect("a slope"),
            &domain,
            &options.needs::<2>(),
        )
    }

    #[test]
    fn refuses_what_cannot_end_well() {
        let plain = BridsonOptions::default();
        let no_tries = BridsonOptions { tries: 0, ..plain };
        let tight = BridsonOptions {
            max_bytes: Some(1_000_000),
            ..plain
        };
        let field = Constant::new(1.0).expect("a good field");
        let domain = Bounds::from_size([9.0; 2]).expect("a good box");
        let run = crate::Bridson::new(field, domain, no_tries);
        assert!(matches!(run.map(|_| ()), Err(E::NoTries)));
        assert!(matches!(
            check_2d((0.001, 0.001), 1e3, plain),
            Err(E::TooManyPoints { ceiling: 100_000_000, expected }) if (expected / 6.15e11 - 1.0).abs() < 0.01
        ));
        assert!(matches!(
            check_2d((1.0, 1.0), 1e3, tight),
            Err(E::TooMuchMemory { .. })
        ));
        assert!(check_2d((1.0, 1.0), 50.0, tight).is_ok());
        assert!(matches!(
            check_2d((1e-3, 1e-3), 1e9, plain),
            Err(E::TooFine { .. })
        ));
        assert!(matches!(
            check_2d((1.0, 1e10), 9.0, plain),
            Err(E::RatioTooLarge { .. })
        ));
        assert!(matches!(
            check_2d((1e-300, 1e-300), 1e-299, plain),
            Err(E::OutOfScale { .. })
        ));
        assert!(matches!(
            check_2d((1e300, 1e300), 1e301, plain),
            Err(E::OutOfScale { .. })
        ));
    }

    /// Far from the origin, neighbouring numbers are too far apart to keep a small distance.
    #[test]
    fn refuses_a_far_origin() {
        let field = Constant::new(1.0).expect("a good field");
        let at = |x: f64| {
            let domain = Bounds::with_origin([x; 2], [10.0; 2]).expect("a good box");
            check(&field, &domain, &BridsonOptions::default().needs::<2>())
        };
        assert!(at(1e6).is_ok());
        assert!(at(-1e9).is_ok());
        assert!(matches!(at(1e15), Err(SampleError::TooFine { .. })));
    }

    /// There may be too many points for any index.
    #[test]
    fn an_index_too_large_is_an_error() {
        let field = Constant::new(1.0).expect("a good field");
        let domain = Bounds::from_size([2e9; 3]).expect("a good box");
        let options = BridsonOptions {
            limit: PointLimit::Cap(u64::MAX),
            ..BridsonOptions::default()
        };
        let run = crate::Bridson::new(field, domain, options);
        assert!(matches!(run.map(|_| ()), Err(E::OutOfMemory { .. })));
    }

    /// A dense place of a millionth of the area holds nearly all of the points.
    #[test]
    fn a_small_dense_place_is_expected() {
        let map = density::GreyMap::from_fn(2048, 2048, |x, y| {
            if x / 7 == 100 && y / 7 == 51 {
                0.0
            } else {
                1.0
            }
        });
        let range = DistRange::new(0.001, 100.0).expect("a good range");
        let options = density::MapOptions::default();
        let field = density::RadiusMap::new(map.expect("a good map"), range, options);
        let field = field.expect("a good field");
        let run = crate::Bridson::new(&field, field.bounds(), BridsonOptions::default());
        // Between the pixels' centres the block is wholly black over 6 by 6 units.
        let points = run.expect("a run").estimate().points;
        assert!((2.2e7..4e7).contains(&points), "{points}");
    }

    #[test]
    fn expects_about_what_comes() {
        let range = DistRange::new(1.0, 8.0).expect("a good range");
        let field = FnField::new(range, 0.07, |p: [f64; 2]| 1.0 + 0.07 * p[0]).expect("a slope");
        let domain = Bounds::from_size([100.0; 2]).expect("a good box");
        let run = crate::Bridson::new(&field, domain, BridsonOptions::default()).expect("a run");
        let expected = run.estimate();
        let mut run = run;
        let count = run.by_ref().count() as f64;
        assert!(
            (expected.points / count - 1.0).abs() < 0.1,
            "{expected:?}, {count} came"
        );
        let bytes = run.bytes() as f64;
        assert!(
            expected.bytes > bytes && expected.bytes < 3.0 * bytes,
            "{expected:?}, {bytes} used"
        );
    }

    #[test]
    fn roots_are_roots() {
        for x in [1e-9, 0.3, 1.0, 2.0, 27.0, 1e30] {
            for degree in [1, 2, 3, 5] {
                let y = root(x, degree);
                let power: f64 = (0..degree).map(|_| y).product();
                assert!((power / x - 1.0).abs() < 1e-14, "{x} {degree}: {y}");
            }
        }
    }
}
