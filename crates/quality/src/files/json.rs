//! Reads JSON and `GeoJSON`, one value at a time, without a tree of the whole.

use super::table::{Cell, Column, Table};
use super::{Format, Place, PointFile, ReadError, RunInfo, rule_named, y_axis_named};
use crate::domain::Edges;
use density::YAxis;
use density::diagnostic::system_named;
use sampler::Rule;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

pub(super) fn read(bytes: &[u8], format: Format) -> Result<PointFile, ReadError> {
    let place = |error: &serde_json::Error| Place::LineColumn(error.line(), error.column());
    let malformed = |error: &serde_json::Error| {
        format.malformed(place(error), without_place(&error.to_string()))
    };
    // The order of an object's members has no meaning, so these are read before the points.
    let head: Head = match bytes.trim_ascii_start().first() {
        Some(b'{') => serde_json::from_slice(bytes).map_err(|e| malformed(&e))?,
        _ => Head::default(),
    };
    let mut file = File {
        table: Table::new(format),
        run: head.spinney,
        has_features: false,
        refused: None,
    };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let outcome = Top(&mut file)
        .deserialize(&mut json)
        .and_then(|()| json.end());
    if let Err(error) = outcome {
        return Err(match file.refused {
            Some(refused) => at(refused, place(&error)),
            None => malformed(&error),
        });
    }
    let corners = |part: Option<Corners>| part.map(|part| [part.min, part.max]);
    let is_foreign = file.has_features && file.run.is_none();
    let run = file.run.unwrap_or_default();
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
    if file.has_features && run.y_axis == Some(YAxis::Down) {
        file.table.turn();
    }
    file.table.finish(run)
}

/// Returns `error` with its position, which is known only after the parser has stopped.
fn at(mut error: ReadError, new: Place) -> ReadError {
    if let ReadError::Malformed { place, .. } | ReadError::BadNumber { place, .. } = &mut error {
        *place = new;
    }
    error
}

fn without_place(problem: &str) -> String {
    let end = problem.rfind(" at line ").unwrap_or(problem.len());
    problem[..end].to_owned()
}

const NOWHERE: Place = Place::Offset(0);

struct File {
    table: Table,
    run: Option<Run>,
    has_features: bool,
    refused: Option<ReadError>,
}

impl File {
    /// Stores the actual error: the parser's own error can only hold text.
    fn keep<E: de::Error>(&mut self, result: Result<(), ReadError>) -> Result<(), E> {
        result.map_err(|error| {
            self.refused = Some(error);
            E::custom("refused")
        })
    }

    fn add<E: de::Error>(&mut self, column: Column, cell: Cell) -> Result<(), E> {
        let added = self.table.add(column, cell, NOWHERE);
        self.keep(added)
    }

    fn end_row<E: de::Error>(&mut self) -> Result<(), E> {
        let ended = self.table.end_row(NOWHERE);
        self.keep(ended)
    }

    fn add_feature<E: de::Error>(&mut self, feature: Feature) -> Result<(), E> {
        let Feature {
            geometry,
            properties,
        } = feature;
        let (kind, coordinates) = geometry
            .map(|geometry| (geometry.kind, geometry.coordinates))
            .unwrap_or_default();
        let serde_json::Value::Array(coordinates) = coordinates else {
            return Err(E::custom("a feature has no coordinates"));
        };
        let properties = properties.unwrap_or_default();
        match kind.as_str() {
            "Point" => self.add_point(&coordinates, &properties),
            "MultiPoint" => coordinates.iter().try_for_each(|point| match point {
                serde_json::Value::Array(point) => self.add_point(point, &properties),
                _ => Err(E::custom("a feature has no coordinates")),
            }),
            _ => {
                let problem = format!("a feature is a {kind}, but must be a Point or MultiPoint");
                Err(E::custom(problem))
            }
        }
    }

    fn add_point<E: de::Error>(
        &mut self,
        coordinates: &[serde_json::Value],
        properties: &Properties,
    ) -> Result<(), E> {
        let axes = [Column::X, Column::Y, Column::Z];
        if coordinates.len() > axes.len() {
            return Err(E::custom("a point has more than three coordinates"));
        }
        // A third coordinate is the height, unless the run was in space.
        let domain = self.run.as_ref().and_then(|run| run.domain.as_ref());
        let count = domain.map_or(2, |domain| domain.min.len());
        // Other programs give other meanings to all names but this one.
        let is_ours = self.run.is_some();
        let is_read =
            |column: &Column| *column == Column::MinDist || (is_ours && !axes.contains(column));
        let properties = properties
            .iter()
            .filter_map(|(name, json)| Some((Column::named(name).filter(is_read)?, json)));
        let coordinates = axes.into_iter().take(count).zip(coordinates);
        for (column, json) in coordinates.chain(properties) {
            let Value(cell) = Value::deserialize(json).map_err(E::custom)?;
            self.add(column, cell)?;
        }
        self.end_row()
    }
}

