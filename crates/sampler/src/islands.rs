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
use density::{Bounds, Coverage, DistRange, RadiusField};

/// A box is even when its distances differ by no more than this factor: from the densest
/// place, candidates are thrown up to twice the distance there.
const EVEN: f64 = 1.5;

/// A box is no strip when its shortest side is this many distances long.
const ROOMY: f64 = 2.0;

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
    pub(crate) fn new(field: &dyn RadiusField<D>, domain: Bounds<D>, darts: u32) -> Self {
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
    pub(crate) fn next<T>(
        &mut self,
        field: &dyn RadiusField<D>,
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
            let even = open && is_even(&place, local.range);
            let darts = if even {
                self.darts_for(&place, least)
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
                halves(place, &mut self.todo);
            }
        }
        None
    }

    /// Darts for an even box: it is not looked at more closely, so a rest of it that is still
    /// open should be hit.
    fn darts_for(&self, place: &Bounds<D>, least: f64) -> u32 {
        let room: f64 = place.size().iter().map(|side| side / least).product();
        // The cast saturates.
        ((DARTS * room) as u32).clamp(1, self.darts)
    }
}

/// Whether a front started anywhere in an open box would fill it: its distances differ little,
/// and it is not a strip, in which a front dies for want of places to throw to; or it is small.
fn is_even<const D: usize>(place: &Bounds<D>, range: DistRange) -> bool {
    let shortest = place.size().into_iter().fold(f64::INFINITY, f64::min);
    let roomy = shortest >= ROOMY * range.hi() || place.longest_side() <= range.lo();
    range.hi() <= EVEN * range.lo() && roomy
}

/// Adds the halves of a box along each axis that is more than half as long as the longest, so
/// that what comes of a long box are squares, not ever thinner strips.
fn halves<const D: usize>(place: Bounds<D>, todo: &mut Vec<Bounds<D>>) {
    let (size, middle) = (place.size(), place.center());
    let start = todo.len();
    todo.push(place);
    for axis in (0..D).filter(|&a| 2.0 * size[a] > place.longest_side()) {
        for i in start..todo.len() {
            let (min, max) = (todo[i].min(), todo[i].max());
            let (mut below, mut above) = (max, min);
            below[axis] = middle[axis];
            above[axis] = middle[axis];
            let (lower, upper) = (Bounds::new(min, below), Bounds::new(above, max));
            // A box too small to be halved stays as it is; it ends the search by its size.
            if let (Ok(lower), Ok(upper)) = (lower, upper) {
                todo[i] = upper;
                todo.push(lower);
            }
        }
    }
}

/// A uniform place in a box. Its upper ends are outside: in a box a few doubles wide rounding
/// would reach them.
fn dart<const D: usize>(place: &Bounds<D>, rng: &mut Draws) -> [f64; D] {
    let (min, max, size) = (place.min(), place.max(), place.size());
    std::array::from_fn(|a| (min[a] + rng.unit() * size[a]).min(max[a].next_down()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `fuzz/found/sample/thinnest_domain`: points lay on the upper end, which is outside.
    #[test]
    fn darts_stay_inside_the_thinnest_box() {
        let mut rng = Draws::new(1);
        for width in [5e-324, 1e-323, 1e-300] {
            let place = Bounds::from_size([width, 6720.0]).expect("a box");
            for _ in 0..1000 {
                assert!(place.contains(dart(&place, &mut rng)), "{width}");
            }
        }
    }
}
