//! Takes all measures of a set.

use crate::capacity::{Capacity, packing, relative_radius};
use crate::claim::{Claim, Requirement};
use crate::density_error::{DensityError, density_error};
use crate::domain::Domain;
use crate::error::QualityError;
use crate::gaps::{Hole, gaps};
use crate::nearest::nearest;
use crate::pairs::{PairCorrelation, pair_correlation};
use crate::prefixes::{Prefix, prefixes};
use crate::set::PointSet;
use crate::spacing::{Pair, violations};
use crate::spectrum::{Periodogram, Ring};
use sampler::Rule;
use serde::Serialize;

/// The measures of a set. Measures that do not apply are `None` (`null` in JSON).
///
/// See [`judge`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Number of points.
    pub points: usize,
    /// 2 or 3.
    pub dimensions: usize,
    /// The rule that was applied.
    pub rule: &'static str,
    /// The domain's lowest corner.
    pub domain_min: Vec<f64>,
    /// The domain's highest corner.
    pub domain_max: Vec<f64>,
    /// `open`, `torus` or `window`.
    pub edges: &'static str,
    /// The least minimum distance at any point, world units.
    pub min_dist: Option<f64>,
    /// The greatest minimum distance at any point, world units.
    pub max_dist: Option<f64>,
    /// Number of pairs closer than required.
    pub violations: u64,
    /// `false` if counting stopped because there were too many.
    pub violations_complete: bool,
    /// The ten worst of those pairs.
    pub worst_pairs: Vec<Pair>,
    /// Number of points where the field allows none.
    pub misplaced: usize,
    /// Number of points outside the domain.
    pub outside: usize,
    /// The least ratio of distance to required distance of any pair: below 1 the rule is broken.
    pub worst_ratio: Option<f64>,
    /// The least distance of any two points, world units.
    pub least_distance: Option<f64>,
    /// The share of the area where points may lie that could take one more point: see [`gaps`].
    pub gap_fraction: Option<f64>,
    /// Proved lower bound of this share.
    pub gap_lower: Option<f64>,
    /// Proved upper bound of this share.
    pub gap_upper: Option<f64>,
    /// The area (volume) that these are shares of.
    pub searched_area: Option<f64>,
    /// The largest gap in one neighbourhood, in units of the square (cube) of the minimum distance
    /// there: see [`Gaps::largest_gap`](crate::measures::Gaps::largest_gap).
    pub largest_gap: Option<f64>,
    /// The place in a gap that is farthest from all points.
    pub largest_hole: Option<Hole>,
    /// n / integral of 1 / `min_dist`^D: see [`Capacity::c`].
    pub c: Option<f64>,
    /// The share of the domain covered by disks of half the minimum distance.
    pub packing: Option<f64>,
    /// The least distance relative to the densest packing: see [`relative_radius`].
    pub rho: Option<f64>,
    /// The mean distance of nearest neighbours relative to the densest packing.
    pub mean_rho: Option<f64>,
    /// The mean error of the density: see [`density_error`].
    pub density_error: Option<f64>,
    /// The error of the contrast: above 0 if the density exaggerates the map, below 0 if it
    /// flattens the map.
    pub density_contrast: Option<f64>,
    /// Decibels: see [`Periodogram::anisotropy`].
    pub anisotropy: Option<f64>,
    /// Number of sets over which the spectrum is averaged.
    pub spectrum_sets: usize,
    /// The radially averaged power spectrum; empty in space, or if a set has no points.
    pub spectrum: Vec<Ring>,
    /// The frequency of distances between points.
    pub pair_correlation: Option<PairCorrelation>,
    /// The spacing of the first n, n/2, n/4, ... points by rank.
    pub prefixes: Option<Vec<Prefix>>,
}

/// The report, with the data for pictures.
///
/// See [`judge`].
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The measures.
    pub report: Report,
    /// The density error of each cell.
    pub density: Option<DensityError>,
    /// The spectrum in two dimensions, for flat sets with points.
    pub periodogram: Option<Periodogram>,
}

/// The measures to take.
///
/// See [`judge`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measures {
    /// Pairs of points only: neither gaps nor what follows from many points.
    Pairs,
    /// Spacing and gaps only.
    Spacing,
    /// All.
    #[default]
    All,
}

