//! From the flags to a field.

use crate::args::FieldArgs;
use crate::failure::Failure;
use crate::{numbers, report};
use density::{Bounds, BoundsError, DistRange, GreyMap, MapOptions, RadiusMap, YAxis};

/// Unless `--min-dist` says otherwise, world units.
const MIN_DIST: f64 = 4.0;

/// Unless `--max-dist` says otherwise.
const MAX_TO_MIN: f64 = 4.0;

/// The range of distances asked for.
pub(crate) fn range(args: &FieldArgs) -> Result<DistRange, Failure> {
    let names = args.names;
    if let Some(range) = args.shaping.range(names) {
        return range;
    }
    let least = args.min_dist.unwrap_or(MIN_DIST);
    let most = args
        .max_dist
        .unwrap_or_else(|| (MAX_TO_MIN * least).min(f64::MAX));
    DistRange::new(least, most).map_err(|_| {
        let given = match args.min_dist {
            Some(_) => "",
            None => " (the default)",
        };
        let least = numbers::plain(least);
        let least_name = names.min_dist.unwrap_or_default();
        let problem = format!("must not be less than {least_name} {least}{given}");
        let most_name = names.max_dist.unwrap_or_default();
        Failure::usage(most_name, numbers::plain(most), problem)
    })
}

/// The range of distances, both given.
pub(crate) fn range_of(least: f64, most: f64) -> Result<DistRange, Failure> {
    DistRange::new(least, most).map_err(|_| {
        let least = numbers::plain(least);
        let problem = format!("must not be less than --min-dist {least}");
        Failure::usage("--max-dist", numbers::plain(most), problem)
    })
}

/// The world's box.
pub(crate) fn world(origin: [f64; 2], size: [f64; 2]) -> Result<Bounds<2>, Failure> {
    Bounds::with_origin(origin, size).map_err(|e| {
        let [x, y] = origin.map(numbers::plain);
        let value = format!("{} at --origin {x},{y}", report::size(size));
        let problem = match e {
            BoundsError::NotFinite { .. } => "the world reaches beyond the largest number",
            BoundsError::Empty { .. } => "so far out, so small a size is lost in rounding",
        };
        Failure::usage("--size", value, problem)
    })
}

/// Which way y points.
pub(crate) fn y_axis(args: &FieldArgs) -> YAxis {
    if args.y_up { YAxis::Up } else { YAxis::Down }
}

/// What is wrong with a file of points whose `y` runs the other way: over a map they would lie upside
/// down.
pub(crate) fn upside_down(stated: Option<YAxis>, run: YAxis) -> Option<&'static str> {
    match (stated?, run) {
        (YAxis::Up, YAxis::Down) => {
            Some("its y runs up, as it says, but the map's rows here run down: give --y-up")
        }
        (YAxis::Down, YAxis::Up) => {
            Some("its y runs down, as it says, but up with --y-up: drop that flag")
        }
        _ => None,
    }
}

/// The field that the map spreads over the world.
pub(crate) fn of_map(
    map: GreyMap,
    range: DistRange,
    world: Bounds<2>,
    y_axis: YAxis,
    args: &FieldArgs,
) -> Result<RadiusMap, Failure> {
    let map = args
        .shaping
        .apply(map, range, args.white(), world, args.names)?;
    let options = MapOptions {
        white: args.white(),
        bounds: Some(world),
        y_axis,
    };
    RadiusMap::new(map, range, options).map_err(|_| pixel_size(world))
}

/// A world in which a map's pixels cannot be computed with.
pub(crate) fn pixel_size(world: Bounds<2>) -> Failure {
    let problem = "the map's pixels would be too small or too large to compute with";
    Failure::usage("--size", report::size(world.size()), problem)
}
