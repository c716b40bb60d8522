//! TIFF as libtiff reads it, strip by strip or tile by tile.
//!
//! Directories, predictors and the layout are read here, the compressions by their own crates: the
//! crate `tiff` (0.11.3) refuses LZW without an end code, images that do not say what black is, and
//! strips without lengths; and it undoes a predictor that libtiff ignores.

mod beside;
mod chunks;
mod codec;
mod directory;
mod gdal;
mod geo;
mod meaning;
mod predictor;

use super::channel::Pick;
use super::error::printable;
use super::nodata::NoData;
use super::orientation::Orientation;
use super::raster::Raster;
use super::{DecodeError, ReadOptions};
use chunks::Chunks;
pub(crate) use directory::{COLOUR_MAP, Directory, EXIF, ICC_PROFILE, PHOTOMETRIC, Tiff, map_of};
use directory::{GDAL_METADATA, GDAL_NO_DATA, HEIGHT, ORIENTATION, Subfile, WIDTH};
use geo::Geo;
pub(crate) use meaning::PALETTE;
use meaning::{Kind, Meaning};
use std::io::Cursor;

const FORMAT: &str = "TIFF";

type File<'a> = Tiff<Cursor<&'a [u8]>>;

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let (raster, orientation, geo) = stored(bytes, options)?;
    let raster = raster.oriented(orientation)?;
    match geo.steps {
        Some(steps) => raster.placed(steps),
        None => Ok(raster),
    }
}

/// Reads the image as it is stored, not turned, and what the file says of how it is to be turned.
fn stored(bytes: &[u8], options: &ReadOptions) -> Result<(Raster, Orientation, Geo), DecodeError> {
    let limits = options.limits;
    let (mut tiff, directories) = Tiff::open(Cursor::new(bytes))?;
    let image = map_of(&mut tiff, &directories)?;
    let directory = &directories[image];
    let [width, height] = size(&mut tiff, directory)?;
    limits.check(width, height, 0)?;
    let mut kind = meaning::kind(&mut tiff, directory)?;
    let colours = match &kind.meaning {
        Meaning::Palette(_) if options.channel.is_index() => {
            kind = kind.into_indices();
            None
        }
        Meaning::Palette(colours) => Some(colours.len() / 3),
        _ => None,
    };
    let pick = kind.bands.pick(&options.channel)?;

    let no_data = no_data(&mut tiff, directory)?;
    let scaling = match tiff.text(directory, GDAL_METADATA) {
        Some(metadata) => gdal::scaling(&metadata, pick)?,
        None => None,
    };
    if scaling.is_some() && kind.meaning != Meaning::Plain {
        // The scale is of numbers that are not the levels.
        return Err(unsupported("palette, inverted or YCbCr scaled"));
    }
    let closing = kind.bands.closing(options.alpha);
    let dividing = closing.filter(|_| kind.bands.multiplies(pick));
    if dividing.is_some() && kind.meaning != Meaning::Plain && kind.meaning != Meaning::YCbCr {
        return Err(unsupported("inverted and premultiplied"));
    }
    let geo = Geo::of(&mut tiff, directory);
    let orientation = tiff.number(directory, ORIENTATION).ok().flatten();
    let orientation = orientation
        .and_then(|number| Orientation::from_exif(u8::try_from(number).ok()?))
        .unwrap_or(Orientation::NoTransforms);

    let chunks = Chunks::of(&mut tiff, directory, &kind, [width, height], bytes.len())?;
    let of_raster = Raster::bytes(kind.level_type, width, height);
    let mut memory = of_raster.saturating_add(chunks.memory(&kind));
    if orientation != Orientation::NoTransforms || geo.steps.is_some() {
        memory = memory.saturating_add(of_raster);
    }
    limits.check(width, height, memory)?;

    let subfiles = directories
        .iter()
        .map(|other| Subfile::of(&mut tiff, other));
    let subfiles: Vec<Subfile> = subfiles.collect();
    let images = subfiles.iter().filter(|subfile| subfile.is_image()).count();
    let mut raster = Raster::blank([width, height], kind.level_type, kind.full)?
        .said(scaling, geo.cell, images.saturating_sub(1))
        .of_palette(colours);
    if geo.of_points {
        raster = raster.of_points();
    }
    let read = Read {
        kind: &kind,
        pick,
        closing,
        dividing,
        no_data,
        given: options.no_data,
    };
    read.fill(bytes, &chunks, &mut raster)?;
    for (nth, other) in directories.iter().enumerate() {
        if nth != image && subfiles[nth].is_mask() && size(&mut tiff, other) == Ok([width, height])
        {
            mask(&mut tiff, bytes, other, &mut raster)?;
            break;
        }
    }
    Ok((raster, orientation, geo))
}

