//! [`Scatter`]: the engine as callers see it.

use super::blocks::Block;
use super::crowd::Crowd;
use super::lattice::{Lattice, encloses, top};
use super::law::{MaxLaw, MeanLaw, MinLaw, OwnLaw, PriorLaw};
use super::options::Depth;
pub(super) use super::options::ScatterOptions;
use super::region::{Outcome, Region};
use super::scattered::Scattered;
use super::throw::mixed;
use super::tile::is_gentle;
use super::view::View;
use crate::error::SampleError;
use crate::preflight::{self, Beyond, Estimate, Needs};
use crate::rule::Rule;
use crate::sample::Sample;
use density::{Bounds, Coverage, LocalRange, RadiusField};
use std::sync::Arc;

/// Maximal blue-noise points as a pure function of place: the whole, or any window of it.
///
/// # Guarantees
/// 1. Every pair of points keeps [`Rule::distance`] of their `min_dist`s, to the last bit.
/// 2. Maximal: no place is left where one more point could go, except inside the
///    [`unresolved`](Scattered::unresolved) cells, which are counted.
/// 3. The points are a pure function of ([`ALGORITHM_VERSION`](crate::ALGORITHM_VERSION), seed,
///    field, domain, rule). Those of a window are those of the whole that lie in it: the same
///    ids, ranks and bits, whatever was asked before and on however many threads.
/// 4. Local: when the field changes somewhere, points farther from there than 8 of its greatest
///    distances stay as they are, ids included (`tests/scatter_repaint.rs`; ranks reach farther, as
///    their distances do).
///
/// # Ways to run it
/// | call | gives |
/// |---|---|
/// | [`points`](Self::points), [`points_with`](Self::points_with) | the whole |
/// | [`stream`](Self::stream), [`stream_with`](Self::stream_with) | the whole, part by part |
/// | [`points_in`](Self::points_in) | a window |
/// | [`Windows`](crate::Windows) | many windows that overlap or adjoin |
/// | [`Scatter::with_count`] | a given number of points |
///
/// All use the threads of rayon's current pool.
///
/// # Cost
/// O(1) a point; memory for one block a thread beside the result.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Scatter, ScatterOptions};
///
/// let world = Scatter::endless(Constant::new(2.0)?, ScatterOptions::default())?;
/// let wide = world.points_in(&Bounds::new([-50.0, -20.0], [50.0, 20.0])?)?;
/// let right = Bounds::new([10.0, -20.0], [50.0, 20.0])?;
/// let mut cropped: Vec<u64> = wide.samples.iter().filter(|s| right.contains(s.position)).map(|s| s.id).collect();
/// let mut asked: Vec<u64> = world.points_in(&right)?.samples.iter().map(|s| s.id).collect();
/// cropped.sort_unstable();
/// asked.sort_unstable();
/// assert_eq!(asked, cropped);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scatter<const D: usize, F> {
    field: F,
    lattice: Lattice<D>,
    domain: Option<Bounds<D>>,
    options: ScatterOptions,
    estimate: Option<Estimate>,
    /// Points that are there already, which all keep off.
    crowd: Option<Arc<Crowd<D>>>,
    depth: Depth,
}

impl<const D: usize, F: RadiusField<D>> Scatter<D, F> {
    /// Points over a bounded domain. The lattice starts at the domain's lowest corner, so that
    /// moving a map moves its points.
    ///
    /// # Errors
    /// When the rule is [`Rule::Parent`], when more points are expected than the options
    /// allow, or when the distances are too small or too different for the domain.
    pub fn new(field: F, domain: Bounds<D>, options: ScatterOptions) -> Result<Self, SampleError> {
        let estimate = check(&field, &domain, options, Beyond::Nothing)?;
        let lattice = Lattice::open(domain.min(), field.range(), 1.0);
        Self::bounded(field, lattice, domain, options, Some(estimate))
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
        let estimate = check(&field, &domain, options, Beyond::More)?;
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
        let lattice = Lattice::tiled(&domain, field.range());
        Self::bounded(field, lattice, domain, options, Some(estimate))
    }

    fn bounded(
        field: F,
        lattice: Lattice<D>,
        domain: Bounds<D>,
        options: ScatterOptions,
        estimate: Option<Estimate>,
    ) -> Result<Self, SampleError> {
        let scatter = Self {
            field,
            lattice,
            domain: Some(domain),
            options,
            estimate,
            crowd: None,
            depth: Depth::Full,
        };
        scatter.check_blocks(&domain)?;
        Ok(scatter)
    }

    /// Points of an endless world, of which windows can be asked for. The lattice starts at
    /// the origin of coordinates.
    ///
    /// # Errors
    /// As [`Scatter::new`], as far as it can be known without a domain.
    pub fn endless(field: F, options: ScatterOptions) -> Result<Self, SampleError> {
        options.check()?;
        preflight::check_range::<D>(&field.range())?;
        Ok(Self {
            lattice: Lattice::open([0.0; D], field.range(), 1.0),
            field,
            domain: None,
            options,
            estimate: None,
            crowd: None,
            depth: Depth::Full,
        })
    }

