//! Bridson's algorithm as written straight from the paper ("Fast Poisson Disk Sampling in Arbitrary
//! Dimensions", 2007): the baseline for the other figures. Deliberately plain, and not made slow:
//! no allocation in the loop, no hashing.
//!
//! The annulus is drawn uniformly by area (volume in 3D), as this project's sampler does, so
//! that both do the same work for the same density.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::f64::consts::{SQRT_2, TAU};

const TRIES: usize = 30;

/// Returns points at least `r` apart in the square of the given side.
pub(crate) fn bridson_2d(side: f64, r: f64, seed: u64) -> Vec<[f64; 2]> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let cell = r / SQRT_2;
    let cols = (side / cell).ceil() as usize;
    let mut grid: Vec<Option<usize>> = vec![None; cols * cols];
    let mut points: Vec<[f64; 2]> = Vec::new();
    let mut active: Vec<usize> = Vec::new();

    let cell_of = |p: [f64; 2]| ((p[0] / cell) as usize, (p[1] / cell) as usize);
    let fits = |p: [f64; 2], grid: &[Option<usize>], points: &[[f64; 2]]| {
        let (x, y) = cell_of(p);
        for j in y.saturating_sub(2)..(y + 3).min(cols) {
            for i in x.saturating_sub(2)..(x + 3).min(cols) {
                if let Some(index) = grid[j * cols + i] {
                    let q = points[index];
                    let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
                    if dx * dx + dy * dy < r * r {
                        return false;
                    }
                }
            }
        }
        true
    };

    let first = [rng.random::<f64>() * side, rng.random::<f64>() * side];
    let (x, y) = cell_of(first);
    grid[y * cols + x] = Some(0);
    points.push(first);
    active.push(0);

    while !active.is_empty() {
        let slot = rng.random_range(0..active.len());
        let parent = points[active[slot]];
        let mut found = false;
        for _ in 0..TRIES {
            let angle = TAU * rng.random::<f64>();
            let distance = r * (1.0 + 3.0 * rng.random::<f64>()).sqrt();
            let p = [
                parent[0] + distance * angle.cos(),
                parent[1] + distance * angle.sin(),
            ];
            let inside = p[0] >= 0.0 && p[0] < side && p[1] >= 0.0 && p[1] < side;
            if inside && fits(p, &grid, &points) {
                let (x, y) = cell_of(p);
                grid[y * cols + x] = Some(points.len());
                active.push(points.len());
                points.push(p);
                found = true;
                break;
            }
        }
        if !found {
            active.swap_remove(slot);
        }
    }
    points
}

/// Returns points at least `r` apart in the cube of the given side.
pub(crate) fn bridson_3d(side: f64, r: f64, seed: u64) -> Vec<[f64; 3]> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let cell = r / 3.0_f64.sqrt();
    let cols = (side / cell).ceil() as usize;
    let mut grid: Vec<Option<usize>> = vec![None; cols * cols * cols];
    let mut points: Vec<[f64; 3]> = Vec::new();
    let mut active: Vec<usize> = Vec::new();

    let cell_of = |p: [f64; 3]| p.map(|coordinate| (coordinate / cell) as usize);
    let index_of = |[x, y, z]: [usize; 3]| (z * cols + y) * cols + x;
    let fits = |p: [f64; 3], grid: &[Option<usize>], points: &[[f64; 3]]| {
        let [x, y, z] = cell_of(p);
        for k in z.saturating_sub(2)..(z + 3).min(cols) {
            for j in y.saturating_sub(2)..(y + 3).min(cols) {
                for i in x.saturating_sub(2)..(x + 3).min(cols) {
                    if let Some(index) = grid[index_of([i, j, k])] {
                        let q = points[index];
                        let (dx, dy, dz) = (p[0] - q[0], p[1] - q[1], p[2] - q[2]);
                        if dx * dx + dy * dy + dz * dz < r * r {
                            return false;
                        }
                    }
                }
            }
        }
        true
    };

    let first = [(); 3].map(|()| rng.random::<f64>() * side);
    grid[index_of(cell_of(first))] = Some(0);
    points.push(first);
    active.push(0);

    while !active.is_empty() {
        let slot = rng.random_range(0..active.len());
        let parent = points[active[slot]];
        let mut found = false;
        for _ in 0..TRIES {
            let angle = TAU * rng.random::<f64>();
            let up = 2.0 * rng.random::<f64>() - 1.0;
            let level = (1.0 - up * up).sqrt();
            let distance = r * (1.0 + 7.0 * rng.random::<f64>()).cbrt();
            let p = [
                parent[0] + distance * level * angle.cos(),
                parent[1] + distance * level * angle.sin(),
                parent[2] + distance * up,
            ];
            let inside = p
                .iter()
                .all(|&coordinate| coordinate >= 0.0 && coordinate < side);
            if inside && fits(p, &grid, &points) {
                grid[index_of(cell_of(p))] = Some(points.len());
                active.push(points.len());
                points.push(p);
                found = true;
                break;
            }
        }
        if !found {
            active.swap_remove(slot);
        }
    }
    points
}
