//! Point sets made by simple methods, and what most tests ask of them.

use sampler::density::{Bounds, Constant};
use sampler::{Bridson, BridsonOptions};
use spinney_quality::measures::{Capacity, Gaps, PairCorrelation, gaps, pair_correlation};
use spinney_quality::{Claim, Columns, Domain, Edges, PointSet, Requirement, Rule};

/// A random number generator (Steele and Vigna, "Computationally easy, spectrally good
/// multipliers", 2021): the sets must not depend on the samplers' random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(0xd134_2543_de82_ef95)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn place(&mut self) -> [f64; 2] {
        [self.next(), self.next()]
    }
}

pub(crate) fn domain<const D: usize>(size: [f64; D], edges: Edges) -> Domain<D> {
    Domain {
        bounds: Bounds::from_size(size).expect("a good box"),
        edges,
    }
}

pub(crate) fn unit(edges: Edges) -> Domain<2> {
    domain([1.0; 2], edges)
}

pub(crate) fn open<const D: usize>(size: [f64; D]) -> Domain<D> {
    domain(size, Edges::Open)
}

pub(crate) fn set(positions: Vec<[f64; 2]>) -> PointSet<2> {
    PointSet::from_positions(positions).expect("good points")
}

pub(crate) fn with_distances(positions: Vec<[f64; 2]>, min_dist: Vec<f64>) -> PointSet<2> {
    PointSet::new(Columns {
        positions,
        min_dist: Some(min_dist),
        ..Columns::default()
    })
    .expect("good points")
}

pub(crate) fn white_noise(count: usize, seed: u64) -> Vec<[f64; 2]> {
    let mut random = Random(seed);
    (0..count).map(|_| random.place()).collect()
}

/// Returns `side` x `side` points on the unit square.
pub(crate) fn square_lattice(side: usize) -> Vec<[f64; 2]> {
    let at = |i: usize| (i as f64 + 0.5) / side as f64;
    (0..side * side)
        .map(|i| [at(i % side), at(i / side)])
        .collect()
}

/// Draws random points on the unit torus until `count` are accepted, at least `radius` apart.
pub(crate) fn darts(count: usize, radius: f64, seed: u64) -> Vec<[f64; 2]> {
    let mut random = Random(seed);
    let cells = (1.0 / radius).floor() as usize;
    let cell = |x: f64| ((x * cells as f64) as usize).min(cells - 1);
    let mut grid = vec![Vec::new(); cells * cells];
    let mut points = Vec::new();
    while points.len() < count {
        let p = random.place();
        let (column, row) = (cell(p[0]), cell(p[1]));
        let neighbours = (0..9).map(|i| {
            let x = (column + cells + i % 3 - 1) % cells;
            let y = (row + cells + i / 3 - 1) % cells;
            y * cells + x
        });
        let round = |a: f64, b: f64| {
            let d = (a - b).abs();
            d.min(1.0 - d)
        };
        let hit = |q: &[f64; 2]| {
            let (x, y) = (round(p[0], q[0]), round(p[1], q[1]));
            x * x + y * y < radius * radius
        };
        if !neighbours.into_iter().any(|c| grid[c].iter().any(hit)) {
            grid[row * cells + column].push(p);
            points.push(p);
        }
    }
    points
}

/// Returns the points of this library's Bridson sampler.
pub(crate) fn bridson(size: f64, radius: f64, seed: u64) -> Vec<[f64; 2]> {
    let field = Constant::new(radius).expect("a good radius");
    let options = BridsonOptions {
        seed,
        ..BridsonOptions::default()
    };
    let domain = Bounds::from_size([size, size]).expect("a good box");
    Bridson::new(&field, domain, options)
        .expect("a good run")
        .map(|sample| sample.position)
        .collect()
}

/// Returns the square of the distance of two points, on a torus that of the unit square.
pub(crate) fn square_distance(p: [f64; 2], q: [f64; 2], edges: Edges) -> f64 {
    let step = |axis: usize| {
        let step = (p[axis] - q[axis]).abs();
        match edges {
            Edges::Open | Edges::Window => step,
            Edges::Torus => step.min(1.0 - step),
        }
    };
    step(0) * step(0) + step(1) * step(1)
}

/// Returns the required distance of an earlier and a later point.
pub(crate) fn required(rule: Rule, earlier: f64, later: f64) -> f64 {
    match rule {
        Rule::Max => earlier.max(later),
        Rule::Mean => f64::midpoint(earlier, later),
        Rule::Min => earlier.min(later),
        Rule::Own => later,
        Rule::Prior => earlier,
        Rule::Parent => unreachable!("needs the parent's distance"),
    }
}

/// Returns the distances of a set, and the room that its domain has for it.
pub(crate) fn claimed<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    rule: Rule,
    claim: Claim<'_, D>,
) -> (Requirement, Capacity) {
    let requirement = Requirement::new(set, rule, claim).expect("distances");
    let capacity = Capacity::of(set, domain, &requirement, claim);
    (requirement, capacity)
}

/// Returns the pair correlation of a set in a domain with room for it.
pub(crate) fn pairs_of<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    rule: Rule,
    claim: Claim<'_, D>,
) -> PairCorrelation {
    let (requirement, capacity) = claimed(set, domain, rule, claim);
    let c = capacity.c(set.len()).expect("finite");
    pair_correlation(set, domain, &requirement, claim, c)
        .expect("a good domain")
        .expect("room")
}

pub(crate) fn gaps_of<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
    rule: Rule,
    claim: Claim<'_, D>,
) -> Gaps {
    let (requirement, capacity) = claimed(set, domain, rule, claim);
    gaps(set, domain, &requirement, claim, capacity.allowed)
        .expect("a good domain")
        .expect("a rule with gaps")
}
