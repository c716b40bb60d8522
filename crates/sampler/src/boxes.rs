//! Boxes around boxes, and distances.

use density::Bounds;

/// A box grown by `by` on all sides; the box itself where that cannot be told.
pub(crate) fn grown<const D: usize>(place: &Bounds<D>, by: f64) -> Bounds<D> {
    let grown = Bounds::new(place.min().map(|x| x - by), place.max().map(|x| x + by));
    grown.unwrap_or(*place)
}

/// A box moved back by `shift`; `None` if it is lost in rounding.
pub(crate) fn shifted<const D: usize>(place: &Bounds<D>, shift: [f64; D]) -> Option<Bounds<D>> {
    Bounds::new(
        std::array::from_fn(|a| place.min()[a] - shift[a]),
        std::array::from_fn(|a| place.max()[a] - shift[a]),
    )
    .ok()
}

/// The square of a distance, of which `step` gives the part along each axis. Everywhere added in this
/// order, so that it is the same to the last bit.
#[inline]
pub(crate) fn square<const D: usize>(step: impl Fn(usize) -> f64) -> f64 {
    (0..D).map(step).map(|d| d * d).sum()
}
