//! Binary files whose head contains the number of records.

use crate::ExportError;
use crate::sink::Sink;
use std::io::{BufWriter, Seek, SeekFrom, Write};

/// The greatest number of digits of a count.
pub(crate) const COUNT_DIGITS: usize = 20;

/// The head of a counted file. Its length does not depend on the count.
#[derive(Debug)]
pub(crate) struct Head {
    /// The bytes before the slot.
    pub(crate) before: Vec<u8>,
    /// Returns the slot's text for a count of at most [`COUNT_DIGITS`] characters. All these texts
    /// have the same length.
    pub(crate) slot: fn(&str) -> String,
    /// The bytes after the slot.
    pub(crate) after: Vec<u8>,
}

/// A file of records that fills in the count in its head at the end.
#[derive(Debug)]
pub(crate) struct CountedFile<W: Write> {
    sink: Sink<BufWriter<W>>,
    slot: fn(&str) -> String,
    slot_at: u64,
    count: u64,
}

impl<W: Write + Seek> CountedFile<W> {
    /// Writes the head. The count is `?` until the file is finished, so that readers refuse an
    /// interrupted file.
    pub(crate) fn new(output: &'static str, out: W, head: &Head) -> Result<Self, ExportError> {
        let mut sink = Sink::new(output, BufWriter::new(out));
        let start = sink.run(|out| {
            let start = out.stream_position()?;
            out.write_all(&head.before)?;
            out.write_all((head.slot)("?").as_bytes())?;
            out.write_all(&head.after)?;
            Ok(start)
        })?;
        Ok(Self {
            sink,
            slot: head.slot,
            slot_at: start + head.before.len() as u64,
            count: 0,
        })
    }

    pub(crate) fn record(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        self.sink.run(|out| out.write_all(bytes))?;
        self.count += 1;
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<(), ExportError> {
        let text = (self.slot)(&self.count.to_string());
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
