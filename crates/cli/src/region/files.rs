//! Reads regions from files.

use super::{
    AvoidInfo, Frame, MaskInfo, PolygonInfo, PolygonUnits, RegionArgs, RegionInfo, Regions,
};
use crate::failure::Failure;
use crate::map_file::{self, MapArgs};
use crate::numbers::{plain, short};
use crate::source::{self, extension};
use crate::warnings::{AVOID, MASK, POLYGON};
use crate::{field, memory};
use density::decode::{LevelRange, LevelType, Levels};
use density::diagnostic::{
    Diagnostic, Role, Subject, Warning, corners, may_be_degrees, misplaced_points,
    misplaced_polygons, other_system,
};
use density::polygons::{OutlineError, Outlines, Polygon, PolygonError, Polygons};
use density::shape::ShapeError;
use density::{Bounds, GreyMap, MapOptions, MaskRegion, Region, Share, YAxis};
use quality::files::{Format, Points, read};
use sampler::Obstacle;
use std::path::Path;

/// The default of `--mask-threshold`.
const THRESHOLD: f64 = 0.5;

/// The value of open pixels in a black and white map.
const WHITE: f64 = 1.0;

/// The tolerance for flattening curves, relative to the world's longer side: the same in `sample` and in
/// `verify`.
const TOLERANCE: f64 = 1.0 / 65_536.0;

/// Upper bound on the memory of a file's contents, as a multiple of its bytes.
const BYTES_PER_BYTE: u64 = 16;

/// Reads the mask, if there is one.
pub(crate) fn mask(
    args: &RegionArgs,
    frame: &Frame,
    regions: &mut Regions,
    info: &mut RegionInfo,
) -> Result<(), Failure> {
    let Some(path) = &args.mask else {
        return Ok(());
    };
    let failed = |problem: &dyn std::fmt::Display| Failure::file("--mask ", path, problem);
    let threshold = args.mask_threshold.unwrap_or(THRESHOLD);
    let too_much = |problem: &str| Failure::usage("--mask-threshold", plain(threshold), problem);
    // A threshold above 1 is a level: levels from it up count as white.
    let levels = (threshold > 1.0).then(|| LevelRange::new(0.0, threshold));
    let levels = levels.transpose();
    let how = MapArgs {
        channel: args.mask_channel.clone(),
        no_data: args.mask_no_data,
        raw_size: args.mask_size,
        max_pixels: frame.max_pixels,
        range: levels
            .map_err(|_| too_much("larger than any level"))?
            .map(Levels::Between),
        ..MapArgs::default()
    };
    let subject = Subject::new(Role::Mask, path.display().to_string(), &MASK);
    let (raster, levels, read) = map_file::read_levels(path, &how, subject)?;
    let is_float = matches!(raster.level_type(), LevelType::Float(_));
    if threshold < 0.0 && !is_float && raster.about().scaling.is_none() {
        return Err(too_much("must not be negative for a mask of integers"));
    }
    let are_classes = raster.about().are_indices && read.is_grey;
    let mut levels = levels;
    if are_classes {
        if args
            .mask_threshold
            .is_some_and(|least| least.fract() != 0.0)
        {
            return Err(too_much(
                "must be a whole number, the least class that is open",
            ));
        }
        if threshold > 0.0 {
            levels = Levels::Between(LevelRange::new(0.0, threshold).map_err(|e| failed(&e))?);
        }
    } else if threshold > 1.0 && read.is_grey {
        let problem = format!(
            "must be from 0 to 1: white is 1 in {}, {}",
            path.display(),
            read.level_type
        );
        return Err(too_much(&problem));
    }
    let size = [read.width, read.height];
    let laid = frame.lay(read.place, Some(size)).map_err(|e| failed(&e))?;
    let is_level = threshold > 1.0 || are_classes && threshold > 0.0;
    let least = if is_level { WHITE } else { threshold };
    let map = raster.at_least(least, levels).map_err(|e| failed(&e))?;
    let in_world = |map: GreyMap| match laid.pixels {
        Some(pixels) => map.cut(pixels).map_err(|e| failed(&e)),
        None => Ok(map),
    };
    let map = in_world(map)?;
    let options = MapOptions {
        bounds: Some(laid.place),
        y_axis: frame.y_axis,
        ..MapOptions::default()
    };
    let mask = MaskRegion::new(&map, WHITE, options).map_err(|e| match e {
        ShapeError::Map(density::MapError::PixelSize { .. }) => {
            failed(&"its pixels would be too small or too large to compute with")
        }
        other => failed(&other),
    })?;
    if mask.share() == 0.0 {
        let greys = raster.into_map(levels).map_err(|e| failed(&e))?;
        let subject = laid.pixels.map_or("no pixel", |_| "no pixel in the world");
        let greys = in_world(greys)?;
        return Err(failed(&closed(subject, &greys, threshold, is_level)));
    }
    info.warnings.extend(read.warnings);
    info.warnings
        .extend(laid.found.map(|found| found.about(&read.subject)));
    info.mask = Some(MaskInfo {
        file: path.display().to_string(),
        width: read.width,
        height: read.height,
        channel: read.channel,
        threshold,
        allowed: mask.share(),
    });
    frame.add(regions, mask, laid.place);
    Ok(())
}

