//! Instances in the common frame from which each engine's frame is derived.

use crate::column::Table;
use crate::{ExportError, Header, Stance};
use density::{Bounds, YAxis};
use sampler::Sample;

/// A place: coordinates east, north and up, world units.
pub(crate) type Place = [f64; 3];

/// One instance of the object at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Instance {
    pub(crate) id: u64,
    pub(crate) place: Place,
    pub(crate) min_dist: f64,
    pub(crate) value: f64,
    /// 0 if there is only one layer.
    pub(crate) layer: u32,
    pub(crate) rank: Option<u32>,
    /// Rotation about the upright axis, degrees, anticlockwise seen from above.
    pub(crate) turn: f64,
    /// Direction to which the upright axis is then tilted: the ground's normal, a unit vector.
    pub(crate) up: Place,
    pub(crate) scale: f64,
}

impl Instance {
    /// Returns the turn followed by the tilt as one unit quaternion: the components east, north and
    /// up, then the real part.
    pub(crate) fn quaternion(&self) -> [f64; 4] {
        let half = self.turn.to_radians() * 0.5;
        let (sin, cos) = (libm::sin(half), libm::cos(half));
        // The shortest rotation from upright to `up`, not yet normalised: (1 + cos, upright x up).
        let [x, y, w] = [0.0 - self.up[1], self.up[0], 1.0 + self.up[2]];
        let length = (x * x + y * y + w * w).sqrt();
        let [x, y, w] = [x, y, w].map(|n| n / length);
        [x * cos + y * sin, y * cos - x * sin, w * sin, w * cos]
    }

    /// Returns the east, north and up axes after the turn and the tilt: three unit vectors.
    pub(crate) fn axes(&self) -> [Place; 3] {
        let [x, y, z, w] = self.quaternion();
        [
            [
                w * w + x * x - y * y - z * z,
                2.0 * (x * y + w * z),
                2.0 * (x * z - w * y),
            ],
            [
                2.0 * (x * y - w * z),
                w * w - x * x + y * y - z * z,
                2.0 * (y * z + w * x),
            ],
            [
                2.0 * (x * z + w * y),
                2.0 * (y * z - w * x),
                w * w - x * x - y * y + z * z,
            ],
        ]
    }
}

/// Converts coordinates to places.
///
/// x runs east. On a map with y upwards y runs north; in a picture y runs down, so that north is
/// -y. z is up. There is no offset, so that files of parts of a world fit each other.
#[derive(Debug)]
pub(crate) struct Placer {
    y_axis: YAxis,
    table: Table,
    /// The lowest and the highest height of the ground.
    heights: Option<[f64; 2]>,
    stance: Stance,
}

impl Placer {
    pub(crate) fn new<const D: usize>(header: &Header<D>) -> Self {
        Self {
            y_axis: header.y_axis,
            table: Table::new(D, header),
            heights: header.placing.ground.as_ref().map(|ground| ground.range()),
            stance: header.placing.stance,
        }
    }

    /// Returns `true` if instances may be tilted.
    pub(crate) fn tilts(&self) -> bool {
        self.stance == Stance::Normal
    }

    pub(crate) fn place(&self, [x, y, z]: [f64; 3]) -> Place {
        let north = match self.y_axis {
            YAxis::Up => y,
            // Not `-y`, which would turn 0 into -0.
            YAxis::Down => 0.0 - y,
        };
        [x, north, z]
    }

    /// Returns the number of coordinates of a place: flat points on a ground have a height.
    pub(crate) fn axes<const D: usize>(&self) -> usize {
        if self.heights.is_some() { 3 } else { D }
    }

    /// Returns the lowest and the highest corner of a box, as places.
    pub(crate) fn corners<const D: usize>(&self, bounds: &Bounds<D>) -> [Place; 2] {
        let [low, high] = self.heights.unwrap_or_default();
        let corner = |p: [f64; D], flat: f64| {
            let axis = |k: usize, other: f64| p.get(k).copied().unwrap_or(other);
            self.place([axis(0, 0.0), axis(1, 0.0), axis(2, flat)])
        };
        let (a, b) = (corner(bounds.min(), low), corner(bounds.max(), high));
        let pair = [0, 1, 2].map(|k| (a[k].min(b[k]), a[k].max(b[k])));
        [pair.map(|p| p.0), pair.map(|p| p.1)]
    }

    pub(crate) fn instance<const D: usize>(
        &self,
        sample: &Sample<D>,
    ) -> Result<Instance, ExportError> {
        let entry = self.table.entry(sample)?;
        let normal = entry.placed.footing.map(|footing| footing.normal);
        Ok(Instance {
            id: sample.id,
            place: self.place(entry.place()),
            min_dist: sample.min_dist,
            value: sample.value,
            layer: sample.layer.unwrap_or(0),
            rank: sample.rank,
            turn: entry.placed.turn,
            up: match (self.stance, normal) {
                (Stance::Normal, Some(normal)) => self.place(normal),
                _ => [0.0, 0.0, 1.0],
            },
            scale: entry.placed.scale,
        })
    }
}
