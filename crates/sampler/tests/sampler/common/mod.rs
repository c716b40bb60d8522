//! Helpers that several tests use.

pub(crate) mod bits;
pub(crate) mod checker;
pub(crate) mod counting;
pub(crate) mod layers;
pub(crate) mod obstacles;
pub(crate) mod woods;

use sampler::density::decode::{Channel, DecodeLimits};
use sampler::density::{Bounds, Constant, DistRange, GreyMap, MapOptions, RadiusMap};
use sampler::{Rule, Sample, ScatterOptions};
use spinney_sampler as sampler;

/// Returns the distance that `rule` requires between two points with these radii. Written out a second
/// time, so that a mistake in the sampler's rule is not repeated here.
pub(crate) fn required(rule: Rule, earlier: f64, later: f64) -> f64 {
    match rule {
        Rule::Max => earlier.max(later),
        Rule::Mean => 0.5 * (earlier + later),
        Rule::Min => earlier.min(later),
        Rule::Own | Rule::Parent => later,
        Rule::Prior => earlier,
    }
}

/// Returns the square of the distance between two places.
pub(crate) fn squared<const D: usize>(p: [f64; D], q: [f64; D]) -> f64 {
    (0..D).map(|a| (p[a] - q[a]) * (p[a] - q[a])).sum()
}

/// Returns the square of the distance between two places of a tile of this size.
pub(crate) fn squared_around<const D: usize>(p: [f64; D], q: [f64; D], size: [f64; D]) -> f64 {
    let along = |axis: usize| {
        let straight = (p[axis] - q[axis]).abs();
        straight.min(size[axis] - straight)
    };
    (0..D).map(|axis| along(axis) * along(axis)).sum()
}

/// Returns default options with this rule and seed.
pub(crate) fn options(rule: Rule, seed: u64) -> ScatterOptions {
    ScatterOptions {
        rule,
        seed,
        ..ScatterOptions::default()
    }
}

/// Returns the points inside `place`, in their order.
pub(crate) fn inside<const D: usize>(samples: &[Sample<D>], place: &Bounds<D>) -> Vec<Sample<D>> {
    let inside = samples.iter().filter(|s| place.contains(s.position));
    inside.copied().collect()
}

/// A stream of random numbers: `SplitMix64`.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number uniform in lo..hi.
    pub(crate) fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + self.unit() * (hi - lo)
    }

    /// Returns a place inside a box.
    pub(crate) fn place<const D: usize>(&mut self, inside: &Bounds<D>) -> [f64; D] {
        let (min, max) = (inside.min(), inside.max());
        std::array::from_fn(|axis| self.between(min[axis], max[axis]))
    }
}

/// Returns a field of one distance.
pub(crate) fn even(min_dist: f64) -> Constant {
    Constant::new(min_dist).expect("a distance")
}

/// Returns a range of distances.
pub(crate) fn range(lo: f64, hi: f64) -> DistRange {
    DistRange::new(lo, hi).expect("a range")
}

/// Returns a pool of threads.
pub(crate) fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("a pool")
}

/// Returns a square at the origin.
pub(crate) fn square(side: f64) -> Bounds<2> {
    Bounds::from_size([side; 2]).expect("a good box")
}

/// Returns a map of the repository.
pub(crate) fn picture(name: &str) -> GreyMap {
    let path = format!("{}/../../maps/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("a map of the repository");
    GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default()).expect("a good map")
}

/// Returns a map of the given greys over a square at the origin.
pub(crate) fn field(greys: &[f64], ratio: f64, side: f64) -> RadiusMap {
    let along = (greys.len() as f64).sqrt() as u32;
    let grey = |x: u32, y: u32| greys[(y * along + x) as usize];
    let map = GreyMap::from_fn(along, along, grey).expect("a good map");
    let options = MapOptions {
        bounds: Some(square(side)),
        ..MapOptions::default()
    };
    RadiusMap::new(map, range(1.0, ratio), options).expect("a good field")
}

/// Returns random greys, some of them holes.
pub(crate) fn greys(random: &mut Random, along: usize, holes: f64) -> Vec<f64> {
    let mut grey = || {
        let hole = random.unit() < holes;
        if hole { f64::NAN } else { random.unit() }
    };
    (0..along * along).map(|_| grey()).collect()
}
