//! Tests of the evaluator alone: its points keep their distances and leave no gap, by a search of this
//! file's own, and neither the stack nor memory exceeds its bound.

use super::block::{blocks, page};
use super::evaluator::{Evaluator, Finished, Stop};
use super::hash::mixed;
use super::lattice::Cell;
use super::near_points::Placed;
use super::pass::{Edges, Pass, lattice};
use super::pass_view::PassView;
use crate::rule::Rule;
use density::decode::{Channel, DecodeLimits};
use density::{Bounds, Constant, DistRange, GreyMap, MapOptions, RadiusField, RadiusMap};
use std::ops::ControlFlow;
use std::sync::Arc;

const RULES: [Rule; 5] = [Rule::Max, Rule::Mean, Rule::Min, Rule::Own, Rule::Prior];

struct Case<const D: usize> {
    field: Arc<dyn RadiusField<D>>,
    domain: Bounds<D>,
    rule: Rule,
    seed: u64,
    edges: Edges,
}

/// Points sorted by id, and the number of unresolved cells.
type Found<const D: usize> = (Vec<Placed<D>>, u64);

impl<const D: usize> Case<D> {
    fn passes(&self) -> Vec<Pass<'static, D>> {
        vec![Pass {
            lattice: lattice(Some(&self.domain), self.edges, self.field.range()),
            field: self.field.clone(),
            rule: self.rule,
            seed: mixed(self.seed),
            separations: Vec::new(),
            territory: None,
        }]
    }

    fn view<'s>(&'s self, passes: &'s [Pass<'s, D>]) -> PassView<'s, D> {
        PassView::new(passes, 0, Some(self.domain), u64::MAX, None)
    }

    /// Returns the points of a window, by one evaluator.
    fn by_pulling(&self, window: &Bounds<D>) -> Found<D> {
        let passes = self.passes();
        let view = self.view(&passes);
        let blocks = blocks(&[view], window);
        Self::visit(&view, &blocks, window, usize::MAX)
    }

    /// Returns the points of a window, by an evaluator that forgets all open leaves after every few cells.
    fn by_forgetting(&self, window: &Bounds<D>) -> Found<D> {
        let passes = self.passes();
        let view = self.view(&passes);
        let mut blocks = blocks(&[view], window);
        while blocks.iter().any(|block| block.level < -1) {
            let halved = blocks.into_iter().flat_map(|block| match block.level {
                ..-1 => block.children().collect(),
                _ => vec![block],
            });
            blocks = halved.collect();
        }
        Self::visit(&view, &blocks, window, 0)
    }

    fn visit(
        view: &PassView<'_, D>,
        blocks: &[Cell<D>],
        window: &Bounds<D>,
        most_open: usize,
    ) -> Found<D> {
        let mut evaluator = Evaluator::new(1);
        let (mut points, mut unresolved) = (Vec::new(), 0);
        for (number, block) in blocks.iter().enumerate() {
            let mut take = |leaf: &mut Finished<D>| {
                let inside = leaf.points.iter().filter(|q| window.contains(q.p));
                points.extend(inside);
                let inside = leaf.unresolved.iter().filter(|(p, _)| window.contains(*p));
                unresolved += inside.count() as u64;
                ControlFlow::Continue(())
            };
            evaluator
                .visit_block(view, *block, window, &mut take)
                .expect("memory");
            let next = blocks.get(number + 1);
            let last = next.is_none_or(|next| page(*next) != page(*block));
            if last && view.domain == Some(*window) {
                evaluator.retire_page(view, *block);
            }
            evaluator.forget_unfinished(most_open);
        }
        (sorted(points), unresolved)
    }

    /// Checks the points of the whole domain.
    #[track_caller]
    fn check(&self, name: &str) {
        let (points, unresolved) = self.by_pulling(&self.domain);
        assert!(!points.is_empty(), "{name}: no points");
        let again = self.by_forgetting(&self.domain);
        assert!(
            again == (points.clone(), unresolved),
            "{name}: forgotten leaves"
        );
        let ids = points.windows(2).all(|pair| pair[0].id < pair[1].id);
        assert!(ids, "{name}: one id twice");
        let images = self.images(&points);
        self.check_spacing(name, &images);
        self.check_gaps(name, &images, unresolved);
    }

    /// Returns the points sorted by their first coordinates, with their images beyond the edges of a
    /// periodic domain.
    fn images(&self, points: &[Placed<D>]) -> Vec<Placed<D>> {
        let (min, size) = (self.domain.min(), self.domain.size());
        let most = self.field.range().hi();
        let mut all = points.to_vec();
        if self.edges == Edges::Tiled {
            for axis in 0..D {
                for place in all.clone() {
                    for (near, step) in [
                        (place.p[axis] - min[axis] < most, size[axis]),
                        (min[axis] + size[axis] - place.p[axis] < most, -size[axis]),
                    ] {
                        if near {
                            let mut image = place;
                            image.p[axis] += step;
                            all.push(image);
                        }
                    }
                }
            }
        }
        all.sort_by(|a, b| a.p[0].total_cmp(&b.p[0]));
        all
    }

    /// Checks all pairs of neighbours along the first axis.
    fn check_spacing(&self, name: &str, by_x: &[Placed<D>]) {
        let most = self.field.range().hi();
        // The position of an image is rounded once more.
        let hair = match self.edges {
            Edges::Open => 0.0,
            Edges::Tiled => 1e-12,
        };
        for (number, a) in by_x.iter().enumerate() {
            let near = by_x[number + 1..].iter();
            for b in near.take_while(|b| b.p[0] - a.p[0] < most) {
                let [earlier, later] = if a.id < b.id { [a, b] } else { [b, a] };
                let distance = self.distance(earlier.r, later.r);
                let square = square(a.p, b.p);
                assert!(
                    square >= distance * distance * (1.0 - hair),
                    "{name}: {a:?} {b:?}"
                );
            }
        }
    }

    /// Returns the distance between an earlier and a later point, written independently of
    /// [`Rule::distance`].
    fn distance(&self, earlier: f64, later: f64) -> f64 {
        match self.rule {
            Rule::Max => earlier.max(later),
            Rule::Mean => 0.5 * (earlier + later),
            Rule::Min => earlier.min(later),
            Rule::Own | Rule::Parent => later,
            Rule::Prior => earlier,
        }
    }

    /// Checks that a further point finds no room at places all over the domain, except in unresolved cells.
    fn check_gaps(&self, name: &str, by_x: &[Placed<D>], unresolved: u64) {
        let most = self.field.range().hi();
        let (min, size) = (self.domain.min(), self.domain.size());
        let (mut asked, mut free) = (0, 0);
        for number in 0..4000_u64 {
            let draw = |a: usize| mixed(PROBES ^ (number * D as u64 + a as u64)) >> 11;
            let p =
                std::array::from_fn(|a| min[a] + size[a] * (draw(a) as f64 / (1_u64 << 53) as f64));
            let Some(r) = self.field.min_dist(p) else {
                continue;
            };
            asked += 1;
            let first = by_x.partition_point(|q| q.p[0] <= p[0] - most);
            let near = by_x[first..].iter().take_while(|q| q.p[0] < p[0] + most);
            let mut near =
                near.filter(|q| square(q.p, p) < self.distance(q.r, r) * self.distance(q.r, r));
            free += u64::from(near.next().is_none());
        }
        assert!(asked > 1000, "{name}: {asked} places");
        assert_eq!(
            free, 0,
            "{name}: {free} of {asked} places, {unresolved} unresolved"
        );
    }
}

