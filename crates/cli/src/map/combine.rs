//! `spinney map combine`: two maps made one.

use super::input::read;
use super::output::{self, Content, Made, OutputArgs};
use crate::args::choice;
use crate::failure::Failure;
use crate::map_file::MapArgs;
use clap::Args;
use clap::builder::TypedValueParser;
use density::{Combine, combine};
use std::path::PathBuf;

/// Two maps of the same size made one, pixel by pixel.
#[derive(Debug, Args)]
pub(super) struct CombineArgs {
    /// The first map
    a: PathBuf,

    /// The second map
    b: PathBuf,

    #[command(flatten)]
    file: MapArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// How two greys become one; white is 1
    #[arg(long, value_parser = ways())]
    how: Combine,
}

pub(super) fn run(args: &CombineArgs) -> Result<(), Failure> {
    output::make(&args.output, &[&args.a, &args.b], Content::Greys, |told| {
        let [a, b] = [&args.a, &args.b].map(|path| read(path, &args.file, told));
        combine(&a?, &b?, args.how)
            .map(Made::Greys)
            .map_err(|e| Failure::file("", &args.b, e))
    })
}

fn ways() -> impl TypedValueParser<Value = Combine> {
    let about = |way| match way {
        Combine::Min => "The darker one",
        Combine::Max => "The brighter one",
        Combine::Multiply => "Their product",
        Combine::Add => "Their sum, at most white",
        Combine::Mask => "The first; no points where the second is less than half white",
    };
    choice(&Combine::ALL, Combine::name, about)
}
