//! Words errors, with the names that a front end or this crate gives to options.

use crate::SampleError;
use density::numbers::{about, bytes, grouped, plain, short};
use std::fmt::{self, Display, Formatter};

/// The reason for which a run was refused, and the option to blame: see [`SampleError::refusal`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The value of an option is impossible.
    Value {
        /// The option, as the front end writes it.
        option: String,
        /// The option's value.
        value: String,
        /// The problem, and a remedy.
        problem: String,
    },
    /// The options are impossible together.
    Options(String),
    /// The map or the machine does not allow the run.
    Run(String),
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value {
                option,
                value,
                problem,
            } => write!(f, "{option} {value}: {problem}"),
            Self::Options(problem) | Self::Run(problem) => f.write_str(problem),
        }
    }
}

impl Display for SampleError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let written = |name: &str, value: &str| match (name, value) {
            ("max_points", _) => format!("PointLimit {value}"),
            ("limit", _) => format!("a gradient limit of {value}"),
            ("lod", _) => format!("levels {value}"),
            ("size", _) => format!("the domain {value}"),
            ("origin", _) => format!("its origin {value}"),
            ("tile", _) => format!("Edges::Tiled {value}"),
            ("threads", _) => format!("a pool of {value} thread"),
            ("algorithm", "bridson") => "Bridson".to_owned(),
            ("algorithm", _) => "Scatter".to_owned(),
            _ => format!("{name} {value}"),
        };
        self.refusal(None, &written).fmt(f)
    }
}