/// Separates the hashes of tested places from all other hashes.
const PROBES: u64 = 0x7072_6f62_6573;

fn square<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|k| a[k] - b[k]).map(|d| d * d).sum()
}

fn sorted<const D: usize>(mut points: Vec<Placed<D>>) -> Vec<Placed<D>> {
    points.sort_by_key(|placed| placed.id);
    points
}

fn map(name: &str, lo: f64, hi: f64) -> RadiusMap {
    let path = format!("{}/../../maps/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("a map of the repository");
    let map = GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default()).expect("a picture");
    let range = DistRange::new(lo, hi).expect("a good range");
    RadiusMap::new(map, range, MapOptions::default()).expect("a good field")
}

fn even(r: f64) -> Constant {
    Constant::new(r).expect("a good field")
}

fn uniform<const D: usize>(name: &str, r: f64, domain: Bounds<D>, edges: Edges) {
    Case {
        field: Arc::new(even(r)),
        domain,
        rule: Rule::Max,
        seed: 6,
        edges,
    }
    .check(name);
}

#[test]
fn uniform_points_keep_apart_and_leave_no_gap() {
    let large = Bounds::with_origin([-100.0, 7.0], [320.0, 300.0]).expect("a box");
    uniform("several blocks", 1.0, large, Edges::Open);
    let thin = Bounds::from_size([0.01, 25.0]).expect("a box");
    uniform("a thin domain", 1.0, thin, Edges::Open);
    let cube = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a box");
    uniform("space", 1.5, cube, Edges::Open);
    let long = Bounds::from_size([8.0, 90.0, 8.0]).expect("a box");
    uniform("a column", 1.0, long, Edges::Open);
}

