//! Interprets the samples of a TIFF file.

use super::codec::Codec;
use super::directory::{self, Directory, Order};
use super::predictor::Predictor;
use super::{FORMAT, damaged, unsupported};
use crate::decode::DecodeError;
use crate::decode::channel::Bands;
use crate::decode::levels::LevelType;
use exr::prelude::f16;

/// The photometric interpretation of palette indices.
const PALETTE: u64 = 3;

/// The photometric interpretation of luminance and colour differences.
const YCBCR: u64 = 6;

/// Maximum number of samples per pixel.
const MOST_SAMPLES: u64 = u16::MAX as u64;

/// Count of numbers in the largest palette, of 16 bits.
const MOST_COLOURS: u64 = 3 << 16;

/// The relation of levels to samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// The samples are the levels.
    Plain,
    /// 0 is white: a level is the greatest possible one minus the sample.
    Inverted,
    /// Luminance and two colour differences of 8 bits (Rec. 601, full range, as in JPEG).
    YCbCr,
    /// The sample is a palette index. The palette has all reds, then all greens, then all blues.
    Palette(Vec<u16>),
}

/// The interpretation and layout of samples, from the tags.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kind {
    pub(super) meaning: Meaning,
    pub(super) bands: Bands,
    /// Type of the levels.
    pub(super) level_type: LevelType,
    /// Type of the stored samples: palette colours have more bits than their indices.
    pub(super) stored_type: LevelType,
    pub(super) order: Order,
    pub(super) planar: bool,
    pub(super) codec: Codec,
    pub(super) predictor: Predictor,
}

/// Reads the tags of an image.
pub(super) fn kind(directory: &Directory<'_>) -> Result<Kind, DecodeError> {
    let first = |tag, default| -> Result<u64, DecodeError> {
        Ok(directory.number(tag)?.unwrap_or(default))
    };
    let samples = first(directory::SAMPLES, 1)?;
    let format = first(directory::SAMPLE_FORMAT, 1)?;
    let codec = Codec::of(first(directory::COMPRESSION, 1)?)?;
    let planar = samples > 1 && first(directory::PLANAR, 1)? == 2;
    let fill_order = first(directory::FILL_ORDER, 1)?;
    let predictor = first(directory::PREDICTOR, 1)?;
    let photometric = directory.number(directory::PHOTOMETRIC)?;
    let subsampling = directory.numbers(directory::SUBSAMPLING, 3)?;
    let extra = directory.numbers(directory::EXTRA_SAMPLES, MOST_SAMPLES)?;
    let colour_map = match photometric {
        Some(PALETTE) => directory.numbers(directory::COLOUR_MAP, MOST_COLOURS + 1)?,
        _ => Vec::new(),
    };
    // One number per sample, as in libtiff: further numbers do not count.
    let each = samples.clamp(1, MOST_SAMPLES);
    let bits = of_all_bands(&directory.numbers(directory::BITS, each)?)?;
    of_all_bands(&directory.numbers(directory::SAMPLE_FORMAT, each)?)?;

    if !(1..=MOST_SAMPLES).contains(&samples) {
        return Err(damaged(&format!("it has {samples} samples a pixel")));
    }
    if matches!(format, 5 | 6) {
        return Err(unsupported(&format!("{samples}-channel complex")));
    }
    let level_type = match (format, bits) {
        // Programs disagree on the byte order of 24 bits.
        (1, 1..=23 | 25..=32 | 64) => LevelType::Unsigned(bits as u8),
        (2, 8 | 16 | 32 | 64) => LevelType::Signed(bits as u8),
        (3, 16 | 32 | 64) => LevelType::Float(bits as u8),
        (1..=3, _) => {
            let kind = ["unsigned", "signed", "floating-point"][format as usize - 1];
            return Err(unsupported(&format!("{bits}-bit {kind}")));
        }
        _ => return Err(unsupported(&format!("untyped (sample format {format})"))),
    };
    let in_chunk = if planar { 1 } else { samples };
    if !codec.holds(in_chunk, level_type) {
        return Err(unsupported(&format!(
            "{samples}-channel, {level_type}, {}-compressed",
            codec.name()
        )));
    }
    // A JPEG image has its own bit order.
    if fill_order == 2 && codec != Codec::Jpeg {
        return Err(DecodeError::BitOrder { format: FORMAT });
    }
    let predictor = if codec.predicts() { predictor } else { 1 };
    let mut kind = Kind {
        meaning: Meaning::Plain,
        bands: Bands {
            count: samples as usize,
            ..Bands::of_colours(1)
        },
        level_type,
        stored_type: level_type,
        order: directory.order(),
        planar,
        codec,
        predictor: Predictor::of(predictor, level_type)?,
    };
    // Without the tag, libtiff's defaults: CCITT's 0 is white, and three greys are colours.
    let of_colours = samples.saturating_sub(extra.len() as u64);
    let photometric = photometric.unwrap_or(match (codec, of_colours) {
        (Codec::Fax4, _) => 0,
        (_, 3) if level_type.is_grey() => 2,
        _ => 1,
    });
    // A JPEG image has its own definition.
    if photometric == YCBCR && codec != Codec::Jpeg {
        check_ycbcr(directory)?;
    }
    let colours = kind.apply_photometric(photometric, &subsampling, &colour_map)?;
    if kind.bands.count < colours {
        return Err(damaged("it has fewer samples than colours"));
    }
    // Extra samples are the last ones. 1 is alpha that colours are multiplied by, 2 is other alpha.
    let alpha = extra.iter().position(|&sample| matches!(sample, 1 | 2));
    kind.bands.alpha = alpha
        .and_then(|nth| (samples as usize).checked_sub(extra.len() - nth))
        .filter(|&at| at >= colours);
    if alpha.is_some_and(|nth| extra[nth] == 1) && kind.bands.alpha.is_some() {
        kind.bands.multiplied = colours;
    }
    Ok(kind)
}

