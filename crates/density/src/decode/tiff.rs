//! TIFF, by the `tiff` crate, strip by strip or tile by tile.

mod chunk;
mod directory;
mod gdal;
mod geo;
mod guard;
mod meaning;

use super::channel::Pick;
use super::error::printable;
use super::nodata::NoData;
use super::orientation::Orientation;
use super::raster::Raster;
use super::{DecodeError, DecodeLimits, ReadOptions};
use ::tiff::decoder::{Decoder, Limits};
use ::tiff::tags::Tag;
use ::tiff::{TiffError, TiffFormatError, TiffUnsupportedError};
use chunk::Chunk;
use directory::{Directory, Plain, directories};
pub(crate) use directory::{MOST_IMAGES, is_image};
use meaning::{Kind, Meaning};
use std::io::ErrorKind;

const FORMAT: &str = "TIFF";

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let limits = options.limits;
    let directories = directories(bytes);
    if directories
        .iter()
        .any(|directory| directory.claims_too_much)
    {
        return Err(DecodeError::Truncated { format: FORMAT });
    }
    let image = image(&directories)?;
    let directory = &directories[image];
    let [width, height] = size(directory, limits)?;
    let mut decoder = open(bytes, &directories, limits)?;
    decoder.seek_to_image(image).map_err(to_error)?;
    let kind = meaning::kind(&mut decoder, directory)?;
    let pick = kind.bands.pick(&options.channel)?;

    let chunk = guard::check(&mut decoder, bytes, &kind, [width, height])?;
    let no_data = no_data(&mut decoder)?;
    let scaling = match directory.metadata(bytes) {
        Some(metadata) => gdal::scaling(metadata, pick)?,
        None => None,
    };
    if scaling.is_some() && kind.meaning != Meaning::Plain {
        // The scale is of numbers that are not the levels.
        return Err(meaning::unsupported("palette, inverted or YCbCr scaled"));
    }
    let closing = kind.bands.closing(options.alpha);
    let dividing = closing.filter(|_| kind.bands.multiplies(pick));
    if dividing.is_some() && kind.meaning != Meaning::Plain && kind.meaning != Meaning::YCbCr {
        return Err(meaning::unsupported("inverted and premultiplied"));
    }
    let cell = geo::cell(&mut decoder);
    let orientation = decoder.find_tag_unsigned::<u8>(Tag::Orientation);
    let orientation = orientation.ok().flatten().and_then(Orientation::from_exif);

    let orientation = orientation.unwrap_or(Orientation::NoTransforms);
    let mut memory = Raster::bytes(kind.level_type, width, height).saturating_add(chunk);
    if orientation != Orientation::NoTransforms {
        memory = memory.saturating_add(Raster::bytes(kind.level_type, width, height));
    }
    limits.check(width, height, memory)?;

    let images = directories.iter().filter(|d| d.is_image()).count();
    let mut raster = Raster::blank([width, height], kind.level_type, kind.full)?.said(
        scaling,
        cell,
        images.saturating_sub(1),
    );
    let read = Read {
        kind: &kind,
        pick,
        closing,
        dividing,
        no_data,
    };
    read.fill(&mut decoder, &mut raster)?;
    if let Some(mask) = directories.iter().position(|d| d.is_mask_of(directory))
        && mask != image
    {
        decoder.seek_to_image(mask).map_err(to_error)?;
        self::mask(&mut decoder, bytes, &directories[mask], &mut raster)?;
    }
    raster.oriented(orientation)
}

/// Which directory is the image: the first that is not another one's copy or mask.
fn image(directories: &[Directory]) -> Result<usize, DecodeError> {
    let first = directories
        .first()
        .ok_or_else(|| damaged("it has no image"))?;
    match directories.iter().position(Directory::is_image) {
        Some(image) => Ok(image),
        // A mask by itself is an image.
        None if !first.is_reduced() => Ok(0),
        None => Err(DecodeError::Reduced { format: FORMAT }),
    }
}

