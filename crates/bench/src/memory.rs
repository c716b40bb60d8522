//! Measures the most memory that runs need. Each run is a process of its own, as a process's peak
//! never falls.

use crate::table::target;
use crate::{Effort, ours};
use clap::ValueEnum;
use density::numbers::about;
use density::{Bounds, Constant};
use std::error::Error;
use std::fs::read_to_string;
use std::process::Command;

/// Number of points that a square holds for each unit of its area.
const C: f64 = 0.6966;

/// Number of points that a cube holds for each unit of its volume.
const C_SPACE: f64 = 0.734;

/// The targets: maximum bytes a point of the whole, and megabytes of a stream.
const MOST_BYTES: f64 = 80.0;
const MOST_MB: f64 = 500.0;

/// A run whose memory is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Run {
    /// Nothing: what a process of this program needs anyway
    Idle,
    /// A million points, all of them at once
    #[value(name = "whole-1m")]
    Whole1M,
    /// Ten million points, all of them at once
    #[value(name = "whole-10m")]
    Whole10M,
    /// Ten million points, part by part
    #[value(name = "stream-10m")]
    Stream10M,
    /// A hundred million points, part by part
    #[value(name = "stream-100m")]
    Stream100M,
    /// Three hundred thousand points in space, all of them at once
    #[value(name = "space-300k")]
    Space300K,
}

impl Run {
    const fn points(self) -> f64 {
        match self {
            Self::Idle => 0.0,
            Self::Whole1M => 1e6,
            Self::Whole10M | Self::Stream10M => 1e7,
            Self::Stream100M => 1e8,
            Self::Space300K => 3e5,
        }
    }

    /// Makes the run. Returns the number of points, and the bytes that were expected.
    fn go(self) -> Result<(usize, f64), Box<dyn Error>> {
        let field = Constant::new(1.0)?;
        let side = |c: f64, dimensions: f64| (self.points() / c).powf(1.0 / dimensions);
        if self == Self::Idle {
            return Ok((0, 0.0));
        }
        if self == Self::Space300K {
            let cube = Bounds::from_size([side(C_SPACE, 3.0); 3])?;
            let scatter = ours::engine(field, cube, 0)?;
            return Ok((scatter.points()?.samples.len(), scatter.estimate().bytes));
        }
        let scatter = ours::engine(field, Bounds::from_size([side(C, 2.0); 2])?, 0)?;
        let points = match self {
            Self::Stream10M | Self::Stream100M => scatter
                .stream()?
                .map(|part| part.map(|part| part.samples.len()))
                .sum::<Result<usize, _>>()?,
            _ => scatter.points()?.samples.len(),
        };
        Ok((points, scatter.estimate().bytes))
    }
}

/// Makes the run and prints the number of points, the peak in kilobytes and the expected bytes.
///
/// # Errors
/// If the run is refused, or the system does not report the peak.
pub(crate) fn peak(run: Run) -> Result<(), Box<dyn Error>> {
    let (points, expected_bytes) = run.go()?;
    let kilobytes = high_water()?.ok_or("this system does not tell")?;
    println!("{points} {kilobytes} {expected_bytes:.0}");
    Ok(())
}

/// Returns the peak memory of this process, kB; `None` if the system does not report it.
fn high_water() -> Result<Option<u64>, Box<dyn Error>> {
    let Ok(status) = read_to_string("/proc/self/status") else {
        return Ok(None);
    };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.map(str::parse).transpose()?)
}

/// Runs and prints the table.
///
/// # Errors
/// If a run fails.
pub(crate) fn print(effort: Effort) -> Result<(), Box<dyn Error>> {
    println!("### The most memory, one `min_dist`\n");
    if high_water()?.is_none() {
        println!("Not measured: this system does not tell.\n");
        return Ok(());
    }
    println!("| run | points | MB | MB expected of the whole | bytes/point | target |");
    println!("|---|--:|--:|--:|--:|---|");
    let all = [
        Run::Whole1M,
        Run::Whole10M,
        Run::Stream10M,
        Run::Stream100M,
        Run::Space300K,
    ];
    let runs = effort.pick(&all[..1], &all);
    let [_, idle, _] = measure(Run::Idle)?;
    for &run in runs {
        let [points, kilobytes, expected] = measure(run)?;
        let megabytes = kilobytes * 1024.0 / 1e6;
        let bytes = (kilobytes - idle) * 1024.0 / points;
        let target = match run {
            Run::Whole10M => {
                let text = format_args!("<= {MOST_BYTES} bytes");
                target(effort, text, bytes <= MOST_BYTES)
            }
            Run::Stream100M => {
                let text = format_args!("<= {MOST_MB} MB");
                target(effort, text, megabytes <= MOST_MB)
            }
            Run::Space300K => {
                let within = megabytes * 1e6 <= expected;
                target(effort, "as expected or less", within)
            }
            _ => String::new(),
        };
        let name = run.to_possible_value().map(|v| v.get_name().to_owned());
        println!(
            "| {} | {} | {} | {} | {bytes:.1} | {target} |",
            name.unwrap_or_default(),
            about(points),
            about(megabytes),
            about(expected / 1e6),
        );
    }
    println!();
    Ok(())
}

/// Returns the points, the kilobytes and the expected bytes of a run in a process of its own.
fn measure(run: Run) -> Result<[f64; 3], Box<dyn Error>> {
    let value = run.to_possible_value().ok_or("a run without a name")?;
    let program = std::env::current_exe()?;
    let output = Command::new(program)
        .args(["peak", value.get_name()])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().filter_map(|n| n.parse().ok());
    let numbers = [numbers.next(), numbers.next(), numbers.next()];
    match (output.status.success(), numbers) {
        (true, [Some(points), Some(kilobytes), Some(expected)]) => {
            Ok([points, kilobytes, expected])
        }
        _ => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}
