//! Polygons out of text: `GeoJSON` and SVG.

mod error;
#[cfg(feature = "geojson")]
mod geojson;
#[cfg(feature = "svg")]
mod svg;

pub use error::OutlineError;

use crate::diagnostic::{Diagnostic, other_system};
use crate::polygons::Polygon;

/// The polygons of a file, and what else is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlines {
    /// In the file's order; at least one.
    pub polygons: Vec<Polygon>,
    /// How many geometries (shapes) were passed over because they have no inside: points, lines,
    /// text, what a drawing fills with nothing.
    pub passed_over: usize,
    /// The coordinate system that the file names, by authority and code like `EPSG:32633`, or as it
    /// stands where it is written otherwise. Nothing is moved because of it.
    pub crs: Option<String>,
    /// What of a drawing was left out by name, or may lie otherwise than it was meant.
    pub notes: Vec<Diagnostic>,
}

impl Outlines {
    /// Returns that the polygons are in another coordinate system than the map, which is in `map`, where
    /// both are named.
    pub fn other_system(&self, map: Option<&str>) -> Option<Diagnostic> {
        other_system(self.crs.as_deref(), map)
    }
}
