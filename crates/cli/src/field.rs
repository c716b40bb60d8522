//! Builds a field from the flags.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use crate::failure::Failure;
use crate::flags::{SPACING, WORLD, whites};
use crate::map_file::{self, MapArgs, MapInfo};
use crate::numbers;
use crate::shaping::{ShapingArgs, affordable, refused};
use crate::warnings::MAP;
use clap::Args;
use density::diagnostic::{Diagnostic, Names, Role, Subject, Transfer};
use density::{Bounds, DistRange, GreyMap, MapOptions, RadiusMap, White, YAxis};
use quality::files::RunInfo;
use std::path::Path;

/// How a map becomes distances.
#[derive(Debug, Args)]
pub(crate) struct FieldArgs {
    /// Minimum distance between points where they are densest, world units [default: 4]
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, help_heading = SPACING)]
    pub(crate) min_dist: Option<f64>,

    /// Minimum distance between points where they are sparsest, world units [default: 4 times
    /// --min-dist]
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, help_heading = SPACING)]
    pub(crate) max_dist: Option<f64>,

    /// Meaning of white in the map [default: sparse]
    #[arg(long, value_parser = whites(), help_heading = SPACING)]
    pub(crate) white: Option<White>,

    #[command(flatten)]
    pub(crate) file: MapArgs,

    /// Make y point up, not down as in images [default: up if the world is placed by the map's
    /// file]
    #[arg(long, help_heading = WORLD)]
    pub(crate) y_up: bool,

    /// Use one world unit per pixel; ignore the place that the map's file states
    #[arg(long, conflicts_with = "size", help_heading = WORLD)]
    pub(crate) pixels: bool,

    #[command(flatten)]
    pub(crate) shaping: ShapingArgs,

    /// The names of these options in messages.
    #[arg(skip = &MAP)]
    pub(crate) names: &'static Names,
}

impl FieldArgs {
    /// Returns the polarity of the map; the default if the flag was not given. The field `white` itself
    /// says whether it was given.
    pub(crate) fn white(&self) -> White {
        self.white.unwrap_or_default()
    }

    /// Returns how the file of a map is read. With `--pixels` its place does not matter.
    pub(crate) fn map_args(&self) -> MapArgs {
        MapArgs {
            may_be_turned: self.pixels,
            ..self.file.clone()
        }
    }

    /// Removes the warning about the transfer function from `info` if `--srgb`, or `--gamma` for a gamma,
    /// states how the values are stored.
    pub(crate) fn without_transfer(&self, mut info: MapInfo) -> MapInfo {
        let ShapingArgs { srgb, gamma, .. } = &self.shaping;
        info.warnings.retain(|warning| match warning.diagnostic() {
            Diagnostic::Transfer {
                transfer: Transfer::Gamma(_),
            } => !srgb && gamma.is_none(),
            Diagnostic::Transfer { .. } => !srgb,
            _ => true,
        });
        info
    }
}

/// Reads and decodes a map; `layer` is the name of its layer, if there is one.
pub(crate) fn read_map(
    path: &Path,
    args: &FieldArgs,
    layer: Option<&str>,
) -> Result<(GreyMap, MapInfo), Failure> {
    let mut subject = Subject::new(Role::Map, path.display().to_string(), args.names);
    if let Some(layer) = layer {
        subject = subject.of_layer(layer);
    }
    let (map, info) = map_file::read_map(path, &args.map_args(), subject)?;
    Ok((map, args.without_transfer(info)))
}

/// The default of `--min-dist`, world units.
const MIN_DIST: f64 = 4.0;

/// The default of `--max-dist`, as a multiple of the minimum.
const MAX_TO_MIN: f64 = 4.0;

/// Returns the range of distances from the flags or their defaults.
pub(crate) fn range(args: &FieldArgs) -> Result<DistRange, Failure> {
    let names = args.names;
    if let Some(range) = args.shaping.range(names) {
        return range;
    }
    let least = args.min_dist.unwrap_or(MIN_DIST);
    let most = args
        .max_dist
        .unwrap_or_else(|| (MAX_TO_MIN * least).min(f64::MAX));
    let given = match args.min_dist {
        Some(_) => "",
        None => " (the default)",
    };
    ordered(least, most, names, given)
}

/// Returns the range of distances; both ends were given as flags.
pub(crate) fn range_of(least: f64, most: f64) -> Result<DistRange, Failure> {
    ordered(least, most, &MAP, "")
}

/// Returns the range from `least` to `most`; `given` follows `least` in the error.
fn ordered(least: f64, most: f64, names: &Names, given: &str) -> Result<DistRange, Failure> {
    DistRange::new(least, most).map_err(|_| {
        let least = numbers::plain(least);
        let least_name = names.min_dist.unwrap_or_default();
        let problem = format!("must not be less than {least_name} {least}{given}");
        let most_name = names.max_dist.unwrap_or_default();
        Failure::usage(most_name, numbers::plain(most), problem)
    })
}

/// Returns the part of `world` inside the rectangle of `--window`.
pub(crate) fn window<const D: usize>(
    world: &Bounds<D>,
    window: &Bounds<D>,
) -> Result<Bounds<D>, Failure> {
    world.intersection(window).ok_or_else(|| {
        let corner = |p: [f64; D]| p.map(numbers::plain).join(",");
        let [lo, hi] = [world.min(), world.max()].map(corner);
        let given = [window.min(), window.max()].map(corner).join(",");
        let problem = format!("it lies outside the world, which covers {lo} to {hi}");
        Failure::usage("--window", given, problem)
    })
}

/// Returns the direction of the y axis.
pub(crate) fn y_axis(args: &FieldArgs) -> YAxis {
    if args.y_up { YAxis::Up } else { YAxis::Down }
}

/// Returns an error text if the y axis of a file of points runs opposite to the run's, so that the points
/// would lie upside down over a map. `by_place` is true if the run's y axis follows from the map's place.
pub(crate) fn upside_down(points: &RunInfo, run: YAxis, by_place: bool) -> Option<&'static str> {
    match (points.y_axis?, run) {
        (YAxis::Up, YAxis::Down) if points.is_north_by_definition => {
            Some("y points up in GeoJSON, by its definition, but here it points down: give --y-up")
        }
        (YAxis::Up, YAxis::Down) => {
            Some("the file says that y points up, but here it points down: give --y-up")
        }
        (YAxis::Down, YAxis::Up) if by_place => Some(
            "the file says that y points down, but here it points up, by the map's place: give \
             --y-up to the run that made these points",
        ),
        (YAxis::Down, YAxis::Up) => {
            Some("the file says that y points down, but here it points up: drop --y-up")
        }
        _ => None,
    }
}

/// Returns the field of `map` over `world`.
pub(crate) fn of_map(
    map: GreyMap,
    range: DistRange,
    world: Bounds<2>,
    y_axis: YAxis,
    args: &FieldArgs,
) -> Result<RadiusMap, Failure> {
    if args.shaping.limit.is_some() {
        affordable(&map)?;
    }
    let options = MapOptions {
        white: args.white(),
        bounds: Some(world),
        y_axis,
    };
    let field = args.shaping.shaping().field(map, range, options);
    field.map_err(|e| refused(e, args.names))
}
