//! [`World`]: windows of an endless or bounded world, in any order, from any thread.

use super::apart::Apart;
use super::bounded::Scatter;
use super::engine::{Engine, engine};
use super::layer::Layer;
use super::options::ScatterOptions;
use super::scattered::Scattered;
use super::shards::Shards;
use crate::boxes::{home, square};
use crate::error::SampleError;
use crate::obstacles::{AvoidError, Obstacle};
use crate::preflight::too_fine;
use crate::sample::Sample;
use crate::steps::for_each;
use density::{Bounds, RadiusField};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The greatest coordinate of a window, so that squares of its distances are ordinary numbers.
const FARTHEST: f64 = 1e150;

/// Windows of a world of one field or several layers, endless or bounded. Evaluated leaves are kept, up to
/// a budget of memory.
///
/// # Guarantees
/// 1. The points of a window are those of the whole that lie there, with the same ids and bits. They do
///    not depend on earlier requests, their order, the number of threads or on what was forgotten. A
///    [bounded](Self::bounded) world has the points of its [`Scatter`].
/// 2. No budget makes a world forget the area of the last request, so that none makes requests slower than
///    evaluating each from the start. The limit [`max_bytes`](ScatterOptions::max_bytes) does.
/// 3. A request for an area that is kept does not evaluate the field. Its bounds over boxes may be asked for where
///    ranks are requested, or the window may exceed a limit.
/// 4. Obstacles that are [put in](Self::put) or [taken out](Self::take) change points near them only. The
///    points of each request are those of a world that had its obstacles from the start.
///
/// A [`PointLimit`](crate::PointLimit) applies to the points of each window. [`near`](Self::near),
/// [`nearest`](Self::nearest) and [`find`](Self::find) know all points, and look across the edges of a
/// periodic domain.
///
/// # Cost
/// The first request for a window evaluates it and a rim of some seven times the greatest distance there
/// (eleven in 3D). A layer that keeps a distance from layers before it adds a rim for each of them. A request for a
/// window that is kept copies the points.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{ScatterOptions, World};
///
/// let world = World::new(Constant::new(2.0)?, ScatterOptions::default())?;
/// let wide = world.window(&Bounds::new([-50.0, -20.0], [50.0, 20.0])?)?;
/// let right = Bounds::new([10.0, -20.0], [50.0, 20.0])?;
/// let mut cropped: Vec<u64> = wide.samples.iter().filter(|s| right.contains(s.position)).map(|s| s.id).collect();
/// let mut asked: Vec<u64> = world.window(&right)?.samples.iter().map(|s| s.id).collect();
/// cropped.sort_unstable();
/// asked.sort_unstable();
/// assert_eq!(asked, cropped);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A world may be endless, so it cannot return all of its points. This does not compile; [`Scatter::points`] does:
///
/// ```compile_fail,E0599
/// # use spinney_sampler as sampler;
/// # use sampler::density::Constant;
/// # use sampler::{ScatterOptions, World};
/// let world = World::<2>::new(Constant::new(2.0)?, ScatterOptions::default())?;
/// let all = world.points();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct World<const D: usize> {
    engine: &'static dyn Engine<D>,
    shards: Shards<D>,
}

impl<const D: usize> World<D> {
    /// Creates an endless world of one field. The lattice starts at the origin of coordinates.
    ///
    /// # Errors
    /// When the rule is [`Rule::Parent`](crate::Rule::Parent), or distances are too small or too different.
    pub fn new(
        field: impl RadiusField<D> + 'static,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let engine = engine()?;
        let shards = engine.endless(Arc::new(field), options)?;
        Ok(Self { engine, shards })
    }

    /// Creates an endless world of several layers.
    ///
    /// # Errors
    /// The errors of [`World::new`]; also when there is no layer or there are more than
    /// [`MAX_LAYERS`](Apart::MAX_LAYERS), a share is not positive, or `apart` is for another number of
    /// layers.
    pub fn layered(
        layers: Vec<Layer<'static, D>>,
        apart: Apart,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let engine = engine()?;
        let shards = engine.endless_layered(layers, apart, options)?;
        Ok(Self { engine, shards })
    }

    /// Creates the bounded world of a [`Scatter`], of one layer or several.
    pub fn bounded(scatter: Scatter<'static, D>) -> Self {
        let Scatter { engine, bounded } = scatter;
        let shards = engine.bounded(bounded);
        Self { engine, shards }
    }

