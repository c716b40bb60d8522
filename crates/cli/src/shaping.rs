//! Shapes a map's greys on the way to distances: tone, and the gradient limit.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use crate::failure::{Failure, refuse_given};
use crate::flags::choice;
use crate::numbers::{ends, plain, span};
use crate::{memory, numbers};
use clap::Args;
use clap::builder::TypedValueParser;
use density::diagnostic::{Names, Syntax};
use density::shape::{Curve, MapKind, ShapeError, Shaping, ShapingError, Side};
use density::{DistRange, GreyMap};
use serde::Serialize;
use std::fmt::Write;

const TONE: &str = "Tone of the map (in this order)";

/// From greys as painted to greys as meant.
#[derive(Debug, Args)]
pub(crate) struct ShapingArgs {
    /// Least and greatest density in place of --min-dist and --max-dist, points per area of a
    /// maximal set: min_dist = sqrt(0.6966 / density)
    #[arg(long, value_name = "LO..HI", value_parser = span,
          conflicts_with_all = ["min_dist", "max_dist"], help_heading = crate::flags::SPACING)]
    pub(crate) density: Option<[f64; 2]>,

    /// Convert the greys from sRGB to linear [default: use raw values]
    #[arg(long, help_heading = TONE)]
    pub(crate) srgb: bool,

    /// Raise the greys to this power; above 1 darkens
    #[arg(long, value_name = "POWER", value_parser = numbers::number, help_heading = TONE)]
    pub(crate) gamma: Option<f64>,

    /// Map the greys by a smooth curve through these points, like 0:0,0.3:0.7,1:1
    #[arg(long, value_name = "X:Y,..", value_parser = curve, help_heading = TONE)]
    pub(crate) curve: Option<Curve>,

    /// Quantity that is linear in the grey [default: distance]
    #[arg(long = "map", value_name = "KIND", value_parser = kinds(), help_heading = TONE)]
    pub(crate) kind: Option<MapKind>,

    /// Greatest change of min_dist per unit of distance; 0.25 is a good value [default: no limit]
    #[arg(long, value_name = "SLOPE", value_parser = numbers::distance, help_heading = TONE)]
    pub(crate) limit: Option<f64>,

    /// Side of an edge that --limit leaves unchanged; dense also lowers distances on slopes gentler
    /// than the limit, by 3 % at a quarter of it and 11 % at half
    #[arg(long, value_name = "SIDE", default_value = "dense", value_parser = sides(),
          requires = "limit", help_heading = TONE)]
    pub(crate) limit_keep: Side,
}

/// The shaping options, for the summary.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ShapingInfo {
    map: &'static str,
    srgb: bool,
    gamma: Option<f64>,
    /// Whether there is a curve; its control points are not kept.
    curve: bool,
    limit: Option<f64>,
    limit_keep: Option<&'static str>,
}

impl ShapingArgs {
    /// Returns the quantity that is linear in the grey; the default if the flag was not given. The field
    /// `kind` itself says whether it was given.
    fn kind(&self) -> MapKind {
        self.kind.unwrap_or_default()
    }

    /// Returns the range from `--density`, if given.
    pub(crate) fn range(&self, names: &Names) -> Option<Result<DistRange, Failure>> {
        let density @ [least, most] = self.density?;
        Some(DistRange::from_densities::<2>(least, most).map_err(|_| {
            let written = |range: [f64; 2]| match names.syntax {
                Syntax::Flags => ends(range),
                Syntax::Keys => format!("[{}]", range.map(plain).join(", ")),
            };
            let problem = format!(
                "write the least and then the greatest number of points per area, both above 0, \
                 like {}",
                written([0.001, 0.05])
            );
            Failure::usage(names.density.unwrap_or_default(), written(density), problem)
        }))
    }

    /// Returns the changes to the map's greys.
    pub(crate) fn shaping(&self) -> Shaping {
        Shaping {
            srgb: self.srgb,
            gamma: self.gamma,
            curve: self.curve.clone(),
            kind: self.kind(),
            limit: self.limit.map(|slope| (slope, self.limit_keep)),
        }
    }

