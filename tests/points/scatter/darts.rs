//! Dart throwing as anyone would write it: no lattice, no levels, no order but that of arrival.

/// A small generator of its own (Steele and Vigna, "Computationally easy, spectrally good
/// multipliers for congruential pseudorandom number generators", 2021): the darts must not hang
/// on the engine's randomness.
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
}

/// Throws so many darts at a torus; those stick that lie 1 apart from all others.
pub(crate) fn darts(side: f64, throws: usize, seed: u64) -> Vec<[f64; 2]> {
    let mut random = Random(seed);
    let cells = side.floor() as usize;
    let cell = |x: f64| ((x / side * cells as f64) as usize).min(cells - 1);
    let mut grid: Vec<Vec<[f64; 2]>> = vec![Vec::new(); cells * cells];
    let mut points = Vec::new();
    for _ in 0..throws {
        let p = [random.next() * side, random.next() * side];
        let (column, row) = (cell(p[0]), cell(p[1]));
        let round = |a: f64, b: f64| {
            let d = (a - b).abs();
            d.min(side - d)
        };
        let mut near = (0..9).flat_map(|i| {
            let x = (column + cells + i % 3 - 1) % cells;
            let y = (row + cells + i / 3 - 1) % cells;
            &grid[y * cells + x]
        });
        let hit = near.any(|q| {
            let (x, y) = (round(p[0], q[0]), round(p[1], q[1]));
            x * x + y * y < 1.0
        });
        if !hit {
            grid[row * cells + column].push(p);
            points.push(p);
        }
    }
    points
}
