//! Writes comma-separated values.

use crate::column::{Row, Table, check_dimension};
use crate::sink::Sink;
use crate::{ExportError, Header, PointWriter};
use sampler::Sample;
use std::io::{self, Write};

const OUTPUT: &str = "CSV";
const BUFFER: usize = 64 * 1024;

/// Writes [`Format::Csv`](crate::Format::Csv) to any output, as to a pipe; [`open`](crate::open) needs one that can
/// seek.
///
/// ```
/// # use spinney_export as export;
/// use density::{Bounds, Constant};
/// use export::{CsvWriter, Header, write_all};
/// use sampler::{Rule, Scatter, ScatterOptions};
///
/// let domain = Bounds::from_size([20.0, 20.0])?;
/// let trees = Scatter::new(Constant::new(2.0)?, domain, ScatterOptions::default())?;
/// let header = Header::new("scatter", sampler::ALGORITHM_VERSION, 0, Rule::Max, domain);
/// let mut out = Vec::new(); // Or `std::io::stdout().lock()`.
/// let mut csv = CsvWriter::new(&mut out, &header)?;
/// let count = write_all(&mut csv, trees.points()?.samples)?;
/// drop(csv);
/// assert_eq!(String::from_utf8(out)?.lines().count() as u64, 1 + count);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CsvWriter<const D: usize, W: Write> {
    table: Table,
    sink: Sink<csv::Writer<W>>,
}

impl<const D: usize, W: Write> CsvWriter<D, W> {
    /// Starts a file with the columns of `header`. Buffers its output.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3, or the output fails to take the line of names.
    pub fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        check_dimension::<D>(OUTPUT)?;
        let table = Table::new(D, header);
        let csv = csv::WriterBuilder::new()
            .has_headers(false)
            .buffer_capacity(BUFFER)
            .from_writer(out);
        let mut sink = Sink::new(OUTPUT, csv);
        sink.run(|csv| {
            csv.write_record(table.columns.iter().map(|column| column.name()))
                .map_err(to_io)
        })?;
        Ok(Self { table, sink })
    }
}

impl<const D: usize, W: Write> PointWriter<D> for CsvWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let entry = self.table.entry(sample)?;
        let row = Row(&self.table.columns, &entry);
        self.sink.run(|csv| csv.serialize(row).map_err(to_io))
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(csv::Writer::flush)
    }
}

/// Returns the I/O error inside, to keep its kind (a broken pipe, a full disk).
fn to_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(inner) => inner,
        other => io::Error::other(format!("{other:?}")),
    }
}
