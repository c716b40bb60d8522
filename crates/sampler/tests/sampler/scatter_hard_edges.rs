//! Both sides of a hard edge have the points that their own distances ask for.

use crate::common::spacing::assert_spaced;
use density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};
use spinney_sampler::density;
use spinney_sampler::{Edges, Rule, Scatter, ScatterOptions};

/// Distances of 1 on one side of a line, of `ratio` on the other one.
struct Step {
    at: f64,
    ratio: f64,
}

impl RadiusField<2> for Step {
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        Some(if p[0] < self.at { 1.0 } else { self.ratio })
    }

    fn range(&self) -> DistRange {
        DistRange::new(1.0, self.ratio).expect("a good range")
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

/// A tile across the edge fits the lesser distance and threw as many candidates for the greater one. Some
/// came before all that lay within their distance, and left that empty: under rule `max` from 1 to 4 a
/// quarter of the points of the dense side's last four distances.
#[test]
fn the_dense_side_is_full_up_to_the_edge() {
    for ratio in [4.0, 16.0, 64.0] {
        for at in [200.0, 203.7, 211.9] {
            let field = Step { at, ratio };
            let domain = Bounds::from_size([400.0, 200.0]).expect("a good box");
            let options = ScatterOptions::default();
            let scatter = Scatter::new(&field, domain, options).expect("a good run");
            let samples = scatter.points().expect("memory").samples;
            assert_spaced(&samples, Rule::Max, None);
            let width = f64::min(ratio, 16.0);
            let beside = samples.iter().filter(|s| {
                let [x, _] = s.position;
                (at - width..at).contains(&x)
            });
            let c = beside.count() as f64 / (200.0 * width);
            println!("1 to {ratio} at {at}: c = {c:.3}");
            // The edges of the strip are its own: 0.6966 in the midst of many.
            assert!((0.67..0.75).contains(&c), "1 to {ratio} at {at}: c = {c}");
        }
    }
}

/// When a tile came to lie across the edge, hundreds of points came or went at once: a third of the
/// runs found no factor for 4000 points, give or take a 200th.
#[test]
fn so_many_points_as_asked_for() {
    for seed in 0..10 {
        let field = Step {
            at: 100.0,
            ratio: 16.0,
        };
        let domain = Bounds::from_size([200.0; 2]).expect("a good box");
        let options = ScatterOptions {
            seed,
            ..ScatterOptions::default()
        };
        let found = Scatter::with_count(field, domain, Edges::Open, options, 4000);
        let found = found.expect("possible");
        println!("seed {seed}: {} of 4000 dropped", found.dropped);
        assert_eq!(found.points.samples.len(), 4000);
        assert!(found.dropped <= 20, "seed {seed}: {}", found.dropped);
        assert_spaced(&found.points.samples, Rule::Max, None);
    }
}
