//! [`Scatter`]: all points of a bounded domain, or of a window of it.

use super::apart::Apart;
use super::bounded_plan::{self, BoundedPlan};
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

/// Maximal blue-noise points over a bounded domain: one set, or several layers (species) that also keep
/// their distances from each other.
///
/// # Guarantees
/// 1. Every pair of points keeps [`Rule::distance`](crate::Rule::distance) of their `min_dist`s, to
///    the last bit; points of two layers keep the distance that [`Apart`] sets. The earlier point is the
///    one with the smaller id.
/// 2. Maximal: no place is left where one more point could go, except inside the
///    [`unresolved`](Scattered::unresolved) cells, which are counted. With layers this holds once all
///    layers of a [`turn`](Layer::turn) are decided; layers of a smaller turn do not depend on it.
/// 3. The points are a pure function of ([`ALGORITHM_VERSION`](crate::ALGORITHM_VERSION), seed,
///    field, domain, options). Those of a window are those of the whole that lie in it: the same
///    ids, ranks and bits, on however many threads.
/// 4. Local: when the field and its bounds change somewhere, points farther from there than 8 of its greatest
///    distances stay the same, ids included (`tests/sampler/scatter_repaint.rs`). The ranks of points
///    farther away may change, as distances are greater at coarser levels. The bounds of a map with long pixels
///    change farther away than its values.
///
/// # Layers
/// Layers of one turn divide the area into territories by their [`share`](Layer::share)s, in patches
/// about as wide as the largest distance there. Layers that hold the same field are sampled together,
/// and each point goes to the layer on whose territory it lies. Among other layers, those of greater
/// distances come first: such a layer gets the points on its territory. The last layer gets all that is
/// left, and the earlier ones then fill the remaining gaps. So the numbers of points of layers with the
/// same field match their shares; among other layers, the small ones also fill the edges of the patches.
///
/// The highest bits of a point's id hold the number of the pass that decided it. So no id occurs in two
/// layers, and ids stay the same when layers of a later turn are added. Each layer has ranks of its own.
///
/// # Cost
/// O(1) a point, on the threads of rayon's current pool; besides the result, memory for some blocks per thread. A layer
/// that shares its turn is evaluated in full, and again for the gaps that are left.
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
    pub(super) bounded: BoundedPlan<'f, D>,
}

impl<'f, const D: usize> Scatter<'f, D> {
    /// Creates a scattering of one field over a bounded domain. The lattice starts at the domain's lowest
    /// corner, so that moving a map moves its points.
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

    /// Creates a scattering of one field over a periodic domain, the opposite edges of which are one: copies
    /// laid side by side fit without a seam, and distances count across the edges. Where the field differs
    /// on two opposite edges it has a step there.
    ///
    /// # Errors
    /// The errors of [`Scatter::new`], and when a side of the domain is shorter than twice the greatest
    /// distance.
    pub fn tiled(
        field: impl RadiusField<D> + 'f,
        domain: Bounds<D>,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        Self::single(Arc::new(field), domain, Edges::Tiled, options)
    }

    pub(super) fn single(
        field: Arc<dyn RadiusField<D> + 'f>,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let engine = engine()?;
        let bounded = engine.single(field, domain, edges, options)?;
        Ok(Self { engine, bounded })
    }

    /// Creates a scattering of several layers over a bounded domain.
    ///
    /// # Errors
    /// When there is no layer or there are more than [`MAX_LAYERS`](Apart::MAX_LAYERS), a share is not
    /// positive, or `apart` is for another number of layers; also the errors of [`Scatter::new`] and
    /// [`Scatter::tiled`], for the number of points of all layers together.
    pub fn layered(
        layers: Vec<Layer<'f, D>>,
        apart: Apart,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let engine = engine()?;
        let bounded = engine.layered(layers, apart, domain, edges, options)?;
        Ok(Self { engine, bounded })
    }

    /// Limits the memory that evaluation may take beside the points, bytes; each thread gets an equal part
    /// of it. The points stay the same. Unlike [`max_bytes`](ScatterOptions::max_bytes), this refuses
    /// nothing beforehand; a run that needs more ends with [`SampleError::MemorySpent`].
    #[must_use]
    pub fn with_budget(mut self, bytes: u64) -> Self {
        self.bounded.plan.options.max_bytes = Some(bytes);
        self
    }

    /// Returns the domain.
    pub fn domain(&self) -> Bounds<D> {
        self.bounded.domain
    }