fn no_data(decoder: &mut Decoder<Plain<'_>>) -> Result<Option<NoData>, DecodeError> {
    let text = decoder.find_tag(Tag::GdalNodata).map_err(to_error)?;
    let text = text.and_then(|value| value.into_string().ok());
    Ok(match text {
        Some(text) if !text.trim_matches(['\0', ' ']).is_empty() => Some(
            NoData::parse(&text)
                .ok_or_else(|| damaged(&format!("its \"no data\" level is {text:?}")))?,
        ),
        _ => None,
    })
}

/// Checked before the decoder multiplies it.
fn size(directory: &Directory, limits: DecodeLimits) -> Result<[u32; 2], DecodeError> {
    let [Ok(width), Ok(height)] = [directory.width, directory.height].map(u32::try_from) else {
        return Err(damaged("its size is beyond 32 bits"));
    };
    if width == 0 || height == 0 {
        return Err(damaged("its size is 0"));
    }
    limits.check(width, height, 0)?;
    if directory.samples.saturating_mul(u64::from(height)) > u64::from(u32::MAX / 2) {
        return Err(meaning::unsupported(&format!(
            "{}-channel",
            directory.samples
        )));
    }
    Ok([width, height])
}

fn open<'a>(
    bytes: &'a [u8],
    directories: &[Directory],
    limits: DecodeLimits,
) -> Result<Decoder<Plain<'a>>, DecodeError> {
    let plain = Plain::new(bytes, directories);
    let most = usize::try_from(limits.max_bytes).unwrap_or(usize::MAX);
    let mut allowance = Limits::default();
    allowance.decoding_buffer_size = most.max(bytes.len());
    allowance.intermediate_buffer_size = most;
    allowance.ifd_value_size = allowance.ifd_value_size.max(bytes.len());
    Ok(Decoder::new(plain)
        .map_err(to_error)?
        .with_limits(allowance))
}

/// How pixels come out of chunks.
struct Read<'a> {
    kind: &'a Kind,
    pick: Pick,
    /// The sample that closes a pixel where it is 0.
    closing: Option<usize>,
    /// The sample that the levels are stored multiplied by.
    dividing: Option<usize>,
    no_data: Option<NoData>,
}

