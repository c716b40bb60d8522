//! Reads polygons from text: `GeoJSON` and SVG.

mod error;
#[cfg(feature = "geojson")]
mod geojson;
#[cfg(feature = "svg")]
mod svg;

pub use error::OutlineError;

use crate::YAxis;
use crate::diagnostic::{Diagnostic, other_system};
use crate::polygons::Polygon;
use std::collections::BTreeSet;

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

/// Returns the coordinate system that files of polygons give to a world without another place: the only one of the
/// `systems` that they name, if it is an authority and a code. There is none where y runs down.
///
/// ```
/// use spinney_density::YAxis;
/// use spinney_density::polygons::system_of_world;
///
/// let system = |names: &[&str], y_axis| {
///     let systems = names.iter().map(ToString::to_string).collect();
///     system_of_world(&systems, y_axis)
/// };
/// assert_eq!(system(&["EPSG:32633"], YAxis::Up).as_deref(), Some("EPSG:32633"));
/// assert_eq!(system(&["EPSG:32633"], YAxis::Down), None);
/// assert_eq!(system(&["EPSG:32633", "EPSG:32632"], YAxis::Up), None);
/// assert_eq!(system(&["WGS 84 / UTM zone 33N"], YAxis::Up), None);
/// assert_eq!(system(&["EPSG:"], YAxis::Up), None);
/// ```
pub fn system_of_world(systems: &BTreeSet<String>, y_axis: YAxis) -> Option<String> {
    let only = systems.first().filter(|_| systems.len() == 1)?;
    let (authority, code) = only.split_once(':')?;
    let is_known = !authority.is_empty() && !code.is_empty() && !code.contains(':');
    (is_known && y_axis == YAxis::Up).then(|| only.clone())
}
