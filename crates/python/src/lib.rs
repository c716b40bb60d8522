//! The native half of the Python package `spinney-scatter`: fields, runs, files and judgements.
//!
//! It takes contiguous arrays and checked options. The package's Python files convert other input
//! (masked arrays, `xarray`, transforms) to that form.
//!
//! Layers, from the ground up: `refused`, `memory`, `watch`, `arrays`, `options`; `ground`, `sampled_field`,
//! `field`; `engine`, which alone calls the sampler; `runs`, `parts`, `world`, `species`; `places`, `files`,
//! `maps`, `judged`, `noise`.

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
mod maps;
mod memory;
mod noise;
mod options;
mod parts;
mod places;
mod refused;
mod runs;
mod sampled_field;
mod species;
mod watch;
mod world;

/// The module `spinney_scatter._native`.
#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;
    use sampler::Rule;

    #[pymodule_export]
    use crate::{
        field::{Field, avoid_told},
        files::{placed, write},
        ground::Ground,
        judged::{verify, verify_layers},
        maps::read,
        noise::perlin,
        parts::{greatest, pixels_around, sample_part},
        places::{
            Cell, infinite_told, lay, nowhere_told, other_system_told, system_dropped_told,
            upside_down,
        },
        runs::sample,
        species::species,
        world::NativeWorld,
    };

    #[pymodule_export]
    const ALGORITHM_VERSION: u32 = sampler::ALGORITHM_VERSION;
    #[pymodule_export]
    const MAX_LEVELS: u32 = sampler::ScatterOptions::MAX_LEVELS;
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Adds the names of conflict rules.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names = |rules: &[Rule]| PyTuple::new(module.py(), rules.iter().map(|r| r.name()));
        module.add("RULES", names(&Rule::ALL)?)?;
        module.add("SCATTER_RULES", names(&Rule::OF_SCATTER)?)
    }
}
