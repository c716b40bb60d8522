//! How a run can end badly, and the one line that tells of it.

use crate::numbers;
use clap::error::ErrorKind;
use sampler::SampleError;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why nothing was made.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line does not parse, or asked for help.
    Parse(clap::Error),
    /// The command line asks for something impossible, whatever the files hold.
    Usage(String),
    /// The value of an option is impossible.
    Value {
        /// The flag, or the key of a species file.
        option: String,
        /// As given.
        value: String,
        problem: String,
    },
    /// A file is larger than may be read at once.
    TooLarge(String),
    /// The files or the machine do not allow it.
    Run(anyhow::Error),
}

impl Failure {
    /// A usage failure over the value of a flag.
    pub(crate) fn usage(flag: &str, value: impl Display, problem: impl Display) -> Self {
        Self::Value {
            option: flag.to_owned(),
            value: value.to_string(),
            problem: problem.to_string(),
        }
    }

    /// A run-time failure over a file; `role` is its flag and a space, or nothing for MAP.
    pub(crate) fn file(role: &str, path: &Path, problem: impl Display) -> Self {
        Self::Run(anyhow::anyhow!("{role}{}: {problem}", path.display()))
    }

    /// A run-time failure over a file that is larger than may be read at once; `role` as in
    /// [`Failure::file`].
    pub(crate) fn too_large(role: &str, path: &Path, problem: impl Display) -> Self {
        Self::TooLarge(format!("{role}{}: {problem}", path.display()))
    }

    /// The same failure. Where a file is too large, it says besides why the file was not read in parts.
    pub(crate) fn not_in_parts(self, why: &str) -> Self {
        match self {
            Self::TooLarge(problem) => {
                Self::TooLarge(format!("{problem} (not read in parts: {why})"))
            }
            other => other,
        }
    }

    /// What --count cannot do, where distances are not those that were given.
    pub(crate) fn counting(count: u64, error: SampleError) -> Self {
        let SampleError::TileTooSmall {
            axis,
            size,
            max_dist,
        } = error
        else {
            return error.into();
        };
        let problem = format!(
            "so few points would keep up to {} from one another, more than half of a tile that \
             is {} {}: ask for more, bring --max-dist nearer to --min-dist, or drop --tile",
            numbers::short(max_dist),
            numbers::plain(size),
            if axis == 0 { "wide" } else { "high" },
        );
        Self::usage("--count", count, problem)
    }

    /// Tells of it on stderr (help goes to stdout) and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Parse(error) => match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
                    Err(e) if e.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
                    _ => ExitCode::SUCCESS,
                },
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                    // Nobody is left to be told when stderr fails.
                    let _ = error.print();
                    ExitCode::from(2)
                }
                _ => {
                    tell(&condensed(&error.render().to_string()));
                    ExitCode::from(2)
                }
            },
            Self::Usage(problem) => {
                tell(&format!("error: {problem}"));
                ExitCode::from(2)
            }
            Self::Value {
                option,
                value,
                problem,
            } => {
                tell(&format!("error: {option} {value}: {problem}"));
                ExitCode::from(2)
            }
            Self::TooLarge(problem) => {
                tell(&format!("error: {problem}"));
                ExitCode::FAILURE
            }
            Self::Run(error) => {
                tell(&format!("error: {error:#}"));
                ExitCode::FAILURE
            }
        }
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Self::Parse(error)
    }
}

