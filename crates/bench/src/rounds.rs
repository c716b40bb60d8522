//! Runs the contenders in rounds.

use crate::check::{Verdict, check};
use crate::contender::Contender;
use std::error::Error;
use std::time::Duration;

/// A contender that has used more CPU time than this in a group sits out the later rounds.
const MAX_CPU: Duration = Duration::from_secs(20);

/// One contender's runs.
pub(crate) struct Outcome {
    /// CPU nanoseconds per point, one entry a run.
    pub(crate) ns_per_point: Vec<f64>,
    /// Number of points of the first run.
    pub(crate) points: usize,
    /// CPU time of all runs.
    pub(crate) cpu: Duration,
    /// Result of the check of the first run's points.
    pub(crate) verdict: Verdict,
}

/// Runs every contender once a round, one after another, so that a slow spell of the machine
/// affects all of them; the very slow ones sit out the later rounds. Runs of one round share their
/// seed. The points of a contender's first run are checked, outside the timed region.
///
/// # Errors
/// The errors of a contender and of the clock.
pub(crate) fn take_turns<const D: usize>(
    contenders: &[Contender<'_, D>],
    rounds: usize,
) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let mut outcomes: Vec<Option<Outcome>> = contenders.iter().map(|_| None).collect();
    for round in 0..rounds {
        for (contender, outcome) in contenders.iter().zip(&mut outcomes) {
            if outcome.as_ref().is_some_and(|o| o.cpu > MAX_CPU) {
                continue;
            }
            let run = (contender.run)(round as u64)?;
            let ns = run.ns_per_point();
            eprintln!("  round {}: {ns:>8.0} ns  {}", round + 1, contender.name);
            let record = match outcome {
                Some(record) => record,
                None => outcome.insert(Outcome {
                    ns_per_point: Vec::new(),
                    points: run.points.len(),
                    cpu: Duration::ZERO,
                    verdict: check(&run.points, &contender.world)?,
                }),
            };
            record.ns_per_point.push(ns);
            record.cpu += run.cpu;
        }
    }
    Ok(outcomes.into_iter().flatten().collect())
}
