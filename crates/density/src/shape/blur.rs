//! Smooths a map.

use super::ShapeError;
use crate::field_error::within;
use crate::filled::{copied, filled};
use crate::grey_map::WHITE;
use crate::per_pixel::per_pixel;
use crate::{GreyMap, MapError};

/// Number of passes of the box filter: three make nearly a Gaussian.
const PASSES: usize = 3;

/// Returns the map smoothed by (nearly) a Gaussian of standard deviation `sigma`, pixels.
///
/// The filter makes three passes of a box with soft ends, whose variances add up to sigma^2 exactly
/// (Gwosdek, Grewenig, Bruhn and Weickert, "Theoretical Foundations of Gaussian Convolution by
/// Extended Box Filtering", 2011). So it takes time proportional to the pixels, whatever the sigma.
/// Closed pixels and places outside the image have no weight: colours under transparency do not
/// bleed. Takes 8 bytes of memory per pixel.
///
/// ```
/// use spinney_density::GreyMap;
/// use spinney_density::shape::blur;
///
/// let dot = GreyMap::from_fn(9, 9, |x, y| if (x, y) == (4, 4) { 1.0 } else { 0.0 })?;
/// let soft = blur(&dot, 1.0)?;
/// assert!(soft.grey(4, 4) > soft.grey(5, 4) && soft.grey(5, 4) > 0);
/// # Ok::<(), spinney_density::shape::ShapeError>(())
/// ```
///
/// # Errors
/// Unless `sigma` lies between 0 and 1e6, or without enough memory.
pub fn blur(map: &GreyMap, sigma: f64) -> Result<GreyMap, ShapeError> {
    let sigma = within("the sigma of a blur", sigma, 0.0, 1e6)?;
    let (width, height) = (map.width() as usize, map.height() as usize);
    let out_of_memory = MapError::OutOfMemory {
        width: map.width(),
        height: map.height(),
    };
    // Pairs of a weighted grey and its weight.
    let mut sums: Vec<[f32; 2]> = per_pixel([0.0; 2], map.size())?;
    for (i, (sum, &grey)) in sums.iter_mut().zip(map.greys()).enumerate() {
        if map.is_open(i) {
            *sum = [f32::from(grey), 1.0];
        }
    }
    let soft = SoftBox::new(sigma);
    let longest = width.max(height);
    let longest = longest + 2 * soft.rim(longest);
    let mut line = filled([0.0; 2], longest).ok_or(out_of_memory)?;
    let mut ahead = filled([0.0; 2], longest + 1).ok_or(out_of_memory)?;
    for y in 0..height {
        let row = y * width..(y + 1) * width;
        soft.smooth(&mut sums, row, &mut line, &mut ahead);
    }
    for x in 0..width {
        let column = (x..width * height).step_by(width);
        soft.smooth(&mut sums, column, &mut line, &mut ahead);
    }
    let mut greys = copied(map.greys()).ok_or(out_of_memory)?;
    for (i, (grey, [sum, weight])) in greys.iter_mut().zip(sums).enumerate() {
        if map.is_open(i) && weight > 0.0 {
            let mean = f64::from(sum) / f64::from(weight);
            *grey = mean.clamp(0.0, WHITE).round() as u16;
        }
    }
    Ok(map.with_greys(greys))
}

/// A box of weight 1 over the `reach` pixels to either side and weight `end` over the next one.
struct SoftBox {
    reach: usize,
    end: f64,
}

impl SoftBox {
    fn new(sigma: f64) -> Self {
        // The variance of one pass.
        let variance = sigma * sigma / PASSES as f64;
        // A plain box of 2n + 1 pixels has the variance n (n + 1) / 3.
        let reach = (0.5 * ((1.0 + 12.0 * variance).sqrt() - 1.0)).max(0.0);
        let n = reach.floor();
        let size = 2.0 * n + 1.0;
        let next = n + 1.0;
        // From: (sum of squares + 2 end (n + 1)^2) / (size + 2 end) = variance.
        let lack = variance - n * next / 3.0;
        let end = size * lack / (2.0 * (next * next - variance));
        Self {
            reach: n as usize,
            end: end.clamp(0.0, 1.0),
        }
    }

    /// Returns the number of entries beyond each end of a row or column from which the last pass takes what the first
    /// one spread there. A box many times as long as a line makes it even: more entries change less than 0.1 % then.
    fn rim(&self, len: usize) -> usize {
        (self.reach + 1).min(8 * len)
    }

    /// Makes all passes over the `sums` at these places, which are a row or a column; `line` and `ahead` have room for
    /// it with its rims.
    fn smooth(
        &self,
        sums: &mut [[f32; 2]],
        places: impl ExactSizeIterator<Item = usize> + Clone,
        line: &mut [[f64; 2]],
        ahead: &mut [[f64; 2]],
    ) {
        let len = places.len();
        let rim = self.rim(len);
        let line = &mut line[..len + 2 * rim];
        line.fill([0.0; 2]);
        for (to, place) in line[rim..].iter_mut().zip(places.clone()) {
            *to = sums[place].map(f64::from);
        }
        for _ in 0..PASSES {
            self.run(line, ahead);
        }
        for (from, place) in line[rim..].iter().zip(places) {
            sums[place] = from.map(|v| v as f32);
        }
    }

