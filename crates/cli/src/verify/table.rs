//! Formats the figures for people.

use super::findings::{apart, at_least, place};
use crate::layers::Species;
use crate::numbers::{counted, ends, grouped, plain};
use density::diagnostic::Warning;
use quality::layers::LayersReport;
use quality::measures::Prefix;
use quality::{Report, Rule};
use std::fmt::Write;

/// A remark on the figures.
pub(crate) enum Note {
    /// An assumption, for lack of other information.
    Assumed(String),
    /// A warning about a possible misreading.
    Warning(Warning),
}

impl Note {
    /// Returns the note that the domain comes from the points' file.
    pub(super) fn stated_domain() -> Self {
        Self::Assumed("domain: from the points' file".to_owned())
    }
}

/// Appends notes to a table with labels of this width.
fn append(table: &mut String, notes: &[Note], width: usize) {
    for note in notes {
        let (label, text) = match note {
            Note::Assumed(text) => ("assumed", text.clone()),
            Note::Warning(warning) => ("warning", warning.to_string()),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(table, "  {label:<width$}{text}");
    }
}

/// Returns a table of one set.
pub(super) fn of_set(name: &str, report: &Report, notes: &[Note]) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    rows.push(("points", grouped(report.points as u64)));
    let (min, max) = (place(&report.domain_min), place(&report.domain_max));
    rows.push(("domain", format!("{min} to {max}, {}", report.edges)));
    if report.outside > 0 {
        rows.push(("outside", counted(report.outside as u64, "point")));
    }
    rows.push((
        "rule",
        format!("{}, min_dist {}", report.rule, range(report)),
    ));
    let count = at_least(report.violations, report.violations_complete);
    rows.push(("violations", count));
    if report.misplaced > 0 {
        let count = counted(report.misplaced as u64, "point");
        rows.push(("misplaced", format!("{count} where the map allows none")));
    }
    rows.push(("worst ratio", number(report.worst_ratio, 9)));
    rows.push((
        "least distance",
        report.least_distance.map_or_else(none, plain),
    ));
    rows.push(("gap fraction", gap(report)));
    if let Some(hole) = &report.largest_hole {
        let place = place(&hole.place);
        let ratio = format!("{:.4} times the required distance", hole.ratio);
        rows.push((
            "largest hole",
            format!("{ratio} from any point, at {place}"),
        ));
    }
    rows.push(("c", number(report.c, 4)));
    rows.push(("packing", number(report.packing, 4)));
    rows.push(("rho", number(report.rho, 4)));
    rows.push(("mean rho", number(report.mean_rho, 4)));
    rows.push(("density error", density(report)));
    rows.extend(spectrum(report));
    let top = report
        .prefixes
        .iter()
        .flatten()
        .filter_map(|p| p.rank)
        .max();
    for prefix in report.prefixes.iter().flatten() {
        rows.push(("prefix", self::prefix(prefix, top)));
    }
    let mut out = format!("{name}\n");
    for (label, value) in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "  {label:<16}{value}");
    }
    for pair in &report.worst_pairs {
        let _ = writeln!(out, "  too close       {}", apart(pair));
    }
    append(&mut out, notes, 16);
    out
}

/// Returns a table of layers.
pub(super) fn of_layers(
    name: &str,
    report: &LayersReport,
    rule: Rule,
    species: &[Species],
    notes: &[Note],
) -> String {
    let called = |layer: usize| species.get(layer).map_or("", |s| s.name.as_str());
    let mut out = format!("{name}\n");
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  points      {}", grouped(report.points as u64));
    let _ = writeln!(out, "  rule        {}", rule.name());
    let count = at_least(report.violations, report.violations_complete);
    let _ = writeln!(out, "  violations  {count}");
    for layer in &report.layers {
        let _ = writeln!(
            out,
            "  layer {:<6}{}: {}, {}, {} misplaced, worst ratio {}, gaps {}",
            layer.layer,
            called(layer.layer),
            counted(layer.points as u64, "point"),
            counted(layer.violations, "violation"),
            grouped(layer.misplaced as u64),
            number(layer.worst_ratio, 9),
            layer
                .gaps
                .as_ref()
                .map_or_else(none, |gaps| format!("{:.3e}", gaps.fraction)),
        );
    }
    for between in &report.between {
        let [a, b] = between.layers;
        let keep = match between.distance {
            Some(0.0) => "no distance to keep".to_owned(),
            Some(distance) => format!("{} apart", plain(distance)),
            None => "by the rule".to_owned(),
        };
        let _ = writeln!(
            out,
            "  between     {} and {}, {keep}: {}, worst ratio {}",
            called(a),
            called(b),
            counted(between.violations, "violation"),
            number(between.worst_ratio, 9),
        );
    }
    let within = report.layers.iter().flat_map(|l| &l.worst_pairs);
    for pair in within.chain(report.between.iter().flat_map(|b| &b.worst_pairs)) {
        let _ = writeln!(out, "  too close   {}", apart(pair));
    }
    append(&mut out, notes, 12);
    out
}

