//! Pull evaluation gives the engine's points, bit for bit.

use super::block::blocks;
use super::evaluator::{Evaluator, Finished, Stop};
use super::hash::mixed;
use super::lattice::Lattice;
use super::neighbourhood::Placed;
use super::space::Space;
use crate::rule::Rule;
use crate::scatter::{Scatter, ScatterOptions};
use density::{
    Bounds, Channel, Constant, DecodeLimits, DistRange, MapOptions, RadiusField, RadiusMap, decode,
};

const RULES: [Rule; 5] = [Rule::Max, Rule::Mean, Rule::Min, Rule::Own, Rule::Prior];

/// What lies beyond the edges of a domain.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Beyond {
    Nothing,
    Itself,
}

struct Case<'f, const D: usize> {
    field: &'f dyn RadiusField<D>,
    domain: Bounds<D>,
    rule: Rule,
    seed: u64,
    beyond: Beyond,
}

/// Points by their ids, and how much is unresolved.
type Found<const D: usize> = (Vec<Placed<D>>, u64);

impl<const D: usize> Case<'_, D> {
    fn by_engine(&self) -> Found<D> {
        let options = ScatterOptions {
            rule: self.rule,
            seed: self.seed,
            ..ScatterOptions::default()
        };
        let scatter = match self.beyond {
            Beyond::Nothing => Scatter::new(self.field, self.domain, options),
            Beyond::Itself => Scatter::tiled(self.field, self.domain, options),
        };
        let found = scatter.expect("a good run").points();
        let points = found.samples.iter().map(|sample| Placed {
            p: sample.position,
            r: sample.min_dist,
            id: sample.id,
        });
        (sorted(points.collect()), found.unresolved)
    }

    fn lattice(&self) -> Lattice<D> {
        let range = self.field.range();
        match self.beyond {
            Beyond::Nothing => Lattice::open(self.domain.min(), range),
            Beyond::Itself => Lattice::periodic(&self.domain, range),
        }
    }

    fn space<'s>(&'s self, lattice: &'s Lattice<D>) -> Space<'s, D> {
        Space {
            field: self.field,
            lattice,
            domain: Some(self.domain),
            rule: self.rule,
            seed: mixed(self.seed),
            max_bytes: u64::MAX,
        }
    }

    /// The points of a window, by one evaluator.
    fn by_pulling(&self, window: &Bounds<D>) -> Found<D> {
        let lattice = self.lattice();
        let space = self.space(&lattice);
        let mut evaluator = Evaluator::new();
        let (mut points, mut unresolved) = (Vec::new(), 0);
        let blocks = blocks(&space, window);
        for (number, block) in blocks.iter().enumerate() {
            let mut take = |leaf: &mut Finished<D>| {
                let inside = leaf.points.iter().filter(|q| window.contains(q.p));
                points.extend(inside);
                let inside = leaf.unresolved.iter().filter(|(p, _)| window.contains(*p));
                unresolved += inside.count() as u64;
            };
            evaluator
                .visit(&space, *block, window, &mut take)
                .expect("memory");
            let next = blocks.get(number + 1);
            let last = next.is_none_or(|next| next.page() != block.page());
            if last && self.domain == *window {
                evaluator.leave_page(&space, *block);
            }
        }
        (sorted(points), unresolved)
    }

    #[track_caller]
    fn check(&self, name: &str) {
        let (expected, unresolved) = self.by_engine();
        assert!(!expected.is_empty(), "{name}: no points");
        let (points, open) = self.by_pulling(&self.domain);
        let same = points.iter().zip(&expected).take_while(|(a, b)| a == b);
        assert_eq!(same.count(), expected.len(), "{name}: of {}", points.len());
        assert_eq!((points.len(), open), (expected.len(), unresolved), "{name}");
        self.check_spacing(name, &points);
    }

    /// All pairs of neighbours along the first axis, by no one's index.
    fn check_spacing(&self, name: &str, points: &[Placed<D>]) {
        let mut by_x = points.to_vec();
        by_x.sort_by(|a, b| a.p[0].total_cmp(&b.p[0]));
        let most = self.field.range().hi();
        for (number, a) in by_x.iter().enumerate() {
            let near = by_x[number + 1..].iter();
            for b in near.take_while(|b| b.p[0] - a.p[0] < most) {
                let [earlier, later] = if a.id < b.id { [a, b] } else { [b, a] };
                let keep = self.rule.distance(earlier.r, later.r);
                let apart = (0..D).map(|k| a.p[k] - b.p[k]);
                let square: f64 = apart.map(|d| d * d).sum();
                assert!(square >= keep * keep, "{name}: {a:?} {b:?}");
            }
        }
    }
}

fn sorted<const D: usize>(mut points: Vec<Placed<D>>) -> Vec<Placed<D>> {
    points.sort_by_key(|placed| placed.id);
    points
}

