//! Where the distance changes smoothly, the density follows it, without steps between the engine's
//! levels.

use super::darts::Random;
use density::{Bounds, DistRange, GreyMap, MapOptions, RadiusField, RadiusMap};
use sampler::{Scatter, ScatterOptions};

/// Octaves of the distance, and bins in each octave.
const OCTAVES: usize = 4;
const BINS: usize = 8;

/// Random heights along a side of the map, interpolated smoothly.
const KNOTS: usize = 4;
/// Pixels along a side of the map.
const PIXELS: usize = 512;
/// The map's side. A larger map has smaller slopes, which disturb less: at a slope of 0.1, rule
/// `max` leaves a cone 8 % emptier than a plain.
const SIDE: f64 = 3200.0;
/// Probes along a side for the integrals.
const PROBES: usize = 2048;

/// Returns a smooth periodic map in which every grey is equally frequent.
fn smooth_map(seed: u64) -> GreyMap {
    let mut random = Random(seed);
    let knots: Vec<f64> = (0..KNOTS * KNOTS).map(|_| random.next()).collect();
    let knot = |i: usize, j: usize| knots[j % KNOTS * KNOTS + i % KNOTS];
    let ease = |t: f64| t * t * (3.0 - 2.0 * t);
    let place = |p: usize| (p as f64 + 0.5) / PIXELS as f64 * KNOTS as f64;
    let heights: Vec<f64> = (0..PIXELS * PIXELS)
        .map(|i| {
            let (x, y) = (place(i % PIXELS), place(i / PIXELS));
            let (i, j) = (x as usize, y as usize);
            let (u, v) = (ease(x - i as f64), ease(y - j as f64));
            let low = knot(i, j) * (1.0 - u) + knot(i + 1, j) * u;
            let high = knot(i, j + 1) * (1.0 - u) + knot(i + 1, j + 1) * u;
            low * (1.0 - v) + high * v
        })
        .collect();
    // The value of a pixel is the rank of its height.
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    let mut values = vec![0; heights.len()];
    for (rank, &pixel) in order.iter().enumerate() {
        values[pixel] = (rank * 65_535 / (heights.len() - 1)) as u16;
    }
    GreyMap::new(PIXELS as u32, PIXELS as u32, values, None).expect("a good map")
}

fn bin(min_dist: f64) -> usize {
    ((min_dist.log2() * BINS as f64) as usize).min(OCTAVES * BINS - 1)
}

/// Compares the number of points in each bin of `min_dist` with the integral of `1 / min_dist^2`
/// over the same places. Uses rule `max`, and a torus, because edges are denser.
#[test]
fn the_density_follows_a_smooth_map() {
    let bounds = Bounds::from_size([SIDE; 2]).expect("a good box");
    let range = DistRange::new(1.0, (OCTAVES as f64).exp2()).expect("a good range");
    let options = MapOptions {
        bounds: Some(bounds),
        ..MapOptions::default()
    };
    let field = RadiusMap::new(smooth_map(1), range, options).expect("a good field");
    let options = ScatterOptions::default();
    let scatter = Scatter::tiled(&field, bounds, options).expect("a good run");
    let found = scatter.points().expect("memory");

    let mut points = [0.0; OCTAVES * BINS];
    for sample in &found.samples {
        points[bin(sample.min_dist)] += 1.0;
    }
    let mut discs = [0.0; OCTAVES * BINS];
    let step = SIDE / PROBES as f64;
    for i in 0..PROBES * PROBES {
        let p = [i % PROBES, i / PROBES].map(|k| (k as f64 + 0.5) * step);
        let r = field.min_dist(p).expect("a map without holes");
        discs[bin(r)] += step * step / (r * r);
    }
    let mean = points.iter().sum::<f64>() / discs.iter().sum::<f64>();
    let unresolved = found.unresolved_volume / bounds.volume();
    println!(
        "{} points, c {mean:.4}, unresolved {unresolved:.1e} of the area",
        found.samples.len()
    );
    let last = OCTAVES * BINS - 1;
    let mut wrong = Vec::new();
    for (i, (points, discs)) in points.iter().zip(discs).enumerate() {
        let off = points / discs / mean - 1.0;
        let from = (i as f64 / BINS as f64).exp2();
        println!(
            "from {from:6.3}: {points:6} points, c {:+.2} %",
            100.0 * off
        );
        let most = if i == 0 || i == last { 0.04 } else { 0.015 };
        if off.abs() > most {
            wrong.push((from, off));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!((0.68..0.70).contains(&mean), "c = {mean}");
    assert!(unresolved < 1e-6, "{unresolved}");
}
