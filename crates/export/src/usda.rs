//! Writes Universal Scene Description.

use crate::colour::linear;
use crate::held::{Held, Layer, list};
use crate::instance::Instance;
use std::fmt::Display;
use std::io::{self, Write};

/// Writes [`Format::Usda`](crate::Format::Usda).
pub(crate) fn stage<W: Write>(out: &mut W, held: &Held) -> io::Result<()> {
    writeln!(
        out,
        "#usda 1.0\n(\n    customLayerData = {{\n        string spinney = \"{}\"\n    }}\n    \
         defaultPrim = \"spinney\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n",
        held.lines
            .join("; ")
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
    )?;
    let [x, y, z] = held.pivot();
    writeln!(
        out,
        "def PointInstancer \"spinney\" (\n    kind = \"assembly\"\n)\n{{\n    \
         double3 xformOp:translate = ({x:?}, {y:?}, {z:?})\n    \
         uniform token[] xformOpOrder = [\"xformOp:translate\"]"
    )?;
    write!(out, "    rel prototypes = [")?;
    list(
        out,
        held.layers()
            .map(|layer| format!("</spinney/Prototypes/{}>", layer.identifier())),
    )?;
    writeln!(out, "]")?;
    arrays(out, held)?;
    writeln!(out, "\n    def Scope \"Prototypes\"\n    {{")?;
    for layer in held.layers() {
        prototype(out, layer)?;
    }
    writeln!(out, "    }}\n}}")
}

fn all(held: &Held) -> impl Iterator<Item = &Instance> {
    held.layers().flat_map(|layer| layer.instances)
}

fn arrays(out: &mut impl Write, held: &Held) -> io::Result<()> {
    let places = held.layers().enumerate();
    let places = places.flat_map(|(k, layer)| layer.instances.iter().map(move |_| k));
    array(out, "int[] protoIndices", "", places)?;
    let positions = all(held).map(|i| {
        let [x, y, z] = i.place.map(|n| n as f32);
        format!("({x:?}, {y:?}, {z:?})")
    });
    array(out, "point3f[] positions", "", positions)?;
    let turns = all(held).map(|i| {
        let [x, y, z, real] = i.quaternion().map(|n| n as f32);
        format!("({real:?}, {x:?}, {y:?}, {z:?})")
    });
    array(out, "quath[] orientations", "", turns)?;
    let scales = all(held).map(|i| {
        let scale = i.scale as f32;
        format!("({scale:?}, {scale:?}, {scale:?})")
    });
    array(out, "float3[] scales", "", scales)?;
    array(out, "int64[] ids", "", all(held).map(|i| i.id as i64))?;
    let each = " (\n        interpolation = \"vertex\"\n    )";
    let single = |n: f64| format!("{:?}", n as f32);
    let min_dist = all(held).map(|i| single(i.min_dist));
    array(out, "float[] primvars:min_dist", each, min_dist)?;
    let value = all(held).map(|i| single(i.value));
    array(out, "float[] primvars:value", each, value)?;
    let layer = all(held).map(|i| i64::from(i.layer));
    array(out, "int64[] primvars:layer", each, layer)?;
    if all(held).any(|i| i.rank.is_some()) {
        let rank = all(held).map(|i| i.rank.map_or(-1, i64::from));
        array(out, "int64[] primvars:rank", each, rank)?;
    }
    Ok(())
}

fn array<T: Display>(
    out: &mut impl Write,
    name: &str,
    about: &str,
    items: impl Iterator<Item = T>,
) -> io::Result<()> {
    write!(out, "    {name} = [")?;
    list(out, items)?;
    writeln!(out, "]{about}")
}

fn prototype(out: &mut impl Write, layer: Layer<'_>) -> io::Result<()> {
    let [height, radius] = layer.placeholder();
    let [red, green, blue] = linear(layer.colour);
    writeln!(
        out,
        "        def Xform \"{}\"\n        {{\n            def Cone \"placeholder\"\n            \
         {{\n                uniform token axis = \"Z\"\n                \
         double height = {height:?}\n                double radius = {radius:?}\n                \
         color3f[] primvars:displayColor = [({red:?}, {green:?}, {blue:?})]\n                \
         double3 xformOp:translate = (0, 0, {:?})\n                \
         uniform token[] xformOpOrder = [\"xformOp:translate\"]\n            }}\n        }}",
        layer.identifier(),
        height * 0.5
    )
}
