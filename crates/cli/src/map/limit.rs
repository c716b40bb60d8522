//! `spinney map limit`: limits how steeply distances change.

use super::input::{read_over_world, spread};
use super::output::{self, Made, OutputArgs};
use crate::failure::Failure;
use crate::flags::{SPACING, WORLD, whites};
use crate::map_file::MapArgs;
use crate::shaping::{failed, sides};
use crate::{field, numbers};
use clap::Args;
use density::White;
use density::shape::{Side, limit};
use std::path::PathBuf;

/// Limit the change of a map's min_dist per unit of distance
///
/// Sharp edges become ramps. Use a written PNG with the same --min-dist, --max-dist and --white. A TIFF
/// holds distances: use it as the line about it says, without --white. `sample --limit` does the same
/// while sampling.
#[derive(Debug, Args)]
pub(super) struct LimitArgs {
    /// The map
    map: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    /// Greatest change of min_dist per unit of distance
    #[arg(long, value_name = "SLOPE", default_value = "0.25", value_parser = numbers::distance)]
    slope: f64,

    /// Side of an edge that stays unchanged; dense also lowers distances on slopes gentler than the
    /// limit, by 3 % at a quarter of it and 11 % at half
    #[arg(long, default_value = "dense", value_parser = sides())]
    keep: Side,

    /// Minimum distance between points where they are densest, world units
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, help_heading = SPACING)]
    min_dist: f64,

    /// Minimum distance between points where they are sparsest, world units
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, help_heading = SPACING)]
    max_dist: f64,

    /// Meaning of white in the map
    #[arg(long, default_value = "sparse", value_parser = whites(), help_heading = SPACING)]
    white: White,

    #[command(flatten)]
    file: MapArgs,

    /// World size, world units [default: from a GeoTIFF, an ESRI ASCII grid or a world file, else
    /// one unit per pixel]
    #[arg(long, value_name = "WxH", value_parser = numbers::size, help_heading = WORLD)]
    size: Option<[f64; 2]>,
}

pub(super) fn run(args: &LimitArgs) -> Result<(), Failure> {
    output::make(&args.output, &[&args.map], |notes| {
        let range = field::range_of(args.min_dist, args.max_dist)?;
        let (map, size) = read_over_world(&args.map, &args.file, args.size, notes)?;
        let distances = spread(&map, range, args.white, size)?;
        let map = limit(&distances, args.slope, args.keep)
            .map_err(|e| failed("--slope", args.slope, &e))?;
        Ok(Made::Distances {
            map,
            range,
            white: args.white,
        })
    })
}
