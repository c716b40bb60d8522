//! Targets for files of points.

use density::Bounds;
use quality::files::{Format, Points, read};
use quality::{Claim, Domain, Edges, Measures, PointSet, Rule, judge};

/// Reads CSV.
pub fn read_csv(data: &[u8]) {
    read_any(data, Format::Csv);
}

/// Reads JSON.
pub fn read_json(data: &[u8]) {
    read_any(data, Format::Json);
}

/// Reads PLY.
pub fn read_ply(data: &[u8]) {
    read_any(data, Format::Ply);
}

/// Reads NPY.
pub fn read_npy(data: &[u8]) {
    read_any(data, Format::Npy);
}

fn read_any(data: &[u8], format: Format) {
    let Ok(file) = read(data, format) else {
        return;
    };
    match file.points {
        Points::Flat(set) => judged(&set),
        Points::Solid(set) => judged(&set),
    }
}

/// Judges a few points, which must end for any points.
fn judged<const D: usize>(set: &PointSet<D>) {
    if set.len() > 12 {
        return;
    }
    let (mut min, mut max) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for p in set.positions() {
        for axis in 0..D {
            assert!(p[axis].is_finite());
            min[axis] = min[axis].min(p[axis]);
            max[axis] = max[axis].max(p[axis]);
        }
    }
    let Ok(bounds) = Bounds::new(min, max) else {
        return;
    };
    let domain = Domain {
        bounds,
        edges: Edges::Open,
    };
    for claim in [Claim::Column, Claim::Uniform(1.0)] {
        for rule in [Rule::Max, Rule::Parent] {
            let _ = judge(set, &[], &domain, claim, rule, Measures::Spacing);
        }
    }
}
