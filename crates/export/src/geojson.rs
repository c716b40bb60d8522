//! Writes `GeoJSON`.

use crate::column::{Column, Object, Table};
use crate::instance::Placer;
use crate::sink::Sink;
use crate::{ExportError, Header, Ids, PointWriter, json};
use density::YAxis;
use sampler::Sample;
use std::io::{BufWriter, Write};

const OUTPUT: &str = "GeoJSON";

/// The writer of [`Format::GeoJson`](crate::Format::GeoJson).
#[derive(Debug)]
pub(crate) struct GeoJsonWriter<const D: usize, W: Write> {
    table: Table,
    ids: Ids,
    placer: Placer,
    sink: Sink<BufWriter<W>>,
    separator: &'static [u8],
}

impl<const D: usize, W: Write> GeoJsonWriter<D, W> {
    /// Starts a file about the run of `header`. Buffers its output.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3, or the output fails to take the beginning.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        crate::column::check_dimension::<D>(OUTPUT)?;
        let mut table = Table::new(D, header);
        table
            .columns
            .retain(|column| !matches!(column, Column::Axis(_)));
        let mut sink = Sink::new(OUTPUT, BufWriter::new(out));
        sink.run(|out| {
            write!(
                out,
                "{{\"type\":\"FeatureCollection\",\n\"spinney\":{},\n{}\"features\":[",
                header.json()?,
                crs(header).unwrap_or_default()
            )
        })?;
        Ok(Self {
            table,
            ids: header.columns.ids,
            placer: Placer::new(header),
            sink,
            separator: b"\n",
        })
    }
}

/// Returns the member `crs` of the `GeoJSON` of 2008, if positions are in a system with an EPSG code. With y
/// downwards they are not, as north is -y.
fn crs<const D: usize>(header: &Header<D>) -> Option<String> {
    let code = header.crs.as_deref()?.strip_prefix("EPSG:")?;
    let code: u32 = code.parse().ok()?;
    let name = format!("urn:ogc:def:crs:EPSG::{code}");
    (header.y_axis == YAxis::Up)
        .then(|| format!("\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\"{name}\"}}}},\n"))
}

impl<const D: usize, W: Write> PointWriter<D> for GeoJsonWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let place = self.placer.instance(sample)?.place;
        json::check_ids(OUTPUT, self.ids, sample)?;
        let separator = std::mem::replace(&mut self.separator, b",\n");
        let entry = self.table.entry(sample)?;
        let properties = Object {
            columns: &self.table.columns,
            entry: &entry,
            ids: self.ids,
        };
        let axes = self.placer.axes::<D>();
        self.sink.run(|out| {
            out.write_all(separator)?;
            out.write_all(
                b"{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":",
            )?;
            serde_json::to_writer(&mut *out, &place[..axes])?;
            out.write_all(b"},\"properties\":")?;
            serde_json::to_writer(&mut *out, &properties)?;
            out.write_all(b"}")
        })
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(|out| {
            out.write_all(b"\n]}\n")?;
            out.flush()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::Bounds;
    use sampler::Rule;

    #[test]
    fn only_positions_in_a_system_with_a_code_name_it() {
        let domain = Bounds::from_size([4.0, 3.0]).expect("a good box");
        let named = |system: &str, y_axis| {
            let mut header = Header::new("scatter", 1, 0, Rule::Max, domain);
            header.crs = Some(system.to_owned());
            header.y_axis = y_axis;
            crs(&header)
        };
        let member = named("EPSG:32633", YAxis::Up).expect("a member");
        assert!(
            member.contains("\"urn:ogc:def:crs:EPSG::32633\""),
            "{member}"
        );
        assert_eq!(named("EPSG:32633", YAxis::Down), None);
        assert_eq!(named("EPSG:one", YAxis::Up), None);
        assert_eq!(named("ESRI:102003", YAxis::Up), None);
    }
}
