//! Reads the points that a region keeps clear of.

use super::{AvoidInfo, BYTES_PER_BYTE, RegionArgs, RegionInfo};
use crate::failure::Failure;
use crate::place::WorldPlacement;
use crate::warnings::AVOID;
use crate::{field, source};
use density::diagnostic::{Diagnostic, Role, Subject, misplaced_points, other_system};
use quality::files::Points;
use sampler::Obstacle;
use std::path::Path;

/// Reads the points to keep clear of; `None` without `--avoid`. In a `tile`, opposite edges of the world are one.
pub(crate) fn read(
    args: &RegionArgs,
    placement: &WorldPlacement,
    tile: bool,
    info: &mut RegionInfo,
) -> Result<Option<Vec<Obstacle<2>>>, Failure> {
    if args.avoid.is_empty() {
        return Ok(None);
    }
    let mut all = Vec::new();
    for path in &args.avoid {
        let before = all.len();
        let found = add(path, args.avoid_dist, placement, &mut all)?;
        let subject = Subject::new(Role::Avoid, path.display().to_string(), &AVOID);
        let found = found
            .into_iter()
            .map(|diagnostic| diagnostic.about(&subject));
        info.warnings.extend(found);
        let own = all[before..].iter().map(|o| (o.position, o.min_dist));
        // In a tile, each point acts on its copies as well.
        let far = misplaced_points(&placement.world, own).filter(|_| !tile);
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
    placement: &WorldPlacement,
    all: &mut Vec<Obstacle<2>>,
) -> Result<Vec<Diagnostic>, Failure> {
    let failed = |problem: &dyn std::fmt::Display| Failure::file("--avoid ", path, problem);
    let file = source::read_points("--avoid ", path, BYTES_PER_BYTE)?;
    if let Some(problem) =
        field::upside_down(&file.run, placement.y_axis, placement.place.is_some())
    {
        return Err(failed(&problem));
    }
    let map = placement.crs();
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
