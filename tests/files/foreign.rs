//! Foreign tools read every format. Each needs a Python with that tool; if it is missing, the test
//! prints so, even if test output is captured. `PYTHON` names another interpreter than `python3`:
//!
//! ```text
//! python3 -m venv venv
//! venv/bin/pip install numpy plyfile pygltflib trimesh usd-core geopandas pyarrow godot-parser
//! PYTHON=venv/bin/python cargo test -p spinney-tests --test files -- \
//!     --nocapture foreign::
//! ```

use density::Bounds;
use export::{Format, Header, Placing, Scale, ScaleBy, Turn, YAxis};
use sampler::{Rule, Sample};
use spinney_tests::{RANKS_AND_LAYERS, written};
use std::io::Write as _;
use std::process::Command;

/// The beginning of every script, which calls `show(id, right, down, up, min_dist)` for each point. The
/// position is that on the screen, seen from above with north at the top. Further arguments are the
/// rotation (degrees counter-clockwise) and the scale, if the tool knows them, then the layer and the
/// value.
const PRELUDE: &str = "
import sys
path = sys.argv[1]
def show(id, right, down, up, min_dist, *more):
    numbers = (right, down, up, min_dist, *more)
    print(int(id) % 2**64, *(repr(float(n)) for n in numbers))
";

/// Returns the module of a tool and the script that reads the format. Formats without axes of their own
/// are read without conversion.
fn readers() -> Vec<(Format, &'static str, &'static str)> {
    vec![
        (Format::Csv, "pandas", CSV),
        (Format::Json, "json", JSON),
        (Format::Ply, "plyfile", PLY),
        (Format::Svg, "xml.etree.ElementTree", SVG),
        (Format::Npy, "numpy", NPY),
        (Format::GeoJson, "geopandas", GEOJSON),
        (Format::Glb, "json, struct", GLB_BYTES),
        (Format::Glb, "pygltflib, numpy", GLB),
        (Format::Glb, "trimesh", TRIMESH),
        (Format::Usda, "pxr", USDA),
        (Format::Godot, "godot_parser", GODOT),
        (Format::Unity, "json", UNITY),
        (Format::Unreal, "pandas", UNREAL),
        (Format::Parquet, "pyarrow.parquet", PYARROW),
        (Format::Parquet, "geopandas, pyarrow", GEOPARQUET),
    ]
}

const CSV: &str = "
import pandas
table = pandas.read_csv(path, dtype={'id': 'uint64', 'rank': 'uint32', 'layer': 'uint32'})
assert list(table.columns) == ['id', 'x', 'y', 'min_dist', 'value', 'rank', 'layer',
                               'rotation', 'scale']
for p in table.itertuples():
    show(p.id, p.x, p.y, 0, p.min_dist, p.rotation, p.scale, p.layer, p.value)
";

const JSON: &str = "
import json
for p in json.load(open(path))['points']:
    assert p['layer'] in (0, 2) and p['rank'] in range(4)
    show(int(p['id']), p['x'], p['y'], 0, p['min_dist'])
";

const PLY: &str = "
import plyfile
for p in plyfile.PlyData.read(path)['vertex']:
    show(int(p['id_hi']) * 2**32 + int(p['id_lo']), p['x'], p['y'], p['z'], p['min_dist'])
";

const SVG: &str = "
import xml.etree.ElementTree as tree
for p in tree.parse(path).iter('{http://www.w3.org/2000/svg}circle'):
    show(int(p.get('id')[1:]), p.get('cx'), p.get('cy'), 0, p.get('data-min-dist'))
";

const NPY: &str = "
import numpy
for p in numpy.load(path):
    assert p['layer'] in (0, 2) and p['rank'] in range(4)
    show(p['id'], p['x'], p['y'], 0, p['min_dist'])
";

const GEOJSON: &str = "
import geopandas, json
up = json.load(open(path))['spinney']['y_axis'] == 'up'
table = geopandas.read_file(path)
assert table.crs.to_epsg() == (32633 if up else 4326), table.crs
for p in table.itertuples():
    show(p.id, p.geometry.x, -p.geometry.y, 0, p.min_dist)