/// Reads the polygons, if there are any.
pub(crate) fn polygons(
    args: &RegionArgs,
    frame: &Frame,
    regions: &mut Regions,
    info: &mut RegionInfo,
) -> Result<(), Failure> {
    let Some(path) = args.polygon.first() else {
        return Ok(());
    };
    let (mut all, mut others) = (Vec::new(), Vec::new());
    // A drawing's page always covers the world, but other numbers may be in other units than the world's.
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for path in &args.polygon {
        let (outlines, units) = outlines(path, args.polygon_units, frame)?;
        let rings = outlines.polygons.iter().flat_map(Polygon::rings);
        if units == PolygonUnits::World {
            for corner in rings.clone().flatten() {
                min = [0, 1].map(|a| min[a].min(corner[a]));
                max = [0, 1].map(|a| max[a].max(corner[a]));
            }
        }
        let subject = Subject::new(Role::Polygon, path.display().to_string(), &POLYGON);
        let map = frame.map_place.and_then(|place| place.crs());
        let other = outlines.other_system(map.as_deref());
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
    if polygons.share_in(&frame.world) == Share::None {
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
            let advice = if may_be_degrees(&frame.world, &polygons.bounds()) {
                ", which look like degrees: reproject them into the map's system with ogr2ogr -t_srs"
            } else {
                ": give --size and --origin, or move them"
            };
            let [world, own] = [frame.world, polygons.bounds()].map(|b| corners(&b));
            format!(
                "no polygon lies in the world, which covers {world}; the polygons cover {own}{advice}"
            )
        };
        return Err(failed(&problem));
    }
    if let Ok(bounds) = Bounds::new(min, max) {
        info.warnings.extend(misplaced(args, frame, &bounds));
    }
    regions.push(Box::new(polygons));
    Ok(())
}

/// Describes a mask that closes everything; `subject` names the pixels of `map`.
fn closed(subject: &str, map: &GreyMap, threshold: f64, is_level: bool) -> String {
    let places = (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (x, y)));
    let open = places.filter(|&(x, y)| map.allowed(x, y));
    let most = open.map(|(x, y)| map.value(x, y)).reduce(f64::max);
    let none = format!("{subject} has a value of {threshold} or more: nothing is open");
    match most {
        None => format!("{none}; all of it is transparent or no-data"),
        // The map's values are not below 0.
        Some(_) if threshold <= 0.0 => none,
        Some(most) if is_level => {
            format!("{none}; the greatest is {}", short(most * threshold))
        }
        Some(0.0) => format!("{none}; all of it is black (is it the right --mask-channel?)"),
        Some(most) => format!(
            "{none}; the greatest is {}: give --mask-threshold {} or less",
            short(most),
            short(0.5 * most)
        ),
    }
}

/// Returns warnings about possibly misplaced polygons.
fn misplaced(args: &RegionArgs, frame: &Frame, polygons: &Bounds<2>) -> Vec<Warning> {
    let files: Vec<String> = args
        .polygon
        .iter()
        .map(|p| p.display().to_string())
        .collect();
    let subject = Subject::new(Role::Polygon, files.join(", "), &POLYGON);
    let mut found = misplaced_polygons(&frame.world, frame.y_axis, polygons);
    // Drawings are turned with the map.
    if args.polygon.iter().all(|path| extension(path) == "svg") {
        found.retain(|found| *found != Diagnostic::RowsDown);
    }
    found.into_iter().map(|d| d.about(&subject)).collect()
}

