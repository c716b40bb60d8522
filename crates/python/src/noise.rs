//! `perlin`: noise as a map.

use crate::options::noise_refused;
use crate::refused::Refused;
use crate::watch;
use density::PerlinOptions;
use density::numbers::plain;
use density::shape::{PerlinMapOptions, ShapeError, perlin_map};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Returns a map of Perlin noise: 16-bit greys.
#[pyfunction]
pub(crate) fn perlin(
    py: Python<'_>,
    size: (u32, u32),
    seed: u64,
    scale: f64,
    octaves: u32,
    lacunarity: f64,
    persistence: f64,
    warp: f64,
    threshold: Option<f64>,
) -> PyResult<Bound<'_, PyArray2<u16>>> {
    let options = PerlinMapOptions {
        noise: PerlinOptions {
            seed,
            frequency: 1.0 / scale,
            octaves,
            lacunarity,
            persistence,
            ..PerlinOptions::default()
        },
        warp,
        threshold,
    };
    // Noise does not test whether it was cancelled, but Ctrl-C ends the call.
    let made = watch::run(py, None, None, move |_| {
        perlin_map(size.0, size.1, options).map_err(|e| match e {
            ShapeError::Map(_) => Refused::new(format!("size: {e}")),
            ShapeError::Field(error) => noise_refused(scale, error),
            _ => Refused::option("warp", plain(warp), e),
        })
    })??;
    let shape = [made.height() as usize, made.width() as usize];
    PyArray1::from_slice(py, made.greys()).reshape(shape)
}
