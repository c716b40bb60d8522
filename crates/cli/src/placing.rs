//! Rotation, size and tilt of the instances at the points.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use crate::failure::Failure;
use crate::numbers::{ends, span};
use crate::warnings::RUN;
use clap::{Args, ValueEnum};
use density::DistRange;
use density::diagnostic::{Diagnostic, Role, Subject, Warning};
use density::ground::Ground;
use export::{Format, Placing, Scale, ScaleBy, Stance, Turn};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

const PLACING: &str = "Instances at the points";

/// Flags of the instances at points.
#[derive(Debug, Args)]
pub(crate) struct PlacingArgs {
    /// Rotate each instance by a random angle, which depends on the seed and the point
    #[arg(long, help_heading = PLACING)]
    pub(crate) rotate: bool,

    /// Range of sizes of the instances; 1 is the size as modelled
    #[arg(long, value_name = "LO..HI", value_parser = span, help_heading = PLACING)]
    pub(crate) scale: Option<[f64; 2]>,

    /// Quantity that sets the size within --scale
    #[arg(long, value_name = "WHAT", value_enum, default_value = "chance", requires = "scale",
          help_heading = PLACING)]
    pub(crate) scale_by: By,

    /// Tilt each instance, perpendicular to the ground of --height
    #[arg(long, requires = "height", help_heading = PLACING)]
    pub(crate) align: bool,
}

/// The quantity that sets the scale of an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Random, depending on the seed and the point
    #[default]
    Chance,
    /// The map: LO at black, HI at white
    Value,
    /// The point's min_dist: LO at --min-dist, or its layer's min_dist, HI at max_dist
    MinDist,
}

/// The placing of instances, for the summary.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlacingInfo {
    rotate: bool,
    scale: Option<[f64; 2]>,
    scale_by: Option<&'static str>,
    align: bool,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Chance => "chance",
            Self::Value => "value",
            Self::MinDist => "min-dist",
        }
    }
}

impl PlacingArgs {
    /// Refuses impossible options before any file is read.
    pub(crate) fn check(&self, count: Option<u64>) -> Result<(), Failure> {
        self.sizes(Vec::new())?;
        if count.is_some() && self.scale_by == By::MinDist {
            let problem = "not supported with --count, which scales distances: give --scale-by \
                           value";
            return Err(Failure::usage("--scale-by", "min-dist", problem));
        }
        Ok(())
    }

    /// Returns a warning if an output format cannot store the tilt.
    pub(crate) fn warning(&self, outputs: &[PathBuf]) -> Option<Warning> {
        let unity = |path: &&PathBuf| Format::from_path(path) == Some(Format::Unity);
        let path = outputs.iter().find(unity).filter(|_| self.align)?;
        let subject = Subject::new(Role::Output, path.display().to_string(), &RUN);
        Some(Diagnostic::NoTilt.about(&subject))
    }

    /// Returns the placing of instances for the exporters; `ranges` are the distances of each layer.
    pub(crate) fn placing(
        &self,
        seed: u64,
        ranges: Vec<DistRange>,
        ground: Option<Arc<Ground>>,
    ) -> Result<Placing, Failure> {
        Ok(Placing {
            seed,
            turn: if self.rotate {
                Turn::Random
            } else {
                Turn::Keep
            },
            scale: self.sizes(ranges)?,
            ground,
            stance: if self.align {
                Stance::Normal
            } else {
                Stance::Upright
            },
        })
    }

    fn sizes(&self, ranges: Vec<DistRange>) -> Result<Option<Scale>, Failure> {
        let Some([lo, hi]) = self.scale else {
            return Ok(None);
        };
        let by = match self.scale_by {
            By::Chance => ScaleBy::Random,
            By::Value => ScaleBy::Value,
            By::MinDist => ScaleBy::MinDist(ranges),
        };
        let scale = Scale::new(lo, hi, by).map_err(|_| {
            let problem = "both must be above 0 and below 3.4e38";
            Failure::usage("--scale", ends([lo, hi]), problem)
        })?;
        Ok(Some(scale))
    }

    /// Describes the options that differ from the defaults, for the closing line.
    pub(crate) fn closing_text(&self) -> String {
        let mut text = String::new();
        if self.rotate {
            text.push_str(", rotated");
        }
        if let Some(scale) = self.scale {
            let by = self.scale_by.name();
            // Writing to a String cannot fail.
            let _ = write!(text, ", scale {} by {by}", ends(scale));
        }
        if self.align {
            text.push_str(", aligned");
        }
        text
    }

    pub(crate) fn info(&self) -> PlacingInfo {
        PlacingInfo {
            rotate: self.rotate,
            scale: self.scale,
            scale_by: self.scale.map(|_| self.scale_by.name()),
            align: self.align,
        }
    }
}
