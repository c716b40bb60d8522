//! What a file says about its run.

use crate::Placing;
use density::{Bounds, YAxis};
use sampler::{Edges, Rule};
use serde::Serialize;

/// What a file says about the run that made its points, and which columns it has.
///
/// JSON, PLY and SVG carry all of it; CSV and NPY have no place for it and hold the columns
/// only.
#[derive(Clone, Debug, PartialEq)]
pub struct Header<const D: usize> {
    /// The algorithm's name, such as `bridson`.
    pub algorithm: String,
    /// The version of the algorithm's values; another version may give other points.
    pub algorithm_version: u32,
    /// The seed.
    pub seed: u64,
    /// The conflict rule that the points obey.
    pub rule: Rule,
    /// The box that was filled, world units.
    pub domain: Bounds<D>,
    /// What lies beyond the edges of the box.
    pub edges: Edges,
    /// The part of the box whose points the file holds; `None` where it holds all.
    pub window: Option<Bounds<D>>,
    /// Which way y points. Coordinates are written as they are; SVG turns the picture.
    pub y_axis: YAxis,
    /// The coordinate system that positions are in, by authority and code like `EPSG:32633`; `None`
    /// where nobody says. JSON and `GeoParquet` carry it in what they say of the run: the `crs` of
    /// `GeoParquet` itself is a whole definition, which a code is not.
    pub crs: Option<String>,
    /// The optional columns.
    pub columns: Columns,
    /// What is made of the points besides.
    pub placing: Placing,
    /// The layers' names by number, for the formats that have nodes or prototypes to name; a
    /// layer without one is called by its number.
    pub layers: Vec<String>,
}

impl<const D: usize> Header<D> {
    /// A header with the columns that `rule` needs, and y downwards.
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
            y_axis: YAxis::Down,
            crs: None,
            columns: Columns::for_rule(rule),
            placing: Placing::default(),
            layers: Vec::new(),
        }
    }

    /// The run as JSON.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
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
        })
    }

    /// The run as printable ASCII lines `name value`, for comments.
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
        lines
    }
}

/// The optional columns, in file order, after `id, x, y, (z,) min_dist, value`. Those of
/// [`Placing`] follow them.
///
/// A point that has nothing in one of them has an empty field in CSV, `null` in JSON, no
/// attribute in SVG, and -1 in PLY and NPY.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// What the ids are, which says how formats without 64-bit integers hold them.
    pub ids: Ids,
    /// `parent`: the `id` of the point around which the point was thrown. Without it, files
    /// made under [`Rule::Parent`] cannot be checked.
    pub parent: Presence,
    /// `rank`: the level of detail, 0 the coarsest.
    pub rank: Presence,
    /// `layer`: the species, from 0.
    pub layer: Presence,
}

impl Columns {
    /// What a file needs so that its points can be checked against `rule`.
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

/// What the ids of the points are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// Numbers up to 2^53, such as places in an order: every format has them as plain numbers
    /// in the one column `id`. JSON and PLY refuse a greater one.
    #[default]
    Counted,
    /// Any 64 bits, such as hashes. CSV, SVG and NPY hold them as before; JSON has them in
    /// quotes, because most of its readers know doubles only; PLY has no 64-bit integers, and
    /// has two columns `id_hi` and `id_lo` of 32 bits each in place of `id`.
    Hashed,
}

/// Whether an optional column is in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// It is not.
    #[default]
    Omit,
    /// It is.
    Write,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn y_axis_name(y_axis: YAxis) -> &'static str {
    match y_axis {
        YAxis::Down => "down",
        YAxis::Up => "up",
    }
}

/// A name that can neither end a comment's line nor be refused by an ASCII header.
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
}

#[derive(Serialize)]
struct BoxJson {
    min: Vec<f64>,
    max: Vec<f64>,
}