    /// Sets the memory that is kept between requests, bytes; 256 MiB by default. A world in 2D takes 0.6 to
    /// 1 kB a point, most of it for leaves at the rim of the requested windows; in 3D a window of 12
    /// greatest distances a side takes some 40 MB.
    #[must_use]
    pub fn with_budget(mut self, bytes: usize) -> Self {
        self.shards.budget = bytes;
        self
    }

    /// Returns the layers; the only one in a world of one field.
    pub fn layers(&self) -> &[Layer<'static, D>] {
        &self.shards.plan.layers
    }

    /// Returns the options.
    pub fn options(&self) -> &ScatterOptions {
        &self.shards.plan.options
    }

    /// Returns the domain; `None` for an endless world.
    pub fn domain(&self) -> Option<Bounds<D>> {
        self.shards.plan.domain
    }

    /// Returns the memory in use, bytes, without that of obstacles. It may be off by the memory of some
    /// hundred leaves.
    pub fn bytes(&self) -> usize {
        self.shards.bytes()
    }

    /// Returns a hash of all that determines the points and their ids but the values of fields and regions:
    /// the algorithm's version, seed, rule and levels, the domain, whether there are layers, and the distances,
    /// shares, turns and seeds of layers and which of them hold one field. Store it in saved games.
    pub fn fingerprint(&self) -> u64 {
        self.shards.plan.fingerprint()
    }

    /// Returns the points of the whole that lie in `window` (half-open).
    ///
    /// With ranks, the surroundings on which the ranks depend have to be evaluated: about `5 * 2^K` of the
    /// greatest distances there on each side, or all of a periodic domain.
    ///
    /// # Errors
    /// When the window lies too far from the origin for the field's distances, or when more points are
    /// expected in it, or more memory is needed, than the options allow; with ranks, also when more points
    /// are expected in their surroundings than the default limit.
    pub fn window(&self, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        let all = self
            .engine
            .window(&self.shards, window, self.options().cap(), None)?;
        // No callback breaks it off.
        Ok(all.unwrap_or_default())
    }

    /// Returns the points of a window, like [`window`](Self::window); `None` when `may_go_on` breaks it off. That is
    /// called after each leaf with points, of some ten, that is handed out for the first time. It is also called while
    /// another thread evaluates the same place or changes obstacles. Leaves evaluated until then are kept, so that each
    /// request comes farther. Ranks are computed anew after all leaves, without a call.
    ///
    /// Neither `may_go_on` nor a field's closure may use this world: such a call may wait for ever.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// # use sampler::density::{Bounds, Constant};
    /// # use sampler::{ScatterOptions, World};
    /// use std::ops::ControlFlow;
    /// use std::time::{Duration, Instant};
    ///
    /// let world = World::new(Constant::new(1.0)?, ScatterOptions::default())?;
    /// let view = Bounds::with_origin([64.0, 0.0], [32.0, 32.0])?;
    /// let points = loop {
    ///     let end = Instant::now() + Duration::from_millis(2);
    ///     let may_go_on = || if Instant::now() < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    ///     match world.window_while(&view, may_go_on)? {
    ///         Some(points) => break points,
    ///         None => {} // Here a game draws a frame without them.
    ///     }
    /// };
    /// assert!(points.samples.len() > 600);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`window`](Self::window).
    pub fn window_while(
        &self,
        window: &Bounds<D>,
        mut may_go_on: impl FnMut() -> ControlFlow<()>,
    ) -> Result<Option<Scattered<D>>, SampleError> {
        let cap = self.options().cap();
        self.engine
            .window(&self.shards, window, cap, Some(&mut may_go_on))
    }

    /// Evaluates a window, and the surroundings on which its ranks depend, without returning its points.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// # use sampler::density::{Bounds, Constant};
    /// # use sampler::{ScatterOptions, World};
    /// let world = World::new(Constant::new(1.0)?, ScatterOptions::default())?;
    /// let ahead = Bounds::with_origin([64.0, 0.0], [32.0, 32.0])?;
    /// world.prefetch(&ahead)?; // From a thread of its own, in a game.
    /// assert!(world.is_ready(&ahead));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`window`](Self::window).
    pub fn prefetch(&self, window: &Bounds<D>) -> Result<(), SampleError> {
        self.engine.prefetch(&self.shards, window)
    }

