//! The points of all layers as one set.

use crate::scatter::Scattered;
use density::Bounds;

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
    /// Of steps that end there, at most `cap` points.
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
        // Those that the engine decided first, whatever their layer: they lie all over.
        let mut first: Vec<(u64, usize)> = turns.into_iter().zip(0..).collect();
        let most = most as usize;
        first.select_nth_unstable(most);
        first.truncate(most);
        let mut kept: Vec<usize> = first.into_iter().map(|(_, at)| at).collect();
        kept.sort_unstable();
        let samples = &found.samples;
        found.samples = kept.into_iter().map(|at| samples[at]).collect();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
