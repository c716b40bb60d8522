//! Warnings about the places of arrays, their systems and their heights.

use crate::field::told;
use crate::refused::{Outcome, Refused};
use crate::runs;
use density::YAxis;
use density::decode::unit_of_system;
use density::diagnostic::{
    self, CellUnit, Diagnostic, Footprint, HeightsKnown, Names, Role, Subject, Syntax,
    other_system, rows_down,
};
use pyo3::prelude::*;

/// Names of options in warnings.
pub(crate) const NAMES: Names = Names {
    syntax: Syntax::Keys,
    channel: Some("channel"),
    alpha: Some("alpha"),
    no_data: Some("nodata"),
    raw_size: Some("raw_size"),
    range: Some("range"),
    size: Some("size"),
    origin: Some("origin"),
    y_up: Some("y_up"),
    height_range: Some("height_range"),
    ..Names::NONE
};

/// A rectangle: x0, y0, x1, y1.
pub(crate) type Corners = (f64, f64, f64, f64);

/// The size of a pixel according to the file.
#[pyclass(frozen, module = "spinney_scatter._native")]
pub(crate) struct Cell(pub(crate) diagnostic::Cell);

/// All units; their numbers stand for them in pickles.
const UNITS: [CellUnit; 5] = [
    CellUnit::Unsaid,
    CellUnit::Metres,
    CellUnit::Feet,
    CellUnit::Kilometres,
    CellUnit::Degrees,
];

#[pymethods]
impl Cell {
    /// Creates a pixel from the numbers in a pickle: width, height, their unit and that of heights.
    #[new]
    fn new(width: f64, height: f64, unit: usize, heights: usize) -> Outcome<Self> {
        let units = UNITS.get(unit).zip(UNITS.get(heights));
        let cell = units.and_then(|(&unit, &heights)| {
            Some(diagnostic::Cell::new([width, height], unit)?.with_heights(heights))
        });
        cell.map(Self)
            .ok_or_else(|| Refused::new("Cell: not the size of a pixel"))
    }

    /// Returns the arguments of `new`, for pickling.
    fn __getnewargs__(&self) -> (f64, f64, usize, usize) {
        let number = |is_it: &dyn Fn(CellUnit) -> bool| UNITS.iter().position(|&u| is_it(u));
        let unit = number(&|unit| self.0.unit() == unit);
        let heights = number(&|unit| self.0.with_heights(unit) == self.0);
        let [width, height] = self.0.size();
        (width, height, unit.unwrap_or(0), heights.unwrap_or(0))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// Returns a pixel of this width and height, in degrees or the unit of the system `crs`, with heights in the
    /// unit that GDAL calls `heights`; `None` if that is not a valid size.
    #[staticmethod]
    fn of(
        width: f64,
        height: f64,
        in_degrees: bool,
        crs: Option<&str>,
        heights: Option<&str>,
    ) -> Option<Self> {
        let unit = if in_degrees {
            CellUnit::Degrees
        } else {
            crs.map_or(CellUnit::Unsaid, unit_of_system)
        };
        let heights = heights.map_or(CellUnit::Unsaid, CellUnit::of_gdal);
        let cell = diagnostic::Cell::new([width, height], unit)?;
        Some(Self(cell.with_heights(heights)))
    }

    /// Returns warnings about heights of so many pixels over a world of this size. `measured` is false
    /// if the size is one unit for each pixel of the map, `ranged` is true if the heights of black and white
    /// were given, in world units, and `turned` if they lie upside down.
    fn on_ground(
        &self,
        pixels: (u32, u32),
        world: (f64, f64),
        measured: bool,
        ranged: bool,
        turned: bool,
    ) -> Vec<String> {
        let known = HeightsKnown {
            is_measured: measured,
            is_ranged: ranged,
            is_turned: turned,
        };
        let (pixels, world) = ([pixels.0, pixels.1], [world.0, world.1]);
        let subject = Subject::new(Role::Height, "height", &NAMES);
        told(self.0.on_ground(pixels, world, known), &subject)
    }
}

/// A rectangle, its coordinate system, and a pixel's width and height.
type ArrayPlace = (Corners, Option<String>, (f64, f64));

/// Column and row of the first pixel of a part, and of the one after its last.
type ArrayPart = ((u32, u32), (u32, u32));

/// Returns the rectangle that a mask or heights cover in the world of a map; the part of the pixels that lies there, if
/// they were cut; and warnings. `cut` is as in [`diagnostic::lay`].
#[pyfunction]
pub(crate) fn lay(
    name: &str,
    map: ArrayPlace,
    own: ArrayPlace,
    cut: Option<(u32, u32)>,
) -> PyResult<(Corners, Option<ArrayPart>, Vec<String>)> {
    let footprint = |(bounds, crs, (width, height)): ArrayPlace| {
        let (bounds, pixel) = (runs::window(bounds)?, [width, height]);
        Ok::<_, Refused>(Footprint { bounds, crs, pixel })
    };
    let laid = diagnostic::lay(&footprint(map)?, &footprint(own)?, cut.map(Into::into))
        .map_err(|e| Refused::new(format!("{name}: {e}")))?;
    let ([x0, y0], [x1, y1]) = (laid.place.min(), laid.place.max());
    let pixels = laid
        .pixels
        .map(|pixels| (pixels.min.into(), pixels.max.into()));
    let subject = Subject::new(Role::Mask, name, &NAMES);
    Ok(((x0, y0, x1, y1), pixels, told(laid.found, &subject)))
}

/// Returns warnings about an array with a place in a world where y runs down.
#[pyfunction]
pub(crate) fn upside_down(name: &str, world: Corners) -> PyResult<Vec<String>> {
    let subject = Subject::new(Role::Mask, name, &NAMES);
    let found = rows_down(&runs::window(world)?, YAxis::Down);
    Ok(told(found, &subject))
}

/// Returns warnings about points of one system in a map of another.
#[pyfunction]
pub(crate) fn other_system_told(name: &str, own: Option<&str>, map: Option<&str>) -> Vec<String> {
    let subject = Subject::new(Role::Avoid, name, &NAMES);
    told(other_system(own, map), &subject)
}

/// Returns the warning about a map that its origin moves from its place `own` and out of its system.
#[pyfunction]
pub(crate) fn system_dropped_told(name: &str, system: String, own: (f64, f64)) -> Vec<String> {
    let own = [own.0, own.1];
    let subject = Subject::new(Role::Map, name, &NAMES);
    told([Diagnostic::SystemDropped { system, own }], &subject)
}

/// Returns warnings about so many infinite pixels of a map.
#[pyfunction]
pub(crate) fn infinite_told(name: &str, negative: u64, positive: u64) -> Vec<String> {
    let found = Diagnostic::Infinite { negative, positive };
    let subject = Subject::new(Role::Map, name, &NAMES);
    told((negative + positive > 0).then_some(found), &subject)
}

/// Returns the warning about a run, or a layer of it, without points, given `inputs` that close places.
#[pyfunction]
pub(crate) fn nowhere_told(inputs: &str, layer: Option<String>) -> Vec<String> {
    let subject = Subject::new(Role::Run, inputs, &NAMES);
    let subject = match layer {
        None => subject,
        Some(layer) => subject.of_layer(layer),
    };
    told([Diagnostic::Nowhere], &subject)
}