/// Reads the polygons of a file, and returns the units in which its numbers were read.
fn outlines(
    path: &Path,
    units: Option<PolygonUnits>,
    frame: &Frame,
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
    let tolerance = TOLERANCE * frame.world.longest_side();
    let on_page = || Outlines::from_svg_page(&text, &frame.world, tolerance);
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
    if frame.y_axis == YAxis::Up {
        let polygons = outlines.polygons.into_iter();
        let turned: Result<_, PolygonError> = polygons.map(|p| turned(&p, frame)).collect();
        outlines.polygons = turned.map_err(|e| failed(&e))?;
    }
    Ok((outlines, units))
}

/// Turns a polygon upside down in the world, like the map's picture and the drawings that we write.
fn turned(polygon: &Polygon, frame: &Frame) -> Result<Polygon, PolygonError> {
    let (min, max) = (frame.world.min()[1], frame.world.max()[1]);
    let turn = |&[x, y]: &[f64; 2]| [x, max - (y - min)];
    let rings = polygon.rings().iter();
    let rings = rings.map(|ring| ring.iter().map(turn).collect());
    Polygon::new(rings.collect(), polygon.fill())
}

/// Reads the points to keep clear of; `None` without `--avoid`.
pub(crate) fn obstacles(
    args: &RegionArgs,
    frame: &Frame,
    info: &mut RegionInfo,
) -> Result<Option<Vec<Obstacle<2>>>, Failure> {
    if args.avoid.is_empty() {
        return Ok(None);
    }
    let mut all = Vec::new();
    for path in &args.avoid {
        let before = all.len();
        let found = add(path, args.avoid_dist, frame, &mut all)?;
        let subject = Subject::new(Role::Avoid, path.display().to_string(), &AVOID);
        let found = found
            .into_iter()
            .map(|diagnostic| diagnostic.about(&subject));
        info.warnings.extend(found);
        let own = all[before..].iter().map(|o| (o.position, o.min_dist));
        // In a tile, each point acts on its copies as well.
        let far = misplaced_points(&frame.world, own).filter(|_| !frame.tile);
        info.warnings.extend(far.map(|far| far.about(&subject)));
        let distances = all[before..].iter().map(|o: &Obstacle<2>| o.min_dist);
        let ends = distances.map(|d| [d, d]);
        info.avoid.push(AvoidInfo {
            file: path.display().to_string(),
            points: all.len() - before,
            min_dist: ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]),
        });
    }
    Ok(Some(all))
}

/// Adds the points of a file as obstacles, and returns warnings about possible misreadings.
fn add(
    path: &Path,
    given: Option<f64>,
    frame: &Frame,
    all: &mut Vec<Obstacle<2>>,
) -> Result<Vec<Diagnostic>, Failure> {
    let Some(format) = Format::from_path(path) else {
        let problem = "the name must end in .csv, .json, .geojson, .ply or .npy";
        return Err(Failure::usage("--avoid", path.display(), problem));
    };
    let failed = |problem: &dyn std::fmt::Display| Failure::file("--avoid ", path, problem);
    let limit = memory::available().unwrap_or(u64::MAX) / BYTES_PER_BYTE;
    let bytes = source::read_file("--avoid ", path, "a file of points", limit)?;
    let file = read(&bytes, format).map_err(|e| failed(&e))?;
    if let Some(problem) = field::upside_down(&file.run, frame.y_axis, frame.by_place) {
        return Err(failed(&problem));
    }
    let map = frame.map_place.and_then(|place| place.crs());
    let mut found = Vec::from_iter(other_system(file.run.crs.as_deref(), map.as_deref()));
    let (positions, distances) = match &file.points {
        Points::Flat(set) => (set.positions().to_vec(), set.min_dist()),
        Points::Solid(set) => {
            found.push(Diagnostic::HeightsLeftOut);
            let flat = set.positions().iter().map(|&[x, y, _]| [x, y]).collect();
            (flat, set.min_dist())
        }
    };
    // A file without points has no columns to draw conclusions from.
    if positions.is_empty() {
        return Ok(vec![Diagnostic::AvoidNone]);
    }
    let positions = positions.into_iter();
    match (given, distances) {
        (Some(min_dist), _) => {
            all.extend(positions.map(|position| Obstacle { position, min_dist }));
        }
        (None, Some(distances)) => {
            let obstacle = |(position, &min_dist)| Obstacle { position, min_dist };
            all.extend(positions.zip(distances).map(obstacle));
        }
        (None, None) => {
            let problem = "the file has no column min_dist: give --avoid-dist";
            return Err(failed(&problem));
        }
    }
    Ok(found)
}