    /// As [`new`](Self::new) or [`endless`](Self::endless) amid points that are there already,
    /// which all keep off, and without an estimate: for fields that were checked before. Cells are so
    /// many times as long as usual, which decides what the points are.
    pub(crate) fn amid(
        field: F,
        domain: Option<Bounds<D>>,
        options: ScatterOptions,
        crowd: Option<Arc<Crowd<D>>>,
        stretch: f64,
    ) -> Result<Self, SampleError> {
        let scatter = match domain {
            None => {
                let lattice = Lattice::open([0.0; D], field.range(), stretch);
                Self {
                    lattice,
                    ..Self::endless(field, options)?
                }
            }
            Some(domain) => {
                let lattice = Lattice::open(domain.min(), field.range(), stretch);
                Self::bounded(field, lattice, domain, options, None)?
            }
        };
        Ok(Self { crowd, ..scatter })
    }

    /// The same, but that it goes no further.
    pub(crate) fn until(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }

    /// Whether what is left open around a point stays open, by what is asked for in a tile's width there:
    /// elsewhere than on gentle ground it is looked for to the end.
    pub(crate) fn leaves_open_around(&self, sample: &Sample<D>) -> bool {
        let half = 0.5 * top(D) / (D as f64).sqrt() * sample.min_dist;
        let [min, max] = [-half, half].map(|half| sample.position.map(|x| x + half));
        let Ok(place) = Bounds::new(min, max) else {
            return false;
        };
        let cut_off = |domain: &Bounds<D>| !encloses(domain, &place);
        let gentle = |local: LocalRange| {
            local.coverage == Coverage::All && is_gentle(local.range.lo(), local.range.hi())
        };
        self.depth == Depth::Thrown
            && !self.domain.as_ref().is_some_and(cut_off)
            && self.field.range_in(&place).is_some_and(gentle)
    }

    /// The domain, `None` of an endless world.
    pub fn domain(&self) -> Option<Bounds<D>> {
        self.domain
    }

    /// The field.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// The options.
    pub fn options(&self) -> &ScatterOptions {
        &self.options
    }

    /// Whether opposite edges of the domain are one.
    pub fn is_tiled(&self) -> bool {
        self.lattice.turn_size().is_some()
    }

    /// What was expected of a bounded domain.
    pub fn estimate(&self) -> Option<Estimate> {
        self.estimate
    }

    /// Checks that a window can be had; cheap for one that is small beside the limit.
    pub(super) fn check_window(&self, window: &Bounds<D>) -> Result<(), SampleError> {
        if self.domain.is_some() {
            return Ok(());
        }
        preflight::check_extent(&self.field.range(), window)?;
        self.check_blocks(window)?;
        // The field's bounds settle it where even the densest field there would do.
        let Some(local) = self.field.range_in(window) else {
            return Ok(());
        };
        let room = window.size().map(|s| s / local.range.lo() + 1.0);
        if room.iter().product::<f64>() < self.options.limit.most() as f64 {
            return Ok(());
        }
        check(&self.field, window, self.options, Beyond::More).map(|_| ())
    }

    /// Checks that an area has not too many blocks to walk over.
    fn check_blocks(&self, area: &Bounds<D>) -> Result<(), SampleError> {
        const MOST: f64 = 1e7;
        let sides = self.lattice.sides(0);
        let along = |a: usize| (area.size()[a] / (16.0 * sides[a])).max(1.0);
        let blocks: f64 = (0..D).map(along).product();
        if blocks > MOST {
            return Err(SampleError::TooManyBlocks { blocks, most: MOST });
        }
        Ok(())
    }

    pub(super) fn run(&self, region: &mut Region<D>, block: &Block<D>) -> Outcome<D> {
        let (view, place) = (self.view(), &block.place);
        let range = self.field.range();
        match self.options.rule {
            // Where all ask for the same, the rules are one: the one that reads least.
            _ if range.lo() == range.hi() && view.crowd.is_none() => {
                view.run::<OwnLaw>(region, place)
            }
            Rule::Max => view.run::<MaxLaw>(region, place),
            Rule::Mean => view.run::<MeanLaw>(region, place),
            Rule::Min => view.run::<MinLaw>(region, place),
            // No constructor lets `Parent` in; it would be the same for points without one.
            Rule::Own | Rule::Parent => view.run::<OwnLaw>(region, place),
            Rule::Prior => view.run::<PriorLaw>(region, place),
        }
    }

    /// The points of a block.
    pub(super) fn block(&self, region: &mut Region<D>, block: &Block<D>) -> Scattered<D> {
        let outcome = self.run(region, block);
        let samples = outcome.points.into_iter().map(|q| Sample {
            id: q.id,
            position: q.p,
            min_dist: q.r,
            value: self.field.value(q.p),
            parent: None,
            rank: None,
            layer: None,
        });
        Scattered {
            samples: samples.collect(),
            complete: true,
            unresolved: outcome.unresolved,
            unresolved_volume: outcome.unresolved_volume,
        }
    }

    pub(super) fn view(&self) -> View<'_, D, F> {
        View {
            field: &self.field,
            lattice: self.lattice,
            domain: self.domain,
            seed: mixed(self.options.seed),
            crowd: self.crowd.as_deref(),
            depth: self.depth,
        }
    }
}

fn check<const D: usize, F: RadiusField<D>>(
    field: &F,
    domain: &Bounds<D>,
    options: ScatterOptions,
    beyond: Beyond,
) -> Result<Estimate, SampleError> {
    options.check()?;
    let needs = Needs {
        beyond,
        ..options.needs::<D>()
    };
    let estimate = preflight::check(field, domain, &needs)?;
    options.check_expected(estimate.points)?;
    Ok(estimate)
}
