//! A check of the points' spacing that shares no code with the sampler.

use anyhow::{Result, ensure};
use sampler::{Rule, Sample};
use std::collections::BTreeMap;

/// Checks that every pair keeps the rule's distance, by a sweep along x over sorted points.
///
/// # Errors
/// The first pair that is too close.
pub fn check_spacing<const D: usize>(samples: &[Sample<D>], rule: Rule) -> Result<()> {
    let by_id: BTreeMap<u64, f64> = samples.iter().map(|s| (s.id, s.min_dist)).collect();
    // The distance that the later of two points contributes to the rule.
    let asks = |later: &Sample<D>| match (rule, later.parent) {
        (Rule::Parent, Some(parent)) => by_id.get(&parent).copied().unwrap_or(f64::NAN),
        _ => later.min_dist,
    };
    let reach = samples.iter().map(|s| s.min_dist).fold(0.0, f64::max);
    let mut order: Vec<&Sample<D>> = samples.iter().collect();
    order.sort_by(|a, b| a.position[0].total_cmp(&b.position[0]));
    for (i, a) in order.iter().enumerate() {
        for b in &order[i + 1..] {
            if b.position[0] - a.position[0] >= reach {
                break;
            }
            let (earlier, later) = if a.id < b.id { (a, b) } else { (b, a) };
            let keep = rule.distance(earlier.min_dist, asks(later));
            let square: f64 = (0..D)
                .map(|k| (a.position[k] - b.position[k]).powi(2))
                .sum();
            ensure!(
                square >= keep * keep,
                "points {} and {} are {} apart, but must keep {keep}",
                earlier.id,
                later.id,
                square.sqrt()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_close_pair() {
        let at = |id, x: f64, min_dist| Sample {
            id,
            position: [x, 0.0],
            min_dist,
            value: 0.0,
            parent: None,
            rank: None,
            layer: None,
        };
        let points = [at(0, 0.0, 1.0), at(1, 9.0, 4.0), at(2, 6.0, 2.0)];
        assert!(check_spacing(&points, Rule::Max).is_err());
        assert!(check_spacing(&points, Rule::Prior).is_err());
        assert!(check_spacing(&points, Rule::Own).is_ok());
        assert!(check_spacing(&points[..2], Rule::Max).is_ok());
        let mut child = points[2];
        child.parent = Some(1);
        assert!(check_spacing(&[points[1], child], Rule::Parent).is_err());
        child.parent = None;
        assert!(check_spacing(&[points[1], child], Rule::Parent).is_ok());
    }
}
