//! Collects points: all, or the first of each layer by (rank, id).

use super::scattered::Scattered;
use crate::sample::Sample;
use std::cmp::Reverse;

/// The order of points in their layer: by rank and id, then by arrival, so that keys are unique.
type Key = (Option<u32>, u64, u64);

/// The items of a layer with the smallest keys, with memory for twice as many.
#[derive(Clone, Debug)]
struct Smallest<T> {
    most: usize,
    kept: Vec<(Key, T)>,
    /// Items from this key on are not kept.
    end: Key,
    /// Number of items so far.
    arrived: u64,
}

impl<T> Smallest<T> {
    fn new(most: u64) -> Self {
        Self {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            kept: Vec::new(),
            end: (Some(u32::MAX), u64::MAX, u64::MAX),
            arrived: 0,
        }
    }

    fn add(&mut self, key: Key, item: T) {
        self.arrived += 1;
        if key < self.end {
            self.kept.push((key, item));
            if self.kept.len() >= self.most.saturating_mul(2).saturating_add(1024) {
                self.truncate(self.most);
            }
        }
    }

    /// Removes all but the `most` smallest items.
    fn truncate(&mut self, most: usize) {
        if self.kept.len() > most {
            let (_, end, _) = self.kept.select_nth_unstable_by_key(most, |(key, _)| *key);
            self.end = end.0;
            self.kept.truncate(most);
        }
    }
}

/// The first points of each layer by (rank, id), `most` in all, in proportion to the layers' numbers of points.
#[derive(Clone, Debug)]
pub(super) struct SmallestByLayer<T> {
    most: u64,
    /// Number of points so far.
    arrived: u64,
    layers: Vec<Smallest<T>>,
}

impl<T> SmallestByLayer<T> {
    pub(super) fn new(most: u64) -> Self {
        Self {
            most,
            arrived: 0,
            layers: Vec::new(),
        }
    }

    /// Adds the item of a point.
    pub(super) fn add<const D: usize>(&mut self, sample: &Sample<D>, item: T) {
        let layer = layer(sample);
        while self.layers.len() <= layer {
            self.layers.push(Smallest::new(self.most));
        }
        self.layers[layer].add((sample.rank, sample.id, self.arrived), item);
        self.arrived += 1;
    }

    /// Returns the kept items, with ranks by (rank, id), otherwise in the order of arrival; and whether these are all.
    fn finish(mut self) -> (impl Iterator<Item = T>, bool) {
        let is_complete = !self.drop_surplus();
        let mut kept: Vec<_> = self
            .layers
            .into_iter()
            .flat_map(|layer| layer.kept)
            .collect();
        kept.sort_unstable_by_key(|&((rank, id, arrival), _)| (rank, rank.map(|_| id), arrival));
        (kept.into_iter().map(|(_, item)| item), is_complete)
    }

    /// Drops the points beyond the cap. Returns `true` if there were any.
    fn drop_surplus(&mut self) -> bool {
        if self.arrived <= self.most {
            return false;
        }
        let counts: Vec<u64> = self.layers.iter().map(|layer| layer.arrived).collect();
        for (layer, quota) in self.layers.iter_mut().zip(quotas(&counts, self.most)) {
            layer.truncate(usize::try_from(quota).unwrap_or(usize::MAX));
        }
        true
    }

    /// Returns the filter that keeps the same points in a second run.
    pub(super) fn into_filter(mut self) -> CapFilter {
        if !self.drop_surplus() {
            return CapFilter::default();
        }
        let last = |layer: &Smallest<T>| layer.kept.iter().map(|(key, _)| *key).max();
        CapFilter {
            lasts: self.layers.iter().map(last).collect(),
            arrived: 0,
        }
    }
}

/// Removes the points beyond a cap, in a second run that finds them in the same order. By default it removes none.
#[derive(Clone, Debug, Default)]
pub(super) struct CapFilter {
    /// The last point that is kept of each layer, if any is; no layers if all points are kept.
    lasts: Vec<Option<Key>>,
    /// Number of points so far.
    arrived: u64,
}

impl CapFilter {
    /// Removes points from the next part of the run.
    pub(super) fn apply<const D: usize>(&mut self, part: &mut Scattered<D>) {
        if self.lasts.is_empty() {
            return;
        }
        part.complete = false;
        part.samples.retain(|sample| {
            let key = Some((sample.rank, sample.id, self.arrived));
            self.arrived += 1;
            self.lasts
                .get(layer(sample))
                .is_some_and(|last| key <= *last)
        });
    }
}

/// Returns the number of the layer of a point.
fn layer<const D: usize>(sample: &Sample<D>) -> usize {
    sample.layer.unwrap_or(0) as usize
}

