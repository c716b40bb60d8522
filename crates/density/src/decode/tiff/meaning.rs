//! What the samples of a TIFF file mean.

use super::FORMAT;
use super::directory::Directory;
use crate::decode::DecodeError;
use crate::decode::channel::Bands;
use crate::decode::error::printable;
use crate::decode::levels::LevelType;
use ::tiff::TiffResult;
use ::tiff::decoder::Decoder;
use ::tiff::tags::Tag;
use std::io::{Read, Seek};

/// How levels come out of samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// The samples are the levels.
    Plain,
    /// 0 is white: the levels are what the samples lack to this.
    Inverted(f64),
    /// Luminance and two colour differences of 8 bits (Rec. 601, full range, as in JPEG).
    YCbCr,
    /// The sample is the number of a colour: all reds, then all greens, then all blues.
    Palette(Vec<u16>),
}

/// All there is to know before the pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kind {
    pub(super) meaning: Meaning,
    pub(super) bands: Bands,
    /// Of the levels.
    pub(super) level_type: LevelType,
    /// The greatest level, of whole numbers from 0.
    pub(super) full: f64,
    /// Bits of a stored sample.
    pub(super) bits: u8,
    pub(super) planar: bool,
    /// By tag 259.
    pub(super) compression: u16,
}

pub(super) const JPEG: u16 = 7;
pub(super) const WEBP: u16 = 50001;

pub(super) fn unsupported(reason: &str) -> DecodeError {
    DecodeError::Unsupported {
        format: FORMAT,
        reason: printable(reason),
    }
}

/// How images are compressed that cannot be read, by what the tag says.
pub(super) fn compression(method: u16) -> Option<&'static str> {
    Some(match method {
        2 => "CCITT RLE",
        3 => "CCITT group 3",
        6 => "old-style JPEG",
        32809 => "ThunderScan",
        33003 | 33004 | 33005 | 34712 => "JPEG 2000",
        34661 => "JBIG",
        34676 | 34677 => "SGI Log",
        34887 => "LERC",
        34925 => "LZMA",
        50002 | 52546 => "JPEG XL",
        _ => return None,
    })
}

