//! Reads JSON and `GeoJSON`, one point at a time, without a tree of the whole.

use super::table::{Cell, Column, Table};
use super::{Format, Place, PointFile, ReadError, RunInfo, rule_named, y_axis_named};
use crate::domain::Edges;
use density::YAxis;
use density::diagnostic::system_named;
use sampler::Rule;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt::{self, Formatter};

/// The place of faults whose position is found later, from the item that has them.
const NOWHERE: Place = Place::Offset(0);

const AXES: [Column; 3] = [Column::X, Column::Y, Column::Z];

pub(super) fn read(bytes: &[u8], format: Format) -> Result<PointFile, ReadError> {
    let malformed = |error: serde_json::Error| {
        let place = Place::LineColumn(error.line(), error.column());
        format.malformed(place, without_place(&error.to_string()))
    };
    let head: Head<'_> = match bytes.trim_ascii_start().first() {
        Some(b'[') => Head {
            points: Some(serde_json::from_slice(bytes).map_err(malformed)?),
            ..Head::default()
        },
        _ => serde_json::from_slice(bytes).map_err(malformed)?,
    };
    // Other members of these names mean something else, like a number of points.
    let is_array = |value: &&RawValue| value.get().starts_with('[');
    let (array, has_features) = match (head.points.filter(is_array), head.features.filter(is_array))
    {
        (Some(points), None) => (points, false),
        (None, Some(features)) => (features, true),
        (points, _) => {
            let problem = match points {
                Some(_) => "the object has two arrays `points` and `features`",
                None => "the object has no array `points` or `features`",
            };
            return Err(format.malformed(Place::LineColumn(1, 1), problem));
        }
    };
    let is_ours = head.spinney.is_some();
    let run = head.spinney.unwrap_or_default();
    let mut points = Points {
        format,
        table: Table::new(format),
        is_ours,
        // A third coordinate is the height, unless the run was in space.
        axes: run.domain.as_ref().map_or(2, |domain| domain.min.len()),
    };
    let items: Vec<&RawValue> = serde_json::from_str(array.get()).map_err(malformed)?;
    for item in items {
        let added = if has_features {
            points.add_feature(item)
        } else {
            points.add(item)
        };
        added.map_err(|error| at(error, place_of(bytes, item)))?;
    }
    let is_foreign = has_features && !is_ours;
    let corners = |part: Option<Corners>| part.map(|part| [part.min, part.max]);
    let run = RunInfo {
        rule: run.rule,
        domain: corners(run.domain),
        edges: if run.tile { Edges::Torus } else { Edges::Open },
        window: corners(run.window),
        scale_factor: run.scale_factor,
        crs: run.crs.or_else(|| head.crs.as_ref().and_then(system)),
        y_axis: run.y_axis.or(is_foreign.then_some(YAxis::Up)),
        is_north_by_definition: is_foreign,
    };
    if has_features && run.y_axis == Some(YAxis::Down) {
        points.table.turn();
    }
    points.table.finish(run)
}

/// Returns `error` with its position.
fn at(mut error: ReadError, new: Place) -> ReadError {
    if let ReadError::Malformed { place, .. } | ReadError::BadNumber { place, .. } = &mut error {
        *place = new;
    }
    error
}

/// Returns the place where a part of `bytes` begins.
fn place_of(bytes: &[u8], part: &RawValue) -> Place {
    let offset = part.get().as_ptr().addr() - bytes.as_ptr().addr();
    let before = bytes[..offset].rsplit(|b| *b == b'\n');
    let column = before.clone().next().map_or(0, <[u8]>::len);
    Place::LineColumn(before.count(), column + 1)
}

fn without_place(problem: &str) -> String {
    let end = problem.rfind(" at line ").unwrap_or(problem.len());
    problem[..end].to_owned()
}

/// The points read so far.
struct Points {
    format: Format,
    table: Table,
    /// Whether this library wrote the file.
    is_ours: bool,
    /// Number of a feature's coordinates that are read.
    axes: usize,
}

impl Points {
    fn malformed(&self, problem: impl Into<String>) -> ReadError {
        self.format.malformed(NOWHERE, problem)
    }

    fn parsed<'a, T: Deserialize<'a>>(&self, item: &'a RawValue) -> Result<T, ReadError> {
        let parsed = serde_json::from_str(item.get());
        parsed.map_err(|error| self.malformed(without_place(&error.to_string())))
    }

    /// Adds a point: `{"x": .., "y": ..}`, `[x, y]` or `[x, y, z]`.
    fn add(&mut self, point: &RawValue) -> Result<(), ReadError> {
        match point.get().as_bytes().first() {
            Some(b'[') => {
                let coordinates: Vec<Value> = self.parsed(point)?;
                self.add_coordinates(&coordinates, AXES.len())?;
            }
            Some(b'{') => {
                let Members(members) = self.parsed(point)?;
                for (name, json) in &members {
                    if let Some(column) = Column::named(name) {
                        self.add_cell(column, json)?;
                    }
                }
            }
            _ => {
                let problem = "a point must be {\"x\": .., \"y\": ..} or [x, y] or [x, y, z]";
                return Err(self.malformed(problem));
            }
        }
        self.table.end_row(NOWHERE)
    }

