//! Several layers (species) that keep off one another.

use crate::engine::{Options, Species, Wood};
use crate::field::{Field, named};
use crate::refused::Refused;
use crate::{runs, watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sampler::Rule;
use std::sync::Arc;

/// Layers that are scattered together.
#[pyclass(frozen, module = "spinney_scatter._native")]
pub(crate) struct NativeSpecies {
    wood: Arc<Wood>,
    threads: Option<usize>,
}

/// A field, its share, its turn and its seed.
type LayerArgs<'py> = (PyRef<'py, Field>, f64, u32, Option<u64>);

#[pymethods]
impl NativeSpecies {
    #[new]
    fn new(
        py: Python<'_>,
        layers: Vec<LayerArgs<'_>>,
        apart: Vec<(usize, usize, f64)>,
        bounds: Option<(f64, f64, f64, f64)>,
        rule: &str,
        seed: u64,
        max_points: Option<u64>,
        lod: u32,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let options = Options {
            rule: named("rule", rule, &Rule::ALL, Rule::name)?,
            seed,
            max_points,
            lod,
        };
        let domain = bounds.map(runs::window).transpose()?;
        let layers: Vec<Species> = layers
            .into_iter()
            .map(|(field, share, turn, seed)| Species {
                field: field.shared(),
                share,
                turn,
                seed,
            })
            .collect();
        let wood = py.detach(move || Wood::new(layers, &apart, domain, options));
        let wood = wood.map_err(|e: Refused| e)?;
        Ok(Self {
            wood: Arc::new(wood),
            threads,
        })
    }

    /// All points of the domain.
    fn points<'py>(
        &self,
        py: Python<'py>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let wood = Arc::clone(&self.wood);
        let made = watch::run(py, self.threads, progress.as_ref(), move |watch| {
            wood.points(watch)
        })?;
        runs::finished(made?)?.into_dict(py)
    }

    /// The points of a window `(x0, y0, x1, y1)`.
    fn window<'py>(
        &self,
        py: Python<'py>,
        bounds: (f64, f64, f64, f64),
    ) -> PyResult<Bound<'py, PyDict>> {
        let (wood, window) = (Arc::clone(&self.wood), runs::window(bounds)?);
        let made = watch::run(py, self.threads, None, move |_| wood.window(&window))?;
        made?.into_dict(py)
    }
}
