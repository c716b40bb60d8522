//! Errors that end a run, and the one line that reports each.

use crate::numbers::plain;
use clap::error::ErrorKind;
use sampler::{Refusal, SampleError};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The reason why a run ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line does not parse, or requests help.
    Parse(clap::Error),
    /// The command line requests something impossible, whatever the files contain.
    Usage(String),
    /// The value of an option is impossible.
    Value {
        /// The flag, or the key of a species file.
        option: String,
        /// The value as given.
        value: String,
        problem: String,
    },
    /// A file is larger than may be read at once.
    TooLarge(String),
    /// The files or the machine prevent the run.
    Run(anyhow::Error),
    /// Nobody reads the only output any more: the pipe of stdout is closed. This is no error.
    PipeClosed,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Run(error)
    }
}

impl Failure {
    /// Returns a usage failure about the value of a flag.
    pub(crate) fn usage(flag: &str, value: impl Display, problem: impl Display) -> Self {
        Self::Value {
            option: flag.to_owned(),
            value: value.to_string(),
            problem: problem.to_string(),
        }
    }

    /// Returns a run-time failure about a file; `role` is its flag and a space, or empty for MAP.
    pub(crate) fn file(role: &str, path: &Path, problem: impl Display) -> Self {
        Self::Run(anyhow::anyhow!("{role}{}: {problem}", path.display()))
    }

    /// Returns a failure about a file too large to be read at once; `role` as in [`Failure::file`].
    pub(crate) fn too_large(role: &str, path: &Path, problem: impl Display) -> Self {
        Self::TooLarge(format!("{role}{}: {problem}", path.display()))
    }

    /// Adds to [`Failure::TooLarge`] why the file was not read in parts; returns other failures unchanged.
    pub(crate) fn not_in_parts(self, why: &str) -> Self {
        match self {
            Self::TooLarge(problem) => {
                Self::TooLarge(format!("{problem} (not read in parts: {why})"))
            }
            other => other,
        }
    }

    /// Converts an error about a factor of all distances; `option` is its name.
    pub(crate) fn factor(option: &str, factor: f64, error: &SampleError) -> Self {
        Self::usage(
            option,
            plain(factor),
            format!("{error}: choose another factor"),
        )
    }

    /// Converts a sampler error into terms of the flags. `count` is the value of --count, which replaces
    /// the given distances.
    pub(crate) fn refused(error: &SampleError, count: Option<u64>) -> Self {
        let flag = |name: &str, value: &str| match name {
            "limit" => format!("--limit {value} (in a species file limit = {value})"),
            _ => format!("--{} {value}", name.replace('_', "-")),
        };
        Self::of(error.refusal(count, &flag))
    }

    /// Converts a sampler error of a run of a species file, which has keys for distances.
    pub(crate) fn in_species(error: &SampleError, count: Option<u64>) -> Self {
        let written = |name: &str, value: &str| match (name, value) {
            ("min_dist" | "max_dist", "") => name.to_owned(),
            ("limit", _) => format!("limit = {value}"),
            _ => format!("--{} {value}", name.replace('_', "-")),
        };
        Self::of(error.refusal(count, &written))
    }

    fn of(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Value {
                option,
                value,
                problem,
            } => Self::Value {
                option,
                value,
                problem,
            },
            Refusal::Options(problem) => Self::Usage(problem),
            other => Self::Run(anyhow::anyhow!(other.to_string())),
        }
    }

    /// Prints the failure on stderr (help on stdout) and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Parse(error) => match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
                    Err(e) if e.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
                    _ => ExitCode::SUCCESS,
                },
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                    // An error of stderr itself cannot be reported.
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
            Self::PipeClosed => ExitCode::SUCCESS,
        }
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Self::Parse(error)
    }
}

impl From<SampleError> for Failure {
    fn from(error: SampleError) -> Self {
        Self::refused(&error, None)
    }
}

/// Refuses the first of `flags` that was given; `why` is the reason for all of them.
pub(crate) fn refuse_given(flags: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match flags.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!("{flag}: {why}"))),
    }
}

/// Prints `text` on stdout. A closed pipe is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Run(anyhow::Error::new(e).context("stdout")))
        }
        _ => Ok(()),
    }
}

/// The longest line that is printed, characters: libraries quote in theirs whatever a file contains.
const LONGEST: usize = 10_000;

/// Prints one line on stderr, with control characters escaped. Errors of stderr are ignored.
pub(crate) fn tell(line: &str) {
    let mut safe = String::new();
    let mut chars = line.chars();
    for c in chars.by_ref().take(LONGEST) {
        if c.is_control() {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    if !chars.as_str().is_empty() {
        safe.push_str(" ..");
    }
    safe.push('\n');
    let _ = io::stderr().lock().write_all(safe.as_bytes());
}

/// Condenses clap's paragraphs into one line: the problem and any tips.
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
