//! Writes a data table for Unreal.

use crate::column::check_dimension;
use crate::instance::{Instance, Place, Placer};
use crate::sink::Sink;
use crate::{ExportError, Header, PointWriter};
use sampler::Sample;
use std::io::{BufWriter, Write};

const OUTPUT: &str = "Unreal CSV";

/// Number of centimetres in a world unit, which is a metre.
const CENTIMETRES: f64 = 100.0;

/// The writer of [`Format::Unreal`](crate::Format::Unreal).
#[derive(Debug)]
pub(crate) struct UnrealWriter<const D: usize, W: Write> {
    placer: Placer,
    sink: Sink<BufWriter<W>>,
}

impl<const D: usize, W: Write> UnrealWriter<D, W> {
    /// Starts a file. Buffers its output.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3, or the output fails to take the line of names.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        check_dimension::<D>(OUTPUT)?;
        let mut sink = Sink::new(OUTPUT, BufWriter::new(out));
        sink.run(|out| out.write_all(b"Name,Location,Rotation,Scale,MinDist,Value,Layer,Rank\n"))?;
        Ok(Self {
            placer: Placer::new(header),
            sink,
        })
    }
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

impl<const D: usize, W: Write> PointWriter<D> for UnrealWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let instance = self.placer.instance(sample)?;
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
        let [pitch, yaw, roll] = rotator(&instance);
        let scale = instance.scale;
        let rank = instance.rank.map_or(-1, i64::from);
        self.sink.run(|out| {
            writeln!(
                out,
                "p{},\"(X={x:?},Y={y:?},Z={z:?})\",\"(Pitch={pitch:?},Yaw={yaw:?},Roll={roll:?})\",\
                 \"(X={scale:?},Y={scale:?},Z={scale:?})\",{min_dist:?},{:?},{},{rank}",
                instance.id, instance.value, instance.layer
            )
        })
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(Write::flush)
    }
}
