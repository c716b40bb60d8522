//! Writes a scene for Godot.

use crate::colour::shares;
use crate::held::{Held, Layer, list, y_up};
use std::io::{self, Write};

/// The greatest number of instances: each has twelve numbers of a transform and four of custom
/// data, and Godot counts bytes in 32 bits.
pub(crate) const MOST: usize = i32::MAX as usize / (16 * 4);

/// Writes [`Format::Godot`](crate::Format::Godot).
pub(crate) fn scene<W: Write>(out: &mut W, held: &Held) -> io::Result<()> {
    writeln!(out, "[gd_scene format=3]\n")?;
    for layer in held.layers() {
        resources(out, layer)?;
    }
    let [x, y, z] = y_up(held.pivot());
    writeln!(
        out,
        "[node name=\"Spinney\" type=\"Node3D\"]\n\
         transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, {x:?}, {y:?}, {z:?})\n\
         metadata/spinney = \"{}\"",
        held.lines
            .join("; ")
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
    )?;
    for layer in held.layers() {
        write!(out, "metadata/ids_{} = PackedInt64Array(", layer.number)?;
        list(out, layer.instances.iter().map(|i| i.id as i64))?;
        writeln!(out, ")")?;
    }
    for layer in held.layers() {
        let (number, suffix) = (layer.number, layer.suffix());
        writeln!(
            out,
            "\n[node name=\"Layer{number}{suffix}\" type=\"MultiMeshInstance3D\" parent=\".\"]\n\
             multimesh = SubResource(\"multimesh_{number}\")\n\
             metadata/layer = {number}"
        )?;
    }
    Ok(())
}

fn resources(out: &mut impl Write, layer: Layer<'_>) -> io::Result<()> {
    let number = layer.number;
    // Godot's colours are sRGB.
    let [red, green, blue] = shares(layer.colour);
    let [height, radius] = layer.placeholder();
    writeln!(
        out,
        "[sub_resource type=\"StandardMaterial3D\" id=\"material_{number}\"]\n\
         albedo_color = Color({red:?}, {green:?}, {blue:?}, 1)\n\n\
         [sub_resource type=\"CylinderMesh\" id=\"mesh_{number}\"]\n\
         material = SubResource(\"material_{number}\")\n\
         top_radius = 0.0\nbottom_radius = {radius:?}\nheight = {height:?}\n\
         radial_segments = 8\nrings = 1\n\n\
         [sub_resource type=\"MultiMesh\" id=\"multimesh_{number}\"]\n\
         transform_format = 1\nuse_custom_data = true\ninstance_count = {}\n\
         mesh = SubResource(\"mesh_{number}\")",
        layer.instances.len()
    )?;
    write!(out, "buffer = PackedFloat32Array(")?;
    list(
        out,
        layer.instances.iter().flat_map(|i| {
            let [x, y, z] = y_up(i.place).map(|n| n as f32);
            let rank = i.rank.map_or(-1.0, |rank| rank as f32);
            let custom = [i.min_dist as f32, i.value as f32, i.layer as f32, rank];
            // Godot's z axis points south.
            let [east, north, up] = i.axes();
            let columns = [east, up, north.map(|n| 0.0 - n)].map(y_up);
            let row = |k: usize, place: f32| {
                let [a, b, c] = columns.map(|column| (column[k] * i.scale) as f32);
                [a, b, c, place]
            };
            let rows = [row(0, x), row(1, y), row(2, z), custom];
            rows.into_iter().flatten()
        }),
    )?;
    writeln!(out, ")\n")
}
