//! Sampling of several layers (species) with distances between them.

use crate::engine;
use crate::field::Field;
use crate::refused::Refused;
use crate::{runs, watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sampler::Layer;

/// A field, its share, its turn and its seed.
type LayerArgs<'py> = (PyRef<'py, Field>, f64, u32, Option<u64>);

/// Scatters several layers over a rectangle. `apart` holds pairs of layer numbers with the distance
/// between their points.
#[pyfunction]
pub(crate) fn species<'py>(
    py: Python<'py>,
    layers: Vec<LayerArgs<'py>>,
    apart: Vec<(usize, usize, f64)>,
    bounds: (f64, f64, f64, f64),
    rule: &str,
    seed: u64,
    count: Option<u64>,
    max_points: Option<u64>,
    lod: u32,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = engine::options(rule, seed, max_points, lod)?;
    let domain = runs::window(bounds)?;
    // Layers with identical fields share one field, and are sampled together, as on the command line.
    let first = |field: &Field| layers.iter().find(|(other, ..)| other.is_same(field));
    let shared = |field: &Field| first(field).map_or(field.shared(), |(other, ..)| other.shared());
    let made = layers.iter().map(|(field, share, turn, seed)| Layer {
        share: *share,
        turn: *turn,
        seed: *seed,
        ..Layer::of(shared(field))
    });
    let layers: Vec<Layer<'static, 2>> = made.collect();
    let made = watch::run(py, threads, progress.as_ref(), move |watch| {
        let made = engine::layered(&layers, &apart, domain, options, count, watch)?;
        Ok::<_, Refused>(runs::ended(made, watch))
    })?;
    runs::finished(made?)?.into_dict(py)
}
