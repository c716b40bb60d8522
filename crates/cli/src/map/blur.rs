//! `spinney map blur`: smooths.

use super::input::read;
use super::output::{self, Made, OutputArgs};
use crate::failure::Failure;
use crate::map_file::MapArgs;
use crate::numbers;
use crate::shaping::failed;
use clap::Args;
use density::shape::blur;
use std::path::PathBuf;

/// Blur a map; pixels where no point may lie do not bleed into others
#[derive(Debug, Args)]
pub(super) struct BlurArgs {
    /// The map
    map: PathBuf,

    #[command(flatten)]
    file: MapArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Standard deviation of the (nearly) Gaussian weights, pixels
    #[arg(long, value_name = "PIXELS", value_parser = numbers::number)]
    sigma: f64,
}

pub(super) fn run(args: &BlurArgs) -> Result<(), Failure> {
    output::make(&args.output, &[&args.map], |notes| {
        let map = read(&args.map, &args.file, notes)?;
        blur(&map, args.sigma)
            .map(Made::Greys)
            .map_err(|e| failed("--sigma", args.sigma, &e))
    })
}
