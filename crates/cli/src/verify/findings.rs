//! The findings about one set or about layers, and the problems among them.

use crate::layers::Layers;
use crate::numbers::{counted, grouped, plain};
use quality::layers::{LayerReport, LayersClaim, LayersReport, judge_layers};
use quality::measures::{Hole, Pair};
use quality::{Domain, Measures, PointSet, QualityError, Report, Rule};
use serde::Serialize;

/// All figures.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Findings {
    /// The figures of one set.
    Set(Box<Report>),
    /// The figures of each layer and of each pair of layers.
    Layers(Box<LayersReport>),
}

/// The gaps of a set or of a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gaps<'a> {
    /// The share of the area where points may lie.
    pub(super) fraction: f64,
    /// Proved lower bound of their area.
    pub(super) area: f64,
    hole: Option<&'a Hole>,
}

/// Upper bound on the ratio of the largest hole of a maximal set: gaps that a sampler leaves lie in squares with sides
/// of `min_dist` / 1024.
const LARGEST_HOLE: f64 = 1.002;

impl Gaps<'_> {
    /// Describes why a set that should be maximal is not.
    pub(super) fn not_maximal(&self, name: &str) -> Option<String> {
        let Self { fraction, hole, .. } = self;
        let fits = match hole {
            Some(hole) if hole.ratio > LARGEST_HOLE => format!(
                ", and one more point fits at {}, {:.4} times as far from the others as it must be",
                place(&hole.place),
                hole.ratio
            ),
            // Without any point, no place has a ratio, and gaps cover all.
            None if *fraction >= 1.0 => String::new(),
            _ => return None,
        };
        Some(format!(
            "{name} is not maximal: gaps cover {fraction:.2e} of its area{fits}"
        ))
    }
}

/// Judges points with layers.
pub(super) fn of_layers(
    set: &PointSet<2>,
    domain: &Domain<2>,
    layers: &Layers<'_>,
    rule: Rule,
    measures: Measures,
) -> Result<LayersReport, QualityError> {
    let claim = LayersClaim {
        fields: layers.fields().iter().map(|l| &*l.field as _).collect(),
        rule,
        apart: &|a, b| layers.apart().get(a, b),
    };
    judge_layers(set, domain, &claim, measures)
}

impl Findings {
    /// Returns the least ratio of a pair's distance to its required distance; `None` without pairs.
    pub(super) fn worst_ratio(&self) -> Option<f64> {
        match self {
            Self::Set(report) => report.worst_ratio,
            Self::Layers(report) => report.worst_ratio,
        }
    }

    /// Describes violations, misplaced points and points outside; `by` names what allows points, and `around` what they
    /// must lie in.
    pub(super) fn problems(&self, by: &str, around: &str) -> Vec<String> {
        let (violations, are_all, misplaced, outside) = match self {
            Self::Set(r) => (r.violations, r.violations_complete, r.misplaced, r.outside),
            Self::Layers(r) => (r.violations, r.violations_complete, r.misplaced, r.outside),
        };
        let mut problems = Vec::new();
        if violations > 0 {
            let worst = self
                .worst()
                .map(|pair| format!(", the worst {}", apart(pair)));
            let worst = worst.unwrap_or_default();
            let count = at_least(violations, are_all);
            let pairs = if violations == 1 {
                "pair is"
            } else {
                "pairs are"
            };
            problems.push(format!("{count} {pairs} too close{worst}"));
        }
        if misplaced > 0 {
            problems.push(format!("{} where {by} none", points_lie(misplaced)));
        }
        if outside > 0 {
            problems.push(format!("{} outside {around}", points_lie(outside)));
        }
        problems
    }

    /// Returns the gaps of the set or of each layer, each with its name. `None` where gaps are not defined.
    pub(super) fn gaps(&self) -> Vec<(String, Option<Gaps<'_>>)> {
        match self {
            Self::Set(report) => {
                let area = report.gap_lower.zip(report.searched_area);
                // In space, volumes of large coordinates are infinite.
                let fraction = report.gap_fraction.filter(|share| !share.is_nan());
                let gaps = fraction.zip(area);
                let gaps = gaps.map(|(fraction, (lower, searched))| Gaps {
                    fraction,
                    area: lower * searched,
                    hole: report.largest_hole.as_ref(),
                });
                vec![("the set".to_owned(), gaps)]
            }
            Self::Layers(report) => {
                fn of(layer: &LayerReport) -> (String, Option<Gaps<'_>>) {
                    let gaps = layer.gaps.as_ref().map(|gaps| Gaps {
                        fraction: gaps.fraction,
                        area: gaps.lower * gaps.searched_area,
                        hole: gaps.largest_hole.as_ref(),
                    });
                    (format!("layer {}", layer.layer), gaps)
                }
                report.layers.iter().map(of).collect()
            }
        }
    }

    fn worst(&self) -> Option<&Pair> {
        let report = match self {
            Self::Set(report) => return report.worst_pairs.first(),
            Self::Layers(report) => report,
        };
        let within = report.layers.iter().filter_map(|l| l.worst_pairs.first());
        let between = report.between.iter().filter_map(|b| b.worst_pairs.first());
        let ratio = |pair: &Pair| pair.distance / pair.required;
        within
            .chain(between)
            .min_by(|a, b| ratio(a).total_cmp(&ratio(b)))
    }
}

/// Returns the beginning of a sentence about a number of points.
pub(super) fn points_lie(count: usize) -> String {
    let verb = if count == 1 { "lies" } else { "lie" };
    format!("{} {verb}", counted(count as u64, "point"))
}

/// Formats a pair of points and its distance.
pub(super) fn apart(pair: &Pair) -> String {
    let [distance, required] = [pair.distance, pair.required].map(plain);
    let (earlier, later) = (pair.earlier, pair.later);
    format!("{earlier} and {later}: {distance} apart, should be {required}")
}

/// Formats a place.
pub(super) fn place(p: &[f64]) -> String {
    let coordinates: Vec<String> = p.iter().map(|x| plain(*x)).collect();
    coordinates.join(",")
}

/// Formats a count, which is a lower bound unless `is_complete`.
pub(super) fn at_least(count: u64, is_complete: bool) -> String {
    let more = if is_complete { "" } else { "at least " };
    format!("{more}{}", grouped(count))
}
