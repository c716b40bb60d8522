//! The flags of `spinney sample`.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use crate::field::FieldArgs;
use crate::flags::{SPACING, WORLD, rules};
use crate::ground::GroundArgs;
use crate::last::Last;
use crate::numbers;
use crate::placing::PlacingArgs;
use crate::region::RegionArgs;
use clap::{Args, ValueEnum};
use density::Bounds;
use sampler::{BridsonOptions, Rule};
use std::path::PathBuf;

/// Scatter points by a map: min_dist = min + value * (max - min), white is sparse.
///
/// Distances are centre to centre, in world units. The same flags always give the same points.
/// Files appear only when the whole run has succeeded; what they replace stays untouched until
/// then. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line that stands by itself"
)]
pub(crate) struct SampleArgs {
    /// Map: PNG, JPEG, TIFF, EXR, HDR, PNM, .asc, .r16 or .r32f; without it, a built-in meadow of Perlin noise
    pub(crate) map: Option<PathBuf>,

    /// Several layers (species), each with a map and distances of its own: a TOML file of layer
    /// and apart tables, in place of MAP and the flags about it
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    pub(crate) species: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) field: FieldArgs,

    #[command(flatten)]
    pub(crate) region: RegionArgs,

    /// Distance two points of different min_dist must keep [default: max]
    #[arg(long, value_parser = rules(), help_heading = SPACING)]
    pub(crate) rule: Option<Rule>,

    /// World size [default: where a GeoTIFF, an ESRI ASCII grid or a world file says that the map lies,
    /// else one unit per pixel; 512x512 without a map]
    #[arg(long, value_name = "WxH", value_parser = numbers::size,
          allow_hyphen_values = true, help_heading = WORLD)]
    pub(crate) size: Option<[f64; 2]>,

    /// World coordinates of the lowest corner [default: as --size, else 0,0]
    #[arg(long, value_name = "X,Y", value_parser = numbers::origin,
          allow_hyphen_values = true, help_heading = WORLD)]
    pub(crate) origin: Option<[f64; 2]>,

    /// Make a tile: opposite edges fit, and distances count across them (scatter only)
    #[arg(long, help_heading = WORLD)]
    pub(crate) tile: bool,

    /// How points are found
    #[arg(long, value_enum, default_value = "scatter", help_heading = RUN)]
    pub(crate) algorithm: Algorithm,

    /// Candidates drawn around an active point before it is retired: more pack a little denser and
    /// take longer (bridson only) [default: 30]
    #[arg(long, value_name = "N", value_parser = numbers::tries,
          allow_hyphen_values = true, help_heading = RUN)]
    pub(crate) tries: Option<u32>,

    /// Where the random numbers start; also shapes the built-in meadow
    #[arg(long, value_name = "N", default_value = "0", value_parser = numbers::seed,
          allow_hyphen_values = true, help_heading = RUN)]
    pub(crate) seed: u64,

    /// Stop after N points, with scatter the earliest in order of priority, which lie all over
    /// the map [default: refuse to start when over 100 million are expected]
    #[arg(long, value_name = "N", value_parser = numbers::points,
          allow_hyphen_values = true, help_heading = RUN)]
    pub(crate) max_points: Option<u64>,

    /// Scale all distances by the one factor that gives N points (scatter only, not with --species)
    #[arg(long, value_name = "N", value_parser = numbers::points,
          allow_hyphen_values = true, help_heading = SPACING)]
    pub(crate) count: Option<u64>,

    /// Multiply all distances: the `scale_factor` that a run with --count writes to its summary. With
    /// --last, windows are those of that run (scatter only)
    #[arg(long, value_name = "FACTOR", value_parser = numbers::distance, conflicts_with = "count",
          allow_hyphen_values = true, help_heading = SPACING)]
    pub(crate) scale_factor: Option<f64>,

    /// Only the points up to this one in the order of rank and id: the `last` that a run with --count
    /// writes to its summary, for the same windows as of that run, to the last point
    #[arg(long, value_name = "[RANK,]ID", value_parser = Last::parse, requires = "scale_factor",
          allow_hyphen_values = true, help_heading = SPACING)]
    pub(crate) last: Option<Last>,

    /// Only the points of this rectangle, in world units: exactly those of the whole that lie there
    /// (X0 <= x < X1, Y0 <= y < Y1), ids too. Of a TIFF map only the tiles around it are read; a
    /// mask and heights are read whole (scatter only)
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = numbers::window,
          allow_hyphen_values = true, help_heading = WORLD)]
    pub(crate) window: Option<Bounds<2>>,

    /// Give every point a rank from 0 to N: those up to any rank are evenly spread themselves,
    /// and each rank more halves their distance (scatter only)
    #[arg(long, value_name = "N", value_parser = numbers::levels,
          allow_hyphen_values = true, help_heading = RUN)]
    pub(crate) lod: Option<u32>,

    /// Threads to work with; they never change the points (scatter only) [default: all]
    #[arg(long, value_name = "N", value_parser = numbers::threads,
          allow_hyphen_values = true, help_heading = RUN)]
    pub(crate) threads: Option<usize>,

    /// Hold only a few blocks of points in memory, whatever it takes, but all of them with --tile and
    /// --lod; never changes the points (scatter only) [default: when those to be held would not fit]
    #[arg(long, help_heading = RUN)]
    pub(crate) stream: bool,

    #[command(flatten)]
    pub(crate) ground: GroundArgs,

    #[command(flatten)]
    pub(crate) placing: PlacingArgs,

    /// Points to FILE: .csv, .json, .ply, .svg, .npy; .geojson for GIS; .glb and .usda with
    /// instances; .tscn for Godot, .unity.json for Unity, .unreal.csv for Unreal; `-` is CSV on
    /// stdout; repeatable
    #[arg(short, long = "output", value_name = "FILE", allow_hyphen_values = true,
          help_heading = OUTPUT)]
    pub(crate) output: Vec<PathBuf>,

    /// Picture of the points over the map, to FILE.png
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = OUTPUT)]
    pub(crate) preview: Option<PathBuf>,

    /// What was asked for and what came out, to FILE.json
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = OUTPUT)]
    pub(crate) summary: Option<PathBuf>,

    /// Judge the points before any file appears; a set with pairs too close, or with gaps where
    /// scatter should leave none (gaps are not judged with --count or --species, nor when
    /// --max-points stops the run), is not written (but stdout is not held back)
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) verify: bool,

    /// No progress bar and no closing line; errors are still told
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
    /// Darts thrown until no gap is left; on all threads, and the same whatever their number
    Scatter,
    /// Bridson's front of points (2007); leaves gaps
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
