//! `World`: windows of an endless world.

use crate::engine::{self, World};
use crate::field::Field;
use crate::{arrays, runs, watch};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// An endless world, whose windows are sampled on demand in any order.
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
        let options = engine::options(rule, seed, None, lod)?;
        let world = Arc::new(World::new(field.shared(), options, keep)?);
        Ok(Self { world, threads })
    }

    /// Returns the points of a window `(x0, y0, x1, y1)`.
    fn window<'py>(
        &self,
        py: Python<'py>,
        bounds: (f64, f64, f64, f64),
    ) -> PyResult<Bound<'py, PyDict>> {
        let (world, window) = (Arc::clone(&self.world), runs::window(bounds)?);
        let made = watch::run(py, self.threads, None, move |_| world.window(&window))?;
        made?.into_dict(py)
    }

    /// Adds obstacles, each with its distance.
    fn put(
        &self,
        py: Python<'_>,
        xy: PyReadonlyArray2<'_, f64>,
        min_dist: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let obstacles = arrays::obstacles(&xy, &min_dist)?;
        Ok(py.detach(|| self.world.put(&obstacles))?)
    }

    /// Removes obstacles that were added, and returns the number that were present.
    fn take(
        &self,
        py: Python<'_>,
        xy: PyReadonlyArray2<'_, f64>,
        min_dist: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<usize> {
        let obstacles = arrays::obstacles(&xy, &min_dist)?;
        Ok(py.detach(|| self.world.take(&obstacles)))
    }

    /// Returns the obstacles, a row for each: x, y and its distance.
    fn obstacles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let there = py.detach(|| self.world.obstacles());
        let numbers = there
            .iter()
            .flat_map(|o| [o.position[0], o.position[1], o.min_dist]);
        PyArray1::from_vec(py, numbers.collect()).reshape([there.len(), 3])
    }
}
