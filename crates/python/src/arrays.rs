//! Conversion of arrays to and from `NumPy`.

use crate::refused::{Outcome, Refused};
use numpy::ndarray::ArrayView1;
use numpy::{
    Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sampler::{Obstacle, Sample, Scattered};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Returns a number of values: the same for the same values, and for others in one of 2^64 cases.
pub(crate) fn key(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Numbers that are hashed bit by bit.
pub(crate) struct Bits<'a>(pub(crate) &'a [f64]);

impl Hash for Bits<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for number in self.0 {
            number.to_bits().hash(hasher);
        }
    }
}

/// Copies a grid's numbers, row by row, and its width and height.
///
/// # Errors
/// If there is no number, or a side is longer than 2^32 - 1.
pub(crate) fn grid<T: Element + Copy>(
    name: &str,
    array: &PyReadonlyArray2<'_, T>,
) -> Outcome<(Vec<T>, [u32; 2])> {
    let &[rows, columns] = array.shape() else {
        return Err(Refused::new(format!(
            "{name}: it must have rows and columns"
        )));
    };
    let side = |n: usize| u32::try_from(n).ok().filter(|&n| n > 0);
    let (Some(width), Some(height)) = (side(columns), side(rows)) else {
        return Err(Refused::new(format!(
            "{name}: a map needs at least one pixel, but this one is {columns}x{rows}"
        )));
    };
    // Rows that are not contiguous are copied number by number.
    let values = match array.as_slice() {
        Ok(slice) => slice.to_vec(),
        Err(_) => array.as_array().iter().copied().collect(),
    };
    Ok((values, [width, height]))
}

/// Converts arrays to obstacles.
///
/// # Errors
/// If the arrays differ in length.
pub(crate) fn obstacles(
    xy: &PyReadonlyArray2<'_, f64>,
    min_dist: &PyReadonlyArray1<'_, f64>,
) -> Outcome<Vec<Obstacle<2>>> {
    let (xy, min_dist) = (xy.as_array(), min_dist.as_array());
    if xy.ncols() != 2 || xy.nrows() != min_dist.len() {
        let problem = "avoid: it must have the shape (n, 2), and avoid_dist n numbers";
        return Err(Refused::new(problem));
    }
    let places = xy.rows().into_iter().zip(min_dist);
    let obstacle = |(place, &min_dist): (ArrayView1<'_, f64>, _)| Obstacle {
        position: [place[0], place[1]],
        min_dist,
    };
    Ok(places.map(obstacle).collect())
}

/// Points as columns.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    xy: Vec<f64>,
    id: Vec<u64>,
    min_dist: Vec<f64>,
    value: Vec<f64>,
    rank: Option<Vec<u32>>,
    layer: Option<Vec<u32>>,
    /// -1 for points without a parent.
    parent: Option<Vec<i64>>,
    complete: bool,
    /// `None` if the algorithm does not count them.
    unresolved: Option<u64>,
    unresolved_area: Option<f64>,
    scale_factor: f64,
}

impl Columns {
    /// Creates columns without points, for distances that were multiplied by `scale_factor`.
    pub(crate) fn scaled(scale_factor: f64) -> Self {
        Self {
            complete: true,
            unresolved: Some(0),
            unresolved_area: Some(0.0),
            scale_factor,
            ..Self::default()
        }
    }

    /// Creates columns without points for Bridson's algorithm, whose points have parents and leave
    /// gaps.
    pub(crate) fn of_bridson() -> Self {
        Self {
            parent: Some(Vec::new()),
            unresolved: None,
            unresolved_area: None,
            ..Self::scaled(1.0)
        }
    }

    /// Creates the columns of `found`, whose distances were multiplied by `scale_factor`.
    pub(crate) fn new(found: &Scattered<2>, scale_factor: f64) -> Self {
        let mut columns = Self::scaled(scale_factor);
        columns.add(found);
        columns
    }

    /// Returns the number of points.
    pub(crate) fn len(&self) -> usize {
        self.id.len()
    }

    /// Adds the points of one part of a run.
    pub(crate) fn add(&mut self, part: &Scattered<2>) {
        part.samples.iter().for_each(|sample| self.push(sample));
        self.complete &= part.complete;
        self.unresolved = self.unresolved.map(|n| n + part.unresolved);
        self.unresolved_area = self.unresolved_area.map(|a| a + part.unresolved_volume);
    }

    /// Adds a point. Either all points of a run have a rank, or none; likewise a layer.
    pub(crate) fn push(&mut self, sample: &Sample<2>) {
        self.xy.extend(sample.position);
        self.id.push(sample.id);
        self.min_dist.push(sample.min_dist);
        self.value.push(sample.value);
        if let Some(rank) = sample.rank {
            self.rank.get_or_insert_default().push(rank);
        }
        if let Some(layer) = sample.layer {
            self.layer.get_or_insert_default().push(layer);
        }
        if let Some(parents) = &mut self.parent {
            let parent = sample.parent.and_then(|id| i64::try_from(id).ok());
            parents.push(parent.unwrap_or(-1));
        }
    }

    /// Sets whether the run was complete.
    pub(crate) fn ended(self, complete: bool) -> Self {
        Self { complete, ..self }
    }

    /// Returns the columns as arrays in a dictionary, without copying.
    pub(crate) fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        let count = self.id.len();
        dict.set_item("xy", PyArray1::from_vec(py, self.xy).reshape([count, 2])?)?;
        dict.set_item("id", PyArray1::from_vec(py, self.id))?;
        dict.set_item("min_dist", PyArray1::from_vec(py, self.min_dist))?;
        dict.set_item("value", PyArray1::from_vec(py, self.value))?;
        dict.set_item("rank", self.rank.map(|r| PyArray1::from_vec(py, r)))?;
        dict.set_item("layer", self.layer.map(|l| PyArray1::from_vec(py, l)))?;
        dict.set_item("parent", self.parent.map(|p| PyArray1::from_vec(py, p)))?;
        dict.set_item("complete", self.complete)?;
        dict.set_item("unresolved", self.unresolved)?;
        dict.set_item("unresolved_area", self.unresolved_area)?;
        dict.set_item("scale_factor", self.scale_factor)?;
        Ok(dict)
    }
}
