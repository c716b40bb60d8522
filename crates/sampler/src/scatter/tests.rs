//! Tests of the evaluator alone: leaves may be forgotten at any time, and calls never nest deeper than a
//! small stack allows. Integration tests check the points.

use super::block::{blocks, page};
use super::evaluator::{Evaluator, Finished};
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
        Self::visit(&view, &blocks, window, Evaluator::new(1), usize::MAX)
    }

    /// Returns the points of a window, by an evaluator that puts off every decision that another one needs.
    fn by_putting_off(&self, window: &Bounds<D>) -> Found<D> {
        let passes = self.passes();
        let view = self.view(&passes);
        let blocks = blocks(&[view], window);
        let mut evaluator = Evaluator::new(1);
        evaluator.deepest = 1;
        Self::visit(&view, &blocks, window, evaluator, usize::MAX)
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
        Self::visit(&view, &blocks, window, Evaluator::new(1), 0)
    }

    fn visit(
        view: &PassView<'_, D>,
        blocks: &[Cell<D>],
        window: &Bounds<D>,
        mut evaluator: Evaluator<D>,
        most_open: usize,
    ) -> Found<D> {
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

    /// Checks that forgotten leaves have the same points when they are opened again, and that those of decisions that were
    /// put off are the same.
    #[track_caller]
    fn check(&self) {
        let found = self.by_pulling(&self.domain);
        assert!(!found.0.is_empty(), "no points");
        let again = self.by_forgetting(&self.domain);
        assert!(again == found, "{:?}: forgotten leaves", self.rule);
        let flat = self.by_putting_off(&self.domain);
        assert!(flat == found, "{:?}: decisions put off", self.rule);
    }
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

#[track_caller]
fn check_even<const D: usize>(size: [f64; D], edges: Edges) {
    Case {
        field: Arc::new(Constant::new(1.0).expect("a good field")),
        domain: Bounds::with_origin([-7.0; D], size).expect("a box"),
        rule: Rule::Max,
        seed: 6,
        edges,
    }
    .check();
}

#[test]
fn forgotten_leaves_of_one_distance_return_as_they_were() {
    check_even([100.0, 90.0], Edges::Open);
    // Two blocks.
    check_even([300.0, 20.0], Edges::Open);
    check_even([0.01, 25.0], Edges::Open);
    check_even([10.0; 3], Edges::Open);
    check_even([8.0, 40.0, 8.0], Edges::Open);
    check_even([2.0, 2.5], Edges::Tiled);
    check_even([14.0, 13.0, 12.0], Edges::Tiled);
}

#[test]
fn forgotten_leaves_of_maps_return_as_they_were() {
    for (name, lo, hi, edges) in [
        ("clusters.png", 4.0, 24.0, Edges::Tiled),
        ("meadow.png", 4.0, 24.0, Edges::Open),
        ("boots.jpg", 3.0, 24.0, Edges::Open),
        ("checkerboard.png", 2.0, 64.0, Edges::Open),
    ] {
        let field = Arc::new(map(name, lo, hi));
        for rule in Rule::OF_SCATTER {
            Case {
                field: field.clone(),
                domain: field.bounds(),
                rule,
                seed: 3,
                edges,
            }
            .check();
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

/// Calls nest no deeper than a small stack allows.
#[test]
fn a_small_stack_is_enough() {
    let thread = std::thread::Builder::new().stack_size(64 << 10);
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
