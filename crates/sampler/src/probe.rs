//! Asking a field that cannot bound itself.

use density::{Bounds, DistRange, RadiusField};

/// The range of what the field says at the corners and the middle of a box: the best there is
/// where the field cannot bound itself, though no proof. `None` when no point may lie at any of
/// them.
pub(crate) fn probe<const D: usize, F: RadiusField<D>>(
    field: &F,
    place: &Bounds<D>,
) -> Option<DistRange> {
    let (min, max) = (place.min(), place.max().map(f64::next_down));
    let corner =
        |i: usize| std::array::from_fn(|a| if (i >> a) & 1 == 1 { max[a] } else { min[a] });
    let places = (0..1_usize << D).map(corner).chain([place.center()]);
    let (lo, hi) = places
        .filter_map(|p| field.min_dist(p))
        .fold((f64::INFINITY, 0.0), |(lo, hi): (f64, f64), r| {
            (lo.min(r), hi.max(r))
        });
    DistRange::new(lo, hi).ok()
}
