//! Plain dart throwing: no lattice, no levels, and the order of arrival.

/// A small independent generator (Steele and Vigna, "Computationally easy, spectrally good
/// multipliers for congruential pseudorandom number generators", 2021). The darts must not depend
/// on the engine's random numbers.
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

/// Number of squares along a unit for which full coverage by one point is stored.
const FINE: f64 = 4.0;

/// Throws `throws` darts at a torus. A dart is accepted if its distance from all others is at least
/// 1.
pub(crate) fn darts(side: f64, throws: usize, seed: u64) -> Vec<[f64; 2]> {
    let mut random = Random(seed);
    let cells = side.floor() as usize;
    let fine = (side * FINE) as usize;
    let at = |x: f64, count: usize| ((x / side * count as f64) as usize).min(count - 1);
    let mut grid: Vec<Vec<[f64; 2]>> = vec![Vec::new(); cells * cells];
    // Most late darts land in a covered square and are rejected at once.
    let mut closed = vec![false; fine * fine];
    let mut points = Vec::new();
    for _ in 0..throws {
        let p = [random.next() * side, random.next() * side];
        if closed[at(p[1], fine) * fine + at(p[0], fine)] {
            continue;
        }
        let (column, row) = (at(p[0], cells), at(p[1], cells));
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
            close(&mut closed, fine, side / fine as f64, p);
        }
    }
    points
}

/// Marks the squares of side `step` whose corners are all nearer than 1 to `p`.
fn close(closed: &mut [bool], fine: usize, step: f64, p: [f64; 2]) {
    let reach = (1.0 / step) as i64;
    let first = p.map(|x| (x / step) as i64 - reach);
    for (i, j) in (0..=2 * reach).flat_map(|i| (0..=2 * reach).map(move |j| (i, j))) {
        let square = [first[0] + i, first[1] + j];
        let far = [0, 1].map(|a| {
            let low = square[a] as f64 * step - p[a];
            low.abs().max((low + step).abs())
        });
        // The margin allows for rounding.
        if far[0] * far[0] + far[1] * far[1] < 0.999 {
            let [x, y] = square.map(|s| s.rem_euclid(fine as i64) as usize);
            closed[y * fine + x] = true;
        }
    }
}
