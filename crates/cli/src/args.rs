//! The flags of `spinney sample`.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use crate::field::FieldArgs;
use crate::flags::{SPACING, WORLD, rules};
use crate::ground::GroundArgs;
use crate::last::Last;
use crate::numbers;
use crate::place::WorldArgs;
use crate::placing::PlacingArgs;
use crate::region::RegionArgs;
use clap::{Args, ValueEnum};
use density::Bounds;
use sampler::{BridsonOptions, Rule};
use std::path::PathBuf;

/// Scatter points by a map: min_dist = min + value * (max - min), white is sparse
///
/// Distances are centre to centre, in world units. The same flags always give the same points.
/// Files appear only after the whole run has succeeded; existing files stay untouched until then.
/// Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line that stands by itself"
)]
pub(crate) struct SampleArgs {
    /// Map: PNG, JPEG, TIFF, EXR, HDR, PNM, .asc, .r16 or .r32f [default: a built-in meadow of
    /// Perlin noise]
    pub(crate) map: Option<PathBuf>,

    /// Species file (TOML): several layers, each with its own map and distances; replaces MAP and
    /// the flags about MAP
    #[arg(long, value_name = "FILE")]
    pub(crate) species: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) field: FieldArgs,

    #[command(flatten)]
    pub(crate) region: RegionArgs,

    /// Distance that two points with different min_dist must keep [default: max]
    #[arg(long, value_parser = rules(), help_heading = SPACING)]
    pub(crate) rule: Option<Rule>,

    #[command(flatten)]
    pub(crate) world: WorldArgs,

    /// Make a periodic tile: opposite edges fit, and distances count across them (scatter only)
    #[arg(long, help_heading = WORLD)]
    pub(crate) tile: bool,

    /// Sampling algorithm
    #[arg(long, value_enum, default_value = "scatter", help_heading = RUN)]
    pub(crate) algorithm: Algorithm,

    /// Candidates drawn around each active point: more pack points slightly denser and take longer
    /// (bridson only) [default: 30]
    #[arg(long, value_name = "N", value_parser = numbers::tries, help_heading = RUN)]
    pub(crate) tries: Option<u32>,

    /// Seed of the random numbers, and of the built-in meadow
    #[arg(long, value_name = "N", default_value = "0", value_parser = numbers::seed,
          help_heading = RUN)]
    pub(crate) seed: u64,

    /// Keep at most N points: bridson stops there; scatter evaluates the whole map, however large,
    /// and keeps the N of the smallest ids, all over it by chance; with --lod the first N by rank and
    /// id, full levels evenly spread [default: refuse to start if more than 100 million are expected]
    #[arg(long, value_name = "N", value_parser = numbers::points, help_heading = RUN)]
    pub(crate) max_points: Option<u64>,

    /// Scale all distances but those of --avoid by one factor, after --limit, to get N points, of
    /// all species together (scatter only)
    #[arg(long, value_name = "N", value_parser = numbers::points, help_heading = SPACING)]
    pub(crate) count: Option<u64>,

    /// Factor of all distances but those of --avoid, applied after --limit, like scale_factor in the
    /// summary of a run with --count; with --last, windows match that run (scatter only)
    #[arg(long, value_name = "FACTOR", value_parser = numbers::distance, conflicts_with = "count",
          help_heading = SPACING)]
    pub(crate) scale_factor: Option<f64>,

    /// Last point to write, in the order of rank and id, like last in the summary of a run with
    /// --count: windows then match that run exactly
    #[arg(long, value_name = "[RANK,]ID", value_parser = Last::parse, requires = "scale_factor",
          conflicts_with = "count", help_heading = SPACING)]
    pub(crate) last: Option<Last>,

    /// Rectangle to write, world units: its points (X0 <= x < X1, Y0 <= y < Y1) are those of the
    /// whole world, ids included. Only the tiles of a TIFF map around it are read; a mask and
    /// heights are read whole (scatter only)
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = numbers::window, help_heading = WORLD)]
    pub(crate) window: Option<Bounds<2>>,

    /// Give each point a rank from 0 to N: the points up to any rank are evenly spread, and each
    /// further rank halves their distance; with --species in each layer by itself (scatter only)
    #[arg(long, value_name = "N", value_parser = numbers::levels, help_heading = RUN)]
    pub(crate) lod: Option<u32>,

    /// Number of threads; does not change the points (scatter only) [default: all]
    #[arg(long, value_name = "N", value_parser = numbers::threads, help_heading = RUN)]
    pub(crate) threads: Option<usize>,

    /// Keep only a few blocks of points in memory (all points with both --tile and --lod); does not
    /// change the points (scatter only) [default: if the points would not fit in memory]. With --lod
    /// never by default: it then sorts points by rank in each part of the world only
    #[arg(long, help_heading = RUN)]
    pub(crate) stream: bool,

    #[command(flatten)]
    pub(crate) ground: GroundArgs,

    #[command(flatten)]
    pub(crate) placing: PlacingArgs,

    /// Write points to FILE: .csv, .json, .ply, .svg, .npy; .geojson for GIS; .glb and .usda with
    /// instances; .tscn for Godot, .unity.json for Unity, .unreal.csv for Unreal; - is CSV on
    /// stdout; repeatable
    #[arg(short, long = "output", value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Vec<PathBuf>,

    /// Write a picture of the points over the map to FILE.png
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) preview: Option<PathBuf>,

    /// Write the options and the results of the run to FILE.json
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) summary: Option<PathBuf>,

    /// Check the points, and write no file if pairs are too close or scatter left gaps; points to
    /// stdout are not held back. Gaps are not checked with --count or --last, or if --max-points
    /// stops the run
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) verify: bool,

    /// Print errors only: no progress bar, no closing line, no warnings
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

impl SampleArgs {
    /// Returns the number of tries of Bridson's algorithm; the default if the flag was not given.
    pub(crate) fn tries(&self) -> u32 {
        self.tries.unwrap_or(BridsonOptions::default().tries)
    }

    /// Returns the conflict rule; the default if the flag was not given. The field `rule` itself says
    /// whether it was given.
    pub(crate) fn rule(&self) -> Rule {
        self.rule.unwrap_or_default()
    }
}

const RUN: &str = "Run";
const OUTPUT: &str = "Output (at least one)";

const EXAMPLES: &str = "\
Examples:
  spinney sample -o points.csv --preview preview.png
  spinney sample map.png --min-dist 4 --max-dist 24 -o points.csv -o points.ply
  spinney sample map.png --white dense --size 200x150 --origin -100,-75 --y-up -o points.json
  spinney sample map.png --max-points 1000 -o - | head
  spinney sample map.png --window 0,0,64,64 -o part.csv";

/// The algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Algorithm {
    /// Maximal: leaves no gap; the points do not depend on the number of threads
    Scatter,
    /// Bridson's algorithm (2007), on one thread; leaves gaps
    Bridson,
}

impl Algorithm {
    /// Returns the name as files spell it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scatter => "scatter",
            Self::Bridson => "bridson",
        }
    }
}
