//! Writes JSON.

use crate::column::{MAX_EXACT_DOUBLE, Object, Table, check_dimension, within};
use crate::sink::Sink;
use crate::{ExportError, Header, Ids, PointWriter};
use sampler::Sample;
use std::io::{BufWriter, Write};

const OUTPUT: &str = "JSON";

/// The writer of [`Format::Json`](crate::Format::Json).
#[derive(Debug)]
pub(crate) struct JsonWriter<const D: usize, W: Write> {
    table: Table,
    ids: Ids,
    sink: Sink<BufWriter<W>>,
    separator: &'static [u8],
}

impl<const D: usize, W: Write> JsonWriter<D, W> {
    /// Starts a file about the run of `header`. Buffers its output.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3, or the output fails to take the beginning.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        check_dimension::<D>(OUTPUT)?;
        let mut sink = Sink::new(OUTPUT, BufWriter::new(out));
        sink.run(|out| write!(out, "{{\"spinney\":{},\n\"points\":[", header.json()?))?;
        Ok(Self {
            table: Table::new(D, header),
            ids: header.columns.ids,
            sink,
            separator: b"\n",
        })
    }
}

/// Checks that counted ids are exact as numbers in JSON. Hashed ids are strings.
pub(crate) fn check_ids<const D: usize>(
    output: &'static str,
    ids: Ids,
    sample: &Sample<D>,
) -> Result<(), ExportError> {
    if ids == Ids::Counted {
        within(output, "id", sample.id, MAX_EXACT_DOUBLE)?;
        let parent = sample.parent.unwrap_or(0);
        within(output, "parent", parent, MAX_EXACT_DOUBLE)?;
    }
    Ok(())
}

impl<const D: usize, W: Write> PointWriter<D> for JsonWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let entry = self.table.entry(sample)?;
        check_ids(OUTPUT, self.ids, sample)?;
        let separator = std::mem::replace(&mut self.separator, b",\n");
        let object = Object {
            columns: &self.table.columns,
            entry: &entry,
            ids: self.ids,
        };
        self.sink.run(|out| {
            out.write_all(separator)?;
            Ok(serde_json::to_writer(out, &object)?)
        })
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(|out| {
            out.write_all(b"\n]}\n")?;
            out.flush()
        })
    }
}
