//! Asking a field that cannot bound itself.

use crate::steps::for_each;
use density::{Bounds, Coverage, DistRange, RadiusField};

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Searched {
    /// No place is as wide as was looked for and open.
    Closed,
    /// Points may lie at some places, this far apart.
    Open(DistRange),
    /// No point may lie anywhere that was looked at, but the box is too large to look everywhere.
    Unsure,
}

/// The range of what the field says at the corners and the middle of a box: the best there is
/// where the field cannot bound itself, though no proof. `None` when no point may lie at any of
/// them; and whether points may lie at all of them.
pub(crate) fn probe<const D: usize, F: RadiusField<D>>(
    field: &F,
    place: &Bounds<D>,
) -> Option<(DistRange, Coverage)> {
    let (min, max) = (place.min(), place.max().map(f64::next_down));
    let corner =
        |i: usize| std::array::from_fn(|a| if (i >> a) & 1 == 1 { max[a] } else { min[a] });
    let places = (0..1_usize << D).map(corner).chain([place.center()]);
    let (mut lo, mut hi) = (f64::INFINITY, 0.0_f64);
    let mut coverage = Coverage::All;
    for p in places {
        match field.min_dist(p) {
            Some(r) => (lo, hi) = (lo.min(r), hi.max(r)),
            None => coverage = Coverage::Part,
        }
    }
    Some((DistRange::new(lo, hi).ok()?, coverage))
}

/// Searches a box for places where points may lie: asks at places at most `step` apart along each
/// axis, and in their middles; in a box that is wider than `most` steps, at so many.
pub(crate) fn search<const D: usize, F: RadiusField<D>>(
    field: &F,
    place: &Bounds<D>,
    step: f64,
    most: f64,
) -> Searched {
    let wanted = place.size().map(|side| (side / step).ceil().max(1.0));
    let steps = wanted.map(|n| n.min(most));
    let (min, size) = (place.min(), place.size());
    let last = place.max().map(f64::next_down);
    let (mut lo, mut hi) = (f64::INFINITY, 0.0_f64);
    let mut ask = |at: [f64; D]| {
        let p = std::array::from_fn(|a| (min[a] + size[a] * (at[a] / steps[a])).min(last[a]));
        if let Some(r) = field.min_dist(p) {
            (lo, hi) = (lo.min(r), hi.max(r));
        }
    };
    let corners = steps.map(|n| n as u32);
    for_each([0; D], corners, |at: [u32; D]| ask(at.map(f64::from)));
    let middles = corners.map(|n| n - 1);
    for_each([0; D], middles, |at: [u32; D]| {
        ask(at.map(|i| f64::from(i) + 0.5));
    });
    match DistRange::new(lo, hi) {
        Ok(range) => Searched::Open(range),
        Err(_) if steps == wanted => Searched::Closed,
        Err(_) => Searched::Unsure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::MaskedFnField;

    #[test]
    fn a_search_finds_what_is_as_wide_as_its_steps() {
        let range = DistRange::new(1.0, 4.0).expect("a range");
        let whole = Bounds::from_size([10.0; 2]).expect("a box");
        for (x, y) in [(0.05, 9.3), (3.333, 7.01), (9.45, 0.0)] {
            let island = move |p: [f64; 2]| {
                let inside = p[0] >= x && p[0] < x + 0.5 && p[1] >= y && p[1] < y + 0.5;
                inside.then_some(2.0)
            };
            let field = MaskedFnField::new(range, 0.5, island).expect("a field");
            assert_eq!(probe(&field, &whole), None);
            let two = DistRange::new(2.0, 2.0).expect("a range");
            assert_eq!(search(&field, &whole, 0.5, 20.0), Searched::Open(two));
        }
        let closed = MaskedFnField::new(range, 0.5, |_: [f64; 2]| None).expect("a field");
        assert_eq!(search(&closed, &whole, 0.5, 20.0), Searched::Closed);
        assert_eq!(search(&closed, &whole, 0.5, 19.0), Searched::Unsure);
    }
}
