//! Option names in warnings, and printing warnings.

use crate::failure::tell;
use density::diagnostic::{Names, Syntax, Warning};
use serde::Serialize;

/// The flags of `sample`, `verify`, `map lint` and `map show` about MAP.
pub(crate) const MAP: Names = Names {
    channel: Some("--channel"),
    alpha: Some("--alpha"),
    range: Some("--range"),
    no_data: Some("--nodata"),
    raw_size: Some("--raw-size"),
    min_dist: Some("--min-dist"),
    max_dist: Some("--max-dist"),
    density: Some("--density"),
    gamma: Some("--gamma"),
    srgb: Some("--srgb"),
    limit: Some("--limit"),
    ..RUN
};

/// The flags of a run.
pub(crate) const RUN: Names = Names {
    size: Some("--size"),
    origin: Some("--origin"),
    y_up: Some("--y-up"),
    tries: Some("--tries"),
    algorithm: Some("--algorithm"),
    limit: Some("--limit"),
    ..Names::NONE
};

/// The flags of the `map` subcommands that turn maps into maps.
pub(crate) const INPUT: Names = Names {
    srgb: None,
    limit: None,
    from: Some("--from"),
    at: Some("--at"),
    ..MAP
};

/// The flags about the second of two maps.
pub(crate) const SECOND_INPUT: Names = Names {
    channel: Some("--channel-b"),
    ..INPUT
};

/// The flags about --mask.
pub(crate) const MASK: Names = Names {
    file: Some("--mask"),
    channel: Some("--mask-channel"),
    no_data: Some("--mask-nodata"),
    raw_size: Some("--mask-size"),
    ..RUN
};

/// The flags about --height.
pub(crate) const HEIGHT: Names = Names {
    file: Some("--height"),
    channel: Some("--height-channel"),
    no_data: Some("--height-nodata"),
    heights_at: Some("--height-at"),
    height_range: Some("--height-range"),
    raw_size: Some("--height-size"),
    slope: Some("--slope"),
    altitude: Some("--altitude"),
    ..RUN
};

/// The flags about --polygon.
pub(crate) const POLYGON: Names = Names {
    file: Some("--polygon"),
    units: Some("--polygon-units"),
    ..RUN
};

/// The flags about --avoid.
pub(crate) const AVOID: Names = Names {
    file: Some("--avoid"),
    ..RUN
};

/// The keys of a layer in a species file.
pub(crate) const LAYER: Names = Names {
    syntax: Syntax::Keys,
    channel: Some("channel"),
    alpha: Some("alpha"),
    range: Some("range"),
    no_data: Some("nodata"),
    raw_size: Some("raw_size"),
    min_dist: Some("min_dist"),
    max_dist: Some("max_dist"),
    density: Some("density"),
    gamma: Some("gamma"),
    srgb: Some("srgb"),
    limit: Some("limit"),
    ..Names::NONE
};

/// A warning in a summary.
#[derive(Serialize)]
pub(crate) struct WarningInfo {
    /// The identifier for programs.
    kind: &'static str,
    /// The text for people.
    text: String,
}

impl From<&Warning> for WarningInfo {
    fn from(warning: &Warning) -> Self {
        Self {
            kind: warning.kind(),
            text: warning.to_string(),
        }
    }
}

/// Formats a warning as one line.
pub(crate) fn line(warning: &Warning) -> String {
    format!("warning: {warning}")
}

/// Prints all warnings on stderr. Called last, so that a run that fails prints only its error.
pub(crate) fn tell_all(warnings: &[Warning]) {
    for warning in warnings {
        tell(&line(warning));
    }
}
