//! How long each measure takes on a million points, and the spectrum on a hundred thousand.
//!
//! `cargo run --release -p spinney-quality --example timing [POINTS]`

use cpu_time::ProcessTime;
use sampler::density::{Bounds, Constant};
use sampler::{Bridson, BridsonOptions};
use spinney_quality::{
    Capacity, Claim, Domain, Edges, GapOptions, Periodogram, PointSet, Requirement, Rule,
    density_error, gaps, nearest, pair_correlation, violations,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: f64 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 1e6,
    };
    judge(wanted)?;
    judge(wanted / 10.0)
}

fn judge(wanted: f64) -> Result<(), Box<dyn std::error::Error>> {
    let side = (wanted / 0.615).sqrt();
    let bounds = Bounds::from_size([side, side])?;
    let field = Constant::new(1.0)?;
    let samples = Bridson::new(&field, bounds, BridsonOptions::default())?;
    let set = PointSet::from_positions(samples.map(|s| s.position).collect())?;
    println!(
        "{} points by Bridson's algorithm, seconds of CPU on one thread:",
        set.len()
    );
    let domain = Domain {
        bounds,
        edges: Edges::Open,
    };
    let claim = Claim::Uniform(1.0);
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
    let area = bounds.volume();
    let found = gaps(
        &set,
        &domain,
        &requirement,
        claim,
        area,
        GapOptions::default(),
    )?;
    lap("gaps", format!("{found:?}"));
    let c = Capacity::of(&set, &domain, &requirement, claim)
        .c(set.len())
        .unwrap_or_default();
    let error = density_error(&set, &domain, claim, c).map(|e| e.mean);
    lap("density error", format!("{error:?}"));
    let pairs = pair_correlation(&set, &domain, &requirement, c)?.map(|p| p.points);
    lap("pair correlation", format!("{pairs:?} points"));
    let spectrum = Periodogram::of(&[&set], &domain)?;
    lap("spectrum", format!("to {:.2} sqrt(n)", spectrum.reach()));
    Ok(())
}
