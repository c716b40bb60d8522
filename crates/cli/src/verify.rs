//! `spinney verify`: judges a file of points.

mod args;
mod check;
mod extent;
mod findings;
mod input;
mod plane;
mod set;
mod solid;
mod table;

pub(crate) use args::VerifyArgs;
pub(crate) use check::Check;

use crate::drafts::Drafts;
use crate::failure::{Failure, print, refuse_given};
use crate::numbers::plain;
use crate::{outputs, species};
use findings::Findings;
use input::Input;
use quality::files::Points;
use set::Judged;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Runs the subcommand.
pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let report = target(args, "--report", args.report.as_deref(), "json")?;
    let picture = target(args, "--plot", args.plot.as_deref(), "png")?;
    if picture.is_some() && cfg!(not(feature = "plot")) {
        let problem =
            "--plot: this program was built without plots; build it with `--features plot`";
        return Err(Failure::Usage(problem.to_owned()));
    }
    if args.species.is_some() {
        check_species(args)?;
    }
    let drafts = Drafts::with_interrupt();
    // Outputs are opened before the work, which may take long.
    let report = report.map(|path| drafts.open("--report", &path, &path));
    let report = report.transpose()?;
    let picture = picture.map(|path| drafts.open("--plot", &path, &path));
    let picture = picture.transpose()?;
    let input = Input::read(args)?;
    let judged = match &input.file.points {
        Points::Flat(set) => plane::judge(args, &input, set)?,
        Points::Solid(set) => solid::judge(args, &input, set)?,
    };
    if let Some(output) = report {
        output.write(|out| {
            serde_json::to_writer_pretty(&mut *out, &judged.findings)?;
            out.write_all(b"\n")
        })?;
    }
    if let (Some(output), Some(picture)) = (picture, &judged.picture) {
        output.write(|out| out.write_all(picture))?;
    }
    drafts.publish()?;
    print(&judged.table)?;
    verdict(args, &input, &judged)
}

/// Refuses flags that do not apply to layers.
fn check_species(args: &VerifyArgs) -> Result<(), Failure> {
    species::refuse(args.map.as_deref(), &args.field)?;
    let cannot = [
        ("--plot", args.plot.is_some()),
        ("--also", !args.also.is_empty()),
    ];
    refuse_given(
        &cannot,
        "not supported with --species, which checks spacing and gaps only: drop one of them",
    )
}

/// Checks the path of an output before anything else happens.
fn target(
    args: &VerifyArgs,
    flag: &str,
    path: Option<&Path>,
    extension: &str,
) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = path else { return Ok(None) };
    outputs::needs_extension(flag, path, extension)?;
    let inputs = args.also.iter().chain(&args.map).chain(&args.species);
    let inputs = inputs.chain([&args.points]);
    let inputs = inputs.chain(args.region.inputs().map(|(_, path)| path));
    outputs::target(flag, path, inputs.map(|path| ("the input", path))).map(Some)
}

/// The problem where gaps were to be judged, but are not defined.
const GAPS_NOT_DEFINED: &str = "gaps are not defined for this rule or set, or the window is narrower than twice the \
                                greatest min_dist: leave --expect-maximal and --max-gap away";

/// Returns the failure of the run, if the findings call for one.
fn verdict(args: &VerifyArgs, input: &Input, judged: &Judged) -> Result<(), Failure> {
    let findings = &judged.findings;
    let by = match findings {
        Findings::Layers(_) => "their layers allow",
        Findings::Set(_) if args.region.any() => "the map, mask, polygons or points to avoid allow",
        Findings::Set(_) => "the map allows",
    };
    let mut problems = findings.problems(by, args.around());
    if args.expect_maximal || args.max_gap.is_some() {
        let found = findings.gaps();
        // Where no point may lie there is no gap, so the set is maximal.
        if found.iter().any(|(_, gaps)| gaps.is_none()) && !judged.nothing_is_open {
            problems.push(GAPS_NOT_DEFINED.to_owned());
        }
        for (name, gaps) in found {
            let Some(gaps) = gaps else { continue };
            problems.extend(gaps.not_maximal(&name).filter(|_| args.expect_maximal));
            if let Some(most) = args.max_gap
                && gaps.fraction > most
            {
                problems.push(format!(
                    "gaps of {name} cover {:.2e} of its area, more than --max-gap {}",
                    gaps.fraction,
                    plain(most),
                ));
            }
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    let has_layers = match &input.file.points {
        Points::Flat(set) => set.layers().is_some(),
        Points::Solid(set) => set.layers().is_some(),
    };
    if has_layers && args.species.is_none() {
        let advice = "the points have layers: give --species FILE to check each by its own \
                      distances";
        problems.push(advice.to_owned());
    }
    Err(Failure::file("", &args.points, problems.join("; ")))
}
