//! Grows the dense or the sparse parts of a map by a multiple of the local distance.

use super::ShapeError;
use super::greatest::Pyramid;
use super::{DistMap, Side};
use crate::MapError;
use crate::closure::within;
use crate::filled::filled;

/// Returns the map with its dense or sparse parts grown by `reach` times the local distance: each
/// pixel becomes the least (dense grows) or the greatest (sparse grows) distance within `reach * r`
/// of its centre, where `r` is its own distance. "Ideally the dilation should be a function of the
/// minimum radius in a region" (Tulleken, "Poisson Disk Sampling", Dev.Mag 21, 2008).
///
/// - [`Side::Sparse`] takes back what the dense side bleeds into the sparse one under the rule
///   `parent`, by the dense side's own distances: a `reach` of 1 is as far as one annulus reaches.
/// - [`Side::Dense`] makes room for dense points beside sparse ones, which keep them away as far as
///   their own distance.
///
/// Edges stay as sharp as they were; [`limit`](crate::shape::limit) turns them into ramps, which
/// suits the symmetric rules better. Closed pixels do not change, and have no effect.
///
/// The result is exact. Takes time proportional to the pixels if distances are smooth, more if they
/// are noise; and the memory of two more maps of distances.
///
/// ```
/// use spinney_density::shape::{DistMap, Side, dilate_local};
///
/// // An edge between points 1 unit apart and points 9 units apart.
/// let edge: Vec<f64> = (0..64).map(|x| if x < 32 { 1.0 } else { 9.0 }).collect();
/// let map = DistMap::from_distances([64, 1], [1.0, 1.0], edge)?;
/// let grown = dilate_local(&map, 1.0, Side::Dense)?;
/// assert_eq!([31, 40, 41].map(|x| grown.distances()[x]), [1.0, 1.0, 9.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Unless `reach` lies between 0 and 1e6, or without enough memory.
pub fn dilate_local(map: &DistMap, reach: f64, grows: Side) -> Result<DistMap, ShapeError> {
    let reach = within("the reach of a dilation", reach, 0.0, 1e6)?;
    let distances = grown(map, reach, grows).ok_or(MapError::OutOfMemory {
        width: map.width(),
        height: map.height(),
    })?;
    Ok(map.with(distances))
}

fn grown(map: &DistMap, reach: f64, grows: Side) -> Option<Vec<f64>> {
    let radii = map.distances();
    // The least distance is the greatest of the negated ones.
    let sign = match grows {
        Side::Dense => -1.0,
        Side::Sparse => 1.0,
    };
    let mut values = filled(0.0, radii.len())?;
    for (value, &r) in values.iter_mut().zip(radii) {
        *value = sign * r;
    }
    let mut result = filled(0.0, radii.len())?;
    result.copy_from_slice(&values);
    let pyramid = Pyramid::new(&values, map.width())?;
    let [dx, dy] = map.pixel();
    pyramid.search(&mut result, |p, value, [x, y]| {
        let (x, y) = (f64::from(x) * dx, f64::from(y) * dy);
        let far = reach * radii[p];
        if x * x + y * y <= far * far {
            value
        } else {
            f64::NEG_INFINITY
        }
    })?;
    for value in &mut result {
        *value *= sign;
    }
    Some(result)
}