fn size(tiff: &mut File<'_>, directory: &Directory) -> Result<[u32; 2], DecodeError> {
    let [width, height] = [WIDTH, HEIGHT].map(|tag| tiff.number(directory, tag));
    let [width, height] = [width?.unwrap_or(0), height?.unwrap_or(0)];
    let [Ok(width), Ok(height)] = [width, height].map(u32::try_from) else {
        return Err(damaged("its size is beyond 32 bits"));
    };
    if width == 0 || height == 0 {
        return Err(damaged("its size is 0"));
    }
    Ok([width, height])
}

fn no_data(tiff: &mut File<'_>, directory: &Directory) -> Result<Option<NoData>, DecodeError> {
    let text = tiff.text(directory, GDAL_NO_DATA).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    // A text ends with its first zero.
    let text = text.split('\0').next().unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    let level = NoData::parse(text);
    let level = level.ok_or_else(|| damaged(&format!("its \"no data\" level is {text:?}")))?;
    Ok(Some(level))
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
    /// One more number of no level, which the file does not name.
    given: Option<NoData>,
}

impl Read<'_> {
    /// Reads all of an image.
    fn fill(&self, bytes: &[u8], chunks: &Chunks, raster: &mut Raster) -> Result<(), DecodeError> {
        let kind = self.kind;
        let needed = kind.needed(self.pick.with(self.closing));
        // Where the samples that are needed come from: a chunk, and which of its samples.
        let mut places = vec![(0, 0); kind.stored()];
        for (nth, &stored) in needed.iter().enumerate() {
            places[stored] = if kind.planar { (nth, 0) } else { (0, stored) };
        }
        let planes = if kind.planar { &needed[..] } else { &[0] };
        let mut buffers = vec![Vec::new(); planes.len()];
        let samples = kind.samples();
        for nth in 0..chunks.per_plane() {
            let mut is_there = true;
            for (buffer, &plane) in buffers.iter_mut().zip(planes) {
                is_there &= chunks.read(bytes, kind, [plane as u32, nth], buffer)?;
            }
            // GDAL leaves out chunks that hold nothing: "no data", or 0 where there is none.
            let absent = (!is_there).then(|| self.no_data.map_or(0.0, NoData::level));
            let (shape, [left, top]) = (chunks.shape(nth, kind), chunks.corner(nth));
            for row in 0..shape.rows {
                let start = row as usize * shape.row_bytes;
                for column in 0..shape.columns {
                    let (x, y) = (left + column, top + row);
                    let stored = |stored: usize| {
                        let (plane, nth) = places[stored];
                        let nth = column as usize * shape.samples + nth;
                        absent.unwrap_or_else(|| samples.sample(&buffers[plane][start..], nth))
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
        for no_data in self.no_data.into_iter().chain(self.given) {
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

/// Takes away the levels where another image, a mask, is 0.
fn mask(
    tiff: &mut File<'_>,
    bytes: &[u8],
    directory: &Directory,
    raster: &mut Raster,
) -> Result<(), DecodeError> {
    let size = [raster.width(), raster.height()];
    let kind = meaning::kind(tiff, directory)?;
    if kind.bands.count != 1 || !kind.level_type.is_grey() {
        return Err(unsupported("oddly masked"));
    }
    let chunks = Chunks::of(tiff, directory, &kind, size, bytes.len())?;
    let mut seen = Raster::blank(size, kind.level_type, kind.full)?;
    let read = Read {
        kind: &kind,
        pick: Pick::One(0),
        closing: None,
        dividing: None,
        no_data: None,
        given: None,
    };
    read.fill(bytes, &chunks, &mut seen)?;
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

fn unsupported(reason: &str) -> DecodeError {
    DecodeError::Unsupported {
        format: FORMAT,
        reason: printable(reason),
    }
}

fn truncated() -> DecodeError {
    DecodeError::Truncated { format: FORMAT }
}
