//! Gaps where distances differ, and sets without gaps.

use crate::sets::{
    Random, claimed, gaps_of, open, required, set, square_distance, square_lattice, unit,
};
use sampler::density::{Bounds, Constant, Coverage, DistRange, LocalRange, RadiusField};
use spinney_quality::layers::{LayersClaim, judge_layers};
use spinney_quality::measures::gaps;
use spinney_quality::{
    Claim, Columns, Domain, Edges, Measures, PointSet, QualityError, Requirement, Rule,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A field from 0.03 on the left to 0.09 on the right, with a lake in the middle.
struct Shore;

impl Shore {
    fn lake(p: [f64; 2]) -> f64 {
        let [x, y] = p.map(|x| x - 0.5);
        (x * x + y * y).sqrt() - 0.2
    }
}

impl RadiusField<2> for Shore {
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        let steep = 0.03 + 0.06 * p[0] * p[0];
        (Self::lake(p) > 0.0).then(|| self.range().clamp(steep))
    }
    fn range(&self) -> DistRange {
        DistRange::new(0.03, 0.09).expect("a range")
    }
    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        let [lo, hi] = [bounds.min(), bounds.max()].map(|p| 0.03 + 0.06 * p[0] * p[0]);
        let range = DistRange::new(self.range().clamp(lo), self.range().clamp(hi));
        let size = bounds.size();
        let far = 0.5 * (size[0] * size[0] + size[1] * size[1]).sqrt();
        let lake = Self::lake(bounds.center());
        (lake > -far).then(|| LocalRange {
            range: range.expect("a range"),
            coverage: if lake > far {
                Coverage::All
            } else {
                Coverage::Part
            },
        })
    }
    fn mask_detail(&self, _: f64) -> Option<f64> {
        Some(0.1)
    }
}

fn distance(p: [f64; 2], q: [f64; 2], edges: Edges) -> f64 {
    square_distance(p, q, edges).sqrt()
}

/// Under every rule, with and without edges, the share of gaps agrees with random darts.
#[test]
fn gaps_of_a_field_agree_with_darts() {
    let mut random = Random(7);
    for (rule, edges) in [
        (Rule::Max, Edges::Open),
        (Rule::Max, Edges::Torus),
        (Rule::Mean, Edges::Torus),
        (Rule::Min, Edges::Open),
        (Rule::Own, Edges::Torus),
        (Rule::Prior, Edges::Open),
    ] {
        let mut points: Vec<([f64; 2], f64)> = Vec::new();
        let free = |points: &[([f64; 2], f64)], p, here| {
            let far = |&(q, there): &([f64; 2], f64)| {
                distance(p, q, edges) >= required(rule, there, here)
            };
            points.iter().all(far)
        };
        for _ in 0..1500 {
            let p = random.place();
            if let Some(here) = Shore.min_dist(p)
                && free(&points, p, here)
            {
                points.push((p, here));
            }
        }
        let places: Vec<[f64; 2]> = points.iter().map(|p| p.0).collect();
        let found = gaps_of(&set(places), &unit(edges), rule, Claim::Field(&Shore));
        let (mut tries, mut hits) = (0, 0);
        let mut loneliest = 0.0_f64;
        for _ in 0..200_000 {
            let p = random.place();
            if let Some(here) = Shore.min_dist(p) {
                tries += 1;
                if free(&points, p, here) {
                    hits += 1;
                    let ratios = points
                        .iter()
                        .map(|&(q, there)| distance(p, q, edges) / required(rule, there, here));
                    loneliest = loneliest.max(ratios.fold(f64::INFINITY, f64::min));
                }
            }
        }
        let thrown = f64::from(hits) / f64::from(tries);
        let error = (thrown / f64::from(tries)).sqrt();
        let what = format!("{rule:?} {edges:?}: {found:?} against {thrown} +- {error}");
        assert!(thrown > 0.005, "{what}: too few gaps to compare");
        assert!((found.fraction - thrown).abs() < 4.0 * error, "{what}");
        assert!(
            found.lower <= thrown + 4.0 * error && thrown - 4.0 * error <= found.upper,
            "{what}"
        );
        assert!(found.upper - found.lower < 0.4 * found.upper, "{what}");
        let hole = found.largest_hole.expect("there are gaps").ratio;
        assert!(
            hole >= loneliest * 0.999 && hole < loneliest * 1.1,
            "{what}, {loneliest}"
        );
    }
}

