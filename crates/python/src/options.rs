//! Options: those that convert greys to distances, and names of choices.

use crate::refused::{Outcome, Refused};
use density::numbers::plain;
use density::shape::{self, Curve, MapKind, Side};
use density::{DistRange, FieldError, OutOfRange, White};
use pyo3::prelude::*;
use sampler::Rule;

/// The options that convert greys to distances.
#[derive(Debug, FromPyObject)]
pub(crate) struct Shaping {
    min_dist: f64,
    max_dist: f64,
    density: Option<(f64, f64)>,
    white: String,
    srgb: bool,
    gamma: Option<f64>,
    curve: Option<Vec<[f64; 2]>>,
    map_is: String,
    pub(crate) limit: Option<f64>,
    limit_keep: String,
}

impl Shaping {
    /// Returns the range of distances.
    pub(crate) fn range(&self) -> Outcome<DistRange> {
        let Some((least, most)) = self.density else {
            return range_of(self.min_dist, self.max_dist);
        };
        DistRange::from_densities::<2>(least, most).map_err(|_| {
            let value = format!("({}, {})", plain(least), plain(most));
            let problem = "write the least and then the greatest number of points per area, both \
                           above 0, like (0.001, 0.05)";
            Refused::option("density", value, problem)
        })
    }

    /// Returns the meaning of white.
    pub(crate) fn white(&self) -> Outcome<White> {
        named("white", &self.white, &White::ALL, White::name)
    }

    /// Returns the changes to the greys.
    pub(crate) fn steps(&self) -> Outcome<shape::Shaping> {
        let keep = named("limit_keep", &self.limit_keep, &Side::ALL, Side::name)?;
        let curve = self
            .curve
            .as_ref()
            .map(|points| Curve::new(points).map_err(|e| Refused::new(format!("curve: {e}"))));
        Ok(shape::Shaping {
            srgb: self.srgb,
            gamma: self.gamma,
            curve: curve.transpose()?,
            kind: named("map_is", &self.map_is, &MapKind::ALL, MapKind::name)?,
            limit: self.limit.map(|slope| (slope, keep)),
        })
    }
}

/// Returns the range between two given distances.
pub(crate) fn range_of(least: f64, most: f64) -> Outcome<DistRange> {
    DistRange::new(least, most).map_err(|_| {
        let least = plain(least);
        Refused::option(
            "max_dist",
            plain(most),
            format!("must not be less than min_dist {least}"),
        )
    })
}

/// Returns the error for noise whose first octave has cycles of length `scale`.
pub(crate) fn noise_refused(scale: f64, error: FieldError) -> Refused {
    match error {
        FieldError::OutOfRange(OutOfRange { name, .. }) => Refused::new(format!("{name}: {error}")),
        _ => Refused::option("scale", plain(scale), error),
    }
}

/// Returns the rule called `name`.
pub(crate) fn rule_of(name: &str) -> Outcome<Rule> {
    named("rule", name, &Rule::ALL, Rule::name)
}

/// Returns the value called `wanted`.
pub(crate) fn named<T: Copy>(
    option: &str,
    wanted: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Outcome<T> {
    let found = all.iter().find(|&&value| name(value) == wanted);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&value| name(value)).collect();
        let problem = format!("is not one of {}", names.join(", "));
        Refused::new(format!("{option}: '{wanted}' {problem}"))
    })
}
