//! Measures one way to make points beside another.

use crate::Effort;
use crate::table::target;
use crate::timing::{median, median_ratio, timed};
use density::numbers::about;
use std::error::Error;
use std::time::Duration;

/// The CPU time and the number of points of a run.
pub(crate) type Counted = Result<(Duration, usize), Box<dyn Error>>;

/// Returns a timed run of `work`, which returns its number of points.
///
/// # Errors
/// The errors of `work` and of the clock.
pub(crate) fn counted<E: Into<Box<dyn Error>>>(work: impl FnOnce() -> Result<usize, E>) -> Counted {
    let (cpu, count) = timed(work)?;
    Ok((cpu, count.map_err(Into::into)?))
}

/// Prints the title and the head of a table of lines, given what tells them apart and the names of both ways.
pub(crate) fn head(title: &str, lines: &str, [one, other]: [&str; 2]) {
    println!("### {title}\n");
    println!("| {lines} | points | {one}, ns/point | {other}, ns/point | x | target |");
    println!("|---|--:|--:|--:|--:|---|");
}

/// Runs both ways once a round, given a seed, and prints their cost. The target is the maximum cost of the second,
/// as a multiple of that of the first. Returns the number of points that each gave in all rounds.
///
/// # Errors
/// The errors of the ways.
pub(crate) fn line(
    name: &str,
    effort: Effort,
    most_times: f64,
    ways: [&dyn Fn(u64) -> Counted; 2],
) -> Result<[usize; 2], Box<dyn Error>> {
    let mut ns = [Vec::new(), Vec::new()];
    let mut points = [0; 2];
    for round in 0..effort.rounds {
        for (number, way) in ways.iter().enumerate() {
            let (cpu, count) = way(round as u64)?;
            points[number] += count;
            ns[number].push(cpu.as_secs_f64() * 1e9 / count as f64);
        }
        let last = ns.each_ref().map(|ns| ns[round]);
        eprintln!("  {name}: {:.0} ns, {:.0} ns", last[0], last[1]);
    }
    let times = median_ratio(&ns[1], &ns[0]);
    println!(
        "| {name} | {} | {} | {} | {times:.2} | {} |",
        about((points[1] / effort.rounds) as f64),
        about(median(&ns[0])),
        about(median(&ns[1])),
        target(effort, format_args!("<= {most_times}"), times <= most_times),
    );
    Ok(points)
}
