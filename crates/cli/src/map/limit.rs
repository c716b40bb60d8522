//! `spinney map limit`: limits how steeply distances change.

use super::input::DistArgs;
use super::output::{self, OutputArgs};
use crate::failure::Failure;
use crate::numbers;
use crate::shaping::{failed, sides};
use clap::Args;
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
    #[arg(requires_all = ["min_dist", "max_dist"])]
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

    #[command(flatten)]
    dist: DistArgs,
}

pub(super) fn run(args: &LimitArgs) -> Result<(), Failure> {
    output::make(&args.output, &[&args.map], |notes| {
        args.dist.shaped(&args.map, notes, |distances| {
            let limited = limit(distances, args.slope, args.keep);
            limited.map_err(|e| failed("--slope", args.slope, &e))
        })
    })
}
