//! Limits the gradient of a map, so that distances change no faster than points can follow.

use super::ShapeError;
use super::envelope::lower_envelope;
use super::sweep::raise;
use super::{DistMap, Side};
use crate::MapError;
use crate::field_error::within;
use crate::filled::copied;

/// Returns the map with no slope steeper than `slope`, in distance per distance; 0.25 is a good
/// value.
///
/// At a sharp edge points can be right on neither side. Under the rule `max` a sparse point keeps
/// others away far into the dense side; under `parent` the dense side bleeds into the sparse one
/// (Tulleken, "Poisson Disk Sampling", Dev.Mag 21, 2008, figures 8 and 9). Both need room for
/// the change, in proportion to the distances there. The article wishes for such a dilation "as a
/// function of the minimum radius in a region".
///
/// `keep` selects the side that stays as painted, while the other gives room:
///
/// - [`Side::Dense`]: `h^2(x) = min over y of r^2(y) + g^2 |x - y|^2`, exact, in time proportional
///   to the pixels (Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled Functions",
///   2012: 4096 x 4096 pixels in half a second). No distance grows; small dense details stay.
///   Corners become round. Gentler slopes `s` are lowered too, to `g / sqrt(g^2 + s^2)` of the
///   distance: by 3 % at a quarter of the limit, by 11 % at half of it.
/// - [`Side::Sparse`], its dual: nearly `h(x) = max over y of r(y) - g |x - y|`, by two sweeps over
///   the rows, in time proportional to the pixels (4096 x 4096 pixels in less than a second). The
///   result lies between this envelope and the one for 0.99 `g`: in some directions ramps are up to
///   1 % too long. Pixels that are not square take longer steps and more time. If they are more
///   than 9 times as long as wide, ramps may be longer. No distance shrinks. Nothing bleeds into
///   sparse areas.
///
/// Both results are `slope`-Lipschitz: `|h(x) - h(y)| <= slope * |x - y|` for the centres of any
/// two pixels, but for rounding. Closed pixels do not change and have no effect, but distances are
/// measured in straight lines across them. A map limited with [`Side::Sparse`] does not change if
/// it is limited so again.
///
/// Takes the memory of one more map of distances.
///
/// ```
/// use spinney_density::shape::{DistMap, Side, limit};
///
/// // An edge between points 1 unit apart and points 9 units apart.
/// let edge: Vec<f64> = (0..64).map(|x| if x < 32 { 1.0 } else { 9.0 }).collect();
/// let map = DistMap::from_distances([64, 1], [1.0, 1.0], edge)?;
/// let ramp = limit(&map, 0.25, Side::Dense)?;
/// assert!(ramp.distances().windows(2).all(|w| (w[1] - w[0]).abs() < 0.2501));
/// assert_eq!(ramp.distances()[31], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Unless `slope` lies between 1e-6 and 1e6, or without enough memory.
pub fn limit(map: &DistMap, slope: f64, keep: Side) -> Result<DistMap, ShapeError> {
    let slope = within("the limit of the slope", slope, 1e-6, 1e6)?;
    let done = match keep {
        Side::Dense => lowered(map, slope),
        Side::Sparse => raised(map, slope),
    };
    let distances = done.ok_or(MapError::OutOfMemory {
        width: map.width(),
        height: map.height(),
    })?;
    Ok(map.with(distances))
}

fn lowered(map: &DistMap, slope: f64) -> Option<Vec<f64>> {
    let Some(range) = map.extremes() else {
        return copied(map.distances());
    };
    // In units of the greatest distance, squares neither overflow nor underflow. If one pixel's
    // step exceeds that distance, nothing changes; a weight of 1 has the same effect.
    let unit = range.hi();
    let weights = map.pixel().map(|side| {
        let step = slope * (side / unit);
        (step * step).clamp(1e-300, 1.0)
    });
    let mut squares = copied(map.distances())?;
    for square in &mut squares {
        *square = if square.is_nan() {
            f64::INFINITY
        } else {
            let r = *square / unit;
            r * r
        };
    }
    lower_envelope(&mut squares, map.width() as usize, weights)?;
    for (h, &r) in squares.iter_mut().zip(map.distances()) {
        // Rounding must not raise the distance, nor lower it below the least one.
        *h = if r.is_nan() {
            r
        } else {
            (h.sqrt() * unit).max(range.lo()).min(r)
        };
    }
    Some(squares)
}

fn raised(map: &DistMap, slope: f64) -> Option<Vec<f64>> {
    let mut heights = copied(map.distances())?;
    let Some(range) = map.extremes() else {
        return Some(heights);
    };
    for height in &mut heights {
        if height.is_nan() {
            *height = f64::NEG_INFINITY;
        }
    }
    let falls = map.pixel().map(|side| slope * side);
    raise(&mut heights, map.width(), falls, [range.lo(), range.hi()]);
    for (h, &r) in heights.iter_mut().zip(map.distances()) {
        if r.is_nan() {
            *h = r;
        }
    }
    Some(heights)
}
