//! `spinney`, the command line: scatters blue-noise points by a density map.
//!
//! Every subcommand is a thin layer: it parses, checks what can be checked beforehand, calls
//! the libraries, and puts files in place only when everything has succeeded.

mod args;
mod cells;
mod drafts;
mod engine;
mod failure;
mod field;
mod ground;
mod guard;
mod map;
mod map_file;
mod memory;
mod numbers;
mod outputs;
mod part_file;
mod place;
mod placing;
mod progress;
mod region;
mod report;
mod sample;
mod shaping;
mod signals;
mod source;
mod species;
#[cfg(feature = "studio")]
mod studio;
mod summary;
mod verify;
mod warnings;
mod writers;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = Cli::try_parse()
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
