//! What is generic in the number of dimensions alone, compiled in this crate for test builds.
//!
//! With little optimisation, programs share what a crate below them has compiled. Without these two, every
//! program would compile all that stands around the evaluators again.

use crate::{
    Apart, Avoiding, Bridson, BridsonOptions, Edges, Layer, Obstacle, SampleError, Scatter,
    ScatterOptions, World,
};
use density::{Bounds, RadiusField};
use std::ops::ControlFlow;
use std::sync::Arc;

type Field<const D: usize> = Arc<dyn RadiusField<D>>;

type All<const D: usize> = fn(Field<D>, Bounds<D>) -> Result<usize, SampleError>;

#[expect(dead_code, reason = "to be compiled, not to be called")]
static PLANE: All<2> = all;

#[expect(dead_code, reason = "to be compiled, not to be called")]
static SPACE: All<3> = all;

fn all<const D: usize>(field: Field<D>, bounds: Bounds<D>) -> Result<usize, SampleError> {
    let options = ScatterOptions::default();
    let go_on = |_| ControlFlow::Continue(());
    let layers = || vec![Layer::of(field.clone())];
    let scatter = Scatter::layered(layers(), Apart::new(1), bounds, Edges::Open, options)?;
    let single = Scatter::new(field.clone(), bounds, options)?;
    let mut count = scatter.points()?.samples.len() + single.points_in(&bounds)?.samples.len();
    for part in scatter.stream()? {
        count += part?.samples.len();
    }
    let _ = scatter.stream_with(|_, _| ControlFlow::Continue(()))?;
    let counted = Scatter::with_count_while(field.clone(), bounds, Edges::Open, options, 1, go_on)?;
    count += counted.map_or(0, |counted| counted.points.samples.len());
    let world = World::layered(layers(), Apart::new(1), options)?;
    count += world.window(&bounds)?.samples.len() + world.near(bounds.min(), 1.0)?.len();
    world.prefetch(&bounds)?;
    count += usize::from(world.is_ready(&bounds)) + world.bytes() + world.fingerprint() as usize;
    let nearest = world.nearest(bounds.min(), 1.0)?;
    count += usize::from(nearest.is_some());
    let obstacles: Vec<Obstacle<D>> = Vec::new();
    let _ = world.put(&obstacles);
    count += world.take(&obstacles);
    let world = World::bounded(single);
    let options = BridsonOptions::default();
    count += Bridson::new(field.clone(), bounds, options)?.count();
    count += Bridson::with_lists(field.clone(), bounds, options)?.count();
    let avoiding = Avoiding::new(field, crate::Rule::Max, obstacles);
    count += usize::from(avoiding.is_ok());
    drop(world);
    Ok(count)
}
