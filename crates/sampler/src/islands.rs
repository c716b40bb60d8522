//! Finds the places where a front of points must start: one in each island that no front reaches.
//!
//! A front cannot cross a gap in a mask that is wider than twice its points' distance, nor enter a sparse
//! place from a much denser one: its candidates lie too near. A dense patch in much sparser ground is seldom
//! hit. So the domain is searched once, by halving, for open places. A box is not halved if the field is
//! closed there, or open and so even that a front started anywhere in the box fills it. A uniform domain
//! without a mask is one such box: the search is then the classic algorithm with its one first point.
//!
//! ```text
//!   +-------+---+---+     closed        not looked at
//!   |       | o |   |     even, open    some darts: one that lands starts a front
//!   | even  +---+-+-+     covered       by one point's reach: nothing can land
//!   |       |   |_|_|     mixed         one dart, then halved; the smallest: one open place
//!   +-------+---+-+-+
//! ```

use crate::boxes::{halves, volume_in_radii};
use crate::mask::{mask_detail, place_left_open};
use crate::rng::Draws;
use density::{Bounds, Coverage, DistRange, RadiusField};

/// A box is even if its distances differ by at most this factor: from the densest place,
/// candidates reach up to twice the distance there.
const EVEN: f64 = 1.5;

/// A box is no strip if its shortest side is this many distances long.
const ROOMY: f64 = 2.0;

/// An uneven open box is halved until it is at most this many of its least distances wide, or as wide as the
/// distance at its centre, if that is less. Dense patches of twice this width are found in sparse ground.
const LEAST_SIDE: f64 = 2.0;

/// The side of the smallest boxes where the detail of a mask is unknown, in least distances.
const UNKNOWN_DETAIL: f64 = 1.0 / 64.0;

/// Darts for each point that an even box might hold.
const DARTS: f64 = 8.0;

/// Maximum number of boxes looked at, in a run and for each of its points. The bounds of a region may never narrow:
/// without a limit, it would be halved for hours.
const MOST_BOXES: u64 = 1 << 22;
const BOXES_PER_POINT: u64 = 1 << 12;

/// A search for an open place in one of the smallest boxes counts as so many boxes.
const NARROWING: u64 = 8;

/// The state of the search between two fronts.
#[derive(Clone, Debug)]
pub(crate) struct Islands<const D: usize> {
    todo: Vec<Bounds<D>>,
    /// Maximum number of darts in one box.
    darts: u32,
    /// A box with sides up to this is not halved for its mask, which has no finer detail.
    finest: f64,
    /// Number of boxes looked at.
    looked: u64,
}

impl<const D: usize> Islands<D> {
    pub(crate) fn new(field: &dyn RadiusField<D>, domain: Bounds<D>, darts: u32) -> Self {
        Self {
            todo: vec![domain],
            darts,
            // Any square as wide as the detail then contains one of the smallest boxes. A field without a detail may
            // call every box partly open; halving ends at this size.
            finest: match mask_detail(field) {
                Some(detail) => 0.5 * detail,
                None => UNKNOWN_DETAIL * field.range().lo(),
            },
            looked: 0,
        }
    }

    /// Returns `true` unless [`next`](Self::next) gave up before it had looked everywhere.
    pub(crate) fn is_done(&self) -> bool {
        self.todo.is_empty()
    }

    /// Returns the first `Some` of `fits`, which is called with a place and the least distance
    /// around it. `covered` returns `true` if a box, given the least distance in it, lies
    /// wholly within one point's reach.
    pub(crate) fn next<T>(
        &mut self,
        field: &dyn RadiusField<D>,
        rng: &mut Draws,
        points: u64,
        covered: impl Fn(&Bounds<D>, f64) -> bool,
        mut fits: impl FnMut([f64; D], f64) -> Option<T>,
    ) -> Option<T> {
        while self.looked < MOST_BOXES + BOXES_PER_POINT * points {
            let place = self.todo.pop()?;
            self.looked += 1;
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
                // The new front may leave part of an uneven box open.
                if !even {
                    self.todo.push(place);
                }
                return landed;
            }
            let halve = if open {
                !even && {
                    let middle = field.min_dist(place.center()).unwrap_or(least);
                    side > middle.min(LEAST_SIDE * least)
                }
            } else {
                side > self.finest
            };
            if halve {
                halves(place, &mut self.todo);
            } else if !open {
                self.looked += NARROWING;
                let landed = place_left_open(field, &place, 0).and_then(|p| fits(p, least));
                if landed.is_some() {
                    return landed;
                }
            }
        }
        None
    }

    /// Returns the number of darts for an even box. It is not halved, so the darts should hit
    /// any part of it that is still open.
    fn darts_for(&self, place: &Bounds<D>, least: f64) -> u32 {
        // The cast saturates.
        ((DARTS * volume_in_radii(place, least)) as u32).clamp(1, self.darts)
    }
}

/// Returns `true` if a front started anywhere in an open box would fill it: its distances
/// differ little, and it is small or no strip. In a strip a front dies for want of room for
/// candidates.
fn is_even<const D: usize>(place: &Bounds<D>, range: DistRange) -> bool {
    let shortest = place.size().into_iter().fold(f64::INFINITY, f64::min);
    let roomy = shortest >= ROOMY * range.hi() || place.longest_side() <= range.lo();
    range.hi() <= EVEN * range.lo() && roomy
}

/// Returns a uniformly random place in a box. The upper ends are outside: in a box a few
/// doubles wide rounding would reach them.
fn dart<const D: usize>(place: &Bounds<D>, rng: &mut Draws) -> [f64; D] {
    let (min, max, size) = (place.min(), place.max(), place.size());
    std::array::from_fn(|a| (min[a] + rng.unit() * size[a]).min(max[a].next_down()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `fuzz/found/sample/thinnest_domain`: the upper end is outside of a box.
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
