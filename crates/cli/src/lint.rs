//! What may be wrong with a map, as warnings.

use density::RadiusMap;
use density::diagnostic::{Diagnostic, Subject, Warning, lint};
use sampler::Rule;

/// What may be wrong with the map, from which `field` is made, when all its distances are multiplied
/// by `factor`.
pub(crate) fn findings(
    subject: &Subject,
    field: &RadiusMap,
    factor: f64,
    rule: Rule,
) -> Vec<Warning> {
    let found = lint(field, factor, steepest(rule)).into_iter();
    // Where no point may lie at all, that is told beside the number of points.
    let found = found.filter(|diagnostic| *diagnostic != Diagnostic::Nowhere);
    found.map(|diagnostic| diagnostic.about(subject)).collect()
}

/// The slope that points can follow under a rule.
fn steepest(rule: Rule) -> f64 {
    match rule {
        Rule::Max | Rule::Own | Rule::Prior | Rule::Parent => 1.0,
        Rule::Mean => 2.0,
        // A dense point comes as near to a sparse one as it likes.
        Rule::Min => f64::INFINITY,
    }
}
