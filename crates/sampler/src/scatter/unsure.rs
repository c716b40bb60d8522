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

use super::lattice::clip;
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
    for next in boxes {
        let mut next = next;
        let mut at = 0;
        while let Some(place) = places.get(at) {
            let both = hull(place, &next);
            let dear = cost(&both) > cost(place) + cost(&next);
            if dear && places.len() <= MOST && clip(place, &next).is_none() {
                at += 1;
            } else {
                next = both;
                places.swap_remove(at);
                at = 0;
            }
        }
        places.push(next);
    }
    if places.iter().map(cost).sum::<f64>() >= cost(block) {
        return vec![*block];
    }
    places
}

/// The smallest box around two.
fn hull<const D: usize>(a: &Bounds<D>, b: &Bounds<D>) -> Bounds<D> {
    let hull = Bounds::new(
        std::array::from_fn(|i| a.min()[i].min(b.min()[i])),
        std::array::from_fn(|i| a.max()[i].max(b.max()[i])),
    );
    // It is no smaller than either, which are boxes.
    hull.unwrap_or(*a)
}

#[cfg(test)]
mod tests {
    use super::super::engine::{Scatter, ScatterOptions};
    use super::super::law::{Law, MaxLaw, MeanLaw, MinLaw, OwnLaw, PriorLaw};
    use super::super::region::{Outcome, Region};
    use super::*;
    use density::{Constant, FnField, RadiusField};
    use std::collections::BTreeMap;

    type Found<const D: usize> = (BTreeMap<u64, [u64; D]>, u64);

    fn found<const D: usize>(outcomes: impl IntoIterator<Item = Outcome<D>>) -> Found<D> {
        let (mut points, mut unresolved) = (BTreeMap::new(), 0);
        for outcome in outcomes {
            unresolved += outcome.unresolved;
            for q in outcome.points {
                let before = points.insert(q.id, q.p.map(f64::to_bits));
                assert_eq!(before, None, "an id twice");
            }
        }
        (points, unresolved)
    }

    /// Surroundings that are far too narrow leave places unsure in most blocks; when these have been
    /// looked at again nothing is missing, double, or different, and what is left open is the same.
    #[track_caller]
    fn what_is_looked_at_again_fits_in<const D: usize, F: RadiusField<D>, L: Law>(
        field: F,
        size: [f64; D],
        cells: i64,
    ) {
        let domain = Bounds::from_size(size).expect("a box");
        let options = ScatterOptions {
            rule: L::RULE,
            seed: 11,
            ..ScatterOptions::default()
        };
        let scatter = Scatter::new(field, domain, options).expect("a run");
        let (view, mut region) = (scatter.view(), Region::default());
        let whole = found([view.run::<L>(&mut region, &domain)]);
        let blocks = view.even_blocks(&domain, cells);
        assert!(blocks.len() > 3, "{} blocks", blocks.len());
        for halo in [0.5, 1.5, 3.0] {
            let (mut again, mut small) = (0, 0);
            for block in &blocks {
                let task = view.task(&block.place, halo).expect("a task");
                let unsure = region.run::<_, L>(&view, &task, &mut Outcome::default());
                again += unsure.len();
                let less = |place: &&Bounds<D>| place.volume() < block.place.volume();
                small += unsure.iter().filter(less).count();
            }
            assert!(again > 0, "{:?} at {halo}", L::RULE);
            assert!(halo < 3.0 || small > 0, "{:?}: all of {again}", L::RULE);
            let parts = blocks
                .iter()
                .map(|block| view.run_within::<L>(&mut region, &block.place, halo));
            let (points, unresolved) = found(parts);
            let lost = whole.0.keys().filter(|id| !points.contains_key(id)).count();
            assert_eq!(lost, 0, "{:?} at {halo}: of {}", L::RULE, whole.0.len());
            assert!(points == whole.0, "{:?} at {halo}", L::RULE);
            assert_eq!(unresolved, whole.1, "{:?} at {halo}", L::RULE);
        }
    }

    #[test]
    fn narrow_surroundings_are_mended() {
        let one = || Constant::new(1.0).expect("a distance");
        what_is_looked_at_again_fits_in::<2, _, MaxLaw>(one(), [90.0, 70.0], 10);
        what_is_looked_at_again_fits_in::<3, _, MaxLaw>(one(), [15.0, 14.0, 7.0], 3);
        let wavy = || {
            let range = density::DistRange::new(1.0, 4.0).expect("a range");
            let field = FnField::new(range, |p: [f64; 2]| {
                let far = (p[0] - 60.0) * (p[0] - 60.0) + (p[1] - 50.0) * (p[1] - 50.0);
                1.0 + 0.05 * far.sqrt()
            });
            field.with_lipschitz(0.05).expect("a bound")
        };
        let size = [150.0, 130.0];
        what_is_looked_at_again_fits_in::<2, _, MaxLaw>(wavy(), size, 5);
        what_is_looked_at_again_fits_in::<2, _, MeanLaw>(wavy(), size, 5);
        what_is_looked_at_again_fits_in::<2, _, MinLaw>(wavy(), size, 5);
        what_is_looked_at_again_fits_in::<2, _, OwnLaw>(wavy(), size, 5);
        what_is_looked_at_again_fits_in::<2, _, PriorLaw>(wavy(), size, 5);
    }

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
        assert!(found.len() <= MOST + 1, "{} places", found.len());
        for i in 0..625 {
            let p = speck(i).center();
            assert_eq!(found.iter().filter(|place| place.contains(p)).count(), 1);
        }
    }
}
