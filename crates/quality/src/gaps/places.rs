//! The minimum distances at places.

use crate::claim::{Claim, Requirement};
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

/// The rule, and the minimum distance at every place.
pub(super) struct Places<'a, const D: usize> {
    pub(super) rule: Rule,
    /// `None` if the distance is the same everywhere.
    field: Option<&'a dyn RadiusField<D>>,
    /// The least minimum distance of any place.
    pub(super) least: f64,
    /// The greatest minimum distance of any place.
    pub(super) greatest: f64,
}

impl<'a, const D: usize> Places<'a, D> {
    pub(super) fn new(claim: Claim<'a, D>, requirement: &Requirement, bounds: &Bounds<D>) -> Self {
        let same = |distance: f64, rule: Rule| Self {
            rule,
            field: None,
            least: distance,
            greatest: distance,
        };
        match (claim, requirement.uniform()) {
            (Claim::Field(field), Some(distance)) if is_flat(field, bounds, distance) => {
                same(distance, requirement.rule)
            }
            (Claim::Field(field), _) => Self {
                rule: requirement.rule,
                field: Some(field),
                least: field.range().lo(),
                greatest: field.range().hi(),
            },
            (Claim::Uniform(distance), _) | (Claim::Column, Some(distance)) => {
                same(distance, requirement.rule)
            }
            (Claim::Column, None) => {
                // Only the points' own disks are known; places have the least of their distances.
                let least = requirement.min_dist.iter().copied().reduce(f64::min);
                same(least.unwrap_or(1.0), Rule::Prior)
            }
        }
    }

    /// Returns the minimum distance at a place; `None` where no point may lie.
    pub(super) fn at(&self, place: [f64; D]) -> Option<f64> {
        match self.field {
            Some(field) => field.min_dist(place),
            None => Some(self.least),
        }
    }

    /// Returns the bounds of the minimum distance over a box, given the bounds `above` of a box
    /// around it. `None` if no point may lie in the box.
    pub(super) fn over(&self, cell: &Bounds<D>, above: Option<Span>) -> Option<Span> {
        let Some(field) = self.field else {
            return Some(Span {
                lo: self.least,
                hi: self.greatest,
                whole: true,
            });
        };
        if let Some(span) = above
            && span.whole
            && span.hi <= span.lo * (1.0 + 1e-4)
        {
            // Another evaluation could hardly narrow the bounds.
            return Some(span);
        }
        field.range_in(cell).map(|local| Span {
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
