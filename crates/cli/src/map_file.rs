//! Reads map files and describes them.

mod args;
mod told;

pub(crate) use args::{MapArgs, channel, no_data, raw_size};
pub(crate) use told::unlike;

use crate::failure::Failure;
use crate::memory;
use crate::numbers::level;
use crate::source::read_file;
use crate::warnings::MAP;
use density::decode::{
    DecodeError, DecodeLimits, LevelRange, LevelType, Levels, Place, Raster, RawType, ReadOptions,
    Scaling, TiffParts,
};
use density::diagnostic::{Cell, Names, Role, Subject, Warning, rows_down};
use density::{Bounds, GreyMap, YAxis};
use serde::Serialize;
use std::io::{Read, Seek};
use std::path::Path;

/// A map file as read.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MapInfo {
    /// The path as given; bytes that are not Unicode are replaced.
    pub(crate) file: String,
    /// Pixels across.
    pub(crate) width: u32,
    /// Pixels down.
    pub(crate) height: u32,
    /// Bits per channel.
    pub(crate) depth: u8,
    /// The number type of the file, like "32-bit float".
    #[serde(rename = "type")]
    pub(crate) level_type: String,
    /// The channel that is the map.
    pub(crate) channel: String,
    /// The treatment of alpha.
    pub(crate) alpha: &'static str,
    /// The levels of black and white, in the file's units; `null` if there are none.
    pub(crate) range: Option<[f64; 2]>,
    /// The factor that the file states for its numbers; levels are the scaled numbers.
    pub(crate) scale: Option<f64>,
    /// The offset that the file states, added after scaling.
    pub(crate) offset: Option<f64>,
    /// The pixel size that the file states.
    pub(crate) cells: Option<Cells>,
    /// The place of the map, as the file states it.
    #[serde(skip)]
    pub(crate) place: Option<Place>,
    /// The order of the file's rows, where the file states which one is north.
    pub(crate) row_order: &'static str,
    /// Number of pixels closed by a mask file beside the map; `null` without one.
    pub(crate) masked: Option<u64>,
    /// The share of pixels where points may lie.
    pub(crate) allowed: f64,
    /// Whether the numbers are greys, with black and white given by their type.
    #[serde(skip)]
    pub(crate) is_grey: bool,
    /// A description of the black and white levels; `None` if they are those of the type.
    #[serde(skip)]
    pub(crate) levels: Option<String>,
    /// The levels taken for black and white, since neither the file nor a flag states them.
    #[serde(skip)]
    pub(crate) found: Option<LevelRange>,
    /// The subject of warnings about the file.
    #[serde(skip)]
    pub(crate) subject: Subject,
    /// Warnings about possible misreadings.
    #[serde(skip)]
    pub(crate) warnings: Vec<Warning>,
}

/// The pixel size that a file states, for the summary.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Cells {
    /// Width and height of a pixel.
    size: [f64; 2],
    /// The unit of `size`; `null` if the file does not state one.
    unit: Option<&'static str>,
    #[serde(skip)]
    pub(crate) cell: Cell,
}

impl From<Cell> for Cells {
    fn from(cell: Cell) -> Self {
        Self {
            size: cell.size(),
            unit: cell.unit().name(),
            cell,
        }
    }
}

impl MapInfo {
    /// Returns the size of the map's world, if known: `given`, or one unit per pixel for `--pixels`, or the
    /// size stated by the file in units of length.
    pub(crate) fn size(&self, given: Option<[f64; 2]>, pixels: bool) -> Option<[f64; 2]> {
        let own = [self.width, self.height];
        let is_length = |place: &Place| !place.may_be_degrees(own);
        let placed = || Some(self.place.filter(is_length)?.bounds().size());
        given
            .or_else(|| pixels.then(|| own.map(f64::from)))
            .or_else(placed)
    }

    /// Returns a warning if the file states another pixel size than the world has. `size` is the world's
    /// size, if known.
    pub(crate) fn cell_warning(&self, size: Option<[f64; 2]>) -> Option<Warning> {
        // The size belongs to the run, even if the map belongs to a layer, so the flags of MAP are named.
        let subject = Subject::new(Role::Map, &*self.file, &MAP);
        let Cells { cell, .. } = self.cells.filter(|_| size.is_none())?;
        Some(cell.on_map([self.width, self.height])?.about(&subject))
    }

