//! The columns of points, to the last bit.

use sampler::Sample;
use spinney_sampler as sampler;

/// Id, position, minimum distance, value, rank and layer of a point.
pub(crate) type Bits<const D: usize> = (u64, [u64; D], u64, u64, Option<u32>, Option<u32>);

/// Returns all columns of the points but their parents, sorted by id.
pub(crate) fn bits<'s, const D: usize>(
    samples: impl IntoIterator<Item = &'s Sample<D>>,
) -> Vec<Bits<D>> {
    let bits = |s: &Sample<D>| {
        let (position, min_dist) = (s.position.map(f64::to_bits), s.min_dist.to_bits());
        (s.id, position, min_dist, s.value.to_bits(), s.rank, s.layer)
    };
    let mut all: Vec<_> = samples.into_iter().map(bits).collect();
    all.sort_unstable();
    all
}
