//! The sampler, as this package calls it: nothing else here does.

use crate::arrays::Columns;
use crate::field::{Shared, rule_of};
use crate::memory;
use crate::refused::{Outcome, Refused};
use crate::watch::Watch;
use density::{Bounds, MapPart, PixelRect, Scaled};
use sampler::{
    Apart, Avoiding, Bridson, BridsonOptions, Edges, End, Layer, Obstacle, PointLimit, Rule,
    SampleError, Scatter, ScatterOptions,
};
use std::sync::Arc;

/// What the points are a function of, beside the field; the rule by its name.
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

/// A field without the places in conflict with points that are there already; `tile` where opposite
/// edges of it are one.
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

/// So many points of Bridson's algorithm are made between two reports of progress.
const BATCH: usize = 1024;

/// The points of all of `domain` by Bridson's algorithm; `None` if the run was cancelled.
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
            return Ok(Some(columns.ended(bridson.end() == End::Complete)));
        }
    }
}

/// The points of all of `domain`, or of a periodic one; `None` if the run was cancelled.
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

/// All points of a run; `None` if it was cancelled.
fn all(scatter: &Scatter<'_, 2>, watch: &Watch) -> Outcome<Option<Columns>> {
    let ScatterOptions { limit, levels, .. } = *scatter.options();
    // Ranks and caps hang on all points, and are found sooner where these are held.
    if levels > 0 || matches!(limit, PointLimit::Cap(_)) {
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

/// So many points of `domain`, by scaling all distances; `None` if the run was cancelled.
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

/// What came of a window of a part of a map.
pub(crate) enum InPart {
    /// Its points, which are the whole's.
    Points(Columns),
    /// They depend on more of the map: on this much.
    Beyond(PixelRect),
}

/// The points of a window of the whole map of which `part` is a part, all distances multiplied by
/// `scale_factor`.
pub(crate) fn window_of_part(
    part: &Arc<MapPart>,
    scale_factor: f64,
    window: &Bounds<2>,
    options: ScatterOptions,
) -> Outcome<InPart> {
    let field = Scaled::new(Arc::clone(part), scale_factor)
        .map_err(|e| Refused::new(format!("scale_factor: {e}")))?;
    // One engine for all fields.
    let field: Shared = Arc::new(field);
    // How many points the whole has does not matter here.
    let options = ScatterOptions {
        limit: PointLimit::Refuse(u64::MAX),
        max_bytes: None,
        ..options
    };
    let scatter = Scatter::new(field, part.grid().bounds(), options)?;
    // That looked all over the map, but only to estimate.
    part.forget_asked();
    let found = scatter.points_in(window)?;
    Ok(match part.asked_beyond() {
        None => InPart::Points(Columns::new(&found, scale_factor)),
        Some(wider) => InPart::Beyond(wider),
    })
}

/// An endless world, of which windows are kept.
pub(crate) struct World(sampler::World<2>);

/// About so many bytes a world keeps for each point.
const POINT_BYTES: usize = 500;

impl World {
    /// A world that keeps about `keep` points.
    pub(crate) fn new(field: Shared, options: ScatterOptions, keep: usize) -> Outcome<Self> {
        let options = ScatterOptions {
            max_bytes: None,
            ..options
        };
        let world = sampler::World::new(field, options)?;
        Ok(Self(world.with_budget(keep.saturating_mul(POINT_BYTES))))
    }

    /// The points of a window.
    pub(crate) fn window(&self, window: &Bounds<2>) -> Outcome<Columns> {
        Ok(Columns::new(&self.0.window(window)?, 1.0))
    }

    /// Puts obstacles in.
    pub(crate) fn put(&self, obstacles: &[Obstacle<2>]) -> Outcome<()> {
        let put = self.0.put(obstacles);
        put.map_err(|e| Refused::new(format!("avoid: {e}")))
    }

    /// Takes obstacles out, and returns how many there were.
    pub(crate) fn take(&self, obstacles: &[Obstacle<2>]) -> usize {
        self.0.take(obstacles)
    }

    /// The obstacles that are in it, in no particular order.
    pub(crate) fn obstacles(&self) -> Vec<Obstacle<2>> {
        self.0.obstacles()
    }
}

/// How far points of `count` layers keep from each other, by pairs of layers.
pub(crate) fn apart(count: usize, pairs: &[(usize, usize, f64)]) -> Outcome<Apart> {
    let mut apart = Apart::new(count);
    for &(a, b, distance) in pairs {
        apart.set(a, b, distance).map_err(SampleError::from)?;
    }
    Ok(apart)
}

/// The points of several layers over `domain`; `pairs` has distances that two of them keep from each
/// other. `None` if the run was cancelled.
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