    /// Replaces every entry with the weighted mean around it, where entries beyond the ends are 0.
    fn run(&self, line: &mut [[f64; 2]], ahead: &mut [[f64; 2]]) {
        let len = line.len();
        // ahead[i] is the sum of the first i entries.
        let mut sum = [0.0; 2];
        for (to, from) in ahead.iter_mut().zip(&*line) {
            *to = sum;
            sum = [sum[0] + from[0], sum[1] + from[1]];
        }
        ahead[len] = sum;
        let norm = 1.0 / ((2 * self.reach + 1) as f64 + 2.0 * self.end);
        let single = |i: usize| {
            let (from, to) = (ahead[i], ahead[i + 1]);
            [to[0] - from[0], to[1] - from[1]]
        };
        for (i, to) in line.iter_mut().enumerate() {
            let first = i.saturating_sub(self.reach);
            let last = (i + self.reach + 1).min(len);
            let mut sum = [0, 1].map(|k| ahead[last][k] - ahead[first][k]);
            let left = (i > self.reach).then(|| single(first - 1));
            let right = (last < len).then(|| single(last));
            for soft in [left, right].into_iter().flatten() {
                sum = [sum[0] + self.end * soft[0], sum[1] + self.end * soft[1]];
            }
            *to = sum.map(|s| s * norm);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_blur_changes_nothing() {
        let map = crate::test_maps::random(9, 7, 1, 5);
        assert_eq!(blur(&map, 0.0), Ok(map.clone()));
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(blur(&map, bad).is_err());
        }
    }

    #[test]
    fn a_dot_gets_the_variance_asked_for() {
        let dot = |x, y| f64::from(u8::from((x, y) == (40, 40)));
        let map = GreyMap::from_fn(81, 81, dot).expect("a good map");
        for sigma in [0.5, 1.0, 2.7, 6.0] {
            // The dot alone is too faint for 16 bits.
            let soft = SoftBox::new(sigma);
            let mut line = vec![[0.0; 2]; 81];
            line[40] = [1.0, 1.0];
            let mut ahead = vec![[0.0; 2]; 82];
            for _ in 0..PASSES {
                soft.run(&mut line, &mut ahead);
            }
            let away = |i: usize| (i as f64 - 40.0) * (i as f64 - 40.0);
            let sum: f64 = line.iter().map(|v| v[0]).sum();
            let variance: f64 = line.iter().enumerate().map(|(i, v)| away(i) * v[0]).sum();
            assert!((sum - 1.0).abs() < 1e-12);
            assert!(
                (variance - sigma * sigma).abs() < 1e-9,
                "{variance} for {sigma}"
            );
            let blurred = blur(&map, sigma).expect("a good sigma");
            let truth = (line[40][0] * line[40][0] * WHITE).round();
            assert!((f64::from(blurred.grey(40, 40)) - truth).abs() <= 1.0);
            assert_eq!(blurred.grey(41, 40), blurred.grey(40, 41));
        }
    }

    /// Regression: each pass lost what it spread beyond the image's edges, so that pixels near them weighed less there
    /// than in a Gaussian.
    #[test]
    fn the_edges_of_the_image_cut_no_pass_short() {
        let soft = |sigma: f64| {
            let size = 8 * sigma as usize + 9;
            let mut kernel = vec![[0.0; 2]; size];
            kernel[size / 2] = [1.0; 2];
            let mut ahead = vec![[0.0; 2]; size + 1];
            for _ in 0..PASSES {
                SoftBox::new(sigma).run(&mut kernel, &mut ahead);
            }
            kernel
        };
        for (len, sigma) in [(200, 20.0), (30, 1.5), (7, 6.0), (5, 20.0)] {
            let ramp = |x: u32| f64::from(x * x) / f64::from(len * len);
            let map = GreyMap::from_fn(len, 1, |x, _| ramp(x)).expect("a map");
            let blurred = blur(&map, sigma).expect("a good sigma");
            let kernel = soft(sigma);
            for x in 0..len {
                let mut sum = [0.0; 2];
                for from in 0..len {
                    let at = (kernel.len() / 2 + x as usize).checked_sub(from as usize);
                    let weight = at.and_then(|at| kernel.get(at)).map_or(0.0, |w| w[0]);
                    sum = [sum[0] + weight * ramp(from), sum[1] + weight];
                }
                let truth = WHITE * sum[0] / sum[1];
                let grey = f64::from(blurred.grey(x, 0));
                assert!((grey - truth).abs() < 2.0, "{grey} {truth} at {x} of {len}");
            }
        }
    }

    proptest! {
        #[test]
        fn stays_between_the_extremes_of_what_is_allowed(
            width in 1u32..12,
            height in 1u32..12,
            salt in any::<u32>(),
            sigma in 0.0..8.0,
        ) {
            let map = crate::test_maps::random(width, height, salt, 3);
            let blurred = blur(&map, sigma).expect("a good sigma");
            prop_assert_eq!(blurred.mask(), map.mask());
            let open: Vec<u16> = (0..map.greys().len())
                .filter(|&i| map.mask().is_none_or(|m| m[i])).map(|i| map.greys()[i]).collect();
            if let (Some(&lo), Some(&hi)) = (open.iter().min(), open.iter().max()) {
                for (i, &grey) in blurred.greys().iter().enumerate() {
                    let hidden = map.mask().is_some_and(|m| !m[i]);
                    prop_assert!(hidden || (lo <= grey && grey <= hi));
                }
            }
        }
    }
}
