//! A curve through control points.

use super::ShapeError;

/// A smooth curve from [0, 1] to [0, 1] through control points, as in paint programs. It is level
/// beyond the first and the last point.
///
/// Between two points it never leaves the span between them, so it rises wherever the points rise.
/// It consists of cubic pieces with limited slopes (Steffen, "A Simple Method for Monotonic
/// Interpolation in One Dimension", 1990). Two points make a straight line.
///
/// ```
/// use spinney_density::shape::Curve;
///
/// let curve = Curve::new(&[[0.0, 1.0], [0.5, 0.2], [1.0, 0.0]])?;
/// assert_eq!([0.0, 0.5, 1.0].map(|x| curve.at(x)), [1.0, 0.2, 0.0]);
/// # Ok::<(), spinney_density::shape::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    knots: Vec<Knot>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    x: f64,
    y: f64,
    slope: f64,
}

impl Curve {
    /// Creates the curve through `points`, each `[x, y]`.
    ///
    /// # Errors
    /// Unless there are at least two points, all within [0, 1], each farther right than the one
    /// before.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, ShapeError> {
        let unit = 0.0..=1.0;
        let mut knots: Vec<Knot> = Vec::with_capacity(points.len());
        for (i, &[x, y]) in points.iter().enumerate() {
            let rises = knots.last().is_none_or(|last| x > last.x);
            let good = unit.contains(&x) && unit.contains(&y) && rises && points.len() > 1;
            if !good {
                return Err(ShapeError::Curve { index: i + 1, x, y });
            }
            knots.push(Knot { x, y, slope: 0.0 });
        }
        let Some(last) = knots.len().checked_sub(1) else {
            let (x, y) = (f64::NAN, f64::NAN);
            return Err(ShapeError::Curve { index: 1, x, y });
        };
        let width = |i: usize| knots[i + 1].x - knots[i].x;
        let secant = |i: usize| (knots[i + 1].y - knots[i].y) / width(i);
        let slopes: Vec<f64> = (0..=last)
            .map(|i| match i {
                _ if last == 1 => secant(0),
                0 => at_end(secant(0), secant(1), width(0), width(1)),
                i if i == last => at_end(secant(i - 1), secant(i - 2), width(i - 1), width(i - 2)),
                i => inside(secant(i - 1), secant(i), width(i - 1), width(i)),
            })
            .collect();
        for (knot, slope) in knots.iter_mut().zip(slopes) {
            knot.slope = slope;
        }
        Ok(Self { knots })
    }

    /// Returns the curve's height at `x`, in [0, 1].
    pub fn at(&self, x: f64) -> f64 {
        let after = self.knots.partition_point(|knot| knot.x <= x);
        let (Some(a), Some(b)) = (
            after.checked_sub(1).map(|i| self.knots[i]),
            self.knots.get(after),
        ) else {
            return self.knots[after.saturating_sub(1)].y;
        };
        let (width, t) = (b.x - a.x, x - a.x);
        let secant = (b.y - a.y) / width;
        let cubic = (a.slope + b.slope - 2.0 * secant) / (width * width);
        let square = (3.0 * secant - 2.0 * a.slope - b.slope) / width;
        let y = a.y + t * (a.slope + t * (square + t * cubic));
        y.clamp(a.y.min(b.y), a.y.max(b.y))
    }
}

/// Returns Steffen's slope between two pieces with secants `s`, `t` and widths `h`, `k`.
fn inside(s: f64, t: f64, h: f64, k: f64) -> f64 {
    if s * t <= 0.0 {
        return 0.0;
    }
    let parabola = ((s * k + t * h) / (h + k)).abs();
    let least = s.abs().min(t.abs()).min(0.5 * parabola);
    2.0 * least.copysign(s)
}

/// Returns Steffen's slope at an end: the piece there has secant `s` and width `h`, the next `t`
/// and `k`.
fn at_end(s: f64, t: f64, h: f64, k: f64) -> f64 {
    let share = h / (h + k);
    let parabola = s * (1.0 + share) - t * share;
    if parabola * s <= 0.0 {
        0.0
    } else if parabola.abs() > 2.0 * s.abs() {
        2.0 * s
    } else {
        parabola
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_no_curve() {
        let bad: [&[[f64; 2]]; 6] = [
            &[],
            &[[0.5, 0.5]],
            &[[0.0, 0.0], [0.0, 1.0]],
            &[[0.5, 0.0], [0.2, 1.0]],
            &[[0.0, 0.0], [1.1, 1.0]],
            &[[0.0, f64::NAN], [1.0, 1.0]],
        ];
        for points in bad {
            assert!(Curve::new(points).is_err(), "{points:?}");
        }
    }

    #[test]
    fn two_points_are_a_line() {
        let curve = Curve::new(&[[0.25, 1.0], [0.75, 0.0]]).expect("a good curve");
        assert_eq!(curve.at(0.0), 1.0);
        assert_eq!(curve.at(0.5), 0.5);
        assert_eq!(curve.at(1.0), 0.0);
    }

    proptest! {
        #[test]
        fn goes_through_its_points_and_stays_between_them(
            xs in prop::collection::btree_set(0u32..=1000, 2..9),
            ys in prop::collection::vec(0.0..=1.0, 9),
            at in 0.0..=1.0,
        ) {
            let points: Vec<[f64; 2]> = xs.iter().zip(&ys)
                .map(|(&x, &y)| [f64::from(x) / 1000.0, y]).collect();
            let curve = Curve::new(&points).expect("a good curve");
            for [x, y] in &points {
                prop_assert!((curve.at(*x) - y).abs() < 1e-12);
            }
            for pair in points.windows(2) {
                let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
                let steps = 50;
                let mut last = y0;
                for i in 0..=steps {
                    let x = x0 + f64::from(i) / f64::from(steps) * (x1 - x0);
                    let y = curve.at(x.min(x1));
                    prop_assert!((y0.min(y1)..=y0.max(y1)).contains(&y));
                    let rises = (y - last) * (y1 - y0);
                    prop_assert!(rises >= -1e-12, "it turns between two points");
                    last = y;
                }
            }
            prop_assert!((0.0..=1.0).contains(&curve.at(at)));
        }

        #[test]
        fn points_on_a_line_give_the_line(
            xs in prop::collection::btree_set(0u32..=1000, 2..9),
            at in 0.0..=1.0,
        ) {
            let points: Vec<[f64; 2]> = xs.iter()
                .map(|&x| f64::from(x) / 1000.0).map(|x| [x, 0.25 + 0.5 * x]).collect();
            let curve = Curve::new(&points).expect("a good curve");
            let inside = f64::clamp(at, points[0][0], points[points.len() - 1][0]);
            prop_assert!((curve.at(at) - (0.25 + 0.5 * inside)).abs() < 1e-12);
        }
    }
}
