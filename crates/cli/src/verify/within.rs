//! The region that the points were to stay in.

use super::VerifyArgs;
use super::input::Input;
use crate::failure::Failure;
use crate::region::{RegionFrame, Regions};
use density::decode::Place;
use density::{Constant, RadiusField};
use quality::{Domain, Edges, PointSet};

/// Reads the region of the flags.
pub(super) fn region(
    args: &VerifyArgs,
    input: &Input,
    world: &Domain<2>,
    map_place: Option<Place>,
) -> Result<Option<Regions>, Failure> {
    let rule = args.rule.or(input.file.run.rule).unwrap_or_default();
    args.region.check(rule)?;
    let frame = RegionFrame {
        world: world.bounds,
        y_axis: input.y_axis(args),
        tile: world.edges == Edges::Torus,
        map_place,
        max_pixels: args.field.file.max_pixels,
        by_place: input.map.as_ref().is_some_and(|map| map.place.is_some()),
    };
    Regions::read(&args.region, frame)
}

/// Returns the field inside the region: the map's, or one distance for all points.
pub(super) fn base<'f>(
    args: &VerifyArgs,
    field: Option<&'f dyn RadiusField<2>>,
    set: &PointSet<2>,
) -> Result<Box<dyn RadiusField<2> + 'f>, Failure> {
    if let Some(field) = field {
        return Ok(Box::new(field));
    }
    let column = set.min_dist().unwrap_or_default();
    let same = column.first().filter(|&d| column.iter().all(|e| e == d));
    let Some(distance) = args.field.min_dist.or(same.copied()) else {
        let first = args.region.inputs().next();
        let (flag, path) = first.unwrap_or(("POINTS", &args.points));
        let problem = "the min_dist of places between the points is unknown: give MAP, or \
                       --min-dist for all";
        return Err(Failure::usage(flag, path.display(), problem));
    };
    let constant = Constant::new(distance).map_err(|e| Failure::Run(e.into()))?;
    Ok(Box::new(constant))
}
