//! Transforms of the instances at points: rotation, scale and ground.

use crate::{Footing, Ground};
use density::DistRange;
use density::numbers::plain;
use sampler::Sample;
use std::sync::Arc;
use thiserror::Error;

/// The transforms of the instances at points. Formats with instances store transforms; the others
/// have columns `rotation`, `scale`, and with a ground `height`, `normal_x`, `normal_y`, `normal_z`
/// and `slope`.
///
/// On a ground, flat points have its height in every format with a third coordinate. Instances that
/// follow the normal are tilted in the transforms only: `rotation` is about the upright axis,
/// before the tilt.
///
/// Everything depends on the point alone, mostly on its `id`: the same point has the same transform
/// in every window, run and file.
///
/// ```
/// # use spinney_export as export;
/// use export::{Placing, Scale, ScaleBy, Turn};
/// use sampler::Sample;
///
/// let placing = Placing {
///     turn: Turn::Random,
///     scale: Some(Scale::new(0.5, 1.5, ScaleBy::Value)?),
///     ..Placing::default()
/// };
/// let position = [2.5, 0.1];
/// let tree = Sample { id: 7, position, min_dist: 4.0, value: 0.25, parent: None, rank: None, layer: None };
/// assert_eq!(placing.scale_of(&tree), 0.75);
/// // The angle depends on the id and the seed alone: moved, the tree keeps it.
/// let moved = Sample { position: [9.0, 9.0], ..tree };
/// assert_eq!(placing.turn_of(&moved), placing.turn_of(&tree));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placing {
    /// The seed of random rotations and scales.
    pub seed: u64,
    /// The rotation about the upright axis.
    pub turn: Turn,
    /// The scale; `None` means 1.
    pub scale: Option<Scale>,
    /// The ground under the points.
    pub ground: Option<Arc<Ground>>,
    /// The orientation on the ground.
    pub stance: Stance,
}

/// The orientation of instances on a ground.
///
/// ```
/// # use spinney_export as export;
/// use density::{Bounds, PixelGrid};
/// use export::{Ground, Placing, Stance, YAxis};
/// use sampler::Sample;
/// use std::sync::Arc;
///
/// // A slope that rises to the east, one unit in each.
/// let grid = PixelGrid::of_corners([11, 11], Bounds::from_size([10.0, 10.0])?, YAxis::Up)?;
/// let ground = Arc::new(Ground::from_fn(grid, |x, _| Some(f64::from(x)))?);
/// let placing = Placing { ground: Some(ground), stance: Stance::Normal, ..Placing::default() };
/// let position = [2.5, 5.0];
/// let tuft = Sample { id: 7, position, min_dist: 4.0, value: 0.25, parent: None, rank: None, layer: None };
/// let footing = placing.placed(&tuft).footing;
/// assert!(footing.is_some_and(|footing| footing.height == 2.5 && (footing.slope - 45.0).abs() < 1e-9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stance {
    /// Upright, as trees do.
    #[default]
    Upright,
    /// At right angles to the ground, as grass and stones do; upright where there is no ground.
    Normal,
}

/// The rotation of instances about the upright axis.
///
/// See [`Placing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// No rotation.
    #[default]
    Keep,
    /// A random angle for each point.
    Random,
}

/// A range of scales.
///
/// See [`Placing`].
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    lo: f64,
    hi: f64,
    /// The quantity that decides between the ends.
    pub by: ScaleBy,
}

/// The quantity that decides the scale of an instance.
///
/// ```
/// # use spinney_export as export;
/// use density::DistRange;
/// use export::{Placing, Scale, ScaleBy};
/// use sampler::Sample;
///
/// let range = DistRange::new(2.0, 6.0)?;
/// let by = ScaleBy::MinDist(vec![range]);
/// let placing = Placing { scale: Some(Scale::new(1.0, 3.0, by)?), ..Placing::default() };
/// let position = [2.5, 0.1];
/// let tree = Sample { id: 7, position, min_dist: 4.0, value: 0.5, parent: None, rank: None, layer: None };
/// assert_eq!(placing.scale_of(&tree), 2.0);
/// // There is no range for a second layer.
/// assert_eq!(placing.scale_of(&Sample { layer: Some(1), ..tree }), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ScaleBy {
    /// A random number for each point, uniform between the ends.
    #[default]
    Random,
    /// The point's value: `lo` at black (0), `hi` at white (1).
    Value,
    /// The point's `min_dist`: `lo` at the least of its layer's range, `hi` at the greatest. One range
    /// for each layer, by number; `lo` for points of other layers.
    MinDist(Vec<DistRange>),
}

