//! `spinney`, the command line: scatters blue-noise points by a density map.
//!
//! Every subcommand is a thin layer: it parses, checks as much as possible beforehand, calls the libraries,
//! and puts files in place only after everything has succeeded.

mod args;
mod conflicts;
mod drafts;
mod failure;
mod field;
mod flags;
mod ground;
mod last;
mod layers;
mod map;
mod map_file;
mod memory;
mod numbers;
mod open;
mod outputs;
mod part_file;
mod place;
mod placing;
mod plan;
mod progress;
mod region;
mod report;
mod run;
mod sample;
mod shaping;
mod signals;
mod source;
mod species;
#[cfg(feature = "studio")]
mod studio;
mod verify;
mod warnings;
mod writers;

use args::SampleArgs;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::Failure;
use map::MapCommands;
use std::process::ExitCode;
use verify::VerifyArgs;

/// Scatter blue-noise points whose spacing follows a painted map.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Sample(Box<SampleArgs>),
    Verify(Box<VerifyArgs>),
    Map(Box<MapCommands>),
    #[cfg(feature = "studio")]
    Studio(studio::StudioArgs),
}

/// Lets values of options begin with a hyphen, as negative numbers do.
fn with_hyphens(command: clap::Command) -> clap::Command {
    let allow = |arg: Arg| {
        let takes_values = arg.get_long().is_some() && arg.get_action().takes_values();
        arg.allow_hyphen_values(takes_values)
    };
    command.mut_args(allow).mut_subcommands(with_hyphens)
}

fn main() -> ExitCode {
    let result = with_hyphens(Cli::command())
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .map_err(Failure::from)
        .and_then(|cli| match cli.command {
            Command::Sample(args) => sample::run(&args),
            Command::Verify(args) => verify::run(&args),
            Command::Map(args) => map::run(&args),
            #[cfg(feature = "studio")]
            Command::Studio(args) => studio::run(&args),
        });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
