//! The points of all layers as one set.

use crate::sample::Sample;
use crate::scatter::Scattered;
use density::Bounds;

/// Points of layers, put together one step after the other.
#[derive(Debug)]
pub(super) struct Joined<const D: usize> {
    found: Scattered<D>,
    /// Points of each step.
    parts: Vec<Vec<Sample<D>>>,
    /// The engine's ids, by which a cap chooses; empty without one.
    turns: Vec<u64>,
    cap: Option<u64>,
    /// Bits of an id that say which step.
    bits: u32,
}

impl<const D: usize> Joined<D> {
    /// Of so many steps, at most `cap` points.
    pub(super) fn new(steps: usize, cap: Option<u64>) -> Self {
        Self {
            found: Scattered::default(),
            parts: Vec::new(),
            turns: Vec::new(),
            cap,
            bits: usize::BITS - steps.saturating_sub(1).leading_zeros(),
        }
    }

    /// The points of the step in this place of the order that lie in the window.
    pub(super) fn add(&mut self, part: Scattered<D>, place: usize, window: Option<&Bounds<D>>) {
        self.found.unresolved += part.unresolved;
        self.found.unresolved_volume += part.unresolved_volume;
        self.found.complete &= part.complete;
        let mut samples = part.samples;
        if let Some(window) = window {
            samples.retain(|sample| window.contains(sample.position));
        }
        if self.cap.is_some() {
            self.turns.extend(samples.iter().map(|sample| sample.id));
        }
        for sample in &mut samples {
            sample.id = self.id(place, sample.id);
        }
        self.parts.push(samples);
    }

    /// The step's place in the order in the highest bits, the engine's id without as many of
    /// its lowest below.
    fn id(&self, place: usize, id: u64) -> u64 {
        match self.bits {
            0 => id,
            bits => (place as u64) << (64 - bits) | id >> bits,
        }
    }

    pub(super) fn finish(mut self) -> Scattered<D> {
        // All are put behind the first ones, which stay where they are.
        let count = self.parts.iter().map(Vec::len).sum::<usize>();
        for part in &mut self.parts {
            if self.found.samples.is_empty() {
                self.found.samples = std::mem::take(part);
                let more = count - self.found.samples.len();
                self.found.samples.reserve_exact(more);
            } else {
                self.found.samples.append(&mut std::mem::take(part));
            }
        }
        let most = self.cap.unwrap_or(u64::MAX);
        if self.found.samples.len() as u64 <= most {
            return self.found;
        }
        self.found.complete = false;
        // Those that the engine decided first, whatever their layer: they lie all over.
        let mut first: Vec<(u64, usize)> = self.turns.iter().copied().zip(0..).collect();
        let most = most as usize;
        first.select_nth_unstable(most);
        first.truncate(most);
        let mut kept: Vec<usize> = first.into_iter().map(|(_, at)| at).collect();
        kept.sort_unstable();
        let samples = &self.found.samples;
        self.found.samples = kept.into_iter().map(|at| samples[at]).collect();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_layers_apart_and_in_order() {
        let ids = [0, 1 << 40, u64::MAX];
        let joined = |layers| Joined::<2>::new(layers, None);
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
