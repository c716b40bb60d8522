//! Where a front of points must be started: once in every island of a mask.
//!
//! A front cannot cross a gap wider than twice its points' distance, so a single first point
//! leaves the far islands of a mask empty. The domain is therefore searched once, by halving,
//! for places that no accepted point covers; what the field calls wholly open or wholly
//! closed is not halved further. A domain without a mask is one open box: it is given one
//! first point, and the classic algorithm is what remains.

use crate::rng::Draws;
use density::{Bounds, Coverage, RadiusField};

/// The search, between two fronts.
#[derive(Clone, Debug)]
pub(crate) struct Islands<const D: usize> {
    todo: Vec<Bounds<D>>,
    /// Darts thrown into an open box before it is taken to be filled.
    darts: u32,
    /// A box this small is not halved: the field says that it has no finer detail.
    finest: f64,
}

impl<const D: usize> Islands<D> {
    pub(crate) fn new<F: RadiusField<D>>(field: &F, domain: Bounds<D>, darts: u32) -> Self {
        Self {
            todo: vec![domain],
            darts,
            // Any disk as wide as the detail then holds one of the smallest boxes whole.
            finest: 0.5 * field.mask_detail().unwrap_or(0.0) / (D as f64).sqrt(),
        }
    }

    /// The next place that `fits`, and what `fits` said of it. `covered` tells whether a box
    /// lies wholly within one accepted point's reach, given the least distance in the box.
    pub(crate) fn next<F: RadiusField<D>, T>(
        &mut self,
        field: &F,
        rng: &mut Draws,
        covered: impl Fn(&Bounds<D>, f64) -> bool,
        mut fits: impl FnMut([f64; D]) -> Option<T>,
    ) -> Option<T> {
        while let Some(place) = self.todo.pop() {
            let Some(local) = field.range_in(&place) else {
                continue;
            };
            if covered(&place, local.range.lo()) {
                continue;
            }
            let open = local.coverage == Coverage::All;
            for _ in 0..if open { self.darts } else { 1 } {
                if let Some(found) = fits(dart(&place, rng)) {
                    // What the new front leaves of a partly open box is looked at again.
                    if !open {
                        self.todo.push(place);
                    }
                    return Some(found);
                }
            }
            if !open && place.longest_side() > self.finest {
                self.todo
                    .extend((0..1 << D).rev().filter_map(|i| place.corner(i)));
            }
        }
        None
    }
}

/// A uniform place in a box.
fn dart<const D: usize>(place: &Bounds<D>, rng: &mut Draws) -> [f64; D] {
    let (min, size) = (place.min(), place.size());
    std::array::from_fn(|a| min[a] + rng.unit() * size[a])
}
