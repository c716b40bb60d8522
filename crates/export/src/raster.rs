//! Antialiased dots in a picture of one channel.

/// Dots smaller than this many pixels in radius are drawn this large, but fainter.
const LEAST_RADIUS: f64 = 0.75;

/// The share of each pixel that is covered by dots, from 0 to 1.
///
/// Stored as floats: eight bits would lose the faint dots of dense pictures.
#[derive(Debug)]
pub(crate) struct Ink {
    width: usize,
    height: usize,
    cover: Vec<f32>,
}

impl Ink {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            cover: vec![0.0; width * height],
        }
    }

    pub(crate) fn cover(&self) -> &[f32] {
        &self.cover
    }

    /// Draws a dot of `radius` about `(x, y)`, all in pixels; pixel `(0, 0)` covers the unit
    /// square. Parts outside the picture are cut off. A dot with a number that is not finite is not
    /// drawn.
    pub(crate) fn dot(&mut self, x: f64, y: f64, radius: f64) {
        if !(x.is_finite() && y.is_finite() && radius.is_finite() && radius > 0.0) {
            return;
        }
        let (radius, strength) = visible(radius);
        let columns = pixels(x, radius, self.width);
        for row in pixels(y, radius, self.height) {
            let dy = row as f64 + 0.5 - y;
            let line = &mut self.cover[row * self.width..][columns.clone()];
            for (pixel, column) in line.iter_mut().zip(columns.clone()) {
                let dx = column as f64 + 0.5 - x;
                let edge = radius + 0.5 - (dx * dx + dy * dy).sqrt();
                let cover = (edge.clamp(0.0, 1.0) * strength) as f32;
                *pixel += (1.0 - *pixel) * cover;
            }
        }
    }
}

/// Returns the radius to draw and the strength of the ink.
///
/// A dot's radius is a fixed share of `min_dist`, so dots cover the same share of the picture at
/// any density. If dots below a pixel kept their area of ink, all densities would look alike. So
/// strength falls more slowly than area, and the ink in a place grows with the logarithm of the
/// density.
fn visible(radius: f64) -> (f64, f64) {
    let shrink = radius / LEAST_RADIUS;
    if shrink >= 1.0 {
        return (radius, 1.0);
    }
    (
        LEAST_RADIUS,
        (shrink * shrink * (1.0 - shrink.log2())).min(1.0),
    )
}

/// Returns the pixels that a dot may touch along one axis of `length` pixels.
fn pixels(center: f64, radius: f64, length: usize) -> std::ops::Range<usize> {
    let reach = radius + 0.5;
    let end = length as f64;
    let lo = (center - reach - 0.5).ceil().clamp(0.0, end);
    let hi = (center + reach + 0.5).floor().clamp(0.0, end);
    lo as usize..(hi as usize).max(lo as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(ink: &Ink) -> f64 {
        ink.cover().iter().map(|&c| f64::from(c)).sum()
    }

    #[test]
    fn a_dot_has_its_area_wherever_it_lies() {
        for (x, y) in [(20.0, 20.0), (20.5, 20.5), (20.25, 19.9)] {
            for radius in [1.0, 2.5, 7.0] {
                let mut ink = Ink::new(40, 40);
                ink.dot(x, y, radius);
                let area = std::f64::consts::PI * radius * radius;
                let error = (total(&ink) / area - 1.0).abs();
                assert!(error < 0.1, "{radius} at {x}, {y}: off by {error}");
            }
        }
    }

    #[test]
    fn a_dot_is_cut_at_the_border_and_never_panics() {
        let mut ink = Ink::new(3, 2);
        for wild in [-1e300, -1.0, 0.0, 1.0, 3.0, 1e300, f64::NAN, f64::INFINITY] {
            ink.dot(wild, 1.0, 0.5);
            ink.dot(1.0, wild, 0.5);
            ink.dot(1.0, 1.0, wild);
        }
        assert!(ink.cover().iter().all(|c| (0.0..=1.0).contains(c)));
        assert_eq!(ink.cover()[4], 1.0, "the huge dot covers all");
    }

    #[test]
    fn crowds_below_a_pixel_are_darker_and_do_not_saturate() {
        let mean_ink = |min_dist: f64| {
            let mut ink = Ink::new(32, 32);
            let per_axis = (32.0 / min_dist) as usize;
            for i in 0..per_axis * per_axis {
                let (column, row) = ((i % per_axis) as f64, (i / per_axis) as f64);
                ink.dot(column * min_dist, row * min_dist, 0.3 * min_dist);
            }
            total(&ink) / (32.0 * 32.0)
        };
        let [large, small, tiny] = [8.0, 1.0, 0.1].map(mean_ink);
        assert!(
            large + 0.1 < small && small + 0.1 < tiny,
            "{large} {small} {tiny}"
        );
        assert!(tiny < 0.95, "{tiny}");
    }
}
