//! Errors, in the command line's sentences with Python's names of options.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use sampler::SampleError;
use std::fmt::Display;

/// The reason for a refusal: one line, which becomes a `ValueError`.
#[derive(Clone, Debug)]
pub(crate) struct Refused(String);

/// Result of a call.
pub(crate) type Outcome<T> = Result<T, Refused>;

impl Refused {
    /// Creates a refusal that names no single option.
    pub(crate) fn new(problem: impl Display) -> Self {
        Self(problem.to_string())
    }

    /// Creates a refusal of an option's value.
    pub(crate) fn option(name: &str, value: impl Display, problem: impl Display) -> Self {
        Self(format!("{name} {value}: {problem}"))
    }

    /// Converts `error`, naming the options that can help. `count` is the requested number of points, if
    /// any: the run then scaled the given distances.
    pub(crate) fn sampling(error: &SampleError, count: Option<u64>) -> Self {
        let option = |name: &str, value: &str| match value {
            "" => name.to_owned(),
            value => format!("{name}={value}"),
        };
        Self::new(error.refusal(count, &option))
    }
}

impl From<Refused> for PyErr {
    fn from(Refused(problem): Refused) -> Self {
        PyValueError::new_err(problem)
    }
}

impl From<SampleError> for Refused {
    fn from(error: SampleError) -> Self {
        Self::sampling(&error, None)
    }
}
