//! Errors of requests and of the server.

use thiserror::Error;

/// The reason why a request of the page was refused. A refused request changes nothing.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// An invalid value.
    #[error("{name} {value}: {problem}")]
    Value {
        /// Name of the value, the command line's where it has one.
        name: String,
        /// The value as given.
        value: String,
        /// The fault, and the remedy.
        problem: String,
    },
    /// The run is impossible.
    #[error("{0}")]
    Run(String),
    /// A newer stroke came in between; the page has to repeat the request.
    #[error("a newer stroke came in between")]
    Superseded,
    /// The request is malformed.
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

    /// Returns the refusal of an impossible run.
    pub(crate) fn run(problem: impl std::fmt::Display) -> Self {
        Self::Run(problem.to_string())
    }
}

/// The reason why the server could not start or continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudioError {
    /// The port is not available.
    #[error("--port {port}: {source}: give another port, or none to use any free port")]
    Bind {
        /// The port as given; 0 stands for any.
        port: u16,
        /// The system's error.
        source: std::io::Error,
    },
    /// The system provides no threads or no random numbers.
    #[error("the server cannot start: {0}")]
    Start(std::io::Error),
    /// The first map cannot be used.
    #[error("{0}")]
    Map(#[from] Refused),
}
