//! The metadata of a file.

use crate::{ExportError, Placing};
use density::{Bounds, YAxis};
use sampler::{Edges, Rule};
use serde::Serialize;

/// The metadata of the run that made the points of a file, and the file's optional columns.
///
/// JSON, PLY and SVG carry all of the metadata; CSV and NPY cannot, and hold the columns only.
///
/// ```
/// # use spinney_export as export;
/// use density::Bounds;
/// use export::{Format, Header, open};
/// use sampler::Rule;
/// use std::io::Cursor;
///
/// let world = Bounds::from_size([1000.0, 1000.0])?;
/// let header = Header {
///     window: Some(Bounds::from_size([100.0, 100.0])?),
///     crs: Some("EPSG:32633".to_owned()),
///     ..Header::new("scatter", 1, 7, Rule::Mean, world)
/// };
/// let mut json = Vec::new();
/// open(Format::Json, Cursor::new(&mut json), &header)?.finish()?;
/// let json = String::from_utf8(json)?;
/// assert!(json.contains(r#""seed":7,"rule":"mean""#) && json.contains("EPSG:32633"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Header<const D: usize> {
    /// The algorithm's name, such as `bridson`.
    pub algorithm: String,
    /// Version of the algorithm: another version may give other points.
    pub algorithm_version: u32,
    /// The seed.
    pub seed: u64,
    /// The conflict rule that the points obey.
    pub rule: Rule,
    /// The domain, world units.
    pub domain: Bounds<D>,
    /// The kind of the domain's edges.
    pub edges: Edges,
    /// The part of the domain whose points the file holds; `None` if it holds all.
    pub window: Option<Bounds<D>>,
    /// The factor of all distances of the map, as `Scaled` applies it; 1 for none.
    pub scale_factor: f64,
    /// The direction of y. Coordinates are written as they are; SVG flips the picture.
    pub y_axis: YAxis,
    /// The coordinate system of positions, by authority and code like `EPSG:32633`; `None` if
    /// unknown. JSON, `GeoJSON` and `GeoParquet` write it with the metadata of the run. `GeoJSON` names
    /// it in its own `crs` too; that of `GeoParquet` must be a full definition, not a code.
    pub crs: Option<String>,
    /// The optional columns.
    pub columns: Columns,
    /// The transforms of instances at the points.
    pub placing: Placing,
    /// Names of the layers, by number, for formats that name nodes or prototypes. A layer without a
    /// name is called by its number.
    pub layers: Vec<String>,
    /// sRGB colours of the layers, by number, for formats with colours; `None` or no entry stands for
    /// a colour from a palette. SVG stays black if no layer has one.
    pub colours: Vec<Option<[u8; 3]>>,
}

impl<const D: usize> Header<D> {
    /// Creates a header with the columns that `rule` needs, and y downwards.
    pub fn new(
        algorithm: impl Into<String>,
        algorithm_version: u32,
        seed: u64,
        rule: Rule,
        domain: Bounds<D>,
    ) -> Self {
        Self {
            algorithm: algorithm.into(),
            algorithm_version,
            seed,
            rule,
            domain,
            edges: Edges::Open,
            window: None,
            scale_factor: 1.0,
            y_axis: YAxis::Down,
            crs: None,
            columns: Columns::for_rule(rule),
            placing: Placing::default(),
            layers: Vec::new(),
            colours: Vec::new(),
        }
    }

    /// Returns the part of the domain that the file's points lie in.
    pub(crate) fn part(&self) -> Bounds<D> {
        let window = self.window.as_ref();
        let inside = window.and_then(|window| self.domain.intersection(window));
        inside.unwrap_or(self.domain)
    }

    /// Returns the metadata of the run as JSON, for the format named `output`.
    pub(crate) fn json(&self, output: &'static str) -> Result<String, ExportError> {
        let corners = |part: &Bounds<D>| BoxJson {
            min: part.min().to_vec(),
            max: part.max().to_vec(),
        };
        serde_json::to_string(&RunJson {
            version: VERSION,
            algorithm: &self.algorithm,
            algorithm_version: self.algorithm_version,
            seed: self.seed,
            rule: self.rule.name(),
            dimensions: D,
            y_axis: y_axis_name(self.y_axis),
            crs: self.crs.as_deref(),
            domain: corners(&self.domain),
            tile: self.edges == Edges::Tiled,
            window: self.window.as_ref().map(corners),
            scale_factor: (self.scale_factor != 1.0).then_some(self.scale_factor),
        })
        .map_err(|e| ExportError::io(output, e))
    }

