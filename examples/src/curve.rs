//! Smooth shapes, computed with the same result on every machine.

/// Returns 0 below `from`, 1 above `to`, and a smooth step between.
pub fn smoothstep(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A smooth curve through given places, as a fine polyline.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    line: Vec<[f64; 2]>,
}

impl Curve {
    /// Returns the Catmull-Rom spline from the first of `places` to the last.
    pub(crate) fn through(places: &[[f64; 2]]) -> Self {
        const STEPS: u32 = 24;
        let at = |i: usize| places[i.min(places.len() - 1)];
        let mut line = Vec::new();
        for i in 1..places.len() {
            let [a, b, c, d] = [i.saturating_sub(2), i - 1, i, i + 1].map(at);
            for step in 0..STEPS {
                let t = f64::from(step) / f64::from(STEPS);
                line.push([0, 1].map(|k| {
                    let bend = 2.0 * a[k] - 5.0 * b[k] + 4.0 * c[k] - d[k];
                    let twist = 3.0 * (b[k] - c[k]) + d[k] - a[k];
                    b[k] + 0.5 * t * (c[k] - a[k] + t * (bend + t * twist))
                }));
            }
        }
        line.extend(places.last());
        Self { line }
    }

    /// Returns the distance from `p` to the curve.
    pub(crate) fn distance(&self, p: [f64; 2]) -> f64 {
        let to_segment = |a: [f64; 2], b: [f64; 2]| {
            let along = [b[0] - a[0], b[1] - a[1]];
            let to = [p[0] - a[0], p[1] - a[1]];
            let length = along[0] * along[0] + along[1] * along[1];
            let t = (along[0] * to[0] + along[1] * to[1]) / length.max(f64::MIN_POSITIVE);
            let t = t.clamp(0.0, 1.0);
            let off = [to[0] - t * along[0], to[1] - t * along[1]];
            off[0] * off[0] + off[1] * off[1]
        };
        self.line
            .windows(2)
            .map(|ends| to_segment(ends[0], ends[1]))
            .fold(f64::INFINITY, f64::min)
            .sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_through_its_places() {
        let places = [[0.0, 0.0], [4.0, 1.0], [6.0, 5.0], [1.0, 7.0]];
        let curve = Curve::through(&places);
        for p in places {
            assert!(curve.distance(p) < 1e-9, "{p:?}");
        }
        assert!(curve.distance([-3.0, -4.0]) > 4.9);
    }
}
