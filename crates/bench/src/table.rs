//! The printed table.

use crate::Effort;
use crate::contender::{Contender, Target};
use crate::rounds::{Outcome, take_turns};
use crate::timing::{median, median_ratio};
use density::numbers::about;
use std::error::Error;
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

/// Runs the contenders and prints them under a title. `baselines` are the names of the baselines.
///
/// # Errors
/// The errors of a contender and of the clock.
pub(crate) fn print<const D: usize>(
    title: &str,
    effort: Effort,
    baselines: &[&str],
    contenders: &[Contender<'_, D>],
) -> Result<(), Box<dyn Error>> {
    eprintln!("{title}");
    let outcomes = take_turns(contenders, effort.rounds)?;
    println!("### {title}\n");
    let columns: Vec<String> = baselines.iter().map(|b| format!(" x {b} |")).collect();
    println!(
        "| contender | points | ns/point | least..most | runs |{} spacing violations | c | target |",
        columns.concat()
    );
    let columns = "--:|".repeat(baselines.len());
    println!("|---|--:|--:|--:|--:|{columns}--:|--:|---|");
    for (contender, outcome) in contenders.iter().zip(&outcomes) {
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
            targets(effort, &contender.targets, outcome, &relative, baselines),
        );
    }
    println!();
    Ok(())
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
    effort: Effort,
    targets: &[Target],
    outcome: &Outcome,
    relative: &[Option<f64>],
    baselines: &[&str],
) -> String {
    let judged: Vec<String> = targets
        .iter()
        .filter(|_| !effort.quick)
        .map(|&to_meet| match to_meet {
            Target::NsPerPoint(limit) => {
                let text = format!("<= {} ns", about(limit));
                target(effort, text, median(&outcome.ns_per_point) <= limit)
            }
            Target::Times(most, baseline) => {
                let text = format!("<= {most:.3} x {}", baselines[baseline]);
                let is_met = relative[baseline].is_some_and(|r| r <= most);
                target(effort, text, is_met)
            }
        })
        .collect();
    judged.join(", ")
}

/// Returns a target and its verdict, and counts it if missed; empty for quick runs, which are too small to be judged.
pub(crate) fn target(effort: Effort, text: impl Display, met: bool) -> String {
    if effort.quick {
        return String::new();
    }
    if !met {
        MISSED.fetch_add(1, Ordering::Relaxed);
    }
    let verdict = if met { "pass" } else { "**fail**" };
    format!("{text}: {verdict}")
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
        let effort = |quick| Effort { quick, rounds: 1 };
        assert_eq!(target(effort(true), ">= 1.8", false), "");
        assert_eq!(missed(), 0);
        assert_eq!(target(effort(false), ">= 1.8", false), ">= 1.8: **fail**");
        assert_eq!(missed(), 1);
    }
}