    /// Returns the metadata of the run as printable ASCII lines `name value`, for comments.
    pub(crate) fn lines(&self) -> Vec<String> {
        let corner = |p: [f64; D]| p.map(|x| format!("{x:?}")).join(" ");
        let mut lines = vec![
            format!("spinney {VERSION}"),
            format!("algorithm {}", printable(&self.algorithm)),
            format!("algorithm_version {}", self.algorithm_version),
            format!("seed {}", self.seed),
            format!("rule {}", self.rule.name()),
            format!("dimensions {D}"),
            format!("y_axis {}", y_axis_name(self.y_axis)),
            format!("domain_min {}", corner(self.domain.min())),
            format!("domain_max {}", corner(self.domain.max())),
        ];
        if self.edges == Edges::Tiled {
            lines.push("tile true".to_owned());
        }
        if let Some(window) = &self.window {
            lines.push(format!("window_min {}", corner(window.min())));
            lines.push(format!("window_max {}", corner(window.max())));
        }
        if self.scale_factor != 1.0 {
            lines.push(format!("scale_factor {:?}", self.scale_factor));
        }
        lines
    }
}

/// The optional columns, in file order, after `id, x, y, (z,) min_dist, value`. The columns of
/// [`Placing`] follow them.
///
/// For a point without a value in an optional column, CSV has an empty field, JSON `null`, SVG no
/// attribute, PLY and NPY -1.
///
/// ```
/// # use spinney_export as export;
/// use density::Bounds;
/// use export::{Columns, CsvWriter, Header, PointWriter, Presence};
/// use sampler::Rule;
///
/// let mut header = Header::new("scatter", 1, 0, Rule::Max, Bounds::from_size([10.0, 10.0])?);
/// header.columns = Columns { rank: Presence::Write, layer: Presence::Write, ..header.columns };
/// let mut out = Vec::new();
/// CsvWriter::new(&mut out, &header)?.finish()?;
/// assert_eq!(out, b"id,x,y,min_dist,value,rank,layer\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The kind of ids, which determines how formats without 64-bit integers hold them.
    pub ids: Ids,
    /// `parent`: the `id` of the point around which the point was drawn. Files made under
    /// [`Rule::Parent`] cannot be checked without it.
    pub parent: Presence,
    /// `rank`: the level of detail; 0 is the coarsest.
    pub rank: Presence,
    /// `layer`: the species, from 0.
    pub layer: Presence,
}

impl Columns {
    /// Returns the columns needed to check the points of a file against `rule`.
    pub fn for_rule(rule: Rule) -> Self {
        Self {
            parent: if rule == Rule::Parent {
                Presence::Write
            } else {
                Presence::Omit
            },
            ..Self::default()
        }
    }
}

/// The kind of the points' ids.
///
/// [`ExportError`] shows what happens to a hash that is written as a counted id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// Numbers up to 2^53, such as positions in an order. All formats write them as plain numbers
    /// in one column `id`. JSON and PLY refuse greater ones.
    #[default]
    Counted,
    /// Any 64 bits, such as hashes. CSV, SVG and NPY write them like counted ids. JSON has them in
    /// quotes, because most of its readers support doubles only. PLY has no 64-bit integers: two
    /// columns `id_hi` and `id_lo` of 32 bits each replace `id`.
    Hashed,
}

/// Whether an optional column is in the file.
///
/// See [`Columns`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// The column is not in the file.
    #[default]
    Omit,
    /// The column is in the file.
    Write,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn y_axis_name(y_axis: YAxis) -> &'static str {
    match y_axis {
        YAxis::Down => "down",
        YAxis::Up => "up",
    }
}

/// Replaces characters that would end a comment's line or that an ASCII header cannot hold.
fn printable(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c == ' ' || c.is_ascii_graphic() {
                c
            } else {
                '?'
            }
        })
        .collect()
}

#[derive(Serialize)]
struct RunJson<'a> {
    version: &'static str,
    algorithm: &'a str,
    algorithm_version: u32,
    seed: u64,
    rule: &'static str,
    dimensions: usize,
    y_axis: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    crs: Option<&'a str>,
    domain: BoxJson,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tile: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<BoxJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale_factor: Option<f64>,
}

#[derive(Serialize)]
struct BoxJson {
    min: Vec<f64>,
    max: Vec<f64>,
}
