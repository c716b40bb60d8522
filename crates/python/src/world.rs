//! `World`: windows of an endless world.

use crate::engine::{Options, World};
use crate::field::{Field, named};
use crate::{runs, watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sampler::Rule;
use std::sync::Arc;

/// An endless world, of which windows are asked for in any order.
#[pyclass(frozen, module = "spinney_scatter._native")]
pub(crate) struct NativeWorld {
    world: Arc<World>,
    threads: Option<usize>,
}

#[pymethods]
impl NativeWorld {
    #[new]
    fn new(
        field: &Field,
        rule: &str,
        seed: u64,
        lod: u32,
        threads: Option<usize>,
        keep: usize,
    ) -> PyResult<Self> {
        let options = Options {
            rule: named("rule", rule, &Rule::ALL, Rule::name)?,
            seed,
            max_points: None,
            lod,
        };
        let world = Arc::new(World::new(field.shared(), options, keep)?);
        Ok(Self { world, threads })
    }

    /// The points of a window `(x0, y0, x1, y1)`.
    fn window<'py>(
        &self,
        py: Python<'py>,
        bounds: (f64, f64, f64, f64),
    ) -> PyResult<Bound<'py, PyDict>> {
        let (world, window) = (Arc::clone(&self.world), runs::window(bounds)?);
        let made = watch::run(py, self.threads, None, move |_| world.window(&window))?;
        made?.into_dict(py)
    }
}
