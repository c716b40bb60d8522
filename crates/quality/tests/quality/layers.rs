//! Layers with distances of their own: pairs within each, and between any two.

use crate::sets::{Random, square_distance, unit};
use sampler::density::{Constant, RadiusField};
use spinney_quality::layers::{LayersClaim, LayersReport, judge_layers};
use spinney_quality::{Columns, Edges, Measures, PointSet, QualityError, Rule};

/// The distance of each layer.
const DISTANCES: [f64; 3] = [0.04, 0.01, 0.02];

/// Judges points of three layers in the unit square. Layers 0 and 1 are `apart`; the later point's distance holds for
/// all other pairs.
fn judged(
    edges: Edges,
    points: &[([f64; 2], u64)],
    apart: f64,
) -> Result<LayersReport, QualityError> {
    let set = PointSet::new(Columns {
        positions: points.iter().map(|p| p.0).collect(),
        layers: Some(points.iter().map(|p| p.1).collect()),
        ..Columns::default()
    });
    let fields = DISTANCES.map(|r| Constant::new(r).expect("a distance"));
    let claim = LayersClaim {
        fields: fields.iter().map(|f| f as &dyn RadiusField<2>).collect(),
        rule: Rule::Own,
        apart: &|a, b| ((a, b) == (0, 1)).then_some(apart),
    };
    judge_layers(&set.expect("a set"), &unit(edges), &claim, Measures::Pairs)
}

#[test]
fn each_pair_of_layers_is_held_to_its_own_distance() {
    let judged = |points: &[_], apart| judged(Edges::Open, points, apart).expect("judged");
    let points = [([0.25, 0.5], 0), ([0.28125, 0.5], 1), ([0.28125, 0.51], 1)];
    let good = judged(&points, 0.03125);
    assert_eq!((good.violations, good.worst_ratio), (0, Some(1.0)));
    let more = 0.03125 + 1e-12;
    let bad = judged(&points, more);
    assert_eq!((bad.violations, bad.between[0].violations), (1, 1));
    assert_eq!(bad.between[0].worst_pairs[0].required, more);
    // Layers whose cross-distance is 0 have no violations.
    assert_eq!(judged(&points, 0.0).between[0].violations, 0);
    // By the rule: the distance of the later point, whatever its layer.
    let early = judged(&[([0.1, 0.1], 2), ([0.13, 0.1], 0)], 0.01);
    assert_eq!(early.between[1].layers, [0, 2]);
    assert_eq!(early.between[1].violations, 1);
    let late = judged(&[([0.13, 0.1], 0), ([0.1, 0.1], 2)], 0.01);
    assert_eq!(late.violations, 0);
    // Within a layer too.
    let near = judged(&[([0.1, 0.1], 1), ([0.105, 0.1], 1)], 0.01);
    assert_eq!((near.violations, near.layers[1].violations), (1, 1));
}

/// Across the sides of a tile, within a layer and between two.
#[test]
fn finds_what_a_look_at_each_pair_finds() {
    for edges in [Edges::Open, Edges::Torus] {
        let mut random = Random(7);
        let layer = |share: f64| (3.0 * share) as u64;
        let points: Vec<([f64; 2], u64)> = (0..400)
            .map(|_| (random.place(), layer(random.next())))
            .collect();
        let report = judged(edges, &points, 0.025).expect("judged");
        let mut counts = [[0_u64; 3]; 3];
        for (i, &(p, a)) in points.iter().enumerate() {
            for &(q, b) in &points[i + 1..] {
                let [low, high] = [a.min(b), a.max(b)].map(|layer| layer as usize);
                let required = match (low, high) {
                    (0, 1) => 0.025,
                    _ => DISTANCES[b as usize],
                };
                let is_close = square_distance(p, q, edges) < required * required;
                counts[low][high] += u64::from(is_close);
            }
        }
        for pair in &report.between {
            let [low, high] = pair.layers;
            assert_eq!(pair.violations, counts[low][high], "{counts:?}");
            assert!(pair.violations > 5, "{counts:?}");
        }
        for layer in &report.layers {
            assert_eq!(layer.violations, counts[layer.layer][layer.layer]);
        }
    }
}

/// The distance is the same in both directions around the tile.
#[test]
fn a_distance_of_half_a_tile_is_counted_once() {
    let points = [([0.1, 0.1], 0), ([0.59, 0.1], 1)];
    let report = judged(Edges::Torus, &points, 0.5).expect("judged");
    assert_eq!(report.between[0].violations, 1);
    let beyond = judged(Edges::Torus, &points, 0.501);
    assert!(matches!(beyond, Err(QualityError::TorusTooSmall { .. })));
}

#[test]
fn points_must_name_layers_that_there_are() {
    let expected = QualityError::UnknownLayer {
        id: 0,
        layer: 3,
        count: 3,
    };
    let unknown = judged(Edges::Open, &[([0.1, 0.1], 3)], 0.01);
    assert_eq!(unknown, Err(expected));
}
