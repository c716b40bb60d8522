//! `spinney map`: makes, transforms, shows and checks maps.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

mod blur;
mod combine;
mod dilate;
mod falloff;
mod input;
mod limit;
pub(crate) mod lint;
mod output;
mod perlin;
mod show;

use crate::failure::Failure;
use clap::{Args, Subcommand};

/// Make, transform, show and check maps
///
/// Every subcommand reads what `sample` reads. Maps are written as 16-bit PNG, alpha 0 where no
/// point may lie, or as float TIFF of greys from 0 to 1 or of distances, NaN where no point may
/// lie. A TIFF too has 65536 greys, or as many distances; only that of `limit` is finer. --min-dist
/// and --max-dist, and --size and --origin beside them, are in world units, other lengths in pixels.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MapCommands {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Perlin(perlin::PerlinArgs),
    Falloff(falloff::FalloffArgs),
    Dilate(dilate::DilateArgs),
    Limit(limit::LimitArgs),
    Blur(blur::BlurArgs),
    Combine(combine::CombineArgs),
    Show(show::ShowArgs),
    Lint(lint::LintArgs),
}

const EXAMPLES: &str = "\
Examples:
  spinney map perlin --size 1024x1024 --warp 40 -o noise.png
  spinney map falloff roads.png --from dark --reach 60 -o far_from_roads.png
  spinney map combine noise.png far_from_roads.png --how max -o both.png
  spinney map limit both.png --min-dist 4 --max-dist 24 --slope 0.25 -o smooth.png
  spinney map show both.png --density 0.001..0.05 --map density -o distances.png
  spinney map lint both.png --min-dist 4 --max-dist 24";

/// Runs the subcommand.
pub(crate) fn run(args: &MapCommands) -> Result<(), Failure> {
    match &args.command {
        Command::Perlin(args) => perlin::run(args),
        Command::Falloff(args) => falloff::run(args),
        Command::Dilate(args) => dilate::run(args),
        Command::Limit(args) => limit::run(args),
        Command::Blur(args) => blur::run(args),
        Command::Combine(args) => combine::run(args),
        Command::Show(args) => show::run(args),
        Command::Lint(args) => lint::run(args),
    }
}
