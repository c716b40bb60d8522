//! Samples windows of a map of which only a part is in memory.

use crate::engine::{self, InPart};
use crate::field::pixel_size;
use crate::ground::{Place, world};
use crate::options::Shaping;
use crate::refused::{Outcome, Refused};
use crate::{arrays, runs, watch};
use density::{GreyMap, MapPart, PixelGrid};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// Columns and rows of a whole map, and its position.
type Whole = ((u32, u32), Place);

/// First column and row, and the column and row after the last.
type Rect = (u32, u32, u32, u32);

/// A window `(x0, y0, x1, y1)`.
type Window = (f64, f64, f64, f64);

fn grid((size, place): Whole) -> Outcome<PixelGrid> {
    let (bounds, y_axis) = world(place)?;
    PixelGrid::new([size.0, size.1], bounds, y_axis).map_err(|_| pixel_size(bounds))
}

/// Returns the greatest distance that the options give.
///
/// # Errors
/// If an option is invalid.
#[pyfunction]
pub(crate) fn greatest(shaping: Shaping) -> PyResult<f64> {
    let range = shaping.range()?;
    let tone = shaping.steps()?.tone(range, shaping.white()?);
    tone.map_err(Refused::new)?;
    Ok(range.hi())
}

/// Returns the pixels that determine the field in a window, and up to `margin` world units around it.
#[pyfunction]
pub(crate) fn pixels_around(whole: Whole, window: Window, margin: f64) -> PyResult<Rect> {
    let rect = grid(whole)?.around(&runs::window(window)?, margin);
    Ok((rect.min[0], rect.min[1], rect.max[0], rect.max[1]))
}

/// Samples a window from the pixels that begin at column and row `first`. If they do not suffice,
/// returns no points but the larger part that the points depend on.
#[pyfunction]
pub(crate) fn sample_part<'py>(
    py: Python<'py>,
    whole: Whole,
    first: (u32, u32),
    values: PyReadonlyArray2<'py, u16>,
    open: Option<PyReadonlyArray2<'py, bool>>,
    shaping: Shaping,
    scale_factor: f64,
    window: Window,
    rule: &str,
    seed: u64,
    lod: u32,
    threads: Option<usize>,
) -> PyResult<(Option<Bound<'py, PyDict>>, Option<Rect>)> {
    let options = engine::options(rule, seed, None, lod)?;
    let (greys, [width, height]) = arrays::grid("part", &values)?;
    let open = open.map(|open| arrays::grid("part", &open)).transpose()?;
    let (grid, window) = (grid(whole)?, runs::window(window)?);
    let made = watch::run(py, threads, None, move |_| {
        let open = open.map(|(open, _)| open);
        let failed = |e: density::MapError| Refused::new(format!("part: {e}"));
        let map = GreyMap::new(width, height, greys, open).map_err(failed)?;
        let range = shaping.range()?;
        let white = shaping.white()?;
        let map = shaping.steps()?.toned(map, range, white);
        let map = map.map_err(Refused::new)?;
        let part = MapPart::new(grid, [first.0, first.1], map, range, white);
        // Whether the whole map has closed pixels only matters beside a region, and there is none here.
        let part = Arc::new(part.map_err(failed)?.of_holed());
        engine::window_of_part(&part, scale_factor, &window, options)
    })?;
    match made? {
        InPart::Points(columns) => Ok((Some(columns.into_dict(py)?), None)),
        InPart::Beyond(rect) => {
            let rect = (rect.min[0], rect.min[1], rect.max[0], rect.max[1]);
            Ok((None, Some(rect)))
        }
    }
}
