//! Prints a table of the samplers' cost next to that of other crates. See this crate's README.

mod beside;
mod check;
mod compare;
mod contender;
mod fields;
mod layers;
mod limit;
mod memory;
mod ours;
mod peers;
mod rounds;
mod table;
mod textbook;
mod threads;
mod tiled;
mod timing;
mod uniform;
mod variable;
mod windows;

use clap::{Parser, Subcommand, ValueEnum};
use std::error::Error;

/// CPU time per point of Spinney's samplers beside their peers', as a Markdown table.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Fewer and smaller runs: a look, not a measurement; no targets are judged
    #[arg(long)]
    quick: bool,
    /// Only these groups
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Group>,
    /// Rounds; every contender runs once a round, the very slow ones in fewer of them
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100))]
    rounds: Option<u64>,
    /// End with 1 when a target is missed
    #[arg(long, conflicts_with = "quick")]
    judge: bool,
}

#[derive(Subcommand)]
enum Command {
    /// How good the points are, ours and others', as a Markdown table
    Compare,
    /// One run, of which the most memory is printed; the group `memory` starts it
    #[command(hide = true)]
    Peak {
        /// Which one
        run: memory::Run,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    /// One minimum distance, in the plane, 10k / 100k / 1M / 10M points
    #[value(name = "uniform2d")]
    Uniform2d,
    /// One minimum distance, in space, 300k points
    #[value(name = "uniform3d")]
    Uniform3d,
    /// One smooth map, max/min = 1, 4, 16, 64, and hard edges, 300k points each
    #[value(name = "variable2d")]
    Variable2d,
    /// Windows of a world beside the whole of it
    Windows,
    /// Three species beside as many points in one layer
    Layers,
    /// One thread and two, by the clock on the wall
    Threads,
    /// The most memory that runs need; linux only
    Memory,
    /// The gradient limit of a map of 4096 x 4096 pixels
    Limit,
    /// A map in tiles beside the same in memory
    Tiled,
}

/// The amount of measurement.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Whether sizes are small and no targets are judged.
    quick: bool,
    /// Number of runs of every contender.
    rounds: usize,
}

impl Effort {
    /// Returns the value for the effort.
    fn pick<T>(self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    match args.command {
        Some(Command::Compare) => return compare::print(),
        Some(Command::Peak { run }) => return memory::peak(run),
        None => {}
    }
    let default_rounds = if args.quick { 3 } else { 5 };
    let effort = Effort {
        quick: args.quick,
        rounds: args.rounds.map_or(default_rounds, |n| n as usize),
    };

    println!("{}", table::preface(effort.rounds));
    for group in Group::value_variants() {
        if !args.only.is_empty() && !args.only.contains(group) {
            continue;
        }
        match group {
            Group::Uniform2d => uniform::in_2d(effort),
            Group::Uniform3d => uniform::in_3d(effort),
            Group::Variable2d => variable::in_2d(effort),
            Group::Windows => windows::print(effort),
            Group::Layers => layers::print(effort),
            Group::Threads => threads::print(effort),
            Group::Memory => memory::print(effort),
            Group::Limit => limit::print(effort),
            Group::Tiled => tiled::print(effort),
        }?;
    }
    match table::missed() {
        0 => Ok(()),
        missed if args.judge => Err(format!("{missed} targets missed").into()),
        missed => {
            eprintln!("{missed} targets missed");
            Ok(())
        }
    }
}
