//! Points of layers, to the last bit.

use sampler::Sample;
use spinney_sampler as sampler;

pub(crate) type Bits<const D: usize> = (u64, [u64; D], Option<u32>, Option<u32>);

/// What there is to points, in one order.
pub(crate) fn bits<const D: usize>(samples: &[Sample<D>]) -> Vec<Bits<D>> {
    let bits = |s: &Sample<D>| (s.id, s.position.map(f64::to_bits), s.rank, s.layer);
    let mut all: Vec<_> = samples.iter().map(bits).collect();
    all.sort_unstable();
    all
}
