//! Encodes maps as PNG and TIFF.

use crate::GreyMap;
use crate::grey_map::WHITE;
use crate::shape::DistMap;
use std::io::{self, Seek, Write};
use tiff::TiffError;
use tiff::encoder::{TiffEncoder, colortype};
use tiff::tags::Tag;

impl GreyMap {
    /// Writes the map as a 16-bit grey PNG, with alpha 0 where no point may lie. [Decoding](GreyMap::decode) this file
    /// gives the same map.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write_png(&self, out: impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width(), self.height());
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.set_color(if self.has_mask() {
            png::ColorType::GrayscaleAlpha
        } else {
            png::ColorType::Grayscale
        });
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header()?;
        let mut stream = writer.stream_writer()?;
        let width = self.width() as usize;
        let mut bytes = Vec::with_capacity(4 * width);
        for (y, row) in self.greys().chunks_exact(width).enumerate() {
            bytes.clear();
            for (x, grey) in row.iter().enumerate() {
                bytes.extend(grey.to_be_bytes());
                if let Some(mask) = self.mask() {
                    let alpha = if mask[y * width + x] { u16::MAX } else { 0 };
                    bytes.extend(alpha.to_be_bytes());
                }
            }
            stream.write_all(&bytes)?;
        }
        stream.finish()?;
        writer.finish()?;
        Ok(())
    }

    /// Writes the greys as a TIFF of 32-bit floats from 0, black, to 1, white. Pixels where no point may lie are NaN,
    /// which a tag declares as "no data". Floats represent 16 bits exactly: read between the levels 0 and 1, the file
    /// gives the same map.
    ///
    /// # Errors
    /// When `out` fails, or the file would be larger than 4 GiB.
    pub fn write_tiff(&self, out: impl Write + Seek) -> io::Result<()> {
        let floats = self.greys().iter().enumerate().map(|(i, &grey)| {
            if self.is_open(i) {
                (f64::from(grey) / WHITE) as f32
            } else {
                f32::NAN
            }
        });
        write_floats([self.width(), self.height()], floats, out)
    }
}

impl DistMap {
    /// Writes the distances as a TIFF of 32-bit floats, in world units. Pixels where no point may lie are NaN, which a
    /// tag declares as "no data".
    ///
    /// # Errors
    /// When `out` fails, or the file would be larger than 4 GiB.
    pub fn write_tiff(&self, out: impl Write + Seek) -> io::Result<()> {
        let floats = self.distances().iter().map(|&r| r as f32);
        write_floats([self.width(), self.height()], floats, out)
    }
}

/// Writes `floats`, one per pixel; NaN is "no data".
fn write_floats(
    [width, height]: [u32; 2],
    mut floats: impl Iterator<Item = f32>,
    out: impl Write + Seek,
) -> io::Result<()> {
    let write = || -> Result<(), TiffError> {
        let mut encoder = TiffEncoder::new(out)?;
        let mut image = encoder.new_image::<colortype::Gray32Float>(width, height)?;
        image.encoder().write_tag(Tag::GdalNodata, "nan")?;
        while image.next_strip_sample_count() > 0 {
            let count = image.next_strip_sample_count() as usize;
            let strip: Vec<f32> = floats.by_ref().take(count).collect();
            image.write_strip(&strip)?;
        }
        image.finish()
    };
    write().map_err(|error| match error {
        TiffError::IoError(error) => error,
        other => io::Error::other(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Channel, DecodeLimits, LevelRange, Levels, Raster, ReadOptions};
    use crate::{DistRange, GreyMap, White};
    use std::io::Cursor;

    #[test]
    fn a_png_comes_back() {
        for every in [5, u32::MAX] {
            let map = crate::test_maps::random(37, 23, 9, every);
            let mut bytes = Vec::new();
            map.write_png(&mut bytes).expect("written");
            let back =
                GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default()).expect("a map");
            assert_eq!(back.greys().len(), map.greys().len());
            for i in 0..map.greys().len() {
                let (x, y) = ((i % 37) as u32, (i / 37) as u32);
                assert_eq!(back.allowed(x, y), map.allowed(x, y));
                assert!(back.grey(x, y) == map.grey(x, y) || !map.allowed(x, y));
            }
        }
    }

    #[test]
    fn greys_come_back_from_a_tiff() {
        for every in [5, u32::MAX] {
            let map = crate::test_maps::random(300, 700, 9, every);
            let mut bytes = Cursor::new(Vec::new());
            map.write_tiff(&mut bytes).expect("written");
            let raster =
                Raster::decode(&bytes.into_inner(), &ReadOptions::default()).expect("a raster");
            let unit = LevelRange::new(0.0, 1.0).expect("a good range");
            let back = raster.into_map(Levels::Between(unit)).expect("a map");
            assert_eq!(back.mask(), map.mask());
            let pairs = back.greys().iter().zip(map.greys()).enumerate();
            for (i, (back, grey)) in pairs {
                let open = map.mask().is_none_or(|mask| mask[i]);
                assert!(back == grey || !open, "{back} of {grey}");
            }
        }
    }

    #[test]
    fn a_tiff_holds_the_distances() {
        let map = crate::test_maps::random(600, 700, 3, 5);
        let range = DistRange::new(2.5, 80.0).expect("a good range");
        let distances = DistMap::new(&map, range, White::Dense, [1.0; 2]).expect("a good pixel");
        let mut bytes = Cursor::new(Vec::new());
        distances.write_tiff(&mut bytes).expect("written");
        let mut decoder =
            tiff::decoder::Decoder::new(Cursor::new(bytes.into_inner())).expect("a TIFF");
        assert_eq!(decoder.dimensions().expect("a size"), (600, 700));
        let tiff::decoder::DecodingResult::F32(back) = decoder.read_image().expect("pixels") else {
            panic!("not of floats");
        };
        assert_eq!(back.len(), distances.distances().len());
        for (a, b) in back.iter().zip(distances.distances()) {
            assert!(*a == *b as f32 || (a.is_nan() && b.is_nan()));
        }
    }
}
