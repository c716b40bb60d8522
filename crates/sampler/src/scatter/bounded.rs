//! [`Scatter`]: all points of a bounded domain, or of a window of it.

use super::apart::Apart;
use super::domain::{self, Domain};
use super::engine::{Engine, engine};
use super::layer::Layer;
use super::options::ScatterOptions;
use super::pass::Edges;
use super::scattered::{Progress, Scattered};
use crate::error::SampleError;
use crate::preflight::Estimate;
use density::{Bounds, RadiusField};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Maximal blue-noise points over a bounded domain: one set, or several layers (species) that keep
/// their distance from each other as well.
///
/// # Guarantees
/// 1. Every pair of points keeps [`Rule::distance`](crate::Rule::distance) of their `min_dist`s, to
///    the last bit; points of two layers what [`Apart`] says. The earlier point is the one with the
///    smaller id.
/// 2. Maximal: no place is left where one more point could go, except inside the
///    [`unresolved`](Scattered::unresolved) cells, which are counted. Of layers this holds when all of
///    a [`turn`](Layer::turn) have been decided, and layers of a smaller turn know nothing of it.
/// 3. The points are a pure function of ([`ALGORITHM_VERSION`](crate::ALGORITHM_VERSION), seed,
///    field, domain, options). Those of a window are those of the whole that lie in it: the same
///    ids, ranks and bits, on however many threads.
/// 4. Local: when the field changes somewhere, points farther from there than 8 of its greatest
///    distances stay as they are, ids included (`tests/sampler/scatter_repaint.rs`; ranks reach
///    farther, as their distances do).
///
/// # Ways to run it
/// | call | gives |
/// |---|---|
/// | [`points`](Self::points), [`points_with`](Self::points_with) | the whole |
/// | [`stream`](Self::stream), [`stream_with`](Self::stream_with) | the whole, part by part |
/// | [`points_in`](Self::points_in) | a window |
/// | [`World`](crate::World) | many windows, of an endless world too |
/// | [`Scatter::with_count`] | a given number of points |
///
/// All use the threads of rayon's current pool.
///
/// # Layers
/// Layers of one turn share the ground, in patches about as wide as the largest distance there,
/// each by its [`share`](Layer::share). Layers that hold the same field are sampled together, and each
/// point goes to the layer that owns the ground there. Of others, those of greater distances come
/// first: such a layer gets, of the points that it could have, those on its ground; the last layer gets
/// whatever is left, and those before fill up what no rival took. So layers of one field get as many
/// points as their shares say; of others, the small ones also fill the edges of the patches.
///
/// The number of the pass that decided a point stands in the highest bits of its id. So no id occurs
/// in two layers, and ids stay when layers of a later turn are added. Ranks are among the points of one layer.
///
/// # Cost
/// O(1) a point; memory for some blocks a thread beside the result. A layer that shares its turn is
/// evaluated in full, and again for what is left.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Apart, Layer, Scatter, ScatterOptions};
///
/// let meadow = Bounds::from_size([100.0, 100.0])?;
/// let trees = Scatter::new(Constant::new(8.0)?, meadow, ScatterOptions::default())?;
/// assert!(trees.points()?.samples.len() > 90);
///
/// let oaks = Layer::new(Constant::new(8.0)?);
/// let flowers = Layer { turn: 1, ..Layer::new(Constant::new(1.0)?) };
/// let mut apart = Apart::new(2);
/// apart.set(0, 1, 3.0)?;
/// let options = ScatterOptions::default();
/// let wood = Scatter::layered(vec![oaks, flowers], apart, meadow, Default::default(), options)?;
/// let points = wood.points()?.samples;
/// let oaks = points.iter().filter(|s| s.layer == Some(0)).count();
/// assert!(oaks > 90 && points.len() > 40 * oaks);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scatter<'f, const D: usize> {
    pub(super) engine: &'static dyn Engine<D>,
    pub(super) domain: Domain<'f, D>,
}

impl<'f, const D: usize> Scatter<'f, D> {
    /// Points over a bounded domain. The lattice starts at the domain's lowest corner, so that
    /// moving a map moves its points.
    ///
    /// # Errors
    /// When the rule is [`Rule::Parent`](crate::Rule::Parent), when more points are expected than the
    /// options allow, or when the distances are too small or too different for the domain.
    pub fn new(
        field: impl RadiusField<D> + 'f,
        domain: Bounds<D>,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        Self::single(Arc::new(field), domain, Edges::Open, options)
    }

    /// Points over a domain the opposite edges of which are one: laid side by side, copies fit
    /// without a seam, and distances count across the edges. Where the field differs on two
    /// opposite edges it has a step there.
    ///
    /// # Errors
    /// As [`Scatter::new`], and when a side of the domain is shorter than twice the greatest
    /// distance.
    pub fn tiled(
        field: impl RadiusField<D> + 'f,
        domain: Bounds<D>,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        Self::single(Arc::new(field), domain, Edges::Tiled, options)
    }

    fn single(
        field: Arc<dyn RadiusField<D> + 'f>,
        bounds: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let engine = engine()?;
        let domain = engine.single(field, bounds, edges, options)?;
        Ok(Self { engine, domain })
    }

