//! Compares the quality of points, ours and others': one square, one `min_dist`, one judge.

use crate::contender::{Ran, Run};
use crate::timing::median;
use crate::{ours, peers};
use density::numbers::about;
use density::{Bounds, Constant};
use quality::files::{Format, Points, read};
use quality::{Claim, Domain, Edges, Measures, PointSet, Report, Rule, judge};
use std::error::Error;

/// Side of the square in units of `min_dist`; the stored file has the same.
const SIDE: f64 = 100.0;

const MIN_DIST: f64 = 1.0;

/// Seeds of the timed runs; the points of the first are judged.
const SEEDS: u64 = 5;

/// Points that `data/npm_poisson_disk_sampling.mjs` wrote. Node is not needed to read them.
const NPM: &[u8] = include_bytes!("../data/npm_poisson_disk_sampling.npy");

/// Cost that this script printed on the machine of this crate's README.
const NPM_NS: &str = "4,855 (stored)";

/// Judges all points and prints the table.
///
/// # Errors
/// The errors of a contender, of the clock and of the judge.
pub(crate) fn print() -> Result<(), Box<dyn Error>> {
    let field = Constant::new(MIN_DIST)?;
    let bounds = Bounds::from_size([SIDE; 2])?;
    let samplers: [(&str, &dyn Fn(u64) -> Ran<2>); 6] = [
        ("**Spinney** scatter", &|seed| {
            ours::scatter(&field, bounds, seed)
        }),
        ("**Spinney** bridson", &|seed| {
            ours::bridson(&field, bounds, seed)
        }),
        ("`fast_poisson` 1.0.2", &|seed| {
            peers::fast_poisson(SIDE, MIN_DIST, seed)
        }),
        ("`poisson-diskus` 1.0", &|seed| {
            peers::poisson_diskus(SIDE, MIN_DIST, seed)
        }),
        ("`bluenoise` 0.2.2, 4 tries", &|seed| {
            peers::bluenoise(SIDE, MIN_DIST, seed, 4)
        }),
        ("`bluenoise` 0.2.2, 30 tries", &|seed| {
            peers::bluenoise(SIDE, MIN_DIST, seed, 30)
        }),
    ];
    println!(
        "| points by | points | c | gaps | largest hole | pairs too close | rho | mean rho | \
         ns/point |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (name, run) in samplers {
        let runs: Vec<Run<2>> = (0..SEEDS).map(run).collect::<Result<_, _>>()?;
        let ns: Vec<f64> = runs.iter().map(Run::ns_per_point).collect();
        let report = judged(runs[0].points.clone(), bounds)?;
        println!("{}", line(name, &report, &about(median(&ns))));
    }
    let npm = "`poisson-disk-sampling` 2.3.1 (npm)";
    println!("{}", line(npm, &judged(stored()?, bounds)?, NPM_NS));
    Ok(())
}

/// Returns the stored points.
fn stored() -> Result<Vec<[f64; 2]>, Box<dyn Error>> {
    match read(NPM, Format::Npy)?.points {
        Points::Flat(set) => Ok(set.positions().to_vec()),
        Points::Solid(_) => Err("the stored points are solid".into()),
    }
}

fn judged(points: Vec<[f64; 2]>, bounds: Bounds<2>) -> Result<Report, Box<dyn Error>> {
    let set = PointSet::from_positions(points)?;
    let domain = Domain {
        bounds,
        edges: Edges::Open,
    };
    let claim = Claim::Uniform(MIN_DIST);
    let judgement = judge(&set, &[], &domain, claim, Rule::Max, Measures::Spacing)?;
    Ok(judgement.report)
}

fn line(name: &str, report: &Report, ns: &str) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.3}"));
    let gaps = match report.gap_fraction.zip(report.gap_upper) {
        None => "-".to_owned(),
        Some((_, 0.0)) => "0".to_owned(),
        Some((_, upper)) if upper < 1e-9 => "< 1e-9".to_owned(),
        Some((gaps, _)) => format!("{gaps:.1e}"),
    };
    let hole = report.largest_hole.as_ref();
    let hole = hole.map_or_else(|| "-".to_owned(), |hole| format!("{:.2}", hole.ratio));
    let close = match (report.violations, report.worst_ratio) {
        (0, _) | (_, None) => "0".to_owned(),
        (count, Some(ratio)) => format!("{count} (worst at {ratio:.7})"),
    };
    format!(
        "| {name} | {} | {} | {gaps} | {hole} | {close} | {} | {} | {ns} |",
        about(report.points as f64),
        number(report.c),
        number(report.rho),
        number(report.mean_rho),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_points_are_as_their_origin_says() {
        let points = stored().expect("readable");
        assert_eq!(points.len(), 6368);
        let bounds = Bounds::from_size([SIDE; 2]).expect("a box");
        let report = judged(points, bounds).expect("a good set");
        assert_eq!((report.violations, report.outside), (0, 0));
        assert!(report.gap_fraction.expect("defined") > 1e-4);
        let text = line("it", &report, "1");
        assert!(text.starts_with("| it | 6,368 | 0.637 | "), "{text}");
    }
}
