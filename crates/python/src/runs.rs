//! `sample`: samples the points of a map.

use crate::arrays::Columns;
use crate::engine::{self, Clearing};
use crate::field::Field;
use crate::refused::Refused;
use crate::watch::Watch;
use crate::{arrays, watch};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sampler::Edges;

/// Scatters points over the rectangle of a field. With `tries`, uses Bridson's algorithm.
#[pyfunction]
pub(crate) fn sample<'py>(
    py: Python<'py>,
    field: &Field,
    tries: Option<u32>,
    rule: &str,
    seed: u64,
    count: Option<u64>,
    max_points: Option<u64>,
    lod: u32,
    tile: bool,
    avoid: Option<(PyReadonlyArray2<'_, f64>, PyReadonlyArray1<'_, f64>)>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = engine::options(rule, seed, max_points, lod)?;
    let there = avoid.map(|(xy, min_dist)| arrays::obstacles(&xy, &min_dist));
    let clearing = Clearing {
        field: field.shared(),
        domain: field.rectangle("map")?,
        edges: edges(tile),
        avoid: there.transpose()?,
    };
    let made = watch::run(py, threads, progress.as_ref(), move |watch| {
        let made = match tries {
            Some(tries) => clearing.bridson(options, tries, watch),
            None => clearing.scatter(options, count, watch),
        }?;
        Ok::<_, Refused>(ended(made, watch))
    })?;
    finished(made?)?.into_dict(py)
}

/// Returns the type of a rectangle's edges.
pub(crate) fn edges(tile: bool) -> Edges {
    if tile { Edges::Tiled } else { Edges::Open }
}

/// Returns the result of a run, and stores that all of it is done.
pub(crate) fn ended(made: Option<Columns>, watch: &Watch) -> Option<Columns> {
    if let Some(columns) = &made {
        // The result is here, needed or not.
        let _ = watch.at(1.0, columns.len() as u64);
    }
    made
}

/// Unwraps the result of a run. A job is given up only when its call has ended already.
pub(crate) fn finished<T>(made: Option<T>) -> PyResult<T> {
    made.ok_or_else(|| PyKeyboardInterrupt::new_err("the run was cancelled"))
}

/// Returns a window of the world.
///
/// # Errors
/// If the window is empty or not finite.
pub(crate) fn window(
    (x0, y0, x1, y1): (f64, f64, f64, f64),
) -> Result<density::Bounds<2>, Refused> {
    use density::numbers::plain;
    density::Bounds::new([x0, y0], [x1, y1]).map_err(|_| {
        let value = [x0, y0, x1, y1].map(plain).join(",");
        let problem = "give the lowest corner and then the highest, like (0, 0, 100, 50)";
        Refused::option("window", value, problem)
    })
}
