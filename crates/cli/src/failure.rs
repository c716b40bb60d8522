//! How a run can end badly, and the one line that tells of it.

use clap::error::ErrorKind;
use sampler::{Refusal, SampleError};
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

    /// What `error` says in terms of the flags that change it. `count` is what --count asked for, as
    /// distances are not those that were given then.
    pub(crate) fn refused(error: &SampleError, count: Option<u64>) -> Self {
        let flag = |name: &str, value: &str| match name {
            "limit" => format!("--limit {value} (in a species file limit = {value})"),
            _ => format!("--{} {value}", name.replace('_', "-")),
        };
        match error.refusal(count, &flag) {
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
    fn from(error: SampleError) -> Self {
        Self::refused(&error, None)
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