/// Rejects definitions of `YCbCr` other than that of [`Meaning::YCbCr`].
fn check_ycbcr(directory: &Directory<'_>) -> Result<(), DecodeError> {
    let full_range = [0.0, 255.0, 128.0, 255.0, 128.0, 255.0];
    for (tag, name, usual) in [
        (
            directory::YCBCR_COEFFICIENTS,
            "YCbCrCoefficients",
            &[0.299, 0.587, 0.114][..],
        ),
        (
            directory::REFERENCE_BLACK_WHITE,
            "ReferenceBlackWhite",
            &full_range,
        ),
    ] {
        let found = directory.doubles(tag, usual.len() as u64)?;
        let mut pairs = found.iter().zip(usual);
        let is_usual =
            found.len() == usual.len() && pairs.all(|(found, usual)| (found - usual).abs() < 1e-4);
        if directory.has(tag) && !is_usual {
            return Err(unsupported(&format!("unusual YCbCr ({name}, tag {tag})")));
        }
    }
    Ok(())
}

/// Returns the number that all bands share.
fn of_all_bands(numbers: &[u64]) -> Result<u64, DecodeError> {
    let first = numbers.first().copied().unwrap_or(1);
    if numbers.iter().any(|&number| number != first) {
        return Err(unsupported("differently typed bands in"));
    }
    Ok(first)
}

/// Converts the palette of an image with `bits` bits to 16 bits. If all numbers are below 256, they
/// have 8 bits, as in libtiff.
fn palette(colours: &[u64], bits: u8) -> Result<Vec<u16>, DecodeError> {
    if colours.len() != 3 << bits {
        return Err(damaged("its palette does not have its size"));
    }
    // Pillow multiplies by 256, which leaves white short of the greatest number.
    let eight_bits = if colours.iter().all(|&level| level < 256) {
        |level: u64| level * 257
    } else if colours.iter().all(|&level| level % 256 == 0) {
        |level: u64| (level >> 8) * 257
    } else {
        |level: u64| level
    };
    Ok(colours
        .iter()
        .map(|&level| eight_bits(level) as u16)
        .collect())
}

/// Returns the `nth` number of `bits` bits.
fn packed(row: &[u8], nth: usize, bits: usize) -> u64 {
    let (from, end) = (nth * bits, (nth + 1) * bits);
    let sum = Order::Big.number(&row[from / 8..end.div_ceil(8)]);
    sum >> (end.div_ceil(8) * 8 - end) & ((1 << bits) - 1)
}

impl Kind {
    /// Applies the photometric interpretation, tag 262. Returns the number of leading samples that
    /// are colours.
    fn apply_photometric(
        &mut self,
        photometric: u64,
        subsampling: &[u64],
        colour_map: &[u64],
    ) -> Result<usize, DecodeError> {
        let (samples, level_type) = (self.bands.count, self.level_type);
        let unsigned = matches!(level_type, LevelType::Unsigned(_));
        match photometric {
            0 if unsigned => {
                self.meaning = Meaning::Inverted;
                Ok(1)
            }
            0 => Err(unsupported(&format!("white-is-zero {level_type}"))),
            // A mask that is read as an image is black and white.
            1 | 4 => Ok(1),
            2 => {
                self.bands.rgb = true;
                Ok(3)
            }
            PALETTE if samples == 1 && matches!(level_type, LevelType::Unsigned(1..=16)) => {
                self.meaning = Meaning::Palette(palette(colour_map, level_type.bits())?);
                self.bands.rgb = true;
                self.bands.count = 3;
                self.level_type = LevelType::Unsigned(16);
                Ok(1)
            }
            YCBCR if samples >= 3 && level_type == LevelType::Unsigned(8) => {
                if self.codec != Codec::Jpeg && subsampling != [1, 1] {
                    return Err(unsupported("chroma-subsampled"));
                }
                self.meaning = Meaning::YCbCr;
                self.bands.rgb = true;
                Ok(3)
            }
            5 => Err(unsupported("CMYK")),
            8..=10 => Err(unsupported("CIE L*a*b*")),
            other => {
                let what = format!("{samples}-channel, {level_type}, photometric {other}");
                Err(unsupported(&what))
            }
        }
    }

