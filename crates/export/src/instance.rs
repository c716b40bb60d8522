//! Points as instances in the one frame of which every engine's is made.

use crate::column::Table;
use crate::{Columns, ExportError, Header, Stance};
use density::YAxis;
use sampler::Sample;
use std::collections::BTreeMap;

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

/// All instances of a file, in the memory: formats with one array per property need them so.
///
/// Places are kept relative to a pivot in the middle of the domain, so that their 32-bit floats
/// are as good in a far part of a world as near its origin.
#[derive(Debug)]
pub(crate) struct Held {
    output: &'static str,
    placer: Placer,
    pivot: Place,
    layers: BTreeMap<u32, Vec<Instance>>,
    names: Vec<String>,
    count: usize,
    most: usize,
}

impl Held {
    pub(crate) fn new<const D: usize>(
        output: &'static str,
        header: &Header<D>,
        most: usize,
    ) -> Self {
        let placer = Placer::new(header);
        let [low, high] = placer.domain(header);
        // A 32-bit float itself: readers that keep no better lose nothing.
        let pivot = [0, 1, 2].map(|k| {
            let middle = (low[k] * 0.5 + high[k] * 0.5) as f32;
            if middle.is_finite() {
                f64::from(middle)
            } else {
                0.0
            }
        });
        Self {
            output,
            placer,
            pivot,
            layers: BTreeMap::new(),
            names: header.layers.clone(),
            count: 0,
            most,
        }
    }

    /// Adds a point.
    pub(crate) fn add<const D: usize>(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let output = self.output;
        let mut instance = self.placer.instance(sample)?;
        if self.count == self.most {
            return Err(ExportError::TooManyPoints {
                output,
                limit: self.most,
            });
        }
        instance.place = [0, 1, 2].map(|k| instance.place[k] - self.pivot[k]);
        let numbers = instance
            .place
            .into_iter()
            .chain([instance.min_dist, instance.value]);
        for value in numbers {
            if !(value as f32).is_finite() {
                return Err(ExportError::BeyondSingle {
                    output,
                    id: instance.id,
                    value,
                });
            }
        }
        let layer = self.layers.entry(instance.layer).or_default();
        layer.try_reserve(1).map_err(|_| ExportError::Io {
            output,
            source: std::io::ErrorKind::OutOfMemory.into(),
        })?;
        layer.push(instance);
        self.count += 1;
        Ok(())
    }

    /// Where the instances' places are counted from.
    pub(crate) fn pivot(&self) -> Place {
        self.pivot
    }

    /// The layers that have instances, by number.
    pub(crate) fn layers(&self) -> impl ExactSizeIterator<Item = Layer<'_>> {
        self.layers.iter().map(|(&number, instances)| Layer {
            number,
            instances,
            name: self.names.get(number as usize).map(String::as_str),
        })
    }
}

/// The instances of one layer, in the order of writing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<'a> {
    pub(crate) number: u32,
    pub(crate) instances: &'a [Instance],
    name: Option<&'a str>,
}

impl Layer<'_> {
    /// What it is called, for people.
    pub(crate) fn name(self) -> String {
        let numbered = || format!("layer_{}", self.number);
        self.name.map_or_else(numbered, str::to_owned)
    }

    /// What it is called where only letters, digits and `_` may stand: its number first, so
    /// that no two are alike.
    pub(crate) fn identifier(self) -> String {
        format!("layer_{}{}", self.number, self.suffix())
    }

    /// `_` and its name in letters, digits and `_`; nothing when it has none.
    pub(crate) fn suffix(self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name = self.name.into_iter().flat_map(str::chars).map(plain);
        self.name.map(|_| '_').into_iter().chain(name).collect()
    }

    /// A colour to tell it from others, linear red, green and blue.
    pub(crate) fn colour(self) -> [f32; 3] {
        const PALETTE: [[f32; 3]; 8] = [
            [0.05, 0.25, 0.05],
            [0.45, 0.10, 0.03],
            [0.03, 0.12, 0.45],
            [0.50, 0.35, 0.02],
            [0.25, 0.04, 0.35],
            [0.02, 0.35, 0.35],
            [0.45, 0.04, 0.20],
            [0.20, 0.20, 0.20],
        ];
        PALETTE[self.number as usize % PALETTE.len()]
    }

    /// The size of the layer's placeholder: its height, and its radius at the foot. Instances
    /// never touch.
    pub(crate) fn placeholder(self) -> [f64; 2] {
        let least = self
            .instances
            .iter()
            .map(|i| i.min_dist)
            .filter(|d| *d > 0.0)
            .fold(f64::INFINITY, f64::min);
        let least = if least.is_finite() { least } else { 1.0 };
        [0.75 * least, 0.25 * least]
    }
}
