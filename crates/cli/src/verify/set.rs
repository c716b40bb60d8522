//! Judges one set of points by the distances that it should keep.

use super::VerifyArgs;
use super::findings::Findings;
use super::input::Input;
use super::table::{self, Note};
use crate::failure::{Failure, refuse_given};
use density::{RadiusField, YAxis};
use quality::{Claim, Domain, Measures, PointSet, judge};

/// The result of judging.
pub(super) struct Judged {
    pub(super) findings: Findings,
    /// The figures for people.
    pub(super) table: String,
    /// Whether no point may lie anywhere.
    pub(super) nothing_is_open: bool,
    /// The plot as a PNG.
    pub(super) picture: Option<Vec<u8>>,
}

/// Judges one set of points by the field, else by --min-dist, else by its own distances. Plots have this y axis unless
/// the points' file states another.
pub(super) fn judge_set<const D: usize>(
    args: &VerifyArgs,
    input: &Input,
    y_axis: YAxis,
    (set, more): (&PointSet<D>, &[PointSet<D>]),
    domain: &Domain<D>,
    field: Option<&dyn RadiusField<D>>,
    mut notes: Vec<Note>,
) -> Result<Judged, Failure> {
    let rule = input.rule(args);
    if args.rule.is_none() && input.file.run.rule.is_some() {
        let text = format!("rule: {}, from the points' file", rule.name());
        notes.push(Note::Assumed(text));
    }
    let mut assume = |text: &str| notes.push(Note::Assumed(text.to_owned()));
    let claim = match (field, args.field.min_dist, set.min_dist()) {
        (Some(field), _, _) => Claim::Field(field),
        (None, Some(distance), _) => Claim::Uniform(distance),
        (None, None, Some(_)) => {
            assume("min_dist: the points' own column");
            if same_distance(set).is_none() {
                assume(
                    "gaps: places outside each point's own min_dist, as that of other places is \
                     unknown; give MAP for the true gaps",
                );
                let problem =
                    "gaps can be checked only with the map that the points follow: give MAP";
                let gaps = [
                    ("--expect-maximal", args.expect_maximal),
                    ("--max-gap", args.max_gap.is_some()),
                ];
                refuse_given(&gaps, problem)?;
            }
            Claim::Column
        }
        (None, None, None) => {
            let smallest = smallest_distance(set, domain).map_err(|e| args.failed(e))?;
            let rest = if smallest == least_distance::<D>() {
                "points coincide, which no distance allows"
            } else {
                "the smallest distance is used for all, and no pair can break the rule"
            };
            assume(&format!(
                "min_dist: unknown (no column, no map, no --min-dist); {rest}"
            ));
            Claim::Uniform(smallest)
        }
    };
    let judgement =
        judge(set, more, domain, claim, rule, Measures::All).map_err(|e| args.failed(e))?;
    // Where no point may lie, there is no number of points that c could be relative to.
    let nothing_is_open = set.is_empty() && judgement.report.c.is_none();
    #[cfg(feature = "plot")]
    let picture = {
        let title = args.points.display().to_string();
        let y_axis = input.file.run.y_axis.unwrap_or(y_axis);
        let draw = |_| quality::plot(&title, y_axis, set, domain, &judgement);
        let picture = args.plot.as_ref().map(draw).transpose();
        picture.map_err(|e| args.failed(e))?
    };
    // Refused at the beginning.
    #[cfg(not(feature = "plot"))]
    let (picture, _) = (None, y_axis);
    Ok(Judged {
        table: table::of_set(
            &args.points.display().to_string(),
            &judgement.report,
            &notes,
        ),
        findings: Findings::Set(Box::new(judgement.report)),
        nothing_is_open,
        picture,
    })
}

/// Returns the distance in the points' column if it is the same for all.
pub(super) fn same_distance<const D: usize>(set: &PointSet<D>) -> Option<f64> {
    let (first, others) = set.min_dist()?.split_first()?;
    others.iter().all(|d| d == first).then_some(*first)
}

/// Returns the least distance that points may keep.
fn least_distance<const D: usize>() -> f64 {
    PointSet::<D>::MOST.recip()
}

/// Returns the smallest distance of any pair. Points that coincide give the least distance possible, so the
/// pair still counts as a violation.
fn smallest_distance<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
) -> Result<f64, quality::QualityError> {
    let least = least_distance::<D>();
    let any = quality::Requirement::new(set, quality::Rule::Max, Claim::Uniform(least))?;
    let near = quality::measures::nearest(set, domain, &any)?;
    let smallest = near.least_distance().map_or(1.0, |d| d.max(least));
    if smallest == least {
        return Ok(smallest);
    }
    // The square root may be rounded up, so that its own pair would violate it. The next number below is
    // less than the true root, so no pair does.
    let taken = quality::Requirement::new(set, quality::Rule::Max, Claim::Uniform(smallest))?;
    let kept = quality::measures::violations(set, domain, &taken)?.count == 0;
    Ok(if kept { smallest } else { smallest.next_down() })
}
