//! Points as instances in the one frame of which every engine's is made.

use crate::column::Table;
use crate::{Columns, ExportError, Header, Stance};
use density::YAxis;
use sampler::Sample;

/// A place: how far east, how far north and how far up, world units.
pub(crate) type Place = [f64; 3];

/// One instance of whatever stands at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Instance {
    pub(crate) id: u64,
    pub(crate) place: Place,
    pub(crate) min_dist: f64,
    pub(crate) value: f64,
    /// 0 when there is only one.
    pub(crate) layer: u32,
    pub(crate) rank: Option<u32>,
    /// About the upright axis, degrees against the clock seen from above.
    pub(crate) turn: f64,
    /// Where the upright axis is tilted to after that: the ground's normal, a unit vector.
    pub(crate) up: Place,
    pub(crate) scale: f64,
}

impl Instance {
    /// The turn and then the tilt as one unit quaternion: the parts along east, north and up,
    /// and the real part.
    pub(crate) fn quaternion(&self) -> [f64; 4] {
        let half = self.turn.to_radians() * 0.5;
        let (sin, cos) = (libm::sin(half), libm::cos(half));
        // The shortest way from upright to `up`, halved: (1 + cos, up x normal).
        let [x, y, w] = [0.0 - self.up[1], self.up[0], 1.0 + self.up[2]];
        let length = (x * x + y * y + w * w).sqrt();
        let [x, y, w] = [x, y, w].map(|n| n / length);
        [x * cos + y * sin, y * cos - x * sin, w * sin, w * cos]
    }

    /// Where the turn and the tilt take the axes: three unit vectors, of what was east, north
    /// and up.
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

/// From coordinates to places.
///
/// x runs east. y runs up a map that is read with y upwards, so that it is north; in a picture
/// it runs down, so that north is its negative. z is up. Nothing else is moved, so that files
/// of parts of a world fit each other.
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
            table: Table::new(
                D,
                &Header {
                    columns: Columns::default(),
                    ..header.clone()
                },
            ),
            heights: header.placing.ground.as_ref().map(|ground| ground.range()),
            stance: header.placing.stance,
        }
    }

    /// Whether things may be tilted.
    pub(crate) fn tilts(&self) -> bool {
        self.stance == Stance::Normal
    }

    pub(crate) fn place(&self, [x, y, z]: [f64; 3]) -> Place {
        let north = match self.y_axis {
            YAxis::Up => y,
            // Not `-y`: a zero stays without a sign.
            YAxis::Down => 0.0 - y,
        };
        [x, north, z]
    }

    /// How many coordinates a place has: flat ones on the ground have a height.
    pub(crate) fn axes<const D: usize>(&self) -> usize {
        if self.heights.is_some() { 3 } else { D }
    }

    /// The lowest and the highest place of the domain.
    pub(crate) fn domain<const D: usize>(&self, header: &Header<D>) -> [Place; 2] {
        let [low, high] = self.heights.unwrap_or_default();
        let corner = |p: [f64; D], flat: f64| {
            let axis = |k: usize, other: f64| p.get(k).copied().unwrap_or(other);
            self.place([axis(0, 0.0), axis(1, 0.0), axis(2, flat)])
        };
        let (a, b) = (
            corner(header.domain.min(), low),
            corner(header.domain.max(), high),
        );
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
