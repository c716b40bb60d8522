//! Points out of files: CSV, JSON, PLY and NPY, ours and others'.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A header line with column names in any order, then numbers. Comma, semicolon or tab.
    Csv,
    /// Ours, or an array of objects with `x` and `y`, or an array of arrays `[x, y]`.
    Json,
    /// ASCII or binary of either byte order.
    Ply,
    /// A structured array with named fields, or a plain one of shape (n, 2) or (n, 3).
    Npy,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Json, Self::Ply, Self::Npy];

    /// The usual ending of file names, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ply => "ply",
            Self::Npy => "npy",
        }
    }

    /// The format that a file's name promises.
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
            Self::Ply => "PLY",
            Self::Npy => "NPY",
        }
    }
}

/// A file of points.
#[derive(Clone, Debug, PartialEq)]
pub struct PointFile {
    /// The points.
    pub points: Points,
    /// What the file says of the run that made them.
    pub run: RunInfo,
}

/// Points of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    /// In the plane.
    Flat(PointSet<2>),
    /// In space.
    Solid(PointSet<3>),
}

/// What a file says of the run that made its points: JSON and PLY of ours do, others do not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInfo {
    /// The rule that the points are said to obey.
    pub rule: Option<Rule>,
    /// The lowest and the highest corner of the box that was filled, one number per axis.
    pub domain: Option<[Vec<f64>; 2]>,
    /// What happens at the edges of that box.
    pub edges: Edges,
    /// The lowest and the highest corner of the part of that box whose points the file holds; `None` where it
    /// holds all.
    pub window: Option<[Vec<f64>; 2]>,
    /// The coordinate system, by authority and code like `EPSG:32633`; only JSON says it.
    pub crs: Option<String>,
    /// Which way `y` runs over the picture of a map.
    pub y_axis: Option<YAxis>,
}

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(u64),
    /// A line and a column, from 1.
    LineColumn(usize, usize),
    /// Bytes from the beginning.
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

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReadError {
    /// The bytes are not what the format asks for.
    #[error("{format}, {place}: {problem}")]
    Malformed {
        /// The format.
        format: &'static str,
        /// Where.
        place: Place,
        /// What is wrong.
        problem: String,
    },
    /// A coordinate's column is not there.
    #[error("{format}: no column {column} (found: {found}); name the coordinates x, y and z")]
    MissingColumn {
        /// The format.
        format: &'static str,
        /// The column.
        column: &'static str,
        /// The columns that are there.
        found: String,
    },
    /// A number is missing, unreadable or of the wrong kind.
    #[error("{format}, {place}: {column} is '{text}', but must be {wanted}")]
    BadNumber {
        /// The format.
        format: &'static str,
        /// Where.
        place: Place,
        /// The column.
        column: &'static str,
        /// What stands there.
        text: String,
        /// What should.
        wanted: &'static str,
    },
    /// Read well, but not a set of points.
    #[error(transparent)]
    Set(#[from] SetError),
}

/// Reads points.
///
/// Columns are found by name, whatever their case and order: `x`, `y` and optionally `z`, `id`
/// (or its halves of 32 bits, `id_hi` and `id_lo`), `min_dist`, `parent`, `rank` and `layer`;
/// others are passed over. A PLY file whose `z` are all 0 is
/// read as flat, because most programs cannot write one without. CSV and JSON may begin with the
/// mark of UTF-8.
///
/// Memory stays proportional to the bytes given, whatever counts they claim. O(n log n).
///
/// # Errors
/// When the bytes are not of the format, a coordinate's column is missing, or the points are
/// refused by [`PointSet::new`]. Never panics.
pub fn read(bytes: &[u8], format: Format) -> Result<PointFile, ReadError> {
    // The mark of UTF-8 that editors on Windows put before a text.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match format {
        Format::Csv => csv_file::read(text),
        Format::Json => json::read(text),
        Format::Ply => ply::read(bytes),
        Format::Npy => npy::read(bytes),
    }
}

/// What our files call it.
fn y_axis_named(name: &str) -> Option<YAxis> {
    match name {
        "down" => Some(YAxis::Down),
        "up" => Some(YAxis::Up),
        _ => None,
    }
}

/// Returns what happens at the edges of a tile, or of a world that ends.
fn edges(is_tile: bool) -> Edges {
    if is_tile { Edges::Torus } else { Edges::Open }
}

pub(crate) fn rule_named(name: &str) -> Option<Rule> {
    Rule::ALL.into_iter().find(|rule| rule.name() == name)
}
