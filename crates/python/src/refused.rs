//! What is refused, in the command line's sentences with Python's names of options.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use sampler::SampleError;
use std::fmt::Display;

/// Why nothing was made: one line, which becomes a `ValueError`.
#[derive(Clone, Debug)]
pub(crate) struct Refused(String);

/// What a call comes to.
pub(crate) type Outcome<T> = Result<T, Refused>;

impl Refused {
    /// A refusal that names no single option.
    pub(crate) fn new(problem: impl Display) -> Self {
        Self(problem.to_string())
    }

    /// A refusal of an option's value.
    pub(crate) fn option(name: &str, value: impl Display, problem: impl Display) -> Self {
        Self(format!("{name} {value}: {problem}"))
    }

    /// What `error` says in terms of the options that change it. `count` is how many points were asked for,
    /// as distances are not those that were given then.
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
