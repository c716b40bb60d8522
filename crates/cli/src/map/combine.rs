//! `spinney map combine`: combines two maps into one.

use super::output::{self, Made, OutputArgs};
use crate::failure::Failure;
use crate::flags::{READING, choice};
use crate::map_file::{self, MapArgs, MapInfo};
use crate::warnings::{INPUT, SECOND_INPUT};
use clap::Args;
use clap::builder::TypedValueParser;
use density::GreyMap;
use density::decode::Channel;
use density::diagnostic::{Diagnostic, Warning, misplaced_image};
use density::shape::{Combine, combine};
use std::path::PathBuf;

/// Combine two maps of the same size, pixel by pixel
#[derive(Debug, Args)]
pub(super) struct CombineArgs {
    /// The first map
    a: PathBuf,

    /// The second map
    b: PathBuf,

    #[command(flatten)]
    file: MapArgs,

    /// Channel of the second map [default: as --channel]
    #[arg(long, value_name = "NAME", value_parser = map_file::channel, help_heading = READING)]
    channel_b: Option<Channel>,

    #[command(flatten)]
    output: OutputArgs,

    /// Operation on the two greys; white is 1
    #[arg(long, value_parser = ways())]
    how: Combine,
}

pub(super) fn run(args: &CombineArgs) -> Result<(), Failure> {
    output::make(&args.output, &[&args.a, &args.b], |notes| {
        let (a, of_a) = map_file::read_input(&args.a, &args.file, &INPUT)?;
        let (b, of_b) = read_second(args)?;
        let made = combine(&a, &b, args.how).map_err(|e| Failure::file("", &args.b, e))?;
        let unlike = match args.how {
            // A mask's greys are not compared with those of the map.
            Combine::Mask => None,
            _ => unlike(&of_a, &of_b),
        };
        let nowhere = nowhere(&made, [(&a, &of_a), (&b, &of_b)], args.how);
        let places = of_a.place.zip(of_b.place);
        let elsewhere = places.and_then(|(a, b)| misplaced_image(&a.into(), &b.into()));
        let elsewhere =
            elsewhere.map(|found| found.about(&of_b.subject.clone().compared_with(&*of_a.file)));
        notes.add(&of_a);
        notes.add(&of_b);
        notes
            .warnings
            .extend(unlike.into_iter().chain(nowhere).chain(elsewhere));
        Ok(Made::Greys(made))
    })
}

/// Reads the second map. Messages about its channel name the flag that selects it.
fn read_second(args: &CombineArgs) -> Result<(GreyMap, MapInfo), Failure> {
    let names = match (&args.channel_b, &args.file.channel) {
        (None, Some(_)) => &INPUT,
        _ => &SECOND_INPUT,
    };
    let channel = args.channel_b.as_ref().or(args.file.channel.as_ref());
    let file = MapArgs {
        channel: channel.cloned(),
        ..args.file.clone()
    };
    map_file::read_input(&args.b, &file, names)
}

/// Returns a warning if two maps are combined whose levels of black and white were found separately and
/// differ.
fn unlike(a: &MapInfo, b: &MapInfo) -> Option<Warning> {
    let (of_a, of_b) = (a.found?, b.found?);
    let unlike = Diagnostic::UnlikeLevels {
        own: [of_a.lo(), of_a.hi()],
        other: b.file.clone(),
        others: [of_b.lo(), of_b.hi()],
    };
    (of_a != of_b).then(|| unlike.about(&a.subject))
}

/// Returns a warning if `made` allows no point anywhere.
fn nowhere(made: &GreyMap, inputs: [(&GreyMap, &MapInfo); 2], how: Combine) -> Option<Warning> {
    if made.allowed_share() > 0.0 {
        return None;
    }
    let [a, b] = inputs.map(|(_, info)| info);
    let closed = inputs.iter().find(|(map, _)| map.allowed_share() == 0.0);
    Some(match (closed, how) {
        (Some((_, info)), _) => Diagnostic::NoneAllowed.about(&info.subject),
        (None, Combine::Mask) => {
            let map = a.file.clone();
            Diagnostic::DarkMask { map }.about(&b.subject)
        }
        (None, _) => {
            let other = b.file.clone();
            Diagnostic::NoneInCommon { other }.about(&a.subject)
        }
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
