//! `sample`: the points of a map.

use crate::engine::{self, Options};
use crate::field::{Field, named};
use crate::refused::Refused;
use crate::watch;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sampler::{Edges, Rule};

/// Scatters points over the rectangle of a field.
#[pyfunction]
pub(crate) fn sample<'py>(
    py: Python<'py>,
    field: &Field,
    rule: &str,
    seed: u64,
    count: Option<u64>,
    max_points: Option<u64>,
    lod: u32,
    tile: bool,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options {
        rule: named("rule", rule, &Rule::ALL, Rule::name)?,
        seed,
        max_points,
        lod,
    };
    let domain = field.rectangle("map")?;
    let edges = if tile { Edges::Tiled } else { Edges::Open };
    let field = field.shared();
    let made = watch::run(py, threads, progress.as_ref(), move |watch| match count {
        Some(count) => engine::counted(field, domain, edges, options, count, watch),
        None => engine::whole(field, domain, edges, options, watch),
    })?;
    finished(made?)?.into_dict(py)
}

/// What was not given up. Jobs are given up only where the call ends already.
pub(crate) fn finished<T>(made: Option<T>) -> PyResult<T> {
    made.ok_or_else(|| PyKeyboardInterrupt::new_err("the run was given up"))
}

/// A window of the world.
///
/// # Errors
/// When it is empty or not finite.
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