    /// Points of several layers over a bounded domain.
    ///
    /// # Errors
    /// When there is no layer or there are more than [`MAX_LAYERS`](crate::MAX_LAYERS), a share is not
    /// positive, or `apart` is for another number of layers; else as [`Scatter::new`] and
    /// [`Scatter::tiled`], the number of points being that of all layers.
    pub fn layered(
        layers: Vec<Layer<'f, D>>,
        apart: Apart,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let engine = engine()?;
        let domain = engine.layered(layers, apart, domain, edges, options)?;
        Ok(Self { engine, domain })
    }

    /// The same points, for which evaluation may take at most so much memory beside them, in bytes:
    /// a thread its part of it. Unlike [`max_bytes`](ScatterOptions::max_bytes), this refuses nothing
    /// beforehand; a run that needs more ends with [`SampleError::MemorySpent`].
    #[must_use]
    pub fn with_budget(mut self, bytes: u64) -> Self {
        self.domain.plan.options.max_bytes = Some(bytes);
        self
    }

    /// The domain.
    pub fn domain(&self) -> Bounds<D> {
        self.domain.bounds
    }

    /// What lies beyond its edges.
    pub fn edges(&self) -> Edges {
        self.domain.plan.edges
    }

    /// The layers, as given; the only one of a run without.
    pub fn layers(&self) -> &[Layer<'f, D>] {
        &self.domain.plan.layers
    }

    /// The distances between layers.
    pub fn apart(&self) -> &Apart {
        &self.domain.plan.apart
    }

    /// The options.
    pub fn options(&self) -> &ScatterOptions {
        &self.domain.plan.options
    }

    /// The numbers of the layers in the order in which they are decided: by their turns and, of
    /// one turn, those of the greatest distance first, then by their numbers.
    pub fn order(&self) -> &[usize] {
        &self.domain.plan.order
    }

    /// Points and memory expected. Layers that crowd out others are not reckoned with, but for their
    /// shares of a turn.
    pub fn estimate(&self) -> Estimate {
        self.domain.estimate
    }

    /// Points expected of each layer, in the order of their numbers.
    pub fn expected(&self) -> &[f64] {
        &self.domain.expected
    }

    /// All points.
    ///
    /// Needs 80 bytes of memory a point in the plane, and with ranks half as much again.
    ///
    /// # Errors
    /// When the run needs more memory than the options allow, or ranks need more than there is.
    pub fn points(&self) -> Result<Scattered<D>, SampleError> {
        let all = self.points_with(|_| ControlFlow::Continue(()))?;
        // Nothing breaks it off.
        Ok(all.unwrap_or_default())
    }

    /// All points, telling `progress` now and then, on the calling thread, how far the run has come;
    /// `None` when that breaks it off.
    ///
    /// # Errors
    /// As [`points`](Self::points).
    pub fn points_with(
        &self,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Option<Scattered<D>>, SampleError> {
        self.engine.all_points(&self.domain, &mut progress)
    }

    /// All points, part by part: a few parts a thread are worked on at once, and memory does not
    /// grow with their number.
    ///
    /// With [`PointLimit::Cap`](crate::PointLimit::Cap) all is run through twice, as where to cut is
    /// known only in the end. With ranks, parts are larger and are evaluated with their surroundings,
    /// see [`ScatterOptions::levels`]; of a tile with ranks the whole is one part.
    ///
    /// # Errors
    /// As [`points`](Self::points), from the constructor or an item.
    pub fn stream(&self) -> Result<Stream<'_, D>, SampleError> {
        Ok(Stream {
            engine: self.engine,
            parts: self.engine.stream(&self.domain)?,
        })
    }

    /// As [`stream`](Self::stream), showing each part to `visit` on the calling thread while
    /// the next ones are worked on, until that breaks off.
    ///
    /// # Errors
    /// As [`points`](Self::points).
    pub fn stream_with(
        &self,
        mut visit: impl FnMut(Scattered<D>, Progress) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SampleError> {
        self.engine.visit_parts(&self.domain, &mut visit)
    }

    /// The points that lie in `window` (half-open): those of the whole that lie there. Nothing but
    /// the window and what it depends on is evaluated.
    ///
    /// With ranks, the surroundings have to be looked at as far as the ranks depend on them:
    /// about `5 * 2^K` of the greatest distances there on each side. Of a tile with ranks the
    /// whole is looked at.
    ///
    /// A [`PointLimit::Cap`](crate::PointLimit::Cap) is one of the window's points.
    ///
    /// # Errors
    /// As [`points`](Self::points).
    pub fn points_in(&self, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        self.engine.points_in(&self.domain, window)
    }
}

/// The points of a bounded domain, part by part: what [`Scatter::stream`] gives.
#[derive(Debug)]
pub struct Stream<'s, const D: usize> {
    engine: &'static dyn Engine<D>,
    parts: domain::Stream<'s, D>,
}

impl<const D: usize> Iterator for Stream<'_, D> {
    type Item = Result<Scattered<D>, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.engine.next(&mut self.parts)
    }
}
