//! The interface through which programs call the engine, so that it is compiled in this crate, for 2D and
//! 3D, and not again in each program.

use super::apart::Apart;
use super::bounded_plan::{BoundedPlan, Stream};
use super::factor::{self, Build, Fitted};
use super::layer::Layer;
use super::options::ScatterOptions;
use super::pass::Edges;
use super::scattered::{MayGoOn, Scattered, Tell, VisitPart};
use super::shards::Shards;
use crate::compiled::either;
use crate::error::SampleError;
use crate::obstacles::{AvoidError, Obstacle};
use density::{Bounds, RadiusField};
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The engine in `D` dimensions. Each method calls the function that implements it.
pub(super) trait Engine<const D: usize>: Sync + Debug {
    fn single<'f>(
        &self,
        field: Arc<dyn RadiusField<D> + 'f>,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<BoundedPlan<'f, D>, SampleError> {
        BoundedPlan::single(field, domain, edges, options)
    }

    fn layered<'f>(
        &self,
        layers: Vec<Layer<'f, D>>,
        apart: Apart,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<BoundedPlan<'f, D>, SampleError> {
        BoundedPlan::layered(layers, apart, domain, edges, options)
    }

    fn all_points(
        &self,
        bounded: &BoundedPlan<'_, D>,
        progress: Tell<'_>,
    ) -> Result<Option<Scattered<D>>, SampleError> {
        bounded.all_points(progress)
    }

    fn visit_parts(
        &self,
        bounded: &BoundedPlan<'_, D>,
        visit: VisitPart<'_, D>,
    ) -> Result<ControlFlow<()>, SampleError> {
        bounded.visit_parts(visit)
    }

    fn stream<'s>(&self, bounded: &'s BoundedPlan<'_, D>) -> Result<Stream<'s, D>, SampleError> {
        bounded.stream()
    }

    fn next(&self, stream: &mut Stream<'_, D>) -> Option<Result<Scattered<D>, SampleError>> {
        stream.next()
    }

    fn points_in(
        &self,
        bounded: &BoundedPlan<'_, D>,
        window: &Bounds<D>,
    ) -> Result<Scattered<D>, SampleError> {
        bounded.points_in(window)
    }

    fn fit<'f>(
        &self,
        build: Build<'_, 'f, D>,
        options: ScatterOptions,
        count: u64,
        progress: Tell<'_>,
    ) -> Result<Option<Fitted<'f, D>>, SampleError> {
        factor::fit(build, options, count, progress)
    }

    fn endless(
        &self,
        field: Arc<dyn RadiusField<D>>,
        options: ScatterOptions,
    ) -> Result<Shards<D>, SampleError> {
        Shards::endless(field, options)
    }

    fn endless_layered(
        &self,
        layers: Vec<Layer<'static, D>>,
        apart: Apart,
        options: ScatterOptions,
    ) -> Result<Shards<D>, SampleError> {
        Shards::endless_layered(layers, apart, options)
    }

    fn bounded(&self, bounded: BoundedPlan<'static, D>) -> Shards<D> {
        Shards::of(bounded.plan)
    }

    fn window(
        &self,
        shards: &Shards<D>,
        window: &Bounds<D>,
        cap: Option<u64>,
        may_go_on: Option<MayGoOn<'_>>,
    ) -> Result<Option<Scattered<D>>, SampleError> {
        shards.window(window, cap, may_go_on)
    }

    fn prefetch(&self, shards: &Shards<D>, window: &Bounds<D>) -> Result<(), SampleError> {
        shards.prefetch(window)
    }

    fn is_ready(&self, shards: &Shards<D>, window: &Bounds<D>) -> bool {
        shards.is_ready(window)
    }

    fn put(&self, shards: &Shards<D>, obstacles: &[Obstacle<D>]) -> Result<(), AvoidError> {
        shards.put(obstacles)
    }

    fn take(&self, shards: &Shards<D>, obstacles: &[Obstacle<D>]) -> usize {
        shards.take(obstacles)
    }
}

/// The engine compiled in this crate.
#[derive(Debug)]
struct Here;

impl<const D: usize> Engine<D> for Here {}

static IN_THE_PLANE: &dyn Engine<2> = &Here;
static IN_SPACE: &dyn Engine<3> = &Here;

/// Returns the engine in `D` dimensions.
///
/// # Errors
/// When `D` is neither 2 nor 3.
pub(super) fn engine<const D: usize>() -> Result<&'static dyn Engine<D>, SampleError> {
    either(&IN_THE_PLANE, &IN_SPACE).ok_or(SampleError::Dimensions { dimensions: D })
}
