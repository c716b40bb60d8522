//! The flags of `spinney verify`.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use super::extent;
use crate::field::FieldArgs;
use crate::flags::{SPACING, WORLD, rules};
use crate::numbers;
use crate::region::RegionArgs;
use clap::Args;
use sampler::Rule;
use std::path::PathBuf;

const VERDICT: &str = "Verdict";
const OUTPUT: &str = "Output";

/// Judge a file of points: spacing, gaps, density, spectrum; ours or a stranger's.
///
/// Reads CSV (with a header line), JSON, PLY and NPY with x, y and optionally z, id, min_dist,
/// parent and rank. What each pair must keep comes from MAP, or --min-dist for all, or the
/// points' own min_dist. With --mask, --polygon and --avoid, gaps count only where these allow
/// points, and points elsewhere are misplaced; what --height, --slope and --altitude closed is not
/// known here, `sample --verify` knows it. Exit codes: 0 the rule holds, 1 it is broken, points lie
/// outside the world or the run failed, 2 wrong usage.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// Points: .csv, .json, .ply or .npy
    pub(crate) points: PathBuf,

    /// The map that they should follow
    pub(crate) map: Option<PathBuf>,

    /// The species file that the points' layers should follow, in place of MAP: judges each layer
    /// and any two of them
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    pub(crate) species: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) field: FieldArgs,

    #[command(flatten)]
    pub(crate) region: RegionArgs,

    /// Distance two points of different min_dist must keep [default: as the file says, or max]
    #[arg(long, value_parser = rules(), help_heading = SPACING)]
    pub(crate) rule: Option<Rule>,

    /// World size [default: as the points' file says, else where MAP's file says that it lies, else
    /// one unit per pixel of MAP, or the points' own box]
    #[arg(long, value_name = "WxH[xD]", value_parser = extent::size,
          allow_hyphen_values = true, help_heading = WORLD)]
    pub(crate) size: Option<extent::Numbers>,

    /// World coordinates of the lowest corner [default: as --size; beside --size: 0,0]
    #[arg(long, value_name = "X,Y[,Z]", value_parser = extent::origin,
          allow_hyphen_values = true, help_heading = WORLD)]
    pub(crate) origin: Option<extent::Numbers>,

    /// Opposite sides meet: the set is a tile [default: as the points' file says]
    #[arg(long, help_heading = WORLD)]
    pub(crate) torus: bool,

    /// Fail when one more point could be placed anywhere (gaps below 1e-5 min_dist squared,
    /// a sampler's resolution, are passed over)
    #[arg(long, help_heading = VERDICT)]
    pub(crate) expect_maximal: bool,

    /// Fail when the places for one more point make up more than this share of the domain
    #[arg(long, value_name = "SHARE", value_parser = numbers::share,
          allow_hyphen_values = true, help_heading = VERDICT)]
    pub(crate) max_gap: Option<f64>,

    /// More sets of the same kind, over which the spectrum is averaged; repeatable
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = OUTPUT)]
    pub(crate) also: Vec<PathBuf>,

    /// All figures, to FILE.json
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = OUTPUT)]
    pub(crate) report: Option<PathBuf>,

    /// Points, periodogram, spectrum, pair correlation and density error, to FILE.png
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = OUTPUT)]
    pub(crate) plot: Option<PathBuf>,
}

impl VerifyArgs {
    /// Returns `true` if flags state where the world lies, which override the points' file.
    pub(crate) fn states_world(&self) -> bool {
        self.size.is_some() || self.origin.is_some()
    }
}

const EXAMPLES: &str = "\
Examples:
  spinney verify points.csv map.png --min-dist 4 --max-dist 24
  spinney verify points.json --report report.json --plot plot.png
  spinney verify wood.csv --species wood.toml
  spinney verify theirs.npy --min-dist 5 --size 800x600 --max-gap 1e-3";
