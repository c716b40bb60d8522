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
) -> Result<Shared, SampleError> {
    let field = match tile {
        None => Avoiding::new(field, rule, there),
        Some(domain) => Avoiding::tiled(field, rule, there, &domain),
    };
    Ok(Arc::new(field?))
}

/// Number of Bridson's points between two reports of progress.
const BATCH: usize = 1024;

/// A field over a rectangle, which may be periodic, and points to keep clear of.
pub(crate) struct Clearing {
    pub(crate) field: Shared,
    pub(crate) domain: Bounds<2>,
    pub(crate) edges: Edges,
    pub(crate) avoid: Option<Vec<Obstacle<2>>>,
}

impl Clearing {
    /// Returns the field, closed around the points to avoid. All distances but theirs are multiplied by `factor`.
    fn field(&self, factor: f64, rule: Rule) -> Result<Shared, SampleError> {
        let mut field = Arc::clone(&self.field);
        if factor != 1.0 {
            field = Arc::new(Scaled::new(field, factor)?);
        }
        let tile = (self.edges == Edges::Tiled).then_some(self.domain);
        match &self.avoid {
            None => Ok(field),
            Some(there) => Ok(avoiding(field, rule, there.clone(), tile)?),
        }
    }

    /// Returns the points, or `count` of them by scaling all distances but those of the points to avoid; `None` if the
    /// run was cancelled.
    pub(crate) fn scatter(
        &self,
        options: ScatterOptions,
        count: Option<u64>,
        watch: &Watch,
    ) -> Outcome<Option<Columns>> {
        let scaled = |factor, options: ScatterOptions| {
            let field = self.field(factor, options.rule)?;
            match self.edges {
                Edges::Open => Scatter::new(field, self.domain, options),
                Edges::Tiled => Scatter::tiled(field, self.domain, options),
            }
        };
        points(scaled, options, count, watch)
    }

    /// Returns the points by Bridson's algorithm, or `None` if the run was cancelled.
    pub(crate) fn bridson(
        &self,
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
        let mut bridson = Bridson::new(self.field(1.0, rule)?, self.domain, options)?;
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

/// Returns all points of a run, or `count` of them; `None` if it was cancelled. `scaled` returns the run with all distances
/// multiplied by a factor.
fn points(
    scaled: impl Fn(f64, ScatterOptions) -> Result<Scatter<'static, 2>, SampleError>,
    options: ScatterOptions,
    count: Option<u64>,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let Some(count) = count else {
        return all(&scaled(1.0, options)?, watch);
    };
    let go_on = |at| watch.after(at);
    let found = Scatter::with_count_of(scaled, options, count, go_on)
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

/// Returns the points of several layers over `domain`, or `count` of them all; `None` if the run was cancelled. `pairs`
/// holds the distances between points of two layers.
pub(crate) fn layered(
    layers: &[Layer<'static, 2>],
    pairs: &[(usize, usize, f64)],
    domain: Bounds<2>,
    options: ScatterOptions,
    count: Option<u64>,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let apart = apart(layers.len(), pairs)?;
    let scaled = |factor, options| {
        let layers = Layer::scaled(layers, factor)?;
        Scatter::layered(layers, apart.scaled(factor)?, domain, Edges::Open, options)
    };
    points(scaled, options, count, watch)
}
