//! What may be wrong with a map, as warnings.

use density::RadiusMap;
use density::diagnostic::{Diagnostic, Lint, Subject, Warning, lint};
use sampler::Rule;

/// What may be wrong with the map, from which `field` is made, when all its distances are multiplied
/// by `factor`.
pub(crate) fn findings(
    subject: &Subject,
    field: &RadiusMap,
    factor: f64,
    rule: Rule,
) -> Vec<Warning> {
    told(lint(field, factor, rule.steepest()), subject)
}

/// What may be wrong with a map of which all parts were read, as warnings about `subject`.
pub(crate) fn of_all(lint: &Lint, subject: &Subject) -> Vec<Warning> {
    told(lint.diagnostics(), subject)
}

/// What may be wrong with the part of a map that was read, as warnings about `subject`. That it has few
/// greys says nothing of the map.
pub(crate) fn of_part(lint: &Lint, subject: &Subject) -> Vec<Warning> {
    // Sentences call it "the map", so its own name goes before them.
    let subject = subject.clone().of_layer(subject.name());
    let of_few =
        |found: &Diagnostic| matches!(found, Diagnostic::Flat { .. } | Diagnostic::Bands { .. });
    let mut found = lint.diagnostics();
    found.retain(|found| !of_few(found));
    told(found, &subject)
}

fn told(found: Vec<Diagnostic>, subject: &Subject) -> Vec<Warning> {
    // Where no point may lie at all, that is told beside the number of points.
    let found = found
        .into_iter()
        .filter(|found| *found != Diagnostic::Nowhere);
    found.map(|found| found.about(subject)).collect()
}
