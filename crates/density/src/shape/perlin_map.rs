//! Makes maps of Perlin noise.

use super::ShapeError;
use crate::field_error::within;
use crate::perlin::Noise;
use crate::{GreyMap, PerlinOptions};

/// Options for a map of noise. The noise's frequencies are cycles per pixel. Its `white` and
/// `spacing` are not used: every pixel is computed.
///
/// See [`perlin_map`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PerlinMapOptions {
    /// The noise.
    pub noise: PerlinOptions,
    /// Distance by which two more noises of the same frequencies move places before the noise is
    /// evaluated there: straight blobs become bent ones. Pixels, 0 to 1e6.
    pub warp: f64,
    /// Threshold for a mask, in [0, 1]: lower values become black, others white.
    pub threshold: Option<f64>,
}

/// Returns a 16-bit map of [`Perlin`](crate::Perlin) noise. Equal options give the same map on
/// every machine.
///
/// ```
/// use spinney_density::PerlinOptions;
/// use spinney_density::shape::{PerlinMapOptions, perlin_map};
///
/// let noise = PerlinOptions { seed: 7, frequency: 0.1, ..PerlinOptions::default() };
/// let mask = PerlinMapOptions { noise, threshold: Some(0.5), ..PerlinMapOptions::default() };
/// let mask = perlin_map(64, 64, mask)?;
/// assert!(mask.greys().iter().all(|&grey| grey == 0 || grey == 65535));
/// # Ok::<(), spinney_density::shape::ShapeError>(())
/// ```
///
/// # Errors
/// When an option lies outside its limits, when there is no pixel, or without enough memory.
pub fn perlin_map(
    width: u32,
    height: u32,
    options: PerlinMapOptions,
) -> Result<GreyMap, ShapeError> {
    let PerlinMapOptions {
        noise,
        warp,
        threshold,
    } = options;
    let warp = within("the warp of a noise", warp, 0.0, 1e6)?;
    if let Some(threshold) = threshold {
        within("the threshold of a noise", threshold, 0.0, 1.0)?;
    }
    let seeded = |by: u64| {
        let seed = noise.seed.wrapping_add(by);
        Noise::new(PerlinOptions { seed, ..noise })
    };
    // Far from the seeds that people choose.
    let (main, right, down) = (seeded(0)?, seeded(1 << 40)?, seeded(1 << 41)?);
    Ok(GreyMap::from_fn(width, height, |x, y| {
        let mut place = [f64::from(x) + 0.5, f64::from(y) + 0.5];
        if warp > 0.0 {
            let shift = [&right, &down].map(|n| warp * (2.0 * n.grey(place) - 1.0));
            place = [place[0] + shift[0], place[1] + shift[1]];
        }
        let value = main.grey(place);
        match threshold {
            None => value,
            Some(least) if value >= least => 1.0,
            Some(_) => 0.0,
        }
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_noise_itself_without_a_warp() {
        let map = perlin_map(20, 10, PerlinMapOptions::default()).expect("good options");
        let noise = Noise::new(PerlinOptions::default()).expect("good options");
        for (x, y) in [(0, 0), (7, 3), (19, 9)] {
            let truth = noise.grey([f64::from(x) + 0.5, f64::from(y) + 0.5]);
            assert!((map.value(x, y) - truth).abs() <= 0.5 / 65535.0);
        }
    }

    #[test]
    fn a_threshold_leaves_two_greys_and_a_warp_moves_them() {
        let plain = PerlinMapOptions {
            threshold: Some(0.5),
            ..PerlinMapOptions::default()
        };
        let warped = PerlinMapOptions {
            warp: 30.0,
            ..plain
        };
        let [a, b] = [plain, warped].map(|o| perlin_map(200, 200, o).expect("good options"));
        for map in [&a, &b] {
            let white = map.greys().iter().filter(|&&g| g == u16::MAX).count();
            assert!(map.greys().iter().all(|&g| g == 0 || g == u16::MAX));
            assert!((8_000..32_000).contains(&white), "{white} of 40000");
        }
        assert_ne!(a, b);
    }

    #[test]
    fn refuses_what_is_out_of_range() {
        for (warp, threshold) in [(-1.0, None), (f64::NAN, None), (0.0, Some(1.5))] {
            let options = PerlinMapOptions {
                warp,
                threshold,
                ..PerlinMapOptions::default()
            };
            assert!(perlin_map(2, 2, options).is_err());
        }
    }
}
