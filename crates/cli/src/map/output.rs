//! Writes the output map.

use super::input::Notes;
use crate::drafts::{Drafts, Output};
use crate::failure::{Failure, tell};
use crate::numbers::plain;
use crate::outputs::target;
use crate::source::extension;
use clap::Args;
use density::shape::DistMap;
use density::{DistRange, GreyMap, White};
use std::io;
use std::path::{Path, PathBuf};

/// The file that is written.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Write the map to FILE.png (16-bit) or FILE.tif (float): greys from 0 to 1; in a TIFF of show,
    /// limit or dilate --reach, distances in world units
    #[arg(short, long = "output", value_name = "FILE")]
    pub(super) output: PathBuf,

    /// Print errors only
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// The resulting map.
pub(super) enum Made {
    /// Greys without a distance scale.
    Greys(GreyMap),
    /// Distances in world units.
    Distances {
        map: DistMap,
        /// The range of distances that greys represent in a picture.
        range: DistRange,
        white: White,
    },
}

/// The output file, opened before the work starts, which may take long.
pub(super) struct Target {
    output: Output,
    pub(super) format: Format,
    drafts: Drafts,
}

/// The format of the output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Tiff,
}

impl Target {
    /// Checks as much as possible beforehand. The output must not be one of the `inputs`.
    pub(super) fn new(given: &Path, inputs: &[&PathBuf]) -> Result<Self, Failure> {
        let format = match &*extension(given) {
            "png" => Format::Png,
            "tif" | "tiff" => Format::Tiff,
            _ => {
                let problem = "the name must end in .png or .tif";
                return Err(Failure::usage("-o", given.display(), problem));
            }
        };
        let inputs = inputs.iter().map(|input| ("the input", *input));
        let path = target("-o", given, inputs)?;
        let drafts = Drafts::with_interrupt();
        Ok(Self {
            output: drafts.open("-o", given, &path)?,
            format,
            drafts,
        })
    }

    /// Writes the map; the file appears when it is complete.
    pub(super) fn write(self, made: &Made) -> Result<(), Failure> {
        let Self {
            output,
            format,
            drafts,
        } = self;
        output.write(|out| match (made, format) {
            (Made::Greys(map), Format::Png) => map.write_png(out),
            (Made::Greys(map), Format::Tiff) => map.write_tiff(out),
            (Made::Distances { map, range, white }, Format::Png) => {
                let picture = map.to_map(*range, *white).map_err(io::Error::other)?;
                picture.write_png(out)
            }
            (Made::Distances { map, .. }, Format::Tiff) => map.write_tiff(out),
        })?;
        drafts.publish()
    }
}

/// Returns advice for reading a file of distances back unchanged. Without flags, the smallest and the
/// largest value present would become black and white.
pub(super) fn distances_as_levels(range: DistRange) -> String {
    let [lo, hi] = [range.lo(), range.hi()].map(plain);
    format!(
        " (its levels are distances: read it with --range {lo}..{hi} --min-dist {lo} --max-dist {hi})"
    )
}

/// Advice for reading a file of greys back unchanged.
const GREYS_AS_LEVELS: &str = " (its levels are greys from 0 to 1: read it with --range 0..1)";

/// Writes the result of `make`, then prints a line about it, the messages and the warnings.
pub(super) fn make(
    args: &OutputArgs,
    inputs: &[&PathBuf],
    make: impl FnOnce(&mut Notes) -> Result<Made, Failure>,
) -> Result<(), Failure> {
    let target = Target::new(&args.output, inputs)?;
    let format = target.format;
    let mut notes = Notes::default();
    let made = make(&mut notes)?;
    target.write(&made)?;
    if args.quiet {
        return Ok(());
    }
    notes.tell_read();
    let ([width, height], allowed) = match &made {
        Made::Greys(map) => ([map.width(), map.height()], map.allowed_share()),
        Made::Distances { map, .. } => ([map.width(), map.height()], map.allowed_share()),
    };
    let masked = if allowed < 1.0 {
        format!(", points allowed on {:.1} %", 100.0 * allowed)
    } else {
        String::new()
    };
    let levels = match (&made, format) {
        (Made::Distances { range, .. }, Format::Tiff) => distances_as_levels(*range),
        (Made::Greys(_), Format::Tiff) => GREYS_AS_LEVELS.to_owned(),
        (_, Format::Png) => String::new(),
    };
    tell(&format!(
        "wrote a {width}x{height} {} map{masked}: {}{levels}",
        match format {
            Format::Png => "16-bit",
            Format::Tiff => "float",
        },
        args.output.display()
    ));
    notes.tell_advice();
    Ok(())
}
