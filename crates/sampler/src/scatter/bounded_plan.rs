//! A plan over a bounded domain: all of its points, part by part, or those of a window.

use super::apart::Apart;
use super::gather::{CapFilter, Gather, SmallestByLayer, capped};
use super::layer::Layer;
use super::options::ScatterOptions;
use super::pass::Edges;
use super::plan::Plan;
use super::ranked::sort_by_rank;
use super::run::Run;
use super::scattered::{Progress, Scattered, Tell, VisitPart};
use crate::error::SampleError;
use crate::packing::packing;
use crate::point_limit::PointLimit;
use crate::preflight::{self, Beyond, Estimate};
use crate::steps::for_each;
use density::{Bounds, RadiusField};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A plan over a bounded domain.
#[derive(Clone, Debug)]
pub(super) struct BoundedPlan<'f, const D: usize> {
    pub(super) plan: Plan<'f, D>,
    pub(super) domain: Bounds<D>,
    pub(super) estimate: Estimate,
    /// Number of points expected in each layer.
    pub(super) expected: Vec<f64>,
}

impl<'f, const D: usize> BoundedPlan<'f, D> {
    /// Creates the plan of one field.
    pub(super) fn single(
        field: Arc<dyn RadiusField<D> + 'f>,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let estimate = check_layer(&field, &domain, edges, options, 0.0)?;
        Ok(Self {
            plan: Plan::single(field, Some(domain), edges, options)?,
            domain,
            expected: vec![estimate.points],
            estimate,
        })
    }

    /// Creates the plan of several layers.
    pub(super) fn layered(
        layers: Vec<Layer<'f, D>>,
        apart: Apart,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let plan = Plan::of_layers(layers, apart, Some(domain), edges, options)?;
        let mut expected = Vec::new();
        // Checks each layer by itself, whatever its number of points.
        let alone = ScatterOptions {
            limit: PointLimit::Refuse(u64::MAX),
            max_bytes: None,
            ..options
        };
        for layer in &plan.layers {
            let (field, apart) = (layer.grown(), plan.apart.greatest());
            let estimate = check_layer(&field, &domain, edges, alone, apart)?;
            expected.push(estimate.points);
        }
        for (number, points) in expected.iter_mut().enumerate() {
            *points *= share_of_turn(number, &plan);
        }
        let points: f64 = expected.iter().sum();
        let held = points.min(options.most_held() as f64);
        let bytes = options.bytes_per_point::<D>() * held + preflight::BLOCK_BYTES;
        let estimate = Estimate { points, bytes };
        options.check_expected(points)?;
        preflight::check_limits(&estimate, options.limit, options.max_bytes)?;
        Ok(Self {
            plan,
            domain,
            estimate,
            expected,
        })
    }

    /// Returns the number of points expected of all layers, without those that fit in addition at the domain's edges.
    pub(super) fn expected_inside(&self) -> f64 {
        let layers = self.plan.layers.iter().enumerate();
        let expected = layers.map(|(number, layer)| {
            let alone = preflight::expected(&*layer.grown(), &self.domain, packing(D));
            alone * share_of_turn(number, &self.plan)
        });
        expected.sum()
    }

    /// Returns all points, and reports the progress of the run to `progress`; `None` when that breaks it
    /// off.
    pub(super) fn all_points(
        &self,
        progress: Tell<'_>,
    ) -> Result<Option<Scattered<D>>, SampleError> {
        let (levels, cap) = (self.plan.options.levels, self.plan.options.cap());
        // A cap drops points on which ranks of others depend. So under a cap each part is ranked before its points are
        // dropped. Without one, a single ranking of the whole is faster; and a periodic domain is one part anyway.
        let is_ranked_by_parts = cap.is_some() && self.plan.edges == Edges::Open;
        if levels == 0 || is_ranked_by_parts {
            self.parts()?.gather(cap, progress)
        } else {
            self.all_ranked_at_once(progress)
        }
    }

