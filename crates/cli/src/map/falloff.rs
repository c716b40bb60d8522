//! `spinney map falloff`: makes a map that brightens with the distance from a mask or from places.

use super::input::read;
use super::output::{self, Made, OutputArgs};
use crate::failure::Failure;
use crate::flags::{WORLD, choice};
use crate::map_file::MapArgs;
use crate::numbers;
use crate::shaping::failed;
use crate::warnings::INPUT;
use clap::Args;
use clap::builder::TypedValueParser;
use density::diagnostic::{Diagnostic, Role, Subject};
use density::shape::{Ramp, Shade, ramp_around, ramp_from_edge};
use density::{GreyMap, Share};
use std::path::PathBuf;

/// Make a map that is black on a mask, or at places, and rises to white around them
#[derive(Debug, Args)]
pub(super) struct FalloffArgs {
    /// Mask that is black in the new map; or give --at
    #[arg(conflicts_with = "at")]
    mask: Option<PathBuf>,

    #[command(flatten)]
    file: MapArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Parts of the mask that are black in the new map
    #[arg(long, default_value = "bright", value_parser = shades(), conflicts_with = "at")]
    from: Shade,

    /// Place that is black in the new map, pixels; repeatable
    #[arg(long, value_name = "X,Y", value_parser = numbers::origin)]
    at: Vec<[f64; 2]>,

    /// Distance from black to white, pixels
    #[arg(long, value_name = "PIXELS", default_value = "64", value_parser = numbers::distance)]
    reach: f64,

    /// Shape of the rise
    #[arg(long, default_value = "sqrt", value_parser = ramps())]
    ramp: Ramp,

    /// Size of the new map with --at, pixels [default: 512x512]
    #[arg(long, value_name = "WxH", value_parser = numbers::pixels, conflicts_with = "mask",
          help_heading = WORLD)]
    size: Option<[u32; 2]>,
}

pub(super) fn run(args: &FalloffArgs) -> Result<(), Failure> {
    if args.mask.is_none() && args.at.is_empty() {
        let problem = "falloff needs a mask or places: give MASK, or --at X,Y";
        return Err(Failure::Usage(problem.to_owned()));
    }
    if args.mask.is_none()
        && let Some((flag, value)) = args.file.given()
    {
        let problem = "only for a mask, not for --at: give MASK, or drop it";
        return Err(Failure::usage(flag, value, problem));
    }
    let inputs: Vec<_> = args.mask.iter().collect();
    output::make(&args.output, &inputs, |notes| {
        let made = if let Some(path) = &args.mask {
            let mask = read(path, &args.file, notes)?;
            let subject = Subject::new(Role::Input, path.display().to_string(), &INPUT);
            let flat = flat(&mask, args.from);
            notes.warnings.extend(flat.map(|flat| flat.about(&subject)));
            ramp_from_edge(&mask, args.from, args.reach, args.ramp)
        } else {
            let size = args.size.unwrap_or([512; 2]);
            let subject = Subject::new(Role::Run, "", &INPUT);
            let outside = outside(size, &args.at);
            notes
                .warnings
                .extend(outside.map(|outside| outside.about(&subject)));
            ramp_around(size, &args.at, args.reach, args.ramp)
        };
        made.map(Made::Greys)
            .map_err(|e| failed("--reach", args.reach, &e))
    })
}

/// Returns a warning about a mask that has no edge.
fn flat(mask: &GreyMap, from: Shade) -> Option<Diagnostic> {
    let is_open = |i: usize| mask.mask().is_none_or(|mask| mask[i]);
    let greys = mask.greys().iter().enumerate();
    let mut sources = greys
        .filter(|(i, _)| is_open(*i))
        .map(|(_, &grey)| from.has(grey));
    let Some(first) = sources.next() else {
        return Some(Diagnostic::NothingToFallFrom);
    };
    let share = if first { Share::All } else { Share::None };
    let is_flat = sources.all(|source| source == first);
    is_flat.then_some(Diagnostic::NoEdge { from, share })
}

/// Returns a warning if all places lie outside the map.
fn outside(size: [u32; 2], places: &[[f64; 2]]) -> Option<Diagnostic> {
    let sides = size.map(f64::from);
    let inside = |place: &[f64; 2]| (0..2).all(|axis| (0.0..=sides[axis]).contains(&place[axis]));
    let first = *places.first()?;
    (!places.iter().any(inside)).then_some(Diagnostic::PlacesOutside {
        first,
        count: places.len(),
        size,
    })
}

fn shades() -> impl TypedValueParser<Value = Shade> {
    let about = |shade| match shade {
        Shade::Bright => "At least half white",
        Shade::Dark => "Less than half white",
    };
    choice(&[Shade::Bright, Shade::Dark], Shade::name, about)
}

fn ramps() -> impl TypedValueParser<Value = Ramp> {
    let about = |ramp| match ramp {
        Ramp::Linear => "In proportion to the distance",
        Ramp::Sqrt => "With the square root of the distance",
    };
    choice(&[Ramp::Linear, Ramp::Sqrt], Ramp::name, about)
}