impl From<SampleError> for Failure {
    /// In terms of the flags that change it.
    #[expect(
        clippy::too_many_lines,
        reason = "one arm an error, and none may be forgotten"
    )]
    fn from(error: SampleError) -> Self {
        let refused = |problem: String| Self::Run(anyhow::anyhow!(problem));
        match error {
            SampleError::TooManyPoints { expected, ceiling } => refused(format!(
                "about {} points are expected, more than {}: raise --min-dist, shrink --size, or \
                 give --max-points N to stop after N",
                numbers::about(expected),
                numbers::grouped(ceiling),
            )),
            SampleError::TooMuchMemory {
                expected,
                megabytes,
                limit_megabytes,
            } => refused(format!(
                "the run would take {} of memory where {} are left (about {} points are \
                 expected): raise --min-dist, shrink --size, or give a lower --max-points",
                numbers::bytes(megabytes * 1e6),
                numbers::bytes(limit_megabytes * 1e6),
                numbers::about(expected),
            )),
            SampleError::MemorySpent {
                megabytes,
                limit_megabytes,
            } => refused(format!(
                "the run takes more memory than there is, {} on one thread, whose part is {}: \
                 where min_dist changes steeply, --limit 0.25 (in a species file limit = 0.25) \
                 makes it gentle; or lower --max-dist, raise --min-dist, shrink --size, or give \
                 --threads 1",
                numbers::bytes(megabytes * 1e6),
                numbers::bytes(limit_megabytes * 1e6),
            )),
            SampleError::Dimensions { dimensions } => {
                refused(format!("points have 2 or 3 coordinates, not {dimensions}"))
            }
            SampleError::OutOfMemory { megabytes } => refused(format!(
                "out of memory: about {} are needed: raise --min-dist or shrink --size",
                numbers::bytes(megabytes * 1e6),
            )),
            SampleError::TooFine {
                extent,
                min_dist,
                limit,
            } => Self::usage(
                "--min-dist",
                numbers::plain(min_dist),
                format!(
                    "points so close cannot be told apart at coordinates up to {}, only up to \
                     {:.3e}: raise --min-dist, shrink --size, or bring --origin nearer",
                    numbers::plain(extent),
                    limit,
                ),
            ),
            SampleError::RatioTooLarge { lo, hi, limit, .. } => Self::usage(
                "--max-dist",
                numbers::plain(hi),
                format!(
                    "more than {limit:.3e} times --min-dist {}: lower it, or raise --min-dist",
                    numbers::plain(lo),
                ),
            ),
            SampleError::OutOfScale {
                lo,
                hi,
                least,
                most,
            } => Self::usage(
                "--min-dist",
                format!("{} --max-dist {}", numbers::plain(lo), numbers::plain(hi)),
                format!(
                    "both must lie between {least:e} and {most:e}; take another unit of length"
                ),
            ),
            SampleError::NoTries => Self::usage("--tries", 0, "must be at least 1"),
            SampleError::NoParents => Self::usage(
                "--rule",
                "parent",
                "with --algorithm scatter no point has a parent: take another rule, or give \
                 --algorithm bridson",
            ),
            SampleError::TooManyToCap { expected, cap, .. } => refused(format!(
                "about {} points are expected, too many to find the first {}: raise --min-dist \
                 or shrink --size",
                numbers::about(expected),
                numbers::grouped(cap),
            )),
            SampleError::TooManyBlocks { blocks, most } => Self::Usage(format!(
                "--size: the world is {blocks:.1e} blocks large beside --max-dist, more than \
                 {most:.0e}: shrink it, or raise --max-dist",
            )),
            SampleError::TooManyLevels { levels, most } => {
                Self::usage("--lod", levels, format!("at most {most}"))
            }
            SampleError::NoCount => Self::usage("--count", 0, "must be at least 1"),
            SampleError::CountAboveLimit { count, ceiling } => Self::usage(
                "--count",
                count,
                format!(
                    "more than --max-points, {}: raise that to allow it",
                    numbers::grouped(ceiling)
                ),
            ),
            SampleError::CountOutOfReach { count, most } => refused(format!(
                "--count {count}: no scaling of the distances gives so many points, {} came at \
                 best: let points lie in more of the map, raise --size, or ask for fewer",
                numbers::grouped(most),
            )),
            SampleError::Layers(error) => refused(error.to_string()),
            SampleError::TileTooSmall {
                axis,
                size,
                max_dist,
            } => Self::Usage(format!(
                "--tile: the world is {} {}, less than twice --max-dist {}: raise --size or lower \
                 --max-dist",
                numbers::plain(size),
                if axis == 0 { "wide" } else { "high" },
                numbers::plain(max_dist),
            )),
        }
    }
}

/// Refuses the first of these flags that was given, with the reason for all of them.
pub(crate) fn refuse_given(flags: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match flags.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!("{flag}: {why}"))),
    }
}

/// Prints `text` on stdout. A reader who has gone is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Run(anyhow::Error::new(e).context("stdout")))
        }
        _ => Ok(()),
    }
}

/// One line to stderr, whatever the names in it hold. If stderr fails, nobody can be told.
pub(crate) fn tell(line: &str) {
    let mut safe = String::with_capacity(line.len() + 1);
    for c in line.chars() {
        if c.is_control() {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe.push('\n');
    let _ = io::stderr().lock().write_all(safe.as_bytes());
}

/// What clap says in several paragraphs, in one line: the problem and any tips.
fn condensed(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
        lines.join(" ")
    });
    let kept: Vec<String> = paragraphs
        .filter(|p| {
            let boilerplate = p.starts_with("Usage:") || p.starts_with("For more information");
            !p.is_empty() && !boilerplate
        })
        .collect();
    kept.join("; ")
}
