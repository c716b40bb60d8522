//! Writes a data table for Unreal.

use crate::instance::{Instance, Place, Placer};
use crate::text::Text;
use crate::{ExportError, Header};
use std::io::Write;

const OUTPUT: &str = "Unreal CSV";

/// Number of centimetres in a world unit, which is a metre.
const CENTIMETRES: f64 = 100.0;

/// Returns the text of [`Format::Unreal`](crate::Format::Unreal).
pub(crate) fn text<const D: usize>(header: &Header<D>) -> Text<D> {
    let placer = Placer::new(header);
    Text {
        head: "Name,Location,Rotation,Scale,MinDist,Value,Layer,Rank\n".to_owned(),
        before: ["", ""],
        point: Box::new(move |sample, out| row(&placer.instance(sample)?, out)),
        tail: "",
    }
}

/// Appends a row.
fn row(instance: &Instance, out: &mut Vec<u8>) -> Result<(), ExportError> {
    let [east, north, up] = instance.place;
    let numbers = [east, 0.0 - north, up, instance.min_dist].map(|n| n * CENTIMETRES);
    if let Some(&value) = numbers.iter().find(|n| !n.is_finite()) {
        return Err(ExportError::NotFinite {
            id: instance.id,
            column: "Location",
            value,
        });
    }
    let [x, y, z, min_dist] = numbers;
    let [pitch, yaw, roll] = rotator(instance);
    let scale = instance.scale;
    let rank = instance.rank.map_or(-1, i64::from);
    writeln!(
        out,
        "p{},\"(X={x:?},Y={y:?},Z={z:?})\",\"(Pitch={pitch:?},Yaw={yaw:?},Roll={roll:?})\",\
         \"(X={scale:?},Y={scale:?},Z={scale:?})\",{min_dist:?},{:?},{},{rank}",
        instance.id, instance.value, instance.layer
    )
    .map_err(|e| ExportError::io(OUTPUT, e))
}

/// Returns pitch, yaw and roll in degrees, computed like Unreal's `FMatrix::Rotator`.
fn rotator(instance: &Instance) -> [f64; 3] {
    // From X towards Y: clockwise seen from above.
    let yaw = 0.0 - instance.turn;
    if instance.up == [0.0, 0.0, 1.0] {
        return [0.0, yaw, 0.0];
    }
    let mirrored = |[east, north, up]: Place| [east, 0.0 - north, up];
    let [east, north, up] = instance.axes();
    let (x, y, z) = (
        mirrored(east),
        mirrored(north.map(|n| 0.0 - n)),
        mirrored(up),
    );
    let level = (x[0] * x[0] + x[1] * x[1]).sqrt();
    let pitch = libm::atan2(x[2], level);
    let yaw = libm::atan2(x[1], x[0]);
    // The direction of Y after pitch and yaw alone.
    let side = [0.0 - libm::sin(yaw), libm::cos(yaw)];
    let along = |axis: [f64; 3]| axis[0] * side[0] + axis[1] * side[1];
    let roll = libm::atan2(along(z), along(y));
    [pitch, yaw, roll].map(f64::to_degrees)
}
