//! Reads polygons from text: `GeoJSON` and SVG.

mod error;
#[cfg(feature = "geojson")]
mod geojson;
#[cfg(feature = "svg")]
mod svg;

pub use error::OutlineError;

use crate::diagnostic::{Diagnostic, other_system};
use crate::polygons::Polygon;

/// The polygons of a file, with counts and notes on the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlines {
    /// The polygons in the file's order; at least one.
    pub polygons: Vec<Polygon>,
    /// Number of geometries (shapes) passed over because they have no inside: points, lines, text, shapes without a
    /// fill.
    pub passed_over: usize,
    /// The coordinate system named in the file: authority and code, like `EPSG:32633`, or as written if the name has
    /// another form. Coordinates are not converted.
    pub crs: Option<String>,
    /// Notes on parts of a drawing that were left out, or that may lie elsewhere than intended.
    pub notes: Vec<Diagnostic>,
}

impl Outlines {
    /// Returns a warning if the polygons and the map, whose coordinate system is `map`, name different coordinate
    /// systems.
    pub fn other_system(&self, map: Option<&str>) -> Option<Diagnostic> {
        other_system(self.crs.as_deref(), map)
    }
}
