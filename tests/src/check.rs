//! The judge of spacing: `quality`, which shares no search, no grid and no rule with the samplers, and is
//! itself compared with all pairs under every rule.

use density::Bounds;
use quality::{Claim, Columns, Domain, Edges, Pair, PointSet, Requirement};
use sampler::{Rule, Sample};

/// Returns the worst pairs that break `rule`, ten at most; none if every pair keeps its distance.
///
/// # Panics
/// When two points share an id.
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
    // Pairs of an open domain are judged wherever they lie, so any box does.
    let domain = Domain {
        bounds: Bounds::from_size([1.0; D]).expect("a good box"),
        edges: Edges::Open,
    };
    let found = quality::violations(&set, &domain, &requirement);
    found.expect("an open domain").worst
}