    /// Returns a warning if the file states a place, and lies upside down in this world.
    pub(crate) fn rows_warning(&self, world: &Bounds<2>, y_axis: YAxis) -> Option<Warning> {
        let found = rows_down(world, y_axis).filter(|_| self.place.is_some())?;
        Some(found.about(&Subject::new(Role::Map, &*self.file, &MAP)))
    }
}

/// The role of a file of pixels in the run, and the names of its flags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileFlags {
    pub(crate) role: Role,
    pub(crate) names: &'static Names,
}

impl FileFlags {
    /// Returns the subject of warnings about the file at `path`.
    pub(crate) fn subject(&self, path: &Path) -> Subject {
        Subject::new(self.role, path.display().to_string(), self.names)
    }

    /// Returns `true` for maps, but not for masks and heights. Floats of maps default to the range from the
    /// least to the greatest level, not to 0..1.
    fn is_map(self) -> bool {
        matches!(self.role, Role::Map | Role::Input)
    }

    /// Returns the file's own flag and a space; empty for MAP.
    fn prefix(&self) -> String {
        let flag = self.names.file;
        flag.map_or(String::new(), |flag| format!("{flag} "))
    }
}

/// Returns the decoder's options. Their limits never exceed the available memory.
pub(crate) fn read_options(how: &MapArgs) -> ReadOptions {
    let left = memory::available().unwrap_or(u64::MAX);
    let usual = DecodeLimits::default();
    ReadOptions {
        channel: how.channel.clone().unwrap_or_default(),
        alpha: how.alpha.unwrap_or_default(),
        no_data: how.no_data,
        may_be_turned: how.may_be_turned,
        limits: match how.max_pixels {
            Some(max_pixels) => DecodeLimits {
                max_pixels,
                max_bytes: left,
            },
            None => DecodeLimits {
                max_bytes: usual.max_bytes.min(left),
                ..usual
            },
        },
    }
}

pub(crate) const MAP_FLAGS: FileFlags = FileFlags {
    role: Role::Map,
    names: &MAP,
};

/// Reads and decodes the pixels at `path`, without choosing the levels of black and white.
pub(crate) fn read_raster(path: &Path, how: &MapArgs, flags: FileFlags) -> Result<Raster, Failure> {
    let role = flags.prefix();
    let raw_size = how.raw_size;
    let options = read_options(how);
    let raw = raw_type(path);
    if let (None, Some([width, height])) = (raw, raw_size) {
        return Err(Failure::usage(
            flags.names.raw_size.unwrap_or_default(),
            format!("{width}x{height}"),
            format!(
                "only for files that end in .r16, .raw, .r32, .r32f or .f32, not {}",
                path.display()
            ),
        ));
    }
    let bytes = read_file(
        &role,
        path,
        "a map, like a PNG or a TIFF image",
        options.limits.max_bytes,
    )?;
    let failed = |e: DecodeError| match e {
        DecodeError::TooManyPixels { .. } | DecodeError::TooManyBytes { .. } => {
            Failure::too_large(&role, path, advice(e, flags, how.max_pixels))
        }
        _ => Failure::file(&role, path, advice(e, flags, how.max_pixels)),
    };
    let raster = match raw {
        None => Raster::decode(&bytes, &options).map_err(failed),
        Some(raw) => {
            let size = raw_size.ok_or_else(|| {
                let problem = sizeless(bytes.len() as u64, raw, flags);
                Failure::file(&role, path, problem)
            })?;
            Raster::from_raw(&bytes, raw, size, &options).map_err(failed)
        }
    }?;
    let mask = "a mask as GDAL writes it, or remove it";
    raster.with_files_beside(
        path,
        &options,
        |beside, most| read_file(&role, beside, mask, most),
        |beside, e| Failure::file(&role, beside, e),
    )
}

