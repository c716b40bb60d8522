//! [`Scatter`]: the engine as callers see it.

use super::blocks::Block;
use super::lattice::Lattice;
use super::law::{MaxLaw, MeanLaw, MinLaw, OwnLaw, PriorLaw};
use super::region::{Outcome, Region};
use super::view::View;
use crate::error::SampleError;
use crate::options::PointLimit;
use crate::preflight::{self, Estimate, Indexed, Needs};
use crate::rule::Rule;
use crate::sample::Sample;
use density::{Bounds, RadiusField};
use rayon::prelude::*;

/// Options of [`Scatter`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScatterOptions {
    /// How far apart two points of different `min_dist` must be; the earlier point is the one
    /// with the smaller [`id`](Sample::id). Default [`Rule::Max`]. [`Rule::Parent`] has no
    /// meaning here: no point has a parent.
    pub rule: Rule,
    /// What the points are a function of, beside the field. Default 0.
    pub seed: u64,
    /// How many points may come out. Default: refuse above 100 million.
    pub limit: PointLimit,
    /// Refuse to start when more memory than this, in bytes, is expected to be needed.
    /// Default: no limit.
    pub max_bytes: Option<u64>,
}

/// Maximal blue-noise points as a pure function of place: the whole, or any window of it.
///
/// # Guarantees
/// 1. Every pair of points keeps [`Rule::distance`] of their `min_dist`s, to the last bit.
/// 2. Maximal: no place is left where one more point could go, except inside the
///    [`unresolved`](Scattered::unresolved) cells, which are counted.
/// 3. The points are a pure function of ([`ALGORITHM_VERSION`](crate::ALGORITHM_VERSION), seed,
///    field, domain, rule). Those of a window are those of the whole that lie in it: the same
///    ids and the same bits, whatever was asked before.
///
/// # Cost
/// O(1) a point; O(points of a block) memory beside the result.
#[derive(Clone, Debug)]
pub struct Scatter<const D: usize, F> {
    field: F,
    lattice: Lattice<D>,
    domain: Option<Bounds<D>>,
    options: ScatterOptions,
    estimate: Option<Estimate>,
}

/// The points of a domain or a window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scattered<const D: usize> {
    /// The points, block by block; their order says nothing. An `id` is a hash of the cell that
    /// threw the point: it stays when windows or far parts of the field change. Of two points,
    /// the one with the smaller `id` was decided earlier.
    pub samples: Vec<Sample<D>>,
    /// Cells at the finest resolution in which one more point might still have gone.
    pub unresolved: u64,
    /// Their area (volume), world units.
    pub unresolved_volume: f64,
}

/// Coarsest cells along the side of a block of the whole.
const fn block_side(dimensions: usize) -> i64 {
    match dimensions {
        2 => 64,
        3 => 24,
        _ => 64,
    }
}

/// Coarsest cells along the side of a block of a window.
const WINDOW_SIDE: i64 = 16;

impl<const D: usize, F: RadiusField<D>> Scatter<D, F> {
    /// Points over a bounded domain. The lattice starts at the domain's lowest corner, so that
    /// moving a map moves its points.
    ///
    /// # Errors
    /// When the rule is [`Rule::Parent`], when more points are expected than the options
    /// allow, or when the distances are too small or too different for the domain.
    pub fn new(field: F, domain: Bounds<D>, options: ScatterOptions) -> Result<Self, SampleError> {
        let estimate = check(&field, &domain, options)?;
        Ok(Self {
            lattice: Lattice::open(domain.min(), field.range()),
            field,
            domain: Some(domain),
            options,
            estimate: Some(estimate),
        })
    }

    /// Points over a domain the opposite edges of which are one: laid side by side, copies fit
    /// without a seam, and distances count across the edges. Where the field differs on two
    /// opposite edges it has a step there.
    ///
    /// # Errors
    /// As [`Scatter::new`], and when a side of the domain is shorter than twice the greatest
    /// distance.
    pub fn tiled(
        field: F,
        domain: Bounds<D>,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let estimate = check(&field, &domain, options)?;
        let most = field.range().hi();
        for (axis, size) in domain.size().into_iter().enumerate() {
            if size < 2.0 * most {
                return Err(SampleError::TileTooSmall {
                    axis,
                    size,
                    max_dist: most,
                });
            }
        }
        Ok(Self {
            lattice: Lattice::tiled(&domain, field.range()),
            field,
            domain: Some(domain),
            options,
            estimate: Some(estimate),
        })
    }

