//! Helpers for boxes and distances.

use density::Bounds;

/// Returns a box grown by `by` on all sides, or the box itself if the result is no valid box.
pub(crate) fn grown<const D: usize>(place: &Bounds<D>, by: f64) -> Bounds<D> {
    let grown = Bounds::new(place.min().map(|x| x - by), place.max().map(|x| x + by));
    grown.unwrap_or(*place)
}

/// Returns a box moved back by `shift`; `None` if it is lost in rounding.
pub(crate) fn moved_back<const D: usize>(place: &Bounds<D>, shift: [f64; D]) -> Option<Bounds<D>> {
    Bounds::new(
        std::array::from_fn(|a| place.min()[a] - shift[a]),
        std::array::from_fn(|a| place.max()[a] - shift[a]),
    )
    .ok()
}

/// Returns the periodic copy of a place that lies inside of `tile`. A place inside is unchanged to the last bit.
pub(crate) fn home<const D: usize>(tile: &Bounds<D>, place: [f64; D]) -> [f64; D] {
    let (min, max, size) = (tile.min(), tile.max(), tile.size());
    std::array::from_fn(|a| {
        let x = place[a];
        if (min[a]..max[a]).contains(&x) {
            return x;
        }
        let inside = x - ((x - min[a]) / size[a]).floor() * size[a];
        // Rounding may lead to the upper edge, or beyond one: both are the seam.
        if (min[a]..max[a]).contains(&inside) {
            inside
        } else {
            min[a]
        }
    })
}

/// Returns the volume of a box in units of `r^D`.
pub(crate) fn volume_in_radii<const D: usize>(place: &Bounds<D>, r: f64) -> f64 {
    // Axis by axis: plain volumes may overflow.
    place.size().iter().map(|s| s / r).product()
}

/// Returns the square of a distance, given its component along each axis by `step`. Summed in a fixed
/// order, so that the result is the same to the last bit everywhere.
#[inline]
pub(crate) fn square<const D: usize>(step: impl Fn(usize) -> f64) -> f64 {
    (0..D).map(step).map(|d| d * d).sum()
}

/// Returns half the diagonal of a box.
pub(crate) fn half_diagonal<const D: usize>(place: &Bounds<D>) -> f64 {
    let size = place.size();
    0.5 * square::<D>(|a| size[a]).sqrt()
}

/// Adds the halves of a box along each axis that is more than half as long as the longest. So a long box ends in
/// squares, not in ever thinner strips. A box too small for floating-point numbers between its ends has no halves.
pub(crate) fn halves<const D: usize>(place: Bounds<D>, todo: &mut Vec<Bounds<D>>) {
    let (size, middle) = (place.size(), place.center());
    let start = todo.len();
    todo.push(place);
    for axis in (0..D).filter(|&a| 2.0 * size[a] > place.longest_side()) {
        for i in start..todo.len() {
            let (min, max) = (todo[i].min(), todo[i].max());
            let (mut below, mut above) = (max, min);
            below[axis] = middle[axis];
            above[axis] = middle[axis];
            let (lower, upper) = (Bounds::new(min, below), Bounds::new(above, max));
            if let (Ok(lower), Ok(upper)) = (lower, upper) {
                todo[i] = upper;
                todo.push(lower);
            }
        }
    }
    if todo.len() == start + 1 {
        todo.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a box too small to be halved was looked at again, for ever.
    #[test]
    fn the_smallest_box_has_no_halves() {
        let smallest = [1.0, 1.0_f64.next_up()].map(|x| [x; 2]);
        let place = Bounds::new(smallest[0], smallest[1]).expect("a box");
        let mut todo = Vec::new();
        halves(place, &mut todo);
        assert_eq!(todo, []);
    }
}
