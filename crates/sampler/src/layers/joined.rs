//! The points of all layers as one set.

use crate::scatter::Scattered;
use density::Bounds;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Points of layers, one step's after the other's.
#[derive(Debug)]
pub(super) struct Joined {
    /// Up to where those of each step reach.
    ends: Vec<usize>,
    cap: Option<u64>,
    /// Bits of an id that say which step.
    bits: u32,
}

impl Joined {
    /// Of steps that end there, at most `cap` points, as many of each layer as its part of all is.
    pub(super) fn new(ends: Vec<usize>, cap: Option<u64>) -> Self {
        Self {
            bits: usize::BITS - ends.len().saturating_sub(1).leading_zeros(),
            ends,
            cap,
        }
    }

    /// The step's place in the order in the highest bits, the engine's id without as many of
    /// its lowest below.
    fn id(&self, place: usize, id: u64) -> u64 {
        match self.bits {
            0 => id,
            bits => (place as u64) << (64 - bits) | id >> bits,
        }
    }

    /// Gives the points of a window their ids and cuts the others off, and what a cap does.
    pub(super) fn finish<const D: usize>(
        &self,
        mut found: Scattered<D>,
        window: Option<&Bounds<D>>,
    ) -> Scattered<D> {
        // The engine's ids, by which a cap chooses.
        let mut turns: Vec<u64> = Vec::new();
        let (mut at, mut place) = (0, 0);
        found.samples.retain_mut(|sample| {
            while self.ends.get(place).is_some_and(|&end| end <= at) {
                place += 1;
            }
            at += 1;
            let wanted = window.is_none_or(|window| window.contains(sample.position));
            if wanted {
                if self.cap.is_some() {
                    turns.push(sample.id);
                }
                sample.id = self.id(place, sample.id);
            }
            wanted
        });
        let most = self.cap.unwrap_or(u64::MAX);
        if found.samples.len() as u64 <= most {
            return found;
        }
        found.complete = false;
        let mut layers: BTreeMap<Option<u32>, Vec<(u64, usize)>> = BTreeMap::new();
        for (at, (sample, turn)) in found.samples.iter().zip(turns).enumerate() {
            layers.entry(sample.layer).or_default().push((turn, at));
        }
        let counts: Vec<usize> = layers.values().map(Vec::len).collect();
        let mut kept = Vec::new();
        for (mut all, quota) in layers.into_values().zip(quotas(&counts, most)) {
            // Those that the engine decided first: they lie all over.
            if quota < all.len() {
                all.select_nth_unstable(quota);
                all.truncate(quota);
            }
            kept.extend(all.into_iter().map(|(_, at)| at));
        }
        kept.sort_unstable();
        let samples = &found.samples;
        found.samples = kept.into_iter().map(|at| samples[at]).collect();
        found
    }
}

/// How many of each layer's points a cap leaves: its part of them, to one; what is over goes to those
/// of which most was cut off, to the first of equals.
fn quotas(counts: &[usize], cap: u64) -> Vec<usize> {
    let all = counts.iter().map(|&count| count as u128).sum::<u128>();
    let shares = counts.iter().map(|&count| count as u128 * u128::from(cap));
    let shares: Vec<u128> = shares.collect();
    let whole = |share: u128| share.checked_div(all).unwrap_or(0);
    let mut quotas: Vec<usize> = shares.iter().map(|&share| whole(share) as usize).collect();
    let given = quotas.iter().map(|&quota| quota as u128).sum::<u128>();
    let over = u128::from(cap).saturating_sub(given) as usize;
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&layer| Reverse(shares[layer] - whole(shares[layer]) * all));
    for &layer in order.iter().take(over) {
        quotas[layer] += 1;
    }
    quotas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cap_leaves_each_layer_its_part() {
        assert_eq!(quotas(&[1346, 201, 6960], 3000), [475, 71, 2454]);
        assert_eq!(quotas(&[1, 1, 1], 2), [1, 1, 0]);
        assert_eq!(quotas(&[10, 0, 90], 10), [1, 0, 9]);
        assert_eq!(quotas(&[7, 5], 0), [0, 0]);
        let large = [usize::MAX / 2, usize::MAX / 2];
        assert_eq!(
            quotas(&large, u64::MAX / 2).iter().sum::<usize>(),
            usize::MAX / 2
        );
    }

    #[test]
    fn ids_keep_layers_apart_and_in_order() {
        let ids = [0, 1 << 40, u64::MAX];
        let joined = |steps| Joined::new(vec![0; steps], None);
        assert_eq!(ids.map(|id| joined(1).id(0, id)), ids);
        for layers in [2_usize, 3, 4, 5, 256] {
            let set = joined(layers);
            let places = [0, 1, layers - 1];
            for pair in places.windows(2).filter(|pair| pair[0] < pair[1]) {
                assert!(set.id(pair[0], u64::MAX) < set.id(pair[1], 0));
            }
            assert!(set.id(1, 0) < set.id(1, 1 << 40));
        }
    }
}
