//! Reads points from files: CSV, JSON, `GeoJSON`, PLY and NPY, from this library or others.

mod csv_file;
mod json;
mod npy;
mod ply;
mod table;

use crate::domain::Edges;
use crate::set::{PointSet, SetError};
use density::YAxis;
use sampler::Rule;
use std::ffi::OsStr;
use std::path::Path;
use thiserror::Error;

/// A file format that can be read.
///
/// ```
/// # use spinney_quality as quality;
/// use quality::files::Format;
/// use std::path::Path;
///
/// assert_eq!(Format::from_path(Path::new("Trees.CSV")), Some(Format::Csv));
/// assert_eq!(Format::from_path(Path::new("trees.png")), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A header line with column names in any order, then numbers. Comma, semicolon or tab. Fields in quotes must end
    /// in their line. Lines before the header may be comments, which begin with `#`.
    Csv,
    /// This library's JSON, or an array of objects with `x` and `y`, or an array of arrays `[x, y]`.
    Json,
    /// A collection of points as features, in world units; heights are dropped. Of the properties in files from
    /// other programs, only `min_dist` counts. A file that is named `.json` may hold it as well.
    GeoJson,
    /// ASCII or binary of either byte order.
    Ply,
    /// A structured array with named fields, or a plain one of shape (n, 2) or (n, 3).
    Npy,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 5] = [Self::Csv, Self::Json, Self::GeoJson, Self::Ply, Self::Npy];

    /// Returns the usual extension of file names, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::GeoJson => "geojson",
            Self::Ply => "ply",
            Self::Npy => "npy",
        }
    }

    /// Returns the format named by a path's extension.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(OsStr::to_str)?;
        Self::ALL
            .into_iter()
            .find(|f| f.extension().eq_ignore_ascii_case(extension))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::GeoJson => "GeoJSON",
            Self::Ply => "PLY",
            Self::Npy => "NPY",
        }
    }

    fn malformed(self, place: Place, problem: impl Into<String>) -> ReadError {
        ReadError::Malformed {
            format: self.name(),
            place,
            problem: problem.into(),
        }
    }
}

/// A file of points.
///
/// See [`read`].
#[derive(Clone, Debug, PartialEq)]
pub struct PointFile {
    /// The points.
    pub points: Points,
    /// Metadata of the run that made the points.
    pub run: RunInfo,
}

/// Points of either dimension.
///
/// See [`read`].
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    /// In the plane.
    Flat(PointSet<2>),
    /// In space.
    Solid(PointSet<3>),
}

/// Metadata of the run that made the points of a file. Only this library's JSON, `GeoJSON` and PLY contain any.
///
/// ```
/// # use spinney_quality as quality;
/// use quality::files::{Format, read};
/// use quality::{Edges, Rule};
///
/// let json = br#"{"spinney": {"rule": "mean", "tile": true}, "points": [{"x": 1.0, "y": 2.0}]}"#;
/// let run = read(json, Format::Json)?.run;
/// assert_eq!((run.rule, run.edges), (Some(Rule::Mean), Edges::Torus));
/// // Another program's points come without.
/// assert_eq!(read(b"[[1.0, 2.0]]", Format::Json)?.run.rule, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInfo {
    /// The rule of the run.
    pub rule: Option<Rule>,
    /// The lowest and the highest corner of the domain, one number per axis.
    pub domain: Option<[Vec<f64>; 2]>,
    /// The kind of the domain's edges.
    pub edges: Edges,
    /// The lowest and the highest corner of the part of the domain whose points the file holds; `None` if it holds all.
    pub window: Option<[Vec<f64>; 2]>,
    /// The factor of all distances of the map; `None` if the file states none.
    pub scale_factor: Option<f64>,
    /// The coordinate system, by authority and code like `EPSG:32633`; only in JSON and
    /// `GeoJSON`.
    pub crs: Option<String>,
    /// The direction of `y` on the picture of a map.
    pub y_axis: Option<YAxis>,
    /// Whether `y_axis` is that of all `GeoJSON`, and not stated by the file.
    pub is_north_by_definition: bool,
}

