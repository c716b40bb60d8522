//! Where a front of points must be started: once in every place that no front reaches.
//!
//! A front cannot cross a gap in a mask that is wider than twice its points' distance, nor
//! enter a sparse place from a much denser one: what it throws lands too near. So the domain
//! is searched once, by halving, for open places. A box is not halved when the field says
//! that it is closed, or open and so even that a front started anywhere in it would have
//! filled it; a uniform domain without a mask is one such box, and what remains is the classic
//! algorithm with its one first point.
//!
//! ```text
//!   +-------+---+---+     closed        not looked at
//!   |       | o |   |     even, open    some darts: one that lands starts a front
//!   | even  +---+-+-+     covered       by one point's reach: nothing can land
//!   |       |   |_|_|     mixed         one dart, then halved
//!   +-------+---+-+-+
//! ```

use crate::rng::Draws;
use density::{Bounds, Coverage, RadiusField};

/// A box is even when its distances differ by no more than this factor: from the densest
/// place, candidates are thrown up to twice the distance there.
const EVEN: f64 = 1.5;

/// An open box this many of its own distances wide is not halved for being uneven.
const LEAST_SIDE: f64 = 1.0;

/// Darts for each point that an even box might hold.
const DARTS: f64 = 8.0;

/// The search, between two fronts.
#[derive(Clone, Debug)]
pub(crate) struct Islands<const D: usize> {
    todo: Vec<Bounds<D>>,
    /// The most darts thrown into one box.
    darts: u32,
    /// A box this small is not halved for its mask: the field says that it has no finer
    /// detail.
    finest: f64,
}

impl<const D: usize> Islands<D> {
    pub(crate) fn new<F: RadiusField<D>>(field: &F, domain: Bounds<D>, darts: u32) -> Self {
        Self {
            todo: vec![domain],
            darts,
            // Any square as wide as the detail then holds one of the smallest boxes whole.
            finest: 0.5 * field.mask_detail().unwrap_or(0.0),
        }
    }

    /// What `fits` says of the next place that it says something of; it is told the least
    /// distance around the place. `covered` tells whether a box lies wholly within one point's
    /// reach, given the least distance in the box.
    pub(crate) fn next<F: RadiusField<D>, T>(
        &mut self,
        field: &F,
        rng: &mut Draws,
        covered: impl Fn(&Bounds<D>, f64) -> bool,
        mut fits: impl FnMut([f64; D], f64) -> Option<T>,
    ) -> Option<T> {
        while let Some(place) = self.todo.pop() {
            let Some(local) = field.range_in(&place) else {
                continue;
            };
            let (least, side) = (local.range.lo(), place.longest_side());
            if covered(&place, least) {
                continue;
            }
            let open = local.coverage == Coverage::All;
            let even = open && local.range.hi() <= EVEN * least;
            let darts = if even {
                self.darts_for(side / least)
            } else {
                1
            };
            let landed = (0..darts).find_map(|_| fits(dart(&place, rng), least));
            if landed.is_some() {
                // What the new front leaves of an uneven box is looked at again.
                if !even {
                    self.todo.push(place);
                }
                return landed;
            }
            let halve = if open {
                !even && side > LEAST_SIDE * field.min_dist(place.center()).unwrap_or(least)
            } else {
                side > self.finest
            };
            if halve {
                self.todo
                    .extend((0..1 << D).rev().filter_map(|i| place.corner(i)));
            }
        }
        None
    }

    /// Darts for an even box that is `width` distances wide: it is not looked at more closely,
    /// so a rest of it that is still open should be hit.
    fn darts_for(&self, width: f64) -> u32 {
        let room: f64 = (0..D).map(|_| width).product();
        // The cast saturates.
        ((DARTS * room) as u32).clamp(1, self.darts)
    }
}

/// A uniform place in a box.
fn dart<const D: usize>(place: &Bounds<D>, rng: &mut Draws) -> [f64; D] {
    let (min, size) = (place.min(), place.size());
    std::array::from_fn(|a| min[a] + rng.unit() * size[a])
}
