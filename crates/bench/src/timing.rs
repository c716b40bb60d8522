//! Measures CPU time and medians.

use cpu_time::ProcessTime;
use std::hint::black_box;
use std::io;
use std::time::Duration;

/// Returns the result of `work` and the CPU time that the whole process used meanwhile, so that the
/// threads of a contender count.
///
/// # Errors
/// If the system has no such clock.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> io::Result<(Duration, T)> {
    let start = ProcessTime::try_now()?;
    let result = black_box(work());
    Ok((start.try_elapsed()?, result))
}

/// Returns the middle value, or the mean of the middle two; 0 for an empty slice.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n => 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]),
    }
}

/// Returns the median of the ratios of each value to its partner: a slow spell of the machine in
/// one round cancels out.
pub(crate) fn median_ratio(values: &[f64], over: &[f64]) -> f64 {
    let ratios: Vec<f64> = values.iter().zip(over).map(|(a, b)| a / b).collect();
    median(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[]), 0.0);
    }
}
