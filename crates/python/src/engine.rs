//! Calls of the sampler, which no other file of this package makes.

use crate::arrays::Columns;
use crate::field::Shared;
use crate::memory;
use crate::options::rule_of;
use crate::refused::{Outcome, Refused};
use crate::watch::Watch;
use density::{Bounds, MapPart, PixelRect, Scaled};
use sampler::{
    Apart, Avoiding, Bridson, BridsonOptions, Edges, End, Layer, Obstacle, PointLimit, Rule,
    SampleError, Scatter, ScatterOptions,
};
use std::sync::Arc;

/// Returns the options of a run; `rule` is a rule's name.
pub(crate) fn options(
    rule: &str,
    seed: u64,
    max_points: Option<u64>,
    lod: u32,
) -> Outcome<ScatterOptions> {
    Ok(ScatterOptions {
        rule: rule_of(rule)?,
        seed,
        limit: max_points.map_or(PointLimit::default(), PointLimit::Cap),
        max_bytes: memory::available(),
        levels: lod,
    })
}

/// Closes places of a field that conflict with obstacles. `tile` is the domain if it is periodic.
pub(crate) fn avoiding(
    field: Shared,
    rule: Rule,
    there: Vec<Obstacle<2>>,
    tile: Option<Bounds<2>>,
) -> Outcome<Shared> {
    let field = match tile {
        None => Avoiding::new(field, rule, there),
        Some(domain) => Avoiding::tiled(field, rule, there, &domain),
    };
    Ok(Arc::new(
        field.map_err(|e| Refused::new(format!("avoid: {e}")))?,
    ))
}

/// Number of Bridson's points between two reports of progress.
const BATCH: usize = 1024;

/// Returns the points of `domain` by Bridson's algorithm, or `None` if the run was cancelled.
pub(crate) fn bridson(
    field: Shared,
    domain: Bounds<2>,
    options: ScatterOptions,
    tries: u32,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let ScatterOptions {
        rule,
        seed,
        limit,
        max_bytes,
        levels: _,
    } = options;
    let options = BridsonOptions {
        rule,
        tries,
        seed,
        limit,
        max_bytes,
    };
    let mut bridson = Bridson::new(field, domain, options)?;
    let expected = bridson.estimate().points.max(1.0);
    let mut columns = Columns::of_bridson();
    loop {
        let before = columns.len();
        let batch = bridson.by_ref().take(BATCH);
        batch.for_each(|sample| columns.push(&sample));
        let points = columns.len();
        let share = (points as f64 / expected).min(1.0);
        if watch.at(share, points as u64).is_break() {
            return Ok(None);
        }
        if points < before + BATCH {
            return match bridson.end() {
                End::Failed(error) => Err(error.into()),
                end => Ok(Some(columns.ended(end == End::Complete))),
            };
        }
    }
}

/// Returns the points of `domain`, which may be periodic, or `None` if the run was cancelled.
pub(crate) fn whole(
    field: Shared,
    domain: Bounds<2>,
    edges: Edges,
    options: ScatterOptions,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let scatter = match edges {
        Edges::Open => Scatter::new(field, domain, options),
        Edges::Tiled => Scatter::tiled(field, domain, options),
    }?;
    all(&scatter, watch)
}

/// Returns all points of a run, or `None` if it was cancelled.
fn all(scatter: &Scatter<'_, 2>, watch: &Watch) -> Outcome<Option<Columns>> {
    let ScatterOptions { limit, levels, .. } = *scatter.options();
    let is_capped = match limit {
        PointLimit::Cap(_) => true,
        PointLimit::Refuse(_) => false,
    };
    // Ranks and caps depend on all points, and are computed faster from a list than from a stream.
    if levels > 0 || is_capped {
        let found = scatter.points_with(|at| watch.after(at))?;
        return Ok(found.map(|found| Columns::new(&found, 1.0)));
    }
    let mut columns = Columns::scaled(1.0);
    let flow = scatter.stream_with(|part, at| {
        columns.add(&part);
        watch.after(at)
    })?;
    Ok(flow.is_continue().then_some(columns))
}