/// Returns the number of points that a cap leaves of each layer: in proportion, rounded down. The rest goes
/// to the layers with the greatest remainders, the first of equal ones first.
fn quotas(counts: &[u64], cap: u64) -> Vec<u64> {
    let all = counts.iter().map(|&count| u128::from(count)).sum::<u128>();
    let shares = counts
        .iter()
        .map(|&count| u128::from(count) * u128::from(cap));
    let shares: Vec<u128> = shares.collect();
    let whole = |share: u128| share.checked_div(all).unwrap_or(0);
    let mut quotas: Vec<u64> = shares.iter().map(|&share| whole(share) as u64).collect();
    let over = cap.saturating_sub(quotas.iter().sum()) as usize;
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&layer| Reverse(shares[layer] - whole(shares[layer]) * all));
    for &layer in order.iter().take(over) {
        quotas[layer] += 1;
    }
    quotas
}

/// Collects the points of all parts.
#[derive(Clone, Debug)]
pub(super) struct Gather<const D: usize> {
    found: Scattered<D>,
    /// The points under a cap, which `found` receives at the end.
    under_cap: Option<SmallestByLayer<Sample<D>>>,
}

impl<const D: usize> Gather<D> {
    /// Creates a collection of about `expected` points, at most `cap`.
    pub(super) fn new(cap: Option<u64>, expected: f64) -> Self {
        let mut found = Scattered::default();
        if cap.is_none() {
            // Slightly more than expected: memory that is not written to costs nothing. If it cannot be had,
            // growing will find out.
            let expected = (1.01 * expected) as usize + 64;
            let _ = found.samples.try_reserve_exact(expected);
        }
        Self {
            found,
            under_cap: cap.map(SmallestByLayer::new),
        }
    }

    pub(super) fn add(&mut self, part: Scattered<D>) {
        let all = &mut self.found;
        all.unresolved += part.unresolved;
        all.unresolved_volume += part.unresolved_volume;
        all.complete &= part.complete;
        if let Some(under_cap) = &mut self.under_cap {
            for sample in part.samples {
                under_cap.add(&sample, sample);
            }
            return;
        }
        let (len, room) = (all.samples.len(), all.samples.capacity());
        if len + part.samples.len() > room {
            // Grows by a sixteenth, where a vector would double.
            all.samples.reserve_exact(part.samples.len().max(len / 16));
        }
        all.samples.extend(part.samples);
    }

    pub(super) fn finish(mut self) -> Scattered<D> {
        if let Some(under_cap) = self.under_cap {
            let (samples, is_complete) = under_cap.finish();
            self.found.samples.extend(samples);
            self.found.complete &= is_complete;
        }
        self.found
    }
}

/// Returns `found` with at most `cap` points: the first of each layer by (rank, id).
pub(super) fn capped<const D: usize>(found: Scattered<D>, cap: Option<u64>) -> Scattered<D> {
    if cap.is_none() {
        return found;
    }
    let mut all = Gather::new(cap, 0.0);
    all.add(found);
    all.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_smallest_in_order_of_arrival() {
        for most in [0, 1, 7, 999, 5000, 9999, 10_000, 20_000] {
            let ids = (0..10_000_u64).map(|i| (i * 7919) % 10_007);
            let part = |id| Scattered {
                samples: vec![Sample {
                    id,
                    position: [0.0; 2],
                    min_dist: 1.0,
                    value: 0.0,
                    parent: None,
                    rank: None,
                    layer: None,
                }],
                ..Scattered::default()
            };
            let mut gather = Gather::new(Some(most), 0.0);
            let mut smallest = SmallestByLayer::new(most);
            let mut largest = 0;
            for id in ids.clone() {
                gather.add(part(id));
                smallest.add(&part(id).samples[0], ());
                largest = largest.max(smallest.layers[0].kept.len());
            }
            let mut sorted: Vec<u64> = ids.clone().collect();
            sorted.sort_unstable();
            sorted.truncate(most as usize);
            let kept = |id: &u64| sorted.binary_search(id).is_ok();
            let expected: Vec<u64> = ids.clone().filter(kept).collect();
            let found = gather.finish();
            let came: Vec<u64> = found.samples.iter().map(|sample| sample.id).collect();
            assert_eq!(came, expected);
            assert_eq!(found.complete, most >= 10_000);
            assert!(largest as u64 <= 2 * most + 1024, "{largest} for {most}");
            // A second run gives the same points.
            let mut filter = smallest.into_filter();
            let parts = ids.map(|id| {
                let mut part = part(id);
                filter.apply(&mut part);
                part.samples
            });
            let came: Vec<u64> = parts.flatten().map(|sample| sample.id).collect();
            assert_eq!(came, expected);
        }
    }

    #[test]
    fn a_cap_leaves_each_layer_its_part() {
        assert_eq!(quotas(&[1346, 201, 6960], 3000), [475, 71, 2454]);
        assert_eq!(quotas(&[1, 1, 1], 2), [1, 1, 0]);
        assert_eq!(quotas(&[10, 0, 90], 10), [1, 0, 9]);
        assert_eq!(quotas(&[7, 5], 0), [0, 0]);
        let large = [u64::MAX / 4; 2];
        assert_eq!(
            quotas(&large, u64::MAX / 4).iter().sum::<u64>(),
            u64::MAX / 4
        );
    }
}