";

const GLB: &str = "
import numpy, pygltflib
file = pygltflib.GLTF2().load(path)
body = file.binary_blob()
kinds = {5123: ('<u2', 2), 5126: ('<f4', 4)}
shapes = {'SCALAR': 1, 'VEC3': 3, 'VEC4': 4}
def get(number):
    accessor = file.accessors[number]
    view = file.bufferViews[accessor.bufferView]
    kind, size = kinds[accessor.componentType]
    n = shapes[accessor.type]
    flat = numpy.frombuffer(body, kind, accessor.count * n, view.byteOffset)
    return flat.reshape(accessor.count, n)
assert file.extensionsRequired == ['EXT_mesh_gpu_instancing']
root = file.nodes[0]
for child in root.children:
    node = file.nodes[child]
    assert file.meshes[node.mesh].primitives[0].attributes.POSITION is not None
    some = node.extensions['EXT_mesh_gpu_instancing']['attributes']
    place = get(some['TRANSLATION']).astype('f8') + numpy.array(root.translation)
    ids = get(some['_ID']).copy().view('<u8')
    for (x, y, z), (id,), (r,) in zip(place, ids, get(some['_RADIUS'])):
        show(id, x, z, y, r)
";

/// Reads glTF byte for byte, by the specifications of glTF 2.0 (section 4.4) and of the extension. Needs
/// no module.
const GLB_BYTES: &str = "
import json, math, struct
data = open(path, 'rb').read()
magic, version, length = struct.unpack_from('<4sII', data)
assert (magic, version, length) == (b'glTF', 2, len(data))
size, kind = struct.unpack_from('<I4s', data, 12)
assert kind == b'JSON' and size % 4 == 0
file = json.loads(data[20:20 + size])
room, kind = struct.unpack_from('<I4s', data, 20 + size)
assert kind == b'BIN\\0' and 28 + size + room == length
body = data[28 + size:]
def get(number):
    accessor = file['accessors'][number]
    view = file['bufferViews'][accessor['bufferView']]
    assert 'byteStride' not in view and not accessor.get('normalized')
    n = {'SCALAR': 1, 'VEC3': 3, 'VEC4': 4}[accessor['type']]
    form = '<%d%s' % (n, {5123: 'H', 5126: 'f'}[accessor['componentType']])
    begin = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
    used = struct.calcsize(form) * accessor['count']
    assert begin % 4 == 0 and accessor.get('byteOffset', 0) + used <= view['byteLength']
    rows = list(struct.iter_unpack(form, body[begin:begin + used]))
    for name, bound in ('min', min), ('max', max):
        assert name not in accessor or accessor[name] == [bound(c) for c in zip(*rows)]
    return rows
root = file['nodes'][0]
assert set(root) <= {'name', 'translation', 'children', 'extras'}, root
middle = root['translation']
seen = 0
for child in root['children']:
    node = file['nodes'][child]
    assert not {'translation', 'rotation', 'scale', 'matrix'} & set(node), node
    some = node['extensions']['EXT_mesh_gpu_instancing']['attributes']
    rows = [get(some[name]) for name in
            ('TRANSLATION', 'ROTATION', 'SCALE', '_ID', '_LAYER', '_RADIUS', '_VALUE')]
    assert len({len(row) for row in rows}) == 1
    for place, turn, scale, id, (layer,), (r,), (value,) in zip(*rows):
        x, y, z = (p + m for p, m in zip(place, middle))
        # About the axis that is up, against the clock as seen from above.
        assert turn[0] == turn[2] == 0 and abs(math.hypot(*turn) - 1) < 1e-6, turn
        assert scale[0] == scale[1] == scale[2]
        degrees = math.degrees(2 * math.atan2(turn[1], turn[3]))
        whole = sum(part << 16 * k for k, part in enumerate(id))
        show(whole, x, z, y, r, degrees, scale[0], layer, value)
";

