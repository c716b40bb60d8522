//! The last point of a run with `--count`, at which windows of that run end.

use sampler::Sample;
use std::fmt;

/// A point's position in the order by rank, then id. `--count` drops points from the end of this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Last {
    /// `None` for points without ranks.
    rank: Option<u32>,
    id: u64,
}

impl Last {
    /// Returns the last of `samples`, or `None` if there are none.
    pub(crate) fn of(samples: &[Sample<2>]) -> Option<Self> {
        samples.iter().map(Self::at).max()
    }

    /// Parses `ID` or `RANK,ID`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let form = "must be ID or RANK,ID: copy last from the summary of a run with --count";
        let (rank, id) = match text.split_once(',') {
            Some((rank, id)) => (Some(rank.trim().parse().map_err(|_| form)?), id),
            None => (None, text),
        };
        let id = id.trim().parse().map_err(|_| form)?;
        Ok(Self { rank, id })
    }

    /// Returns `true` if it includes a rank.
    pub(crate) fn is_ranked(self) -> bool {
        self.rank.is_some()
    }

    /// Returns `true` if `sample` comes after it.
    pub(crate) fn is_before(self, sample: &Sample<2>) -> bool {
        self < Self::at(sample)
    }

    fn at(sample: &Sample<2>) -> Self {
        Self {
            rank: sample.rank,
            id: sample.id,
        }
    }
}

impl fmt::Display for Last {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rank) = self.rank {
            write!(f, "{rank},")?;
        }
        write!(f, "{}", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_as_it_is_written() {
        for text in ["0", "18446744073709551615", "3,7"] {
            assert_eq!(
                Last::parse(text).map(|last| last.to_string()),
                Ok(text.into())
            );
        }
        for bad in [
            "",
            ",",
            "3,",
            ",7",
            "-1",
            "1,2,3",
            "1.5",
            "18446744073709551616",
        ] {
            assert!(Last::parse(bad).is_err(), "{bad}");
        }
    }
}
