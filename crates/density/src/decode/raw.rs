//! Reads levels without a header, as terrain tools exchange them.

use super::DecodeError;
use super::channel::Bands;
use super::levels::LevelType;
use super::raster::{Raster, ReadOptions};
use crate::MapError;
use crate::per_pixel::places;

/// The storage type of the levels in a raw file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RawType {
    /// 16-bit integers, the low byte first: `.r16`, `.raw`.
    U16,
    /// Single-precision floats, the low byte first: `.r32`, `.r32f`, `.f32`.
    F32,
}

impl RawType {
    /// Returns the storage type for a file extension; `None` if the extension is not that of a raw
    /// file.
    ///
    /// ```
    /// use spinney_density::decode::RawType;
    ///
    /// assert_eq!(RawType::from_extension("R16"), Some(RawType::U16));
    /// assert_eq!(RawType::from_extension("png"), None);
    /// ```
    pub fn from_extension(extension: &str) -> Option<Self> {
        match &*extension.to_ascii_lowercase() {
            "r16" | "raw" => Some(Self::U16),
            "r32" | "r32f" | "f32" => Some(Self::F32),
            _ => None,
        }
    }

    /// Returns the bytes per level.
    pub fn bytes(self) -> u8 {
        match self {
            Self::U16 => 2,
            Self::F32 => 4,
        }
    }
}

impl Raster {
    /// Reads levels without a header: rows from the top, each from the left.
    ///
    /// # Errors
    /// Unless there are exactly `width * height` levels, within the limits, and a grey image has
    /// the requested channel.
    pub fn from_raw(
        bytes: &[u8],
        raw_type: RawType,
        [width, height]: [u32; 2],
        options: &ReadOptions,
    ) -> Result<Self, DecodeError> {
        let level_type = match raw_type {
            RawType::U16 => LevelType::Unsigned(16),
            RawType::F32 => LevelType::Float(32),
        };
        Bands::of_colours(1).pick(&options.channel)?;
        if width == 0 || height == 0 {
            return Err(MapError::Empty { width, height }.into());
        }
        let memory = Raster::bytes([width, height], level_type);
        options.limits.check(width, height, memory)?;
        let pixels = u64::from(width) * u64::from(height);
        let expected = pixels * u64::from(raw_type.bytes());
        let found = bytes.len() as u64;
        if expected != found {
            return Err(DecodeError::RawSize {
                width,
                height,
                bits: 8 * raw_type.bytes(),
                expected,
                found,
            });
        }
        let mut raster = Raster::blank([width, height], level_type)?;
        let levels = bytes.chunks_exact(raw_type.bytes().into());
        for (b, (x, y)) in levels.zip(places([width, height])) {
            let level = match raw_type {
                RawType::U16 => f64::from(u16::from_le_bytes([b[0], b[1]])),
                RawType::F32 => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            };
            raster.put(x, y, level);
        }
        Ok(raster.without(options.no_data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Levels;

    #[test]
    fn every_level_of_16_bits_is_kept() {
        let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
        let options = ReadOptions::default();
        let raster =
            Raster::from_raw(&bytes, RawType::U16, [256, 256], &options).expect("a good file");
        assert_eq!(raster.level(2, 1), Some(258.0));
        let map = raster.into_map(Levels::Natural).expect("a good map");
        assert!(map.greys().iter().copied().eq(0..=u16::MAX));
    }

    #[test]
    fn floats_without_a_number_allow_no_points() {
        let levels = [-2.0f32, f32::NAN, 6.0, f32::INFINITY];
        let bytes = levels.map(f32::to_le_bytes).concat();
        let options = ReadOptions::default();
        let raster = Raster::from_raw(&bytes, RawType::F32, [4, 1], &options).expect("a good file");
        let ends = raster.ends(Levels::Natural).expect("two levels");
        assert_eq!(ends.map(|e| (e.lo(), e.hi())), Some((-2.0, 6.0)));
        let map = raster.into_map(Levels::Natural).expect("a good map");
        assert_eq!(map.greys(), [0, 0, 65535, 65535]);
        assert_eq!(map.mask(), Some(&[true, false, true, true][..]));
    }

    #[test]
    fn an_image_without_pixels_is_refused() {
        let error = Raster::from_raw(&[], RawType::F32, [0, 2], &ReadOptions::default());
        assert!(matches!(
            error,
            Err(DecodeError::Map(MapError::Empty { .. }))
        ));
    }
}
