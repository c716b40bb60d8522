//! The judge of spacing: shares no search, no grid and no rule with the samplers.

use crate::readback::Point;
use sampler::Rule;
use std::collections::BTreeMap;

/// A pair of points that is too close.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The earlier point's id.
    pub earlier: u64,
    /// The later point's id.
    pub later: u64,
    /// How far apart they are.
    pub distance: f64,
    /// How far apart they should be.
    pub required: f64,
}

/// All pairs that break `rule`, found by sweeping a line over the points sorted by x and
/// looking back as far as any rule can ask. The earlier point of a pair is the one with the
/// smaller id. O(n^2) in the worst case, which no test comes near.
///
/// # Panics
/// When two points share an id.
pub fn violations(points: &[Point], rule: Rule) -> Vec<Violation> {
    let min_dist: BTreeMap<u64, f64> = points.iter().map(|p| (p.id, p.min_dist)).collect();
    assert_eq!(min_dist.len(), points.len(), "every id is used once");
    let mut sorted: Vec<&Point> = points.iter().collect();
    sorted.sort_by(|a, b| a.position[0].total_cmp(&b.position[0]));
    let widest = points.iter().fold(0.0, |w: f64, p| w.max(p.min_dist));
    let mut found = Vec::new();
    for (i, p) in sorted.iter().enumerate() {
        for q in sorted[..i].iter().rev() {
            if p.position[0] - q.position[0] > widest {
                break;
            }
            let (earlier, later) = if p.id < q.id { (p, q) } else { (q, p) };
            let required = match rule {
                Rule::Max => f64::max(p.min_dist, q.min_dist),
                Rule::Mean => f64::midpoint(p.min_dist, q.min_dist),
                Rule::Min => f64::min(p.min_dist, q.min_dist),
                Rule::Own => later.min_dist,
                Rule::Prior => earlier.min_dist,
                Rule::Parent => match later.parent {
                    Some(parent) => min_dist[&parent],
                    None => later.min_dist,
                },
            };
            let square: f64 = p
                .position
                .iter()
                .zip(&q.position)
                .map(|(a, b)| (a - b).powi(2))
                .sum();
            if square < required * required {
                found.push(Violation {
                    earlier: earlier.id,
                    later: later.id,
                    distance: square.sqrt(),
                    required,
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(id: u64, x: f64, min_dist: f64, parent: Option<u64>) -> Point {
        Point {
            id,
            position: vec![x, 0.0],
            min_dist,
            value: 0.0,
            parent,
            rank: None,
            layer: None,
        }
    }

    /// Points 0 (radius 1) and 1 (radius 3) lie 2 apart: which rules does that break?
    #[test]
    fn tells_the_rules_apart() {
        let pair = [point(0, 0.0, 1.0, None), point(1, 2.0, 3.0, Some(0))];
        let broken: Vec<Rule> = Rule::ALL
            .into_iter()
            .filter(|&rule| !violations(&pair, rule).is_empty())
            .collect();
        assert_eq!(broken, [Rule::Max, Rule::Own]);
        let swapped = [point(1, 0.0, 1.0, Some(0)), point(0, 2.0, 3.0, None)];
        let broken: Vec<Rule> = Rule::ALL
            .into_iter()
            .filter(|&rule| !violations(&swapped, rule).is_empty())
            .collect();
        assert_eq!(broken, [Rule::Max, Rule::Prior, Rule::Parent]);
    }

    #[test]
    fn finds_a_planted_violation() {
        let mut points: Vec<Point> = (0..100).map(|i| point(i, i as f64, 1.0, None)).collect();
        assert_eq!(violations(&points, Rule::Max), []);
        points[50].position[0] += 1e-9;
        let found = violations(&points, Rule::Max);
        assert_eq!((found[0].earlier, found[0].later), (50, 51));
        assert_eq!(found.len(), 1);
    }
}
