//! Fields that cannot bound themselves: closures without a Lipschitz bound.

#[path = "common/spacing.rs"]
mod spacing;

use density::{Bounds, DistRange, FnField};
use sampler::{Rule, Scatter, ScatterOptions};
use spacing::assert_spaced;
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
        let points = scatter.points().samples;
        assert!(points.len() > 200, "{rule:?}: {}", points.len());
        assert_spaced(&points, rule, None);
    }
}