fn map(name: &str, lo: f64, hi: f64) -> RadiusMap {
    let path = format!("{}/../../maps/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("a map of the repository");
    let map = decode(&bytes, Channel::Luma, DecodeLimits::default()).expect("a picture");
    let range = DistRange::new(lo, hi).expect("a good range");
    RadiusMap::new(map, range, MapOptions::default()).expect("a good field")
}

fn even(r: f64) -> Constant {
    Constant::new(r).expect("a good field")
}

fn uniform<const D: usize>(name: &str, r: f64, domain: Bounds<D>, beyond: Beyond) {
    Case {
        field: &even(r),
        domain,
        rule: Rule::Max,
        seed: 6,
        beyond,
    }
    .check(name);
}

#[test]
fn uniform_points_are_those_of_the_engine() {
    let large = Bounds::with_origin([-100.0, 7.0], [320.0, 300.0]).expect("a box");
    uniform("several blocks", 1.0, large, Beyond::Nothing);
    let thin = Bounds::from_size([0.01, 25.0]).expect("a box");
    uniform("a thin domain", 1.0, thin, Beyond::Nothing);
    let cube = Bounds::with_origin([-7.0, 3.0, 0.0], [20.0; 3]).expect("a box");
    uniform("space", 1.5, cube, Beyond::Nothing);
    let long = Bounds::from_size([8.0, 90.0, 8.0]).expect("a box");
    uniform("a column", 1.0, long, Beyond::Nothing);
}

#[test]
fn periodic_points_are_those_of_the_engine() {
    let least = Bounds::from_size([2.0, 2.5]).expect("a box");
    uniform("the smallest tile", 1.0, least, Beyond::Itself);
    let cube = Bounds::from_size([14.0, 13.0, 12.0]).expect("a box");
    uniform("a tile in space", 1.0, cube, Beyond::Itself);
    let field = map("clusters.png", 4.0, 24.0);
    for rule in RULES {
        Case {
            field: &field,
            domain: field.bounds(),
            rule,
            seed: 0,
            beyond: Beyond::Itself,
        }
        .check(rule.name());
    }
}

#[test]
fn points_over_maps_are_those_of_the_engine() {
    let maps = [
        ("meadow.png", 4.0, 24.0),
        ("boots.jpg", 3.0, 24.0),
        ("checkerboard.png", 2.0, 64.0),
    ];
    for (name, lo, hi) in maps {
        let field = map(name, lo, hi);
        for rule in RULES {
            Case {
                field: &field,
                domain: field.bounds(),
                rule,
                seed: 3,
                beyond: Beyond::Nothing,
            }
            .check(&format!("{name} {}", rule.name()));
        }
    }
}

/// A window equals the crop of the whole, bit for bit, though nothing is known before.
#[test]
fn windows_are_crops() {
    let field = map("meadow.png", 4.0, 24.0);
    let case = Case {
        field: &field,
        domain: field.bounds(),
        rule: Rule::Max,
        seed: 3,
        beyond: Beyond::Nothing,
    };
    let (whole, _) = case.by_engine();
    for number in 0..40_u32 {
        let at = [number * 37 % 450, number * 91 % 430].map(f64::from);
        let window = Bounds::with_origin(at, [64.0, 48.0]).expect("a box");
        let inside = whole.iter().filter(|q| window.contains(q.p));
        let expected: Vec<Placed<2>> = inside.copied().collect();
        assert_eq!(case.by_pulling(&window).0, expected, "{window:?}");
    }
}

/// Calls do not nest deeper than a small stack allows.
#[test]
fn a_small_stack_is_enough() {
    let thread = std::thread::Builder::new().stack_size(192 << 10);
    let run = thread.spawn(|| {
        let field = map("checkerboard.png", 2.0, 64.0);
        let case = Case {
            field: &field,
            domain: field.bounds(),
            rule: Rule::Own,
            seed: 1,
            beyond: Beyond::Nothing,
        };
        case.by_pulling(&field.bounds()).0.len()
    });
    let found = run.expect("a thread").join().expect("no overflow");
    assert!(found > 1000, "{found}");
}

/// A run that may not take so much memory says so.
#[test]
fn memory_is_bounded() {
    let field = even(1.0);
    let case = Case {
        field: &field,
        domain: Bounds::from_size([300.0; 2]).expect("a box"),
        rule: Rule::Max,
        seed: 1,
        beyond: Beyond::Nothing,
    };
    let lattice = case.lattice();
    let space = Space {
        max_bytes: 1 << 20,
        ..case.space(&lattice)
    };
    let mut evaluator = Evaluator::new();
    let results = blocks(&space, &case.domain).into_iter().map(|block| {
        let window = case.domain;
        evaluator.visit(&space, block, &window, &mut |_| {})
    });
    let stopped: Vec<_> = results.filter_map(Result::err).collect();
    assert!(
        matches!(stopped[..], [Stop::OutOfMemory { bytes }, ..] if bytes > 1 << 20),
        "{stopped:?}"
    );
}
