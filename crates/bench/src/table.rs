//! The printed table.

use crate::Effort;
use crate::contender::{Contender, Target};
use crate::rounds::Outcome;
use crate::timing::{median, median_ratio};
use density::numbers::about;
use std::fmt::Display;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns an explanation of the columns.
pub(crate) fn preface(rounds: usize) -> String {
    format!(
        "Times are CPU time on one thread, medians of {rounds} rounds, where a table says nothing \
         else. Of contenders: constructing the sampler and generating into a `Vec`; they take \
         turns, and one that has used 20 s sits out the rest (`runs`). \
         `x`: cost per point over a baseline's, median of the rounds both ran. Spacing \
         (rule `max`) and `c` = points / integral of 1/min_dist^D are from an independent check \
         of the first run.\n"
    )
}

/// Prints one group under its `title`. `baselines` are the names of the baselines.
pub(crate) fn print<const D: usize>(
    title: &str,
    baselines: &[&str],
    contenders: &[Contender<'_, D>],
    outcomes: &[Outcome],
) {
    println!("### {title}\n");
    let columns: Vec<String> = baselines.iter().map(|b| format!(" x {b} |")).collect();
    println!(
        "| contender | points | ns/point | least..most | runs |{} spacing violations | c | target |",
        columns.concat()
    );
    let columns = "--:|".repeat(baselines.len());
    println!("|---|--:|--:|--:|--:|{columns}--:|--:|---|");
    for (contender, outcome) in contenders.iter().zip(outcomes) {
        let relative: Vec<Option<f64>> = contender
            .baselines
            .iter()
            .map(|b| b.map(|b| median_ratio(&outcome.ns_per_point, &outcomes[b].ns_per_point)))
            .collect();
        let columns: String = relative
            .iter()
            .map(|r| r.map_or_else(|| " - |".to_owned(), |r| format!(" {r:.2} |")))
            .collect();
        println!(
            "| {} | {} | {} | {} | {} |{columns} {} | {:.3} | {} |",
            contender.name,
            about(outcome.points as f64),
            about(median(&outcome.ns_per_point)),
            spread(&outcome.ns_per_point),
            outcome.ns_per_point.len(),
            violations(outcome),
            outcome.verdict.c,
            targets(&contender.targets, outcome, &relative, baselines),
        );
    }
    println!();
    for (contender, outcome) in contenders.iter().zip(outcomes) {
        if let Some(twin) = contender.twin {
            let pairs = outcome.digests.iter().zip(&outcomes[twin].digests);
            let same = pairs.clone().filter(|(a, b)| a == b).count();
            println!(
                "- {} gave the very points of {} in {same} of {} runs.",
                contender.name,
                contenders[twin].name,
                pairs.len()
            );
        }
    }
    println!();
}

fn spread(values: &[f64]) -> String {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    format!("{}..{}", about(least), about(most))
}

fn violations(outcome: &Outcome) -> String {
    let verdict = outcome.verdict;
    let mut text = about(verdict.violations as f64);
    if verdict.violations > 0 {
        text = format!("{text} (worst at {:.7})", verdict.worst_ratio);
    }
    if verdict.outside > 0 {
        text = format!("{text}, {} outside", verdict.outside);
    }
    text
}

fn targets(
    targets: &[Target],
    outcome: &Outcome,
    relative: &[Option<f64>],
    baselines: &[&str],
) -> String {
    let judged: Vec<String> = targets
        .iter()
        .map(|target| {
            let (text, met) = match *target {
                Target::NsPerPoint(limit) => (
                    format!("<= {} ns", about(limit)),
                    median(&outcome.ns_per_point) <= limit,
                ),
                Target::Relative { baseline, most } => (
                    format!("<= {most:.3} x {}", baselines[baseline]),
                    relative[baseline].is_some_and(|r| r <= most),
                ),
            };
            format!("{text}: {}", verdict(met))
        })
        .collect();
    judged.join(", ")
}

/// Returns a target and its verdict; empty for quick runs, which are too small to be judged.
pub(crate) fn target(effort: Effort, text: impl Display, met: bool) -> String {
    match effort {
        Effort::Quick => String::new(),
        Effort::Full => format!("{text}: {}", verdict(met)),
    }
}

/// Returns the verdict on a target, and counts it if missed.
fn verdict(met: bool) -> &'static str {
    if met {
        "pass"
    } else {
        MISSED.fetch_add(1, Ordering::Relaxed);
        "**fail**"
    }
}

/// Returns the number of targets missed so far.
pub(crate) fn missed() -> usize {
    MISSED.load(Ordering::Relaxed)
}

static MISSED: AtomicUsize = AtomicUsize::new(0);

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: some groups judged the targets of quick runs.
    #[test]
    fn quick_runs_have_no_targets() {
        assert_eq!(target(Effort::Quick, ">= 1.8", false), "");
        assert_eq!(missed(), 0);
        assert_eq!(target(Effort::Full, ">= 1.8", false), ">= 1.8: **fail**");
        assert_eq!(missed(), 1);
    }
}
