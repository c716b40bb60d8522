//! Files: reads maps, writes points.

use crate::field::{named, rule_of, told};
use crate::ground::Ground;
use crate::memory;
use crate::refused::{Outcome, Refused};
use crate::{runs, watch};
use density::YAxis;
use density::decode::{
    Alpha, Channel, DecodeError, DecodeLimits, LevelType, Levels, NoData, Raster, RawType,
    ReadOptions, unit_of_system,
};
use density::diagnostic::{
    self, CellUnit, Diagnostic, Footprint, HeightsKnown, Names, Role, Subject, Syntax,
    other_system, rows_down,
};
use export::{Format, Header, Ids, Placing, Presence, Scale, ScaleBy, Stance, Turn};
use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use sampler::Sample;
use std::ffi::OsStr;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Names of options in warnings.
const NAMES: Names = Names {
    syntax: Syntax::Keys,
    channel: Some("channel"),
    alpha: Some("alpha"),
    no_data: Some("nodata"),
    raw_size: Some("raw_size"),
    range: Some("range"),
    size: Some("size"),
    origin: Some("origin"),
    y_up: Some("y_up"),
    height_range: Some("height_range"),
    ..Names::NONE
};

/// A rectangle: x0, y0, x1, y1.
type Corners = (f64, f64, f64, f64);

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
            let are_whole = levels(&raster).all(|level| level.is_nan() || level.fract() == 0.0);
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

/// The size of a pixel according to the file.
#[pyclass(frozen, module = "spinney_scatter._native")]
pub(crate) struct Cell(diagnostic::Cell);

/// All units; their numbers stand for them in pickles.
const UNITS: [CellUnit; 5] = [
    CellUnit::Unsaid,
    CellUnit::Metres,
    CellUnit::Feet,
    CellUnit::Kilometres,
    CellUnit::Degrees,
];

#[pymethods]
impl Cell {
    /// Creates a pixel from the numbers in a pickle: width, height, their unit and that of heights.
    #[new]
    fn new(width: f64, height: f64, unit: usize, heights: usize) -> Outcome<Self> {
        let units = UNITS.get(unit).zip(UNITS.get(heights));
        let cell = units.and_then(|(&unit, &heights)| {
            Some(diagnostic::Cell::new([width, height], unit)?.with_heights(heights))
        });
        cell.map(Self)
            .ok_or_else(|| Refused::new("Cell: not the size of a pixel"))
    }

