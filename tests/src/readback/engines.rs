//! Reads the engines' formats by each engine's documented axes: seen from above, with north at the
//! top of the screen.

use super::Pose;
use serde_json::Value;

/// A point on the screen of the file's program.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its id.
    pub id: u64,
    /// Position to the right, world units.
    pub right: f64,
    /// Position down the screen, world units.
    pub down: f64,
    /// Height towards the eye, world units.
    pub up: f64,
    /// The minimum distance, world units.
    pub min_dist: f64,
    /// The map's value.
    pub value: f64,
    /// The number of the layer.
    pub layer: u32,
    /// The level of detail.
    pub rank: Option<u32>,
    /// Rotation, degrees counter-clockwise seen from above.
    pub turn: f64,
    /// Orientation of the object.
    pub pose: Pose,
    /// Scale, 1 as modelled.
    pub scale: f64,
}

fn float(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn small(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a whole number")).expect("a u32")
}

fn id(value: &Value) -> u64 {
    match value.as_str() {
        Some(digits) => digits.parse().expect("an id"),
        None => value.as_u64().expect("an id"),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// Reads `GeoJSON`: x to the right, y upwards.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn seen_geojson(bytes: &[u8]) -> Vec<Seen> {
    let document: Value = serde_json::from_slice(bytes).expect("JSON");
    assert_eq!(document["type"], "FeatureCollection");
    assert!(document["spinney"]["rule"].is_string());
    let feature = |feature: &Value| {
        assert_eq!(feature["type"], "Feature");
        assert_eq!(feature["geometry"]["type"], "Point");
        let place = list(&feature["geometry"]["coordinates"]);
        let about = &feature["properties"];
        Seen {
            id: id(&about["id"]),
            right: float(&place[0]),
            down: -float(&place[1]),
            up: place.get(2).map_or(0.0, float),
            min_dist: float(&about["min_dist"]),
            value: float(&about["value"]),
            layer: about.get("layer").map_or(0, small),
            rank: about.get("rank").map(small),
            turn: about.get("rotation").map_or(0.0, float),
            pose: Pose::LEVEL,
            scale: about.get("scale").map_or(1.0, float),
        }
    };
    list(&document["features"]).iter().map(feature).collect()
}

/// Reads Unity: x to the right, z up the screen, y towards the eye; shares of the terrain's size.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn seen_unity(bytes: &[u8]) -> Vec<Seen> {
    let document: Value = serde_json::from_slice(bytes).expect("JSON");
    let terrain = &document["terrain"];
    let tree = |tree: &Value| {
        let [x, y, z] = ["x", "y", "z"].map(|axis| {
            let share = float(&tree["position"][axis]);
            assert!((0.0..=1.0).contains(&share), "{share} is off the terrain");
            float(&terrain["position"][axis]) + share * float(&terrain["size"][axis])
        });
        assert_eq!(tree["widthScale"], tree["heightScale"]);
        let (sin, cos) = (0.5 * float(&tree["rotation"])).sin_cos();
        let quaternion = match tree.get("orientation") {
            Some(q) => ["x", "y", "z", "w"].map(|part| float(&q[part])),
            None => [0.0, sin, 0.0, cos],
        };
        let right_and_up = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let pose = Pose::of_quaternion(quaternion, right_and_up, |[x, y, z]| [x, -z, y]);
        Seen {
            id: id(&tree["id"]),
            right: x,
            down: -z,
            up: y,
            min_dist: float(&tree["minDist"]),
            value: float(&tree["value"]),
            layer: small(&tree["prototypeIndex"]),
            rank: tree.get("rank").map(small),
            turn: pose.turn(),
            pose,
            scale: float(&tree["widthScale"]),
        }
    };
    list(&document["treeInstances"]).iter().map(tree).collect()
}

/// Reads Unreal: X to the right, Y down the screen, Z towards the eye; centimetres.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn seen_unreal(bytes: &[u8]) -> Vec<Seen> {
    let mut reader = csv::Reader::from_reader(bytes);
    let names = reader.headers().expect("names").clone();
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record.expect("a row");
        let field = |name: &str| {
            let at = names.iter().position(|n| n == name).expect("a column");
            record.get(at).expect("a field").to_owned()
        };
        let number = |name: &str| field(name).parse::<f64>().expect("a number");
        let axis = |name: &str, axis: &str| {
            let field = field(name);
            let mut parts = field.trim_matches(['(', ')']).split(',');
            let part = parts.find_map(|part| part.strip_prefix(axis));
            part.expect("an axis").parse::<f64>().expect("a number")
        };
        let [x, y, z] = ["X=", "Y=", "Z="].map(|name| axis("Location", name) / 100.0);
        let pose = Pose::of_rotator(["Pitch=", "Yaw=", "Roll="].map(|n| axis("Rotation", n)));
        let scale = axis("Scale", "Z=");
        Seen {
            id: field("Name")
                .strip_prefix('p')
                .and_then(|digits| digits.parse().ok())
                .expect("an id"),
            right: x,
            down: y,
            up: z,
            min_dist: number("MinDist") / 100.0,
            value: number("Value"),
            layer: number("Layer") as u32,
            rank: (number("Rank") >= 0.0).then_some(number("Rank") as u32),
            turn: pose.turn(),
            pose,
            scale,
        }
    };
    reader.records().map(row).collect()
}

