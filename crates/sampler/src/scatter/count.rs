//! A given number of points: all distances are multiplied until that many are found.

use super::bounded::Scatter;
use super::engine::engine;
use super::options::ScatterOptions;
use super::pass::Edges;
use super::scattered::{Progress, Scattered};
use crate::error::SampleError;
use density::{Bounds, RadiusField, Scaled};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A given number of points.
///
/// See [`Scatter::with_count`].
#[derive(Clone, Debug)]
pub struct Counted<'f, const D: usize> {
    /// The requested points: all points of [`scatter`](Self::scatter) without the last
    /// [`dropped`](Self::dropped) ones, where last means the greatest by (rank, id).
    pub points: Scattered<D>,
    /// The factor of all distances.
    pub factor: f64,
    /// Number of surplus points of the scaled field: at most 0.5 % of those requested (1 % in a periodic
    /// domain), unless these are about a thousand or fewer, where one step of the factor may add several. In a
    /// periodic domain, whose sides are at least twice the greatest distance, a few points may come with a surplus of
    /// as many again.
    pub dropped: u64,
    /// The run that gives the points.
    pub scatter: Scatter<'f, D>,
}

impl<'f, const D: usize> Scatter<'f, D> {
    /// Returns `count` points over a bounded domain. The field is multiplied by one factor, which gives at
    /// least as many points and at most 0.5 % more. In a periodic domain the number of cells may jump at that
    /// factor, so these may be 1 % more. The last points are left out: those of the highest rank and, within a
    /// rank, the largest ids. They filled the last gaps, all over the domain.
    ///
    /// `count` may be at most the [`limit`](ScatterOptions::limit).
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// use sampler::density::{Bounds, DistRange, FnField};
    /// use sampler::{Edges, Scatter, ScatterOptions};
    ///
    /// // Four times as dense at the left as at the right, however many there are.
    /// let field = FnField::new(DistRange::new(1.0, 2.0)?, 0.01, |p: [f64; 2]| 1.0 + 0.01 * p[0])?;
    /// let domain = Bounds::from_size([100.0, 100.0])?;
    /// let found = Scatter::with_count(field, domain, Edges::Open, ScatterOptions::default(), 1000)?;
    /// assert_eq!(found.points.samples.len(), 1000);
    /// assert!(found.factor > 1.0 && found.dropped <= 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Scatter::new`] or [`Scatter::tiled`] for the scaled field; also when `count` is 0 or
    /// above the limit, or when no factor gives that many points.
    pub fn with_count(
        field: impl RadiusField<D> + 'f,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
        count: u64,
    ) -> Result<Counted<'f, D>, SampleError> {
        let field = Arc::new(field);
        let scaled = |factor, options| {
            let field = Arc::new(Scaled::new(Arc::clone(&field), factor)?);
            Self::single(field, domain, edges, options)
        };
        let go_on = |_| ControlFlow::Continue(());
        let found = Self::with_count_of(scaled, options, count, go_on)?;
        // No callback breaks it off.
        found.ok_or(SampleError::CountOutOfReach { count, most: 0 })
    }

    /// Returns `count` points of any run, like [`with_count`](Scatter::with_count): of all layers together, or clear of
    /// obstacles whose distances stay. `scaled` returns the run for a factor of its distances, with the given options.
    /// It is called for some estimates, and for 2 or 3 trials, or more for few points. The progress of the current trial
    /// is reported to `progress` now and then; `None` is returned when that breaks off.
    ///
    /// Of several layers, those of the last turn lose the points that are left out. These may be some per cent more than
    /// of a single field.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// use sampler::density::{Bounds, Constant, Scaled};
    /// use sampler::{Avoiding, Obstacle, Rule, SampleError, Scatter, ScatterOptions};
    /// use std::ops::ControlFlow;
    ///
    /// let house = Obstacle { position: [30.0, 20.0], min_dist: 12.0 };
    /// let garden = Bounds::from_size([60.0, 40.0])?;
    /// let even = Constant::new(1.0)?;
    /// let scaled = |factor, options| -> Result<_, SampleError> {
    ///     let trees = Avoiding::new(Scaled::new::<2>(even, factor)?, Rule::Max, vec![house])?;
    ///     Scatter::new(trees, garden, options)
    /// };
    /// let go_on = |_| ControlFlow::Continue(());
    /// let found = Scatter::with_count_of(scaled, ScatterOptions::default(), 50, go_on)?;
    /// let trees = found.expect("nothing broke it off").points.samples;
    /// assert_eq!(trees.len(), 50);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When `count` is 0 or above the limit, or when no factor gives that many points; the first error of `scaled` or of
    /// a trial that no other factor mends.
    pub fn with_count_of(
        mut scaled: impl FnMut(f64, ScatterOptions) -> Result<Self, SampleError>,
        options: ScatterOptions,
        count: u64,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Option<Counted<'f, D>>, SampleError> {
        let mut build = |factor, options| Ok(scaled(factor, options)?.bounded);
        let engine = engine()?;
        let found = engine.fit(&mut build, options, count, &mut progress)?;
        Ok(found.map(|found| Counted {
            points: found.points,
            factor: found.factor,
            dropped: found.dropped,
            scatter: Self {
                engine,
                bounded: found.bounded,
            },
        }))
    }
}
