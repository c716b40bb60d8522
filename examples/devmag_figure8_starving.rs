//! Dev.Mag, figure 8: dense patches in a sparse surrounding. Under the rule `max` the sparse points
//! around a small patch leave it empty. Under `mean` and `min` dense points may be nearer to sparse
//! ones.

use anyhow::Result;
use density::{Bounds, DistRange, GridField};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing};

const SPARSE: f64 = 18.0;
const DENSE: f64 = 2.2;
/// Distance between the sixteen patches, which grow to the right.
const PITCH: f64 = 46.0;
const PATCHES: [f64; 4] = [4.0, 8.0, 12.0, 17.0];

fn patches() -> impl Iterator<Item = ([f64; 2], f64)> {
    let middle = |i: usize| PITCH * (i as f64 + 0.5);
    (0..16).map(move |i| ([middle(i % 4), middle(i / 4)], PATCHES[i % 4]))
}

fn is_dense(p: [f64; 2]) -> bool {
    let square = |c: [f64; 2]| (p[0] - c[0]).powi(2) + (p[1] - c[1]).powi(2);
    patches().any(|(center, radius)| square(center) < radius * radius)
}

/// Returns `true` if a point is sparse. Within a fifth of a unit of a patch's rim, distances are in
/// between.
fn is_sparse(point: &Sample<2>) -> bool {
    point.min_dist > 0.5 * (DENSE + SPARSE)
}

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let world = Bounds::from_size([4.0 * PITCH; 2])?;
    let range = DistRange::new(DENSE, SPARSE)?;
    let field = GridField::new(range, 0.2, |p| if is_dense(p) { DENSE } else { SPARSE })?;

    let mut panels = Vec::new();
    for rule in [Rule::Max, Rule::Mean, Rule::Min] {
        let options = BridsonOptions {
            rule,
            ..BridsonOptions::default()
        };
        let points: Vec<Sample<2>> = Bridson::new(&field, world, options)?.collect();
        check_spacing(&points, rule)?;
        let mut panel = Canvas::new(world, run.length(350.0), Color::WHITE)?;
        for (center, radius) in patches() {
            panel.disk(center, radius, Color::hex(0x00f3_dfa2));
        }
        let (sparse, dense) = (Color::hex(0x0027_6fbf), Color::hex(0x00b5_3a1e));
        for point in points.iter().filter(|p| is_sparse(p)) {
            panel.disk(point.position, SPARSE / 2.0, sparse.faint(0.12));
            panel.ring(point.position, SPARSE / 2.0, 0.5, sparse.faint(0.55));
            panel.disk(point.position, 1.6, sparse);
        }
        let mut count = 0;
        for point in points.iter().filter(|p| !is_sparse(p)) {
            panel.disk(point.position, 0.9, dense);
            count += 1;
        }
        println!("rule {}: {count} points in the patches", rule.name());
        panels.push(panel);
    }
    run.save("devmag_figure8_starving", &Canvas::beside(&panels, 12)?)
}