/// The error of an invalid range of scales.
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
    /// Creates a range of scales from `lo` to `hi`; 1 is the size as modelled.
    ///
    /// # Errors
    /// If an end is not positive and finite as a 32-bit float, or `lo` is above `hi`.
    pub fn new(lo: f64, hi: f64, by: ScaleBy) -> Result<Self, ScaleError> {
        let good = |x: f64| x as f32 > 0.0 && (x as f32).is_finite();
        if good(lo) && good(hi) && lo <= hi {
            Ok(Self { lo, hi, by })
        } else {
            Err(ScaleError { lo, hi })
        }
    }
}

/// Independent random numbers of one point.
#[derive(Clone, Copy)]
enum Draw {
    Turn = 1,
    Scale = 2,
}

/// The transform of one instance, as computed by [`Placing`].
///
/// See [`Placing`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Rotation, see [`Placing::turn_of`].
    pub turn: f64,
    /// Scale, see [`Placing::scale_of`].
    pub scale: f64,
    /// Ground, see [`Placing::footing_of`].
    pub footing: Option<Footing>,
}

impl Placing {
    /// Returns rotation, scale and ground together.
    pub fn placed<const D: usize>(&self, sample: &Sample<D>) -> Placed {
        Placed {
            turn: self.turn_of(sample),
            scale: self.scale_of(sample),
            footing: self.footing_of(sample),
        }
    }

    /// Returns the rotation of the instance at a point, degrees in [0, 360), anticlockwise seen
    /// from above.
    pub fn turn_of<const D: usize>(&self, sample: &Sample<D>) -> f64 {
        match self.turn {
            Turn::Keep => 0.0,
            Turn::Random => 360.0 * self.unit(sample.id, Draw::Turn),
        }
    }

    /// Returns the scale of the instance at a point; 1 is the size as modelled.
    pub fn scale_of<const D: usize>(&self, sample: &Sample<D>) -> f64 {
        let Some(scale) = &self.scale else {
            return 1.0;
        };
        let share = match &scale.by {
            ScaleBy::Random => self.unit(sample.id, Draw::Scale),
            ScaleBy::Value => sample.value,
            ScaleBy::MinDist(ranges) => {
                let range = ranges.get(sample.layer.unwrap_or(0) as usize);
                let share =
                    |range: &DistRange| (sample.min_dist - range.lo()) / (range.hi() - range.lo());
                let wide = range.filter(|range| range.hi() > range.lo());
                wide.map_or(0.0, share)
            }
        };
        scale.lo + (scale.hi - scale.lo) * share.clamp(0.0, 1.0)
    }

    /// Returns the ground under a point; `None` without a ground, or where it has no heights.
    pub fn footing_of<const D: usize>(&self, sample: &Sample<D>) -> Option<Footing> {
        let axis = |k: usize| sample.position.get(k).copied().unwrap_or(0.0);
        self.ground.as_ref()?.footing([axis(0), axis(1)])
    }

    /// Returns a random number in [0, 1) for a point: the finalizer of `SplitMix64` (Steele, Lea
    /// and Flood 2014), applied twice, so that neighbouring ids and seeds are uncorrelated.
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
        // 1,000 in each box, within five standard deviations.
        for count in boxes.into_iter().flatten() {
            assert!((850..1150).contains(&count), "{boxes:?}");
        }
        let other = Placing {
            seed: 1,
            ..placing.clone()
        };
        assert_ne!(other.turn_of(&sample(7)), placing.turn_of(&sample(7)));
    }

    /// Files of different versions must fit each other: these numbers must not change.
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
        let flat = DistRange::new(4.0, 4.0).expect("good");
        let by_dist = by(ScaleBy::MinDist(vec![range, flat]));
        assert_eq!(by_dist.scale_of(&sample(3)), 1.5);
        for layer in [1, 2] {
            let layer = Some(layer);
            assert_eq!(by_dist.scale_of(&Sample { layer, ..sample(3) }), 1.0);
        }
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