    /// Returns all points with their ranks, which are computed when all points are found. `None` when `progress` breaks
    /// it off.
    fn all_ranked_at_once(&self, progress: Tell<'_>) -> Result<Option<Scattered<D>>, SampleError> {
        let mut last = Progress::default();
        let found = self.blocks()?.gather(None, &mut |state| {
            last = state;
            progress(state)
        })?;
        let Some(mut found) = found else {
            return Ok(None);
        };
        let (whole, may_go_on) = (&self.domain, &mut || progress(last));
        let samples = &mut found.samples;
        let ranked = self.plan.rank(samples, whole, may_go_on, &|_| true)?;
        if ranked.is_none() {
            return Ok(None);
        }
        sort_by_rank(&mut found.samples);
        Ok(Some(capped(found, self.plan.options.cap())))
    }

    /// Returns an iterator over all points, part by part.
    pub(super) fn stream(&self) -> Result<Stream<'_, D>, SampleError> {
        let parts = self.parts()?;
        let filter = match parts.cap_filter(&mut |_| ControlFlow::Continue(()))? {
            ControlFlow::Continue(filter) => filter,
            ControlFlow::Break(()) => CapFilter::default(),
        };
        Ok(Stream {
            parts,
            filter,
            next: 0,
            ready: VecDeque::new(),
        })
    }

    /// Passes all points to `visit`, part by part.
    pub(super) fn visit_parts(
        &self,
        visit: VisitPart<'_, D>,
    ) -> Result<ControlFlow<()>, SampleError> {
        let parts = self.parts()?;
        let filter = parts.cap_filter(&mut |state| visit(Scattered::default(), state))?;
        let ControlFlow::Continue(mut filter) = filter else {
            return Ok(ControlFlow::Break(()));
        };
        parts.visit(&mut |mut part, state| {
            filter.apply(&mut part);
            visit(part, state)
        })
    }

    /// Returns the points that lie in a window.
    pub(super) fn points_in(&self, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        let Some(inside) = window.intersection(&self.domain) else {
            return Ok(Scattered::default());
        };
        let found = match self.plan.options.levels {
            0 => self.unranked(&inside, &inside)?,
            _ => self.ranked(&inside)?,
        };
        Ok(capped(found, self.plan.options.cap()))
    }

    /// Returns all points in a box inside the domain, without ranks, and the unresolved cells in `counted`.
    fn unranked(&self, area: &Bounds<D>, counted: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        let mut all = Gather::new(None, 0.0);
        let run = Run::new(&self.plan, *area, *counted)?;
        // No callback breaks it off.
        let _ = run.visit(&mut |part| {
            all.add(part);
            ControlFlow::Continue(())
        })?;
        Ok(all.finish())
    }

    /// Returns all points in a box inside the domain, with ranks.
    fn ranked(&self, area: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        let fetch = &mut |place: &Bounds<D>| self.unranked(place, area);
        self.plan.ranked(area, fetch)
    }

    /// Returns the boxes that are ranked one by one. They are so long that their surroundings, which have to be known
    /// for the ranks, are not much larger; a periodic domain is one part.
    fn ranked_parts(&self) -> Vec<Bounds<D>> {
        let [_, greatest] = self.plan.distances();
        let side = RANKED_SIDE * greatest * f64::from(1 << self.plan.options.levels.min(5));
        let (min, max, size) = (self.domain.min(), self.domain.max(), self.domain.size());
        let starts: [Vec<f64>; D] = std::array::from_fn(|a| {
            let parts = match self.plan.edges {
                Edges::Open => (size[a] / side).ceil().max(1.0) as usize,
                Edges::Tiled => 1,
            };
            let start = |at: usize| (min[a] + at as f64 * side).min(max[a]);
            (0..parts).map(start).collect()
        });
        let last: [usize; D] = std::array::from_fn(|a| starts[a].len() - 1);
        let mut parts = Vec::new();
        for_each([0; D], last, |at| {
            let begin = std::array::from_fn(|a| starts[a][at[a]]);
            let end = std::array::from_fn(|a| *starts[a].get(at[a] + 1).unwrap_or(&max[a]));
            parts.extend(Bounds::new(begin, end));
        });
        parts
    }

    /// Returns the parts, with ranks if the options ask for them.
    fn parts(&self) -> Result<RunParts<'_, D>, SampleError> {
        match self.plan.options.levels {
            0 => self.blocks(),
            _ => Ok(RunParts::Ranked(self, self.ranked_parts())),
        }
    }

    /// Returns the blocks as parts, without ranks.
    fn blocks(&self) -> Result<RunParts<'_, D>, SampleError> {
        let run = Run::new(&self.plan, self.domain, self.domain)?;
        Ok(RunParts::Blocks(self, run))
    }
}

