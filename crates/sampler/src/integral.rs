//! How many distances' squares, or cubes, find room in a domain.

use density::{Bounds, Coverage, RadiusField};

/// The most boxes that the integral is made of.
const BOXES: f64 = 16_384.0;

/// Boxes are halved so often at most.
const DEEPEST: u32 = 64;

/// Whether a field asks for one distance, everywhere.
pub(crate) fn is_constant<const D: usize>(field: &dyn RadiusField<D>) -> bool {
    let range = field.range();
    range.lo() == range.hi() && field.mask_detail().is_none()
}

/// Integral of `1 / min_dist^D` over the domain where points may lie. Boxes are cut, and each piece may
/// be cut into as many as its bounds leave open of the whole, so that a small dense place in a large
/// sparse one is found as far as the field's bounds show it; then each box is probed.
///
/// One piece is done with before the next: a map that is fetched tile by tile is fetched about twice.
pub(crate) fn integral<const D: usize>(field: &dyn RadiusField<D>, domain: &Bounds<D>) -> f64 {
    if is_constant(field) {
        return probed(field, domain);
    }
    match doubt(field, domain) {
        None => 0.0,
        Some(_) => cut(field, domain, BOXES, DEEPEST),
    }
}

/// How much the integral over a box may be off; `None` where no point may lie.
fn doubt<const D: usize>(field: &dyn RadiusField<D>, place: &Bounds<D>) -> Option<f64> {
    let local = field.range_in(place)?;
    let most = fitting(place, local.range.lo());
    let least = match local.coverage {
        Coverage::All => fitting(place, local.range.hi()),
        Coverage::Part => 0.0,
    };
    Some(most - least)
}

/// The integral over a box, made of so many boxes.
fn cut<const D: usize>(
    field: &dyn RadiusField<D>,
    place: &Bounds<D>,
    boxes: f64,
    depth: u32,
) -> f64 {
    let pieces: Vec<Bounds<D>> = (0..1 << D).filter_map(|i| place.corner(i)).collect();
    let left = boxes - f64::from(1_u32 << D);
    // It is not a number where volumes overflow.
    let may_cut = left >= 0.0 && depth > 0 && pieces.len() == 1 << D;
    if !may_cut {
        return probed(field, place);
    }
    let judged = pieces.iter().map(|piece| (piece, doubt(field, piece)));
    let open: Vec<(&Bounds<D>, f64)> = judged
        .filter_map(|(piece, doubt)| Some((piece, doubt?)))
        .collect();
    let all: f64 = open.iter().map(|(_, doubt)| doubt).sum();
    let share = |doubt: f64| {
        if doubt > 0.0 {
            left * (doubt / all)
        } else {
            0.0
        }
    };
    open.iter()
        .map(|&(piece, doubt)| cut(field, piece, 1.0 + share(doubt), depth - 1))
        .sum()
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
