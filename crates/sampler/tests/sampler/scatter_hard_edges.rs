//! Tests that both sides of a hard edge have as many points as their own distances allow.

use crate::common::checker::assert_spaced;
use crate::common::{options, range};
use density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};
use spinney_sampler::density;
use spinney_sampler::{Edges, Rule, Scatter, ScatterOptions};

/// A field of distance 1 on one side of a line, and `ratio` on the other.
struct Step {
    at: f64,
    ratio: f64,
}

impl RadiusField<2> for Step {
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        Some(if p[0] < self.at { 1.0 } else { self.ratio })
    }

    fn range(&self) -> DistRange {
        range(1.0, self.ratio)
    }

    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        let lo = self.min_dist(bounds.min())?;
        let hi = self.min_dist(bounds.max())?;
        Some(LocalRange {
            range: DistRange::new(lo, hi).ok()?,
            coverage: Coverage::All,
        })
    }
}

/// A leaf across the edge fits the lesser distance. It must not draw as many candidates for the greater
/// distance: some would precede the candidates of the dense side and leave ground of that side empty.
#[test]
fn the_dense_side_is_full_up_to_the_edge() {
    for ratio in [4.0, 16.0, 64.0] {
        for at in [200.0, 203.7, 211.9] {
            let field = Step { at, ratio };
            let domain = Bounds::from_size([400.0, 200.0]).expect("a good box");
            let options = ScatterOptions::default();
            let scatter = Scatter::new(&field, domain, options).expect("a good run");
            let samples = scatter.points().expect("memory").samples;
            assert_spaced(&samples, Rule::Max);
            let width = f64::min(ratio, 16.0);
            let beside = samples.iter().filter(|s| {
                let [x, _] = s.position;
                (at - width..at).contains(&x)
            });
            let c = beside.count() as f64 / (200.0 * width);
            println!("1 to {ratio} at {at}: c = {c:.3}");
            // The strip has edges of its own, so c differs from 0.6966.
            assert!((0.67..0.75).contains(&c), "1 to {ratio} at {at}: c = {c}");
        }
    }
}

/// As the factor changes, a leaf that comes to lie across the edge must not change the number of points
/// by hundreds.
#[test]
fn so_many_points_as_asked_for() {
    for seed in 0..10 {
        let field = Step {
            at: 100.0,
            ratio: 16.0,
        };
        let domain = Bounds::from_size([200.0; 2]).expect("a good box");
        let options = options(Rule::Max, seed);
        let found = Scatter::with_count(field, domain, Edges::Open, options, 4000);
        let found = found.expect("possible");
        println!("seed {seed}: {} of 4000 dropped", found.dropped);
        assert_eq!(found.points.samples.len(), 4000);
        assert!(found.dropped <= 20, "seed {seed}: {}", found.dropped);
        assert_spaced(&found.points.samples, Rule::Max);
    }
}
