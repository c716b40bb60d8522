//! Spacing and gaps of sets that are known to be good or bad.

use crate::sets::{
    Random, bridson, gaps_of, open, required, set, square_distance, square_lattice, unit,
    white_noise, with_distances,
};
use proptest::prelude::*;
use spinney_quality::files::{Format, Points, read};
use spinney_quality::measures::{Gaps, Violations, nearest, violations};
use spinney_quality::{Claim, Columns, Domain, Edges, PointSet, QualityError, Requirement, Rule};

fn broken(set: &PointSet<2>, domain: Domain<2>, rule: Rule, claim: Claim<'_, 2>) -> Violations {
    let requirement = Requirement::new(set, rule, claim).expect("known distances");
    violations(set, &domain, &requirement).expect("a good domain")
}

fn gap(set: &PointSet<2>, domain: Domain<2>, radius: f64) -> Gaps {
    gaps_of(set, &domain, Rule::Max, Claim::Uniform(radius))
}

#[test]
fn a_planted_violation_is_found() {
    let mut points = square_lattice(100);
    let radius = points[1][0] - points[0][0];
    // The lattice's steps differ in their last digits, so the least of them is required.
    let least = (0..99)
        .map(|i| points[i + 1][0] - points[i][0])
        .fold(radius, f64::min);
    let clean = broken(
        &set(points.clone()),
        open([1.0; 2]),
        Rule::Max,
        Claim::Uniform(least),
    );
    assert_eq!((clean.count, clean.complete), (0, true));
    points[4242][0] += 1e-9 * least;
    let found = broken(
        &set(points),
        open([1.0; 2]),
        Rule::Max,
        Claim::Uniform(least),
    );
    assert_eq!(found.count, 1);
    assert_eq!((found.worst[0].earlier, found.worst[0].later), (4242, 4243));
    assert!(found.worst[0].distance < found.worst[0].required);
}

#[test]
fn the_ten_worst_pairs_are_listed() {
    let noise = set(white_noise(1000, 1));
    let found = broken(&noise, unit(Edges::Open), Rule::Max, Claim::Uniform(0.02));
    assert!(found.count > 100, "{}", found.count);
    let ratios: Vec<f64> = found
        .worst
        .iter()
        .map(|p| p.distance / p.required)
        .collect();
    assert_eq!(ratios.len(), 10);
    assert!(ratios.is_sorted() && ratios[9] < 1.0, "{ratios:?}");
}

/// The points reported for seed 6980462275800279379, 30 x 20, radius 5: "Some points are closer
/// than expected", issue 33 of `fast_poisson`, 2023.
#[test]
fn the_known_bad_seed_of_fast_poisson_is_rejected() {
    let bytes = include_bytes!("../data/fast_poisson_issue_33.csv");
    let Points::Flat(set) = read(bytes, Format::Csv).expect("a good file").points else {
        panic!("the points are flat")
    };
    assert_eq!(set.len(), 21);
    let found = broken(&set, open([30.0; 2]), Rule::Max, Claim::Uniform(5.0));
    // The issue names one pair; three more are too close.
    assert_eq!(found.count, 4);
    assert_eq!((found.worst[0].earlier, found.worst[0].later), (2, 18));
    assert!((found.worst[0].distance - 0.732_413_974_071_449_6).abs() < 1e-15);
}

#[test]
fn a_torus_sees_across_its_edges() {
    let points = set(vec![[0.001, 0.001], [0.999, 0.999], [0.5, 0.5]]);
    let claim = Claim::Uniform(0.1);
    assert_eq!(
        broken(&points, unit(Edges::Open), Rule::Max, claim).count,
        0
    );
    let found = broken(&points, unit(Edges::Torus), Rule::Max, claim);
    assert_eq!(found.count, 1);
    assert!((found.worst[0].distance - 0.002 * 2.0_f64.sqrt()).abs() < 1e-12);
    let requirement = Requirement::new(&points, Rule::Max, Claim::Uniform(0.6)).expect("good");
    assert_eq!(
        violations(&points, &unit(Edges::Torus), &requirement),
        Err(QualityError::TorusTooSmall {
            side: 1.0,
            distance: 0.6
        })
    );
}

