//! A given number of points: the field, scaled until so many come out.

use super::bounded::Scatter;
use super::engine::engine;
use super::factor::Fitted;
use super::options::ScatterOptions;
use super::pass::Edges;
use super::scattered::{Progress, Scattered};
use crate::error::SampleError;
use density::{Bounds, RadiusField};
use std::ops::ControlFlow;
use std::sync::Arc;

/// So many points as were asked for.
#[derive(Clone, Debug)]
pub struct Counted<'f, const D: usize> {
    /// The points without the last, in the order of (rank, id). They are all of
    /// [`scatter`](Self::scatter)'s but [`dropped`](Self::dropped).
    pub points: Scattered<D>,
    /// What the field was multiplied by.
    pub factor: f64,
    /// How many points more the scaled field gives: at most 0.5 % of those asked for (of a
    /// tiling 1 %), unless these are about a thousand or fewer, where one step of the factor may bring
    /// several.
    pub dropped: u64,
    /// What gives the points.
    pub scatter: Scatter<'f, D>,
}

impl<'f, const D: usize> Scatter<'f, D> {
    /// `count` points over a bounded domain: the field is multiplied by one factor for which
    /// at least so many come out, and at most 0.5 % more (of a tiling, where the number of its
    /// cells jumps just there, at most 1 %), and the last of these are left out:
    /// those of the highest rank and, of one rank, the largest id. So what is left out are
    /// points that filled a last gap, all over the domain.
    ///
    /// The [`limit`](ScatterOptions::limit) says how many may be asked for.
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
    /// As [`Scatter::new`] or [`Scatter::tiled`] for the scaled field; when `count` is 0 or
    /// above the limit; when no factor gives so many points.
    pub fn with_count(
        field: impl RadiusField<D> + 'f,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
        count: u64,
    ) -> Result<Counted<'f, D>, SampleError> {
        let go_on = |_| ControlFlow::Continue(());
        let found = Self::with_count_while(field, domain, edges, options, count, go_on)?;
        // Nothing breaks it off.
        found.ok_or(SampleError::CountOutOfReach { count, most: 0 })
    }

    /// As [`with_count`](Scatter::with_count), telling `progress` now and then how far the
    /// current trial has come; `None` when that breaks off. There are 2 or 3 trials, and more
    /// for few points.
    ///
    /// # Errors
    /// As [`with_count`](Scatter::with_count).
    pub fn with_count_while(
        field: impl RadiusField<D> + 'f,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
        count: u64,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Option<Counted<'f, D>>, SampleError> {
        let field: Arc<dyn RadiusField<D> + 'f> = Arc::new(field);
        let engine = engine()?;
        let found = engine.fit(&field, domain, edges, options, count, &mut progress)?;
        Ok(found.map(
            |Fitted {
                 points,
                 factor,
                 dropped,
                 domain,
             }| Counted {
                points,
                factor,
                dropped,
                scatter: Self { engine, domain },
            },
        ))
    }
}