    /// Converts the kind of an image with a palette: the levels become the palette indices.
    pub(super) fn into_indices(self) -> Self {
        Self {
            meaning: Meaning::Plain,
            bands: Bands {
                count: 1,
                alpha: None,
                ..Bands::indices()
            },
            level_type: self.stored_type,
            ..self
        }
    }

    /// Returns the bits per stored sample.
    pub(super) fn bits(&self) -> u8 {
        self.stored_type.bits()
    }

    /// Returns the `nth` sample of a row. Integers that do not fill bytes are packed bit after bit, the highest first.
    #[inline]
    pub(super) fn sample(&self, row: &[u8], nth: usize) -> f64 {
        match self.stored_type {
            LevelType::Unsigned(8) => f64::from(row[nth]),
            LevelType::Unsigned(16) => self.field::<2>(row, nth) as f64,
            LevelType::Unsigned(32) => self.field::<4>(row, nth) as f64,
            LevelType::Unsigned(64) => self.field::<8>(row, nth) as f64,
            LevelType::Unsigned(bits) => packed(row, nth, usize::from(bits)) as f64,
            LevelType::Signed(8) => f64::from(row[nth] as i8),
            LevelType::Signed(16) => f64::from(self.field::<2>(row, nth) as i16),
            LevelType::Signed(32) => f64::from(self.field::<4>(row, nth) as i32),
            LevelType::Signed(_) => self.field::<8>(row, nth) as i64 as f64,
            LevelType::Float(16) => f16::from_bits(self.field::<2>(row, nth) as u16).to_f64(),
            LevelType::Float(32) => f64::from(f32::from_bits(self.field::<4>(row, nth) as u32)),
            LevelType::Float(_) => f64::from_bits(self.field::<8>(row, nth)),
        }
    }

    /// Returns the `nth` sample of a row of 8-bit or 16-bit integers.
    #[inline]
    pub(super) fn whole(&self, row: &[u8], nth: usize) -> u16 {
        match self.stored_type {
            LevelType::Unsigned(8) => u16::from(row[nth]),
            _ => self.field::<2>(row, nth) as u16,
        }
    }

    #[inline]
    fn field<const N: usize>(&self, row: &[u8], nth: usize) -> u64 {
        let field = row[nth * N..].first_chunk::<N>();
        field.map_or(0, |field| self.order.number(field))
    }

    /// Returns the opacity of a level of alpha, 1 if opaque.
    #[inline]
    pub(super) fn opacity(&self, alpha: f64) -> f64 {
        match self.level_type {
            LevelType::Float(_) => alpha,
            integer => alpha / integer.greatest(),
        }
    }

    /// Returns the number of stored samples per pixel.
    pub(super) fn stored(&self) -> usize {
        match self.meaning {
            Meaning::Palette(_) => 1,
            _ => self.bands.count,
        }
    }

    /// Computes the level of a band from the stored samples.
    #[inline]
    pub(super) fn level(&self, band: usize, stored: impl Fn(usize) -> f64) -> f64 {
        match &self.meaning {
            Meaning::Inverted if self.bands.alpha != Some(band) => {
                self.level_type.greatest() - stored(band)
            }
            Meaning::Plain | Meaning::Inverted => stored(band),
            Meaning::Palette(colours) => {
                let index = stored(0) as usize + band * (colours.len() / 3);
                colours.get(index).map_or(0.0, |&level| f64::from(level))
            }
            Meaning::YCbCr => {
                let (y, cb, cr) = (stored(0), stored(1) - 128.0, stored(2) - 128.0);
                let level = match band {
                    0 => y + 1.402 * cr,
                    1 => y - 0.344_136 * cb - 0.714_136 * cr,
                    2 => y + 1.772 * cb,
                    other => return stored(other),
                };
                level.round().clamp(0.0, 255.0)
            }
        }
    }

    /// Returns the stored samples that the bands are computed from.
    pub(super) fn needed(&self, bands: Vec<usize>) -> Vec<usize> {
        match self.meaning {
            Meaning::Palette(_) => vec![0],
            Meaning::YCbCr => {
                let mut all = [vec![0, 1, 2], bands].concat();
                all.sort_unstable();
                all.dedup();
                all
            }
            _ => bands,
        }
    }
}