/// Reads and decodes an input of `spinney map`; messages use `names`.
pub(crate) fn read_input(
    path: &Path,
    args: &MapArgs,
    names: &'static Names,
) -> Result<(GreyMap, MapInfo), Failure> {
    let flags = FileFlags {
        role: Role::Input,
        names,
    };
    read_about(path, args, flags, flags.subject(path))
}

/// Reads and decodes a file of pixels; warnings are about `subject`.
pub(crate) fn read_about(
    path: &Path,
    args: &MapArgs,
    flags: FileFlags,
    subject: Subject,
) -> Result<(GreyMap, MapInfo), Failure> {
    let (raster, levels, mut info) = read_levels(path, args, flags, subject)?;
    let failed = |e| Failure::file(&flags.prefix(), path, advice(e, flags, args.max_pixels));
    let map = raster.into_map(levels).map_err(failed)?;
    info.allowed = map.allowed_share();
    Ok((map, info))
}

/// Reads and decodes a file of pixels, and returns its levels of black and white. [`MapInfo::allowed`] is
/// not computed yet.
pub(crate) fn read_levels(
    path: &Path,
    args: &MapArgs,
    flags: FileFlags,
    subject: Subject,
) -> Result<(Raster, Levels, MapInfo), Failure> {
    let raster = read_raster(path, args, flags)?;
    let role = flags.prefix();
    let failed = |e| Failure::file(&role, path, advice(e, flags, args.max_pixels));
    let level_type = raster.level_type();
    let scaling = raster.about().scaling;
    // Scaled numbers are values in themselves, like floats.
    let are_values = matches!(level_type, LevelType::Float(_)) || scaling.is_some();
    let levels = match args.range {
        Some(levels) => levels,
        None if are_values && !flags.is_map() => {
            Levels::Between(LevelRange::new(0.0, 1.0).map_err(failed)?)
        }
        None => Levels::Natural,
    };
    let range = raster.ends(levels).map_err(failed)?;
    let said = range.and_then(|range| {
        let found = match levels {
            Levels::Natural if raster.is_grey() => return None,
            Levels::Between(_) => None,
            Levels::Natural | Levels::Found => Some("found".to_owned()),
        };
        let how: Vec<String> = found
            .into_iter()
            .chain(scaling.map(|scaling| scaling.to_string()))
            .collect();
        Some(match &*how.join("; ") {
            "" => ends(range),
            how => format!("{} ({how})", ends(range)),
        })
    });
    let channel = args.channel.clone().unwrap_or_default();
    // A mask is only open or closed, so diagnostics about greys do not apply.
    let greys = (flags.role != Role::Mask).then_some(levels);
    let warnings = raster.diagnostics(&channel, greys).into_iter();
    let warnings = warnings.map(|d| d.about(&subject)).collect();
    let is_grey = raster.is_grey();
    let found = range.filter(|_| levels == Levels::Natural && !is_grey);
    let info = MapInfo {
        file: path.display().to_string(),
        width: raster.width(),
        height: raster.height(),
        depth: level_type.bits(),
        level_type: level_type.to_string(),
        channel: channel.name().to_owned(),
        alpha: args.alpha.unwrap_or_default().name(),
        range: range.map(|range| [range.lo(), range.hi()]),
        scale: scaling.map(Scaling::scale),
        offset: scaling.map(Scaling::offset),
        cells: raster.about().cell.map(Cells::from),
        place: raster.about().place,
        row_order: raster.about().row_order.name(),
        masked: raster.about().masked,
        allowed: 1.0,
        is_grey,
        levels: said,
        found,
        subject,
        warnings,
    };
    Ok((raster, range.map_or(levels, Levels::Between), info))
}