/// Takes every measure of a set. `more` are sets of the same kind, over which the spectrum is
/// averaged. `D` is 2 or 3: others do not compile.
///
/// ```
/// # use spinney_quality as quality;
/// use density::{Bounds, Constant};
/// use quality::{Claim, Domain, Edges, Measures, PointSet, Rule, judge};
/// use sampler::{Scatter, ScatterOptions};
///
/// let (field, bounds) = (Constant::new(2.0)?, Bounds::from_size([60.0, 60.0])?);
/// let trees = Scatter::new(field, bounds, ScatterOptions::default())?.points()?.samples;
/// let set = PointSet::from_positions(trees.iter().map(|tree| tree.position).collect())?;
/// let domain = Domain { bounds, edges: Edges::Open };
/// let report = judge(&set, &[], &domain, Claim::Field(&field), Rule::Max, Measures::All)?.report;
/// assert_eq!((report.violations, report.misplaced), (0, 0));
/// // Next to no place is left for one more point.
/// assert!(report.gap_upper.is_some_and(|share| share < 1e-4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the distances or parents that the rule needs are missing, or the domain is a torus that does
/// not contain the points.
pub fn judge<const D: usize>(
    set: &PointSet<D>,
    more: &[PointSet<D>],
    domain: &Domain<D>,
    claim: Claim<'_, D>,
    rule: Rule,
    measures: Measures,
) -> Result<Judgement, QualityError> {
    let requirement = Requirement::new(set, rule, claim)?;
    let broken = violations(set, domain, &requirement)?;
    let near = nearest(set, domain, &requirement)?;
    let capacity = Capacity::of(set, domain, &requirement, claim);
    let allowed = capacity.allowed;
    // If points coincide, callers without distances claim the least possible one: every place would
    // be a gap.
    let least = PointSet::<D>::MOST.recip();
    let known = !matches!(claim, Claim::Uniform(distance) if distance <= least);
    let gaps = if known && measures != Measures::Pairs {
        gaps(set, domain, &requirement, claim, allowed)?
    } else {
        None
    };
    // Where no place is open, there is nothing to share. A window may be open only near its edges, which are not searched.
    let gaps = gaps.filter(|gaps| allowed.max(gaps.searched_area) > 0.0);
    let c = capacity.c(set.len());
    let relative = |ratio: Option<f64>| Some(relative_radius::<D>(ratio?, c?));
    let (mut density, mut correlation, mut nested, mut periodogram) = (None, None, None, None);
    if measures == Measures::All {
        if let Some(c) = c {
            density = density_error(set, domain, claim, c);
            correlation = pair_correlation(set, domain, &requirement, claim, c)?;
        }
        nested = prefixes(set, domain, claim, capacity)?;
        periodogram = spectrum(set, more, domain);
    }
    let power = periodogram.as_ref();
    let outside = set.positions().iter().filter(|&&p| !domain.holds(p));
    let asked = || requirement.min_dist.iter().copied();
    let report = Report {
        points: set.len(),
        dimensions: D,
        rule: rule.name(),
        domain_min: domain.bounds.min().to_vec(),
        domain_max: domain.bounds.max().to_vec(),
        edges: domain.edges.name(),
        min_dist: asked().reduce(f64::min),
        max_dist: asked().reduce(f64::max),
        violations: broken.count,
        violations_complete: broken.complete,
        worst_pairs: broken.worst,
        misplaced: requirement.misplaced().len(),
        outside: outside.count(),
        worst_ratio: near.least_ratio(),
        least_distance: near.least_distance(),
        gap_fraction: gaps.as_ref().map(|g| g.fraction),
        gap_lower: gaps.as_ref().map(|g| g.lower),
        gap_upper: gaps.as_ref().map(|g| g.upper),
        searched_area: gaps.as_ref().map(|g| g.searched_area),
        largest_gap: gaps.as_ref().map(|g| g.largest_gap),
        largest_hole: gaps.and_then(|g| g.largest_hole),
        c,
        packing: c.map(packing::<D>),
        rho: relative(near.least_ratio()),
        mean_rho: relative(near.mean_ratio()),
        density_error: density.as_ref().map(|d| d.mean),
        density_contrast: density.as_ref().map(|d| d.contrast),
        anisotropy: power.and_then(Periodogram::anisotropy),
        spectrum_sets: power.map_or(0, |_| 1 + more.len()),
        spectrum: power.map_or_else(Vec::new, Periodogram::rings),
        pair_correlation: correlation,
        prefixes: nested,
    };
    Ok(Judgement {
        report,
        density,
        periodogram,
    })
}

/// Returns the spectrum of flat sets; `None` in space, or where it cannot be computed.
fn spectrum<const D: usize>(
    set: &PointSet<D>,
    more: &[PointSet<D>],
    domain: &Domain<D>,
) -> Option<Periodogram> {
    let flat = |p: [f64; D]| -> Option<[f64; 2]> { p[..].try_into().ok() };
    let (min, max) = (flat(domain.bounds.min())?, flat(domain.bounds.max())?);
    let domain = Domain {
        bounds: density::Bounds::new(min, max).ok()?,
        edges: domain.edges,
    };
    let mut sets = Vec::new();
    for set in std::iter::once(set).chain(more) {
        let positions = set.positions().iter().map(|&p| flat(p));
        let positions: Option<Vec<[f64; 2]>> = positions.collect();
        sets.push(PointSet::from_positions(positions?).ok()?);
    }
    let sets: Vec<&PointSet<2>> = sets.iter().collect();
    Periodogram::of(&sets, &domain).ok()
}