/// A feature of `GeoJSON`.
#[derive(Deserialize)]
struct Feature {
    geometry: Option<Geometry>,
    properties: Option<Properties>,
}

type Properties = serde_json::Map<String, serde_json::Value>;

#[derive(Deserialize)]
struct Geometry {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    coordinates: serde_json::Value,
}

/// Returns the name of the coordinate system in the member `crs` of `GeoJSON`.
fn system(crs: &serde_json::Value) -> Option<String> {
    Some(system_named(crs.pointer("/properties/name")?.as_str()?))
}

/// The members beside the points.
#[derive(Default, Deserialize)]
struct Head {
    spinney: Option<Run>,
    crs: Option<serde_json::Value>,
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

/// The whole file.
struct Top<'a>(&'a mut File);

impl<'de> DeserializeSeed<'de> for Top<'_> {
    type Value = ();
    fn deserialize<T: Deserializer<'de>>(self, json: T) -> Result<(), T::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Top<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of points, or an object with an array `points` or `features`")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        Array(self.0).visit_seq(seq)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut found = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "points" | "features" => {
                    if found {
                        // Other members of this name mean something else, like a number of points.
                        if map.next_value::<serde_json::Value>()?.is_array() {
                            return Err(de::Error::custom(
                                "the object has a second array `points` or `features`",
                            ));
                        }
                        continue;
                    }
                    self.0.has_features = key == "features";
                    map.next_value_seed(Array(self.0))?;
                    found = true;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if found {
            Ok(())
        } else {
            Err(de::Error::custom(
                "the object has no array `points` or `features`",
            ))
        }
    }
}

/// An array of points or features.
struct Array<'a>(&'a mut File);

impl<'de> DeserializeSeed<'de> for Array<'_> {
    type Value = ();
    fn deserialize<T: Deserializer<'de>>(self, json: T) -> Result<(), T::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Array<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.has_features {
            "an array of features"
        } else {
            "an array of points"
        })
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Item(self.0))?.is_some() {}
        Ok(())
    }
}

/// One feature, or one point: `{"x": .., "y": ..}` or `[x, y]`.
struct Item<'a>(&'a mut File);

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = ();
    fn deserialize<T: Deserializer<'de>>(self, json: T) -> Result<(), T::Error> {
        if self.0.has_features {
            json.deserialize_map(self)
        } else {
            json.deserialize_any(self)
        }
    }
}

impl<'de> Visitor<'de> for Item<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.has_features {
            "a feature"
        } else {
            "a point, {\"x\": .., \"y\": ..} or [x, y] or [x, y, z]"
        })
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let file = self.0;
        if file.has_features {
            let feature = Feature::deserialize(de::value::MapAccessDeserializer::new(map))?;
            return file.add_feature(feature);
        }
        while let Some(key) = map.next_key::<String>()? {
            match Column::named(&key) {
                Some(column) => {
                    let Value(cell) = map.next_value()?;
                    file.add(column, cell)?;
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        file.end_row()
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let file = self.0;
        let mut axes = [Column::X, Column::Y, Column::Z].into_iter();
        while let Some(Value(cell)) = seq.next_element()? {
            let Some(column) = axes.next() else {
                return Err(de::Error::custom("a point has more than three coordinates"));
            };
            file.add(column, cell)?;
        }
        file.end_row()
    }
}

/// A number, `null`, or a whole number in quotes: 64-bit ids are written like this for readers with
/// doubles only.
struct Value(Cell);

impl<'de> Deserialize<'de> for Value {
    fn deserialize<T: Deserializer<'de>>(json: T) -> Result<Self, T::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
                Ok(Value(Cell::Whole(n)))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
                Ok(Value(Cell::Number(n as f64)))
            }
            fn visit_f64<E>(self, x: f64) -> Result<Value, E> {
                Ok(Value(Cell::Number(x)))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
                let whole = text.parse().map(|n| Value(Cell::Quoted(n)));
                whole.map_err(|_| E::invalid_type(de::Unexpected::Str(text), &self))
            }
            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value(Cell::Nothing))
            }
        }
        json.deserialize_any(Any)
    }
}
