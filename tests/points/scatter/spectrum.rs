//! The lattice, the windows and the blocks leave no trace in the spectrum. Only the long tests use many
//! points: `tests/golden` pins the points, so they change with `ALGORITHM_VERSION` alone.

use super::darts::darts;
use super::{on_torus, set, torus};
use density::{Bounds, Constant};
use quality::measures::{Periodogram, Ring};
use quality::{Domain, PointSet};
use sampler::{Apart, Edges, Layer, Rule, Scatter, ScatterOptions};

const SETS: u64 = 10;

/// Range of neighbouring frequencies tested around a frequency, in each direction.
const AROUND: i64 = 2;

/// Number of darts for each unit of area: nearly maximal.
const THROWS: f64 = 60.0;

/// Number of coarsest cells along a torus, and along a repeating part: a block of the whole, or a window
/// of the cache. They fill the torus exactly: see [`side`].
const CELLS: [u32; 2] = [96, 48];
const MORE_CELLS: [[u32; 2]; 2] = [[128, 64], [160, 20]];

/// Returns the side of a torus that `cells` of the lattice's coarsest cells fill exactly. Their diagonal
/// is 4.5.
fn side(cells: u32) -> f64 {
    f64::from(cells) * 4.5 / 2.0_f64.sqrt() * (1.0 - 1e-9)
}

/// Returns the power at a frequency of the torus, relative to the mean of its ring.
fn relative(spectrum: &Periodogram, rings: &[Ring], k: [i64; 2]) -> Option<f64> {
    let length = (k[0] as f64).hypot(k[1] as f64);
    Some(spectrum.at(k)? / rings.get((length.round() as usize).checked_sub(1)?)?.power)
}

/// Returns every frequency with which a part of the engine repeats, and its multiples.
fn lattice_frequencies([cells, window]: [u32; 2], reach: i64) -> Vec<[i64; 2]> {
    let [cells, window] = [cells, window].map(i64::from);
    // Two coarsest cells, one, and fractions of one, with the number of repetitions along the torus. A
    // chequered order of decision would repeat every two cells.
    let steps = [cells / 2, cells, 2 * cells, 4 * cells].map(|s| (s, 16));
    let mut found = Vec::new();
    for (step, multiples) in steps.into_iter().chain([(cells / window, 8)]) {
        for i in 0..=multiples {
            for j in -multiples..=multiples {
                let k = [i * step, j * step];
                let inside = k[0] * k[0] + k[1] * k[1] < reach * reach;
                if inside && (i > 0 || j > 0) && !found.contains(&k) {
                    found.push(k);
                }
            }
        }
    }
    found
}

/// Power relative to the ring's mean, at repeating frequencies and their neighbours, averaged over ten
/// sets.
struct Lines {
    /// The largest value at a repeating frequency, and the frequency.
    at: (f64, [i64; 2]),
    /// The mean over all repeating frequencies.
    mean: f64,
    /// The largest value at or near a repeating frequency.
    near: f64,
}

fn lines(sets: &[PointSet<2>], domain: &Domain<2>, cells: [u32; 2]) -> Lines {
    let sets: Vec<&PointSet<2>> = sets.iter().collect();
    let spectrum = Periodogram::of(&sets, domain).expect("good");
    let rings = spectrum.rings();
    let reach = (spectrum.reach() * (sets[0].len() as f64).sqrt()) as i64 - AROUND;
    let frequencies = lattice_frequencies(cells, reach);
    let (mut at, mut sum, mut near): ((f64, _), _, f64) = ((0.0, [0; 2]), 0.0, 0.0);
    for &k in &frequencies {
        let here = relative(&spectrum, &rings, k).expect("in reach");
        sum += here;
        if here > at.0 {
            at = (here, k);
        }
        for i in -AROUND..=AROUND {
            for j in -AROUND..=AROUND {
                let beside = relative(&spectrum, &rings, [k[0] + i, k[1] + j]);
                near = near.max(beside.unwrap_or(0.0));
            }
        }
    }
    let mean = sum / frequencies.len() as f64;
    println!(
        "{} frequencies, {} sets of {}: at most {:.2} at {:?}, mean {mean:.3}, around {near:.2}",
        frequencies.len(),
        sets.len(),
        sets[0].len(),
        at.0,
        at.1,
    );
    Lines { at, mean, near }
}

/// Moves every hundredth point to the lowest corner of its cell with side `step`.
fn lean(points: &PointSet<2>, step: f64) -> PointSet<2> {
    let leaning = points.positions().iter().enumerate().map(|(i, &p)| {
        let corner = p.map(|x| (x / step).floor() * step);
        if i % 100 == 0 { corner } else { p }
    });
    PointSet::from_positions(leaning.collect()).expect("good points")
}

/// Dart throwing has no lattice: the values of its spectrum at and around these frequencies are chance.
#[test]
#[ignore = "long"]
fn the_lattice_leaves_no_line_in_full() {
    assert_no_line(CELLS);
}

#[test]
#[ignore = "90 seconds of a processor"]
fn larger_lattices_leave_no_line() {
    for cells in MORE_CELLS {
        assert_no_line(cells);
    }
}

