//! How things stand at the points: turned, sized, and on what ground.

use crate::{Footing, Ground};
use density::DistRange;
use density::numbers::plain;
use sampler::Sample;
use std::sync::Arc;
use thiserror::Error;

/// What is made of a point besides its place: the transforms of instances in the formats that
/// have them, and columns in the others: `rotation`, `scale`, and with a ground `height`,
/// `normal_x`, `normal_y`, `normal_z` and `slope`. On a ground, flat points are as high as it is
/// in every format that has a third coordinate. What stands by the normal is tilted in the
/// transforms only: `rotation` is always about what was upright before.
///
/// All of it follows from the point alone, its `id` above all: the same point is turned and
/// sized the same in every window, run and file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placing {
    /// Another seed turns and sizes the same points differently.
    pub seed: u64,
    /// How things are turned.
    pub turn: Turn,
    /// How large they are; `None` leaves them as they are.
    pub scale: Option<Scale>,
    /// What they stand on.
    pub ground: Option<Arc<Ground>>,
    /// How they stand on it.
    pub stance: Stance,
}

/// How things stand on a ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stance {
    /// Upright, as trees do.
    #[default]
    Upright,
    /// At right angles to the ground, as grass and stones do; upright where there is none.
    Normal,
}

/// How things are turned about the upright axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// Not at all.
    #[default]
    Keep,
    /// By any angle, each point by its own.
    Random,
}

/// How large things are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    lo: f64,
    hi: f64,
    /// What decides between the ends.
    pub by: ScaleBy,
}

/// What decides how large a thing is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ScaleBy {
    /// Chance, each point's own, uniform between the ends.
    #[default]
    Random,
    /// The point's value: `lo` at black (0), `hi` at white (1).
    Value,
    /// The point's `min_dist`: `lo` at the least of the range, `hi` at the greatest.
    MinDist(DistRange),
}

/// Why a range of scales was refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "scales must be positive, finite 32-bit floats, the first not above the second, but are {lo}..{hi}",
    lo = plain(*lo), hi = plain(*hi)
)]
pub struct ScaleError {
    /// The lower end as given.
    pub lo: f64,
    /// The upper end as given.
    pub hi: f64,
}

impl Scale {
    /// Scales between `lo` and `hi`, 1 being the size as modelled.
    ///
    /// # Errors
    /// When an end is not positive and finite as a 32-bit float, or `lo` is above `hi`.
    pub fn new(lo: f64, hi: f64, by: ScaleBy) -> Result<Self, ScaleError> {
        let good = |x: f64| x as f32 > 0.0 && (x as f32).is_finite();
        if good(lo) && good(hi) && lo <= hi {
            Ok(Self { lo, hi, by })
        } else {
            Err(ScaleError { lo, hi })
        }
    }

    /// The lower end.
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// The upper end.
    pub fn hi(&self) -> f64 {
        self.hi
    }
}

/// Draws of a point that must not be the same.
#[derive(Clone, Copy)]
enum Draw {
    Turn = 1,
    Scale = 2,
}

/// What [`Placing`] makes of one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// As [`Placing::turn_of`].
    pub turn: f64,
    /// As [`Placing::scale_of`].
    pub scale: f64,
    /// As [`Placing::footing_of`].
    pub footing: Option<Footing>,
}

impl Placing {
    /// Everything at once.
    pub fn placed<const D: usize>(&self, sample: &Sample<D>) -> Placed {
        Placed {
            turn: self.turn_of(sample),
            scale: self.scale_of(sample),
            footing: self.footing_of(sample),
        }
    }

    /// How far the thing at a point is turned, degrees in [0, 360), against the clock seen from
    /// above.
    pub fn turn_of<const D: usize>(&self, sample: &Sample<D>) -> f64 {
        match self.turn {
            Turn::Keep => 0.0,
            Turn::Random => 360.0 * self.unit(sample.id, Draw::Turn),
        }
    }