impl SampleError {
    /// Returns why the run was refused, for people who gave options. `written` formats an option, given its
    /// name in this crate, like `min_dist`, and its value, which may be empty. `count` is the number of
    /// points that distances were scaled to, if they were.
    ///
    /// ```
    /// use spinney_sampler::SampleError;
    ///
    /// let flag = |name: &str, value: &str| format!("--{} {value}", name.replace('_', "-"));
    /// let refusal = SampleError::NoCount.refusal(None, &flag);
    /// assert_eq!(refusal.to_string(), "--count 0: must be at least 1");
    /// ```
    #[expect(
        clippy::too_many_lines,
        reason = "one arm an error, and none may be forgotten"
    )]
    pub fn refusal(&self, count: Option<u64>, written: &dyn Fn(&str, &str) -> String) -> Refusal {
        let option = |name: &str| written(name, "").trim_end().to_owned();
        let value = |name: &str, value: &dyn Display, problem: String| Refusal::Value {
            option: option(name),
            value: value.to_string(),
            problem,
        };
        let names = ["min_dist", "max_dist", "max_points", "size"];
        let [min_dist, max_dist, max_points, size] = names.map(option);
        match *self {
            Self::TooManyPoints { expected, ceiling } => Refusal::Run(format!(
                "about {} points are expected, more than {}: raise {min_dist}, shrink {size}, or \
                 give {} N for N points, farther apart; {max_points} N would evaluate them all and \
                 keep N, except with {}",
                about(expected),
                grouped(ceiling),
                option("count"),
                written("algorithm", "bridson"),
            )),
            Self::TooMuchMemory {
                expected,
                megabytes,
                limit_megabytes,
            } => Refusal::Run(format!(
                "the run would take {} of memory, but {} are left (about {} points are expected): \
                 raise {min_dist}, shrink {size}, or give a lower {max_points}",
                bytes(megabytes * 1e6),
                bytes(limit_megabytes * 1e6),
                about(expected),
            )),
            Self::MemorySpent {
                megabytes,
                limit_megabytes,
            } => Refusal::Run(format!(
                "the run needs {} of memory on one thread, more than its share of {}: give {} if \
                 min_dist changes steeply, lower {max_dist}, raise {min_dist}, shrink {size}, or \
                 give {}",
                bytes(megabytes * 1e6),
                bytes(limit_megabytes * 1e6),
                written("limit", "0.25"),
                written("threads", "1"),
            )),
            Self::OutOfMemory { megabytes } => Refusal::Run(format!(
                "out of memory: {} or more are needed: raise {min_dist}, shrink {size}, or give a lower \
                 {max_points}",
                bytes(megabytes * 1e6),
            )),
            Self::TooFine {
                extent,
                min_dist: least,
                limit,
            } => value(
                "min_dist",
                &plain(least),
                format!(
                    "coordinates reach {}, but points this close allow at most {limit:.3e}: raise \
                     {min_dist}, shrink {size}, or bring {} nearer",
                    plain(extent),
                    option("origin"),
                ),
            ),
            Self::RatioTooLarge { lo, hi, limit, .. } => value(
                "max_dist",
                &plain(hi),
                format!(
                    "more than {limit:.3e} times {min_dist} {}: lower it, or raise {min_dist}",
                    plain(lo),
                ),
            ),
            Self::OutOfScale {
                lo,
                hi,
                least,
                most,
            } => value(
                "min_dist",
                &format!("{} {max_dist} {}", plain(lo), plain(hi)),
                format!("both must lie between {least:e} and {most:e}; use another unit of length"),
            ),
            Self::NoTries => value("tries", &0, "must be at least 1".to_owned()),
            Self::NoParents => value(
                "rule",
                &"parent",
                format!(
                    "not supported by {}: give another rule, or give {}",
                    written("algorithm", "scatter"),
                    written("algorithm", "bridson"),
                ),
            ),
            Self::TooManyToCap { expected, cap, .. } => Refusal::Run(format!(
                "about {} points are expected, too many to find the first {}: raise {min_dist} \
                 or shrink {size}",
                about(expected),
                grouped(cap),
            )),
            Self::TooManyBlocks { blocks, most } => Refusal::Options(format!(
                "{size}: the world has {blocks:.1e} blocks at this {max_dist}, more than {most:.0e}: \
                 shrink it, or raise {max_dist}",
            )),
            Self::TooManyLevels { levels, most } => {
                value("lod", &levels, format!("at most {most}"))
            }
            Self::NoCount => value("count", &0, "must be at least 1".to_owned()),
            Self::CountAboveLimit { count, ceiling } => value(
                "count",
                &count,
                format!(
                    "more than {max_points}, {}: raise that to allow it",
                    grouped(ceiling),
                ),
            ),
            Self::CountOutOfReach { count, most } => Refusal::Run(format!(
                "{} {count}: no scaling of the distances gives more than {} points: allow points \
                 in more of the map, raise {size}, or request fewer",
                option("count"),
                grouped(most),
            )),
            Self::TileTooSmall {
                axis,
                size: side,
                max_dist: most,
            } => {
                let extent = ["wide", "high", "deep"];
                let side = format!("{} {}", plain(side), extent[axis.min(2)]);
                let tile = option("tile");
                // With a count, the distances are not those that the user gave.
                if let Some(count) = count {
                    let problem = format!(
                        "so few points would be up to {} apart, more than half of the tile, which \
                         is {side}: request more, bring {max_dist} nearer to {min_dist}, or drop \
                         {tile}",
                        short(most),
                    );
                    return value("count", &count, problem);
                }
                Refusal::Options(format!(
                    "{tile}: the world is {side}, less than twice {max_dist} {}: raise {size} or \
                     lower {max_dist}",
                    plain(most),
                ))
            }
            Self::BoundsTooWide => Refusal::Run(
                "the bounds of a field or region are so wide that one place falls into millions of pieces: give the \
                 region a detail, or a slope nearer to its steepest one, and a number everywhere; if the region meets \
                 the domain only in a line or a sheet, move one of them"
                    .to_owned(),
            ),
            Self::Dimensions { dimensions } => {
                Refusal::Run(format!("points have 2 or 3 coordinates, not {dimensions}"))
            }
            Self::Layers(error) => Refusal::Run(error.to_string()),
            Self::Avoid(error) => Refusal::Run(format!("{}: {error}", option("avoid"))),
            Self::Field(error) => Refusal::Run(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers have few digits, and options have the front end's names.
    #[test]
    fn options_are_the_front_end_s() {
        let flag = |name: &str, value: &str| format!("--{} {value}", name.replace('_', "-"));
        let key = |name: &str, value: &str| format!("{name}={value}");
        let far = SampleError::TooFine {
            extent: 1e300,
            min_dist: 1e-300,
            limit: 1.0,
        };
        let said = far.refusal(None, &flag).to_string();
        let start = "--min-dist 1e-300: coordinates reach 1e300, but points this close allow at \
                     most 1.000e0: raise --min-dist, shrink --size, or";
        assert!(said.starts_with(start), "{said}");
        assert!(far.to_string().len() < 200, "{far}");
        let spent = SampleError::MemorySpent {
            megabytes: 9.0,
            limit_megabytes: 8.0,
        };
        let said = spent.refusal(None, &key).to_string();
        assert!(
            said.contains("give limit=0.25 if min_dist changes steeply"),
            "{said}"
        );
        assert!(said.ends_with("or give threads=1"), "{said}");
        assert!(matches!(spent.refusal(None, &flag), Refusal::Run(_)));
        let many = SampleError::TooManyPoints {
            expected: 8e9,
            ceiling: 100_000_000,
        };
        let said = many.refusal(None, &flag).to_string();
        let end = "or give --count N for N points, farther apart; --max-points N would evaluate \
                   them all and keep N, except with --algorithm bridson";
        assert!(said.ends_with(end), "{said}");
    }

    /// An error is displayed with the names of this crate.
    #[test]
    fn options_are_those_of_the_crate() {
        let deep = SampleError::TooManyLevels {
            levels: 40,
            most: 32,
        };
        assert_eq!(deep.to_string(), "levels 40: at most 32");
        let spent = SampleError::MemorySpent {
            megabytes: 9.0,
            limit_megabytes: 8.0,
        };
        assert_eq!(
            spent.to_string(),
            "the run needs 9.0 MB of memory on one thread, more than its share of 8.0 MB: give a \
             gradient limit of 0.25 if min_dist changes steeply, lower max_dist, raise min_dist, \
             shrink the domain, or give a pool of 1 thread"
        );
    }

    /// A count scales the distances: the user did not give those that are too great for the tile.
    #[test]
    fn a_count_is_to_blame_for_its_distances() {
        let flag = |name: &str, value: &str| format!("--{name} {value}");
        let small = SampleError::TileTooSmall {
            axis: 1,
            size: 9.0,
            max_dist: 5.0,
        };
        let said = |count| small.refusal(count, &flag);
        assert!(matches!(said(Some(7)), Refusal::Value { option, value, .. }
            if option == "--count" && value == "7"));
        assert!(matches!(said(None), Refusal::Options(said)
            if said.starts_with("--tile: the world is 9 high")));
        let shallow = SampleError::TileTooSmall {
            axis: 2,
            size: 9.0,
            max_dist: 5.0,
        };
        let said = shallow.refusal(None, &flag).to_string();
        assert!(said.contains("is 9 deep"), "{said}");
    }
}
