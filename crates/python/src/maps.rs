//! Maps read from files.

use crate::field::told;
use crate::files::{refused, system_error};
use crate::memory;
use crate::options::named;
use crate::places::{Cell, Corners, NAMES};
use crate::refused::{Outcome, Refused};
use density::decode::{
    Alpha, Channel, DecodeError, DecodeLimits, LevelType, Levels, NoData, Raster, RawType,
    ReadOptions,
};
use density::diagnostic::{Role, Subject};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Position of a map according to its file: the rectangle, a pixel's width and height, the coordinate
/// system, and whether these are in degrees.
type FilePlace = (Corners, (f64, f64), Option<String>, bool);

/// The numbers of a map; a mask of the valid ones (`None` if all are valid); warnings; the map's
/// position, or a warning for maps that are placed at one unit a pixel instead; the size of a pixel; the level of white
/// in the file (`None` unless levels are greys), and whether all levels are integers.
type ReadMap<'py> = (
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Vec<String>,
    Option<FilePlace>,
    Option<String>,
    Option<Cell>,
    Option<(f64, bool)>,
);

/// Reads one channel of a map file. North is in the first row.
#[pyfunction]
pub(crate) fn read<'py>(
    py: Python<'py>,
    path: PathBuf,
    channel: &str,
    alpha: &str,
    nodata: Option<f64>,
    raw_size: Option<(u32, u32)>,
) -> PyResult<ReadMap<'py>> {
    let options = ReadOptions {
        channel: channel_of(channel)?,
        alpha: named("alpha", alpha, &Alpha::ALL, Alpha::name)?,
        no_data: nodata.map(NoData::new),
        may_be_turned: false,
        limits: limits(),
    };
    let raw_size = raw_size.map(|(width, height)| [width, height]);
    let read = py.detach(|| {
        let bytes = bytes_of(&path, options.limits.max_bytes)?;
        let raster = raster(&path, &bytes, raw_size, &options)?;
        let subject = Subject::new(Role::Map, path.display().to_string(), &NAMES);
        let warnings = told(raster.diagnostics(&options.channel, None), &subject);
        let shape = [raster.height() as usize, raster.width() as usize];
        let place = place(&raster);
        let (cell, pixels) = (raster.about().cell, [raster.width(), raster.height()]);
        let unplaced = cell
            .filter(|_| place.is_none())
            .and_then(|c| c.on_map(pixels));
        let unplaced = unplaced.map(|d| d.about(&subject).to_string());
        let white = raster.is_grey().then(|| {
            let are_whole = raster.levels().flatten().all(|level| level.fract() == 0.0);
            (raster.full(), are_whole)
        });
        let numbers = numbers(raster).map_err(|e| refused(&path, e))?;
        let rest = (place, unplaced, cell.map(Cell), white);
        Ok::<_, PyErr>((numbers, shape, warnings, rest))
    });
    let ((numbers, open), shape, warnings, (place, unplaced, cell, white)) = read?;
    let open = open.map(|open| PyArray1::from_vec(py, open).reshape(shape));
    let open = open.transpose()?.map(Bound::into_any);
    let array = match numbers {
        Numbers::Eight(greys) => shaped(py, greys, shape)?,
        Numbers::Sixteen(greys) => shaped(py, greys, shape)?,
        Numbers::Whole(levels, level_type) => whole(py, &levels, level_type, shape)?,
        Numbers::Levels(levels) => shaped(py, levels, shape)?,
    };
    Ok((array, open, warnings, place, unplaced, cell, white))
}

/// Returns numbers as an array of this shape.
fn shaped<T: Element>(
    py: Python<'_>,
    numbers: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyArray1::from_vec(py, numbers).reshape(shape)?.into_any())
}

/// Returns whole numbers as an array of a type that holds those of the file, exact up to 2^53; 0 in place of NaN.
fn whole<'py>(
    py: Python<'py>,
    levels: &[f64],
    level_type: LevelType,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let levels = levels.iter();
    match level_type {
        LevelType::Signed(..=8) => shaped(py, levels.map(|&l| l as i8).collect(), shape),
        LevelType::Signed(..=16) => shaped(py, levels.map(|&l| l as i16).collect(), shape),
        LevelType::Signed(..=32) => shaped(py, levels.map(|&l| l as i32).collect(), shape),
        LevelType::Unsigned(..=32) => shaped(py, levels.map(|&l| l as u32).collect(), shape),
        LevelType::Unsigned(_) => shaped(py, levels.map(|&l| l as u64).collect(), shape),
        _ => shaped(py, levels.map(|&l| l as i64).collect(), shape),
    }
}