    fn add_feature(&mut self, feature: &RawValue) -> Result<(), ReadError> {
        let Feature {
            geometry,
            properties,
        } = self.parsed(feature)?;
        let geometry = geometry.as_ref();
        let Some(Value::Array(coordinates)) = geometry.map(|geometry| &geometry.coordinates) else {
            return Err(self.malformed("a feature has no coordinates"));
        };
        let points: Vec<&[Value]> = match geometry.map_or("", |geometry| &*geometry.kind) {
            "Point" => vec![coordinates],
            "MultiPoint" => {
                let points = coordinates.iter().map(|point| point.as_array());
                let points = points.map(|point| point.map(Vec::as_slice));
                let points: Option<_> = points.collect();
                points.ok_or_else(|| self.malformed("a feature has no coordinates"))?
            }
            kind => {
                let problem = format!("a feature is a {kind}, but must be a Point or MultiPoint");
                return Err(self.malformed(problem));
            }
        };
        let Members(properties) = properties.unwrap_or_default();
        for point in points {
            self.add_coordinates(point, self.axes)?;
            for (name, json) in &properties {
                // Other programs give other meanings to all names but this one.
                let is_read = |column: &Column| {
                    *column == Column::MinDist || (self.is_ours && !AXES.contains(column))
                };
                if let Some(column) = Column::named(name).filter(is_read) {
                    self.add_cell(column, json)?;
                }
            }
            self.table.end_row(NOWHERE)?;
        }
        Ok(())
    }

    /// Adds the first `count` coordinates.
    fn add_coordinates(&mut self, coordinates: &[Value], count: usize) -> Result<(), ReadError> {
        if coordinates.len() > AXES.len() {
            return Err(self.malformed("a point has more than three coordinates"));
        }
        for (column, json) in AXES.into_iter().zip(coordinates).take(count) {
            self.add_cell(column, json)?;
        }
        Ok(())
    }

    /// Adds a number, `null`, or a whole number in quotes: 64-bit ids are written like this for readers with doubles
    /// only.
    fn add_cell(&mut self, column: Column, json: &Value) -> Result<(), ReadError> {
        let cell = match json {
            Value::Null => Some(Cell::Nothing),
            Value::Number(number) => match number.as_u64() {
                Some(whole) => Some(Cell::Whole(whole)),
                None => number.as_f64().map(Cell::Number),
            },
            Value::String(text) => text.parse().ok().map(Cell::Quoted),
            _ => None,
        };
        let cell = cell.ok_or_else(|| ReadError::BadNumber {
            format: self.format.name(),
            place: NOWHERE,
            column: column.name(),
            text: json.to_string().chars().take(40).collect(),
            wanted: "a number",
        })?;
        self.table.add(column, cell, NOWHERE)
    }
}

/// A feature of `GeoJSON`.
#[derive(Deserialize)]
struct Feature {
    geometry: Option<Geometry>,
    properties: Option<Members>,
}

#[derive(Deserialize)]
struct Geometry {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    coordinates: Value,
}

/// The members of an object, each as often as it is there.
#[derive(Default)]
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<T: Deserializer<'de>>(json: T) -> Result<Self, T::Error> {
        struct Visit;

        impl<'de> Visitor<'de> for Visit {
            type Value = Members;

            fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = object.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        json.deserialize_map(Visit)
    }
}

/// Returns the name of the coordinate system in the member `crs` of `GeoJSON`.
fn system(crs: &Value) -> Option<String> {
    Some(system_named(crs.pointer("/properties/name")?.as_str()?))
}

/// The members of the whole. The order of an object's members has no meaning, so the points are read last.
#[derive(Default, Deserialize)]
#[serde(expecting = "an array of points, or an object with an array `points` or `features`")]
struct Head<'a> {
    spinney: Option<Run>,
    crs: Option<Value>,
    #[serde(borrow)]
    points: Option<&'a RawValue>,
    #[serde(borrow)]
    features: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Run {
    #[serde(default, deserialize_with = "rule")]
    rule: Option<Rule>,
    domain: Option<Corners>,
    #[serde(default)]
    tile: bool,
    window: Option<Corners>,
    scale_factor: Option<f64>,
    crs: Option<String>,
    #[serde(default, deserialize_with = "y_axis")]
    y_axis: Option<YAxis>,
}

fn rule<'de, T: Deserializer<'de>>(json: T) -> Result<Option<Rule>, T::Error> {
    named(json, rule_named)
}

fn y_axis<'de, T: Deserializer<'de>>(json: T) -> Result<Option<YAxis>, T::Error> {
    named(json, y_axis_named)
}

/// Reads the name of a value, if there is one.
fn named<'de, T: Deserializer<'de>, V>(
    json: T,
    find: impl Fn(&str) -> Result<V, String>,
) -> Result<Option<V>, T::Error> {
    let name = Option::<String>::deserialize(json)?;
    let found = name.as_deref().map(find).transpose();
    found.map_err(de::Error::custom)
}

#[derive(Deserialize)]
struct Corners {
    min: Vec<f64>,
    max: Vec<f64>,
}