impl Read<'_> {
    /// Reads all of the decoder's image.
    fn fill(
        &self,
        decoder: &mut Decoder<Plain<'_>>,
        raster: &mut Raster,
    ) -> Result<(), DecodeError> {
        let kind = self.kind;
        let size = [raster.width(), raster.height()];
        let (chunk_width, chunk_height) = decoder.chunk_dimensions();
        let chunk_height = chunk_height.min(size[1]);
        let across = size[0].div_ceil(chunk_width);
        let per_plane = across * size[1].div_ceil(chunk_height);
        let needed = kind.needed(self.pick.with(self.closing));
        // Where the samples that are needed come from: a chunk, and which of its samples.
        let mut places = vec![(0, 0); kind.stored()];
        for (nth, &stored) in needed.iter().enumerate() {
            places[stored] = if kind.planar { (nth, 0) } else { (0, stored) };
        }
        let planes = if kind.planar { &needed[..] } else { &[0] };
        let stored_bytes = guard::lengths(decoder)?;
        for index in 0..per_plane {
            let (left, top) = (index % across * chunk_width, index / across * chunk_height);
            let mut chunks = Vec::with_capacity(planes.len());
            for &plane in planes {
                let index = index + per_plane * plane as u32;
                if stored_bytes.get(index as usize) == Some(&0) {
                    break;
                }
                let (width, _) = decoder.chunk_data_dimensions(index % per_plane);
                let samples = decoder.read_chunk(index).map_err(to_error)?;
                let per_pixel = if kind.planar { 1 } else { kind.stored() };
                chunks.push(Chunk::new(samples, per_pixel, kind.bits, width));
            }
            // GDAL leaves out chunks that hold nothing: "no data", or 0 where there is none.
            let absent =
                (chunks.len() < planes.len()).then(|| self.no_data.map_or(0.0, NoData::level));
            for y in top..(top + chunk_height).min(size[1]) {
                for x in left..left.saturating_add(chunk_width).min(size[0]) {
                    let (column, row) = ((x - left) as usize, (y - top) as usize);
                    let stored = |stored: usize| {
                        let (chunk, nth) = places[stored];
                        absent.unwrap_or_else(|| chunks[chunk].sample(column, row, nth))
                    };
                    if !self.opaque(stored) {
                        raster.clear(x, y);
                        continue;
                    }
                    let level = self.level(stored);
                    match self.dividing {
                        None => raster.put(x, y, level),
                        Some(alpha) => {
                            let opacity = kind.opacity(kind.level(alpha, stored));
                            raster.put_divided([x, y], level, opacity, kind.most());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether alpha lets a pixel have a level.
    #[inline]
    fn opaque(&self, stored: impl Fn(usize) -> f64) -> bool {
        let opaque = |alpha: usize| self.kind.level(alpha, &stored) > 0.0;
        self.closing.is_none_or(opaque)
    }

    /// The level of a pixel out of its stored samples, NaN for none.
    #[inline]
    fn level(&self, stored: impl Fn(usize) -> f64) -> f64 {
        if let Some(no_data) = self.no_data {
            let all = match self.kind.meaning {
                Meaning::Palette(_) => no_data.is(stored(0)),
                // As GDAL's mask of the whole image has it: only where all bands agree.
                _ => self.pick.samples().all(|band| no_data.is(stored(band))),
            };
            if all {
                return f64::NAN;
            }
        }
        self.pick.level(|band| self.kind.level(band, &stored))
    }
}

/// Takes away the levels where the decoder's image, a mask, is 0.
fn mask(
    decoder: &mut Decoder<Plain<'_>>,
    bytes: &[u8],
    directory: &Directory,
    raster: &mut Raster,
) -> Result<(), DecodeError> {
    let size = [raster.width(), raster.height()];
    let kind = meaning::kind(decoder, directory)?;
    if kind.bands.count != 1 || !kind.level_type.is_grey() {
        return Err(meaning::unsupported("oddly masked"));
    }
    guard::check(decoder, bytes, &kind, size)?;
    let mut seen = Raster::blank(size, kind.level_type, kind.full)?;
    let read = Read {
        kind: &kind,
        pick: Pick::One(0),
        closing: None,
        dividing: None,
        no_data: None,
    };
    read.fill(decoder, &mut seen)?;
    for y in 0..size[1] {
        for x in 0..size[0] {
            if seen.level(x, y) == Some(0.0) {
                raster.forbid(x, y);
            }
        }
    }
    Ok(())
}

fn damaged(reason: &str) -> DecodeError {
    DecodeError::Damaged {
        format: FORMAT,
        reason: printable(reason),
    }
}

fn to_error(error: TiffError) -> DecodeError {
    match error {
        TiffError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => {
            DecodeError::Truncated { format: FORMAT }
        }
        TiffError::UnsupportedError(TiffUnsupportedError::UnsupportedCompressionMethod(method)) => {
            let number = method.to_u16();
            match meaning::compression(number) {
                Some(name) => meaning::unsupported(&format!("{name}-compressed")),
                None => meaning::unsupported(&format!("this kind of (compression {number})")),
            }
        }
        TiffError::UnsupportedError(e) => meaning::unsupported(&format!("this kind of ({e})")),
        TiffError::FormatError(TiffFormatError::CycleInOffsets) => {
            damaged("its directories run in a circle")
        }
        TiffError::LimitsExceeded => damaged("its tables or chunks are too large to be true"),
        other => damaged(&other.to_string()),
    }
}
