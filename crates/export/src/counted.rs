//! Binary files whose head contains the number of records.

use crate::column::{Cell, Column, Table};
use crate::sink::Sink;
use crate::{ExportError, Ids, PointWriter};
use sampler::Sample;
use std::io::{BufWriter, Seek, SeekFrom, Write};

/// The greatest number of digits of a count.
pub(crate) const COUNT_DIGITS: usize = 20;

/// A format of records whose head contains their number.
pub(crate) struct Layout {
    pub(crate) table: Table,
    /// The bytes of the head before the slot of the count.
    pub(crate) before: Vec<u8>,
    /// Returns the slot's text for a count of at most [`COUNT_DIGITS`] characters. All these texts
    /// have the same length, so that the head's length does not depend on the count.
    pub(crate) slot: fn(&str) -> String,
    /// The bytes of the head after the slot.
    pub(crate) after: Vec<u8>,
    /// Appends the bytes of a cell to a record.
    pub(crate) cell: fn(Column, Cell, Ids, &mut Vec<u8>) -> Result<(), ExportError>,
}

/// A file of records that fills in the count in its head at the end.
pub(crate) struct CountedFile<W: Write> {
    sink: Sink<BufWriter<W>>,
    layout: Layout,
    slot_at: u64,
    count: u64,
    record: Vec<u8>,
}

impl<W: Write + Seek> CountedFile<W> {
    /// Writes the head. Buffers its output. The count is `?` until the file is finished, so that readers
    /// refuse an interrupted file. Seeks only once, at the end, back to the head.
    ///
    /// # Errors
    /// If the output fails to take the head.
    pub(crate) fn new(output: &'static str, out: W, layout: Layout) -> Result<Self, ExportError> {
        let mut sink = Sink::new(output, BufWriter::new(out));
        let start = sink.run(|out| {
            let start = out.stream_position()?;
            out.write_all(&layout.before)?;
            out.write_all((layout.slot)("?").as_bytes())?;
            out.write_all(&layout.after)?;
            Ok(start)
        })?;
        Ok(Self {
            sink,
            slot_at: start + layout.before.len() as u64,
            layout,
            count: 0,
            record: Vec::new(),
        })
    }
}

impl<const D: usize, W: Write + Seek> PointWriter<D> for CountedFile<W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let Layout { table, cell, .. } = &self.layout;
        let entry = table.entry(sample)?;
        self.record.clear();
        for column in &table.columns {
            cell(*column, column.cell(&entry), table.ids, &mut self.record)?;
        }
        self.sink.run(|out| out.write_all(&self.record))?;
        self.count += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        let text = (self.layout.slot)(&self.count.to_string());
        let slot_at = self.slot_at;
        self.sink.run_last(|out| {
            let end = out.stream_position()?;
            out.seek(SeekFrom::Start(slot_at))?;
            out.write_all(text.as_bytes())?;
            out.seek(SeekFrom::Start(end))?;
            out.flush()
        })
    }
}
