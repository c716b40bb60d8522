//! The JSON of a binary glTF, and the arrays that it describes.

use crate::colour::linear;
use crate::held::{Layer, y_up};
use crate::instance::Instance;
use serde_json::{Value, json};
use std::io::{self, Write};

const UNSIGNED_SHORT: u32 = 5123;
const FLOAT: u32 = 5126;

/// The pyramid's faces: four sides and two halves of the base, anticlockwise seen from outside.
const FACES: [u16; 18] = [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 3, 2, 0, 2, 1];

/// A property stored in one array: its name, glTF's names for its component type and its shape, and
/// a function that appends its bytes.
struct Property {
    name: &'static str,
    kind: u32,
    shape: &'static str,
    write: fn(&Instance, &mut Vec<u8>),
}

fn floats<const N: usize>(numbers: [f32; N], bytes: &mut Vec<u8>) {
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

const PROPERTIES: [Property; 7] = [
    Property {
        name: "TRANSLATION",
        kind: FLOAT,
        shape: "VEC3",
        write: |i, bytes| floats(y_up(i.place).map(|n| n as f32), bytes),
    },
    Property {
        name: "ROTATION",
        kind: FLOAT,
        shape: "VEC4",
        // The change of axes is a rotation, not a mirroring, so the vector part follows it.
        write: |i, bytes| {
            let [east, north, up, real] = i.quaternion();
            let [x, y, z] = y_up([east, north, up]);
            floats([x, y, z, real].map(|n| n as f32), bytes);
        },
    },
    Property {
        name: "SCALE",
        kind: FLOAT,
        shape: "VEC3",
        write: |i, bytes| floats([i.scale as f32; 3], bytes),
    },
    Property {
        name: "_ID",
        kind: UNSIGNED_SHORT,
        shape: "VEC4",
        write: |i, bytes| bytes.extend_from_slice(&i.id.to_le_bytes()),
    },
    Property {
        name: "_LAYER",
        kind: FLOAT,
        shape: "SCALAR",
        write: |i, bytes| floats([i.layer as f32], bytes),
    },
    Property {
        name: "_RADIUS",
        kind: FLOAT,
        shape: "SCALAR",
        write: |i, bytes| floats([i.min_dist as f32], bytes),
    },
    Property {
        name: "_VALUE",
        kind: FLOAT,
        shape: "SCALAR",
        write: |i, bytes| floats([i.value as f32], bytes),
    },
];

const RANK: Property = Property {
    name: "_RANK",
    kind: FLOAT,
    shape: "SCALAR",
    write: |i, bytes| floats([i.rank.unwrap_or(0) as f32], bytes),
};

fn properties(layer: Layer<'_>) -> impl Iterator<Item = Property> {
    let ranked = layer.instances.iter().all(|i| i.rank.is_some());
    PROPERTIES.into_iter().chain(ranked.then_some(RANK))
}

/// Returns the pyramid's corners: four on the ground, and the top.
fn corners(layer: Layer<'_>) -> [[f32; 3]; 5] {
    let [height, radius] = layer.placeholder().map(|n| n as f32);
    [
        [-radius, 0.0, radius],
        [radius, 0.0, radius],
        [radius, 0.0, -radius],
        [-radius, 0.0, -radius],
        [0.0, height, 0.0],
    ]
}

/// Writes the arrays of a layer, in the order in which [`Document::add`] describes them.
pub(super) fn body(out: &mut impl Write, layer: Layer<'_>) -> io::Result<()> {
    let mut bytes = Vec::new();
    for corner in corners(layer) {
        floats(corner, &mut bytes);
    }
    for corner in FACES {
        bytes.extend_from_slice(&corner.to_le_bytes());
    }
    out.write_all(&bytes)?;
    for property in properties(layer) {
        for instance in layer.instances {
            bytes.clear();
            (property.write)(instance, &mut bytes);
            out.write_all(&bytes)?;
        }
    }
    Ok(())
}

/// The document under construction. All arrays have lengths that are multiples of four.
pub(super) struct Document {
    pivot: [f64; 3],
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    accessors: Vec<Value>,
    views: Vec<Value>,
    length: usize,
}

impl Document {
    pub(super) fn new(pivot: [f64; 3]) -> Self {
        Self {
            pivot,
            nodes: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            accessors: Vec::new(),
            views: Vec::new(),
            length: 0,
        }
    }

    /// Returns the number of bytes of all arrays.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Describes the array of the next `length` bytes. Returns the index of its accessor.
    fn array(&mut self, mut accessor: Value, target: Option<u32>, length: usize) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": self.length, "byteLength": length});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        accessor["bufferView"] = self.views.len().into();
        self.views.push(view);
        self.accessors.push(accessor);
        self.length += length;
        self.accessors.len() - 1
    }

    /// Describes the arrays, mesh, material and node of a layer.
    pub(super) fn add(&mut self, layer: Layer<'_>) {
        let name = layer.name();
        let [_, right, _, _, top] = corners(layer);
        let positions = json!({
            "componentType": FLOAT, "type": "VEC3", "count": 5,
            "min": [-right[0], 0.0, -right[2]], "max": [right[0], top[1], right[2]],
        });
        let positions = self.array(positions, Some(34_962), 5 * 12);
        let faces = json!({
            "componentType": UNSIGNED_SHORT, "type": "SCALAR", "count": FACES.len(),
        });
        let faces = self.array(faces, Some(34_963), FACES.len() * 2);
        let [red, green, blue] = linear(layer.colour);
        self.materials.push(json!({
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, 1.0],
                "metallicFactor": 0.0,
            },
        }));
        self.meshes.push(json!({
            "name": name,
            "primitives": [{
                "attributes": {"POSITION": positions},
                "indices": faces,
                "material": self.materials.len() - 1,
            }],
        }));
        let mut attributes = json!({});
        let count = layer.instances.len();
        for property in properties(layer) {
            let accessor = json!({
                "componentType": property.kind, "type": property.shape, "count": count,
            });
            let numbers = match property.shape {
                "VEC4" => 4,
                "VEC3" => 3,
                _ => 1,
            };
            let size = if property.kind == FLOAT { 4 } else { 2 };
            let accessor = self.array(accessor, None, count * numbers * size);
            attributes[property.name] = accessor.into();
        }
        self.nodes.push(json!({
            "name": name,
            "mesh": self.meshes.len() - 1,
            "extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}},
        }));
    }

    /// Returns the whole document. glTF forbids empty lists, so they are left out if there are no
    /// points.
    pub(super) fn json(self, run: &Value) -> Value {
        let count = self.nodes.len();
        let mut root = json!({"name": "spinney", "translation": self.pivot});
        let mut document = json!({
            "asset": {
                "version": "2.0",
                "generator": format!("spinney {}", env!("CARGO_PKG_VERSION")),
                "extras": {"spinney": run},
            },
            "scene": 0,
            "scenes": [{"nodes": [0]}],
        });
        if count > 0 {
            root["children"] = (1..=count).collect();
            let extension = json!(["EXT_mesh_gpu_instancing"]);
            document["extensionsUsed"] = extension.clone();
            document["extensionsRequired"] = extension;
            document["meshes"] = self.meshes.into();
            document["materials"] = self.materials.into();
            document["accessors"] = self.accessors.into();
            document["bufferViews"] = self.views.into();
            document["buffers"] = json!([{"byteLength": self.length}]);
        }
        let mut nodes = vec![root];
        nodes.extend(self.nodes);
        document["nodes"] = nodes.into();
        document
    }
}