    /// Returns the kind of the domain's edges.
    pub fn edges(&self) -> Edges {
        self.bounded.plan.edges
    }

    /// Returns the layers, as given; the only one in a run without layers.
    pub fn layers(&self) -> &[Layer<'f, D>] {
        &self.bounded.plan.layers
    }

    /// Returns the distances between layers.
    pub fn apart(&self) -> &Apart {
        &self.bounded.plan.apart
    }

    /// Returns the options.
    pub fn options(&self) -> &ScatterOptions {
        &self.bounded.plan.options
    }

    /// Returns the numbers of the layers in the order in which they are decided: by turn, within a turn by
    /// decreasing greatest distance, then by number.
    pub fn order(&self) -> &[usize] {
        &self.bounded.plan.order
    }

    /// Returns the expected number of points and memory. Layers that leave little room to others are not
    /// taken into account, other than by their shares of a turn.
    pub fn estimate(&self) -> Estimate {
        self.bounded.estimate
    }

    /// Returns the number of points expected in each layer, in the order of their numbers.
    pub fn expected(&self) -> &[f64] {
        &self.bounded.expected
    }

    /// Returns all points.
    ///
    /// Takes 80 bytes of memory a point in 2D, and half as much again with ranks.
    ///
    /// # Errors
    /// When the run needs more memory than the options allow, or ranks need more than there is.
    pub fn points(&self) -> Result<Scattered<D>, SampleError> {
        let all = self.points_with(|_| ControlFlow::Continue(()))?;
        // No callback breaks it off.
        Ok(all.unwrap_or_default())
    }

    /// Returns all points, and reports the progress of the run to `progress` now and then, on the calling
    /// thread; `None` when that breaks it off.
    ///
    /// # Errors
    /// The errors of [`points`](Self::points).
    pub fn points_with(
        &self,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Option<Scattered<D>>, SampleError> {
        self.engine.all_points(&self.bounded, &mut progress)
    }

    /// Returns an iterator over all points, part by part: a few parts per thread are evaluated at once, and
    /// memory does not grow with the number of parts.
    ///
    /// With [`PointLimit::Cap`](crate::PointLimit::Cap) everything is evaluated twice, as the cut is known
    /// only at the end. With ranks, parts are larger and are evaluated with their surroundings, see
    /// [`ScatterOptions::levels`]; each part is sorted by itself; a periodic domain with ranks is one part.
    ///
    /// # Errors
    /// The errors of [`points`](Self::points), from the constructor or an item.
    pub fn stream(&self) -> Result<Stream<'_, D>, SampleError> {
        Ok(Stream {
            engine: self.engine,
            parts: self.engine.stream(&self.bounded)?,
        })
    }

    /// Passes all points to `visit`, part by part as [`stream`](Self::stream) does, on the calling thread
    /// while the next parts are evaluated, until `visit` breaks off.
    ///
    /// # Errors
    /// The errors of [`points`](Self::points).
    pub fn stream_with(
        &self,
        mut visit: impl FnMut(Scattered<D>, Progress) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SampleError> {
        self.engine.visit_parts(&self.bounded, &mut visit)
    }

    /// Returns the points of the whole that lie in `window` (half-open). Only the window and what it
    /// depends on is evaluated.
    ///
    /// With ranks, the surroundings on which the ranks depend have to be evaluated: about `5 * 2^K` of the
    /// greatest distances there on each side, or all of a periodic domain.
    ///
    /// A [`PointLimit::Cap`](crate::PointLimit::Cap) limits the points of the window.
    ///
    /// # Errors
    /// The errors of [`points`](Self::points).
    pub fn points_in(&self, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        self.engine.points_in(&self.bounded, window)
    }
}

/// The points of a bounded domain, part by part: the iterator of [`Scatter::stream`].
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Scatter, ScatterOptions};
///
/// let domain = Bounds::from_size([100.0, 100.0])?;
/// let trees = Scatter::new(Constant::new(1.0)?, domain, ScatterOptions::default())?;
/// let mut count = 0;
/// for part in trees.stream()? {
///     count += part?.samples.len();
/// }
/// assert_eq!(count, trees.points()?.samples.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stream<'s, const D: usize> {
    engine: &'static dyn Engine<D>,
    parts: bounded_plan::Stream<'s, D>,
}

impl<const D: usize> Iterator for Stream<'_, D> {
    type Item = Result<Scattered<D>, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.engine.next(&mut self.parts)
    }
}
