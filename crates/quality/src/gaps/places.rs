//! The minimum distances at places.

use super::boxes::Cell;
use crate::claim::{Claim, Requirement, rule_distance};
use density::{Bounds, Coverage, RadiusField};
use sampler::Rule;

/// Bounds of the minimum distance over a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Whether points may lie everywhere in the box.
    pub(super) whole: bool,
}

enum Here<'a, const D: usize> {
    Field(&'a dyn RadiusField<D>),
    Uniform(f64),
    /// Only the points' own disks are known; this is the least radius.
    Disks(f64),
}

/// The rule, and the minimum distance at every place.
pub(super) struct Places<'a, const D: usize> {
    rule: Rule,
    here: Here<'a, D>,
    same: Option<f64>,
}

impl<'a, const D: usize> Places<'a, D> {
    pub(super) fn new(claim: Claim<'a, D>, requirement: &Requirement, bounds: &Bounds<D>) -> Self {
        let here = match (claim, requirement.uniform()) {
            (Claim::Field(field), Some(distance)) if is_flat(field, bounds, distance) => {
                Here::Uniform(distance)
            }
            (Claim::Field(field), _) => Here::Field(field),
            (Claim::Uniform(distance), _) | (Claim::Column, Some(distance)) => {
                Here::Uniform(distance)
            }
            (Claim::Column, None) => {
                let least = requirement
                    .min_dist
                    .iter()
                    .copied()
                    .fold(f64::INFINITY, f64::min);
                Here::Disks(if least.is_finite() { least } else { 1.0 })
            }
        };
        let rule = match here {
            Here::Disks(_) => Rule::Prior,
            _ => requirement.rule,
        };
        let same = match here {
            Here::Uniform(distance) => Some(distance),
            _ => None,
        };
        Self { rule, here, same }
    }

    /// Returns the required distance of every pair, if it is always the same.
    #[inline]
    pub(super) fn same(&self) -> Option<f64> {
        self.same
    }

    /// Returns the greatest minimum distance of any place.
    pub(super) fn widest(&self) -> f64 {
        match self.here {
            Here::Field(field) => field.range().hi(),
            Here::Uniform(distance) | Here::Disks(distance) => distance,
        }
    }

    /// Returns the least minimum distance of any place.
    pub(super) fn least(&self) -> f64 {
        match self.here {
            Here::Field(field) => field.range().lo(),
            Here::Uniform(distance) | Here::Disks(distance) => distance,
        }
    }

    /// Returns the required distance between a point with distance `there` and a new point at a
    /// place with distance `here`.
    #[inline]
    pub(super) fn required(&self, there: f64, here: f64) -> f64 {
        rule_distance(self.rule, there, here)
    }

    /// Returns the minimum distance at a place; `None` where no point may lie.
    pub(super) fn at(&self, place: [f64; D]) -> Option<f64> {
        match self.here {
            Here::Field(field) => field.min_dist(place),
            Here::Uniform(distance) | Here::Disks(distance) => Some(distance),
        }
    }

    /// Returns the bounds of the minimum distance over a box, given the bounds `above` of a box
    /// around it. `None` if no point may lie in the box.
    pub(super) fn over(&self, cell: &Cell<D>, above: Option<Span>) -> Option<Span> {
        let field = match self.here {
            Here::Field(field) => field,
            Here::Uniform(distance) | Here::Disks(distance) => {
                return Some(Span {
                    lo: distance,
                    hi: distance,
                    whole: true,
                });
            }
        };
        if let Some(span) = above
            && span.whole
            && span.hi <= span.lo * (1.0 + 1e-4)
        {
            // Another evaluation could hardly narrow the bounds.
            return Some(span);
        }
        let Some(bounds) = cell.bounds() else {
            return above;
        };
        field.range_in(&bounds).map(|local| Span {
            lo: local.range.lo(),
            hi: local.range.hi(),
            whole: local.coverage == Coverage::All,
        })
    }
}

/// Returns `true` if the minimum distance is `distance` everywhere in the box.
fn is_flat<const D: usize>(field: &dyn RadiusField<D>, bounds: &Bounds<D>, distance: f64) -> bool {
    field.range_in(bounds).is_some_and(|local| {
        local.coverage == Coverage::All
            && local.range.lo() == distance
            && local.range.hi() == distance
    })
}