/// A position in a file, for errors.
///
/// See [`read`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(u64),
    /// A line and a column, from 1.
    LineColumn(usize, usize),
    /// Number of bytes from the beginning.
    Offset(usize),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::LineColumn(line, column) => write!(f, "line {line}, column {column}"),
            Self::Offset(bytes) => write!(f, "byte {bytes}"),
        }
    }
}

/// The reason why a file could not be read.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes do not follow the format.
    #[error("{format}, {place}: {problem}")]
    Malformed {
        /// The format.
        format: &'static str,
        /// Position of the fault.
        place: Place,
        /// Description of the fault.
        problem: String,
    },
    /// A column of coordinates is missing.
    #[error("{format}: no column {column} (found: {found}); name the coordinates x, y and z")]
    MissingColumn {
        /// The format.
        format: &'static str,
        /// Name of the column.
        column: &'static str,
        /// Names of the columns found.
        found: String,
    },
    /// A number is missing, unreadable or of the wrong kind.
    #[error("{format}, {place}: {column} is '{text}', but must be {wanted}")]
    BadNumber {
        /// The format.
        format: &'static str,
        /// Position of the number.
        place: Place,
        /// Name of the column.
        column: &'static str,
        /// The text found.
        text: String,
        /// Description of a valid text.
        wanted: &'static str,
    },
    /// The file is readable, but its points are not a valid set.
    #[error(transparent)]
    Set(#[from] SetError),
}

/// Reads points.
///
/// Columns are found by name, in any case and order: `x`, `y` and optionally `z`, `id` (or its 32-bit halves `id_hi`
/// and `id_lo`), `min_dist`, `parent`, `rank` and `layer`; others are passed over. Points whose `z` are
/// all 0 are read as flat, because some programs write no file without `z`. CSV, JSON and `GeoJSON` may begin with a
/// UTF-8 byte order mark.
///
/// Memory is proportional to the bytes given, not to the counts stated in them. O(n log n).
///
/// ```
/// # use spinney_quality as quality;
/// use quality::files::{Format, Place, Points, ReadError, read};
///
/// let file = read(b"X;Y;min_dist\n0.5;1.5;2\n3.0;1.5;2\n", Format::Csv)?;
/// assert!(matches!(file.points, Points::Flat(set) if set.min_dist() == Some(&[2.0, 2.0])));
/// match read(b"x,y\n1,two\n", Format::Csv) {
///     Err(ReadError::BadNumber { place, column, text, .. }) => {
///         assert_eq!((place, column, text.as_str()), (Place::Line(2), "y", "two"));
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the bytes do not follow the format, a column of coordinates is missing, or [`PointSet::new`] refuses the points.
/// Never panics.
pub fn read(bytes: &[u8], format: Format) -> Result<PointFile, ReadError> {
    // Editors on Windows write a byte order mark.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match format {
        Format::Csv => csv_file::read(text),
        Format::Json | Format::GeoJson => json::read(text, format),
        Format::Ply => ply::read(bytes),
        Format::Npy => npy::read(bytes),
    }
}

/// Returns the y axis of this name in this library's files.
///
/// # Errors
/// If there is none of this name; the error describes the fault.
fn y_axis_named(name: &str) -> Result<YAxis, String> {
    match name {
        "down" => Ok(YAxis::Down),
        "up" => Ok(YAxis::Up),
        _ => Err(format!("y_axis is '{name}', but must be down or up")),
    }
}

/// Returns the rule of this name.
///
/// # Errors
/// If there is none of this name; the error describes the fault.
fn rule_named(name: &str) -> Result<Rule, String> {
    let found = Rule::ALL.into_iter().find(|rule| rule.name() == name);
    found.ok_or_else(|| {
        let names = Rule::ALL.map(Rule::name).join(", ");
        format!("rule is '{name}', but must be one of {names}")
    })
}
