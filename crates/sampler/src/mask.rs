//! The mask of a field: the smallest features to search for, and whether a small box has an open place.
//!
//! ```text
//!   +-----------+      No feature of a single mask is narrower than its detail. So an open box of half that
//!   |     |#|   |      width has an open corner, or an open centre. Two masks (of which this box shows edges)
//!   |     |#|   |      may overlap in a strip between these places. So halves and quarters of the box that
//!   |     |#|   |      are closed are cut off, again and again: the strip then covers the middle of the rest.
//!   +-----------+
//! ```
//!
//! This is a search and no proof: where masks overlap in an angle or in several places, it may find none.

use density::{Bounds, RadiusField};

/// The finest resolution: cells this many times smaller than the least distance in them are not divided, and features of
/// a mask that may be of any size are searched for down to the least distance divided by this.
pub(crate) const FINEST: f64 = 1024.0;

/// Returns the width of the smallest feature of a field's mask that is searched for; `None` if points may lie
/// everywhere.
pub(crate) fn mask_detail<const D: usize>(field: &dyn RadiusField<D>) -> Option<f64> {
    field.mask_detail(field.range().lo() / FINEST)
}

/// A strip counts as closed if it is narrower than this share of a box, or than rounding of its coordinates: masks that
/// only touch leave such strips.
const NARROWEST: f64 = 1.0 / ((1 << 24) as f64);

/// The number of times that what is left of a box is divided. More find some more places, but take several times as
/// long where bounds are wide.
const DIVISIONS: u32 = 1;

/// Returns a place in a box where points may lie; `None` if none was found. For boxes at most half as wide as the mask's
/// detail.
pub(crate) fn open_place<const D: usize>(
    field: &dyn RadiusField<D>,
    place: &Bounds<D>,
) -> Option<[f64; D]> {
    let ends = [place.min(), place.max().map(f64::next_down)];
    let corner = |index: usize| std::array::from_fn(|a| ends[index >> a & 1][a]);
    let mut places = (0..1 << D).map(corner).chain([place.center()]);
    let found = places.find(|&p| field.min_dist(p).is_some());
    found.or_else(|| place_left_open(field, place, DIVISIONS))
}

/// Returns a place in a box where points may lie, in the middle of what the field's bounds leave open if possible;
/// `None` if none was found. Narrowed parts of the box are divided `divisions` times.
pub(crate) fn place_left_open<const D: usize>(
    field: &dyn RadiusField<D>,
    place: &Bounds<D>,
    divisions: u32,
) -> Option<[f64; D]> {
    let left = narrowed(field, place)?;
    let along = [left.center(), left.min(), left.max().map(f64::next_down)];
    let place = |index: usize| std::array::from_fn(|a| along[index / 3_usize.pow(a as u32) % 3][a]);
    let mut places = (0..3_usize.pow(D as u32)).map(place);
    let found = places.find(|&p| field.min_dist(p).is_some());
    if found.is_some() || divisions == 0 {
        return found;
    }
    // Open places in several corners of the box are narrowed one by one.
    (0..1 << D).find_map(|corner| {
        let part = left.corner(corner)?;
        field.range_in(&part)?;
        place_left_open(field, &part, divisions - 1)
    })
}

/// Returns a box without its closed halves and quarters; `None` if it becomes too narrow.
fn narrowed<const D: usize>(field: &dyn RadiusField<D>, place: &Bounds<D>) -> Option<Bounds<D>> {
    let mut left = *place;
    let (mut axis, mut uncut) = (0, 0);
    while uncut < D {
        uncut += 1;
        if let Some(cut) = without_closed_side(field, &left, axis) {
            (left, uncut) = (cut, 0);
            let [min, max] = [left.min()[axis], left.max()[axis]];
            let rounding = 4.0 * f64::EPSILON * min.abs().max(max.abs());
            if max - min <= rounding.max(NARROWEST * place.size()[axis]) {
                return None;
            }
        }
        axis = (axis + 1) % D;
    }
    Some(left)
}

/// Returns a box without a half or a quarter at an end of an axis that is closed; `None` if neither is closed.
fn without_closed_side<const D: usize>(
    field: &dyn RadiusField<D>,
    place: &Bounds<D>,
    axis: usize,
) -> Option<Bounds<D>> {
    let [min, max] = [place.min()[axis], place.max()[axis]];
    for width in [0.5 * (max - min), 0.25 * (max - min)] {
        let [low, rest] = divided(place, axis, min + width)?;
        if field.range_in(&low).is_none() {
            return Some(rest);
        }
        let [rest, high] = divided(place, axis, max - width)?;
        if field.range_in(&high).is_none() {
            return Some(rest);
        }
    }
    None
}

/// Divides a box at a coordinate; `None` if that is not inside.
fn divided<const D: usize>(place: &Bounds<D>, axis: usize, at: f64) -> Option<[Bounds<D>; 2]> {
    let (mut before, mut after) = (place.max(), place.min());
    (before[axis], after[axis]) = (at, at);
    let low = Bounds::new(place.min(), before).ok()?;
    Some([low, Bounds::new(after, place.max()).ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::{Coverage, DistRange, LocalRange};

    /// A field that is open in some boxes.
    struct Open(Vec<Bounds<2>>);

    impl RadiusField<2> for Open {
        fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
            let holds = self.0.iter().any(|open| open.contains(p));
            holds.then(|| self.range().lo())
        }
        fn range(&self) -> DistRange {
            DistRange::new(1.0, 1.0).expect("a range")
        }
        fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
            let mut touched = self.0.iter().filter_map(|open| open.intersection(bounds));
            touched.next().map(|_| LocalRange {
                range: self.range(),
                coverage: Coverage::Part,
            })
        }
    }

    #[test]
    fn open_places_are_found_wherever_they_lie_in_a_box() {
        let place = Bounds::with_origin([3.0, -5.0], [0.5; 2]).expect("a box");
        let at = |x: f64, y: f64, size: [f64; 2]| {
            Bounds::with_origin([3.0 + x, y - 5.0], size).expect("a box")
        };
        let tiny = [1e-4; 2];
        for (name, open) in [
            ("a strip", vec![at(-9.0, 0.11, [20.0, 1e-6])]),
            ("a rectangle", vec![at(0.31, 0.07, [1e-3, 1e-5])]),
            (
                "opposite corners",
                vec![at(0.03, 0.02, tiny), at(0.47, 0.46, tiny)],
            ),
            (
                "three corners",
                vec![
                    at(0.03, 0.46, tiny),
                    at(0.47, 0.46, tiny),
                    at(0.45, 0.02, tiny),
                ],
            ),
        ] {
            let found = open_place(&Open(open.clone()), &place).expect(name);
            assert!(place.contains(found), "{name}: {found:?}");
            assert!(
                open.iter().any(|open| open.contains(found)),
                "{name}: {found:?}"
            );
        }
        let beside = at(0.5, 0.0, [1.0; 2]);
        let hair = at(-1.0, 0.2, [2.0, 1e-9]);
        for closed in [vec![], vec![beside], vec![hair]] {
            assert_eq!(
                open_place(&Open(closed.clone()), &place),
                None,
                "{closed:?}"
            );
        }
    }
}
