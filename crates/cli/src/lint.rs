//! Converts lint diagnostics of maps to warnings.

use density::RadiusMap;
use density::diagnostic::{Diagnostic, Lint, Subject, Warning, lint, note_limit};
use sampler::Rule;

/// Returns warnings about the map that `field` is made from, with all distances multiplied by `factor` after
/// the gradient limit.
pub(crate) fn findings(
    subject: &Subject,
    field: &RadiusMap,
    factor: f64,
    rule: Rule,
    limit: Option<f64>,
) -> Vec<Warning> {
    let mut found = lint(field, factor, rule.steepest());
    note_limit(&mut found, limit, factor);
    told(found, subject)
}

/// Returns warnings about a map of which all parts were read.
pub(crate) fn of_all(lint: &Lint, subject: &Subject) -> Vec<Warning> {
    told(lint.diagnostics(), subject)
}

/// Returns warnings about a map of which a part was read. Diagnostics about few greys are dropped, since
/// the rest of the map may have more.
pub(crate) fn of_part(lint: &Lint, subject: &Subject) -> Vec<Warning> {
    // Messages say "the map", so the name of the part goes in front, as a layer's name would.
    let subject = subject.clone().of_layer(subject.name());
    let of_few = |found: &Diagnostic| {
        use Diagnostic::{Bands, Flat, Nowhere};
        matches!(found, Nowhere | Flat { .. } | Bands { .. })
    };
    let mut found = lint.diagnostics();
    found.retain(|found| !of_few(found));
    told(found, &subject)
}

fn told(found: Vec<Diagnostic>, subject: &Subject) -> Vec<Warning> {
    let warnings = found.into_iter().map(|found| found.about(subject));
    warnings.collect()
}