    /// Points of an endless world, of which windows can be asked for. The lattice starts at
    /// the origin of coordinates.
    ///
    /// # Errors
    /// As [`Scatter::new`], as far as it can be known without a domain.
    pub fn endless(field: F, options: ScatterOptions) -> Result<Self, SampleError> {
        if options.rule == Rule::Parent {
            return Err(SampleError::NoParents);
        }
        preflight::check_range::<D>(&field.range())?;
        Ok(Self {
            lattice: Lattice::open([0.0; D], field.range()),
            field,
            domain: None,
            options,
            estimate: None,
        })
    }

    /// The domain, `None` of an endless world.
    pub fn domain(&self) -> Option<Bounds<D>> {
        self.domain
    }

    /// What was expected of a bounded domain.
    pub fn estimate(&self) -> Option<Estimate> {
        self.estimate
    }

    /// The points that lie in `window` (half-open), in any order of asking.
    ///
    /// # Errors
    /// When the window lies too far from the origin for the field's distances, or more points
    /// are expected in it than the options allow.
    pub fn points_in(&self, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        if self.domain.is_none() {
            check(&self.field, window, self.options)?;
        }
        let mut found = Scattered::default();
        let mut region = Region::default();
        for block in self.view().blocks_of_grid(window, WINDOW_SIDE) {
            let outcome = self.run(&mut region, &block);
            self.collect(outcome, &mut found, |p| window.contains(p));
        }
        Ok(found)
    }

    /// All points of a bounded domain, on all threads of rayon's current pool; none of an
    /// endless one.
    pub fn points(&self) -> Scattered<D> {
        let blocks = self.all_blocks();
        let parts: Vec<Scattered<D>> = blocks
            .par_iter()
            .map_init(Region::default, |region, block| {
                let mut found = Scattered::default();
                self.collect(self.run(region, block), &mut found, |_| true);
                found
            })
            .collect();
        let mut all = Scattered::default();
        let count = parts.iter().map(|part| part.samples.len()).sum();
        all.samples.reserve_exact(count);
        for part in parts {
            all.samples.extend(part.samples);
            all.unresolved += part.unresolved;
            all.unresolved_volume += part.unresolved_volume;
        }
        all
    }

    /// The points of a bounded domain, a block at a time: memory does not grow with their
    /// number.
    pub fn stream(&self) -> impl Iterator<Item = Scattered<D>> {
        let mut region = Region::default();
        self.all_blocks().into_iter().map(move |block| {
            let mut found = Scattered::default();
            self.collect(self.run(&mut region, &block), &mut found, |_| true);
            found
        })
    }

    fn all_blocks(&self) -> Vec<Block<D>> {
        self.domain
            .map_or(Vec::new(), |d| self.view().even_blocks(&d, block_side(D)))
    }

    pub(super) fn run(&self, region: &mut Region<D>, block: &Block<D>) -> Outcome<D> {
        let (view, place) = (self.view(), &block.place);
        match self.options.rule {
            Rule::Max => view.run::<MaxLaw>(region, place),
            Rule::Mean => view.run::<MeanLaw>(region, place),
            Rule::Min => view.run::<MinLaw>(region, place),
            // No constructor lets `Parent` in; it would be the same for points without one.
            Rule::Own | Rule::Parent => view.run::<OwnLaw>(region, place),
            Rule::Prior => view.run::<PriorLaw>(region, place),
        }
    }

    fn collect(
        &self,
        outcome: Outcome<D>,
        found: &mut Scattered<D>,
        wanted: impl Fn([f64; D]) -> bool,
    ) {
        found.unresolved += outcome.unresolved;
        found.unresolved_volume += outcome.unresolved_volume;
        let points = outcome.points.into_iter().filter(|q| wanted(q.p));
        found.samples.extend(points.map(|q| Sample {
            id: q.id,
            position: q.p,
            min_dist: q.r,
            value: self.field.value(q.p),
            parent: None,
            rank: None,
            layer: None,
        }));
    }

    pub(super) fn view(&self) -> View<'_, D, F> {
        View {
            field: &self.field,
            lattice: self.lattice,
            domain: self.domain,
            seed: self.options.seed,
        }
    }
}

fn check<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: &Bounds<D>,
    options: ScatterOptions,
) -> Result<Estimate, SampleError> {
    if options.rule == Rule::Parent {
        return Err(SampleError::NoParents);
    }
    let needs = Needs {
        limit: options.limit,
        max_bytes: options.max_bytes,
        density: [0.6966, 0.734, 0.7],
        index: Indexed::Block,
    };
    preflight::check(field, domain, &needs)
}
