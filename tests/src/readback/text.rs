//! Reads CSV and JSON.

use super::Point;
use serde::{Deserialize, Deserializer, de::Error};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[serde(deserialize_with = "id")]
    id: u64,
    x: f64,
    y: f64,
    z: Option<f64>,
    min_dist: f64,
    value: f64,
    #[serde(default, deserialize_with = "parent")]
    parent: Option<u64>,
    rank: Option<u32>,
    layer: Option<u32>,
}

/// A JSON number, possibly in quotes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Number(u64),
    Text(String),
}

impl Id {
    fn number<E: Error>(self) -> Result<u64, E> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Text(digits) => digits.parse().map_err(E::custom),
        }
    }
}

fn id<'de, D: Deserializer<'de>>(json: D) -> Result<u64, D::Error> {
    Id::deserialize(json)?.number()
}

fn parent<'de, D: Deserializer<'de>>(json: D) -> Result<Option<u64>, D::Error> {
    Option::<Id>::deserialize(json)?.map(Id::number).transpose()
}

impl From<Record> for Point {
    fn from(record: Record) -> Self {
        Self {
            id: record.id,
            position: [record.x, record.y].into_iter().chain(record.z).collect(),
            min_dist: record.min_dist,
            value: record.value,
            parent: record.parent,
            rank: record.rank,
            layer: record.layer,
        }
    }
}

/// Reads CSV with a line of column names.
///
/// # Panics
/// If the text is not of this form.
pub fn read_csv(bytes: &[u8]) -> Vec<Point> {
    let mut reader = csv::Reader::from_reader(bytes);
    let names: Vec<String> = reader
        .headers()
        .expect("a line of names")
        .iter()
        .map(str::to_owned)
        .collect();
    let order = [
        "id", "x", "y", "z", "min_dist", "value", "parent", "rank", "layer",
    ];
    let places: Vec<usize> = names
        .iter()
        .map(|name| order.iter().position(|o| o == name).expect("a known name"))
        .collect();
    assert!(places.is_sorted(), "columns out of order: {names:?}");
    reader
        .deserialize()
        .map(|record: csv::Result<Record>| record.expect("a good line").into())
        .collect()
}

#[derive(Deserialize)]
struct Document {
    spinney: serde_json::Value,
    points: Vec<Record>,
}

/// Reads the JSON object with `spinney` and `points`.
///
/// # Panics
/// If the text is not of this form.
pub fn read_json(bytes: &[u8]) -> Vec<Point> {
    let document: Document = serde_json::from_slice(bytes).expect("JSON of our shape");
    for key in [
        "version",
        "algorithm",
        "algorithm_version",
        "seed",
        "rule",
        "domain",
    ] {
        assert!(document.spinney.get(key).is_some(), "no {key}");
    }
    document.points.into_iter().map(Point::from).collect()
}