/// Points 0 (distance 1) and 1 (distance 3, drawn around 0) lie 2 apart.
#[test]
fn the_rules_are_told_apart() {
    let judge = |ids: [u64; 2], rule| {
        let set = PointSet::new(Columns {
            positions: vec![[0.0, 0.0], [2.0, 0.0]],
            ids: Some(ids.to_vec()),
            min_dist: Some(vec![1.0, 3.0]),
            parents: Some(if ids[0] < ids[1] {
                vec![None, Some(ids[0])]
            } else {
                vec![Some(ids[1]), None]
            }),
            ranks: None,
            layers: None,
        });
        broken(&set.expect("good"), open([9.0; 2]), rule, Claim::Column).count == 1
    };
    let of = |ids| {
        Rule::ALL
            .into_iter()
            .filter(|&r| judge(ids, r))
            .collect::<Vec<_>>()
    };
    assert_eq!(of([0, 1]), [Rule::Max, Rule::Own]);
    assert_eq!(of([1, 0]), [Rule::Max, Rule::Prior, Rule::Parent]);
}

#[test]
fn coincident_points_do_not_take_for_ever() {
    let heap = set(vec![[0.5, 0.5]; 50_000]);
    let found = broken(&heap, open([1.0; 2]), Rule::Max, Claim::Uniform(0.1));
    assert!(!found.complete && found.count >= 5_000_000);
    assert_eq!(found.worst[0].distance, 0.0);
}

#[test]
fn gaps_of_known_area() {
    // One disk of radius 0.3 in the middle of a square.
    let one = set(vec![[0.5, 0.5]]);
    let found = gap(&one, unit(Edges::Open), 0.3);
    let truth = 1.0 - std::f64::consts::PI * 0.09;
    assert!(found.lower <= truth && truth <= found.upper, "{found:?}");
    assert!((found.fraction - truth).abs() < 0.005, "{found:?}");
    let hole = found.largest_hole.expect("a gap");
    // The corners are farthest.
    assert!(
        (hole.distance - 0.5_f64.sqrt()).abs() < 0.3 / 64.0,
        "{hole:?}"
    );
    // Across a torus as well.
    let found = gap(&set(vec![[0.0, 0.1]]), unit(Edges::Torus), 0.3);
    assert!((found.fraction - truth).abs() < 0.005, "{found:?}");
    let hole = found.largest_hole.expect("a gap");
    assert!(
        (hole.distance - 0.5_f64.sqrt()).abs() < 0.3 / 64.0,
        "{hole:?}"
    );
    // Covered: a square lattice of spacing 1/8 needs a radius of 1/8 / sqrt(2) = 0.0884.
    let lattice = set(square_lattice(8));
    let found = gap(&lattice, unit(Edges::Torus), 0.0885);
    assert_eq!((found.lower, found.upper), (0.0, 0.0));
    assert_eq!(found.largest_hole, None);
    let found = gap(&lattice, unit(Edges::Torus), 0.0883);
    assert!(found.lower > 0.0 && found.upper < 1e-4, "{found:?}");
    let nothing = gap(&set(vec![]), unit(Edges::Open), 0.1);
    assert_eq!((nothing.lower, nothing.upper), (1.0, 1.0));
}

#[test]
fn bridson_leaves_the_gaps_it_is_known_for() {
    let points = set(bridson(100.0, 1.0, 3));
    let found = gap(&points, open([100.0; 2]), 1.0);
    assert!((5e-4..3e-3).contains(&found.fraction), "{found:?}");
}

