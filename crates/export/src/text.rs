//! Files of text, written point by point.

use crate::sink::Sink;
use crate::{ExportError, PointWriter};
use sampler::Sample;
use serde::Serialize;
use std::io::{BufWriter, Write};

/// A format of text.
pub(crate) struct Text<const D: usize> {
    /// The text before the points.
    pub(crate) head: String,
    /// The text before the first point, and before every other.
    pub(crate) before: [&'static str; 2],
    /// Appends the text of a point, or refuses it.
    pub(crate) point: Point<D>,
    /// The text after the points.
    pub(crate) tail: &'static str,
}

/// A function that appends the text of a point.
pub(crate) type Point<const D: usize> =
    Box<dyn Fn(&Sample<D>, &mut Vec<u8>) -> Result<(), ExportError>>;

/// A file of text.
pub(crate) struct TextFile<const D: usize, W: Write> {
    sink: Sink<BufWriter<W>>,
    text: Text<D>,
    is_empty: bool,
    record: Vec<u8>,
}

impl<const D: usize, W: Write> TextFile<D, W> {
    /// Writes the head. Buffers its output.
    ///
    /// # Errors
    /// If the output fails to take the head.
    pub(crate) fn new(output: &'static str, out: W, text: Text<D>) -> Result<Self, ExportError> {
        let mut sink = Sink::new(output, BufWriter::new(out));
        sink.run(|out| out.write_all(text.head.as_bytes()))?;
        Ok(Self {
            sink,
            text,
            is_empty: true,
            record: Vec::new(),
        })
    }
}

impl<const D: usize, W: Write> PointWriter<D> for TextFile<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let [first, other] = self.text.before;
        self.record.clear();
        self.record
            .extend_from_slice(if self.is_empty { first } else { other }.as_bytes());
        (self.text.point)(sample, &mut self.record)?;
        self.sink.run(|out| out.write_all(&self.record))?;
        self.is_empty = false;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(|out| {
            out.write_all(self.text.tail.as_bytes())?;
            out.flush()
        })
    }
}

/// Appends `value` as JSON.
pub(crate) fn json<T: Serialize + ?Sized>(
    output: &'static str,
    value: &T,
    out: &mut Vec<u8>,
) -> Result<(), ExportError> {
    serde_json::to_writer(out, value).map_err(|e| ExportError::io(output, e))
}