/// Reads the tags of the decoder's image.
pub(super) fn kind<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    directory: &Directory,
) -> Result<Kind, DecodeError> {
    let mut numbers = |tag| -> TiffResult<Vec<u16>> {
        Ok(decoder.find_tag_unsigned_vec(tag)?.unwrap_or_default())
    };
    let mut first = |tag, default| -> Result<u16, DecodeError> {
        let list = numbers(tag).map_err(super::to_error)?;
        Ok(list.first().copied().unwrap_or(default))
    };
    let samples = first(Tag::SamplesPerPixel, 1)?;
    let bits = first(Tag::BitsPerSample, 1)?;
    let format = first(Tag::SampleFormat, 1)?;
    let compression = first(Tag::Compression, 1)?;
    let planar = samples > 1 && first(Tag::PlanarConfiguration, 1)? == 2;
    let subsampling = numbers(Tag::ChromaSubsampling).map_err(super::to_error)?;
    let extra = numbers(Tag::ExtraSamples).map_err(super::to_error)?;

    if matches!(format, 5 | 6) {
        return Err(unsupported(&format!("{samples}-channel complex")));
    }
    let level_type = match (format, bits) {
        (1, 1 | 2 | 4 | 8 | 16 | 32 | 64) => LevelType::Unsigned(bits as u8),
        (2, 8 | 16 | 32 | 64) => LevelType::Signed(bits as u8),
        (3, 16 | 32 | 64) => LevelType::Float(bits as u8),
        (1..=3, _) => {
            let kind = ["unsigned", "signed", "floating-point"][usize::from(format) - 1];
            return Err(unsupported(&format!("{bits}-bit {kind}")));
        }
        _ => return Err(unsupported(&format!("untyped (sample format {format})"))),
    };
    // A JPEG image has an order of its own. The decoder does not know the tag.
    if directory.fill_order == 2 && compression != JPEG {
        return Err(DecodeError::BitOrder { format: FORMAT });
    }
    let full = ((1u128 << bits) - 1) as f64;
    let mut kind = Kind {
        meaning: Meaning::Plain,
        bands: Bands {
            count: usize::from(samples),
            rgb: false,
            alpha: None,
            multiplied: 0,
        },
        level_type,
        full,
        bits: bits as u8,
        planar,
        compression,
    };
    let unsigned = matches!(level_type, LevelType::Unsigned(_));
    let colours = match directory.photometric {
        Some(0) if unsigned => {
            kind.meaning = Meaning::Inverted(full);
            1
        }
        Some(0) => return Err(unsupported(&format!("white-is-zero {level_type}"))),
        // A mask of its own is a black and white image.
        Some(1 | 4) => 1,
        Some(2) => {
            kind.bands.rgb = true;
            3
        }
        Some(3) if samples == 1 && matches!(level_type, LevelType::Unsigned(1..=16)) => {
            kind.meaning = Meaning::Palette(numbers(Tag::ColorMap).map_err(super::to_error)?);
            kind.bands.rgb = true;
            kind.bands.count = 3;
            (kind.level_type, kind.full) = (LevelType::Unsigned(16), 65535.0);
            1
        }
        Some(6) if samples >= 3 && level_type == LevelType::Unsigned(8) => {
            if compression != JPEG && subsampling != [1, 1] {
                return Err(unsupported("chroma-subsampled"));
            }
            kind.meaning = Meaning::YCbCr;
            kind.bands.rgb = true;
            3
        }
        Some(5) => return Err(unsupported("CMYK")),
        Some(8..=10) => return Err(unsupported("CIE L*a*b*")),
        Some(other) => {
            let what = format!("{samples}-channel, {level_type}, photometric {other}");
            return Err(unsupported(&what));
        }
        None => return Err(super::damaged("it does not say what black and white are")),
    };
    if let Meaning::Palette(colours) = &kind.meaning {
        if colours.len() != 3 << bits {
            return Err(super::damaged("its palette does not have its size"));
        }
    } else if usize::from(samples) < colours {
        return Err(super::damaged("it has fewer samples than colours"));
    }
    // Extra samples are the last ones: 1 is alpha that the colours are multiplied by, 2 is alpha.
    let alpha = extra.iter().position(|&sample| matches!(sample, 1 | 2));
    kind.bands.alpha = alpha
        .and_then(|nth| usize::from(samples).checked_sub(extra.len() - nth))
        .filter(|&at| at >= colours);
    if alpha.is_some_and(|nth| extra[nth] == 1) && kind.bands.alpha.is_some() {
        kind.bands.multiplied = colours;
    }
    Ok(kind)
}

impl Kind {
    /// Memory that the decoder takes for a chunk of so many pixels, bytes.
    pub(super) fn chunk_bytes(&self, pixels: u64) -> u64 {
        let samples = if self.planar { 1 } else { self.stored() as u64 };
        pixels
            .saturating_mul(samples)
            .saturating_mul(u64::from(self.bits.div_ceil(8)))
    }

    /// How opaque a level of alpha is: 1 is wholly.
    #[inline]
    pub(super) fn opacity(&self, alpha: f64) -> f64 {
        match self.level_type {
            LevelType::Unsigned(_) => alpha / self.full,
            LevelType::Signed(_) => alpha / (self.full / 2.0).floor(),
            LevelType::Float(_) => alpha,
        }
    }

    /// The greatest level that there can be.
    pub(super) fn most(&self) -> f64 {
        match self.level_type {
            LevelType::Float(_) => f64::INFINITY,
            LevelType::Signed(_) => (self.full / 2.0).floor(),
            LevelType::Unsigned(_) => self.full,
        }
    }

    /// Samples of a pixel as they are stored.
    pub(super) fn stored(&self) -> usize {
        match self.meaning {
            Meaning::Palette(_) => 1,
            _ => self.bands.count,
        }
    }

    /// The level of a band out of the stored samples.
    #[inline]
    pub(super) fn level(&self, band: usize, stored: impl Fn(usize) -> f64) -> f64 {
        match &self.meaning {
            Meaning::Inverted(full) if self.bands.alpha != Some(band) => full - stored(band),
            Meaning::Plain | Meaning::Inverted(_) => stored(band),
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

    /// The stored samples that the bands are made of.
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
