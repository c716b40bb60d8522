//! A layer's field without the places too near to points of earlier layers.

use super::obstacles::{Left, Obstacles};
use crate::probe::probe;
use density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};
use std::sync::atomic::{AtomicBool, Ordering};

/// Distances that differ by no more than this factor are bounds that say something.
const TELLING: f64 = 1.5;

/// A gap between obstacles this many times smaller than the least distance is no more looked
/// for than one between a layer's own points.
const DETAIL: f64 = 1.0 / 1024.0;

/// A field that closes what obstacles are too near to.
#[derive(Debug)]
pub(super) struct KeepingOff<'f, const D: usize, F> {
    field: &'f F,
    /// `None`: the layer has no earlier one to keep off.
    obstacles: Option<Obstacles<D>>,
    /// Where all obstacles are known that matter there; `None`: everywhere.
    known: Option<Bounds<D>>,
    /// Whether a place outside was asked for.
    asked_beyond: AtomicBool,
}

impl<'f, const D: usize, F: RadiusField<D>> KeepingOff<'f, D, F> {
    /// `known` is where `obstacles` are all that matter, `None` when that is everywhere.
    pub(super) fn new(
        field: &'f F,
        obstacles: Option<Obstacles<D>>,
        known: Option<Bounds<D>>,
    ) -> Self {
        Self {
            field,
            known: known.filter(|_| obstacles.is_some()),
            obstacles,
            asked_beyond: AtomicBool::new(false),
        }
    }

    /// Whether any answer was a guess for want of obstacles.
    pub(super) fn has_guessed(&self) -> bool {
        self.asked_beyond.load(Ordering::Relaxed)
    }

    /// Whether all obstacles are known that matter in a box.
    fn knows(&self, place: &Bounds<D>) -> bool {
        self.known.as_ref().is_none_or(|known| {
            (0..D).all(|a| known.min()[a] <= place.min()[a] && place.max()[a] <= known.max()[a])
        })
    }

    /// The range in a box of a field that cannot bound itself, as the engine asks for it. `None`
    /// when no point may lie at any place asked, and the box is too small for its mask to be worth
    /// a closer look.
    fn probed(&self, place: &Bounds<D>) -> Option<DistRange> {
        probe(self.field, place).or_else(|| {
            let closed = |detail| place.longest_side() <= 0.5 * detail;
            let range = Some(self.field.range());
            range.filter(|_| !self.field.mask_detail().is_some_and(closed))
        })
    }
}

impl<const D: usize, F: RadiusField<D>> RadiusField<D> for KeepingOff<'_, D, F> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        let min_dist = self.field.min_dist(p)?;
        let Some(obstacles) = &self.obstacles else {
            return Some(min_dist);
        };
        if let Some(known) = &self.known
            && !known.contains(p)
        {
            self.asked_beyond.store(true, Ordering::Relaxed);
        }
        (!obstacles.are_near(p, min_dist)).then_some(min_dist)
    }

    /// A hair wider than the field's own: bounds as wide as that of a box tell the engine that
    /// the field cannot bound itself, while this one can even when its distance is one.
    fn range(&self) -> DistRange {
        let range = self.field.range();
        if self.obstacles.is_none() {
            return range;
        }
        // 0 is no distance, but nothing so small passes the engine's checks.
        DistRange::new(range.lo().next_down(), range.hi()).unwrap_or(range)
    }

    /// The distances are the field's own: what is closed must not change how finely space is
    /// divided, which decides where points are thrown.
    fn range_in(&self, place: &Bounds<D>) -> Option<LocalRange> {
        let local = self.field.range_in(place)?;
        let Some(obstacles) = &self.obstacles else {
            return Some(local);
        };
        let own = self.field.range();
        let at_a_loss = local.range == own
            && (own.hi() > TELLING * own.lo() || local.coverage == Coverage::Part);
        let range = if at_a_loss {
            self.probed(place)?
        } else {
            local.range
        };
        let left = match obstacles.left(place, &range) {
            Left::Nothing => return None,
            Left::All if self.knows(place) && !at_a_loss => Left::All,
            Left::All | Left::Some => Left::Some,
        };
        Some(LocalRange {
            range: if at_a_loss { self.range() } else { local.range },
            coverage: if left == Left::All {
                local.coverage
            } else {
                Coverage::Part
            },
        })
    }

    fn value(&self, p: [f64; D]) -> f64 {
        self.field.value(p)
    }

    fn mask_detail(&self) -> Option<f64> {
        let own = self.field.mask_detail();
        if self.obstacles.is_none() {
            return own;
        }
        let fine = DETAIL * self.field.range().lo();
        Some(own.map_or(fine, |own| own.min(fine)))
    }

    fn closed_balls(&self, place: &Bounds<D>, least: f64, visit: &mut dyn FnMut([f64; D], f64)) {
        if let Some(obstacles) = &self.obstacles {
            obstacles.near(place, least, visit);
        }
    }
}
