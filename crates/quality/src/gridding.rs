//! Fourier sums over points at arbitrary positions, by a grid.
//!
//! The type-1 non-uniform FFT of Barnett, Magland and af Klinteberg, "A parallel nonuniform fast Fourier transform
//! library based on an 'exponential of semicircle' kernel" (2019): each point is spread over 8 x 8 cells of a grid of
//! twice the resolution, the grid is transformed, and the result is divided by the kernel's transform. The error is
//! below 1e-6 of the root of the number of points; a test compares with the plain sum.

use rustfft::algorithm::butterflies::{Butterfly3, Butterfly5};
use rustfft::algorithm::{MixedRadix, Radix4};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection};
use std::sync::Arc;

/// Number of cells over which a point is spread along each axis.
const WIDTH: usize = 8;

/// Grid cells per wanted frequency.
const OVERSAMPLING: usize = 2;

/// The kernel's shape for this width and oversampling.
const BETA: f64 = 2.3 * WIDTH as f64;

/// Returns the number of grid cells along one axis for frequencies up to `most`: a power of 2, or 3 or 5 times a power
/// of 2.
pub(crate) fn cells(most: usize) -> usize {
    let least = (OVERSAMPLING * (2 * most + 1)).max(2 * WIDTH);
    let rounded = [1, 3, 5].map(|factor| factor * least.div_ceil(factor).next_power_of_two());
    rounded.into_iter().fold(usize::MAX, usize::min)
}

/// Returns the transform of a number of [cells]. (`FftPlanner` would compile some thirty kernels for other numbers.)
fn fft(cells: usize) -> Arc<dyn Fft<f64>> {
    let factor = cells >> cells.trailing_zeros();
    let power = Arc::new(Radix4::new(cells / factor, FftDirection::Forward));
    match factor {
        3 => Arc::new(MixedRadix::new(
            power,
            Arc::new(Butterfly3::new(FftDirection::Forward)),
        )),
        5 => Arc::new(MixedRadix::new(
            power,
            Arc::new(Butterfly5::new(FftDirection::Forward)),
        )),
        _ => power,
    }
}

/// Returns `c(k) = sum over points of w exp(-2 pi i k . u)` for points `u` of the unit torus with weights `w`: row after
/// row of `k.1` in `-most[1]..=most[1]`, for `k.0` in `0..=most[0]`.
///
/// O(64 n + m log m) time and 12 bytes a cell for m grid cells: the grid and a quarter of its transform.
pub(crate) fn sums(
    points: impl Iterator<Item = ([f64; 2], f64)>,
    most: [usize; 2],
) -> Vec<Complex<f64>> {
    let [wide, high] = most.map(cells);
    let mut grid = vec![0.0_f64; wide * high];
    for (u, share) in points {
        let (columns, across) = spread(u[0], wide);
        let (rows, down) = spread(u[1], high);
        for (row, weight) in rows.into_iter().zip(down) {
            let weight = share * weight;
            let line = &mut grid[row * wide..][..wide];
            for (column, other) in columns.into_iter().zip(across) {
                line[column] += weight * other;
            }
        }
    }
    transform(&grid, [wide, high], most)
}

/// Returns the cells around `u` with the kernel's values there.
fn spread(u: f64, cells: usize) -> ([usize; WIDTH], [f64; WIDTH]) {
    let u = u - u.floor();
    let u = if u.is_finite() { u } else { 0.0 };
    let x = u * cells as f64;
    let first = (x - 0.5 * WIDTH as f64).ceil();
    let mut at = [0; WIDTH];
    let mut weights = [0.0; WIDTH];
    for i in 0..WIDTH {
        let cell = first + i as f64;
        at[i] = (cell as i64).rem_euclid(cells as i64) as usize;
        weights[i] = kernel((cell - x) / (0.5 * WIDTH as f64));
    }
    (at, weights)
}

fn kernel(z: f64) -> f64 {
    (BETA * ((1.0 - z * z).max(0.0).sqrt() - 1.0)).exp()
}

/// Returns the kernel's Fourier transform, by the midpoint rule.
fn kernel_transform(k: usize, cells: usize) -> f64 {
    const STEPS: usize = 400;
    let step = WIDTH as f64 / STEPS as f64;
    let wave = std::f64::consts::TAU * k as f64 / cells as f64;
    (0..STEPS)
        .map(|i| {
            let x = (i as f64 + 0.5) * step - 0.5 * WIDTH as f64;
            step * kernel(x / (0.5 * WIDTH as f64)) * (wave * x).cos()
        })
        .sum()
}

fn transform(grid: &[f64], [wide, high]: [usize; 2], most: [usize; 2]) -> Vec<Complex<f64>> {
    let along = fft(wide);
    let kept = most[0] + 1;
    // Stored by columns for the second transform. Frequencies not stored are above those wanted, or mirror images.
    let mut columns = vec![Complex::default(); kept * high];
    let mut line = vec![Complex::default(); wide];
    let mut scratch = vec![Complex::default(); along.get_inplace_scratch_len()];
    for (row, cells) in grid.chunks_exact(wide).enumerate() {
        for (value, &cell) in line.iter_mut().zip(cells) {
            *value = Complex::new(cell, 0.0);
        }
        along.process_with_scratch(&mut line, &mut scratch);
        for (column, value) in line[..kept].iter().enumerate() {
            columns[column * high + row] = *value;
        }
    }
    fft(high).process(&mut columns);
    let spread_x: Vec<f64> = (0..kept).map(|k| kernel_transform(k, wide)).collect();
    let spread_y: Vec<f64> = (0..=most[1]).map(|k| kernel_transform(k, high)).collect();
    let span = most[1] as i64;
    let mut values = Vec::with_capacity(kept * (2 * most[1] + 1));
    for (column, by_x) in columns.chunks_exact(high).zip(&spread_x) {
        for k in -span..=span {
            let row = k.rem_euclid(high as i64) as usize;
            let by_y = spread_y[k.unsigned_abs() as usize];
            values.push(column[row] / (by_x * by_y));
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_plain_sum() {
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut points: Vec<[f64; 2]> = (0..1996).map(|_| [random(), random()]).collect();
        points.extend([[0.0, 0.0], [1.0 - 1e-16, 0.5], [0.0, 0.999_999], [0.5, 0.0]]);
        // Grids of 3 * 64, 128 and 5 * 32 cells.
        for most in [[40, 25], [25, 32]] {
            let weight = |u: &[f64; 2]| 1.0 + 0.5 * u[0];
            let mut sums = sums(points.iter().map(|u| (*u, weight(u))), most).into_iter();
            let mut worst = 0.0_f64;
            for kx in 0..=most[0] as i64 {
                for ky in -(most[1] as i64)..=most[1] as i64 {
                    let plain: Complex<f64> = points
                        .iter()
                        .map(|u| {
                            let turn = kx as f64 * u[0] + ky as f64 * u[1];
                            Complex::from_polar(weight(u), -std::f64::consts::TAU * turn)
                        })
                        .sum();
                    let sum = sums.next().expect("one for each frequency");
                    worst = worst.max((sum - plain).norm());
                }
            }
            let error = worst / (points.len() as f64).sqrt();
            assert!(error < 1e-6, "{error:e}");
        }
    }
}
