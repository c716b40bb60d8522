//! Writes trees for a Unity terrain.

use crate::column::{MAX_EXACT_DOUBLE, check_dimension, within};
use crate::instance::{Place, Placer};
use crate::sink::Sink;
use crate::{ExportError, Header, Ids, PointWriter};
use sampler::Sample;
use serde::Serialize;
use serde_json::Value;
use std::io::{BufWriter, Write};

const OUTPUT: &str = "Unity JSON";

/// The writer of [`Format::Unity`](crate::Format::Unity).
#[derive(Debug)]
pub(crate) struct UnityWriter<const D: usize, W: Write> {
    placer: Placer,
    ids: Ids,
    low: Place,
    size: Place,
    sink: Sink<BufWriter<W>>,
    separator: &'static [u8],
}

#[derive(Serialize)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

impl From<Place> for Vector {
    fn from([east, north, up]: Place) -> Self {
        Self {
            x: east,
            y: up,
            z: north,
        }
    }
}

#[derive(Serialize)]
struct Quaternion {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
}

impl From<[f64; 4]> for Quaternion {
    /// Negates the vector part: Unity's frame is mirrored, which reverses all angles.
    fn from([east, north, up, real]: [f64; 4]) -> Self {
        Self {
            x: 0.0 - east,
            y: 0.0 - up,
            z: 0.0 - north,
            w: real,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tree {
    position: Vector,
    prototype_index: u32,
    width_scale: f64,
    height_scale: f64,
    rotation: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    orientation: Option<Quaternion>,
    /// In quotes if ids are hashed.
    id: Value,
    min_dist: f64,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
}

impl<const D: usize, W: Write> UnityWriter<D, W> {
    /// Starts a file about the run of `header`. Buffers its output.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3, or the output fails to take the beginning.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        check_dimension::<D>(OUTPUT)?;
        let placer = Placer::new(header);
        let [low, high] = placer.domain(header);
        let size = [0, 1, 2].map(|k| high[k] - low[k]);
        let mut sink = Sink::new(OUTPUT, BufWriter::new(out));
        sink.run(|out| {
            let [position, size] = [low, size].map(|p| serde_json::to_string(&Vector::from(p)));
            write!(
                out,
                "{{\"spinney\":{},\n\"terrain\":{{\"position\":{},\"size\":{}}},\n\"treeInstances\":[",
                header.json()?,
                position?,
                size?
            )
        })?;
        Ok(Self {
            placer,
            ids: header.columns.ids,
            low,
            size,
            sink,
            separator: b"\n",
        })
    }
}

impl<const D: usize, W: Write> PointWriter<D> for UnityWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let instance = self.placer.instance(sample)?;
        let id: Value = match self.ids {
            Ids::Counted => within(OUTPUT, "id", instance.id, MAX_EXACT_DOUBLE)?.into(),
            Ids::Hashed => instance.id.to_string().into(),
        };
        let share = [0, 1, 2].map(|k| {
            if self.size[k] > 0.0 {
                (instance.place[k] - self.low[k]) / self.size[k]
            } else {
                0.0
            }
        });
        // Clockwise, like all angles in left-handed frames with y upwards.
        let clockwise = if instance.turn > 0.0 {
            360.0 - instance.turn
        } else {
            0.0
        };
        let tree = Tree {
            position: share.into(),
            prototype_index: instance.layer,
            width_scale: instance.scale,
            height_scale: instance.scale,
            rotation: clockwise.to_radians(),
            orientation: self.placer.tilts().then(|| instance.quaternion().into()),
            id,
            min_dist: instance.min_dist,
            value: instance.value,
            rank: instance.rank,
        };
        let separator = std::mem::replace(&mut self.separator, b",\n");
        self.sink.run(|out| {
            out.write_all(separator)?;
            Ok(serde_json::to_writer(out, &tree)?)
        })
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(|out| {
            out.write_all(b"\n]}\n")?;
            out.flush()
        })
    }
}
