//! The mask of a field: the smallest features to search for, and whether a small box has an open place.
//!
//! ```text
//!   +-----------+      Of one mask no feature is narrower than the mask's detail, so a corner or the
//!   |     |#|   |      centre of a box half as wide is open, if any place is. Two masks (of which
//!   |     |#|   |      this box shows edges) may overlap in a strip that misses all of these: so
//!   |     |#|   |      closed slabs are cut off from each side, and the rest is looked at.
//!   +-----------+
//! ```

use density::{Bounds, RadiusField};

/// Features of a mask that may be of any size are searched for down to the least distance divided by this.
const FINEST: f64 = 1024.0;

/// Returns the width of the smallest feature of a field's mask that is searched for; `None` if points may lie
/// everywhere.
pub(crate) fn mask_detail<const D: usize>(field: &dyn RadiusField<D>) -> Option<f64> {
    field.mask_detail(field.range().lo() / FINEST)
}

/// Slabs are cut off down to this power of a half of the box; a strip that is narrower counts as closed. Masks that
/// only touch leave one by rounding.
const HALVINGS: u32 = 16;

/// Returns a place in a box where points may lie; `None` if there is none, by the field's bounds or in the corners and
/// the centre of what they leave open. For boxes at most half as wide as the mask's detail.
pub(crate) fn open_place<const D: usize>(
    field: &dyn RadiusField<D>,
    place: &Bounds<D>,
) -> Option<[f64; D]> {
    let open = |place: &Bounds<D>| corners_and_center(place).find(|&p| field.min_dist(p).is_some());
    open(place).or_else(|| open(&narrowed(field, *place)?))
}

/// Returns the places in the corners of a half-open box, and its centre.
fn corners_and_center<const D: usize>(place: &Bounds<D>) -> impl Iterator<Item = [f64; D]> {
    let ends = [place.min(), place.max().map(f64::next_down)];
    let corner = move |index: usize| std::array::from_fn(|a| ends[index >> a & 1][a]);
    (0..1 << D).map(corner).chain([place.center()])
}

/// Returns a box without the closed slabs at its sides; `None` if less than the narrowest strip is left.
fn narrowed<const D: usize>(field: &dyn RadiusField<D>, place: Bounds<D>) -> Option<Bounds<D>> {
    let (mut min, mut max, size) = (place.min(), place.max(), place.size());
    for a in 0..D {
        let mut slab = size[a];
        for _ in 0..HALVINGS {
            slab *= 0.5;
            let mut end = max;
            end[a] = min[a] + slab;
            if is_closed(field, min, end) {
                min[a] = end[a];
            }
            let mut start = min;
            start[a] = max[a] - slab;
            if is_closed(field, start, max) {
                max[a] = start[a];
            }
        }
        // Up to a slab of what is closed is left on each side.
        min[a] += slab;
        max[a] -= slab;
        if min[a] >= max[a] {
            return None;
        }
    }
    Bounds::new(min, max).ok()
}

/// Returns `true` if no point may lie in a box; `false` if it is none.
fn is_closed<const D: usize>(field: &dyn RadiusField<D>, min: [f64; D], max: [f64; D]) -> bool {
    Bounds::new(min, max).is_ok_and(|slab| field.range_in(&slab).is_none())
}
