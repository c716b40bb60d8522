//! Converts between the world and the pixels of a picture.

use crate::ExportError;
use density::{Bounds, YAxis};

/// The greatest side allowed: 16384 x 16384 pixels take about 3 GB.
const SIDE_LIMIT: u32 = 16_384;
/// Pictures of small domains have at least this many pixels on the long side.
const LEAST_SIDE: f64 = 512.0;
/// The picture is made large enough that the least `min_dist` is this many pixels.
const LEAST_DIST_PIXELS: f64 = 8.0;

/// The options of a preview.
///
/// See [`Preview`](crate::Preview).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewOptions {
    /// The greatest number of pixels on the long side, 1 to 16384; 2048 by default. The picture is
    /// smaller if fewer pixels are enough to show its points.
    pub max_side: u32,
    /// The direction of the world's y axis.
    pub y_axis: YAxis,
}

impl Default for PreviewOptions {
    fn default() -> Self {
        Self {
            max_side: 2048,
            y_axis: YAxis::Down,
        }
    }
}

/// The position and scale of the world in the picture.
#[derive(Debug)]
pub(crate) struct Frame {
    domain: Bounds<2>,
    y_axis: YAxis,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Frame {
    pub(crate) fn new(
        domain: Bounds<2>,
        least_dist: f64,
        options: PreviewOptions,
    ) -> Result<Self, ExportError> {
        let side = options.max_side;
        if !(1..=SIDE_LIMIT).contains(&side) {
            return Err(ExportError::PreviewSide {
                side,
                limit: SIDE_LIMIT,
            });
        }
        // Everything is divided by the longest side first, to avoid overflow for a huge or tiny
        // world.
        let longest = domain.longest_side();
        let wanted = (LEAST_DIST_PIXELS * (longest / least_dist)).ceil();
        let long = wanted.max(LEAST_SIDE).min(f64::from(side));
        let [width, height] = domain
            .size()
            .map(|s| ((s / longest * long).round() as usize).max(1));
        Ok(Self {
            domain,
            y_axis: options.y_axis,
            width,
            height,
        })
    }

    pub(crate) fn length_in_pixels(&self, length: f64) -> f64 {
        length / self.domain.longest_side() * self.width.max(self.height) as f64
    }

    pub(crate) fn to_pixels(&self, p: [f64; 2]) -> [f64; 2] {
        let (min, max) = (self.domain.min(), self.domain.max());
        let down = match self.y_axis {
            YAxis::Down => p[1] - min[1],
            YAxis::Up => max[1] - p[1],
        };
        [p[0] - min[0], down].map(|length| self.length_in_pixels(length))
    }

    /// Returns the place in the middle of a pixel, inside the domain.
    pub(crate) fn place(&self, column: usize, row: usize) -> [f64; 2] {
        let row = match self.y_axis {
            YAxis::Down => row,
            YAxis::Up => self.height - 1 - row,
        };
        let (min, size) = (self.domain.min(), self.domain.size());
        [
            min[0] + size[0] * ((column as f64 + 0.5) / self.width as f64),
            min[1] + size[1] * ((row as f64 + 0.5) / self.height as f64),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(size: [f64; 2], least_dist: f64, max_side: u32) -> Frame {
        let domain = Bounds::with_origin([-7.0, 3.0], size).expect("a good box");
        let options = PreviewOptions {
            max_side,
            ..PreviewOptions::default()
        };
        Frame::new(domain, least_dist, options).expect("a good size")
    }

    #[test]
    fn the_picture_fits_its_points_and_its_limits() {
        let side = |size, least_dist| {
            let f = frame(size, least_dist, 2048);
            (f.width, f.height)
        };
        assert_eq!(side([512.0, 384.0], 4.0), (1024, 768));
        assert_eq!(side([2.0, 1.0], 1.0), (512, 256), "enlarged");
        assert_eq!(side([300.0, 600.0], 1e-9), (1024, 2048), "limited");
        assert_eq!(side([1e9, 1.0], 1.0), (2048, 1), "never without a pixel");
        assert_eq!(side([1e300, 1e300], 1e-300), (2048, 2048));
        assert_eq!(side([1.0, 1.0], 1e300), (512, 512));
        let tiny = frame([1.0, 0.5], 1.0, 1);
        assert_eq!((tiny.width, tiny.height), (1, 1));
    }

    #[test]
    fn refuses_sides_out_of_range() {
        let domain = Bounds::from_size([1.0, 1.0]).expect("a good box");
        for max_side in [0, SIDE_LIMIT + 1, u32::MAX] {
            let options = PreviewOptions {
                max_side,
                ..PreviewOptions::default()
            };
            assert!(matches!(
                Frame::new(domain, 1.0, options),
                Err(ExportError::PreviewSide { side, limit: SIDE_LIMIT }) if side == max_side
            ));
        }
    }
}