/// Trimesh may draw the placeholder at each instance or not at all. The test checks only that the file
/// loads, and the placeholder's position.
const TRIMESH: &str = "
import trimesh
scene = trimesh.load(path)
mesh = next(iter(scene.geometry.values()))
assert mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0, mesh
print('loads')
";

const USDA: &str = "
import math
from pxr import Usd, UsdGeom
stage = Usd.Stage.Open(path)
assert UsdGeom.GetStageUpAxis(stage) == 'Z' and UsdGeom.GetStageMetersPerUnit(stage) == 1
prim = stage.GetDefaultPrim()
points = UsdGeom.PointInstancer(prim)
targets = points.GetPrototypesRel().GetTargets()
assert all(stage.GetPrimAtPath(t).IsValid() for t in targets) and len(targets) == 2
when = Usd.TimeCode.Default()
places = points.ComputeInstanceTransformsAtTime(when, when)
outer = UsdGeom.Xformable(prim).GetLocalTransformation()
distances = UsdGeom.PrimvarsAPI(prim).GetPrimvar('min_dist')
assert distances.GetInterpolation() == 'vertex'
for id, place, r in zip(points.GetIdsAttr().Get(), places, distances.Get()):
    whole = place * outer
    x, y, z = whole.ExtractTranslation()
    east = whole.TransformDir((1, 0, 0))
    turn = math.degrees(math.atan2(east[1], east[0]))
    show(id, x, -y, z, r, turn, east.GetLength())
";

const GODOT: &str = "
import godot_parser
scene = godot_parser.load(path)
root = scene.find_node(name='Spinney')
pivot = root['transform'].args[9:]
parts = {s.id: s for s in scene.get_sub_resources()}
for node in scene.get_nodes():
    if node.type != 'MultiMeshInstance3D':
        continue
    assert node.parent == '.'
    part = parts[node['multimesh'].args[0]]
    assert part.type == 'MultiMesh', part.type
    assert part['transform_format'] == 1
    buffer = part['buffer'].args
    ids = root['metadata/ids_' + node.name[5:]].args
    assert len(buffer) == 16 * part['instance_count'] == 16 * len(ids)
    for k, id in enumerate(ids):
        row = buffer[16 * k:]
        show(id, pivot[0] + row[3], pivot[2] + row[11], pivot[1] + row[7], row[12])
";

const UNITY: &str = "
import json
file = json.load(open(path))
low, size = file['terrain']['position'], file['terrain']['size']
for p in file['treeInstances']:
    x, y, z = (low[k] + p['position'][k] * size[k] for k in 'xyz')
    assert p['prototypeIndex'] in (0, 2)
    show(int(p['id']), x, -z, y, p['minDist'])
";

const UNREAL: &str = "
import pandas, re
for p in pandas.read_csv(path, index_col='Name').itertuples():
    x, y, z = (float(n) / 100 for n in re.findall('[XYZ]=([^,)]+)', p.Location))
    show(int(p.Index[1:]), x, y, z, p.MinDist / 100)
";

const PYARROW: &str = "
import pyarrow.parquet
table = pyarrow.parquet.read_table(path)
assert [str(f.type) for f in table.schema] == [
    'uint64', 'double', 'double', 'double', 'double', 'uint32', 'uint32', 'double',
    'double', 'binary'], table.schema
assert b'geo' in table.schema.metadata and b'spinney' in table.schema.metadata
import struct
for p in table.to_pylist():
    x, y = struct.unpack('<dd', p['geometry'][5:])
    assert x == p['x'] and abs(y) == abs(p['y'])
    show(p['id'], x, -y, 0, p['min_dist'])
";

const GEOPARQUET: &str = "
import geopandas
table = geopandas.read_parquet(path)
assert table.crs is None
for p in table.itertuples():
    show(p.id, p.geometry.x, -p.geometry.y, 0, p.min_dist)
";

fn python(code: &str, path: &str) -> Result<String, String> {
    let name = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(name)
        .args(["-c", code, path])
        .output()
        .map_err(|e| e.to_string())?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(text(&output.stderr))
    }
}

