//! `spinney map dilate`: grows the dense or the sparse parts.

use super::input::{read, read_over_world, spread};
use super::output::{self, Made, OutputArgs};
use crate::failure::Failure;
use crate::flags::{SPACING, whites};
use crate::map_file::MapArgs;
use crate::shaping::{failed, sides};
use crate::{field, numbers};
use clap::{ArgGroup, Args};
use density::White;
use density::shape::{Shade, Side, dilate, dilate_local};
use std::path::PathBuf;

/// Grow the dense or sparse parts of a map, by pixels or by the local min_dist
///
/// With the rule `parent`, dense parts spill into sparse ones; growing the sparse parts compensates
/// for it.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("by").required(true).args(["radius", "reach"]))]
pub(super) struct DilateArgs {
    /// The map
    map: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    /// Parts that grow
    #[arg(long, default_value = "sparse", value_parser = sides())]
    grow: Side,

    /// Grow by this number of pixels; the time grows with it
    #[arg(long, value_name = "PIXELS", value_parser = numbers::number)]
    radius: Option<f64>,

    /// Grow by this multiple of the local min_dist; needs --min-dist and --max-dist
    #[arg(long, value_name = "FACTOR", value_parser = numbers::number,
          requires_all = ["min_dist", "max_dist"])]
    reach: Option<f64>,

    /// Minimum distance between points where they are densest, world units
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, conflicts_with = "radius",
          help_heading = SPACING)]
    min_dist: Option<f64>,

    /// Minimum distance between points where they are sparsest, world units
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, conflicts_with = "radius",
          help_heading = SPACING)]
    max_dist: Option<f64>,

    /// Meaning of white in the map
    #[arg(long, default_value = "sparse", value_parser = whites(), help_heading = SPACING)]
    white: White,

    #[command(flatten)]
    file: MapArgs,

    /// World size, world units [default: from a GeoTIFF, an ESRI ASCII grid or a world file, else
    /// one unit per pixel]
    #[arg(long, value_name = "WxH", value_parser = numbers::size, conflicts_with = "radius",
          help_heading = crate::flags::WORLD)]
    size: Option<[f64; 2]>,
}

pub(super) fn run(args: &DilateArgs) -> Result<(), Failure> {
    output::make(&args.output, &[&args.map], |notes| {
        let Some(reach) = args.reach else {
            let map = read(&args.map, &args.file, notes)?;
            let radius = args.radius.unwrap_or_default();
            let which = match (args.grow, args.white) {
                (Side::Sparse, White::Sparse) | (Side::Dense, White::Dense) => Shade::Bright,
                _ => Shade::Dark,
            };
            return dilate(&map, radius, which)
                .map(Made::Greys)
                .map_err(|e| failed("--radius", radius, &e));
        };
        // clap requires both.
        let [least, most] = [args.min_dist, args.max_dist].map(Option::unwrap_or_default);
        let range = field::range_of(least, most)?;
        let (map, size) = read_over_world(&args.map, &args.file, args.size, notes)?;
        let distances = spread(&map, range, args.white, size)?;
        let map =
            dilate_local(&distances, reach, args.grow).map_err(|e| failed("--reach", reach, &e))?;
        Ok(Made::Distances {
            map,
            range,
            white: args.white,
        })
    })
}
