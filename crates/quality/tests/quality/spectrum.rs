//! Sets whose measures are known from the literature.

use crate::sets::{
    Random, bridson, claimed, darts, domain, open, pairs_of, set, square_lattice, unit,
    white_noise, with_distances,
};
use sampler::density::polygons::{FillRule, Polygon, Polygons};
use sampler::density::{
    Constant, DistRange, FnField, GreyMap, MapOptions, RadiusField, RadiusMap, Within,
};
use sampler::{Bridson, BridsonOptions};
use spinney_quality::measures::{
    Periodogram, Prefix, Ring, density_error, nearest, prefixes, relative_radius,
};
use spinney_quality::{Claim, Columns, Edges, PointSet, QualityError, Requirement, Rule};

/// Returns the greatest possible least distance of `count` points on the unit torus.
fn r_max(count: usize) -> f64 {
    (2.0 / (3.0_f64.sqrt() * count as f64)).sqrt()
}

/// Returns the mean power in a band of frequencies.
fn power(rings: &[Ring], from: f64, to: f64) -> f64 {
    let band = rings
        .iter()
        .filter(|r| r.frequency >= from && r.frequency < to);
    let (sum, count) = band.fold((0.0, 0), |(s, n), r| {
        (s + r.power * r.count as f64, n + r.count)
    });
    sum / count as f64
}

/// Lagae and Dutré (2008): dart throwing reaches a relative radius of about 0.77 and is isotropic,
/// so that the variance of the mean of ten periodograms is 1/10 of the mean squared.
#[test]
fn ten_dart_throwing_sets_have_the_known_figures() {
    let radius = 0.77 * r_max(2048);
    let sets: Vec<PointSet<2>> = (0..10).map(|seed| set(darts(2048, radius, seed))).collect();
    let domain = unit(Edges::Torus);
    for set in &sets {
        let claim = Claim::Uniform(radius);
        let (requirement, capacity) = claimed(set, &domain, Rule::Max, claim);
        let near = nearest(set, &domain, &requirement).expect("good");
        let least = near.least_distance().expect("points");
        assert!((least / r_max(2048) - 0.77).abs() < 0.005, "{least}");

        let c = capacity.c(set.len()).expect("finite");
        let rho = relative_radius::<2>(near.least_ratio().expect("points"), c);
        assert!((rho - least / r_max(2048)).abs() < 1e-12, "{rho}");
        let mean = relative_radius::<2>(near.mean_ratio().expect("points"), c);
        assert!((0.80..0.83).contains(&mean), "{mean}");
    }
    let all: Vec<&PointSet<2>> = sets.iter().collect();
    let spectrum = Periodogram::of(&all, &domain).expect("good");
    let anisotropy = spectrum.anisotropy().expect("rings");
    assert!((anisotropy + 10.0).abs() < 0.3, "{anisotropy} dB");
    let rings = spectrum.rings();
    let low = power(&rings, 0.05, 0.3);
    assert!((0.04..0.1).contains(&low), "{low}");
    let peak = rings
        .iter()
        .max_by(|a, b| a.power.total_cmp(&b.power))
        .expect("rings");
    assert!((1.05..1.25).contains(&peak.frequency), "{peak:?}");
    assert!((1.5..2.1).contains(&peak.power), "{peak:?}");
    let one = Periodogram::of(&all[..1], &domain)
        .expect("good")
        .anisotropy();
    assert!(one.expect("rings").abs() < 0.3, "{one:?} dB");
}

#[test]
fn white_noise_is_flat() {
    let noise = set(white_noise(65_536, 1));
    let domain = unit(Edges::Torus);
    let rings = Periodogram::of(&[&noise], &domain).expect("good").rings();
    for step in 0..24 {
        let from = 0.02 + 0.12 * f64::from(step);
        let mean = power(&rings, from, from + 0.12);
        assert!((mean - 1.0).abs() < 0.05, "P({from}..) = {mean}");
    }
    let claim = Claim::Uniform(1.0 / 256.0);
    let pairs = pairs_of(&noise, &domain, Rule::Max, claim);
    for (bin, g) in pairs.g.iter().enumerate().skip(10) {
        assert!((g - 1.0).abs() < 0.05, "g in bin {bin} = {g}");
    }
}

