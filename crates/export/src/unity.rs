//! Writes trees for a Unity terrain.

use crate::column::{MAX_EXACT_DOUBLE, within};
use crate::instance::{Place, Placer};
use crate::text::{self, Text};
use crate::{ExportError, Header, Ids};
use serde::Serialize;
use serde_json::{Value, json};

const OUTPUT: &str = "Unity JSON";

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

/// Returns the text of [`Format::Unity`](crate::Format::Unity).
pub(crate) fn text<const D: usize>(header: &Header<D>) -> Result<Text<D>, ExportError> {
    let (placer, ids) = (Placer::new(header), header.columns.ids);
    let [low, high] = placer.corners(&header.domain);
    let size = [0, 1, 2].map(|k| high[k] - low[k]);
    let terrain = json!({"position": Vector::from(low), "size": Vector::from(size)});
    Ok(Text {
        head: format!(
            "{{\"spinney\":{},\n\"terrain\":{terrain},\n\"treeInstances\":[",
            header.json(OUTPUT)?
        ),
        before: ["\n", ",\n"],
        point: Box::new(move |sample, out| {
            let instance = placer.instance(sample)?;
            let id: Value = match ids {
                Ids::Counted => within(OUTPUT, "id", instance.id, MAX_EXACT_DOUBLE)?.into(),
                Ids::Hashed => instance.id.to_string().into(),
            };
            let share = [0, 1, 2].map(|k| {
                if size[k] > 0.0 {
                    (instance.place[k] - low[k]) / size[k]
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
                orientation: placer.tilts().then(|| instance.quaternion().into()),
                id,
                min_dist: instance.min_dist,
                value: instance.value,
                rank: instance.rank,
            };
            text::json(OUTPUT, &tree, out)
        }),
        tail: "\n]}\n",
    })
}
