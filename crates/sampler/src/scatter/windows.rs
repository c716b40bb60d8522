//! Windows of a world, in any order.

use super::ahead::in_order;
use super::blocks::Block;
use super::cache::Cache;
use super::engine::Scatter;
use super::first::Gather;
use super::lattice::clip;
use super::plan::{Regions, block_side};
use super::scattered::Scattered;
use crate::error::SampleError;
use density::{Bounds, RadiusField};
use std::ops::ControlFlow;
use std::sync::OnceLock;

impl<const D: usize, F: RadiusField<D>> Scatter<D, F> {
    /// The points that lie in `window` (half-open): those of the whole that lie there. Windows
    /// may be asked for in any order; for many that overlap or adjoin, see [`Windows`].
    ///
    /// With ranks, the surroundings have to be looked at as far as the ranks depend on them:
    /// about `4 * 2^K` of the greatest distances there on each side. Of a tile with ranks the
    /// whole is looked at.
    ///
    /// A [`PointLimit::Cap`](crate::PointLimit::Cap) is one of the window's points.
    ///
    /// # Errors
    /// When the window lies too far from the origin for the field's distances, or more points
    /// are expected in it than the options allow.
    pub fn points_in(&self, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        self.check_window(window)?;
        if self.options().levels > 0 {
            return if self.is_tiled() {
                Ok(self.crop(&self.uncut(), window))
            } else {
                self.window(&Cache::new(usize::MAX), window)
            };
        }
        let Some(inside) = self.inside(window) else {
            return Ok(Scattered::default());
        };
        // Nothing outside the window is worked on but its surroundings.
        let blocks = self.view().even_blocks(&inside, block_side(D));
        let places = blocks.into_iter().filter_map(|b| clip(&b.place, &inside));
        let blocks: Vec<_> = places.map(|place| Block { place }).collect();
        let regions = Regions::default();
        let mut all = Gather::new(self.options().cap(), 0.0);
        let work = |i: usize| regions.with(|region| self.block(region, &blocks[i]));
        // Nothing breaks it off.
        let _ = in_order(blocks.len(), work, |part| {
            all.add(part);
            ControlFlow::Continue(())
        });
        Ok(all.finish())
    }

    /// The part of a window inside the domain.
    fn inside(&self, window: &Bounds<D>) -> Option<Bounds<D>> {
        match &self.domain() {
            Some(domain) => clip(window, domain),
            None => Some(*window),
        }
    }

    /// A window, by blocks of the fixed grid.
    fn window(&self, cache: &Cache<D>, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        let Some(inside) = self.inside(window) else {
            return Ok(Scattered::default());
        };
        let blocks = self.grid(&inside);
        let parts = if self.options().levels > 0 {
            self.ranked(cache, &blocks)?
        } else {
            self.fetch(cache, &blocks)
        };
        let mut all = Gather::new(self.options().cap(), 0.0);
        for part in parts {
            let inside = part.samples.iter().filter(|s| window.contains(s.position));
            all.add(Scattered {
                samples: inside.copied().collect(),
                ..*part
            });
        }
        Ok(all.finish())
    }

    fn crop(&self, whole: &Scattered<D>, window: &Bounds<D>) -> Scattered<D> {
        let inside = whole.samples.iter().filter(|s| window.contains(s.position));
        let mut all = Gather::new(self.options().cap(), 0.0);
        all.add(Scattered {
            samples: inside.copied().collect(),
            ..*whole
        });
        all.finish()
    }
}

/// Windows of a world that overlap or adjoin, or are asked for again: what was worked on is
/// kept, in blocks, up to a number of points.
///
/// # Guarantees
/// A window's points are those of [`Scatter::points_in`], whatever was asked before. Several
/// threads may ask at once.
///
/// # Cost
/// Warm, a copy of the points; cold, the blocks that the window touches, each about 57 times
/// the greatest distance long (in space 18).
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Scatter, ScatterOptions, Windows};
///
/// let world = Scatter::endless(Constant::new(1.0)?, ScatterOptions::default())?;
/// let windows = Windows::new(world, 1_000_000);
/// // A camera moves to the right.
/// for step in 0..20 {
///     let view = Bounds::with_origin([f64::from(step) * 4.0, 0.0], [64.0, 36.0])?;
///     assert!(windows.points_in(&view)?.samples.len() > 1400);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Windows<const D: usize, F> {
    scatter: Scatter<D, F>,
    cache: Cache<D>,
    /// All of a tile, where ranks need it.
    tile: OnceLock<Scattered<D>>,
}

impl<const D: usize, F: RadiusField<D>> Windows<D, F> {
    /// Windows of `scatter`, which keep up to `max_points` points, of some 80 bytes each. For a
    /// camera, a few times the points in its view are enough.
    pub fn new(scatter: Scatter<D, F>, max_points: usize) -> Self {
        Self {
            scatter,
            cache: Cache::new(max_points),
            tile: OnceLock::new(),
        }
    }

    /// What the windows are of.
    pub fn scatter(&self) -> &Scatter<D, F> {
        &self.scatter
    }

    /// Points kept at the moment; a block counts as 8 more.
    pub fn kept(&self) -> usize {
        self.cache.points()
    }

    /// The points that lie in `window` (half-open).
    ///
    /// # Errors
    /// As [`Scatter::points_in`].
    pub fn points_in(&self, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        self.scatter.check_window(window)?;
        if self.scatter.is_tiled() && self.scatter.options().levels > 0 {
            let whole = self.tile.get_or_init(|| self.scatter.uncut());
            return Ok(self.scatter.crop(whole, window));
        }
        self.scatter.window(&self.cache, window)
    }
}