/// The side of a part that is ranked by itself, in greatest distances at the coarsest level, or at level 5
/// if that is finer.
const RANKED_SIDE: f64 = 32.0;

/// The parts of a run, which are evaluated and handed out one by one.
#[derive(Debug)]
enum RunParts<'s, const D: usize> {
    /// The blocks of a run without ranks.
    Blocks(&'s BoundedPlan<'s, D>, Run<'s, D>),
    /// Boxes that are ranked one by one.
    Ranked(&'s BoundedPlan<'s, D>, Vec<Bounds<D>>),
}

impl<const D: usize> RunParts<'_, D> {
    fn bounded(&self) -> &BoundedPlan<'_, D> {
        let (Self::Blocks(bounded, _) | Self::Ranked(bounded, _)) = self;
        bounded
    }

    fn len(&self) -> usize {
        match self {
            Self::Blocks(_, run) => run.len(),
            Self::Ranked(_, areas) => areas.len(),
        }
    }

    /// Returns the points of one part.
    fn points(&self, number: usize) -> Result<Scattered<D>, SampleError> {
        match self {
            Self::Blocks(_, run) => run.block_points(number),
            Self::Ranked(bounded, areas) => bounded.ranked(&areas[number]),
        }
    }

    /// Passes all parts to `visit`, in order, until it breaks off.
    fn visit(&self, visit: VisitPart<'_, D>) -> Result<ControlFlow<()>, SampleError> {
        let mut state = Progress {
            of: self.len(),
            ..Progress::default()
        };
        let mut visit = |part: Scattered<D>| {
            state.done += 1;
            state.points += part.samples.len() as u64;
            visit(part, state)
        };
        match self {
            Self::Blocks(_, run) => run.visit(&mut visit),
            Self::Ranked(bounded, areas) => {
                for area in areas {
                    if visit(bounded.ranked(area)?).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Returns the points of all parts, at most `cap`; `None` when `progress` breaks it off.
    fn gather(
        &self,
        cap: Option<u64>,
        progress: Tell<'_>,
    ) -> Result<Option<Scattered<D>>, SampleError> {
        let mut all = Gather::new(cap, self.bounded().estimate.points);
        let flow = self.visit(&mut |part, state| {
            all.add(part);
            progress(state)
        })?;
        Ok(flow.is_continue().then(|| all.finish()))
    }

    /// Returns the filter of the points under the cap, for which all parts are evaluated.
    fn cap_filter(&self, progress: Tell<'_>) -> Result<ControlFlow<(), CapFilter>, SampleError> {
        let Some(most) = self.bounded().plan.options.cap() else {
            return Ok(ControlFlow::Continue(CapFilter::default()));
        };
        let mut smallest = SmallestByLayer::new(most);
        let flow = self.visit(&mut |part, state| {
            for sample in &part.samples {
                smallest.add(sample, ());
            }
            progress(state)
        })?;
        Ok(match flow {
            ControlFlow::Break(()) => ControlFlow::Break(()),
            ControlFlow::Continue(()) => ControlFlow::Continue(smallest.into_filter()),
        })
    }
}

/// The points of a bounded domain, part by part.
#[derive(Debug)]
pub(super) struct Stream<'s, const D: usize> {
    parts: RunParts<'s, D>,
    filter: CapFilter,
    next: usize,
    ready: VecDeque<Result<Scattered<D>, SampleError>>,
}

impl<const D: usize> Stream<'_, D> {
    /// Returns the next part.
    pub(super) fn next(&mut self) -> Option<Result<Scattered<D>, SampleError>> {
        if self.ready.is_empty() {
            let end = (self.next + 2 * rayon::current_num_threads()).min(self.parts.len());
            let parts = (self.next..end).into_par_iter();
            let parts: Vec<_> = parts.map(|i| self.parts.points(i)).collect();
            self.next = end;
            self.ready.extend(parts);
        }
        let mut part = self.ready.pop_front()?;
        if let Ok(part) = &mut part {
            self.filter.apply(part);
        }
        Some(part)
    }
}

/// Returns an estimate of a layer's share in the area of its turn. The share of another layer counts in full if its
/// points keep the same distance from this layer as from each other. If they keep less, it counts as the square of the
/// area (volume) that they clear, compared with that. This predicts counts within a factor of 1.5
/// (`tests/sampler/layers.rs`).
fn share_of_turn<const D: usize>(number: usize, plan: &Plan<'_, D>) -> f64 {
    let layers = &plan.layers;
    let layer = &layers[number];
    let middle = |number: usize| {
        let range = layers[number].field.range();
        0.5 * (range.lo() + range.hi())
    };
    let mut shares = layer.share;
    let mut is_later = false;
    for &other in &plan.order {
        if other == number {
            is_later = true;
        } else if layers[other].turn == layer.turn {
            let pair = if is_later {
                [number, other]
            } else {
                [other, number]
            };
            let separation = plan.apart.separation(plan.options.rule, pair[0], pair[1]);
            let times = separation.distance(middle(pair[0]), middle(pair[1])) / middle(other);
            shares += layers[other].share * (0..2 * D).map(|_| times.min(1.0)).product::<f64>();
        }
    }
    layer.share / shares
}

/// Checks a layer over a domain and estimates its points. `apart` is the greatest distance between layers.
fn check_layer<const D: usize>(
    field: &dyn RadiusField<D>,
    domain: &Bounds<D>,
    edges: Edges,
    options: ScatterOptions,
    apart: f64,
) -> Result<Estimate, SampleError> {
    let beyond = match edges {
        Edges::Open => Beyond::Nothing,
        Edges::Tiled => Beyond::More,
    };
    let estimate = check(field, domain, options, beyond)?;
    let most = field.range().hi();
    check_period(domain, edges, most.max(apart))?;
    check_blocks(domain, most)?;
    Ok(estimate)
}

/// Checks that points of a periodic domain can keep their distance from their own images.
fn check_period<const D: usize>(
    domain: &Bounds<D>,
    edges: Edges,
    most: f64,
) -> Result<(), SampleError> {
    if edges == Edges::Open {
        return Ok(());
    }
    for (axis, size) in domain.size().into_iter().enumerate() {
        if size < 2.0 * most {
            return Err(SampleError::TileTooSmall {
                axis,
                size,
                max_dist: most,
            });
        }
    }
    Ok(())
}

/// Checks that an area does not have too many blocks to visit.
pub(super) fn check_blocks<const D: usize>(area: &Bounds<D>, most: f64) -> Result<(), SampleError> {
    const MOST: f64 = 1e7;
    let side = super::lattice::top(D) * most / (D as f64).sqrt();
    let along = |a: usize| (area.size()[a] / (16.0 * side)).max(1.0);
    let blocks: f64 = (0..D).map(along).product();
    if blocks > MOST {
        return Err(SampleError::TooManyBlocks { blocks, most: MOST });
    }
    Ok(())
}

/// Checks a field over a box and estimates its points.
pub(super) fn check<const D: usize>(
    field: &dyn RadiusField<D>,
    domain: &Bounds<D>,
    options: ScatterOptions,
    beyond: Beyond,
) -> Result<Estimate, SampleError> {
    options.check()?;
    let estimate = preflight::check(field, domain, &options.needs::<D>(beyond))?;
    options.check_expected(estimate.points)?;
    Ok(estimate)
}
