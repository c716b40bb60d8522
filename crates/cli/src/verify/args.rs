//! The flags of `spinney verify`.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use super::extent;
use crate::failure::Failure;
use crate::field::FieldArgs;
use crate::flags::{SPACING, WORLD, rules};
use crate::numbers;
use crate::region::RegionArgs;
use clap::Args;
use density::Bounds;
use density::diagnostic::{Names, Role, Subject};
use sampler::Rule;
use std::fmt::Display;
use std::path::PathBuf;

const VERDICT: &str = "Verdict";
const OUTPUT: &str = "Output";

/// The help of `--min-dist`, of which `sample` has another default.
const MIN_DIST: &str = "Minimum distance between points where they are densest, world units \
                        [default: 4; without MAP, the points' own]";

/// Check a file of points, from any program: spacing, gaps, density, spectrum
///
/// Reads CSV (with a header line), JSON, GeoJSON, PLY and NPY with x, y and optionally z, id,
/// min_dist, parent, rank and layer. The distance that each pair must keep comes from MAP, from
/// --min-dist for all, or from the points' own min_dist. With --mask, --polygon and --avoid, gaps
/// count only where these allow points, and points elsewhere are misplaced. --height, --slope and
/// --altitude are not supported here: use `sample --verify`. Exit codes: 0 the rule holds; 1 it is
/// broken, points lie outside the world or --window or where none may, or the run failed; 2 wrong
/// usage; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("min_dist", |min_dist| min_dist.help(MIN_DIST)))]
pub(crate) struct VerifyArgs {
    /// Points: .csv, .json, .geojson, .ply or .npy
    pub(crate) points: PathBuf,

    /// Map that the points should follow
    pub(crate) map: Option<PathBuf>,

    /// Species file that the points' layers should follow, in place of MAP: checks each layer and
    /// each pair of layers
    #[arg(long, value_name = "FILE")]
    pub(crate) species: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) field: FieldArgs,

    #[command(flatten)]
    pub(crate) region: RegionArgs,

    /// Distance that two points with different min_dist must keep [default: from the points' file,
    /// else max]
    #[arg(long, value_parser = rules(), help_heading = SPACING)]
    pub(crate) rule: Option<Rule>,

    /// Factor of the distances of MAP or the species file: the scale_factor in the summary of a run
    /// with --count [default: from the points' file, else 1]
    #[arg(long, value_name = "FACTOR", value_parser = numbers::distance, help_heading = SPACING)]
    pub(crate) scale_factor: Option<f64>,

    /// World size, world units [default: from the points' file, else from MAP's file, else one unit
    /// per pixel of MAP, else the points' bounding box]
    #[arg(long, value_name = "WxH[xD]", value_parser = extent::size, help_heading = WORLD)]
    pub(crate) size: Option<extent::Numbers>,

    /// World coordinates of the lowest corner [default: from the same file as --size; 0,0 if --size
    /// is given]
    #[arg(long, value_name = "X,Y[,Z]", value_parser = extent::origin, help_heading = WORLD)]
    pub(crate) origin: Option<extent::Numbers>,

    /// Judge the points as those of this rectangle, as sample --window writes them: others are
    /// outside; near its edges gaps are not searched [default: from the points' file]
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = numbers::window, help_heading = WORLD)]
    pub(crate) window: Option<Bounds<2>>,

    /// Treat the set as a periodic tile: opposite edges are one [default: from the points' file]
    #[arg(long, visible_alias = "tile", help_heading = WORLD)]
    pub(crate) torus: bool,

    /// Fail if one more point fits anywhere, in an unresolved cell of `sample` too; places up
    /// to 1.002 times the required distance from all points, a sampler's resolution, are ignored
    #[arg(long, help_heading = VERDICT)]
    pub(crate) expect_maximal: bool,

    /// Fail if gaps, the places for one more point, cover more than this share of the area where
    /// points may lie, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = numbers::share, help_heading = VERDICT)]
    pub(crate) max_gap: Option<f64>,

    /// Further set of the same kind and world, to average the spectrum over; repeatable
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) also: Vec<PathBuf>,

    /// Write all figures to FILE.json
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) report: Option<PathBuf>,

    /// Write plots of points, periodogram, spectrum, pair correlation and density error to FILE.png
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) plot: Option<PathBuf>,
}

impl VerifyArgs {
    /// Returns `true` if flags state where the world lies, which override the points' file.
    pub(crate) fn states_world(&self) -> bool {
        self.size.is_some() || self.origin.is_some()
    }

    /// Returns the name of the rectangle in which all points must lie, with advice.
    pub(crate) fn around(&self) -> &'static str {
        if self.window.is_some() {
            "--window: give the window of the run, or a file of its points only"
        } else {
            "the world: give --size and --origin as in the run"
        }
    }

    /// Returns the subject of warnings about the points.
    pub(super) fn subject(&self) -> Subject {
        Subject::new(Role::Avoid, self.points.display().to_string(), &Names::NONE)
    }

    /// Returns the failure of a run because of the points.
    pub(super) fn failed(&self, problem: impl Display) -> Failure {
        Failure::file("", &self.points, problem)
    }
}

const EXAMPLES: &str = "\
Examples:
  spinney verify points.csv map.png --min-dist 4 --max-dist 24
  spinney verify points.json --report report.json --plot plot.png
  spinney verify wood.csv --species wood.toml
  spinney verify theirs.npy --min-dist 5 --size 800x600 --max-gap 1e-3";
