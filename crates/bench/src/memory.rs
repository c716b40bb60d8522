//! The most memory that runs need. Each is a process of its own, as a process never forgets
//! the most it had.

use crate::table::{grouped, verdict};
use crate::{Effort, ours};
use clap::ValueEnum;
use density::{Bounds, Constant};
use std::error::Error;
use std::fs::read_to_string;
use std::process::Command;

/// Points that a square holds for each unit of its area.
const C: f64 = 0.6966;

/// What the issue asks for: bytes a point of the whole, and megabytes of a stream.
const MOST_BYTES: f64 = 80.0;
const MOST_MB: f64 = 500.0;

/// Runs of which the memory is of interest.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Run {
    /// Nothing: what a process of this program needs anyway
    Idle,
    /// A million points, all of them at once
    Whole1M,
    /// Ten million points, all of them at once
    Whole10M,
    /// Ten million points, part by part
    Stream10M,
    /// A hundred million points, part by part
    Stream100M,
}

impl Run {
    const fn points(self) -> f64 {
        match self {
            Self::Idle => 0.0,
            Self::Whole1M => 1e6,
            Self::Whole10M | Self::Stream10M => 1e7,
            Self::Stream100M => 1e8,
        }
    }

    /// How many points there were.
    fn go(self) -> Result<u64, Box<dyn Error>> {
        if self == Self::Idle {
            return Ok(0);
        }
        let side = (self.points() / C).sqrt();
        let scatter = ours::engine(Constant::new(1.0)?, Bounds::from_size([side; 2])?, 0)?;
        let points = match self {
            Self::Stream10M | Self::Stream100M => scatter
                .stream()
                .map(|part| part.samples.len())
                .sum::<usize>(),
            _ => scatter.points().samples.len(),
        };
        Ok(points as u64)
    }
}

/// Makes the run and prints the number of points and the most kilobytes.
///
/// # Errors
/// When the run is refused, or the system does not tell.
pub(crate) fn peak(run: Run) -> Result<(), Box<dyn Error>> {
    let points = run.go()?;
    let kilobytes = high_water()?.ok_or("this system does not tell")?;
    println!("{points} {kilobytes}");
    Ok(())
}

/// The most memory that this process has had, kB; `None` where the system does not tell.
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
/// When a run fails.
pub(crate) fn print(effort: Effort) -> Result<(), Box<dyn Error>> {
    println!("### The most memory, one `min_dist`\n");
    if high_water()?.is_none() {
        println!("Not measured: this system does not tell.\n");
        return Ok(());
    }
    println!("| run | points | MB | bytes/point | target |");
    println!("|---|--:|--:|--:|---|");
    let all = [Run::Whole1M, Run::Whole10M, Run::Stream10M, Run::Stream100M];
    let runs = match effort {
        Effort::Quick => &all[..1],
        Effort::Full => &all,
    };
    let (_, idle) = measure(Run::Idle)?;
    for &run in runs {
        let (points, kilobytes) = measure(run)?;
        let megabytes = kilobytes * 1024.0 / 1e6;
        let bytes = (kilobytes - idle) * 1024.0 / points;
        let target = match run {
            Run::Whole10M => format!("<= {MOST_BYTES} bytes: {}", verdict(bytes <= MOST_BYTES)),
            Run::Stream100M => format!("<= {MOST_MB} MB: {}", verdict(megabytes <= MOST_MB)),
            _ => String::new(),
        };
        let name = run.to_possible_value().map(|v| v.get_name().to_owned());
        println!(
            "| {} | {} | {} | {bytes:.1} | {target} |",
            name.unwrap_or_default(),
            grouped(points),
            grouped(megabytes),
        );
    }
    println!();
    Ok(())
}

/// The points and the kilobytes of a run in a process of its own.
fn measure(run: Run) -> Result<(f64, f64), Box<dyn Error>> {
    let value = run.to_possible_value().ok_or("a run without a name")?;
    let program = std::env::current_exe()?;
    let output = Command::new(program)
        .args(["peak", value.get_name()])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().filter_map(|n| n.parse().ok());
    match (output.status.success(), numbers.next(), numbers.next()) {
        (true, Some(points), Some(kilobytes)) => Ok((points, kilobytes)),
        _ => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}