/// Regression: a pair counted only if its later point lay far inside, so points from the outside in gave far more pairs
/// than points from the inside out.
#[test]
fn the_order_of_the_points_has_no_influence_on_their_pair_correlation() {
    let mut points = white_noise(4096, 2);
    let domain = unit(Edges::Open);
    let claim = Claim::Uniform(1.0 / 64.0);
    let mut g_of = |sign: f64| {
        let from_middle = |p: &[f64; 2]| sign * (p[0] - 0.5).hypot(p[1] - 0.5);
        points.sort_by(|p, q| from_middle(p).total_cmp(&from_middle(q)));
        pairs_of(&set(points.clone()), &domain, Rule::Max, claim).g
    };
    let inside_out = g_of(1.0);
    assert_eq!(inside_out, g_of(-1.0));
    let mean = inside_out.iter().sum::<f64>() / inside_out.len() as f64;
    assert!((mean - 1.0).abs() < 0.05, "{mean}");
}

/// Regression: with a distance far too large (a wrong unit), all pairs were measured from as many points as usual, which
/// took minutes.
#[test]
fn distances_of_many_neighbours_are_measured_from_fewer_points() {
    let noise = set(white_noise(10_000, 4));
    let domain = unit(Edges::Torus);
    let points = |distance: f64| {
        let pairs = pairs_of(&noise, &domain, Rule::Max, Claim::Uniform(distance));
        let mean = pairs.g.iter().sum::<f64>() / pairs.g.len() as f64;
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
        pairs.points
    };
    assert_eq!(points(0.01), 10_000);
    // A point has 7,854 neighbours.
    assert_eq!(points(0.1), 5000);
}

/// Regression: places where no point may lie were expected to hold as many points as others.
#[test]
fn closed_places_do_not_lower_the_pair_correlation() {
    let stripes = (0..8).map(|n| {
        let (x, y) = (f64::from(n) / 8.0, 1.0 / 16.0);
        let stripe = vec![[x, 0.0], [x + y, 0.0], [x + y, 1.0], [x, 1.0]];
        Polygon::new(vec![stripe], FillRule::EvenOdd).expect("a polygon")
    });
    let stripes = Polygons::new(stripes.collect()).expect("polygons");
    let distance = Constant::new(1.0 / 64.0).expect("a distance");
    let field = Within::new(distance, stripes);
    let claim = Claim::Field(&field);
    let noise = white_noise(8192, 3).into_iter();
    let set = set(noise.filter(|p| p[0] * 8.0 % 1.0 < 0.5).collect());
    let domain = unit(Edges::Open);
    let g = pairs_of(&set, &domain, Rule::Max, claim).g;
    let mean = g.iter().sum::<f64>() / g.len() as f64;
    assert!((mean - 1.0).abs() < 0.05, "{mean}");
}

#[test]
fn a_square_lattice_has_its_peaks() {
    let side = 32;
    let lattice = set(square_lattice(side));
    let domain = unit(Edges::Torus);
    let spectrum = Periodogram::of(&[&lattice], &domain).expect("good");
    let step = side as i64;
    for (kx, ky) in [
        (step, 0),
        (0, step),
        (step, step),
        (2 * step, 0),
        (-step, step),
    ] {
        let p = spectrum.at([kx, ky]).expect("in reach");
        assert!(
            (p / (step * step) as f64 - 1.0).abs() < 1e-6,
            "P({kx}, {ky}) = {p}"
        );
    }
    let elsewhere = (1..2 * step).flat_map(|kx| (-step..=step).map(move |ky| [kx, ky]));
    for k in elsewhere.filter(|k| k[0] % step != 0 || k[1] % step != 0) {
        let p = spectrum.at(k).expect("in reach");
        assert!(p < 1e-6, "P({k:?}) = {p}");
    }
    let claim = Claim::Uniform(1.0 / side as f64);
    let requirement = Requirement::new(&lattice, Rule::Max, claim).expect("good");
    let near = nearest(&lattice, &domain, &requirement).expect("good");
    let rho = near.least_distance().expect("points") / r_max(side * side);
    assert!((rho - 0.930_604_859).abs() < 1e-6, "{rho}");
}

/// Two sets side by side in a strip have the spectrum of one, in units of its density.
#[test]
fn the_domains_shape_does_not_matter() {
    let noise = darts(2000, 0.7 * r_max(2000), 3);
    let mut two = noise.clone();
    two.extend(
        darts(2000, 0.7 * r_max(2000), 4)
            .iter()
            .map(|p| [p[0] + 1.0, p[1]]),
    );
    let strip = domain([2.0, 1.0], Edges::Torus);
    let wide = Periodogram::of(&[&set(two)], &strip).expect("good").rings();
    let square = Periodogram::of(&[&set(noise)], &unit(Edges::Torus))
        .expect("good")
        .rings();
    for (from, to) in [(0.1, 0.5), (0.9, 1.3), (2.0, 2.8)] {
        let (a, b) = (power(&wide, from, to), power(&square, from, to));
        assert!((a - b).abs() < 0.1 * b.max(0.3), "{from}: {a} {b}");
    }
}

