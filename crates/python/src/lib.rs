//! The native half of the Python package `spinney-scatter`: fields, runs, files and judgements.
//!
//! It takes contiguous arrays and checked options. The package's Python files convert other input
//! (masked arrays, `xarray`, transforms) to that form.
//!
//! Layers, from the ground up: `refused`, `memory`, `watch`, `arrays`; `ground`, `sampled_field`,
//! `field`; `engine`, which alone calls the sampler; `runs`, `parts`, `world`, `species`; `files`, `judged`,
//! `noise`.

#![cfg(feature = "module")]
// Arguments are Python's options by name, and pyo3 passes them by value.
#![allow(
    clippy::too_many_arguments,
    clippy::fn_params_excessive_bools,
    clippy::needless_pass_by_value
)]

mod arrays;
mod engine;
mod field;
mod files;
mod ground;
mod judged;
mod memory;
mod noise;
mod parts;
mod refused;
mod runs;
mod sampled_field;
mod species;
mod watch;
mod world;

use pyo3::prelude::*;

/// The module `spinney_scatter._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ALGORITHM_VERSION", sampler::ALGORITHM_VERSION)?;
    module.add("MAX_LEVELS", sampler::ScatterOptions::MAX_LEVELS)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<field::Field>()?;
    module.add_class::<files::Cell>()?;
    module.add_class::<ground::Ground>()?;
    module.add_class::<world::NativeWorld>()?;
    module.add_function(wrap_pyfunction!(runs::sample, module)?)?;
    module.add_function(wrap_pyfunction!(species::species, module)?)?;
    module.add_function(wrap_pyfunction!(parts::greatest, module)?)?;
    module.add_function(wrap_pyfunction!(parts::pixels_around, module)?)?;
    module.add_function(wrap_pyfunction!(parts::sample_part, module)?)?;
    module.add_function(wrap_pyfunction!(files::read, module)?)?;
    module.add_function(wrap_pyfunction!(files::lay, module)?)?;
    module.add_function(wrap_pyfunction!(files::upside_down, module)?)?;
    module.add_function(wrap_pyfunction!(files::other_system_told, module)?)?;
    module.add_function(wrap_pyfunction!(files::system_dropped_told, module)?)?;
    module.add_function(wrap_pyfunction!(files::infinite_told, module)?)?;
    module.add_function(wrap_pyfunction!(files::nowhere_told, module)?)?;
    module.add_function(wrap_pyfunction!(files::write, module)?)?;
    module.add_function(wrap_pyfunction!(files::placed, module)?)?;
    module.add_function(wrap_pyfunction!(field::avoid_told, module)?)?;
    module.add_function(wrap_pyfunction!(judged::verify, module)?)?;
    module.add_function(wrap_pyfunction!(judged::verify_layers, module)?)?;
    module.add_function(wrap_pyfunction!(noise::perlin, module)?)?;
    Ok(())
}
