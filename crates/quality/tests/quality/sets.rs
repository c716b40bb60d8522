//! Point sets made by simple methods, to be measured.

#![allow(dead_code)] // each test file uses some of it

use sampler::density::{Bounds, Constant};
use sampler::{Bridson, BridsonOptions};
use spinney_quality::{Columns, Domain, Edges, PointSet};

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

pub(crate) fn unit(edges: Edges) -> Domain<2> {
    Domain {
        bounds: Bounds::from_size([1.0, 1.0]).expect("a good box"),
        edges,
    }
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

/// Bridson's algorithm with the mistake in articles for Godot and `GameMaker`: cells of radius /
/// sqrt(2), of which only the eight neighbours are tested, where twenty-four are needed.
pub(crate) fn three_by_three_mistake(size: f64, radius: f64, seed: u64) -> Vec<[f64; 2]> {
    let mut random = Random(seed);
    let side = radius / 2.0_f64.sqrt();
    let cells = (size / side).ceil() as i64;
    let mut grid: Vec<Option<[f64; 2]>> = vec![None; (cells * cells) as usize];
    let cell = |p: [f64; 2]| [(p[0] / side) as i64, (p[1] / side) as i64];
    let at = |x: i64, y: i64| (y * cells + x) as usize;
    let first = [0.5 * size, 0.5 * size];
    let [x, y] = cell(first);
    grid[at(x, y)] = Some(first);
    let (mut points, mut active) = (vec![first], vec![first]);
    while !active.is_empty() {
        let chosen = (random.next() * active.len() as f64) as usize;
        let from = active[chosen];
        let found = (0..30).find_map(|_| {
            let (angle, far) = (random.next() * std::f64::consts::TAU, 1.0 + random.next());
            let p = [
                from[0] + radius * far * angle.cos(),
                from[1] + radius * far * angle.sin(),
            ];
            if p.iter().any(|x| *x < 0.0 || *x >= size) {
                return None;
            }
            let [x, y] = cell(p);
            let free = (0..9).all(|i| {
                let (x, y) = (x + i % 3 - 1, y + i / 3 - 1);
                let inside = x >= 0 && y >= 0 && x < cells && y < cells;
                !inside || grid[at(x, y)].is_none_or(|q| (p[0] - q[0]).hypot(p[1] - q[1]) >= radius)
            });
            free.then_some(p)
        });
        match found {
            Some(p) => {
                let [x, y] = cell(p);
                grid[at(x, y)] = Some(p);
                points.push(p);
                active.push(p);
            }
            None => {
                active.swap_remove(chosen);
            }
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

/// Returns a maximal set on a square with open edges, by dart throwing: candidates are drawn from
/// squares, which are quartered if they are not covered (White, Cline, Egbert, "Poisson disk point
/// sets by hierarchical dart throwing", 2007, level by level).
pub(crate) fn maximal(size: f64, radius: f64, seed: u64) -> Vec<[f64; 2]> {
    let mut random = Random(seed);
    let cells = (size / radius * 2.0_f64.sqrt()).ceil() as usize;
    let side = size / cells as f64;
    let mut grid: Vec<Option<[f64; 2]>> = vec![None; cells * cells];
    let mut points = Vec::new();
    let mut level: u32 = 0;
    // Column and row numbers of squares of side / 2^level.
    let mut open: Vec<[u64; 2]> = (0..(cells * cells) as u64)
        .map(|i| [i % cells as u64, i / cells as u64])
        .collect();
    let meets = |grid: &[Option<[f64; 2]>], x: usize, y: usize, near: &dyn Fn([f64; 2]) -> bool| {
        (y.saturating_sub(2)..(y + 3).min(cells)).any(|j| {
            let row = &grid[j * cells..][x.saturating_sub(2)..(x + 3).min(cells)];
            row.iter().flatten().any(|&q| near(q))
        })
    };
    while !open.is_empty() && level < 36 {
        let small = side / 2.0_f64.powi(level as i32);
        for _ in 0..open.len() {
            let square = open[(random.next() * open.len() as f64) as usize];
            let p = square.map(|k| (k as f64 + random.next()) * small);
            let [x, y] = square.map(|k| (k >> level) as usize);
            let near = |q: [f64; 2]| {
                let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
                dx * dx + dy * dy < radius * radius
            };
            if !meets(&grid, x, y, &near) {
                grid[y * cells + x] = Some(p);
                points.push(p);
            }
        }
        level += 1;
        let small = 0.5 * small;
        open = open
            .iter()
            .flat_map(|&[x, y]| (0..4).map(move |i| [2 * x + i % 2, 2 * y + i / 2]))
            .filter(|square| {
                let corner = square.map(|k| k as f64 * small);
                let covers = |q: [f64; 2]| {
                    let far = |a: usize| {
                        (q[a] - corner[a])
                            .abs()
                            .max((corner[a] + small - q[a]).abs())
                    };
                    far(0) * far(0) + far(1) * far(1) < radius * radius
                };
                let [x, y] = square.map(|k| (k >> level) as usize);
                !meets(&grid, x, y, &covers)
            })
            .collect();
    }
    points
}
