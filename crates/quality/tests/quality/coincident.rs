//! Points at the same place.

use density::Bounds;
use spinney_quality::{Claim, Domain, Edges, Measures, PointSet, Report, Rule, judge};

fn report(positions: Vec<[f64; 2]>, distance: f64) -> Report {
    let set = PointSet::from_positions(positions).expect("good points");
    let domain = Domain {
        bounds: Bounds::from_size([10.0; 2]).expect("a box"),
        edges: Edges::Open,
    };
    let claim = Claim::Uniform(distance);
    let judged = judge(&set, &[], &domain, claim, Rule::Max, Measures::All);
    judged.expect("good").report
}

/// Regression: gaps were not measured, as if the distance were unknown.
#[test]
fn gaps_are_measured_beside_points_that_coincide() {
    let once = report(vec![[5.0, 5.0], [1.0, 1.0]], 2.0);
    let twice = report(vec![[5.0, 5.0], [1.0, 1.0], [5.0, 5.0]], 2.0);
    assert_eq!(twice.least_distance, Some(0.0));
    assert!(once.gap_fraction.is_some_and(|gap| gap > 0.5));
    assert_eq!(twice.gap_fraction, once.gap_fraction);
    assert_eq!(twice.largest_hole, once.largest_hole);
    // Callers without a distance claim the least possible one.
    let unknown = report(vec![[5.0; 2]; 3], PointSet::<2>::MOST.recip());
    assert_eq!(unknown.gap_fraction, None);
}

/// Regression: each point visited all points at its place, which took hours.
#[test]
fn a_heap_of_points_is_judged_soon() {
    let found = report(vec![[5.0; 2]; 100_000], 2.0);
    assert_eq!(found.worst_ratio, Some(0.0));
    assert!(!found.violations_complete);
}