/// Reads glTF: X to the right, Z down the screen, Y towards the eye.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn seen_glb(bytes: &[u8]) -> Vec<Seen> {
    let word =
        |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!([word(4), word(8)], [2, bytes.len()]);
    assert_eq!(&bytes[16..20], b"JSON");
    let json = word(12);
    let document: Value = serde_json::from_slice(&bytes[20..20 + json]).expect("JSON");
    let body = bytes.get(20 + json + 8..).unwrap_or_default();
    let get = |number: &Value| {
        let accessor = &document["accessors"][number.as_u64().expect("an index") as usize];
        let view = &document["bufferViews"][small(&accessor["bufferView"]) as usize];
        let [offset, length] =
            ["byteOffset", "byteLength"].map(|key| view[key].as_u64().expect("bytes") as usize);
        let count = accessor["count"].as_u64().expect("a count") as usize;
        assert_eq!((offset % 4, length % count), (0, 0));
        body[offset..offset + length]
            .chunks_exact(length / count)
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    let floats = |bytes: &[u8]| {
        let four = |b: &[u8]| f32::from_le_bytes(b.try_into().expect("four bytes"));
        bytes
            .chunks_exact(4)
            .map(four)
            .map(f64::from)
            .collect::<Vec<_>>()
    };
    let nodes = list(&document["nodes"]);
    let pivot: Vec<f64> = list(&nodes[0]["translation"]).iter().map(float).collect();
    let mut seen = Vec::new();
    for node in &nodes[1..] {
        let attributes = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
        let [place, turn, scale, name] =
            ["TRANSLATION", "ROTATION", "SCALE", "_ID"].map(|key| get(&attributes[key]));
        let [layer, radius, value] =
            ["_LAYER", "_RADIUS", "_VALUE"].map(|key| get(&attributes[key]));
        let rank = attributes.get("_RANK").map(get);
        for i in 0..place.len() {
            let [x, y, z] = [0, 1, 2].map(|k| pivot[k] + floats(&place[i])[k]);
            let quaternion = floats(&turn[i]).try_into().expect("four numbers");
            let right_and_up = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
            let pose = Pose::of_quaternion(quaternion, right_and_up, |[x, y, z]| [x, z, y]);
            seen.push(Seen {
                id: u64::from_le_bytes(name[i].as_slice().try_into().expect("eight bytes")),
                right: x,
                down: z,
                up: y,
                min_dist: floats(&radius[i])[0],
                value: floats(&value[i])[0],
                layer: floats(&layer[i])[0] as u32,
                rank: rank.as_ref().map(|rank| floats(&rank[i])[0] as u32),
                turn: pose.turn(),
                pose,
                scale: floats(&scale[i])[1],
            });
        }
    }
    seen
}

/// Returns the numbers between `before` and the next `end`.
pub(super) fn numbers(text: &str, before: &str, end: &str) -> Vec<f64> {
    let after = text.split_once(before).expect(before).1;
    let inside = after.split_once(end).expect("an end").0;
    inside
        .split([',', '(', ')', ' '])
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().expect("a number"))
        .collect()
}

pub(super) fn ids(text: &str, before: &str, end: &str) -> Vec<u64> {
    let after = text.split_once(before).expect(before).1;
    let inside = after.split_once(end).expect("an end").0;
    inside
        .split(", ")
        .filter(|word| !word.is_empty())
        .map(|word| word.parse::<i64>().expect("an id") as u64)
        .collect()
}

