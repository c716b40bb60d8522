//! A picture of the points over their map.

use crate::raster::Ink;
use crate::sink::Sink;
use crate::{ExportError, PointWriter, YAxis};
use density::{Bounds, RadiusField};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageError};
use sampler::Sample;
use std::io::{self, BufWriter, Write};

const OUTPUT: &str = "PNG preview";

/// The longest side that can be asked for: 16384 x 16384 pixels take 1.9 GB.
const SIDE_LIMIT: u32 = 16_384;
/// Small domains are enlarged to this many pixels.
const LEAST_SIDE: f64 = 512.0;
/// The picture is made large enough that the least `min_dist` is this many pixels.
const LEAST_DIST_PIXELS: f64 = 8.0;
/// A dot's radius as a share of its `min_dist`.
const DOT: f64 = 0.3;

type Rgb = [f32; 3];

const DENSE: Rgb = [139.0, 166.0, 134.0];
const SPARSE: Rgb = [243.0, 241.0, 230.0];
const EXCLUDED: Rgb = [168.0, 190.0, 209.0];
const EXCLUDED_STRIPE: Rgb = [178.0, 199.0, 217.0];
const DOT_COLOR: Rgb = [31.0, 42.0, 38.0];

/// How a preview looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewOptions {
    /// The greatest number of pixels on the long side, 1 to 16384; 2048 by default. The
    /// picture is smaller when its points need less.
    pub max_side: u32,
    /// Which way the world's y axis points.
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

/// A picture of points over their map: the map in soft greens, light where its value is high,
/// blue stripes where no point may lie, and a dark dot per point, of 0.3 `min_dist` in radius.
///
/// Dots smaller than a pixel become fainter instead, so that crowds still look darker. Takes
/// 7 bytes per pixel, whatever the number of points.
#[derive(Debug)]
pub struct Preview {
    frame: Frame,
    background: Vec<u8>,
    ink: Ink,
}

impl Preview {
    /// The picture of `field` over `domain`, without points as yet. Asks the field once or
    /// twice per pixel.
    ///
    /// # Errors
    /// When [`max_side`](PreviewOptions::max_side) is out of range.
    pub fn new(
        field: &dyn RadiusField<2>,
        domain: Bounds<2>,
        options: PreviewOptions,
    ) -> Result<Self, ExportError> {
        let frame = Frame::new(domain, field.range().lo(), options)?;
        Ok(Self {
            background: background(field, &frame),
            ink: Ink::new(frame.width, frame.height),
            frame,
        })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.frame.width as u32, self.frame.height as u32]
    }

    /// Draws one point. Takes time in proportion to the dot's pixels.
    pub fn dot(&mut self, sample: &Sample<2>) {
        let [x, y] = self.frame.to_pixels(sample.position);
        let radius = DOT * self.frame.length_in_pixels(sample.min_dist);
        self.ink.dot(x, y, radius);
    }

    /// Writes the picture as PNG. More points may follow, and another picture.
    ///
    /// # Errors
    /// When the output refuses bytes.
    pub fn write_png<W: Write>(&self, out: W) -> Result<(), ExportError> {
        self.encode(out).map_err(|source| ExportError::Io {
            output: OUTPUT,
            source,
        })
    }

    /// This preview as a writer, which writes the picture to `out` when it is finished.
    pub fn into_writer<W: Write>(self, out: W) -> PreviewWriter<W> {
        PreviewWriter {
            preview: self,
            sink: Sink::new(OUTPUT, out),
        }
    }

    fn encode<W: Write>(&self, out: W) -> io::Result<()> {
        let mut pixels = self.background.clone();
        for (pixel, &cover) in pixels.chunks_exact_mut(3).zip(self.ink.cover()) {
            for (channel, dark) in pixel.iter_mut().zip(DOT_COLOR) {
                let light = f32::from(*channel);
                *channel = (light + (dark - light) * cover).round() as u8;
            }
        }
        let mut out = BufWriter::new(out);
        let [width, height] = self.size();
        PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive)
            .write_image(&pixels, width, height, ExtendedColorType::Rgb8)
            .map_err(|error| match error {
                ImageError::IoError(inner) => inner,
                other => io::Error::other(other),
            })?;
        out.flush()
    }
}

/// A [`Preview`] that is written when it is finished.
#[derive(Debug)]
pub struct PreviewWriter<W> {
    preview: Preview,
    sink: Sink<W>,
}

impl<W: Write> PointWriter<2> for PreviewWriter<W> {
    fn write(&mut self, sample: &Sample<2>) -> Result<(), ExportError> {
        self.sink.run(|_| {
            self.preview.dot(sample);
            Ok(())
        })
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(|out| self.preview.encode(out))
    }
}

/// Where the world lies on the picture.
#[derive(Debug)]
struct Frame {
    domain: Bounds<2>,
    y_axis: YAxis,
    width: usize,
    height: usize,
}

impl Frame {
    fn new(
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
        // Everything is divided by the longest side first: neither a huge nor a tiny world
        // can then overflow.
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

    fn length_in_pixels(&self, length: f64) -> f64 {
        length / self.domain.longest_side() * self.width.max(self.height) as f64
    }

    fn to_pixels(&self, p: [f64; 2]) -> [f64; 2] {
        let (min, max) = (self.domain.min(), self.domain.max());
        let down = match self.y_axis {
            YAxis::Down => p[1] - min[1],
            YAxis::Up => max[1] - p[1],
        };
        [p[0] - min[0], down].map(|length| self.length_in_pixels(length))
    }

    /// The place in the middle of a pixel, inside the domain.
    fn place(&self, column: usize, row: usize) -> [f64; 2] {
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

fn background(field: &dyn RadiusField<2>, frame: &Frame) -> Vec<u8> {
    let masked = field.mask_detail().is_some();
    let mut pixels = Vec::with_capacity(3 * frame.width * frame.height);
    for row in 0..frame.height {
        for column in 0..frame.width {
            let p = frame.place(column, row);
            let color = if masked && field.min_dist(p).is_none() {
                let stripe = (column + row) / 4 % 2 == 0;
                if stripe { EXCLUDED_STRIPE } else { EXCLUDED }
            } else {
                let value = field.value(p).clamp(0.0, 1.0) as f32;
                std::array::from_fn(|c| DENSE[c] + (SPARSE[c] - DENSE[c]) * value)
            };
            pixels.extend(color.map(|channel: f32| channel.round() as u8));
        }
    }
    pixels
}
