//! `spinney map dilate`: grows the dense or the sparse parts.

use super::input::{DistArgs, read};
use super::output::{self, Made, OutputArgs};
use crate::failure::Failure;
use crate::numbers;
use crate::shaping::{failed, sides};
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
    #[arg(long, value_name = "PIXELS", value_parser = numbers::number,
          conflicts_with_all = ["min_dist", "max_dist", "size"])]
    radius: Option<f64>,

    /// Grow by this multiple of the local min_dist; needs --min-dist and --max-dist
    #[arg(long, value_name = "FACTOR", value_parser = numbers::number,
          requires_all = ["min_dist", "max_dist"])]
    reach: Option<f64>,

    #[command(flatten)]
    dist: DistArgs,
}

pub(super) fn run(args: &DilateArgs) -> Result<(), Failure> {
    output::make(&args.output, &[&args.map], |notes| {
        let Some(reach) = args.reach else {
            let map = read(&args.map, &args.dist.file, notes)?;
            let radius = args.radius.unwrap_or_default();
            let which = match (args.grow, args.dist.white) {
                (Side::Sparse, White::Sparse) | (Side::Dense, White::Dense) => Shade::Bright,
                _ => Shade::Dark,
            };
            return dilate(&map, radius, which)
                .map(Made::Greys)
                .map_err(|e| failed("--radius", radius, &e));
        };
        args.dist.shaped(&args.map, notes, |distances| {
            dilate_local(distances, reach, args.grow).map_err(|e| failed("--reach", reach, &e))
        })
    })
}
