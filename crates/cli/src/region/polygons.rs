//! Reads the polygons of a region.

use super::{BYTES_PER_BYTE, PolygonInfo, PolygonUnits, RegionArgs, RegionInfo, Regions};
use crate::failure::Failure;
use crate::memory;
use crate::place::WorldPlacement;
use crate::source::{self, extension};
use crate::warnings::POLYGON;
use density::diagnostic::{
    Diagnostic, Role, Subject, Warning, corners, in_degrees, may_be_degrees, misplaced_polygons,
};
use density::polygons::{OutlineError, Outlines, Polygon, PolygonError, Polygons, system_of_world};
use density::{Bounds, Region, Share, YAxis};
use std::collections::BTreeSet;
use std::path::Path;

/// The tolerance for flattening curves, relative to the world's longer side: the same in `sample` and in
/// `verify`.
const TOLERANCE: f64 = 1.0 / 65_536.0;

/// Reads the polygons, if there are any.
pub(crate) fn read(
    args: &RegionArgs,
    placement: &WorldPlacement,
    regions: &mut Regions,
    info: &mut RegionInfo,
) -> Result<(), Failure> {
    let Some(path) = args.polygon.first() else {
        return Ok(());
    };
    let (mut all, mut others) = (Vec::new(), Vec::new());
    // A drawing's page always covers the world, but other numbers may be in other units than the world's.
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let map = placement.crs();
    let mut systems = BTreeSet::new();
    for path in &args.polygon {
        let (outlines, units) = outlines(path, args.polygon_units, placement)?;
        let rings = outlines.polygons.iter().flat_map(Polygon::rings);
        if units == PolygonUnits::World {
            for corner in rings.clone().flatten() {
                min = [0, 1].map(|a| min[a].min(corner[a]));
                max = [0, 1].map(|a| max[a].max(corner[a]));
            }
        }
        let subject = Subject::new(Role::Polygon, path.display().to_string(), &POLYGON);
        let other = outlines.other_system(map.as_deref());
        systems.extend(outlines.crs);
        others.extend(other.clone());
        let notes = outlines.notes.into_iter().chain(other);
        info.warnings.extend(notes.map(|note| note.about(&subject)));
        info.polygons.push(PolygonInfo {
            file: path.display().to_string(),
            polygons: outlines.polygons.len(),
            corners: rings.map(Vec::len).sum(),
            units,
            passed_over: outlines.passed_over,
        });
        all.extend(outlines.polygons);
    }
    let failed = |problem: &dyn std::fmt::Display| match &*args.polygon {
        [path] => Failure::file("--polygon ", path, problem),
        _ => Failure::file(
            "--polygon ",
            path,
            format!("together with the other files: {problem}"),
        ),
    };
    let polygons = Polygons::new(all).map_err(|e| failed(&e))?;
    if polygons.share_in(&placement.world) == Share::None {
        let problem = if let Some(Diagnostic::OtherSystem { own, map }) = others.first() {
            format!(
                "no polygon lies in the world: the file is in {own}, the map in {map}; reproject it \
                 with ogr2ogr -t_srs"
            )
        } else if info.polygons.iter().all(|i| i.units == PolygonUnits::Page) {
            "no filled shape lies on its page, which covers the world: move the shapes, or give \
             --polygon-units world if the units are world units"
                .to_owned()
        } else {
            let advice = if may_be_degrees(&placement.world, &polygons.bounds()) {
                ", which look like degrees: reproject them into the map's system with ogr2ogr -t_srs"
            } else {
                ": give --size and --origin, or move them"
            };
            let [world, own] = [placement.world, polygons.bounds()].map(|b| corners(&b));
            format!(
                "no polygon lies in the world, which covers {world}; the polygons cover {own}{advice}"
            )
        };
        return Err(failed(&problem));
    }
    if let Ok(bounds) = Bounds::new(min, max) {
        let systems = Some(&systems).filter(|_| map.is_none());
        info.warnings
            .extend(misplaced(args, placement, &bounds, systems));
    }
    info.crs = system_of_world(&systems, placement.y_axis);
    regions.push(Box::new(polygons));
    Ok(())
}

