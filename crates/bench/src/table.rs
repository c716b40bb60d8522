//! The printed table.

use crate::contender::{Contender, Target};
use crate::timing::{Outcome, median};

/// What the columns mean.
pub(crate) fn preface(rounds: usize) -> String {
    format!(
        "CPU time of constructing the sampler and generating into a `Vec`, one thread, median \
         of {rounds} rounds, in which the contenders take turns; who has used 20 s sits out the \
         rest (`runs`). \
         `relative`: cost per point over the baseline's, median of the rounds both ran. Spacing \
         (rule `max`) and `c` = points / integral of 1/min_dist^D are from an independent check \
         of the first run.\n"
    )
}

/// Prints one group, `title` above it. `baseline` says in words what `relative` refers to.
pub(crate) fn print<const D: usize>(
    title: &str,
    baseline: &str,
    contenders: &[Contender<'_, D>],
    outcomes: &[Outcome],
) {
    println!("### {title}\n");
    println!(
        "| contender | points | ns/point | least..most | runs | relative to {baseline} | \
         spacing violations | c | target |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|---|");
    for (contender, outcome) in contenders.iter().zip(outcomes) {
        let relative = relative(outcome, &outcomes[contender.baseline]);
        println!(
            "| {} | {} | {} | {} | {} | {relative:.2} | {} | {:.3} | {} |",
            contender.name,
            grouped(outcome.points as f64),
            grouped(median(&outcome.ns_per_point)),
            spread(&outcome.ns_per_point),
            outcome.ns_per_point.len(),
            violations(outcome),
            outcome.verdict.c,
            targets(&contender.targets, outcome, relative),
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

/// The median over the rounds both ran, so that a slow spell of the machine cancels out.
fn relative(outcome: &Outcome, baseline: &Outcome) -> f64 {
    let ratios: Vec<f64> = outcome
        .ns_per_point
        .iter()
        .zip(&baseline.ns_per_point)
        .map(|(a, b)| a / b)
        .collect();
    median(&ratios)
}

fn spread(values: &[f64]) -> String {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    format!("{}..{}", grouped(least), grouped(most))
}

fn violations(outcome: &Outcome) -> String {
    let verdict = outcome.verdict;
    let mut text = grouped(verdict.violations as f64);
    if verdict.violations > 0 {
        text = format!("{text} (worst at {:.7})", verdict.worst_ratio);
    }
    if verdict.outside > 0 {
        text = format!("{text}, {} outside", verdict.outside);
    }
    text
}

fn targets(targets: &[Target], outcome: &Outcome, relative: f64) -> String {
    let judged: Vec<String> = targets
        .iter()
        .map(|target| {
            let (text, met) = match *target {
                Target::NsPerPoint(limit) => (
                    format!("<= {} ns", grouped(limit)),
                    median(&outcome.ns_per_point) <= limit,
                ),
                Target::RelativeCost(limit) => {
                    (format!("<= {limit:.2} relative"), relative <= limit)
                }
            };
            format!("{text}: {}", if met { "pass" } else { "**fail**" })
        })
        .collect();
    judged.join(", ")
}

/// A rounded number with thousands separated, as in `1,234,567`.
pub(crate) fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(grouped(0.4), "0");
        assert_eq!(grouped(999.6), "1,000");
        assert_eq!(grouped(1_234_567.0), "1,234,567");
    }
}