/// Returns points in the north-east quarter of the domain, layer by layer.
fn samples() -> Vec<Sample<2>> {
    let hash = |k: u64| (k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..60)
        .map(|k| Sample {
            id: hash(k),
            position: [
                100.0 + (hash(k) >> 40) as f64 / f64::from(1 << 18),
                -50.0 + (hash(k) >> 20 & 0xff_ffff) as f64 / f64::from(1 << 20),
            ],
            min_dist: 0.5 + k as f64 / 7.0,
            value: k as f64 / 60.0,
            parent: None,
            rank: Some(k as u32 % 4),
            layer: Some(if k < 40 { 0 } else { 2 }),
        })
        .collect()
}

fn header(y_axis: YAxis) -> Header<2> {
    let domain = Bounds::new([0.0, -150.0], [200.0, 50.0]).expect("a good box");
    let mut header = Header::new("scatter", 1, 9, Rule::Max, domain);
    header.y_axis = y_axis;
    header.crs = Some("EPSG:32633".to_owned());
    header.columns = RANKS_AND_LAYERS;
    header.placing = Placing {
        turn: Turn::Random,
        scale: Scale::new(0.5, 2.0, ScaleBy::Random).ok(),
        ..Placing::default()
    };
    header
}

#[test]
fn every_format_is_read_by_others() {
    let folder = tempfile::tempdir().expect("a folder");
    for format in Format::ALL {
        let is_read = readers().iter().any(|(reader, ..)| reader == format);
        assert!(is_read, "no script reads {format}");
    }
    for (format, module, code) in readers() {
        if python(&format!("import {module}"), "").is_err() {
            // Writes past the test harness, which shows captured output for failures only.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: {format}, no Python with {module} (set PYTHON to one)"
            );
            continue;
        }
        for y_axis in [YAxis::Down, YAxis::Up] {
            let path = folder.path().join(format!("points.{}", format.extension()));
            let header = header(y_axis);
            std::fs::write(&path, written(format, &header, &samples())).expect("a file");
            let text = python(&[PRELUDE, code].concat(), &path.display().to_string())
                .unwrap_or_else(|e| panic!("{format} by {module}: {e}"));
            if text.trim() == "loads" {
                continue;
            }
            assert_eq!(text.lines().count(), samples().len(), "{format}");
            let plain = spinney_tests::readback::PLAIN.contains(&format);
            for (line, sample) in text.lines().zip(samples()) {
                let (id, rest) = line.split_once(' ').expect("a line of ours");
                assert_eq!(id.parse(), Ok(sample.id), "{format}");
                let numbers: Vec<f64> = rest
                    .split(' ')
                    .map(|n| n.parse().expect("a number"))
                    .collect();
                let [x, y] = sample.position;
                let down = match y_axis {
                    YAxis::Up if !plain => -y,
                    _ => y,
                };
                let limit = if plain { 0.0 } else { 1e-5 };
                if let [_, _, _, _, turn, scale, ref rest @ ..] = numbers[..] {
                    // USD stores these in half precision.
                    let [degrees, factor] = match format {
                        Format::Usda => [0.2, 2e-3],
                        _ => [1e-4, 1e-6],
                    };
                    let off = turn - header.placing.turn_of(&sample) + 180.0;
                    assert!((off.rem_euclid(360.0) - 180.0).abs() < degrees, "{line}");
                    let off = scale - header.placing.scale_of(&sample);
                    assert!(off.abs() < factor, "{line}");
                    let layer = sample.layer.map_or(0.0, f64::from);
                    for (got, wanted) in rest.iter().zip([layer, sample.value]) {
                        assert!((got - wanted).abs() < 1e-6, "{format} by {module}: {line}");
                    }
                }
                for (got, wanted) in numbers.iter().zip([x, down, 0.0, sample.min_dist]) {
                    let off = (got - wanted).abs();
                    assert!(off <= limit, "{format} by {module}: {line}, not {wanted}");
                }
            }
        }
        println!("read: {format} by {module}");
    }
}
