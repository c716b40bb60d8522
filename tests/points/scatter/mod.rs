//! Quality of the maximal engine's points, judged by searches that share no code with it.
//! `--nocapture` shows the figures.

mod darts;
mod local;
mod property;
mod spectrum;
mod uniform;

use density::{Bounds, Constant};
use quality::{Domain, Edges, PointSet};
use sampler::{Scatter, ScatterOptions, Scattered};

fn torus<const D: usize>(side: f64) -> Domain<D> {
    Domain {
        bounds: Bounds::from_size([side; D]).expect("a good box"),
        edges: Edges::Torus,
    }
}

/// Returns points with distance 1 on a torus of the given side.
fn on_torus<const D: usize>(side: f64, seed: u64) -> Scattered<D> {
    let options = ScatterOptions {
        seed,
        ..ScatterOptions::default()
    };
    let field = Constant::new(1.0).expect("a good distance");
    let scatter = Scatter::tiled(field, torus(side).bounds, options).expect("a good run");
    scatter.points().expect("memory")
}

fn set<const D: usize>(points: &Scattered<D>) -> PointSet<D> {
    let positions = points.samples.iter().map(|s| s.position).collect();
    PointSet::from_positions(positions).expect("good points")
}
