//! The sampler, as this package calls it: nothing else here does.

use crate::arrays::Columns;
use crate::field::Shared;
use crate::memory;
use crate::refused::{Outcome, Refused};
use crate::watch::Watch;
use density::{Bounds, MapPart, PixelRect, Scaled};
use sampler::{
    Apart, Avoiding, Bridson, BridsonOptions, Edges, End, Layer, Obstacle, PointLimit, Rule,
    SampleError, Scatter, ScatterOptions, Scattered,
};
use std::sync::Arc;

/// What the points are a function of, beside the field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) rule: Rule,
    pub(crate) seed: u64,
    pub(crate) max_points: Option<u64>,
    pub(crate) lod: u32,
}

impl Options {
    fn scatter(self) -> ScatterOptions {
        ScatterOptions {
            rule: self.rule,
            seed: self.seed,
            limit: self
                .max_points
                .map_or(PointLimit::default(), PointLimit::Cap),
            max_bytes: memory::available(),
            levels: self.lod,
        }
    }
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

/// Of a front's points so many are made before anybody hears of them.
const BATCH: usize = 1024;

/// The points of all of `domain` by Bridson's algorithm; `None` when nobody waits for them any more.
pub(crate) fn front(
    field: Shared,
    domain: Bounds<2>,
    options: Options,
    tries: u32,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let Options {
        rule,
        seed,
        max_points,
        lod: _,
    } = options;
    let mut bridson = Bridson::new(
        field,
        domain,
        BridsonOptions {
            rule,
            tries,
            seed,
            limit: max_points.map_or(PointLimit::default(), PointLimit::Cap),
            max_bytes: memory::available(),
        },
    )?;
    let expected = bridson.estimate().points.max(1.0);
    let mut found = Scattered::default();
    loop {
        let before = found.samples.len();
        found.samples.extend(bridson.by_ref().take(BATCH));
        let points = found.samples.len();
        let share = (points as f64 / expected).min(1.0);
        if watch.at(share, points as u64).is_break() {
            return Ok(None);
        }
        if points < before + BATCH {
            found.complete = bridson.end() == End::Complete;
            return Ok(Some(Columns::of_front(&found)));
        }
    }
}

/// The points of all of `domain`, or of a periodic one; `None` when nobody waits for them any more.
pub(crate) fn whole(
    field: Shared,
    domain: Bounds<2>,
    edges: Edges,
    options: Options,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let scatter = match edges {
        Edges::Open => Scatter::new(field, domain, options.scatter()),
        Edges::Tiled => Scatter::tiled(field, domain, options.scatter()),
    }?;
    let found = scatter.points_with(|at| watch.after(at))?;
    Ok(found.map(|found| Columns::new(&found, 1.0)))
}

/// So many points of `domain`, by scaling all distances; `None` when nobody waits for them any more.
pub(crate) fn counted(
    field: Shared,
    domain: Bounds<2>,
    edges: Edges,
    options: Options,
    count: u64,
    watch: &Watch,
) -> Outcome<Option<Columns>> {
    let go_on = |at| watch.after(at);
    let found = Scatter::with_count_while(field, domain, edges, options.scatter(), count, go_on)
        .map_err(|error| Refused::counting(count, error))?;
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
    options: Options,
) -> Outcome<InPart> {
    let field = Scaled::new(Arc::clone(part), scale_factor)
        .map_err(|e| Refused::new(format!("scale_factor: {e}")))?;
    // One engine for all fields.
    let field: Shared = Arc::new(field);
    // How many points the whole has does not matter here.
    let options = ScatterOptions {
        limit: PointLimit::Refuse(u64::MAX),
        max_bytes: None,
        ..options.scatter()
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
    pub(crate) fn new(field: Shared, options: Options, keep: usize) -> Outcome<Self> {
        let options = ScatterOptions {
            max_bytes: None,
            ..options.scatter()
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

/// One layer (species).
#[derive(Clone)]
pub(crate) struct Species {
    pub(crate) field: Shared,
    pub(crate) share: f64,
    pub(crate) turn: u32,
    pub(crate) seed: Option<u64>,
}

/// Several layers over one domain, or over an endless world.
pub(crate) enum Wood {
    Bounded(Scatter<'static, 2>),
    Endless(sampler::World<2>),
}

impl Wood {
    /// Layers, and for pairs of their numbers the distances that they keep from each other.
    pub(crate) fn new(
        layers: Vec<Species>,
        pairs: &[(usize, usize, f64)],
        domain: Option<Bounds<2>>,
        options: Options,
    ) -> Outcome<Self> {
        let mut apart = Apart::new(layers.len());
        for &(a, b, distance) in pairs {
            apart.set(a, b, distance).map_err(SampleError::from)?;
        }
        let layers = layers.into_iter().map(|layer| Layer {
            share: layer.share,
            turn: layer.turn,
            seed: layer.seed,
            ..Layer::of(layer.field)
        });
        let (layers, options) = (layers.collect(), options.scatter());
        Ok(match domain {
            Some(domain) => Self::Bounded(Scatter::layered(
                layers,
                apart,
                domain,
                Edges::Open,
                options,
            )?),
            None => Self::Endless(sampler::World::layered(layers, apart, options)?),
        })
    }

    /// The points of the whole domain, of an endless world none; `None` when nobody waits for them any
    /// more.
    pub(crate) fn points(&self, watch: &Watch) -> Outcome<Option<Columns>> {
        let Self::Bounded(scatter) = self else {
            return Ok(None);
        };
        let found = scatter.points_with(|at| watch.after(at))?;
        Ok(found.map(|found| Columns::new(&found, 1.0)))
    }

    /// The points of a window.
    pub(crate) fn window(&self, window: &Bounds<2>) -> Outcome<Columns> {
        let found = match self {
            Self::Bounded(scatter) => scatter.points_in(window),
            Self::Endless(world) => world.window(window),
        };
        Ok(Columns::new(&found?, 1.0))
    }
}
