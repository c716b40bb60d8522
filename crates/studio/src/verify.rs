//! Quality of the points: the facts under the picture, and the page of plots.

use crate::engine::{Found, Plan};
use crate::error::Refused;
use crate::session::Session;
use quality::{Claim, Columns, Domain, Edges, Judgement, Measures, PointSet, Report, judge};
use serde_json::{Value, json};
use std::fmt::Write;

/// Largest set that is judged for the facts.
const AT_ONCE: usize = 100_000;

/// Samples the whole and returns facts about the points, as JSON. Large sets are not judged.
///
/// # Errors
/// If the run is impossible, or the map changed meanwhile.
pub(crate) fn facts(session: &Session) -> Result<Value, Refused> {
    let (plan, found) = session.survey()?;
    let mut warnings = session.warnings();
    warnings.extend(plan.lint(found.scale));
    let judged = if found.samples.len() <= AT_ONCE {
        judgement(&plan, &found)?
    } else {
        None
    };
    let report = judged.as_ref().map(|(_, _, judgement)| &judgement.report);
    Ok(json!({
        "unresolved": found.unresolved,
        "warnings": warnings,
        "density_error": report.and_then(|r| r.density_error),
        "gaps": report.and_then(|r| r.gap_fraction),
    }))
}

type Judged = (PointSet<2>, Domain<2>, Judgement);

/// Judges the points of a single layer, and returns `None` for several: each of those has its own field.
/// `spinney verify --species` judges them.
fn judgement(plan: &Plan, found: &Found) -> Result<Option<Judged>, Refused> {
    let [field] = plan.fields.as_slice() else {
        return Ok(None);
    };
    let scaled = density::Scaled::new(&**field, found.scale).map_err(Refused::run)?;
    let set = PointSet::new(Columns {
        positions: found.samples.iter().map(|s| s.position).collect(),
        ids: Some(found.samples.iter().map(|s| s.id).collect()),
        min_dist: None,
        parents: Some(found.samples.iter().map(|s| s.parent).collect()),
        ranks: None,
        layers: None,
    })
    .map_err(Refused::run)?;
    let domain = Domain {
        bounds: plan.world,
        edges: if plan.settings.tile {
            Edges::Torus
        } else {
            Edges::Open
        },
    };
    let claim = Claim::Field(&scaled);
    let measures = Measures::All;
    let judged = judge(&set, &[], &domain, claim, plan.rule, measures).map_err(Refused::run)?;
    Ok(Some((set, domain, judged)))
}

/// Returns a page with the figures and the plots. The token is part of the address of its style sheet.
///
/// # Errors
/// If the run is impossible.
pub(crate) fn page(session: &Session, token: &str) -> Result<String, Refused> {
    let (plan, found) = session.export()?;
    let content = if let Some((set, domain, judged)) = judgement(&plan, &found)? {
        let settings = &plan.settings;
        let title = &settings.names.output;
        let plots = quality::plot(title, settings.y_axis(), &set, &domain, &judged);
        figures(&judged.report) + &image(&plots.map_err(Refused::run)?)
    } else {
        "<p>Several species are checked by <code>spinney verify --species</code>.</p>".to_owned()
    };
    Ok(include_str!("page/verify.html")
        .replace("{token}", token)
        .replace("{content}", &content))
}

/// Returns the plots as an element that holds their PNG, so that figures and plots are of the same points.
fn image(png: &[u8]) -> String {
    let alt = "Plots of the points, their density error, spectrum and pair correlation";
    let mut text = format!("<img alt=\"{alt}\" src=\"data:image/png,");
    for byte in png {
        // Writing to a String cannot fail.
        let _ = write!(text, "%{byte:02x}");
    }
    text + "\">"
}

fn figures(report: &Report) -> String {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.4e}"));
    let rows = [
        ("points", report.points.to_string()),
        ("pairs too close", report.violations.to_string()),
        ("worst ratio", number(report.worst_ratio)),
        ("gaps", number(report.gap_fraction)),
        ("largest gap", number(report.largest_gap)),
        ("c", number(report.c)),
        ("density error", number(report.density_error)),
        ("anisotropy, dB", number(report.anisotropy)),
    ];
    let rows = rows.map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>"));
    format!("<dl>{}</dl>", rows.concat())
}