/// Returns the map's position according to its file.
fn place(raster: &Raster) -> Option<FilePlace> {
    let place = raster.about().place?;
    let ([x0, y0], [x1, y1]) = (place.bounds().min(), place.bounds().max());
    let in_degrees = place.may_be_degrees([raster.width(), raster.height()]);
    let [width, height] = place.pixel();
    Some(((x0, y0, x1, y1), (width, height), place.crs(), in_degrees))
}

/// The numbers of a map, row by row.
enum Numbers {
    /// Greys of up to 8 bits.
    Eight(Vec<u8>),
    /// Greys of more bits.
    Sixteen(Vec<u16>),
    /// Integers of another type; NaN where there is no value.
    Whole(Vec<f64>, LevelType),
    /// Other numbers; NaN where there is no value.
    Levels(Vec<f64>),
}

/// Returns the numbers of a raster. For integers with invalid pixels, also returns the mask of the valid
/// ones.
fn numbers(raster: Raster) -> Result<(Numbers, Option<Vec<bool>>), DecodeError> {
    if !raster.is_grey() {
        let levels = raster.levels().map(|level| level.unwrap_or(f64::NAN));
        let levels: Vec<f64> = levels.collect();
        let is_float = matches!(raster.level_type(), LevelType::Float(_));
        // The luma of colours is no integer.
        let is_whole = |level: &f64| level.is_nan() || level.fract() == 0.0;
        if is_float || raster.about().scaling.is_some() || !levels.iter().all(is_whole) {
            return Ok((Numbers::Levels(levels), None));
        }
        let is_holed = levels.iter().any(|l| l.is_nan());
        let open = is_holed.then(|| levels.iter().map(|l| !l.is_nan()).collect());
        return Ok((Numbers::Whole(levels, raster.level_type()), open));
    }
    let bits = raster.level_type().bits();
    let map = raster.into_map(Levels::Natural)?;
    let open = map.mask().map(<[bool]>::to_vec);
    // 8-bit greys are stored multiplied by 257; the luma of 8-bit colours has more bits.
    let is_eight = bits <= 8 && map.greys().iter().all(|g| g % 257 == 0);
    let numbers = if is_eight {
        Numbers::Eight(map.greys().iter().map(|g| (g / 257) as u8).collect())
    } else {
        Numbers::Sixteen(map.greys().to_vec())
    };
    Ok((numbers, open))
}

fn limits() -> DecodeLimits {
    let usual = DecodeLimits::default();
    DecodeLimits {
        max_bytes: usual.max_bytes.min(memory::available().unwrap_or(u64::MAX)),
        ..usual
    }
}

/// Reads a file of at most `most` bytes.
fn bytes_of(path: &Path, most: u64) -> PyResult<Vec<u8>> {
    let about = std::fs::metadata(path).map_err(|e| system_error(path, &e))?;
    if !about.is_file() {
        let problem = "is not a file; give a map, like a PNG or a TIFF image";
        return Err(refused(path, problem).into());
    }
    if about.len() > most {
        let problem = format!("larger than the limit of {most} bytes: give a smaller map");
        return Err(refused(path, problem).into());
    }
    std::fs::read(path).map_err(|e| system_error(path, &e))
}

fn raster(
    path: &Path,
    bytes: &[u8],
    raw_size: Option<[u32; 2]>,
    options: &ReadOptions,
) -> PyResult<Raster> {
    let raw = path.extension().and_then(OsStr::to_str);
    let raw = raw.and_then(RawType::from_extension);
    let raster = match (raw, raw_size) {
        (None, None) => Raster::decode(bytes, options),
        (Some(raw), Some(size)) => Raster::from_raw(bytes, raw, size, options),
        (Some(_), None) => {
            let problem = "a raw map does not state its size: give its size as raw_size";
            return Err(refused(path, problem).into());
        }
        (None, Some([width, height])) => {
            let problem = format!(
                "only for files that end in .r16, .raw, .r32, .r32f or .f32, not {}",
                path.display()
            );
            let size = format!("{width}x{height}");
            return Err(Refused::option("raw_size", size, problem).into());
        }
    }
    .map_err(|e| refused(path, e))?;
    raster.with_files_beside(path, options, bytes_of, |beside, e| {
        refused(beside, e).into()
    })
}

fn channel_of(text: &str) -> Outcome<Channel> {
    let problem = || Refused::new(format!("channel: must be {}", Channel::NAMES));
    Channel::parse(text).ok_or_else(problem)
}