    /// Returns the arguments of `new`, for pickling.
    fn __getnewargs__(&self) -> (f64, f64, usize, usize) {
        let number = |is_it: &dyn Fn(CellUnit) -> bool| UNITS.iter().position(|&u| is_it(u));
        let unit = number(&|unit| self.0.unit() == unit);
        let heights = number(&|unit| self.0.with_heights(unit) == self.0);
        let [width, height] = self.0.size();
        (width, height, unit.unwrap_or(0), heights.unwrap_or(0))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// Returns a pixel of this width and height, in degrees or the unit of the system `crs`, with heights in the
    /// unit that GDAL calls `heights`; `None` if that is not a valid size.
    #[staticmethod]
    fn of(
        width: f64,
        height: f64,
        in_degrees: bool,
        crs: Option<&str>,
        heights: Option<&str>,
    ) -> Option<Self> {
        let unit = if in_degrees {
            CellUnit::Degrees
        } else {
            crs.map_or(CellUnit::Unsaid, unit_of_system)
        };
        let heights = heights.map_or(CellUnit::Unsaid, CellUnit::of_gdal);
        let cell = diagnostic::Cell::new([width, height], unit)?;
        Some(Self(cell.with_heights(heights)))
    }

    /// Returns warnings about heights of so many pixels over a world of this size. `measured` is false
    /// if the size is one unit for each pixel of the map, `ranged` is true if the heights of black and white
    /// were given, in world units, and `turned` if they lie upside down.
    fn on_ground(
        &self,
        pixels: (u32, u32),
        world: (f64, f64),
        measured: bool,
        ranged: bool,
        turned: bool,
    ) -> Vec<String> {
        let known = HeightsKnown {
            is_measured: measured,
            is_ranged: ranged,
            is_turned: turned,
        };
        let (pixels, world) = ([pixels.0, pixels.1], [world.0, world.1]);
        let subject = Subject::new(Role::Height, "height", &NAMES);
        told(self.0.on_ground(pixels, world, known), &subject)
    }
}

/// A rectangle, its coordinate system, and a pixel's width and height.
type ArrayPlace = (Corners, Option<String>, (f64, f64));

/// Column and row of the first pixel of a part, and of the one after its last.
type ArrayPart = ((u32, u32), (u32, u32));

/// Returns the rectangle that a mask or heights cover in the world of a map; the part of the pixels that lies there, if
/// they were cut; and warnings. `cut` is as in [`diagnostic::lay`].
#[pyfunction]
pub(crate) fn lay(
    name: &str,
    map: ArrayPlace,
    own: ArrayPlace,
    cut: Option<(u32, u32)>,
) -> PyResult<(Corners, Option<ArrayPart>, Vec<String>)> {
    let footprint = |(bounds, crs, (width, height)): ArrayPlace| {
        let (bounds, pixel) = (runs::window(bounds)?, [width, height]);
        Ok::<_, Refused>(Footprint { bounds, crs, pixel })
    };
    let laid = diagnostic::lay(&footprint(map)?, &footprint(own)?, cut.map(Into::into))
        .map_err(|e| Refused::new(format!("{name}: {e}")))?;
    let ([x0, y0], [x1, y1]) = (laid.place.min(), laid.place.max());
    let pixels = laid
        .pixels
        .map(|pixels| (pixels.min.into(), pixels.max.into()));
    let subject = Subject::new(Role::Mask, name, &NAMES);
    Ok(((x0, y0, x1, y1), pixels, told(laid.found, &subject)))
}

/// Returns warnings about an array with a place in a world where y runs down.
#[pyfunction]
pub(crate) fn upside_down(name: &str, world: Corners) -> PyResult<Vec<String>> {
    let subject = Subject::new(Role::Mask, name, &NAMES);
    let found = rows_down(&runs::window(world)?, YAxis::Down);
    Ok(told(found, &subject))
}

/// Returns warnings about points of one system in a map of another.
#[pyfunction]
pub(crate) fn other_system_told(name: &str, own: Option<&str>, map: Option<&str>) -> Vec<String> {
    let subject = Subject::new(Role::Avoid, name, &NAMES);
    told(other_system(own, map), &subject)
}

/// Returns the warning about a map that its origin moves from its place `own` and out of its system.
#[pyfunction]
pub(crate) fn system_dropped_told(name: &str, system: String, own: (f64, f64)) -> Vec<String> {
    let own = [own.0, own.1];
    let subject = Subject::new(Role::Map, name, &NAMES);
    told([Diagnostic::SystemDropped { system, own }], &subject)
}

/// Returns warnings about so many infinite pixels of a map.
#[pyfunction]
pub(crate) fn infinite_told(name: &str, negative: u64, positive: u64) -> Vec<String> {
    let found = Diagnostic::Infinite { negative, positive };
    let subject = Subject::new(Role::Map, name, &NAMES);
    told((negative + positive > 0).then_some(found), &subject)
}

/// Returns the warning about a run, or a layer of it, without points, given `inputs` that close places.
#[pyfunction]
pub(crate) fn nowhere_told(inputs: &str, layer: Option<String>) -> Vec<String> {
    let subject = Subject::new(Role::Run, inputs, &NAMES);
    let subject = match layer {
        None => subject,
        Some(layer) => subject.of_layer(layer),
    };
    told([Diagnostic::Nowhere], &subject)
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
        let levels: Vec<f64> = levels(&raster).collect();
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
    let map = raster.into_map(Levels::Natural)?;
    let open = map.mask().map(<[bool]>::to_vec);
    // 8-bit greys are stored multiplied by 257; the luma of 8-bit colours has more bits.
    let is_eight = map.depth() <= 8 && map.greys().iter().all(|g| g % 257 == 0);
    let numbers = if is_eight {
        Numbers::Eight(map.greys().iter().map(|g| (g / 257) as u8).collect())
    } else {
        Numbers::Sixteen(map.greys().to_vec())
    };
    Ok((numbers, open))
}

/// Returns all levels, row by row; NaN where there is no value.
fn levels(raster: &Raster) -> impl Iterator<Item = f64> {
    let places = (0..raster.height()).flat_map(|y| (0..raster.width()).map(move |x| (x, y)));
    places.map(|(x, y)| raster.level(x, y).unwrap_or(f64::NAN))
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

/// Returns the system's error as Python raises it (`FileNotFoundError` and so on), with the path.
fn system_error(path: &Path, error: &std::io::Error) -> PyErr {
    let text = error.to_string();
    // tempfile's errors go on with the path of the draft.
    let (text, rest) = text.split_once(" (os error ").unwrap_or((&text, ""));
    let Some(code) = rest.split(')').next().and_then(|n| n.parse::<i32>().ok()) else {
        return PyOSError::new_err(format!("{}: {text}", path.display()));
    };
    // Python chooses the class by the number, and adds the number to the message.
    PyOSError::new_err((code, text.to_owned(), path.as_os_str().to_owned()))
}

fn refused(path: &Path, problem: impl std::fmt::Display) -> Refused {
    Refused::new(format!("{}: {problem}", path.display()))
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
    match text.trim() {
        "" => Err(Refused::new(
            "channel: must be luma, r, g, b, a, index, or a channel's name or number",
        )),
        name => Ok(Channel::from_name(name)),
    }
}

/// The run that files describe: `Run` in Python.
#[derive(FromPyObject)]
struct Run {
    algorithm: String,
    algorithm_version: u32,
    seed: u64,
    rule: String,
    bounds: Corners,
    tile: bool,
    y_up: bool,
    crs: Option<String>,
    layers: Vec<String>,
}

/// `Points` in Python.
#[derive(FromPyObject)]
pub(crate) struct Points<'py> {
    xy: PyReadonlyArray2<'py, f64>,
    id: PyReadonlyArray1<'py, u64>,
    min_dist: PyReadonlyArray1<'py, f64>,
    value: PyReadonlyArray1<'py, f64>,
    rank: Option<PyReadonlyArray1<'py, u32>>,
    layer: Option<PyReadonlyArray1<'py, u32>>,
    parent: Option<PyReadonlyArray1<'py, i64>>,
    scale_factor: f64,
    run: Run,
    #[pyo3(attribute("_ground"))]
    ground: Option<Py<Ground>>,
}

/// Writes points to a file in the format that its ending names, and returns warnings. The file appears only
/// when it is complete.
#[pyfunction]
pub(crate) fn write(
    py: Python<'_>,
    path: PathBuf,
    points: Points<'_>,
    rotate: bool,
    scale: Option<(f64, f64)>,
    by_value: bool,
    align: bool,
) -> PyResult<Vec<String>> {
    let Some(format) = Format::from_path(&path) else {
        let names = Format::ALL.iter().map(|f| f.extension());
        // Written by the package's Python files.
        let names: Vec<&str> = names.chain(["parquet"]).collect();
        let problem = format!("the name must end in one of .{}", names.join(", ."));
        return Err(refused(&path, problem).into());
    };
    let run = &points.run;
    let rule = rule_of(&run.rule)?;
    let domain = runs::window(run.bounds)?;
    let (algorithm, version) = (run.algorithm.as_str(), run.algorithm_version);
    let mut header = Header::new(algorithm, version, run.seed, rule, domain);
    header.edges = runs::edges(run.tile);
    header.scale_factor = points.scale_factor;
    header.y_axis = if run.y_up { YAxis::Up } else { YAxis::Down };
    header.crs.clone_from(&run.crs);
    header.columns.ids = match algorithm {
        "bridson" => Ids::Counted,
        _ => Ids::Hashed,
    };
    if points.rank.is_some() {
        header.columns.rank = Presence::Write;
    }
    if points.layer.is_some() {
        header.columns.layer = Presence::Write;
    }
    header.layers.clone_from(&run.layers);
    header.placing = placing(run.seed, rotate, scale, by_value)?;
    header.placing.ground = points.ground.as_ref().map(|ground| ground.get().heights());
    if align {
        header.placing.stance = Stance::Normal;
    }
    let samples = samples(py, &points)?;
    let least = samples.iter().map(|sample| sample.min_dist);
    let rounded = format.single_precision(&header, least.fold(f64::INFINITY, f64::min));
    let unit = header.crs.as_deref().map(unit_of_system);
    let scaled = unit
        .filter(|_| format.is_in_metres())
        .and_then(CellUnit::in_metres);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system removes the permissions that the umask forbids.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // Held by this call, so that an interrupted one removes it even if the process ends at once.
    let draft = builder.prefix(".spinney-").tempfile_in(folder);
    let draft = draft.map_err(|e| system_error(&path, &e))?;
    let file = draft.as_file().try_clone();
    let file = file.map_err(|e| system_error(&path, &e))?;
    let name = path.clone();
    let made = watch::run(py, None, None, move |watch| {
        let mut out = BufWriter::new(&file);
        let mut writer = export::open(format, &mut out, &header).map_err(|e| refused(&name, e))?;
        let wanted = samples
            .into_iter()
            .take_while(|_| watch.go_on().is_continue());
        let written = export::write_all(&mut writer, wanted);
        drop(writer);
        written.map_err(|e| refused(&name, e))?;
        out.flush().map_err(|e| system_error(&name, &e))?;
        drop(out);
        file.sync_all().map_err(|e| system_error(&name, &e))
    })?;
    made?;
    draft
        .persist(&path)
        .map_err(|e| system_error(&path, &e.error))?;
    let subject = Subject::new(Role::Output, path.display().to_string(), &NAMES);
    let cannot_tilt = align && format == Format::Unity;
    let no_tilt = cannot_tilt.then_some(Diagnostic::NoTilt);
    let found = no_tilt.into_iter().chain(rounded).chain(scaled);
    Ok(told(found, &subject))
}

/// Returns the options for placing objects at points of a run.
fn placing(seed: u64, rotate: bool, scale: Option<(f64, f64)>, by_value: bool) -> Outcome<Placing> {
    let scale = scale.map(|(lo, hi)| {
        let by = if by_value {
            ScaleBy::Value
        } else {
            ScaleBy::Random
        };
        Scale::new(lo, hi, by).map_err(|_| {
            let value = format!(
                "{}..{}",
                density::numbers::plain(lo),
                density::numbers::plain(hi)
            );
            let problem = if lo > hi {
                "give the least and then the greatest, like (0.8, 1.2)"
            } else {
                "both must be above 0 and below 3.4e38"
            };
            Refused::option("scale", value, problem)
        })
    });
    Ok(Placing {
        seed,
        turn: if rotate { Turn::Random } else { Turn::Keep },
        scale: scale.transpose()?,
        ..Placing::default()
    })
}

/// Returns the rotation of each point, degrees counter-clockwise, and its scale, as files contain them.
#[pyfunction]
pub(crate) fn placed<'py>(
    py: Python<'py>,
    points: Points<'_>,
    rotate: bool,
    scale: Option<(f64, f64)>,
    by_value: bool,
) -> PyResult<TwoColumns<'py>> {
    let placing = placing(points.run.seed, rotate, scale, by_value)?;
    let samples = samples(py, &points)?;
    let (turns, scales): (Vec<f64>, Vec<f64>) = watch::run(py, None, None, move |watch| {
        let wanted = samples.iter().take_while(|_| watch.go_on().is_continue());
        let placed = wanted.map(|sample| placing.placed(sample));
        placed.map(|placed| (placed.turn, placed.scale)).unzip()
    })?;
    Ok((
        PyArray1::from_vec(py, turns),
        PyArray1::from_vec(py, scales),
    ))
}