/// The lake is no gap: with points up to its shores, nothing is left.
#[test]
fn where_no_point_may_lie_is_no_gap() {
    let mut random = Random(3);
    let mut points: Vec<([f64; 2], f64)> = Vec::new();
    for _ in 0..300_000 {
        let p = random.place();
        if let Some(here) = Shore.min_dist(p)
            && points
                .iter()
                .all(|q| distance(p, q.0, Edges::Open) >= q.1.max(here))
        {
            points.push((p, here));
        }
    }
    let full = set(points.iter().map(|p| p.0).collect());
    let found = gaps_of(&full, &unit(Edges::Open), Rule::Max, Claim::Field(&Shore));
    assert!(found.fraction < 1e-4 && found.upper < 1e-3, "{found:?}");
    // If the lake were land, it would be a gap.
    let drained = gaps_of(&full, &unit(Edges::Open), Rule::Max, Claim::Uniform(0.09));
    assert!(drained.lower > 0.01, "{drained:?}");
}

/// Returns the points of a square lattice with a spacing of 1.4, whose disks of radius 1 cover a square of 70.
fn maximal() -> Vec<[f64; 2]> {
    let points = square_lattice(50).into_iter();
    points.map(|p| p.map(|x| 70.0 * x)).collect()
}

/// Taking one point out of a maximal set opens a gap that is found.
#[test]
fn a_maximal_set_has_no_gaps_and_without_one_point_has() {
    let mut points = maximal();
    let domain = open([70.0; 2]);
    let claim = Claim::Uniform(1.0);
    let found = gaps_of(&set(points.clone()), &domain, Rule::Max, claim);
    assert!(found.lower == 0.0 && found.upper < 1e-12, "{found:?}");
    assert_eq!(found.largest_gap, 0.0);
    let gone = points.swap_remove(1025);
    let found = gaps_of(&set(points), &domain, Rule::Max, claim);
    assert!(found.lower > 0.0, "{found:?}");
    assert!(found.largest_gap > 1e-5, "{found:?}");
    let hole = found.largest_hole.expect("a gap").place;
    assert!(
        distance([hole[0], hole[1]], gone, Edges::Open) < 1.0,
        "{hole:?} {gone:?}"
    );
}

/// Far from the origin, where coordinates are coarse, and on a strip.
#[test]
fn gaps_do_not_depend_on_where_the_set_lies() {
    let points = crate::sets::bridson(30.0, 1.0, 2);
    let at = |offset: [f64; 2]| {
        let moved = points.iter().map(|p| [p[0] + offset[0], p[1] + offset[1]]);
        let domain = Domain {
            bounds: Bounds::with_origin(offset, [30.0, 30.0]).expect("a box"),
            edges: Edges::Open,
        };
        gaps_of(
            &set(moved.collect()),
            &domain,
            Rule::Max,
            Claim::Uniform(1.0),
        )
    };
    let [here, far] = [at([0.0, 0.0]), at([1e9, -1e9])];
    assert!(here.fraction > 1e-4, "{here:?}");
    assert!(
        (here.fraction / far.fraction - 1.0).abs() < 1e-3,
        "{here:?} {far:?}"
    );
    assert!(far.lower <= far.fraction && far.fraction <= far.upper);
    // All points lie on one line, none inside the domain.
    let line = (0..2000).map(|i| [f64::from(i), -0.5]).collect();
    let domain = open([2000.0, 10.0]);
    let found = gaps_of(&set(line), &domain, Rule::Max, Claim::Uniform(1.0));
    // Each point's disk extends into the domain by sqrt(1 - x^2) - 1/2, for x from -1/2 to 1/2.
    let column = 2.0 * (0.25 * 0.75_f64.sqrt() + 0.5 * 0.5_f64.asin()) - 0.5;
    let truth = 1.0 - column / 10.0;
    assert!((found.fraction - truth).abs() < 1e-4, "{found:?} {truth}");
    assert!(found.upper - found.lower < 1e-9, "{found:?}");
}

/// Regression: a window cut out of a maximal set was not maximal, as points beyond its edges fill gaps near them.
#[test]
fn gaps_of_a_window_do_not_depend_on_points_beyond_it() {
    let points = maximal();
    let claim = Claim::Uniform(1.0);
    let cut = |side: f64| {
        let bounds = Bounds::with_origin([20.5; 2], [side; 2]).expect("a box");
        let inside: Vec<[f64; 2]> = points
            .iter()
            .copied()
            .filter(|&p| bounds.contains(p))
            .collect();
        (bounds, inside)
    };
    let (bounds, mut inside) = cut(20.0);
    let of = |inside: &[[f64; 2]], edges| {
        gaps_of(
            &set(inside.to_vec()),
            &Domain { bounds, edges },
            Rule::Max,
            claim,
        )
    };
    assert!(
        of(&inside, Edges::Open).lower > 1e-3,
        "gaps along the edges"
    );
    let found = of(&inside, Edges::Window);
    assert!(
        found.upper < 1e-12 && found.largest_hole.is_none(),
        "{found:?}"
    );
    // A gap in the middle is found, and is a share of 18 x 18.
    let middle = |p: &[f64; 2]| p.iter().all(|x| (28.0..31.0).contains(x));
    inside.retain(|p| !middle(p));
    let found = of(&inside, Edges::Window);
    let hole = &found.largest_hole.as_ref().expect("a gap").place;
    assert!(hole.iter().all(|x| (28.0..32.0).contains(x)), "{hole:?}");
    assert!(
        found.lower > 1.0 / 324.0 && found.upper < 9.0 / 324.0,
        "{found:?}"
    );

    let (bounds, inside) = cut(2.0);
    let narrow = Domain {
        bounds,
        edges: Edges::Window,
    };
    let set = set(inside);
    let requirement = Requirement::new(&set, Rule::Max, claim).expect("a distance");
    let found = gaps(&set, &narrow, &requirement, claim, 4.0);
    assert_eq!(found, Ok(None));
}