#[test]
fn periodic_points_keep_apart_and_leave_no_gap() {
    let least = Bounds::from_size([2.0, 2.5]).expect("a box");
    uniform("the smallest tile", 1.0, least, Edges::Tiled);
    let cube = Bounds::from_size([14.0, 13.0, 12.0]).expect("a box");
    uniform("a tile in space", 1.0, cube, Edges::Tiled);
    let field = Arc::new(map("clusters.png", 4.0, 24.0));
    for rule in RULES {
        Case {
            field: field.clone(),
            domain: field.bounds(),
            rule,
            seed: 0,
            edges: Edges::Tiled,
        }
        .check(rule.name());
    }
}

#[test]
fn points_over_maps_keep_apart_and_leave_no_gap() {
    let maps = [
        ("meadow.png", 4.0, 24.0),
        ("boots.jpg", 3.0, 24.0),
        ("checkerboard.png", 2.0, 64.0),
    ];
    for (name, lo, hi) in maps {
        let field = Arc::new(map(name, lo, hi));
        for rule in RULES {
            Case {
                field: field.clone(),
                domain: field.bounds(),
                rule,
                seed: 3,
                edges: Edges::Open,
            }
            .check(&format!("{name} {}", rule.name()));
        }
    }
}

/// A window equals the crop of the whole, bit for bit, when evaluated with an empty memo.
#[test]
fn windows_are_crops() {
    let field = Arc::new(map("meadow.png", 4.0, 24.0));
    let case = Case {
        field: field.clone(),
        domain: field.bounds(),
        rule: Rule::Max,
        seed: 3,
        edges: Edges::Open,
    };
    let (whole, _) = case.by_pulling(&case.domain);
    assert!(whole.len() > 1000, "{}", whole.len());
    for number in 0..40_u32 {
        let at = [number * 37 % 450, number * 91 % 430].map(f64::from);
        let window = Bounds::with_origin(at, [64.0, 48.0]).expect("a box");
        let inside = whole.iter().filter(|q| window.contains(q.p));
        let expected: Vec<Placed<2>> = inside.copied().collect();
        assert_eq!(case.by_pulling(&window).0, expected, "{window:?}");
        // Leaves around the window are forgotten half decided.
        assert_eq!(case.by_forgetting(&window).0, expected, "{window:?}");
    }
}

/// Calls never nest deeper than a small stack allows.
#[test]
fn a_small_stack_is_enough() {
    let thread = std::thread::Builder::new().stack_size(192 << 10);
    let run = thread.spawn(|| {
        let field = Arc::new(map("checkerboard.png", 2.0, 64.0));
        let case = Case {
            field: field.clone(),
            domain: field.bounds(),
            rule: Rule::Own,
            seed: 1,
            edges: Edges::Open,
        };
        let all = field.bounds();
        // Leaves outside of a small window are not finished.
        let part = Bounds::with_origin(all.center(), all.size().map(|s| 0.02 * s));
        case.by_pulling(&part.expect("a box"));
        case.by_pulling(&all).0.len()
    });
    let found = run.expect("a thread").join().expect("no overflow");
    assert!(found > 1000, "{found}");
}

/// A run that exceeds its memory limit returns an error.
#[test]
fn memory_is_bounded() {
    let case = Case {
        field: Arc::new(even(1.0)),
        domain: Bounds::from_size([300.0; 2]).expect("a box"),
        rule: Rule::Max,
        seed: 1,
        edges: Edges::Open,
    };
    let passes = case.passes();
    let view = PassView::new(&passes, 0, Some(case.domain), 1 << 20, None);
    let mut evaluator = Evaluator::new(1);
    let results = blocks(&[view], &case.domain).into_iter().map(|block| {
        let window = case.domain;
        evaluator.visit_block(&view, block, &window, &mut |_| ControlFlow::Continue(()))
    });
    let stopped: Vec<_> = results.filter_map(Result::err).collect();
    assert!(
        matches!(stopped[..], [Stop::OutOfMemory { bytes }, ..] if bytes > 1 << 20),
        "{stopped:?}"
    );
}