    /// How large the thing at a point is, 1 being as modelled.
    pub fn scale_of<const D: usize>(&self, sample: &Sample<D>) -> f64 {
        let Some(scale) = self.scale else {
            return 1.0;
        };
        let share = match scale.by {
            ScaleBy::Random => self.unit(sample.id, Draw::Scale),
            ScaleBy::Value => sample.value,
            ScaleBy::MinDist(range) => {
                let wide = range.hi() - range.lo();
                if wide > 0.0 {
                    (sample.min_dist - range.lo()) / wide
                } else {
                    0.0
                }
            }
        };
        scale.lo + (scale.hi - scale.lo) * share.clamp(0.0, 1.0)
    }

    /// The ground under a point; `None` without one, or where it has no heights.
    pub fn footing_of<const D: usize>(&self, sample: &Sample<D>) -> Option<Footing> {
        let axis = |k: usize| sample.position.get(k).copied().unwrap_or(0.0);
        self.ground.as_ref()?.footing([axis(0), axis(1)])
    }

    /// A number in [0, 1) that is the point's own: the finalizer of `SplitMix64` (Steele, Lea
    /// and Flood 2014), twice, so that neighbouring ids and seeds have nothing in common.
    fn unit(&self, id: u64, draw: Draw) -> f64 {
        let hash = mixed(mixed(self.seed ^ (draw as u64).wrapping_mul(GOLDEN)) ^ id);
        (hash >> 11) as f64 / (1_u64 << 53) as f64
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(z: u64) -> u64 {
    let z = z.wrapping_add(GOLDEN);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(id: u64) -> Sample<2> {
        Sample {
            id,
            position: [0.0, 0.0],
            min_dist: 5.0,
            value: 0.25,
            parent: None,
            rank: None,
            layer: None,
        }
    }

    #[test]
    fn turns_and_sizes_are_spread_evenly_and_have_nothing_in_common() {
        let scale = Scale::new(0.5, 1.5, ScaleBy::Random).expect("good");
        let placing = Placing {
            turn: Turn::Random,
            scale: Some(scale),
            ..Placing::default()
        };
        let mut boxes = [[0_u32; 4]; 4];
        for id in 0..16_000 {
            let turn = placing.turn_of(&sample(id));
            let size = placing.scale_of(&sample(id)) - 0.5;
            assert!((0.0..360.0).contains(&turn) && (0.0..1.0).contains(&size));
            boxes[(turn / 90.0) as usize][(size * 4.0) as usize] += 1;
        }
        // 1,000 in each, five standard deviations.
        for count in boxes.into_iter().flatten() {
            assert!((850..1150).contains(&count), "{boxes:?}");
        }
        let other = Placing {
            seed: 1,
            ..placing.clone()
        };
        assert_ne!(other.turn_of(&sample(7)), placing.turn_of(&sample(7)));
    }

    /// Files of one version must fit those of the next: these numbers do not change.
    #[test]
    fn a_point_keeps_its_turn() {
        let placing = Placing {
            turn: Turn::Random,
            ..Placing::default()
        };
        let turns = [0, 1, u64::MAX].map(|id| placing.turn_of(&sample(id)));
        assert_eq!(
            turns,
            [
                99.444_089_620_042_06,
                131.312_571_539_500_54,
                76.942_386_777_278_63
            ]
        );
    }

    #[test]
    fn sizes_follow_what_they_should() {
        let by = |by| Placing {
            scale: Some(Scale::new(1.0, 3.0, by).expect("good")),
            ..Placing::default()
        };
        assert_eq!(by(ScaleBy::Value).scale_of(&sample(3)), 1.5);
        let range = DistRange::new(4.0, 8.0).expect("good");
        assert_eq!(by(ScaleBy::MinDist(range)).scale_of(&sample(3)), 1.5);
        let flat = DistRange::new(4.0, 4.0).expect("good");
        assert_eq!(by(ScaleBy::MinDist(flat)).scale_of(&sample(3)), 1.0);
        assert_eq!(Placing::default().scale_of(&sample(3)), 1.0);
        for (lo, hi) in [
            (0.0, 1.0),
            (-1.0, 1.0),
            (2.0, 1.0),
            (1.0, f64::NAN),
            (1.0, 1e39),
        ] {
            assert!(Scale::new(lo, hi, ScaleBy::Random).is_err(), "{lo}..{hi}");
        }
    }
}