/// Layers keep different distances: by the rule, a fixed one, and none. The gaps of each agree with random darts.
#[test]
fn gaps_of_layers_agree_with_darts() {
    let near = Constant::new(0.05).expect("a distance");
    let far = Constant::new(0.08).expect("a distance");
    let fields: [&dyn RadiusField<2>; 3] = [&Shore, &near, &far];
    let apart = |a: usize, b: usize| match (a, b) {
        (0, 1) => Some(0.02),
        (0, 2) => Some(0.0),
        _ => None,
    };
    for (rule, edges) in [
        (Rule::Max, Edges::Open),
        (Rule::Mean, Edges::Torus),
        (Rule::Own, Edges::Open),
    ] {
        let mut random = Random(11);
        let mut points: Vec<([f64; 2], f64, usize)> = Vec::new();
        let free = |points: &[([f64; 2], f64, usize)], p, here, layer: usize| {
            points.iter().all(|&(q, there, other)| {
                let fixed = if layer == other {
                    None
                } else {
                    apart(layer.min(other), layer.max(other))
                };
                distance(p, q, edges) >= fixed.unwrap_or_else(|| required(rule, there, here))
            })
        };
        for number in 0..900 {
            let (p, layer) = (random.place(), number % 3);
            if let Some(here) = fields[layer].min_dist(p)
                && free(&points, p, here, layer)
            {
                points.push((p, here, layer));
            }
        }
        let set = PointSet::new(Columns {
            positions: points.iter().map(|p| p.0).collect(),
            layers: Some(points.iter().map(|p| p.2 as u64).collect()),
            ..Columns::default()
        });
        let set = set.expect("good points");
        let claim = LayersClaim {
            fields: fields.to_vec(),
            rule,
            apart: &apart,
        };
        let report =
            judge_layers(&set, &unit(edges), &claim, Measures::Spacing).expect("a good domain");
        assert_eq!((report.violations, report.misplaced), (0, 0));
        for (layer, field) in fields.iter().enumerate() {
            let (mut tries, mut hits) = (0, 0);
            for _ in 0..100_000 {
                let p = random.place();
                if let Some(here) = field.min_dist(p) {
                    tries += 1;
                    hits += u32::from(free(&points, p, here, layer));
                }
            }
            let thrown = f64::from(hits) / f64::from(tries);
            let error = (thrown / f64::from(tries)).sqrt();
            let found = report.layers[layer].gaps.as_ref().expect("wide enough");
            let what = format!("{rule:?} {layer}: {found:?} against {thrown} +- {error}");
            assert!(thrown > 0.002, "{what}: too few gaps to compare");
            assert!((found.fraction - thrown).abs() < 4.0 * error, "{what}");
            assert!(
                found.lower <= found.fraction && found.fraction <= found.upper,
                "{what}"
            );
        }
    }
}

/// A mask of pixels with sides of 1 in a world of 2048 x 2048: a hedge one pixel wide, or a dither.
enum Mask {
    Hedge,
    Dither,
}

impl RadiusField<2> for Mask {
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        let [x, y] = p.map(|x| x as u64);
        let is_open = match self {
            Self::Hedge => y == 300,
            Self::Dither => (x + y) % 2 == 0,
        };
        is_open.then_some(3.0)
    }
    fn range(&self) -> DistRange {
        DistRange::new(3.0, 3.0).expect("a range")
    }
    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        let [x, y] = bounds.min().map(f64::floor);
        let is_pixel = bounds.max()[0] <= x + 1.0 && bounds.max()[1] <= y + 1.0;
        let is_open = match self {
            Self::Hedge => bounds.min()[1] < 301.0 && bounds.max()[1] > 300.0,
            Self::Dither => !is_pixel || self.min_dist([x, y]).is_some(),
        };
        is_open.then(|| LocalRange {
            range: self.range(),
            coverage: if is_pixel {
                Coverage::All
            } else {
                Coverage::Part
            },
        })
    }
    fn mask_detail(&self, _: f64) -> Option<f64> {
        Some(1.0)
    }
}