/// Two columns.
type TwoColumns<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Number of points between two checks of the interpreter's signals.
const BATCH: usize = 1 << 20;

/// Converts columns to samples, without holding the interpreter's lock.
fn samples(py: Python<'_>, points: &Points<'_>) -> PyResult<Vec<Sample<2>>> {
    let xy = points.xy.as_array();
    let count = xy.nrows();
    let (id, min_dist, value) = (
        points.id.as_array(),
        points.min_dist.as_array(),
        points.value.as_array(),
    );
    let rank = points.rank.as_ref().map(|r| r.as_array());
    let layer = points.layer.as_ref().map(|l| l.as_array());
    let parent = points.parent.as_ref().map(|p| p.as_array());
    let more = [&rank, &layer].map(|c| c.as_ref().map_or(count, ArrayView1::len));
    let parents = parent.as_ref().map_or(count, ArrayView1::len);
    let lengths = [id.len(), min_dist.len(), value.len(), parents];
    if xy.ncols() != 2 || lengths.iter().chain(&more).any(|&n| n != count) {
        let problem = "points: all columns must be as long as xy, which has two columns";
        return Err(Refused::new(problem).into());
    }
    let sample = |i| Sample {
        id: id[i],
        position: [xy[[i, 0]], xy[[i, 1]]],
        min_dist: min_dist[i],
        value: value[i],
        parent: parent.as_ref().and_then(|p| u64::try_from(p[i]).ok()),
        rank: rank.as_ref().map(|r| r[i]),
        layer: layer.as_ref().map(|l| l[i]),
    };
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        let batch = samples.len()..count.min(samples.len() + BATCH);
        py.detach(|| samples.extend(batch.map(sample)));
        py.check_signals()?;
    }
    Ok(samples)
}