fn assert_no_line(cells: [u32; 2]) {
    let side = side(cells[0]);
    let domain = torus(side);
    let ours: Vec<_> = (0..SETS).map(|seed| set(&on_torus(side, seed))).collect();
    let found = lines(&ours, &domain, cells);
    let throws = (side * side * THROWS) as usize;
    let plain = |seed| PointSet::from_positions(darts(side, throws, seed)).expect("good points");
    let plain: Vec<_> = (0..SETS).map(plain).collect();
    let chance = lines(&plain, &domain, cells);

    // Control: a visible line, from moving one point in a hundred to a corner of its cell.
    let step = side / f64::from(4 * cells[0]);
    let leaning: Vec<_> = plain.iter().map(|points| lean(points, step)).collect();
    let planted = lines(&leaning, &domain, cells);
    assert!(planted.at.0 > 1.5 * chance.near, "{}", planted.at.0);

    assert!(
        found.at.0 <= chance.near,
        "{} at {:?}",
        found.at.0,
        found.at.1
    );
    assert!((found.mean - 1.0).abs() < 0.1, "{}", found.mean);
}

/// Returns flowers among trees and bushes. The flowers' leaves are 1.5 times as long as usual, and fill
/// the side exactly.
fn flowers(side: f64, seed: u64) -> PointSet<2> {
    let layer = |(turn, r)| Layer {
        turn,
        ..Layer::new(Constant::new(r).expect("a good distance"))
    };
    let layers = [(0, 4.0), (1, 2.0), (2, 1.0)].map(layer).to_vec();
    let options = ScatterOptions {
        rule: Rule::Mean,
        seed,
        ..ScatterOptions::default()
    };
    let domain = Bounds::from_size([side; 2]).expect("a good box");
    let layered = Scatter::layered(layers, Apart::new(3), domain, Edges::Open, options);
    let found = layered
        .expect("a good run")
        .points()
        .expect("memory")
        .samples;
    let flowers = found.iter().filter(|s| s.layer == Some(2));
    PointSet::from_positions(flowers.map(|s| s.position).collect()).expect("good points")
}

/// Returns the power at a frequency of the lattice relative to that at eight frequencies in line with
/// it. Frequencies along an axis contain the world's edges.
fn over_those_beside(spectrum: &Periodogram, k: [i64; 2]) -> f64 {
    let by = k.map(i64::signum);
    let beside = [-4, -3, -2, -1, 1, 2, 3, 4].map(|n| {
        let at = [k[0] + n * by[0], k[1] + n * by[1]];
        spectrum.at(at).expect("in reach")
    });
    spectrum.at(k).expect("in reach") / (beside.iter().sum::<f64>() / 8.0)
}

#[test]
#[ignore = "long"]
fn larger_tiles_amid_earlier_points_leave_no_line_in_full() {
    const TILES: u32 = 64;
    let side = 1.5 * side(TILES);
    let domain = torus(side);
    let found: Vec<_> = (0..5 * SETS).map(|seed| flowers(side, seed)).collect();
    let most = |sets: &[PointSet<2>]| {
        let sets: Vec<&PointSet<2>> = sets.iter().collect();
        let spectrum = Periodogram::of(&sets, &domain).expect("good");
        let tiles = i64::from(TILES);
        let steps = [tiles / 2, tiles, 2 * tiles, 4 * tiles];
        let frequencies = steps.map(|n| [[n, 0], [0, n], [n, n], [n, -n]]);
        let frequencies = frequencies.into_iter().flatten().filter(|k| {
            let length = (k[0] as f64).hypot(k[1] as f64);
            length + 8.0 < spectrum.reach() * (sets[0].len() as f64).sqrt()
        });
        let ratios: Vec<f64> = frequencies
            .map(|k| over_those_beside(&spectrum, k))
            .collect();
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        let most = ratios.iter().copied().fold(0.0, f64::max);
        println!(
            "{} frequencies, {} sets of {}: at most {most:.2}, mean {mean:.3}",
            ratios.len(),
            sets.len(),
            sets[0].len(),
        );
        (most, mean)
    };
    let (ours, mean) = most(&found);
    // Control: a visible line, from moving one point in a hundred to a corner of its part of a leaf.
    let step = side / f64::from(2 * TILES);
    let leaning: Vec<_> = found.iter().map(|points| lean(points, step)).collect();
    let (planted, _) = most(&leaning);
    assert!(planted > 1.6, "{planted}");
    assert!(ours < 1.5, "{ours}");
    assert!((mean - 1.0).abs() < 0.15, "{mean}");
}

/// Lagae and Dutré, "A Comparison of Methods for Generating Poisson Disk Distributions" (2008).
#[test]
fn no_direction_is_favoured() {
    let side = (4096.0 / 0.6966_f64).sqrt();
    let domain = torus(side);
    let ours: Vec<_> = (0..SETS).map(|seed| set(&on_torus(side, seed))).collect();
    let ours: Vec<&PointSet<2>> = ours.iter().collect();
    let spectrum = Periodogram::of(&ours, &domain).expect("good");
    let anisotropy = spectrum.anisotropy().expect("rings");
    println!("anisotropy of ten sets: {anisotropy:.3} dB");
    assert!((anisotropy + 10.0).abs() <= 0.3, "{anisotropy} dB");

    let rings = spectrum.rings();
    let low = rings.iter().filter(|r| (0.05..0.3).contains(&r.frequency));
    let low: Vec<f64> = low.map(|r| r.power).collect();
    let low = low.iter().sum::<f64>() / low.len() as f64;
    let peak = rings.iter().max_by(|a, b| a.power.total_cmp(&b.power));
    let peak = peak.expect("rings");
    println!(
        "P(0.05..0.3) {low:.3}, peak {:.2} at {:.3}",
        peak.power, peak.frequency
    );
    assert!((0.05..0.075).contains(&low), "{low}");
    assert!((1.1..1.2).contains(&peak.frequency), "{peak:?}");
    assert!((1.6..2.0).contains(&peak.power), "{peak:?}");
}