#[test]
fn nothing_has_no_spectrum() {
    let empty = set(vec![]);
    let domain = unit(Edges::Open);
    assert_eq!(
        Periodogram::of(&[], &domain).err(),
        Some(QualityError::NoPoints)
    );
    assert_eq!(
        Periodogram::of(&[&empty], &domain).err(),
        Some(QualityError::NoPoints)
    );
    let thread = open([1e140, 1e-140]);
    let one = set(vec![[1.0, 0.0]]);
    assert!(matches!(
        Periodogram::of(&[&one], &thread).err(),
        Some(QualityError::TooThin { .. })
    ));
}

/// Points that follow a map of 1 : 4 in distance, and points that ignore it.
#[test]
fn the_density_error_tells_obedience_from_none() {
    let range = DistRange::new(0.5, 2.0).expect("a range");
    let field = FnField::new(range, 0.015, |p: [f64; 2]| 0.5 + 0.015 * p[0]);
    let field = field.expect("a slope");
    let domain = open([100.0; 2]);
    let options = BridsonOptions {
        rule: Rule::Mean,
        ..BridsonOptions::default()
    };
    let obedient = Bridson::new(&field, domain.bounds, options).expect("good");
    let obedient = set(obedient.map(|s| s.position).collect());
    let uniform = set(bridson(100.0, 1.0, 2));
    let claim = Claim::Field(&field);
    let judge = |set: &PointSet<2>| {
        let (_, capacity) = claimed(set, &domain, Rule::Mean, claim);
        let c = capacity.c(set.len()).expect("finite");
        (c, density_error(set, &domain, claim, c).expect("cells"))
    };
    let (c, good) = judge(&obedient);
    assert!((0.59..0.65).contains(&c), "{c}");
    assert!(good.mean < 0.06 && good.contrast.abs() < 0.06, "{good:?}");
    let (_, bad) = judge(&uniform);
    assert!(
        bad.mean > 0.3 && bad.contrast < -0.3,
        "{} {}",
        bad.mean,
        bad.contrast
    );
    // The integrals add up to the number of points.
    let counted: f64 = good.map.iter().map(|cell| cell.expected).sum();
    assert!(
        (counted / obedient.len() as f64 - 1.0).abs() < 0.02,
        "{counted}"
    );
}

/// Judges the nested order of points on the unit torus.
fn nested(positions: Vec<[f64; 2]>, ranks: Vec<u64>, distance: f64) -> Vec<Prefix> {
    let set = PointSet::new(Columns {
        positions,
        ranks: Some(ranks),
        ..Columns::default()
    });
    let (set, domain) = (set.expect("good"), unit(Edges::Torus));
    let claim = Claim::Uniform(distance);
    let (_, capacity) = claimed(&set, &domain, Rule::Max, claim);
    let found = prefixes(&set, &domain, claim, capacity);
    found.expect("good").expect("ranks")
}

/// Compares a Halton sequence with a row-by-row order.
#[test]
fn prefixes_tell_nested_orders_from_others() {
    let judge = |positions| nested(positions, (0..1024).collect(), 0.01);
    let rows = judge(square_lattice(32));
    // Halton's points in bases 2 and 3: every prefix is evenly spread.
    let halton = |mut i: usize, base: usize| {
        let (mut x, mut unit) = (0.0, 1.0);
        while i > 0 {
            unit /= base as f64;
            x += unit * (i % base) as f64;
            i /= base;
        }
        x
    };
    let halton = judge((0..1024).map(|i| [halton(i, 2), halton(i, 3)]).collect());
    let counts: Vec<usize> = halton.iter().map(|p| p.points).collect();
    assert_eq!(counts, [1024, 512, 256, 128, 64, 32, 16]);
    assert!(halton.iter().all(|p| p.mean_rho > 0.5), "{halton:?}");
    let first_rows = rows.iter().find(|p| p.points == 64).expect("64");
    assert!(first_rows.mean_rho < 0.3, "{first_rows:?}");
}

