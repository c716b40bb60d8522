//! Files of points.

use crate::field::told;
use crate::ground::Ground;
use crate::options::rule_of;
use crate::places::{Corners, NAMES};
use crate::refused::{Outcome, Refused};
use crate::{runs, watch};
use density::YAxis;
use density::decode::unit_of_system;
use density::diagnostic::{CellUnit, Diagnostic, Role, Subject};
use export::{Format, Header, Ids, Placing, Presence, Scale, ScaleBy, Stance, Turn};
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use sampler::Sample;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Returns the system's error as Python raises it (`FileNotFoundError` and so on), with the path.
pub(crate) fn system_error(path: &Path, error: &std::io::Error) -> PyErr {
    let text = error.to_string();
    // tempfile's errors go on with the path of the draft.
    let (text, rest) = text.split_once(" (os error ").unwrap_or((&text, ""));
    let Some(code) = rest.split(')').next().and_then(|n| n.parse::<i32>().ok()) else {
        return PyOSError::new_err(format!("{}: {text}", path.display()));
    };
    // Python chooses the class by the number, and adds the number to the message.
    PyOSError::new_err((code, text.to_owned(), path.as_os_str().to_owned()))
}

/// Returns the refusal of a file.
pub(crate) fn refused(path: &Path, problem: impl std::fmt::Display) -> Refused {
    Refused::new(format!("{}: {problem}", path.display()))
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