/// Returns warnings about possibly misplaced polygons. `systems` are their coordinate systems, if no map names one.
fn misplaced(
    args: &RegionArgs,
    placement: &WorldPlacement,
    polygons: &Bounds<2>,
    systems: Option<&BTreeSet<String>>,
) -> Vec<Warning> {
    let files: Vec<String> = args
        .polygon
        .iter()
        .map(|p| p.display().to_string())
        .collect();
    let subject = Subject::new(Role::Polygon, files.join(", "), &POLYGON);
    let mut found = misplaced_polygons(&placement.world, placement.y_axis, polygons);
    // Drawings are turned with the map.
    if args.polygon.iter().all(|path| extension(path) == "svg") {
        found.retain(|found| *found != Diagnostic::RowsDown);
    }
    let mut systems = systems.into_iter().flatten();
    found.extend(systems.find_map(|system| in_degrees(system, polygons)));
    found.into_iter().map(|d| d.about(&subject)).collect()
}

/// Reads the polygons of a file, and returns the units in which its numbers were read.
fn outlines(
    path: &Path,
    units: Option<PolygonUnits>,
    placement: &WorldPlacement,
) -> Result<(Outlines, PolygonUnits), Failure> {
    let extension = extension(path);
    if !matches!(&*extension, "svg" | "geojson" | "json") {
        let problem = "the name must end in .geojson, .json or .svg";
        return Err(Failure::usage("--polygon", path.display(), problem));
    }
    let failed = |problem: &dyn std::fmt::Display| Failure::file("--polygon ", path, problem);
    let limit = memory::available().unwrap_or(u64::MAX) / BYTES_PER_BYTE;
    let bytes = source::read_file("--polygon ", path, "GeoJSON or SVG", limit)?;
    let text = String::from_utf8(bytes).map_err(|_| failed(&"the file is not UTF-8 text"))?;
    if extension != "svg" {
        let read = Outlines::from_geojson(&text).map_err(|e| failed(&e))?;
        return Ok((read, PolygonUnits::World));
    }
    let tolerance = TOLERANCE * placement.world.longest_side();
    let on_page = || Outlines::from_svg_page(&text, &placement.world, tolerance);
    let in_units = || Outlines::from_svg(&text, tolerance);
    let (read, units) = match units {
        Some(PolygonUnits::World) => (in_units(), PolygonUnits::World),
        Some(PolygonUnits::Page) => (on_page(), PolygonUnits::Page),
        None => match on_page() {
            Err(OutlineError::NoPage) => {
                let mut read = in_units();
                if let Ok(outlines) = &mut read {
                    outlines.notes.push(Diagnostic::NoPage);
                }
                (read, PolygonUnits::World)
            }
            read => (read, PolygonUnits::Page),
        },
    };
    let mut outlines = read.map_err(|e| failed(&e))?;
    if placement.y_axis == YAxis::Up {
        let polygons = outlines.polygons.into_iter();
        let turned: Result<_, PolygonError> = polygons.map(|p| turned(&p, placement)).collect();
        outlines.polygons = turned.map_err(|e| failed(&e))?;
    }
    Ok((outlines, units))
}

/// Turns a polygon upside down in the world, like the map's picture and the drawings that we write.
fn turned(polygon: &Polygon, placement: &WorldPlacement) -> Result<Polygon, PolygonError> {
    let (min, max) = (placement.world.min()[1], placement.world.max()[1]);
    let turn = |&[x, y]: &[f64; 2]| [x, max - (y - min)];
    let rings = polygon.rings().iter();
    let rings = rings.map(|ring| ring.iter().map(turn).collect());
    Polygon::new(rings.collect(), polygon.fill())
}
