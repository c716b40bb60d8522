//! What is refused, in the command line's sentences with Python's names of options.

use density::numbers::{about, bytes, grouped, plain, short};
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

    /// A refusal of a count, whose distances are not those that were given.
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
             is {} {}: ask for more, bring max_dist nearer to min_dist, or drop tile",
            short(max_dist),
            plain(size),
            if axis == 0 { "wide" } else { "high" },
        );
        Self::option("count", count, problem)
    }
}

impl From<Refused> for PyErr {
    fn from(Refused(problem): Refused) -> Self {
        PyValueError::new_err(problem)
    }
}

impl From<SampleError> for Refused {
    /// In terms of the options that change it. Others are refused before.
    fn from(error: SampleError) -> Self {
        match error {
            SampleError::TooManyPoints { expected, ceiling } => Self(format!(
                "about {} points are expected, more than {}: raise min_dist, shrink size, or give \
                 max_points N to stop after N",
                about(expected),
                grouped(ceiling),
            )),
            SampleError::TooMuchMemory {
                expected,
                megabytes,
                limit_megabytes,
            } => Self(format!(
                "the run would take {} of memory where {} are left (about {} points are \
                 expected): raise min_dist, shrink size, or give a lower max_points",
                bytes(megabytes * 1e6),
                bytes(limit_megabytes * 1e6),
                about(expected),
            )),
            SampleError::MemorySpent { megabytes, .. } => Self(format!(
                "the run takes more memory than there is, {} on one thread: give limit=0.25 where \
                 min_dist changes steeply; or lower max_dist, raise min_dist, shrink size, or give \
                 threads=1",
                bytes(megabytes * 1e6),
            )),
            SampleError::OutOfMemory { megabytes } => Self(format!(
                "out of memory: about {} are needed: raise min_dist or shrink size",
                bytes(megabytes * 1e6),
            )),
            SampleError::TooFine {
                extent,
                min_dist,
                limit,
            } => Self::option(
                "min_dist",
                plain(min_dist),
                format!(
                    "points so close cannot be told apart at coordinates up to {}, only up to \
                     {limit:.3e}: raise min_dist, shrink size, or bring origin nearer",
                    plain(extent),
                ),
            ),
            SampleError::RatioTooLarge { lo, hi, limit, .. } => Self::option(
                "max_dist",
                plain(hi),
                format!(
                    "more than {limit:.3e} times min_dist {}: lower it, or raise min_dist",
                    plain(lo),
                ),
            ),
            SampleError::OutOfScale {
                lo,
                hi,
                least,
                most,
            } => Self::option(
                "min_dist",
                format!("{} max_dist {}", plain(lo), plain(hi)),
                format!(
                    "both must lie between {least:e} and {most:e}; take another unit of length"
                ),
            ),
            SampleError::TooManyToCap { expected, cap, .. } => Self(format!(
                "about {} points are expected, too many to find the first {}: raise min_dist or \
                 shrink size",
                about(expected),
                grouped(cap),
            )),
            SampleError::TooManyBlocks { blocks, most } => Self(format!(
                "size: the world is {blocks:.1e} blocks large beside max_dist, more than \
                 {most:.0e}: shrink it, or raise max_dist",
            )),
            SampleError::CountAboveLimit { count, ceiling } => Self::option(
                "count",
                count,
                format!(
                    "more than max_points, {}: raise that to allow it",
                    grouped(ceiling)
                ),
            ),
            SampleError::CountOutOfReach { count, most } => Self(format!(
                "count {count}: no scaling of the distances gives so many points, {} came at \
                 best: let points lie in more of the map, raise size, or ask for fewer",
                grouped(most),
            )),
            SampleError::TileTooSmall {
                axis,
                size,
                max_dist,
            } => Self(format!(
                "tile: the world is {} {}, less than twice max_dist {}: raise size or lower \
                 max_dist",
                plain(size),
                if axis == 0 { "wide" } else { "high" },
                plain(max_dist),
            )),
            other => Self(other.to_string()),
        }
    }
}
