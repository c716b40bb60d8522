//! Estimates the integral of `1 / min_dist^D` over a domain.

use crate::boxes::volume_in_radii;
use crate::mask::mask_detail;
use density::{Bounds, Coverage, RadiusField};

/// Maximum number of boxes in the sum.
const BOXES: f64 = 16_384.0;

/// Maximum number of divisions from the domain to a box.
const DEEPEST: u32 = 64;

/// Returns the integral of `1 / min_dist^D` over the part of the domain where points may lie. Boxes are
/// divided, and the number of boxes for each piece is in proportion to its uncertainty. So a small
/// dense place in a large sparse one is found as far as the field's bounds show it. Each final box is
/// probed.
///
/// Pieces are finished one after the other: a map that is fetched tile by tile is fetched about twice.
pub(crate) fn integral<const D: usize>(field: &dyn RadiusField<D>, domain: &Bounds<D>) -> f64 {
    let range = field.range();
    if range.lo() == range.hi() && mask_detail(field).is_none() {
        return probed(field, domain);
    }
    match uncertainty(field, domain) {
        None => 0.0,
        Some(_) => cut(field, domain, BOXES, DEEPEST),
    }
}

/// Returns the uncertainty of the integral over a box; `None` where no point may lie.
fn uncertainty<const D: usize>(field: &dyn RadiusField<D>, place: &Bounds<D>) -> Option<f64> {
    let local = field.range_in(place)?;
    let most = volume_in_radii(place, local.range.lo());
    let least = match local.coverage {
        Coverage::All => volume_in_radii(place, local.range.hi()),
        Coverage::Part => 0.0,
    };
    Some(most - least)
}

/// Returns the integral over a box, as a sum over about `boxes` boxes.
fn cut<const D: usize>(
    field: &dyn RadiusField<D>,
    place: &Bounds<D>,
    boxes: f64,
    depth: u32,
) -> f64 {
    let pieces: Vec<Bounds<D>> = (0..1 << D).filter_map(|i| place.corner(i)).collect();
    let left = boxes - f64::from(1_u32 << D);
    // `left` is NaN where volumes overflow.
    let may_cut = left >= 0.0 && depth > 0 && pieces.len() == 1 << D;
    if !may_cut {
        return probed(field, place);
    }
    let open = pieces
        .iter()
        .filter_map(|piece| Some((piece, uncertainty(field, piece)?)));
    let open: Vec<(&Bounds<D>, f64)> = open.collect();
    let all: f64 = open.iter().map(|(_, uncertainty)| uncertainty).sum();
    let share = |uncertainty: f64| {
        if uncertainty > 0.0 {
            left * (uncertainty / all)
        } else {
            0.0
        }
    };
    open.iter()
        .map(|&(piece, uncertainty)| cut(field, piece, 1.0 + share(uncertainty), depth - 1))
        .sum()
}

/// Returns the integral over a box, estimated from the centres of its `2^D` parts.
fn probed<const D: usize>(field: &dyn RadiusField<D>, place: &Bounds<D>) -> f64 {
    let corners = (0..1 << D).filter_map(|i| place.corner(i));
    let (sum, count) = corners.fold((0.0, 0), |(sum, count), corner| {
        let volume_in_radii = field
            .min_dist(corner.center())
            .map(|r| volume_in_radii(place, r));
        (sum + volume_in_radii.unwrap_or_default(), count + 1)
    });
    sum / f64::from(count.max(1))
}
