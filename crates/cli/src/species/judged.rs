//! Judging layers by the fields and distances of their species file.

use super::layers::Species;
use crate::failure::Failure;
use crate::numbers::{grouped, plain};
use density::{Bounds, RadiusField};
use quality::{
    Columns, Domain, Edges, LayersClaim, LayersReport, Pair, PointSet, QualityError, judge_layers,
};
use sampler::{Apart, Layer, Rule, Sample};
use std::fmt::Write;

/// Judges points of layers.
pub(crate) fn judge(
    set: &PointSet<2>,
    world: Bounds<2>,
    layers: &[Layer<'_, 2>],
    apart: &Apart,
    rule: Rule,
) -> Result<LayersReport, QualityError> {
    let domain = Domain {
        bounds: world,
        edges: Edges::Open,
    };
    let fields = layers.iter().map(|l| &*l.field as &dyn RadiusField<2>);
    let claim = LayersClaim {
        fields: fields.collect(),
        rule,
        apart: &|a, b| apart.get(a, b),
    };
    judge_layers(set, &domain, &claim)
}

/// For `sample --verify`: a line on what was found, or a failure.
pub(super) fn before_writing(
    samples: &[Sample<2>],
    world: Bounds<2>,
    layers: &[Layer<'_, 2>],
    apart: &Apart,
    rule: Rule,
) -> Result<String, Failure> {
    let failed = |e: &dyn std::fmt::Display| Failure::Run(anyhow::anyhow!("--verify: {e}"));
    let set = PointSet::new(Columns {
        positions: samples.iter().map(|s| s.position).collect(),
        ids: Some(samples.iter().map(|s| s.id).collect()),
        layers: Some(
            samples
                .iter()
                .map(|s| s.layer.map_or(u64::MAX, u64::from))
                .collect(),
        ),
        ..Columns::default()
    });
    let set = set.map_err(|e| failed(&e))?;
    let report = judge(&set, world, layers, apart, rule).map_err(|e| failed(&e))?;
    match problems(&report) {
        Some(problems) => Err(failed(&format!("{problems}; no file was written"))),
        None => Ok(report.worst_ratio.map_or_else(
            || "verified: no pair is too close, for there is none".to_owned(),
            |ratio| {
                format!(
                    "verified: every pair keeps its distance, within layers and between them \
                     (worst ratio {ratio:.6})"
                )
            },
        )),
    }
}

/// What is wrong, in one line.
pub(crate) fn problems(report: &LayersReport) -> Option<String> {
    let mut problems = Vec::new();
    if report.violations > 0 {
        let more = if report.violations_complete {
            ""
        } else {
            "at least "
        };
        let within = report.layers.iter().filter_map(|l| l.worst_pairs.first());
        let between = report.between.iter().filter_map(|b| b.worst_pairs.first());
        let ratio = |pair: &Pair| pair.distance / pair.required;
        let worst = within
            .chain(between)
            .min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let worst = worst.map_or_else(String::new, |pair| {
            format!(
                ", the worst {} and {}: {} apart, should be {}",
                pair.earlier,
                pair.later,
                plain(pair.distance),
                plain(pair.required)
            )
        });
        let count = grouped(report.violations);
        problems.push(format!("{more}{count} pairs are too close{worst}"));
    }
    if report.misplaced > 0 {
        let count = grouped(report.misplaced as u64);
        problems.push(format!("{count} points lie where their layers allow none"));
    }
    if report.outside > 0 {
        let count = grouped(report.outside as u64);
        problems.push(format!("{count} points lie outside the world"));
    }
    (!problems.is_empty()).then(|| problems.join("; "))
}

/// A readable table.
pub(crate) fn table(name: &str, report: &LayersReport, rule: Rule, species: &[Species]) -> String {
    let called = |layer: usize| species.get(layer).map_or("", |s| s.name.as_str());
    let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "-".to_owned(), |r| format!("{r:.9}"));
    let mut out = format!("{name}\n");
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  points      {}", grouped(report.points as u64));
    let _ = writeln!(out, "  rule        {}", rule.name());
    let _ = writeln!(out, "  violations  {}", grouped(report.violations));
    for layer in &report.layers {
        let _ = writeln!(
            out,
            "  layer {:<6}{}: {} points, {} violations, {} misplaced, worst ratio {}",
            layer.layer,
            called(layer.layer),
            grouped(layer.points as u64),
            grouped(layer.violations),
            grouped(layer.misplaced as u64),
            ratio(layer.worst_ratio),
        );
    }
    for between in &report.between {
        let [a, b] = between.layers;
        let keep = match between.distance {
            Some(0.0) => "nothing to keep".to_owned(),
            Some(distance) => format!("{} apart", plain(distance)),
            None => "by the rule".to_owned(),
        };
        let _ = writeln!(
            out,
            "  between     {} and {}, {keep}: {} violations, worst ratio {}",
            called(a),
            called(b),
            grouped(between.violations),
            ratio(between.worst_ratio),
        );
    }
    let within = report.layers.iter().flat_map(|l| &l.worst_pairs);
    for pair in within.chain(report.between.iter().flat_map(|b| &b.worst_pairs)) {
        let _ = writeln!(
            out,
            "  too close   {} and {}: {} apart, should be {}",
            pair.earlier,
            pair.later,
            plain(pair.distance),
            plain(pair.required)
        );
    }
    out
}
