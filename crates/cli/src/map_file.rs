//! Reads map files and describes them.

mod args;

pub(crate) use args::{MapArgs, channel, no_data, raw_size};

use crate::failure::Failure;
use crate::memory;
use crate::numbers::{counted, level};
use crate::source::read_file;
use density::GreyMap;
use density::decode::{
    About, DecodeError, DecodeLimits, LevelRange, LevelType, Levels, Place, Raster, RawType,
    ReadOptions, Scaling, TiffParts,
};
use density::diagnostic::{Cell, Diagnostic, Names, Role, Subject, Syntax, Warning};
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
    /// The share of pixels where points may lie; `null` if only parts are read.
    pub(crate) allowed: Option<f64>,
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
    /// Describes a file, without the levels of black and white and the warnings.
    fn new(
        subject: Subject,
        how: &MapArgs,
        [width, height]: [u32; 2],
        level_type: LevelType,
        about: &About,
    ) -> Self {
        Self {
            file: subject.name().to_owned(),
            width,
            height,
            depth: level_type.bits(),
            level_type: level_type.to_string(),
            channel: how.channel().name().to_owned(),
            alpha: how.alpha.unwrap_or_default().name(),
            range: None,
            scale: about.scaling.map(Scaling::scale),
            offset: about.scaling.map(Scaling::offset),
            cells: about.cell.map(Cells::from),
            place: about.place,
            row_order: about.row_order.name(),
            masked: about.masked,
            allowed: None,
            is_grey: level_type.is_grey() && about.scaling.is_none(),
            levels: None,
            found: None,
            subject,
            warnings: Vec::new(),
        }
    }

    /// Sets the levels of black and white, `range`, which `levels` requested.
    fn set_levels(&mut self, levels: Levels, range: Option<LevelRange>, scaling: Option<Scaling>) {
        self.range = range.map(|range| [range.lo(), range.hi()]);
        let is_stated = levels == Levels::Natural && self.is_grey;
        let Some(range) = range.filter(|_| !is_stated) else {
            return;
        };
        self.found = Some(range).filter(|_| levels == Levels::Natural);
        let found = (!matches!(levels, Levels::Between(_))).then(|| "found".to_owned());
        let how = found.into_iter().chain(scaling.map(|s| s.to_string()));
        let how: Vec<String> = how.collect();
        self.levels = Some(match &*how.join("; ") {
            "" => ends(range),
            how => format!("{} ({how})", ends(range)),
        });
    }

    /// Describes the file and how it was read.
    pub(crate) fn description(&self) -> String {
        let channel = match &*self.channel {
            "luma" => String::new(),
            other => format!(" (channel {other})"),
        };
        let alpha = match self.alpha {
            "mask" => "",
            _ => ", alpha ignored",
        };
        let rows = match self.row_order {
            "south-first" => ", rows reversed",
            _ => "",
        };
        let masked = match self.masked {
            Some(n) => format!(", {} closed by a mask beside it", counted(n, "pixel")),
            None => String::new(),
        };
        format!(
            "{}x{} {} map{channel}{alpha}{rows}{masked}{}",
            self.width,
            self.height,
            self.level_type,
            self.levels_text()
        )
    }

    /// Returns the levels of black and white after a comma; empty if they are those of the type.
    pub(crate) fn levels_text(&self) -> String {
        let levels = self.levels.as_ref();
        levels.map_or(String::new(), |levels| format!(", levels {levels}"))
    }

    /// Adds warnings about the file.
    fn warn(&mut self, found: Vec<Diagnostic>) {
        let found = found.into_iter().map(|found| found.about(&self.subject));
        self.warnings.extend(found);
    }

    /// Returns the place that the file states, if it is in units of length.
    pub(crate) fn measured_place(&self) -> Option<Place> {
        let size = [self.width, self.height];
        self.place.filter(|place| !place.may_be_degrees(size))
    }
}

