//! How steep Perlin noise can be, and how much its bend can change.

/// Bounds of the length of the gradient of one noise of the `noise` crate, per lattice cell,
/// in 2D and 3D.
///
/// Within a lattice cell the noise is `n(x) = S * sum_c w_c(x) (g_c . d_c)` over the cell's
/// corners c, cut to [-1, 1], which makes nothing steeper. `d_c = x - c`; the weight `w_c` is
/// the product over the axes of `q(t)` or `1 - q(t)`, t in [0, 1] being the place within the
/// cell along the axis and `q(t) = 6t^5 - 15t^4 + 10t^3`. In 2D `S = sqrt(2)` and the
/// gradients `g_c` are (+-1, +-1); in 3D `S = 2/sqrt(3)` and they have two entries +-1 and
/// one 0. The derivative along a unit vector v is
///
/// `S * sum_c g_c . m_c`, with `m_c = w_c v + (grad w_c . v) d_c`,
///
/// and `g_c . m_c` is at most the sum of the two largest entries of `|m_c|`, whatever the
/// table says. So `S * F(x, v)`, F being the sum over c of the sum of the two largest entries
/// of `|m_c|`, bounds the slope, and its maximum over cell and directions is the sharpest
/// bound that holds for every table. It is 3.889 = `sqrt(2) * 11/4` in 2D, at the middle of
/// the cell along an axis, and 4.330 = `2/sqrt(3) * 15/4` in 3D. The test below proves by interval
/// arithmetic that it nowhere exceeds the constants here.
///
/// That `q` has slope 0 at 0 and 1 makes the gradient continuous from cell to cell, so the
/// bound holds along any way through the lattice.
pub(super) const STEEPEST: [f64; 2] = [4.0, 5.0];

/// Bounds of the third derivative of the same noise along any direction, per lattice cell cubed, in 2D
/// and 3D, before it is cut to [-1, 1].
///
/// As above with the third derivatives in place of the first: along v they are
/// `S * sum_c g_c . m_c` with `m_c = (w_c along v)''' d_c + 3 (w_c along v)'' v`. The maximum is
/// 169.7 = `sqrt(2) * 120` in 2D, along an axis where a cell begins, and 174.0 in 3D.
///
/// `q` bends nowhere at 0 and 1, so that the second derivatives are continuous from cell to cell. What
/// the second degree leaves, `|v|^3 / 6` times this at most, is left so across cells as well.
pub(super) const THIRD: [f64; 2] = [180.0, 190.0];

#[cfg(test)]
mod tests {
    use super::{STEEPEST, THIRD};
    use crate::perlin::jet::SCALE;
    use std::array::from_fn;

    /// All numbers from the first to the second. Roundings, 1e-13, are far below the margins.
    type Interval = [f64; 2];

    /// The first terms of a series in the way along a direction.
    type Series = [Interval; 4];

    fn sum(a: Interval, b: Interval) -> Interval {
        [a[0] + b[0], a[1] + b[1]]
    }

