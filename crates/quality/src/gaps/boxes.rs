//! Boxes, and their classification by the points near them.

use super::places::Span;
use crate::claim::rule_distance;
use crate::domain::halves;
use density::Bounds;
use sampler::Rule;

/// A point, its minimum distance, and the rule between it and a new point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach<const D: usize> {
    pub(super) position: [f64; D],
    pub(super) min_dist: f64,
    pub(super) rule: Rule,
}

impl<const D: usize> Reach<D> {
    /// Returns the required distance of a new point at a place with distance `here`.
    #[inline]
    pub(super) fn required(&self, here: f64) -> f64 {
        rule_distance(self.rule, self.min_dist, here)
    }

    #[inline]
    pub(super) fn square_distance(&self, p: [f64; D]) -> f64 {
        (0..D)
            .map(|a| (p[a] - self.position[a]) * (p[a] - self.position[a]))
            .sum()
    }

    /// Returns the square of the ratio of distance to required distance at a place with distance `here`. It is less
    /// than 1 exactly if the square of the distance is less than that of the required one.
    #[inline]
    pub(super) fn square_ratio(&self, p: [f64; D], here: f64) -> f64 {
        let required = self.required(here);
        self.square_distance(p) / (required * required)
    }

    /// Returns the bounds of the [`square_ratio`](Self::square_ratio) over a box.
    #[inline]
    fn square_ratios(&self, cell: &Bounds<D>, span: Span) -> (f64, f64) {
        let (near, far) = squares(cell, self.position);
        let [surely, perhaps] = [span.lo, span.hi].map(|here| self.required(here));
        (near / (perhaps * perhaps), far / (surely * surely))
    }
}

/// The class of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Class {
    /// No place in the box can take another point.
    Covered,
    /// Every place in the box where points may lie can take another point.
    Free,
    /// Neither is proved; `scale` is the least required distance from a point near.
    Mixed { scale: f64 },
}

/// Returns the middle of a box.
pub(super) fn center<const D: usize>(cell: &Bounds<D>) -> [f64; D] {
    let (min, max) = (cell.min(), cell.max());
    std::array::from_fn(|a| 0.5 * min[a] + 0.5 * max[a])
}

/// Returns half the diagonal of a box.
pub(super) fn half_diagonal<const D: usize>(cell: &Bounds<D>) -> f64 {
    0.5 * cell
        .size()
        .map(|side| side.powi(2))
        .iter()
        .sum::<f64>()
        .sqrt()
}

/// Returns the halves of both halves.
pub(super) fn quarters<const D: usize>(cell: &Bounds<D>) -> Option<[Bounds<D>; 4]> {
    let [low, high] = halves(cell)?;
    let ([a, b], [c, d]) = (halves(&low)?, halves(&high)?);
    Some([a, b, c, d])
}

/// Returns the squares of the distances from `p` to the nearest and the farthest place of a box.
#[inline]
pub(super) fn squares<const D: usize>(cell: &Bounds<D>, p: [f64; D]) -> (f64, f64) {
    let (min, max) = (cell.min(), cell.max());
    let (mut near, mut far) = (0.0, 0.0);
    for (axis, x) in p.into_iter().enumerate() {
        let (below, above) = (x - min[axis], max[axis] - x);
        // Faster than `f64::max`, which handles NaN; there is none here.
        let (least, most) = if below < above {
            (below, above)
        } else {
            (above, below)
        };
        let outside = if least < 0.0 { least } else { 0.0 };
        near += outside * outside;
        far += most * most;
    }
    (near, far)
}

/// Classifies a box by the points in `near`. Appends to `kept` the points that can conflict with a place in the box, or
/// have the least ratio of distance to required distance there; appends nothing if it is covered.
pub(super) fn classify<const D: usize>(
    points: &[Reach<D>],
    near: &[u32],
    cell: &Bounds<D>,
    span: Span,
    kept: &mut Vec<u32>,
) -> Class {
    let start = kept.len();
    let mut closest = (f64::INFINITY, start);
    let mut scale = f64::INFINITY;
    let mut free = true;
    let mut doubtful = false;
    for &i in near {
        let q = &points[i as usize];
        let (least, most) = q.square_ratios(cell, span);
        if most < 1.0 {
            kept.truncate(start);
            return Class::Covered;
        }
        if most < closest.0 {
            closest = (most, kept.len());
        }
        if least < 1.0 {
            free = false;
            scale = scale.min(q.required(span.hi));
            kept.push(i);
        } else if least <= closest.0 {
            // Unless a point that follows has less everywhere.
            doubtful = true;
            kept.push(i);
        }
    }
    if kept.len() == start {
        return Class::Free;
    }
    // The closest point is tested first in the box's halves, which it probably covers.
    kept.swap(start, closest.1);
    if doubtful && kept.len() - start > 4 {
        let mut end = start;
        for at in start..kept.len() {
            let least = points[kept[at] as usize].square_ratios(cell, span).0;
            if least < 1.0 || least <= closest.0 {
                kept[end] = kept[at];
                end += 1;
            }
        }
        kept.truncate(end);
    }
    if free {
        Class::Free
    } else {
        Class::Mixed { scale }
    }
}
