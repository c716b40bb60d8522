//! The judge of spacing: `quality`, which shares no search, no grid and no rule with the samplers. Its
//! own tests compare it with a test of all pairs under every rule.

use density::Bounds;
use quality::measures::Pair;
use quality::{Claim, Columns, Domain, Edges, PointSet, Requirement};
use sampler::{Rule, Sample};

/// Returns the worst pairs that break `rule`, at most ten; none if every pair keeps its distance.
///
/// # Panics
/// If two points share an id.
pub fn violations<const D: usize>(samples: &[Sample<D>], rule: Rule) -> Vec<Pair> {
    let set = PointSet::new(Columns {
        positions: samples.iter().map(|s| s.position).collect(),
        ids: Some(samples.iter().map(|s| s.id).collect()),
        min_dist: Some(samples.iter().map(|s| s.min_dist).collect()),
        parents: Some(samples.iter().map(|s| s.parent).collect()),
        ..Columns::default()
    });
    let set = set.expect("every id is used once");
    let requirement = Requirement::new(&set, rule, Claim::Column).expect("distances");
    // In an open domain pairs are judged at any position, so the box is arbitrary.
    let domain = Domain {
        bounds: Bounds::from_size([1.0; D]).expect("a good box"),
        edges: Edges::Open,
    };
    let found = quality::measures::violations(&set, &domain, &requirement);
    found.expect("an open domain").worst
}
