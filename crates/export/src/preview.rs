//! Draws a picture of the points over their map.

use crate::colour;
use crate::frame::Frame;
use crate::raster::Ink;
use crate::sink::Sink;
use crate::{ExportError, PointWriter, PreviewOptions};
use density::{Bounds, RadiusField};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
use sampler::Sample;
use std::io::{self, BufWriter, Write};

const OUTPUT: &str = "PNG preview";

/// Radius of a dot, relative to its `min_dist`.
const DOT: f64 = 0.3;

type Rgb = [f32; 3];

const DENSE: Rgb = [139.0, 166.0, 134.0];
const SPARSE: Rgb = [243.0, 241.0, 230.0];
const EXCLUDED: Rgb = [168.0, 190.0, 209.0];
const EXCLUDED_STRIPE: Rgb = [178.0, 199.0, 217.0];
const DOT_COLOR: Rgb = [31.0, 42.0, 38.0];

/// A picture of points over their map. The map is in soft greens, lighter where its value is
/// higher, with blue stripes where no point may lie. Each point is a dark dot of 0.3 `min_dist` in
/// radius.
///
/// Dots smaller than a pixel become fainter instead, so that dense areas still look darker. Takes 7
/// bytes per pixel, and 3 more while it is written, for any number of points.
///
/// ```
/// # use spinney_export as export;
/// use density::{Bounds, Constant};
/// use export::{Preview, PreviewOptions};
/// use sampler::{Scatter, ScatterOptions};
///
/// let (field, domain) = (Constant::new(2.0)?, Bounds::from_size([20.0, 10.0])?);
/// let options = PreviewOptions { max_side: 256, ..PreviewOptions::default() };
/// let mut picture = Preview::new(&field, domain, options)?;
/// for tree in &Scatter::new(field, domain, ScatterOptions::default())?.points()?.samples {
///     picture.dot(tree);
/// }
/// let mut png = Vec::new();
/// picture.write_png(&mut png)?;
/// assert!(picture.size() == [256, 128] && png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Preview {
    frame: Frame,
    background: Vec<u8>,
    /// One per layer, with its colour. Points of other layers are drawn in the last.
    inks: Vec<(Ink, Rgb)>,
}

impl Preview {
    /// Creates the picture of `field` over `domain`, without points. Evaluates the field once or
    /// twice per pixel.
    ///
    /// # Errors
    /// If [`max_side`](PreviewOptions::max_side) is out of range.
    pub fn new(
        field: &dyn RadiusField<2>,
        domain: Bounds<2>,
        options: PreviewOptions,
    ) -> Result<Self, ExportError> {
        let frame = Frame::new(domain, field.range().lo(), options)?;
        Ok(Self {
            background: background(field, &frame),
            inks: vec![(Ink::new(frame.width, frame.height), DOT_COLOR)],
            frame,
        })
    }

    /// Returns the preview with a colour (red, green, blue) for each layer, by its number; `None`
    /// stands for a colour from a palette. Later layers are drawn over earlier ones. Takes 4 bytes
    /// per pixel and layer. If `colours` is empty, all dots stay dark.
    #[must_use]
    pub fn with_layers(mut self, colours: &[Option<[u8; 3]>]) -> Self {
        if !colours.is_empty() {
            let Frame { width, height, .. } = self.frame;
            let ink = |layer| {
                let colour = colour::of_layer(colours, layer).map(f32::from);
                (Ink::new(width, height), colour)
            };
            self.inks = (0..colours.len()).map(ink).collect();
        }
        self
    }

    /// Returns the width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.frame.width as u32, self.frame.height as u32]
    }

    /// Draws one point. Takes time proportional to the dot's pixels.
    pub fn dot(&mut self, sample: &Sample<2>) {
        let [x, y] = self.frame.to_pixels(sample.position);
        let radius = DOT * self.frame.length_in_pixels(sample.min_dist);
        let last = self.inks.len() - 1;
        let layer = sample.layer.map_or(0, |layer| layer as usize);
        self.inks[layer.min(last)].0.dot(x, y, radius);
    }

    /// Writes the picture as PNG. Further points and pictures may follow.
    ///
    /// # Errors
    /// If the output fails.
    pub fn write_png<W: Write>(&self, out: W) -> Result<(), ExportError> {
        self.encode(out).map_err(|e| ExportError::io(OUTPUT, e))
    }

    /// Converts the preview to a writer that writes the picture to `out` when it is finished.
    pub fn into_writer<W: Write>(self, out: W) -> PreviewWriter<W> {
        PreviewWriter {
            preview: self,
            sink: Sink::new(OUTPUT, out),
        }
    }

    fn encode<W: Write>(&self, out: W) -> io::Result<()> {
        let mut pixels = self.background.clone();
        for (ink, color) in &self.inks {
            for (pixel, &cover) in pixels.chunks_exact_mut(3).zip(ink.cover()) {
                for (channel, dark) in pixel.iter_mut().zip(color) {
                    let light = f32::from(*channel);
                    *channel = (light + (dark - light) * cover).round() as u8;
                }
            }
        }
        write_rgb(&pixels, self.size(), BufWriter::new(out)).map_err(|error| match error {
            EncodingError::IoError(error) => error,
            other => io::Error::other(other),
        })
    }
}

