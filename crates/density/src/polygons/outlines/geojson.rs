//! Reads `GeoJSON` (RFC 7946).

use super::{OutlineError, Outlines};
use crate::diagnostic::system_named;
use crate::polygons::Polygon;
use ::geojson::{GeoJson, Geometry, GeometryValue, Position};
use serde_json::Value;

const FORMAT: &str = "GeoJSON";

impl Outlines {
    /// Reads the polygons of a `GeoJSON` text: a Polygon, a `MultiPolygon`, a `GeometryCollection`, a Feature or a
    /// `FeatureCollection`.
    ///
    /// In a polygon the first ring is the outline, the others are holes ([`Polygon::with_holes`]): no place in a hole
    /// belongs to the polygon, even if holes overlap or leave the outline. Empty and null geometries are passed over.
    /// Coordinates are world units on a plane, not converted; heights are dropped. The member `crs`, part of the format
    /// until 2016, becomes [`crs`](Self::crs). Memory is proportional to the text.
    ///
    /// ```
    /// use spinney_density::polygons::Outlines;
    ///
    /// let text = r#"{"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}"#;
    /// assert_eq!(Outlines::from_geojson(text)?.polygons[0].rings()[0].len(), 3);
    /// # Ok::<(), spinney_density::polygons::OutlineError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not `GeoJSON` or holds no polygon. If a ring of a polygon is not closed, has fewer than three
    /// different corners, or a coordinate larger than 1e100. Never panics.
    pub fn from_geojson(text: &str) -> Result<Self, OutlineError> {
        // Some programs on Windows write a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let parsed = parse(text).map_err(|e| {
            let problem = match e {
                ::geojson::Error::MalformedGeoJson(e) => e.to_string(),
                other => other.to_string(),
            };
            OutlineError::Malformed {
                format: FORMAT,
                problem,
            }
        })?;
        let members = match &parsed {
            GeoJson::Geometry(geometry) => &geometry.foreign_members,
            GeoJson::Feature(feature) => &feature.foreign_members,
            GeoJson::FeatureCollection(all) => &all.foreign_members,
        };
        let named = members.as_ref().and_then(|members| members.get("crs"));
        let named = named.and_then(|crs| crs.pointer("/properties/name")?.as_str());
        let mut found = Self {
            polygons: Vec::new(),
            passed_over: 0,
            crs: named.map(system_named),
            notes: Vec::new(),
        };
        match parsed {
            GeoJson::Geometry(geometry) => found.add(geometry)?,
            GeoJson::Feature(feature) => found.add_any(feature.geometry)?,
            GeoJson::FeatureCollection(all) => {
                for feature in all.features {
                    found.add_any(feature.geometry)?;
                }
            }
        }
        if found.polygons.is_empty() {
            return Err(OutlineError::NoPolygon {
                format: FORMAT,
                passed_over: found.passed_over,
                what: "geometries",
            });
        }
        Ok(found)
    }

    fn add_any(&mut self, geometry: Option<Geometry>) -> Result<(), OutlineError> {
        if let Some(geometry) = geometry {
            return self.add(geometry);
        }
        self.passed_over += 1;
        Ok(())
    }

    /// Adds the polygons of a geometry. Recurses no deeper than the JSON, whose parser limits its depth.
    fn add(&mut self, geometry: Geometry) -> Result<(), OutlineError> {
        match geometry.value {
            GeometryValue::Polygon { coordinates } => self.add_polygon(coordinates)?,
            GeometryValue::MultiPolygon { coordinates } => {
                self.passed_over += usize::from(coordinates.is_empty());
                for polygon in coordinates {
                    self.add_polygon(polygon)?;
                }
            }
            GeometryValue::GeometryCollection { geometries } => {
                self.passed_over += usize::from(geometries.is_empty());
                for geometry in geometries {
                    self.add(geometry)?;
                }
            }
            GeometryValue::Point { .. }
            | GeometryValue::MultiPoint { .. }
            | GeometryValue::LineString { .. }
            | GeometryValue::MultiLineString { .. } => self.passed_over += 1,
        }
        Ok(())
    }

    fn add_polygon(&mut self, rings: Vec<Vec<Position>>) -> Result<(), OutlineError> {
        if rings.iter().all(Vec::is_empty) {
            self.passed_over += 1;
            return Ok(());
        }
        let polygon = self.polygons.len();
        let mut all = Vec::new();
        for (number, ring) in rings.into_iter().enumerate() {
            let corners: Option<Vec<[f64; 2]>> = ring
                .iter()
                .map(|position| position.as_slice().first_chunk().copied())
                .collect();
            let corners = corners.ok_or_else(|| OutlineError::Malformed {
                format: FORMAT,
                problem: format!("ring {number} of polygon {polygon} has a position without y"),
            })?;
            if let (Some(&first), Some(&last)) = (corners.first(), corners.last())
                && first != last
            {
                return Err(OutlineError::OpenRing {
                    polygon,
                    ring: number,
                    first,
                    last,
                });
            }
            all.push(corners);
        }
        let mut rings = all.into_iter();
        let outline = rings.next().unwrap_or_default();
        // A hole without corners is empty.
        let holes = rings.filter(|ring| !ring.is_empty()).collect();
        let made =
            Polygon::with_holes(outline, holes).map_err(|problem| OutlineError::Polygon {
                format: FORMAT,
                polygon,
                problem,
            })?;
        self.polygons.push(made);
        Ok(())
    }
}

/// Parses a text. The parser of `geojson` counts brackets, and fails on an empty polygon among others: then the text is
/// parsed again without empty arrays.
fn parse(text: &str) -> Result<GeoJson, ::geojson::Error> {
    text.parse().or_else(|first| {
        let Ok(mut value) = serde_json::from_str(text) else {
            return Err(first);
        };
        prune(&mut value);
        serde_json::from_value(value).map_err(|_| first)
    })
}

/// Removes empty arrays from arrays of coordinates, and turns points without coordinates into empty collections.
/// Recurses no deeper than the JSON.
fn prune(value: &mut Value) {
    match value {
        Value::Object(members)
            if members.get("type").is_some_and(|name| name == "Point")
                && members.get("coordinates") == Some(&Value::Array(Vec::new())) =>
        {
            *value = serde_json::json!({"type": "GeometryCollection", "geometries": []});
        }
        Value::Object(members) => {
            for (name, member) in members {
                if name == "coordinates" {
                    prune_empty(member);
                } else if matches!(&**name, "geometry" | "geometries" | "features") {
                    prune(member);
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(prune),
        _ => {}
    }
}

fn prune_empty(value: &mut Value) {
    if let Value::Array(all) = value {
        all.iter_mut().for_each(prune_empty);
        all.retain(|one| !matches!(one, Value::Array(inner) if inner.is_empty()));
    }
}
