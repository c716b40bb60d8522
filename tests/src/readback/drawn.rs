//! Reads the object that a program draws at each point, which belongs to the point's layer.

use super::engines::{ids, numbers};
use serde_json::Value;

/// The object at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The point's id.
    pub id: u64,
    /// The name of the object's mesh, prototype or node.
    pub name: String,
    /// Its colour, red, green and blue.
    pub colour: Vec<f64>,
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("an index")).expect("small")
}

/// Reads glTF: the meshes of the nodes, and their materials' colours.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn drawn_glb(bytes: &[u8]) -> Vec<Drawn> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let end = 20 + word(12) as usize;
    let document: Value = serde_json::from_slice(&bytes[20..end]).expect("JSON");
    let body = &bytes[end + 8..];
    let mut drawn = Vec::new();
    for node in document["nodes"].as_array().expect("nodes") {
        let Some(mesh) = node.get("mesh") else {
            continue;
        };
        let mesh = &document["meshes"][index(mesh)];
        let material = &document["materials"][index(&mesh["primitives"][0]["material"])];
        let colour = &material["pbrMetallicRoughness"]["baseColorFactor"];
        let colour: Vec<f64> = colour
            .as_array()
            .expect("a colour")
            .iter()
            .map(|n| n.as_f64().expect("a number"))
            .collect();
        let name = mesh["name"].as_str().expect("a name");
        assert_eq!(node["name"], name);
        assert_eq!(material["name"], name);
        let ids = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["_ID"];
        let view = &document["accessors"][index(ids)]["bufferView"];
        let view = &document["bufferViews"][index(view)];
        let start = index(&view["byteOffset"]);
        for id in body[start..start + index(&view["byteLength"])].chunks_exact(8) {
            drawn.push(Drawn {
                id: u64::from_le_bytes(id.try_into().expect("eight bytes")),
                name: name.to_owned(),
                colour: colour[..3].to_vec(),
            });
        }
    }
    drawn
}

/// Reads USD: the prototypes named by `protoIndices`, and the colours of their contents.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn drawn_usda(bytes: &[u8]) -> Vec<Drawn> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let list = text.split_once("rel prototypes = [").expect("a list").1;
    let paths = list.split_once(']').expect("an end").0;
    let prototypes: Vec<Drawn> = paths
        .split(", ")
        .map(|path| {
            let name = path
                .strip_prefix("</spinney/Prototypes/")
                .and_then(|path| path.strip_suffix('>'))
                .expect("a path");
            let scope = text.split_once("def Scope \"Prototypes\"").expect("them").1;
            let begin = format!("def Xform \"{name}\"");
            let inside = scope.split_once(&begin).expect("a prototype").1;
            Drawn {
                id: 0,
                name: name.to_owned(),
                colour: numbers(inside, "primvars:displayColor = [", "]"),
            }
        })
        .collect();
    let of = numbers(text, "int[] protoIndices = [", "]");
    let ids = ids(text, "int64[] ids = [", "]");
    assert_eq!(of.len(), ids.len());
    ids.into_iter()
        .zip(of)
        .map(|(id, of)| Drawn {
            id,
            ..prototypes[of as usize].clone()
        })
        .collect()
}

/// Reads Godot: the nodes with their multimeshes, and the materials of the meshes.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn drawn_godot(bytes: &[u8]) -> Vec<Drawn> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let resource = |id: &str| {
        let begin = format!("id=\"{id}\"]\n");
        let after = text.split_once(&begin).expect("a resource").1;
        after.split_once("\n\n").expect("an end").0
    };
    let inner = |text: &str, key: &str| {
        let after = text
            .split_once(&format!("{key} = SubResource(\""))
            .expect(key);
        after.1.split_once('"').expect("an end").0.to_owned()
    };
    let mut drawn = Vec::new();
    for node in text.split("\n[node name=\"").skip(1) {
        let Some((name, rest)) = node.split_once("\" type=\"MultiMeshInstance3D\"") else {
            continue;
        };
        let multimesh = inner(rest, "multimesh");
        let mesh = inner(resource(&multimesh), "mesh");
        let material = inner(resource(&mesh), "material");
        let colour = numbers(resource(&material), "albedo_color = Color(", ")");
        let layer = multimesh.strip_prefix("multimesh_").expect("a number");
        let begin = format!("metadata/ids_{layer} = PackedInt64Array(");
        for id in ids(text, &begin, ")") {
            drawn.push(Drawn {
                id,
                name: name.to_owned(),
                colour: colour[..3].to_vec(),
            });
        }
    }
    drawn
}
