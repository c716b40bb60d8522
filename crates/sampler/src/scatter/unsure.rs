//! Places of a block that the unknown reaches: they are looked at again by themselves, with wider
//! surroundings.
//!
//! ```text
//!   +-----------+      What hangs on something far away is rare, and small. All else in the block
//!   |   +--+    |      is known: points outside of these places are those of the whole. So narrow
//!   |   |? |   +|      surroundings are enough for most of it, and a place costs what a block of
//!   |   +--+   |?      its own size does.
//!   +----------++
//! ```

use super::lattice::{clip, encloses};
use crate::boxes::hull;
use density::Bounds;

/// No more places than these are told apart.
const MOST: usize = 64;

/// Boxes of a block in which something is unknown, joined to few places that do not meet, where a
/// place costs as much as itself grown by `around` on all sides. The block itself when it is no dearer
/// than they are.
pub(super) fn places<const D: usize>(
    block: &Bounds<D>,
    boxes: impl Iterator<Item = Bounds<D>>,
    around: f64,
) -> Vec<Bounds<D>> {
    let cost = |place: &Bounds<D>| -> f64 {
        let sides = place.size().into_iter();
        sides.map(|side| side + 2.0 * around).product()
    };
    let mut places: Vec<Bounds<D>> = Vec::new();
    for mut next in boxes {
        if places.iter().any(|place| encloses(place, &next)) {
            continue;
        }
        // What joining it to a place costs more than the two.
        let extra = |place: &Bounds<D>| cost(&hull(place, &next)) - cost(place) - cost(&next);
        let joined = |place: &Bounds<D>| extra(place) <= 0.0 || clip(place, &next).is_some();
        let mut at = places.iter().position(joined);
        if at.is_none() && places.len() >= MOST {
            let by_extra = |a: &usize, b: &usize| extra(&places[*a]).total_cmp(&extra(&places[*b]));
            at = (0..places.len()).min_by(by_extra);
        }
        // What became larger may meet others.
        while let Some(place) = at {
            next = hull(&places.swap_remove(place), &next);
            let joined = |place: &Bounds<D>| {
                let both = cost(&hull(place, &next));
                both <= cost(place) + cost(&next) || clip(place, &next).is_some()
            };
            at = places.iter().position(joined);
        }
        places.push(next);
    }
    if places.iter().map(cost).sum::<f64>() >= cost(block) {
        return vec![*block];
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(corners: &[[f64; 4]]) -> Vec<Bounds<2>> {
        let new = |&[x, y, to_x, to_y]: &[f64; 4]| Bounds::new([x, y], [to_x, to_y]);
        corners.iter().map(|c| new(c).expect("a box")).collect()
    }

    #[track_caller]
    fn check(around: f64, given: &[[f64; 4]], expected: &[[f64; 4]]) {
        let block = Bounds::from_size([100.0; 2]).expect("a box");
        let mut found = places(&block, boxes(given).into_iter(), around);
        found.sort_by(|a, b| a.min()[0].total_cmp(&b.min()[0]));
        assert_eq!(found, boxes(expected));
    }

    #[test]
    fn places_are_apart_and_together_where_that_is_cheaper() {
        check(4.0, &[], &[]);
        let far = [[10.0, 10.0, 11.0, 11.0], [60.0, 50.0, 61.0, 52.0]];
        check(4.0, &far, &far);
        check(
            4.0,
            &[[10.0, 10.0, 11.0, 11.0], far[1], [13.0, 11.0, 14.0, 12.0]],
            &[[10.0, 10.0, 14.0, 12.0], far[1]],
        );
        // Those that meet are one, whatever it costs; also when the third joins the first two.
        let [across, up] = [[0.0, 40.0, 80.0, 41.0], [40.0, 0.0, 41.0, 80.0]];
        check(0.5, &[across, up], &[[0.0, 0.0, 80.0, 80.0]]);
        check(
            0.0,
            &[
                [0.0, 0.0, 2.0, 2.0],
                [5.0, 0.0, 7.0, 2.0],
                [1.0, 1.0, 6.0, 1.5],
            ],
            &[[0.0, 0.0, 7.0, 2.0]],
        );
        // All of the block when that is no dearer.
        let most = [[0.0, 0.0, 70.0, 99.0], [75.0, 95.0, 99.0, 100.0]];
        check(1.0, &most, &most);
        check(30.0, &most, &[[0.0, 0.0, 99.0, 100.0]]);
        let rest = [0.0, 0.0, 100.0, 40.0];
        check(
            11.0,
            &[rest, [0.0, 60.0, 100.0, 100.0]],
            &[[0.0, 0.0, 100.0, 100.0]],
        );
    }

    #[test]
    fn many_are_few_places() {
        let block = Bounds::from_size([100.0; 2]).expect("a box");
        let speck = |i: u32| {
            let at = [f64::from(i % 25) * 4.0, f64::from(i / 25) * 4.0];
            Bounds::with_origin(at, [0.01; 2]).expect("a box")
        };
        let found = places(&block, (0..625).map(speck), 0.0);
        assert!(found.len() <= MOST, "{} places", found.len());
        for i in 0..625 {
            let p = speck(i).center();
            assert_eq!(found.iter().filter(|place| place.contains(p)).count(), 1);
        }
    }
}