/// Ranks that are levels: points drawn at twice the distance, then at once the distance.
#[test]
fn levels_of_detail_are_judged_one_by_one() {
    let coarse = darts(100, 0.06, 5);
    let mut positions = coarse.clone();
    let mut random = Random(6);
    while positions.len() < 400 {
        let p = random.place();
        let round = |a: f64, b: f64| (a - b).abs().min(1.0 - (a - b).abs());
        if positions
            .iter()
            .all(|q| round(p[0], q[0]).hypot(round(p[1], q[1])) >= 0.03)
        {
            positions.push(p);
        }
    }
    let levels = |low: u64| {
        let ranks = (0..400).map(|i| if i < 100 { low } else { 7 });
        nested(positions.clone(), ranks.collect(), 0.03)
    };
    let found = levels(6);
    let heads: Vec<_> = found.iter().map(|p| (p.rank, p.points)).collect();
    assert_eq!(heads, [(Some(7), 400), (Some(6), 100)]);
    assert!((1.0..1.1).contains(&found[0].least_ratio), "{found:?}");
    assert!((2.0..2.1).contains(&found[1].least_ratio), "{found:?}");
    assert_eq!(levels(7).len(), 1);
}

/// Bridson's points are denser along open edges, which must not show as a cross.
#[test]
fn open_edges_leave_no_cross() {
    let side = 80.0;
    let points = set(bridson(side, 1.0, 8));
    let on_axes = |edges| {
        let domain = domain([side; 2], edges);
        // With `Edges::Torus` no window is applied.
        let spectrum = Periodogram::of(&[&points], &domain).expect("good");
        let mean = |places: Vec<[i64; 2]>| {
            let count = places.len() as f64;
            places
                .into_iter()
                .filter_map(|k| spectrum.at(k))
                .sum::<f64>()
                / count
        };
        let axes = (5..30).flat_map(|k| [[k, 0], [0, k]]).collect();
        let beside = (5..30).flat_map(|k| (4..30).map(move |l| [k, l])).collect();
        (mean(axes), mean(beside), spectrum.rings())
    };
    let (axes, beside, _) = on_axes(Edges::Torus);
    assert!(axes > 1.5 * beside, "{axes} {beside}: nothing to take away");
    let (axes, beside, rings) = on_axes(Edges::Open);
    assert!((0.5..1.5).contains(&(axes / beside)), "{axes} {beside}");
    let far = power(&rings, 2.0, 2.9);
    assert!((far - 1.0).abs() < 0.1, "{far}");
    assert!(power(&rings, 0.05, 0.3) < 0.2);
    let noise = set(white_noise(20_000, 4));
    let rings = Periodogram::of(&[&noise], &unit(Edges::Open))
        .expect("good")
        .rings();
    for from in [0.1, 0.5, 1.0, 2.0] {
        let mean = power(&rings, from, from + 0.4);
        assert!((mean - 1.0).abs() < 0.05, "P({from}..) = {mean}");
    }
}

/// Two maps, one of them with a steep edge between a dense and a sparse half. Cells are found on
/// both sides, and distant pairs are uncorrelated, however the density changes.
#[test]
fn steep_maps_are_judged_as_others() {
    let domain = open([200.0, 100.0]);
    let map = GreyMap::new(2, 1, vec![0, 255], None).expect("a map");
    let options = MapOptions {
        bounds: Some(domain.bounds),
        ..MapOptions::default()
    };
    let range = DistRange::new(1.0, 6.0).expect("a range");
    let coarse = RadiusMap::new(map, range, options).expect("a field");
    let waves = FnField::new(range, 0.27, |p: [f64; 2]| {
        3.5 + 1.25 * ((p[0] * 0.15).sin() + (p[1] * 0.15).sin())
    });
    let waves = waves.expect("a slope");
    for field in [&coarse as &dyn RadiusField<2>, &waves] {
        let options = BridsonOptions {
            rule: Rule::Mean,
            ..BridsonOptions::default()
        };
        let points = Bridson::new(field, domain.bounds, options).expect("good");
        let (positions, column): (Vec<_>, Vec<_>) =
            points.map(|s| (s.position, s.min_dist)).unzip();
        let set = with_distances(positions, column);
        for claim in [Claim::Field(field), Claim::Column] {
            let pairs = pairs_of(&set, &domain, Rule::Mean, claim);
            assert!(pairs.g[..19].iter().all(|g| *g == 0.0), "{:?}", pairs.g);
            let late = pairs.g[60..].iter().sum::<f64>() / (pairs.g.len() - 60) as f64;
            assert!((late - 1.0).abs() < 0.06, "g settles at {late}");
            assert!(pairs.g.iter().any(|g| *g > 1.3), "no peak: {:?}", pairs.g);
            let (_, capacity) = claimed(&set, &domain, Rule::Mean, claim);
            let c = capacity.c(set.len()).expect("finite");
            if let Some(found) = density_error(&set, &domain, claim, c) {
                assert!(found.cells >= 30 && found.mean < 0.12, "{found:?}");
                let counted: f64 = found.map.iter().map(|cell| cell.expected).sum();
                assert!((counted / set.len() as f64 - 1.0).abs() < 0.03, "{counted}");
            }
        }
    }
}
