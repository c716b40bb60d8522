//! How many distances' squares, or cubes, find room in a domain.

use density::{Bounds, Coverage, RadiusField};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The most boxes that the integral is made of.
const BOXES: usize = 1 << 14;

/// A box of the integral, and how much it may be off: the largest first.
struct Part<const D: usize> {
    doubt: f64,
    place: Bounds<D>,
}

impl<const D: usize> PartialEq for Part<D> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<const D: usize> Eq for Part<D> {}

impl<const D: usize> PartialOrd for Part<D> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const D: usize> Ord for Part<D> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.doubt.total_cmp(&other.doubt)
    }
}

/// Whether a field asks for one distance, everywhere.
pub(crate) fn is_constant<const D: usize>(field: &dyn RadiusField<D>) -> bool {
    let range = field.range();
    range.lo() == range.hi() && field.mask_detail().is_none()
}

/// Integral of `1 / min_dist^D` over the domain where points may lie. The box whose bounds
/// leave most open is cut, again and again, so that a small dense place in a large sparse one
/// is found as far as the field's bounds show it; then each box is probed.
pub(crate) fn integral<const D: usize>(field: &dyn RadiusField<D>, domain: &Bounds<D>) -> f64 {
    if is_constant(field) {
        return probed(field, domain);
    }
    let part = |place: Bounds<D>| {
        let local = field.range_in(&place)?;
        let most = fitting(&place, local.range.lo());
        let least = match local.coverage {
            Coverage::All => fitting(&place, local.range.hi()),
            Coverage::Part => 0.0,
        };
        Some(Part {
            doubt: most - least,
            place,
        })
    };
    let mut parts: BinaryHeap<Part<D>> = part(*domain).into_iter().collect();
    let mut settled = Vec::new();
    while parts.len() + settled.len() < BOXES {
        let Some(Part { place, doubt }) = parts.pop() else {
            break;
        };
        let pieces: Vec<_> = (0..1 << D).filter_map(|i| place.corner(i)).collect();
        if doubt == 0.0 || pieces.len() < 1 << D {
            settled.push(Part { doubt, place });
        } else {
            parts.extend(pieces.into_iter().filter_map(part));
        }
    }
    let all = parts.iter().chain(&settled);
    all.map(|part| probed(field, &part.place)).sum()
}

/// How often a distance's square, or cube, fits into a box.
pub(crate) fn fitting<const D: usize>(place: &Bounds<D>, r: f64) -> f64 {
    // One by one: plain volumes may overflow.
    place.size().iter().map(|s| s / r).product()
}

/// The integral over a box by a look at the middles of its halves along each axis.
pub(crate) fn probed<const D: usize>(field: &dyn RadiusField<D>, place: &Bounds<D>) -> f64 {
    let corners = (0..1 << D).filter_map(|i| place.corner(i));
    let (sum, count) = corners.fold((0.0, 0), |(sum, count), corner| {
        let fitting = field.min_dist(corner.center()).map(|r| fitting(place, r));
        (sum + fitting.unwrap_or_default(), count + 1)
    });
    sum / f64::from(count.max(1))
}
