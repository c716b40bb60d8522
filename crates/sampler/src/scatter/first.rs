//! Collecting points, all or the first.

use super::scattered::Scattered;
use crate::sample::Sample;

/// A thing with its turn: id, then number of arrival, so that no two have the same.
#[derive(Clone, Copy, Debug)]
struct Turn<T> {
    key: (u64, u64),
    what: T,
}

/// Keeps what has the smallest ids, in memory for twice as many as it keeps.
#[derive(Clone, Debug)]
pub(super) struct First<T> {
    most: usize,
    kept: Vec<Turn<T>>,
    /// Nothing above is kept.
    bound: (u64, u64),
    seen: u64,
}

impl<T: Copy> First<T> {
    pub(super) fn new(most: u64) -> Self {
        Self {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            kept: Vec::new(),
            bound: (u64::MAX, u64::MAX),
            seen: 0,
        }
    }

    pub(super) fn add(&mut self, id: u64, what: T) {
        let key = (id, self.seen);
        self.seen += 1;
        if key <= self.bound {
            self.kept.push(Turn { key, what });
            if self.kept.len() >= self.most.saturating_mul(2).saturating_add(1024) {
                self.cut();
            }
        }
    }

    fn cut(&mut self) {
        if self.kept.len() <= self.most {
            return;
        }
        if self.most > 0 {
            let last = self.most - 1;
            let (_, last, _) = self.kept.select_nth_unstable_by_key(last, |t| t.key);
            self.bound = last.key;
        } else {
            self.bound = (0, 0);
        }
        self.kept.truncate(self.most);
    }

    /// What was kept, in the order of arrival; whether that is all; the last key.
    pub(super) fn finish(mut self) -> (impl Iterator<Item = T>, bool, (u64, u64)) {
        self.cut();
        self.kept.sort_unstable_by_key(|t| t.key.1);
        let complete = self.kept.len() as u64 == self.seen;
        (self.kept.into_iter().map(|t| t.what), complete, self.bound)
    }
}

/// The points of parts, put together.
#[derive(Clone, Debug)]
pub(super) struct Gather<const D: usize> {
    found: Scattered<D>,
    first: Option<First<Sample<D>>>,
}

impl<const D: usize> Gather<D> {
    /// Of about `expected` points, at most `cap`.
    pub(super) fn new(cap: Option<u64>, expected: f64) -> Self {
        let mut found = Scattered::default();
        if cap.is_none() {
            // A little more than expected: what is not written to costs nothing. Where it
            // cannot be had, growing will find out.
            let expected = (1.01 * expected) as usize + 1024;
            let _ = found.samples.try_reserve_exact(expected);
        }
        Self {
            found,
            first: cap.map(First::new),
        }
    }

    /// Behind points that were found before.
    pub(super) fn behind(before: Vec<Sample<D>>) -> Self {
        Self {
            found: Scattered {
                samples: before,
                ..Scattered::default()
            },
            first: None,
        }
    }

    /// How many points are kept so far.
    pub(super) fn len(&self) -> usize {
        self.found.samples.len()
    }

    pub(super) fn add(&mut self, part: Scattered<D>) {
        let all = &mut self.found;
        all.unresolved += part.unresolved;
        all.unresolved_volume += part.unresolved_volume;
        all.complete &= part.complete;
        if let Some(first) = &mut self.first {
            for sample in part.samples {
                first.add(sample.id, sample);
            }
            return;
        }
        let (len, room) = (all.samples.len(), all.samples.capacity());
        if len + part.samples.len() > room {
            // By a sixteenth, where a vector would double.
            all.samples.reserve_exact(part.samples.len().max(len / 16));
        }
        all.samples.extend(part.samples);
    }

    pub(super) fn finish(mut self) -> Scattered<D> {
        if let Some(first) = self.first {
            let (samples, complete, _) = first.finish();
            self.found.samples.extend(samples);
            self.found.complete &= complete;
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_smallest_in_order_of_arrival() {
        for most in [0, 1, 7, 999, 5000, 9999, 10_000, 20_000] {
            let ids = (0..10_000_u64).map(|i| (i * 7919) % 10_007);
            let mut first = First::new(most);
            let mut largest = 0;
            for id in ids.clone() {
                first.add(id, id);
                largest = largest.max(first.kept.len());
            }
            let mut sorted: Vec<u64> = ids.clone().collect();
            sorted.sort_unstable();
            sorted.truncate(most as usize);
            let expected: Vec<u64> = ids.filter(|id| sorted.binary_search(id).is_ok()).collect();
            let (kept, complete, _) = first.finish();
            assert_eq!(kept.collect::<Vec<u64>>(), expected);
            assert_eq!(complete, most >= 10_000);
            assert!(largest as u64 <= 2 * most + 1024, "{largest} for {most}");
        }
    }
}
