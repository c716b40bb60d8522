//! Refuses combinations of `sample` flags that contradict one another, before any file is read.

use crate::args::{Algorithm, SampleArgs};
use crate::failure::{Failure, refuse_given};
use crate::numbers::plain;
use crate::placing::By;
use crate::species;
use sampler::{Rule, SampleError};

/// A flag, whether it was given, and why it is refused.
type Refused<'a> = (&'a str, bool, &'a str);

/// Refuses flags that contradict one another.
pub(crate) fn check(args: &SampleArgs) -> Result<(), Failure> {
    if args.species.is_some() {
        check_species(args)?;
    }
    args.region.check(args.rule())?;
    check_count(args)?;
    check_window(args)?;
    check_factor(args)?;
    check_last(args)?;
    match args.algorithm {
        Algorithm::Scatter => check_scatter(args)?,
        Algorithm::Bridson => check_bridson(args)?,
    }
    args.placing.check(args.count)
}

/// Refuses the first of `flags` that was given.
fn refuse(with: &str, flags: &[Refused<'_>]) -> Result<(), Failure> {
    match flags.iter().find(|(_, given, _)| *given) {
        None => Ok(()),
        Some((flag, _, why)) => Err(Failure::Usage(format!("{flag}: not with {with}: {why}"))),
    }
}

/// Refuses flags that the species file has keys for, or that layers cannot be combined with.
fn check_species(args: &SampleArgs) -> Result<(), Failure> {
    species::refuse(args.map.as_deref(), &args.field)?;
    refuse(
        "--species",
        &[(
            "--algorithm bridson",
            args.algorithm == Algorithm::Bridson,
            "bridson supports one layer only: drop one of them",
        )],
    )
}

/// Refuses flags that `--count` cannot be combined with.
fn check_count(args: &SampleArgs) -> Result<(), Failure> {
    let Some(count) = args.count else {
        return Ok(());
    };
    if args.stream && args.algorithm == Algorithm::Scatter {
        let problem = "it keeps all points in memory: drop --stream";
        return Err(Failure::usage("--count", count, problem));
    }
    Ok(())
}

/// Refuses flags that need the whole world when a window is requested.
fn check_window(args: &SampleArgs) -> Result<(), Failure> {
    if args.window.is_none() {
        return Ok(());
    }
    refuse(
        "--window",
        &[
            (
                "--count",
                args.count.is_some(),
                "the scale factor depends on all points: run --count once over the whole world, and \
                 give scale_factor and last of its summary as --scale-factor and --last",
            ),
            (
                "--max-points",
                args.max_points.is_some(),
                "which points it keeps depends on all points: drop it",
            ),
            (
                "--verify",
                args.verify,
                "points outside the window fill the gaps at its edges: check the points of all \
                 windows together with spinney verify",
            ),
            (
                "--preview",
                args.preview.is_some(),
                "it shows the whole map: drop it",
            ),
        ],
    )
}

/// Refuses flags whose meaning would change if `--scale-factor` scaled the distances.
fn check_factor(args: &SampleArgs) -> Result<(), Failure> {
    let Some(factor) = args.scale_factor else {
        return Ok(());
    };
    let refused = |problem: &str| Err(Failure::usage("--scale-factor", plain(factor), problem));
    if args.placing.scale_by == By::MinDist {
        return refused("not supported with --scale-by min-dist: give --scale-by value");
    }
    Ok(())
}

/// Refuses a `--last` that comes from a different run.
fn check_last(args: &SampleArgs) -> Result<(), Failure> {
    let Some(last) = args.last else {
        return Ok(());
    };
    let problem = match (last.is_ranked(), args.lod.is_some()) {
        (true, false) => {
            "it has a rank, but there is no --lod: give --lod as in the run with --count"
        }
        (false, true) => {
            "it has no rank, but there is --lod: drop --lod, as in the run with --count"
        }
        (true, true) | (false, false) => return Ok(()),
    };
    Err(Failure::usage("--last", last, problem))
}

fn check_scatter(args: &SampleArgs) -> Result<(), Failure> {
    if args.rule() == Rule::Parent {
        return Err(SampleError::NoParents.into());
    }
    match args.tries {
        None => Ok(()),
        Some(tries) => {
            let problem = "not supported by --algorithm scatter: drop it, or give --algorithm \
                           bridson";
            Err(Failure::usage("--tries", tries, problem))
        }
    }
}

fn check_bridson(args: &SampleArgs) -> Result<(), Failure> {
    let flags = [
        ("--tile", args.tile),
        ("--lod", args.lod.is_some()),
        ("--count", args.count.is_some()),
        ("--threads", args.threads.is_some()),
        ("--stream", args.stream),
        ("--window", args.window.is_some()),
        ("--scale-factor", args.scale_factor.is_some()),
    ];
    let why = "not supported by --algorithm bridson: drop it, or give --algorithm scatter";
    refuse_given(&flags, why)
}
