//! Surroundings that are far too narrow leave places unsure in most blocks; when these have been looked at
//! again nothing is missing, double or different, and what is left open is the same.

use super::crowd::{Crowd, Guest};
use super::engine::{Scatter, ScatterOptions};
use super::law::{Law, MaxLaw, MeanLaw, MinLaw, OwnLaw, PriorLaw};
use super::region::{Outcome, Region};
use super::tests::map;
use density::{Bounds, Constant, DistRange, FnField, RadiusField};
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// In blocks of `cells` against `whole`, by ever wider surroundings. How many places were looked at again
/// that are smaller than their block.
#[track_caller]
fn mends<const D: usize, F: RadiusField<D>, L: Law>(
    scatter: &Scatter<D, F>,
    cells: i64,
    whole: &Found<D>,
) -> usize {
    let domain = scatter.domain().expect("a bounded domain");
    let (view, mut region) = (scatter.view(), Region::default());
    let blocks = view.even_blocks(&domain, cells);
    assert!(blocks.len() > 3, "{} blocks", blocks.len());
    let mut small = 0;
    for halo in [0.5, 1.5, 3.0] {
        let mut again = 0;
        for block in &blocks {
            let Some(task) = view.task(&block.place, halo) else {
                continue;
            };
            let unsure = region.run::<_, L>(&view, &task, &mut Outcome::default());
            again += unsure.len();
            let less = |place: &&Bounds<D>| place.volume() < block.place.volume();
            small += unsure.iter().filter(less).count();
        }
        assert!(halo > 1.0 || again > 0, "{:?} at {halo}", L::RULE);
        let parts = blocks
            .iter()
            .map(|block| view.run_within::<L>(&mut region, &block.place, halo));
        let (points, unresolved) = found(parts);
        let lost = whole.0.keys().filter(|id| !points.contains_key(id));
        assert_eq!(
            lost.count(),
            0,
            "{:?} at {halo}: of {}",
            L::RULE,
            whole.0.len()
        );
        assert!(points == whole.0, "{:?} at {halo}", L::RULE);
        assert_eq!(unresolved, whole.1, "{:?} at {halo}", L::RULE);
    }
    small
}

fn options<L: Law>() -> ScatterOptions {
    ScatterOptions {
        rule: L::RULE,
        seed: 11,
        ..ScatterOptions::default()
    }
}

#[track_caller]
fn open<const D: usize, F: RadiusField<D>, L: Law>(field: F, size: [f64; D], cells: i64) {
    let domain = Bounds::from_size(size).expect("a box");
    let scatter = Scatter::new(field, domain, options::<L>()).expect("a run");
    let whole = found([scatter.view().run::<L>(&mut Region::default(), &domain)]);
    let small = mends::<D, F, L>(&scatter, cells, &whole);
    assert!(small > 0, "{:?}: whole blocks alone", L::RULE);
}

#[track_caller]
fn by_every_rule<const D: usize, F: RadiusField<D>>(field: &F, size: [f64; D], cells: i64) {
    open::<D, &F, MaxLaw>(field, size, cells);
    open::<D, &F, MeanLaw>(field, size, cells);
    open::<D, &F, MinLaw>(field, size, cells);
    open::<D, &F, OwnLaw>(field, size, cells);
    open::<D, &F, PriorLaw>(field, size, cells);
}

/// Distances that grow from 1 in one place to 4.
fn cone<const D: usize>(top: [f64; D], slope: f64) -> impl RadiusField<D> {
    let range = DistRange::new(1.0, 4.0).expect("a range");
    let field = FnField::new(range, slope, move |p: [f64; D]| {
        let square: f64 = (0..D).map(|a| p[a] - top[a]).map(|d| d * d).sum();
        1.0 + slope * square.sqrt()
    });
    field.expect("a slope")
}

#[test]
fn where_all_ask_for_the_same() {
    let one = || Constant::new(1.0).expect("a distance");
    open::<2, _, MaxLaw>(one(), [90.0, 70.0], 10);
    open::<3, _, MaxLaw>(one(), [15.0, 14.0, 7.0], 3);
}

#[test]
fn where_distances_grow() {
    by_every_rule(&cone([60.0, 50.0], 0.05), [150.0, 130.0], 5);
    by_every_rule(&cone([5.0, 8.0, 3.0], 0.2), [21.0, 19.0, 9.0], 1);
}

/// A speck that something unknown may cover was counted, and one that covers only what was left of it.
#[test]
fn where_distances_jump() {
    by_every_rule(&map(9, 6.0, 130.0, 0.0), [130.0; 2], 3);
    by_every_rule(&map(4, 6.0, 130.0, 0.2), [130.0; 2], 3);
}

#[test]
fn in_a_tiling() {
    for field in [map(3, 3.0, 60.0, 0.0), map(3, 1.0, 60.0, 0.1)] {
        let domain = Bounds::from_size([60.0, 48.0]).expect("a box");
        let scatter = Scatter::tiled(field, domain, options::<MaxLaw>()).expect("a run");
        let view = scatter.view();
        let whole = found([view.run_within::<MaxLaw>(&mut Region::default(), &domain, 40.0)]);
        mends::<2, _, MaxLaw>(&scatter, 2, &whole);
    }
}

#[test]
fn amid_others() {
    let guests: Vec<Guest<2>> = (0..400)
        .map(|i| {
            let at = [f64::from(i % 20) * 6.3, f64::from(i / 20) * 5.9];
            Guest::new(at, 0.5 + f64::from(i % 7) * 0.4)
        })
        .collect();
    let crowd = Crowd::new(guests, vec![], MeanLaw::RULE, 4.0, None);
    let domain = Bounds::from_size([120.0, 110.0]).expect("a box");
    let field = cone([60.0, 50.0], 0.05);
    let scatter = Scatter::amid(
        field,
        Some(domain),
        options::<MeanLaw>(),
        Some(Arc::new(crowd)),
        1.0,
    );
    let scatter = scatter.expect("a run");
    let whole = found([scatter
        .view()
        .run::<MeanLaw>(&mut Region::default(), &domain)]);
    assert!(mends::<2, _, MeanLaw>(&scatter, 4, &whole) > 0);
}

/// In a region so long that single precision moves places by a hundredth of their distance.
#[test]
fn in_a_long_strip_of_a_wide_range() {
    let range = DistRange::new(1.0, 2000.0).expect("a range");
    let field = FnField::new(range, 1.0, |p: [f64; 2]| {
        if p[0] < 150_000.0 {
            1.0
        } else {
            p[0] - 149_999.0
        }
    });
    let field = field.expect("a slope");
    let domain = Bounds::from_size([152_000.0, 1.5]).expect("a box");
    let scatter = Scatter::new(field, domain, options::<MaxLaw>()).expect("a run");
    let view = scatter.view();
    let mut region = Region::default();
    let [left, right] = [[0.0, 149_000.0], [149_000.0, 152_000.0]]
        .map(|[from, to]| Bounds::new([from, 0.0], [to, 1.5]).expect("a box"));
    let whole = found([view.run::<MaxLaw>(&mut region, &domain)]);
    for halo in [0.5, 1.0, 2.0] {
        let run = |place| view.run_within::<MaxLaw>(&mut Region::default(), place, halo);
        assert!(found([run(&left), run(&right)]) == whole, "{halo}");
    }
}