    fn product(a: Interval, b: Interval) -> Interval {
        let ends = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]];
        [
            ends.into_iter().fold(f64::INFINITY, f64::min),
            ends.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ]
    }

    fn times(a: &Series, b: &Series, order: usize) -> Series {
        let mut out = [[0.0; 2]; 4];
        for i in 0..=order {
            for j in 0..=order - i {
                out[i + j] = sum(out[i + j], product(a[i], b[j]));
            }
        }
        out
    }

    /// The weight of the lower or upper corner along an axis about t in [0, 1/2], and its derivatives
    /// over `k!`.
    fn weight(t: Interval, upper: bool) -> Series {
        let rising = |f: fn(f64) -> f64| [f(t[0]), f(t[1])];
        let q = rising(|t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0));
        let slope = rising(|t| 30.0 * t * t * (1.0 - t) * (1.0 - t));
        // Half the second derivative rises, then falls.
        let bend = |t: f64| 30.0 * t * (1.0 - t) * (1.0 - 2.0 * t);
        let ends = t.map(bend);
        let top = 0.5 - 1.0 / 12.0_f64.sqrt();
        let highest = bend(top.clamp(t[0], t[1]));
        let bend = [ends[0].min(ends[1]), highest];
        // A sixth of the third falls.
        let third = |t: f64| 10.0 + 60.0 * t * (t - 1.0);
        let third = [third(t[1]), third(t[0])];
        let all = [q, slope, bend, third];
        if upper {
            all
        } else {
            let mut lower = all.map(|[lo, hi]| [-hi, -lo]);
            lower[0] = sum(lower[0], [1.0; 2]);
            lower
        }
    }

    /// An upper bound of the derivative of this order over a box of places and of directions; these
    /// need not be of unit length.
    fn derivative_over<const D: usize>(
        x: [Interval; D],
        v: [Interval; D],
        order: usize,
        scale: f64,
    ) -> f64 {
        let mut total = 0.0;
        for corner in 0..1 << D {
            let is_upper = |a: usize| corner >> a & 1 == 1;
            let mut all: Series = [[1.0; 2], [0.0; 2], [0.0; 2], [0.0; 2]];
            for a in 0..D {
                let mut along = weight(x[a], is_upper(a));
                let mut step = v[a];
                for term in &mut along[1..=order] {
                    *term = product(*term, step);
                    step = product(step, v[a]);
                }
                all = times(&all, &along, order);
            }
            let mut entries: [f64; D] = from_fn(|a| {
                let c = if is_upper(a) { 1.0 } else { 0.0 };
                let d = [x[a][0] - c, x[a][1] - c];
                let m = sum(product(all[order - 1], v[a]), product(all[order], d));
                m[0].abs().max(m[1].abs())
            });
            entries.sort_by(|a, b| b.total_cmp(a));
            total += entries[0] + entries[1];
        }
        let shortest = v.iter().map(|[lo, hi]| {
            let least = if lo * hi <= 0.0 {
                0.0
            } else {
                lo.abs().min(hi.abs())
            };
            least * least
        });
        let length = shortest.sum::<f64>().sqrt();
        let factorial = [1.0, 1.0, 2.0, 6.0][order];
        scale * factorial * total / length.powi(order as i32)
    }

    /// Halves boxes until each is shown to lie below `bound`; `None` when one is too small to
    /// be worth going on. Otherwise the number of boxes.
    fn prove<const D: usize>(order: usize, scale: f64, bound: f64) -> Option<usize> {
        // Mirroring an axis or exchanging two changes nothing: half the cell and one face of
        // the cube of directions stand for all.
        let face = from_fn(|a| if a == 0 { [1.0, 1.0] } else { [-1.0, 1.0] });
        let mut stack = vec![([[0.0, 0.5]; D], face)];
        let mut count = 0;
        while let Some((x, v)) = stack.pop() {
            count += 1;
            if derivative_over(x, v, order, scale) <= bound {
                continue;
            }
            let width = |i: &Interval| i[1] - i[0];
            let widest = |list: &[Interval; D]| {
                let of = |a: usize| (width(&list[a]), a);
                (0..D)
                    .map(of)
                    .fold((0.0, 0), |m, n| if n.0 > m.0 { n } else { m })
            };
            let ((x_width, i), (v_width, j)) = (widest(&x), widest(&v));
            // A place matters several times as much as a direction.
            let halves_place = 4.0 * x_width > v_width;
            if x_width.max(v_width) < 1e-4 {
                return None;
            }
            for half in [0, 1] {
                let (mut x, mut v) = (x, v);
                let cut = if halves_place { &mut x[i] } else { &mut v[j] };
                cut[1 - half] = 0.5 * (cut[0] + cut[1]);
                stack.push((x, v));
            }
        }
        Some(count)
    }

    #[test]
    fn the_bounds_of_slopes_are_proven() {
        assert!(prove::<2>(1, SCALE[0], STEEPEST[0]).is_some());
        assert!(prove::<3>(1, SCALE[1], STEEPEST[1]).is_some());
        assert!(prove::<2>(1, SCALE[0], 3.88).is_none(), "too low");
    }

    #[test]
    fn the_bounds_of_third_derivatives_are_proven() {
        assert!(prove::<2>(3, SCALE[0], THIRD[0]).is_some());
        assert!(prove::<3>(3, SCALE[1], THIRD[1]).is_some());
        assert!(prove::<2>(3, SCALE[0], 169.0).is_none(), "too low");
    }
}