/// Writes a PNG of these pixels, three bytes each.
fn write_rgb<W: Write>(
    pixels: &[u8],
    [width, height]: [u32; 2],
    out: W,
) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    // Set last, as `set_compression` chooses a filter. Dots on soft colours compress better
    // unfiltered: the file is a third smaller.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()
}

/// A [`Preview`] that is written when it is finished.
///
/// See [`PointWriter`].
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

fn background(field: &dyn RadiusField<2>, frame: &Frame) -> Vec<u8> {
    let masked = field.mask_detail(1.0).is_some();
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

#[cfg(test)]
mod tests {
    use super::*;
    use density::YAxis;
    use density::{Coverage, DistRange, GridField, LocalRange};

    fn square() -> Bounds<2> {
        Bounds::from_size([10.0, 10.0]).expect("a good box")
    }

    fn range() -> DistRange {
        DistRange::new(1.0, 3.0).expect("a good range")
    }

    fn at(position: [f64; 2]) -> Sample<2> {
        Sample {
            id: 0,
            position,
            min_dist: 1.0,
            value: 0.0,
            parent: None,
            rank: None,
            layer: None,
        }
    }

    /// Returns the picture, decoded, to test its pixels.
    fn decoded(preview: &Preview) -> image::RgbImage {
        let mut file = Vec::new();
        preview.write_png(&mut file).expect("a Vec takes all");
        image::load_from_memory(&file).expect("a PNG").to_rgb8()
    }

    fn preview(field: &dyn RadiusField<2>, y_axis: YAxis) -> Preview {
        let options = PreviewOptions {
            y_axis,
            ..PreviewOptions::default()
        };
        Preview::new(field, square(), options).expect("a preview")
    }

    #[test]
    fn dots_and_map_turn_together() {
        let field = GridField::new(
            range(),
            0.1,
            |p: [f64; 2]| if p[1] < 5.0 { 1.0 } else { 3.0 },
        )
        .expect("a good field");
        for y_axis in [YAxis::Down, YAxis::Up] {
            let mut file = Vec::new();
            let mut writer = preview(&field, y_axis).into_writer(&mut file);
            crate::write_all(&mut writer, [at([1.0, 1.0])]).expect("a Vec takes all");
            let picture = image::load_from_memory(&file).expect("a PNG").to_rgb8();
            // The dense half and its point are at small y.
            let (low, high) = match y_axis {
                YAxis::Down => (51, 460),
                YAxis::Up => (460, 51),
            };
            let pixel = |x, y| picture.get_pixel(x, y).0.map(f32::from);
            assert_eq!(pixel(51, low), DOT_COLOR, "{y_axis:?}");
            assert_eq!(pixel(300, low), DENSE, "{y_axis:?}");
            assert_eq!(pixel(51, high), SPARSE, "{y_axis:?}");
        }
    }

    #[test]
    fn excluded_places_are_blue() {
        let field = GridField::new(range(), 0.1, |p: [f64; 2]| (p[0] < 5.0).then_some(1.0))
            .expect("a good mask");
        let picture = decoded(&preview(&field, YAxis::Down));
        let colors = [EXCLUDED, EXCLUDED_STRIPE];
        assert!(colors.contains(&picture.get_pixel(400, 100).0.map(f32::from)));
        assert_eq!(picture.get_pixel(100, 100).0.map(f32::from), DENSE);
    }

    #[test]
    fn a_field_of_wild_values_is_drawn() {
        struct Wild;
        impl RadiusField<2> for Wild {
            fn min_dist(&self, _: [f64; 2]) -> Option<f64> {
                Some(1.0)
            }
            fn range(&self) -> DistRange {
                range()
            }
            fn range_in(&self, _: &Bounds<2>) -> Option<LocalRange> {
                Some(LocalRange {
                    range: range(),
                    coverage: Coverage::All,
                })
            }
            fn value(&self, p: [f64; 2]) -> f64 {
                if p[0] < 5.0 { f64::NAN } else { 1e300 }
            }
        }
        let picture = decoded(&preview(&Wild, YAxis::Down));
        assert_eq!(picture.get_pixel(500, 0).0.map(f32::from), SPARSE);
    }
}