    /// Returns `true` if all of a window is kept, so that a request returns at once; with ranks, these are
    /// still to be computed. Never waits: returns `false` for a place that another thread evaluates.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// # use sampler::density::{Bounds, Constant};
    /// # use sampler::{ScatterOptions, World};
    /// let world = World::new(Constant::new(1.0)?, ScatterOptions::default())?;
    /// let view = Bounds::with_origin([-8.0, -8.0], [16.0, 16.0])?;
    /// world.window(&view)?;
    /// let part = Bounds::with_origin([0.0, 0.0], [4.0, 4.0])?;
    /// let far = Bounds::with_origin([500.0, 0.0], [4.0, 4.0])?;
    /// assert!(world.is_ready(&part) && !world.is_ready(&far));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_ready(&self, window: &Bounds<D>) -> bool {
        self.engine.is_ready(&self.shards, window)
    }

    /// Returns the points nearer to `point` than `radius`, world units, in no particular order; in a
    /// bounded world an infinite radius returns all points.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// # use sampler::density::Constant;
    /// # use sampler::{ScatterOptions, World};
    /// let world = World::new(Constant::new(2.0)?, ScatterOptions::default())?;
    /// let burnt = world.near([10.0, 5.0], 6.0)?;
    /// assert!((20..30).contains(&burnt.len()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`window`](Self::window); also when a coordinate is not finite.
    pub fn near(&self, point: [f64; D], radius: f64) -> Result<Vec<Sample<D>>, SampleError> {
        let near = self.near_squares(point, radius)?;
        Ok(near.into_iter().map(|(_, sample)| sample).collect())
    }

    /// Returns the points nearer to `point` than `radius`, each with the square of its distance.
    fn near_squares(
        &self,
        point: [f64; D],
        radius: f64,
    ) -> Result<Vec<(f64, Sample<D>)>, SampleError> {
        let greater = |most: f64, x: f64| if x > most || x.is_nan() { x } else { most };
        let extent = point.iter().map(|x| x.abs()).fold(0.0, greater);
        if extent.is_nan() || extent > FARTHEST {
            let [least, _] = self.shards.plan.distances();
            return Err(too_fine(extent, least));
        }
        let mut found = Vec::new();
        if radius.is_nan() || radius <= 0.0 {
            return Ok(found);
        }
        let images = self.images(point);
        loop {
            let changes = self.shards.changes();
            for &image in &images {
                // A radius that is lost in rounding still includes the point itself.
                let window = Bounds::new(
                    image.map(|x| (x - radius).next_down().max(-FARTHEST)),
                    image.map(|x| (x + radius).next_up().min(FARTHEST)),
                );
                let Ok(window) = window else { continue };
                let near = self.engine.window(&self.shards, &window, None, None)?;
                // No callback breaks it off.
                let samples = near.unwrap_or_default().samples.into_iter();
                let near = samples.map(|sample| (square_to(image, &sample), sample));
                found.extend(near.filter(|(square, _)| square.sqrt() < radius));
            }
            if images.len() == 1 || self.shards.changes() == changes {
                break;
            }
            // Obstacles changed between two windows.
            found.clear();
        }
        if images.len() > 1 {
            // A radius of half a side or more reaches a point from several images: the nearest counts.
            let name = |sample: &Sample<D>| (sample.id, sample.position.map(f64::to_bits));
            found.sort_by(|(a, p), (b, q)| name(p).cmp(&name(q)).then(a.total_cmp(b)));
            found.dedup_by_key(|(_, sample)| name(sample));
        }
        Ok(found)
    }

    /// Returns a place and, in a periodic domain, its copies in and around the domain.
    fn images(&self, point: [f64; D]) -> Vec<[f64; D]> {
        let Some(tile) = self.shards.plan.tile() else {
            return vec![point];
        };
        let home = home(&tile, point);
        let mut images = Vec::new();
        for_each([-1_i16; D], [1; D], |at| {
            images.push(std::array::from_fn(|a| {
                home[a] + f64::from(at[a]) * tile.size()[a]
            }));
        });
        images
    }

    /// Returns the point nearest to `point`, if one is nearer than `within`. Evaluates the ground up to four times as
    /// far as that point, or up to `within`, and looks at each coarse cell of it, closed ones too: a short `within`
    /// bounds the search.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// # use sampler::density::Constant;
    /// # use sampler::{ScatterOptions, World};
    /// let world = World::new(Constant::new(2.0)?, ScatterOptions::default())?;
    /// // No gap is left, so some point lies nearer to each place than the distance between points.
    /// let tree = world.nearest([10.0, 5.0], 2.0)?;
    /// assert!(tree.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`near`](Self::near).
    pub fn nearest(&self, point: [f64; D], within: f64) -> Result<Option<Sample<D>>, SampleError> {
        if within.is_nan() {
            // No point is within NaN, but the place may be refused.
            return Ok(self.near(point, within)?.pop());
        }
        let [least, _] = self.shards.plan.distances();
        let mut radius = least.min(within);
        loop {
            let near = self.near_squares(point, radius)?.into_iter();
            let nearest = near.min_by(|(a, p), (b, q)| a.total_cmp(b).then(p.id.cmp(&q.id)));
            if nearest.is_some() || radius >= within {
                return Ok(nearest.map(|(_, sample)| sample));
            }
            radius = (4.0 * radius).min(within);
        }
    }

    /// Returns the point with this [`key`](Sample::key), if it lies nearer to `point` than `within`.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// # use sampler::density::Constant;
    /// # use sampler::{ScatterOptions, World};
    /// let world = World::new(Constant::new(2.0)?, ScatterOptions::default())?;
    /// let felled = world.nearest([10.0, 5.0], 2.0)?.expect("no gap is left");
    /// let (key, position) = (felled.key(), felled.position); // To be saved.
    /// assert_eq!(world.find(key, position, 0.1)?, Some(felled));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`near`](Self::near).
    pub fn find(
        &self,
        key: (u32, u64),
        point: [f64; D],
        within: f64,
    ) -> Result<Option<Sample<D>>, SampleError> {
        let near = self.near(point, within)?;
        Ok(near.into_iter().find(|sample| sample.key() == key))
    }

    /// Puts obstacles into the world, such as houses or saplings: no point of any layer conflicts with
    /// them by the run's rule, as if they were earlier points. Kept leaves are forgotten up to 8 greatest
    /// distances of each layer beyond the reach of an obstacle. Waits for the requests of other threads, which
    /// are answered without them; later requests wait for the change. The same obstacle may be put in more
    /// than once, and has to be taken out as often.
    ///
    /// O((m + n) log(m + n)) for `m` obstacles beside `n` earlier ones; so put many in at once.
    ///
    /// # Errors
    /// When a coordinate is not finite or beyond 1e150, when a distance is not positive or longer than
    /// 10,000 least distances of the fields, or when an obstacle reaches farther than half of a periodic domain.
    /// Then the world stays as it was. Use a [`Region`](density::Region) for such large clearings.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// use sampler::density::{Bounds, Constant};
    /// use sampler::{Obstacle, ScatterOptions, World};
    ///
    /// let world = World::new(Constant::new(2.0)?, ScatterOptions::default())?;
    /// let view = Bounds::new([-20.0, -20.0], [20.0, 20.0])?;
    /// let before = world.window(&view)?;
    /// let house = Obstacle { position: [0.0, 0.0], min_dist: 6.0 };
    /// world.put(&[house])?;
    /// assert!(world.near(house.position, house.min_dist)?.is_empty());
    /// assert_eq!(world.take(&[house]), 1);
    /// assert_eq!(world.window(&view)?, before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn put(&self, obstacles: &[Obstacle<D>]) -> Result<(), AvoidError> {
        self.engine.put(&self.shards, obstacles)
    }

    /// Takes out obstacles that were [put in](Self::put): for each of `obstacles` one that equals it number
    /// for number. Waits as [`put`](Self::put) does. Returns the number of obstacles found.
    pub fn take(&self, obstacles: &[Obstacle<D>]) -> usize {
        self.engine.take(&self.shards, obstacles)
    }

    /// Returns the obstacles that were put in and not taken out, in no particular order. In a periodic
    /// domain their positions lie inside it.
    pub fn obstacles(&self) -> Vec<Obstacle<D>> {
        self.shards.obstacles()
    }
}

/// Returns the square of the distance from a point to a place.
fn square_to<const D: usize>(place: [f64; D], sample: &Sample<D>) -> f64 {
    square::<D>(|a| sample.position[a] - place[a])
}