/// Reads USD with z upwards: X to the right, Y up the screen, Z towards the eye.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn seen_usda(bytes: &[u8]) -> Vec<Seen> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    assert!(text.starts_with("#usda 1.0\n") && text.contains("upAxis = \"Z\""));
    let pivot = numbers(text, "double3 xformOp:translate = ", "\n");
    let places = numbers(text, "point3f[] positions = [", "]");
    let turns = numbers(text, "quath[] orientations = [", "]");
    let scales = numbers(text, "float3[] scales = [", "]");
    let [min_dist, value, layer] = [
        "float[] primvars:min_dist",
        "float[] primvars:value",
        "int64[] primvars:layer",
    ]
    .map(|name| numbers(text, &format!("{name} = ["), "]"));
    let rank = text
        .contains("primvars:rank")
        .then(|| numbers(text, "int64[] primvars:rank = [", "]"));
    let ids = ids(text, "int64[] ids = [", "]");
    let pose = |i: usize| {
        let [w, x, y, z] = [0, 1, 2, 3].map(|k| turns[4 * i + k]);
        let right_and_up = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        Pose::of_quaternion([x, y, z, w], right_and_up, |[x, y, z]| [x, -y, z])
    };
    let one = |(i, id): (usize, &u64)| Seen {
        id: *id,
        right: pivot[0] + places[3 * i],
        down: -(pivot[1] + places[3 * i + 1]),
        up: pivot[2] + places[3 * i + 2],
        min_dist: min_dist[i],
        value: value[i],
        layer: layer[i] as u32,
        rank: rank.as_ref().map(|rank| rank[i] as u32),
        turn: pose(i).turn(),
        pose: pose(i),
        scale: scales[3 * i],
    };
    ids.iter().enumerate().map(one).collect()
}

/// Reads Godot: x to the right, z down the screen, y towards the eye.
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn seen_godot(bytes: &[u8]) -> Vec<Seen> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let pivot = numbers(text, "transform = Transform3D(", ")").split_off(9);
    let mut seen = Vec::new();
    for part in text
        .split("[sub_resource type=\"MultiMesh\" id=\"multimesh_")
        .skip(1)
    {
        let layer = part.split_once('"').expect("a layer").0;
        let ids = ids(
            text,
            &format!("metadata/ids_{layer} = PackedInt64Array("),
            ")",
        );
        let buffer = numbers(part, "PackedFloat32Array(", ")");
        assert_eq!(buffer.len(), 16 * ids.len());
        assert!(part.contains(&format!("instance_count = {}\n", ids.len())));
        for (row, id) in buffer.chunks_exact(16).zip(ids) {
            let scale = (row[0] * row[0] + row[4] * row[4] + row[8] * row[8]).sqrt();
            // Images of the x and the y axis, the columns of the matrix.
            let [east, upright] =
                [0, 1].map(|k| [row[k], row[8 + k], row[4 + k]].map(|n| n / scale));
            let pose = Pose { east, upright };
            seen.push(Seen {
                id,
                right: pivot[0] + row[3],
                down: pivot[2] + row[11],
                up: pivot[1] + row[7],
                min_dist: row[12],
                value: row[13],
                layer: row[14] as u32,
                rank: (row[15] >= 0.0).then_some(row[15] as u32),
                turn: pose.turn(),
                pose,
                scale,
            });
        }
    }
    seen
}

/// Reads `GeoParquet`, with the geometry of [`seen_geojson`].
///
/// # Panics
/// If the file does not follow the writer's documentation.
pub fn seen_parquet(bytes: &[u8]) -> Vec<Seen> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use std::collections::BTreeMap;
    let file = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes)).expect("Parquet");
    let keys = file.metadata().file_metadata().key_value_metadata();
    assert!(keys.expect("keys").iter().any(|pair| pair.key == "geo"));
    let row = |row: parquet::errors::Result<parquet::record::Row>| {
        let row = row.expect("a row");
        let cells: BTreeMap<&str, &Field> = row
            .get_column_iter()
            .map(|(name, cell)| (name.as_str(), cell))
            .collect();
        let Field::Bytes(wkb) = cells["geometry"] else {
            panic!("WKB")
        };
        let wkb = wkb.data();
        let kind = u32::from_le_bytes(wkb[1..5].try_into().expect("four bytes"));
        let place: Vec<f64> = wkb[5..]
            .chunks_exact(8)
            .map(|b| f64::from_le_bytes(b.try_into().expect("eight bytes")))
            .collect();
        assert_eq!(
            (wkb[0], kind, place.len()),
            (1, if place.len() == 2 { 1 } else { 1001 }, place.len())
        );
        let number = |name: &str| match cells[name] {
            Field::Double(number) => *number,
            other => panic!("{name} is {other}"),
        };
        let small = |name: &str| match cells.get(name) {
            Some(Field::UInt(number)) => Some(*number),
            None | Some(Field::Null) => None,
            other => panic!("{name} is {other:?}"),
        };
        let Field::ULong(id) = cells["id"] else {
            panic!("an id")
        };
        Seen {
            id: *id,
            right: place[0],
            down: -place[1],
            up: place.get(2).copied().unwrap_or(0.0),
            min_dist: number("min_dist"),
            value: number("value"),
            layer: small("layer").unwrap_or(0),
            rank: small("rank"),
            turn: cells.get("rotation").map_or(0.0, |_| number("rotation")),
            pose: Pose::LEVEL,
            scale: cells.get("scale").map_or(1.0, |_| number("scale")),
        }
    };
    file.get_row_iter(None).expect("rows").map(row).collect()
}