/// Describes a map that is read in parts, with levels that do not depend on its pixels.
pub(crate) fn part_info<R: Read + Seek>(
    path: &Path,
    how: &MapArgs,
    names: &'static Names,
    parts: &TiffParts<R>,
    levels: Levels,
) -> MapInfo {
    let [width, height] = parts.size();
    let level_type = parts.level_type();
    let range = match levels {
        Levels::Between(range) => Some(range),
        Levels::Natural | Levels::Found => None,
    };
    let scaling = parts.about().scaling;
    let told = range.map(|range| match scaling {
        Some(scaling) => format!("{} ({scaling})", ends(range)),
        None => ends(range),
    });
    let flags = FileFlags { names, ..MAP_FLAGS };
    let subject = flags.subject(path);
    let said = parts.diagnostics().into_iter();
    let warnings = said.map(|d| d.about(&subject)).collect();
    MapInfo {
        file: path.display().to_string(),
        width,
        height,
        depth: level_type.bits(),
        level_type: level_type.to_string(),
        channel: how.channel.clone().unwrap_or_default().name().to_owned(),
        alpha: how.alpha.unwrap_or_default().name(),
        range: range.map(|range| [range.lo(), range.hi()]),
        scale: scaling.map(Scaling::scale),
        offset: scaling.map(Scaling::offset),
        cells: parts.about().cell.map(Cells::from),
        place: parts.about().place,
        row_order: parts.about().row_order.name(),
        masked: None,
        allowed: 1.0,
        is_grey: parts.is_grey(),
        levels: told,
        found: None,
        subject,
        warnings,
    }
}

/// Returns the number type of a raw file, from its extension.
fn raw_type(path: &Path) -> Option<RawType> {
    RawType::from_extension(path.extension()?.to_str()?)
}

/// Returns the request for a size, with a guess if the file may be square.
fn sizeless(bytes: u64, raw: RawType, flags: FileFlags) -> String {
    let levels = bytes / u64::from(raw.bytes());
    let side = levels.isqrt();
    let raw_size = flags.names.raw_size.unwrap_or_default();
    let guess = if side > 0 && side * side * u64::from(raw.bytes()) == bytes {
        let side = side.to_string();
        format!(
            ", perhaps {}",
            flags.names.size(raw_size, &[side.clone(), side])
        )
    } else {
        let sides = ["W", "H"].map(str::to_owned);
        format!(" {}", flags.names.size(raw_size, &sides))
    };
    format!("a raw map does not state its size: give its size{guess}")
}

/// Returns the error text with advice in terms of the flags.
fn advice(error: DecodeError, flags: FileFlags, max_pixels: Option<u64>) -> String {
    match error {
        DecodeError::OneLevel { level } => match flags.names.range {
            Some(range) => format!("{error} by {range} LO..HI"),
            None => format!(
                "the level is {level} everywhere, so black and white cannot be found: give an image \
                 of 8 or 16 bits"
            ),
        },
        DecodeError::WhichChannel { .. } => {
            format!("{error} by {}", flags.names.channel.unwrap_or("channel"))
        }
        DecodeError::TooManyPixels { width, height, .. } => {
            let pixels = u64::from(width) * u64::from(height);
            format!("{error}: give --max-pixels {pixels} to read it anyway, or a smaller map")
        }
        DecodeError::TooManyBytes { max_bytes, .. }
            if max_pixels.is_none() && max_bytes == DecodeLimits::default().max_bytes =>
        {
            format!("{error}: give --max-pixels to use all free memory, or a smaller map")
        }
        DecodeError::TooManyBytes { .. } => {
            format!("{error}: give a smaller map")
        }
        other => other.to_string(),
    }
}

fn ends(range: LevelRange) -> String {
    format!("{}..{}", level(range.lo()), level(range.hi()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_shown_shortly() {
        let range = |lo, hi| ends(LevelRange::new(lo, hi).expect("a good range"));
        assert_eq!(range(f64::from(-6.263_335_f32), 920.5), "-6.263335..920.5");
        assert_eq!(range(0.1, f64::from(f32::MAX)), "0.1..3.4028235e38");
    }

    #[test]
    fn a_size_is_guessed_only_when_it_fits() {
        let sizeless = |bytes, raw| sizeless(bytes, raw, MAP_FLAGS);
        assert!(sizeless(8, RawType::U16).ends_with("2x2"));
        assert!(sizeless(9, RawType::U16).ends_with("WxH"));
        assert!(sizeless(0, RawType::F32).ends_with("WxH"));
        assert!(sizeless(36, RawType::F32).ends_with("3x3"));
    }
}
