//! Targets for the samplers, with any field.

use crate::bytes::Bytes;
use density::{
    Bounds, Constant, DistRange, Falloff, GreyMap, MapOptions, Perlin, PerlinOptions, RadiusField,
    RadiusMap, White, YAxis,
};
use sampler::{Bridson, BridsonOptions, PointLimit, Rule, Sample};

/// Largest number of points of a run, all pairs of which are tested.
const MOST: u64 = 300;

/// A test of a field.
pub(crate) trait Act {
    fn act<const D: usize, F: RadiusField<D>>(&self, field: &F, domain: Bounds<D>);
}

/// Runs Bridson's algorithm with field, domain and options from `data`.
pub fn sample(data: &[u8]) {
    let mut bytes = Bytes(data);
    let options = BridsonOptions {
        rule: bytes.one_of(&Rule::ALL),
        tries: u32::from(bytes.byte() % 12),
        seed: bytes.word(),
        limit: PointLimit::Cap(u64::from(bytes.byte()).min(MOST)),
        max_bytes: Some(1 << 24),
    };
    over_any(&mut bytes, options.seed, &options);
}

impl Act for BridsonOptions {
    fn act<const D: usize, F: RadiusField<D>>(&self, field: &F, domain: Bounds<D>) {
        run(field, domain, *self);
    }
}

/// Runs `act` with a field from `bytes`, if they describe one.
pub(crate) fn over_any(bytes: &mut Bytes, seed: u64, act: &impl Act) {
    let Ok(range) = DistRange::new(bytes.number(), bytes.number()) else {
        return;
    };
    match bytes.byte() % 8 {
        0..4 => over_map(bytes, range, act),
        4 => {
            if let Some(domain) = domain::<2>(bytes) {
                let field = Constant::new(range.lo()).expect("a distance of a range");
                act.act(&field, domain);
            }
        }
        5 => {
            let center = [bytes.number(), bytes.number()];
            let slope = bytes.number();
            if let (Some(domain), Ok(field)) =
                (domain(bytes), Falloff::linear(center, slope, range))
            {
                act.act(&field, domain);
            }
        }
        6 => over_noise::<2>(bytes, range, seed, act),
        _ => over_noise::<3>(bytes, range, seed, act),
    }
}

fn domain<const D: usize>(bytes: &mut Bytes) -> Option<Bounds<D>> {
    let far = bytes.byte() % 2 == 1;
    let origin = std::array::from_fn(|_| if far { bytes.number() } else { 0.0 });
    Bounds::with_origin(origin, std::array::from_fn(|_| bytes.number())).ok()
}

fn over_map(bytes: &mut Bytes, range: DistRange, act: &impl Act) {
    let [width, height] = [0; 2].map(|_| u32::from(bytes.byte() % 9) + 1);
    let options_of_map = MapOptions {
        white: bytes.one_of(&[White::Sparse, White::Dense]),
        bounds: domain(bytes),
        y_axis: bytes.one_of(&[YAxis::Down, YAxis::Up]),
    };
    let values: Vec<u8> = (0..width * height).map(|_| bytes.byte()).collect();
    // One in seven byte values closes a pixel.
    let map = GreyMap::from_fn(width, height, |x, y| {
        match values[(y * width + x) as usize] {
            byte if byte % 7 == 3 => f64::NAN,
            byte => f64::from(byte) / 255.0,
        }
    });
    let Ok(field) = RadiusMap::new(map.expect("a map"), range, options_of_map) else {
        return;
    };
    act.act(&field, field.bounds());
}

fn over_noise<const D: usize>(bytes: &mut Bytes, range: DistRange, seed: u64, act: &impl Act)
where
    Perlin: RadiusField<D>,
{
    let shape = PerlinOptions {
        seed,
        frequency: bytes.number(),
        octaves: u32::from(bytes.byte() % 18),
        lacunarity: bytes.number(),
        persistence: bytes.number(),
        white: White::Sparse,
        spacing: None,
    };
    if let (Some(domain), Ok(field)) = (domain::<D>(bytes), Perlin::new(range, shape)) {
        act.act(&field, domain);
    }
}

fn run<const D: usize, F: RadiusField<D>>(field: &F, domain: Bounds<D>, options: BridsonOptions) {
    let Ok(mut points) = Bridson::new(field, domain, options) else {
        return;
    };
    let estimate = points.estimate();
    assert!(estimate.points >= 0.0 && estimate.bytes <= f64::from(1 << 24));
    let all: Vec<Sample<D>> = points.by_ref().collect();
    assert!(all.len() as u64 <= options.limit.most());
    for (i, p) in all.iter().enumerate() {
        assert_eq!(p.id, i as u64);
    }
    check(&all, field, domain, options.rule);
    // The grid of lists must give the same points, where it fits into memory.
    let ratio = field.range().hi() / field.range().lo();
    let cells: f64 = domain
        .size()
        .iter()
        .map(|s| s / field.range().hi() + 1.0)
        .product();
    if ratio < 16.0
        && cells < 1e4
        && let Ok(points) = Bridson::with_lists(field, domain, options)
    {
        assert!(points.eq(all.iter().copied()), "the grids disagree");
    }
}

/// Checks spacing, bounds and distances. `all` is in the order of acceptance.
pub(crate) fn check<const D: usize>(
    all: &[Sample<D>],
    field: &impl RadiusField<D>,
    domain: Bounds<D>,
    rule: Rule,
) {
    for (i, p) in all.iter().enumerate() {
        assert!(domain.contains(p.position), "{p:?} is outside {domain:?}");
        assert_eq!(field.min_dist(p.position), Some(p.min_dist));
        let parent = p.parent.map(|id| all[id as usize].min_dist);
        for q in &all[..i] {
            let keep = match rule {
                Rule::Max => p.min_dist.max(q.min_dist),
                Rule::Mean => 0.5 * (p.min_dist + q.min_dist),
                Rule::Min => p.min_dist.min(q.min_dist),
                Rule::Own => p.min_dist,
                Rule::Prior => q.min_dist,
                Rule::Parent => parent.unwrap_or(p.min_dist),
            };
            let squared: f64 = (0..D)
                .map(|a| p.position[a] - q.position[a])
                .map(|d| d * d)
                .sum();
            assert!(squared >= keep * keep, "{p:?} and {q:?} under {rule:?}");
        }
    }
}
