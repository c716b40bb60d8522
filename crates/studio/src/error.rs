//! Why something was not done.

use thiserror::Error;

/// Why a request of the page was not carried out; nothing was changed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Refused {
    /// A value that cannot be.
    #[error("{name} {value}: {problem}")]
    Value {
        /// What it is called, in the command line's words where that has it.
        name: String,
        /// As given.
        value: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The run cannot be.
    #[error("{0}")]
    Run(String),
    /// A newer stroke came in between; what was asked for is to be asked for again.
    #[error("a newer stroke came in between")]
    Superseded,
    /// The request itself is not understood.
    #[error("{0}")]
    Request(String),
}

impl Refused {
    pub(crate) fn value(
        name: impl Into<String>,
        value: impl std::fmt::Display,
        problem: impl Into<String>,
    ) -> Self {
        Self::Value {
            name: name.into(),
            value: value.to_string(),
            problem: problem.into(),
        }
    }
}

/// Why the server could not start or go on.
#[derive(Debug, Error)]
pub enum StudioError {
    /// The port cannot be had.
    #[error("--port {port}: {source}: give another port, or none to take any that is free")]
    Bind {
        /// As given; 0 is any.
        port: u16,
        /// What the system says.
        source: std::io::Error,
    },
    /// The system gives no threads or no random numbers.
    #[error("the server cannot start: {0}")]
    Start(std::io::Error),
    /// The first map cannot be used.
    #[error("{0}")]
    Map(#[from] Refused),
}
