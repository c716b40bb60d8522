//! Boxes around boxes.

use density::Bounds;

/// A box grown by `by` on all sides; the box itself where that cannot be told.
pub(crate) fn grown<const D: usize>(place: &Bounds<D>, by: f64) -> Bounds<D> {
    let grown = Bounds::new(place.min().map(|x| x - by), place.max().map(|x| x + by));
    grown.unwrap_or(*place)
}

/// The smallest box around two.
pub(crate) fn hull<const D: usize>(a: &Bounds<D>, b: &Bounds<D>) -> Bounds<D> {
    let hull = Bounds::new(
        std::array::from_fn(|i| a.min()[i].min(b.min()[i])),
        std::array::from_fn(|i| a.max()[i].max(b.max()[i])),
    );
    // It is no smaller than either, which are boxes.
    hull.unwrap_or(*a)
}
