//! Fields that cannot bound themselves: closures without a Lipschitz bound.

use density::{Bounds, DistRange, FnField};
use sampler::{Rule, Scatter, ScatterOptions};
use spinney_sampler as sampler;

/// Stripes much thinner than anything that the engine looks at: what it sees of a tile says little.
/// Pairs in it were too near under every rule.
#[test]
fn stripes_thinner_than_a_tile_keep_their_distance() {
    let range = DistRange::new(0.5, 1.5).expect("a good range");
    let field = FnField::new(range, |p: [f64; 2]| {
        if (p[0] / 0.03).floor() % 2.0 == 0.0 {
            1.5
        } else {
            0.5
        }
    });
    for rule in [Rule::Max, Rule::Mean, Rule::Min, Rule::Own, Rule::Prior] {
        let options = ScatterOptions {
            rule,
            seed: 3,
            ..ScatterOptions::default()
        };
        let domain = Bounds::from_size([40.0; 2]).expect("a good box");
        let scatter = Scatter::new(&field, domain, options).expect("a good run");
        let mut points = scatter.points().samples;
        points.sort_unstable_by_key(|s| s.id);
        assert!(points.len() > 200, "{rule:?}: {}", points.len());
        let mut near = 0;
        for (i, later) in points.iter().enumerate() {
            for earlier in &points[..i] {
                let [dx, dy] = [0, 1].map(|a| later.position[a] - earlier.position[a]);
                let keep = rule.distance(earlier.min_dist, later.min_dist);
                near += u32::from(dx * dx + dy * dy < keep * keep);
            }
        }
        assert_eq!(near, 0, "{rule:?}: of {} points", points.len());
    }
}
