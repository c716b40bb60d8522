//! `Ground`: the heights that points stand on.

use crate::arrays::{Bits, grid, key};
use crate::refused::{Outcome, Refused};
use density::numbers::plain;
use density::{Bounds, PixelGrid, YAxis, ground};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// Position of an array: `(x0, y0, x1, y1)`, and whether y runs up.
pub(crate) type Place = ((f64, f64, f64, f64), bool);

/// The heights of black and white, if they were given.
type Ends = Option<(f64, f64)>;

/// Heights over a rectangle of the world, with the arguments that made them, so that they can be pickled.
#[pyclass(frozen, module = "spinney_scatter._native")]
pub(crate) struct Ground {
    surface: Arc<ground::Ground>,
    heights: Py<PyArray2<f64>>,
    corners: bool,
    place: Place,
    reach: Ends,
    /// A number of the heights.
    key: u64,
}

#[pymethods]
impl Ground {
    /// Creates the ground from heights at the centres of pixels, or at the corners of cells. NaN means no
    /// ground. `reach` has the heights of black and white, if they were given.
    #[new]
    fn new(
        heights: Bound<'_, PyArray2<f64>>,
        corners: bool,
        place: Place,
        reach: Ends,
    ) -> PyResult<Self> {
        let (numbers, size) = grid("height", &heights.readonly())?;
        let key = key((Bits(&numbers), size, corners, format!("{place:?}")));
        let made = heights.py().detach(move || {
            let (world, y_axis) = world(place)?;
            let height = |x: u32, y: u32| {
                let at = y as usize * size[0] as usize + x as usize;
                numbers.get(at).copied().filter(|h| !h.is_nan())
            };
            let grid = if corners {
                PixelGrid::of_corners(size, world, y_axis)
            } else {
                PixelGrid::new(size, world, y_axis)
            };
            let grid = grid.map_err(|e| Refused::new(format!("height: {e}")))?;
            let ground = ground::Ground::from_fn(grid, height);
            let ground = ground.map_err(|e| Refused::new(format!("height: {e}")))?;
            Ok::<_, Refused>(match reach {
                None => ground,
                Some((lo, hi)) => ground.reaching([lo, hi]),
            })
        });
        Ok(Self {
            surface: Arc::new(made?),
            heights: heights.unbind(),
            corners,
            place,
            reach,
            key,
        })
    }

    /// Returns the arguments of `new`, for pickling.
    fn __getnewargs__(&self, py: Python<'_>) -> (Py<PyArray2<f64>>, bool, Place, Ends) {
        let heights = self.heights.clone_ref(py);
        (heights, self.corners, self.place, self.reach)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.surface == other.surface
    }

    /// Returns the height, slope and normal of the ground at places as columns; NaN where there is none.
    fn at<'py>(
        &self,
        py: Python<'py>,
        xy: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let xy = xy.as_array();
        let (mut height, mut slope, mut normal) = (Vec::new(), Vec::new(), Vec::new());
        for place in xy.rows() {
            let footing = self.surface.footing([place[0], place[1]]);
            height.push(footing.map_or(f64::NAN, |f| f.height));
            slope.push(footing.map_or(f64::NAN, |f| f.slope));
            normal.extend(footing.map_or([f64::NAN; 3], |f| f.normal));
        }
        let dict = PyDict::new(py);
        let count = height.len();
        dict.set_item("height", PyArray1::from_vec(py, height))?;
        dict.set_item("slope", PyArray1::from_vec(py, slope))?;
        dict.set_item(
            "normal",
            PyArray1::from_vec(py, normal).reshape([count, 3])?,
        )?;
        Ok(dict)
    }
}

impl Ground {
    /// Returns the heights.
    pub(crate) fn heights(&self) -> Arc<ground::Ground> {
        Arc::clone(&self.surface)
    }

    /// Returns a number of the heights. Equal numbers mean equal heights at equal places.
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// Returns the number of cells of the heights along x and y.
    pub(crate) fn cells(&self, py: Python<'_>) -> [u32; 2] {
        let shape = self.heights.bind(py).shape();
        let cells = |n: usize| n.saturating_sub(usize::from(self.corners)) as u32;
        [cells(shape[1]), cells(shape[0])]
    }

    /// Returns the rectangle that the heights cover.
    pub(crate) fn bounds(&self) -> Outcome<Bounds<2>> {
        Ok(world(self.place)?.0)
    }
}

/// Returns the rectangle of the world that an array covers, and the direction of y.
pub(crate) fn world(((x0, y0, x1, y1), y_up): Place) -> Outcome<(Bounds<2>, YAxis)> {
    let bounds = Bounds::new([x0, y0], [x1, y1]).map_err(|_| {
        let value = [x0, y0, x1, y1].map(plain).join(",");
        let problem = "a world must have finite corners and some width and height";
        Refused::option("bounds", value, problem)
    })?;
    Ok((bounds, if y_up { YAxis::Up } else { YAxis::Down }))
}