#[test]
fn solid_sets_are_judged_too() {
    let mut random = Random(4);
    let mut positions: Vec<[f64; 3]> = Vec::new();
    for _ in 0..20_000 {
        let p = [random.next(), random.next(), random.next()];
        let far = |q: &[f64; 3]| (0..3).map(|a| (p[a] - q[a]).powi(2)).sum::<f64>() >= 0.04;
        if positions.iter().all(far) {
            positions.push(p);
        }
    }
    let domain = open([1.0; 3]);
    let claim = Claim::Uniform(0.2);
    let set = PointSet::from_positions(positions.clone()).expect("good");
    let requirement = Requirement::new(&set, Rule::Max, claim).expect("good");
    assert_eq!(
        violations(&set, &domain, &requirement).expect("good").count,
        0
    );
    let found = gaps_of(&set, &domain, Rule::Max, claim);
    let tries = 100_000;
    let free = (0..tries)
        .filter(|_| {
            let p = [random.next(), random.next(), random.next()];
            let far = |q: &[f64; 3]| (0..3).map(|a| (p[a] - q[a]).powi(2)).sum::<f64>() >= 0.04;
            positions.iter().all(far)
        })
        .count();
    let thrown = free as f64 / f64::from(tries);
    assert!((found.fraction - thrown).abs() < 1e-3, "{found:?} {thrown}");
    // Another point, too close to an existing one.
    let mut planted = positions;
    planted.push(planted[7].map(|x| x + 1e-3));
    let set = PointSet::from_positions(planted).expect("good");
    let requirement = Requirement::new(&set, Rule::Max, claim).expect("good");
    assert_eq!(
        violations(&set, &domain, &requirement).expect("good").count,
        1
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    /// Under every rule, with any distances, in the plane and on a torus: the violations are the
    /// same as by comparing all pairs.
    #[test]
    fn agrees_with_comparing_all_pairs(
        points in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64, 0.001..0.3_f64, any::<prop::sample::Index>()), 2..60),
        rule in prop::sample::select(&Rule::ALL),
        edges in prop::sample::select(&[Edges::Open, Edges::Torus]),
    ) {
        let parents = points.iter().enumerate().map(|(i, p)| (i > 0).then(|| p.3.index(i.max(1)) as u64));
        let set = PointSet::new(Columns {
            positions: points.iter().map(|p| [p.0, p.1]).collect(),
            ids: None,
            min_dist: Some(points.iter().map(|p| p.2).collect()),
            parents: Some(parents.collect()),
            ranks: None,
            layers: None,
        }).expect("good");
        let domain = unit(edges);
        let requirement = Requirement::new(&set, rule, Claim::Column).expect("good");
        let found = violations(&set, &domain, &requirement).expect("good");
        let near = nearest(&set, &domain, &requirement).expect("good");
        let (mut count, mut ratio) = (0, f64::INFINITY);
        for i in 0..set.len() {
            for j in 0..i {
                let (p, q) = (set.positions()[i], set.positions()[j]);
                let square = square_distance(p, q, edges);
                let [old, new] = [j, i].map(|k| points[k].2);
                let required = match rule {
                    Rule::Parent => points[points[i].3.index(i)].2,
                    _ => required(rule, old, new),
                };
                count += u64::from(square < required * required);
                ratio = ratio.min(square.sqrt() / required);
            }
        }
        prop_assert_eq!(found.count, count);
        let least = near.least_ratio().expect("two points");
        prop_assert!((least - ratio).abs() <= 1e-15 * ratio, "{} {}", least, ratio);
    }
}

/// A set whose distances differ, and are unknown between the points.
#[test]
fn own_disks_cover_what_they_cover() {
    let set = with_distances(vec![[0.25, 0.5], [0.75, 0.5]], vec![0.2, 0.1]);
    let found = gaps_of(&set, &unit(Edges::Open), Rule::Max, Claim::Column);
    let truth = 1.0 - std::f64::consts::PI * (0.04 + 0.01);
    assert!((found.fraction - truth).abs() < 0.005, "{found:?}");
}