/// Returns the decoder's options. Their limits never exceed the available memory.
pub(crate) fn read_options(how: &MapArgs) -> ReadOptions {
    let left = memory::available().unwrap_or(u64::MAX);
    let usual = DecodeLimits::default();
    ReadOptions {
        channel: how.channel(),
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

/// Reads and decodes the pixels at `path`, without choosing the levels of black and white. Errors use the words of
/// `subject`.
pub(crate) fn read_raster(
    path: &Path,
    how: &MapArgs,
    subject: &Subject,
) -> Result<Raster, Failure> {
    let names = subject.names();
    let role = prefix(names);
    let raw_size = how.raw_size;
    let options = read_options(how);
    let raw = raw_type(path);
    if let (None, Some([width, height])) = (raw, raw_size) {
        return Err(Failure::usage(
            names.raw_size.unwrap_or_default(),
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
            Failure::too_large(&role, path, advice(e, subject, how.max_pixels))
        }
        _ => Failure::file(&role, path, advice(e, subject, how.max_pixels)),
    };
    let raster = match raw {
        None => Raster::decode(&bytes, &options).map_err(failed),
        Some(raw) => {
            let size = raw_size.ok_or_else(|| {
                let problem = sizeless(bytes.len() as u64, raw, names);
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
        |beside, e| Failure::file(&role, beside, advice(e, subject, how.max_pixels)),
    )
}

/// Reads and decodes an input of `spinney map`; messages use `names`.
pub(crate) fn read_input(
    path: &Path,
    args: &MapArgs,
    names: &'static Names,
) -> Result<(GreyMap, MapInfo), Failure> {
    let subject = Subject::new(Role::Input, path.display().to_string(), names);
    read_map(path, args, subject)
}

/// Reads and decodes a file of pixels; warnings are about `subject`.
pub(crate) fn read_map(
    path: &Path,
    args: &MapArgs,
    subject: Subject,
) -> Result<(GreyMap, MapInfo), Failure> {
    let (raster, levels, mut info) = read_levels(path, args, subject)?;
    let map = raster.into_map(levels);
    let map = map.map_err(|e| failed(e, path, args, &info.subject))?;
    info.allowed = Some(map.allowed_share());
    Ok((map, info))
}

/// Reads and decodes a file of pixels, and returns its levels of black and white. [`MapInfo::allowed`] is
/// not computed yet.
pub(crate) fn read_levels(
    path: &Path,
    args: &MapArgs,
    subject: Subject,
) -> Result<(Raster, Levels, MapInfo), Failure> {
    let raster = read_raster(path, args, &subject)?;
    let failed = |e| failed(e, path, args, &subject);
    let level_type = raster.level_type();
    // Scaled numbers are values in themselves, like floats.
    let are_values = matches!(level_type, LevelType::Float(_)) || raster.about().scaling.is_some();
    // Floats of maps default to the range from the least to the greatest level, those of masks to 0..1.
    let is_mask = subject.role() == Role::Mask;
    let levels = match args.range {
        Some(levels) => levels,
        None if are_values && is_mask => {
            Levels::Between(LevelRange::new(0.0, 1.0).map_err(failed)?)
        }
        None => Levels::Natural,
    };
    let range = raster.ends(levels).map_err(failed)?;
    let size = [raster.width(), raster.height()];
    let mut info = MapInfo::new(subject, args, size, level_type, raster.about());
    info.set_levels(levels, range, raster.about().scaling);
    // A mask is only open or closed, so diagnostics about greys do not apply.
    let greys = Some(levels).filter(|_| !is_mask);
    info.warn(raster.diagnostics(&args.channel(), greys));
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
    let range = match levels {
        Levels::Between(range) => Some(range),
        Levels::Natural | Levels::Found => None,
    };
    let about = parts.about();
    let subject = Subject::new(Role::Map, path.display().to_string(), names);
    let mut info = MapInfo::new(subject, how, parts.size(), parts.level_type(), about);
    info.set_levels(levels, range, about.scaling);
    info.warn(parts.diagnostics());
    info
}

/// Returns the file's own flag and a space; empty for MAP.
fn prefix(names: &Names) -> String {
    names.file.map_or(String::new(), |flag| format!("{flag} "))
}

/// Returns the number type of a raw file, from its extension.
fn raw_type(path: &Path) -> Option<RawType> {
    RawType::from_extension(path.extension()?.to_str()?)
}

/// Returns the request for a size, with a guess if the file may be square.
fn sizeless(bytes: u64, raw: RawType, names: &Names) -> String {
    let levels = bytes / u64::from(raw.bytes());
    let side = levels.isqrt();
    let raw_size = names.raw_size.unwrap_or_default();
    let guess = if side > 0 && side * side * u64::from(raw.bytes()) == bytes {
        let side = side.to_string();
        format!(", perhaps {}", names.size(raw_size, &[side.clone(), side]))
    } else {
        let sides = ["W", "H"].map(str::to_owned);
        format!(" {}", names.size(raw_size, &sides))
    };
    format!("a raw map does not state its size: give its size{guess}")
}

/// Returns the failure of reading the pixels at `path`.
fn failed(error: DecodeError, path: &Path, args: &MapArgs, subject: &Subject) -> Failure {
    let problem = advice(error, subject, args.max_pixels);
    Failure::file(&prefix(subject.names()), path, problem)
}

/// Returns the error text with advice in terms of the flags.
fn advice(error: DecodeError, subject: &Subject, max_pixels: Option<u64>) -> String {
    let names = subject.names();
    match error {
        DecodeError::Turned { .. } | DecodeError::Mirrored { .. }
            if subject.role() == Role::Map && names.syntax == Syntax::Flags =>
        {
            format!("{error}, or give --pixels to ignore its place")
        }
        DecodeError::OneLevel { level } => match names.range {
            Some(range) => format!("{error} by {range} LO..HI"),
            None => format!(
                "the level is {level} everywhere, so black and white cannot be found: give an image \
                 of 8 or 16 bits"
            ),
        },
        DecodeError::WhichChannel { .. } => {
            format!("{error} by {}", names.channel.unwrap_or("channel"))
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
    use crate::warnings::MAP;

    #[test]
    fn levels_are_shown_shortly() {
        let range = |lo, hi| ends(LevelRange::new(lo, hi).expect("a good range"));
        assert_eq!(range(f64::from(-6.263_335_f32), 920.5), "-6.263335..920.5");
        assert_eq!(range(0.1, f64::from(f32::MAX)), "0.1..3.4028235e38");
    }

    #[test]
    fn a_size_is_guessed_only_when_it_fits() {
        let sizeless = |bytes, raw| sizeless(bytes, raw, &MAP);
        assert!(sizeless(8, RawType::U16).ends_with("2x2"));
        assert!(sizeless(9, RawType::U16).ends_with("WxH"));
        assert!(sizeless(0, RawType::F32).ends_with("WxH"));
        assert!(sizeless(36, RawType::F32).ends_with("3x3"));
    }
}