/// Regression: the open area was counted at the places of a lattice, of which all lay on one kind of a dither's pixels
/// and few or none on a hedge.
#[test]
fn the_open_area_of_fine_masks_is_measured() {
    for (mask, area, error) in [
        (Mask::Hedge, 2048.0, 1e-3),
        (Mask::Dither, 2_097_152.0, 4e-3),
    ] {
        // A quarter pixel off, so that boxes are not aligned with pixels.
        for offset in [0.0, 0.25] {
            let domain = Domain {
                bounds: Bounds::with_origin([offset; 2], [2048.0; 2]).expect("a box"),
                edges: Edges::Open,
            };
            let claim = Claim::Field(&mask);
            let none = set(Vec::new());
            let (_, found) = claimed(&none, &domain, Rule::Max, claim);
            for ratio in [found.allowed / area, found.discs / (area / 9.0)] {
                assert!((ratio - 1.0_f64).abs() < error, "{found:?}");
            }
        }
    }
}

/// Regression: a set without points had gaps in a part of its hedge only.
#[test]
fn without_points_all_is_gap() {
    let domain = Domain {
        bounds: Bounds::with_origin([1.0; 2], [2048.0; 2]).expect("a box"),
        edges: Edges::Open,
    };
    let found = gaps_of(
        &set(Vec::new()),
        &domain,
        Rule::Max,
        Claim::Field(&Mask::Hedge),
    );
    assert_eq!((found.fraction, found.upper), (1.0, 1.0));
    assert!(found.lower > 0.99, "{found:?}");
    assert_eq!(found.largest_hole, None, "no place has a ratio");
}

/// Regression: the ratio of a hole in a corner was 1.0018.
#[test]
fn holes_in_corners_are_measured_closely() {
    let (side, point) = (3.5, [2.84, 2.832_122_285_495_455]);
    let ratio = distance(point, [0.0; 2], Edges::Open) / 4.0;
    for [x, y] in [[false, false], [false, true], [true, false], [true, true]] {
        let [x, y] = [(0, x), (1, y)].map(|(axis, is_turned)| {
            let at = point[axis];
            if is_turned { side - at } else { at }
        });
        let domain = open([side; 2]);
        let found = gaps_of(&set(vec![[x, y]]), &domain, Rule::Max, Claim::Uniform(4.0));
        let hole = found.largest_hole.expect("the far corner is open").ratio;
        assert!(hole > ratio - 2e-4 && hole <= ratio, "{hole} of {ratio}");
    }
}

/// Counts the questions to a field of almost one distance.
struct Counted(AtomicU64);

impl RadiusField<2> for Counted {
    fn min_dist(&self, _: [f64; 2]) -> Option<f64> {
        self.0.fetch_add(1, Relaxed);
        Some(1.0)
    }
    fn range(&self) -> DistRange {
        DistRange::new(1.0, 1.001).expect("a range")
    }
    fn range_in(&self, _: &Bounds<2>) -> Option<LocalRange> {
        self.0.fetch_add(1, Relaxed);
        Some(LocalRange {
            range: self.range(),
            coverage: Coverage::All,
        })
    }
}

/// Regression: in a domain far larger than its points, the search for the largest hole took seconds, and without end in
/// one of 1e300: of each box, it searched the half nearer to the points first.
#[test]
fn the_largest_hole_of_a_domain_far_larger_than_its_points_is_found_quickly() {
    let mut random = Random(3);
    let points = set((0..300)
        .map(|_| [20.0 * random.next(), 20.0 * random.next()])
        .collect());
    let side = 1e60;
    let domain = open([side; 2]);
    let field = Counted(AtomicU64::new(0));
    let found = gaps_of(&points, &domain, Rule::Max, Claim::Field(&field));
    let asked = field.0.into_inner();
    assert!(asked < 3_000_000, "{asked} questions");
    let ratio = found.largest_hole.expect("almost all is open").ratio;
    let corner = side * 2.0_f64.sqrt();
    assert!(ratio > corner * (1.0 - 2e-4) && ratio < corner, "{ratio}");
}

/// Regression: distances of another set were read beyond their end.
#[test]
fn a_requirement_of_another_set_is_refused() {
    let claim = Claim::Uniform(0.1);
    let of_one = Requirement::new(&set(vec![[0.5; 2]]), Rule::Max, claim).expect("a distance");
    let two = set(vec![[0.2; 2], [0.7; 2]]);
    let found = spinney_quality::measures::violations(&two, &unit(Edges::Open), &of_one);
    let refused = QualityError::OtherSet {
        requirement: 1,
        set: 2,
    };
    assert_eq!(found, Err(refused));
}