    /// Refuses flags that need a map.
    pub(crate) fn refuse(&self, problem: &str) -> Result<(), Failure> {
        let given = [
            ("--map", self.kind.is_some()),
            ("--srgb", self.srgb),
            ("--gamma", self.gamma.is_some()),
            ("--curve", self.curve.is_some()),
            ("--limit", self.limit.is_some()),
        ];
        refuse_given(&given, problem)
    }

    /// Describes the options that differ from the defaults, for the closing line.
    pub(crate) fn closing_text(&self) -> String {
        let mut text = String::new();
        if self.srgb {
            text.push_str(", sRGB made linear");
        }
        // Writing to a String cannot fail.
        if let Some(gamma) = self.gamma {
            let _ = write!(text, ", gamma {}", plain(gamma));
        }
        if self.curve.is_some() {
            text.push_str(", curve");
        }
        if self.kind() != MapKind::Distance {
            let _ = write!(text, ", map {}", self.kind().name());
        }
        if let Some(slope) = self.limit {
            let _ = write!(
                text,
                ", limit {} (keeps {})",
                plain(slope),
                self.limit_keep.name()
            );
        }
        text
    }

    pub(crate) fn info(&self) -> ShapingInfo {
        ShapingInfo {
            map: self.kind().name(),
            srgb: self.srgb,
            gamma: self.gamma,
            curve: self.curve.is_some(),
            limit: self.limit,
            limit_keep: self.limit.map(|_| self.limit_keep.name()),
        }
    }
}

/// Refuses a map whose distances do not fit into memory.
pub(crate) fn affordable(map: &GreyMap) -> Result<(), Failure> {
    // Two arrays of distances, one of them the result of shaping.
    let needed = 16 * map.greys().len() as u64;
    match memory::available() {
        Some(left) if left < needed => Err(Failure::Run(anyhow::anyhow!(
            "shaping a {}x{} map needs {} of memory, but {} are free: use a smaller map",
            map.width(),
            map.height(),
            numbers::bytes(needed as f64),
            numbers::bytes(left as f64),
        ))),
        _ => Ok(()),
    }
}

/// Returns the failure for a map that cannot be shaped.
pub(crate) fn refused(error: ShapingError, names: &Names) -> Failure {
    match error {
        ShapingError::Gamma(gamma, e) => failed(names.gamma.unwrap_or_default(), gamma, &e),
        ShapingError::Limit(slope, e) => failed(names.limit.unwrap_or_default(), slope, &e),
        ShapingError::Size(size, _) => pixel_size(size),
    }
}

/// Returns the failure for a world of this size in which the map's pixels are too small or too large for arithmetic.
pub(crate) fn pixel_size(world: [f64; 2]) -> Failure {
    let problem = "the map's pixels would be too small or too large to compute with";
    Failure::usage("--size", numbers::sides(world), problem)
}

/// Returns the failure for a flag's value that the library refuses, or for lack of memory.
pub(crate) fn failed(flag: &str, value: f64, error: &ShapeError) -> Failure {
    match error {
        ShapeError::Map(_) => Failure::Run(anyhow::anyhow!("{flag}: {error}")),
        _ => Failure::usage(flag, plain(value), error),
    }
}

/// Parses control points, `x:y` separated by commas.
fn curve(text: &str) -> Result<Curve, String> {
    let form = "write control points as x:y with commas between, like 0:0,0.3:0.7,1:1";
    let mut points = Vec::new();
    for pair in text.split(',') {
        let (x, y) = pair.split_once(':').ok_or(form)?;
        points.push([numbers::number(x)?, numbers::number(y)?]);
    }
    Curve::new(&points).map_err(|e| e.to_string())
}

fn kinds() -> impl TypedValueParser<Value = MapKind> {
    let about = |kind| match kind {
        MapKind::Distance => "min_dist, from --min-dist to --max-dist",
        MapKind::Density => "Points per area: middle grey is the mean density",
    };
    choice(&MapKind::ALL, MapKind::name, about)
}

pub(crate) fn sides() -> impl TypedValueParser<Value = Side> {
    let about = |side| match side {
        Side::Dense => "The side of small distances",
        Side::Sparse => "The side of large distances",
    };
    choice(&Side::ALL, Side::name, about)
}