/// Returns `count` points of `domain` by scaling all distances, or `None` if the run was cancelled.
pub(crate) fn counted(
    field: Shared,
    domain: Bounds<2>,
    edges: Edges,
    options: ScatterOptions,
    count: u64,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let go_on = |at| watch.after(at);
    let found = Scatter::with_count_while(field, domain, edges, options, count, go_on)
        .map_err(|error| Refused::sampling(&error, Some(count)))?;
    Ok(found.map(|found| Columns::new(&found.points, found.factor)))
}

/// Result of sampling a window from a part of a map.
pub(crate) enum InPart {
    /// The points, equal to those of the whole map.
    Points(Columns),
    /// The larger part of the map that the points depend on.
    Beyond(PixelRect),
}

/// Samples a window of a whole map from `part` of it, with all distances multiplied by `scale_factor`.
pub(crate) fn window_of_part(
    part: &Arc<MapPart>,
    scale_factor: f64,
    window: &Bounds<2>,
    options: ScatterOptions,
) -> Outcome<InPart> {
    let field = Scaled::new(Arc::clone(part), scale_factor)
        .map_err(|e| Refused::new(format!("scale_factor: {e}")))?;
    // All fields have one type here, so that the engine is compiled once.
    let field: Shared = Arc::new(field);
    // Limits for the whole map do not apply to a window.
    let options = ScatterOptions {
        limit: PointLimit::Refuse(u64::MAX),
        max_bytes: None,
        ..options
    };
    let scatter = Scatter::new(field, part.grid().bounds(), options)?;
    // The estimate read the whole map; only the reads of the sampling count.
    part.forget_asked();
    let found = scatter.points_in(window)?;
    Ok(match part.asked_beyond() {
        None => InPart::Points(Columns::new(&found, scale_factor)),
        Some(wider) => InPart::Beyond(wider),
    })
}

/// An endless world with a cache of its windows.
pub(crate) struct World(sampler::World<2>);

/// Approximate memory that a world takes for each point, bytes.
const POINT_BYTES: usize = 500;

impl World {
    /// Creates a world that caches about `keep` points.
    pub(crate) fn new(field: Shared, options: ScatterOptions, keep: usize) -> Outcome<Self> {
        let options = ScatterOptions {
            max_bytes: None,
            ..options
        };
        let world = sampler::World::new(field, options)?;
        Ok(Self(world.with_budget(keep.saturating_mul(POINT_BYTES))))
    }

    /// Returns the points of a window.
    pub(crate) fn window(&self, window: &Bounds<2>) -> Outcome<Columns> {
        Ok(Columns::new(&self.0.window(window)?, 1.0))
    }

    /// Adds obstacles.
    pub(crate) fn put(&self, obstacles: &[Obstacle<2>]) -> Outcome<()> {
        let put = self.0.put(obstacles);
        put.map_err(|e| Refused::new(format!("avoid: {e}")))
    }

    /// Removes obstacles, and returns the number that were present.
    pub(crate) fn take(&self, obstacles: &[Obstacle<2>]) -> usize {
        self.0.take(obstacles)
    }

    /// Returns the obstacles of the world, in no particular order.
    pub(crate) fn obstacles(&self) -> Vec<Obstacle<2>> {
        self.0.obstacles()
    }
}

/// Returns the distances between points of `count` layers, given by pairs of layers.
pub(crate) fn apart(count: usize, pairs: &[(usize, usize, f64)]) -> Outcome<Apart> {
    let mut apart = Apart::new(count);
    for &(a, b, distance) in pairs {
        apart.set(a, b, distance).map_err(SampleError::from)?;
    }
    Ok(apart)
}

/// Returns the points of several layers over `domain`, or `None` if the run was cancelled. `pairs` holds
/// the distances between points of two layers.
pub(crate) fn layered(
    layers: Vec<Layer<'static, 2>>,
    pairs: &[(usize, usize, f64)],
    domain: Bounds<2>,
    options: ScatterOptions,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let apart = apart(layers.len(), pairs)?;
    let scatter = Scatter::layered(layers, apart, domain, Edges::Open, options)?;
    all(&scatter, watch)
}