/// Formats the figures of a prefix of the nested order; `top` is the highest rank if ranks are levels.
fn prefix(prefix: &Prefix, top: Option<u64>) -> String {
    let points = prefix.points as u64;
    let rho = format!("rho {:.4}, mean {:.4}", prefix.rho, prefix.mean_rho);
    match prefix.rank.zip(top) {
        None => format!("first {}: {rho}", grouped(points)),
        Some((rank, top)) => format!(
            "rank to {rank}, {}: least distance {:.3} of the larger min_dist, {:.3} of 2^{} times \
             that; {rho}",
            counted(points, "point"),
            prefix.least_ratio,
            prefix.least_ratio / 2.0_f64.powf((top - rank) as f64),
            top - rank,
        ),
    }
}

fn none() -> String {
    "-".to_owned()
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(none, |value| format!("{value:.decimals$}"))
}

fn range(report: &Report) -> String {
    match report.min_dist.zip(report.max_dist) {
        None => none(),
        Some((lo, hi)) if lo == hi => plain(lo),
        Some((lo, hi)) => ends([lo, hi]),
    }
}

fn gap(report: &Report) -> String {
    let (Some(gap), Some(lower), Some(upper)) =
        (report.gap_fraction, report.gap_lower, report.gap_upper)
    else {
        return none();
    };
    format!("{gap:.3e} (proved: {lower:.3e} to {upper:.3e})")
}

fn density(report: &Report) -> String {
    match report.density_error.zip(report.density_contrast) {
        None => none(),
        Some((mean, contrast)) => format!("{mean:.4} (contrast {contrast:+.4})"),
    }
}

fn spectrum(report: &Report) -> Vec<(&'static str, String)> {
    let low: Vec<_> = report
        .spectrum
        .iter()
        .filter(|ring| (0.05..0.3).contains(&ring.frequency))
        .collect();
    let count: usize = low.iter().map(|ring| ring.count).sum();
    let sum: f64 = low.iter().map(|r| r.power * r.count as f64).sum();
    let peak = report
        .spectrum
        .iter()
        .filter(|ring| ring.frequency > 0.3)
        .max_by(|a, b| a.power.total_cmp(&b.power));
    let mut rows = Vec::new();
    if count > 0 {
        rows.push(("P(0.05-0.3)", format!("{:.4}", sum / count as f64)));
    }
    if let Some(peak) = peak {
        let text = format!("{:.3} at {:.3} sqrt(n)", peak.power, peak.frequency);
        rows.push(("P peak", text));
    }
    if let Some(anisotropy) = report.anisotropy {
        let sets = counted(report.spectrum_sets as u64, "set");
        rows.push(("anisotropy", format!("{anisotropy:.2} dB over {sets}")));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_layers_that_were_not_all_counted_are_said_to_be_more() {
        let report = |violations_complete| LayersReport {
            points: 9000,
            outside: 0,
            violations: 5_000_001,
            violations_complete,
            misplaced: 0,
            worst_ratio: None,
            layers: Vec::new(),
            between: Vec::new(),
        };
        let table = |is_complete| of_layers("p.csv", &report(is_complete), Rule::Max, &[], &[]);
        assert!(table(true).contains("violations  5,000,001"));
        assert!(table(false).contains("violations  at least 5,000,001"));
    }
}
