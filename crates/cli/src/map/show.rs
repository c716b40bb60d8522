//! `spinney map show`: writes the distances that result from a map and all flags.

use super::input::{FollowedArgs, Notes};
use super::output::{Format, Made, OutputArgs, Target, distances_as_levels};
use crate::failure::{Failure, tell};
use crate::numbers::{self, about, plain, short};
use clap::Args;
use density::{RadiusField, White};

/// Write the min_dist map that `sample` follows with the same flags: black is --min-dist, white
/// --max-dist
///
/// It is linear, for either polarity of MAP. `sample` with it in place of MAP, the same world, and
/// only --min-dist and --max-dist (for a TIFF, the flags that are printed) gives the same points, but
/// for rounding to 65536 greys.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    followed: FollowedArgs,

    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(args: &ShowArgs) -> Result<(), Failure> {
    let target = Target::new(&args.output.output, &[&args.followed.map])?;
    let mut notes = Notes::default();
    let (field, distances, info) = args.followed.read(&mut notes)?;
    let map = field.map();
    let said = match distances.extremes() {
        None => "no point is allowed anywhere".to_owned(),
        Some(found) => format!(
            "min_dist {}..{} occurs, about {} points",
            short(found.lo()),
            short(found.hi()),
            about(distances.expected_points())
        ),
    };
    let format = target.format;
    target.write(&Made::Distances {
        map: distances,
        range: field.range(),
        white: White::Sparse,
    })?;
    if args.output.quiet {
        return Ok(());
    }
    let range = field.range();
    let (greys, levels) = match format {
        Format::Png => {
            let (black, white) = (plain(range.lo()), plain(range.hi()));
            let greys = format!("; black is {black}, white is {white}");
            (greys, String::new())
        }
        Format::Tiff => (String::new(), distances_as_levels(range)),
    };
    tell(&format!(
        "{}x{} map{}, white = {}{}, world {}: {said}{greys}: {}{levels}",
        map.width(),
        map.height(),
        info.levels_text(),
        args.followed.field.white().name(),
        args.followed.field.shaping.closing_text(),
        numbers::sides(field.bounds().size()),
        args.output.output.display()
    ));
    notes.tell_advice();
    Ok(())
}
