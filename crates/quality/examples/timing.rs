//! Measures the time of each measure on a million points by Bridson's algorithm, on as many of a
//! maximal set, and on as many that follow a map. The spectrum takes a hundred thousand points, the
//! measures in space a tenth as many.
//!
//! `cargo run --release -p spinney-quality --example timing [POINTS]`

#[path = "../tests/quality/sets.rs"]
mod sets;

use cpu_time::ProcessTime;
use sampler::density::{Bounds, Constant, DistRange, FnField};
use sampler::{Bridson, BridsonOptions};
use spinney_quality::measures::{
    Capacity, GapOptions, Periodogram, density_error, gaps, nearest, pair_correlation, violations,
};
use spinney_quality::{Claim, Domain, Edges, PointSet, Requirement, Rule};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: f64 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 1e6,
    };
    let side = (wanted / 0.615).sqrt();
    let domain = |side: f64| -> Result<Domain<2>, Box<dyn Error>> {
        Ok(Domain {
            bounds: Bounds::from_size([side, side])?,
            edges: Edges::Open,
        })
    };
    let uniform = Claim::Uniform(1.0);
    let points = sets::bridson(side, 1.0, 0);
    judge("Bridson", points, domain(side)?, uniform)?;

    let small = side / 10.0_f64.sqrt();
    let points = sets::bridson(small, 1.0, 0);
    judge("Bridson", points, domain(small)?, uniform)?;

    let full = (wanted / 0.6966).sqrt();
    let points = sets::maximal(full, 1.0, 0);
    judge("maximal", points, domain(full)?, uniform)?;

    // From 1 in the middle to 8 at the corners; the mean of 1/r^2 is 0.0660.
    let far = (wanted / 0.615 / 0.0660).sqrt();
    let (range, slope) = (DistRange::new(1.0, 8.0)?, 7.0 * 2.0_f64.sqrt() / far);
    let field = FnField::new(range, slope, move |p: [f64; 2]| {
        let [x, y] = p.map(|x| 2.0 * x / far - 1.0);
        1.0 + 7.0 * (0.5 * (x * x + y * y)).sqrt()
    })?;
    let samples = Bridson::new(&field, domain(far)?.bounds, BridsonOptions::default())?;
    let points = samples.map(|s| s.position).collect();
    judge("Bridson, 1:8", points, domain(far)?, Claim::Field(&field))?;
    in_space(0.1 * wanted)
}

/// Measures spacing and gaps of points by Bridson's algorithm in a cube.
fn in_space(wanted: f64) -> Result<(), Box<dyn Error>> {
    let bounds = Bounds::from_size([(wanted / 0.576).cbrt(); 3])?;
    let field = Constant::new(1.0)?;
    let samples = Bridson::new(&field, bounds, BridsonOptions::default())?;
    let set = PointSet::from_positions(samples.map(|s| s.position).collect())?;
    let edges = Edges::Open;
    let domain = Domain { bounds, edges };
    let claim = Claim::Uniform(1.0);
    let requirement = Requirement::new(&set, Rule::Max, claim)?;
    println!("Bridson in space, {} points:", set.len());
    let started = ProcessTime::now();
    let broken = violations(&set, &domain, &requirement)?.count;
    let seconds = started.elapsed().as_secs_f64();
    println!("{seconds:8.2}  violations: {broken}");
    let options = GapOptions::default();
    let found = gaps(&set, &domain, &requirement, claim, bounds.volume(), options)?;
    let seconds = started.elapsed().as_secs_f64() - seconds;
    println!("{seconds:8.2}  gaps: {found:?}");
    Ok(())
}

fn judge(
    name: &str,
    points: Vec<[f64; 2]>,
    domain: Domain<2>,
    claim: Claim<'_, 2>,
) -> Result<(), Box<dyn Error>> {
    let set = PointSet::from_positions(points)?;
    println!(
        "{name}, {} points, seconds of CPU on one thread:",
        set.len()
    );
    let mut started = ProcessTime::now();
    let mut lap = |name: &str, figure: String| {
        println!("{:8.2}  {name}: {figure}", started.elapsed().as_secs_f64());
        started = ProcessTime::now();
    };
    let requirement = Requirement::new(&set, Rule::Max, claim)?;
    let broken = violations(&set, &domain, &requirement)?;
    lap("violations", broken.count.to_string());
    let near = nearest(&set, &domain, &requirement)?;
    lap("nearest neighbours", format!("{:?}", near.least_ratio()));
    let capacity = Capacity::of(&set, &domain, &requirement, claim);
    let c = capacity.c(set.len()).unwrap_or_default();
    lap("c", format!("{c:.4}"));
    let options = GapOptions::default();
    let found = gaps(
        &set,
        &domain,
        &requirement,
        claim,
        capacity.allowed,
        options,
    )?;
    if let Some(found) = found {
        let bounds = format!("{:.3e} to {:.3e}", found.lower, found.upper);
        let hole = found.largest_hole.map(|hole| hole.ratio);
        lap(
            "gaps",
            format!("{:.6e} ({bounds}), {hole:?}", found.fraction),
        );
    }
    let error = density_error(&set, &domain, claim, c).map(|e| e.mean);
    lap("density error", format!("{error:?}"));
    let pairs = pair_correlation(&set, &domain, &requirement, claim, c)?.map(|p| p.points);
    lap("pair correlation", format!("{pairs:?} points"));
    let spectrum = Periodogram::of(&[&set], &domain)?;
    lap("spectrum", format!("to {:.2} sqrt(n)", spectrum.reach()));
    Ok(())
}
