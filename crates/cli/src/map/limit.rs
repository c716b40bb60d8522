//! `spinney map limit`: limits how steeply distances change.

use super::input::ScaleArgs;
use super::output::{self, Made, OutputArgs};
use crate::failure::Failure;
use crate::numbers;
use crate::shaping::{failed, sides};
use clap::Args;
use density::shape::{Side, limit};
use std::path::PathBuf;

/// Limit the change of a map's min_dist per unit of distance
///
/// Sharp edges become ramps. Use the written map with the same --min-dist, --max-dist and --white;
/// `sample --limit` does the same while sampling.
#[derive(Debug, Args)]
pub(super) struct LimitArgs {
    /// The map
    map: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    /// Greatest change of min_dist per unit of distance
    #[arg(long, value_name = "SLOPE", default_value = "0.25", value_parser = numbers::distance,
          allow_hyphen_values = true)]
    slope: f64,

    /// Side of an edge that stays unchanged
    #[arg(long, default_value = "dense", value_parser = sides())]
    keep: Side,

    #[command(flatten)]
    scale: ScaleArgs,
}

pub(super) fn run(args: &LimitArgs) -> Result<(), Failure> {
    output::make(&args.output, &[&args.map], |notes| {
        let (range, distances) = args.scale.distances(&args.map, notes)?;
        let map = limit(&distances, args.slope, args.keep)
            .map_err(|e| failed("--slope", args.slope, &e))?;
        Ok(Made::Distances {
            map,
            range,
            white: args.scale.white,
        })
    })
}
