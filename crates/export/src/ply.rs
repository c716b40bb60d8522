//! Writes Stanford PLY.

use crate::column::{Cell, Column, MAX_EXACT_DOUBLE, Table, check_dimension, within};
use crate::counted::{COUNT_DIGITS, CountedFile, Head};
use crate::{ExportError, Header, Ids, PointWriter};
use sampler::Sample;
use std::io::{Seek, Write};

const OUTPUT: &str = "PLY";

/// The writer of [`Format::Ply`](crate::Format::Ply).
#[derive(Debug)]
pub(crate) struct PlyWriter<const D: usize, W: Write + Seek> {
    table: Table,
    ids: Ids,
    file: CountedFile<W>,
    record: Vec<u8>,
}

impl<const D: usize, W: Write + Seek> PlyWriter<D, W> {
    /// Starts a file about the run of `header`. Buffers its output. Seeks only once, at the end, back to the head, to
    /// fill in the number of points.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3, or the output fails to take the head.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        check_dimension::<D>(OUTPUT)?;
        let table = Table::new(3, header);
        let ids = header.columns.ids;
        let mut before = vec!["ply".into(), "format binary_little_endian 1.0".into()];
        before.extend(header.lines().iter().map(|line| format!("comment {line}")));
        let properties = table.columns.iter().map(|column| match (column, ids) {
            (Column::Id, Ids::Hashed) => "property uint id_hi\nproperty uint id_lo".into(),
            _ => format!("property double {}", name(*column)),
        });
        let after: Vec<String> = properties.chain(["end_header".into()]).collect();
        let head = Head {
            before: lines(&before),
            slot,
            after: lines(&after),
        };
        Ok(Self {
            table,
            ids,
            file: CountedFile::new(OUTPUT, out, &head)?,
            record: Vec::new(),
        })
    }
}

/// Returns the name of a column. Viewers expect shorter names of normals.
fn name(column: Column) -> &'static str {
    match column {
        Column::Normal(0) => "nx",
        Column::Normal(1) => "ny",
        Column::Normal(2) => "nz",
        other => other.name(),
    }
}

fn lines(lines: &[String]) -> Vec<u8> {
    (lines.join("\n") + "\n").into_bytes()
}

/// Returns the count, padded by a comment to a fixed length.
fn slot(count: &str) -> String {
    let rest = COUNT_DIGITS.saturating_sub(count.len());
    format!("comment {}\nelement vertex {count}\n", ".".repeat(rest))
}

impl<const D: usize, W: Write + Seek> PointWriter<D> for PlyWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let entry = self.table.entry(sample)?;
        self.record.clear();
        for column in &self.table.columns {
            let exact =
                |id| within(OUTPUT, column.name(), id, MAX_EXACT_DOUBLE).map(|id| id as f64);
            let number = match column.cell(&entry) {
                Cell::Whole(Some(id)) if (*column, self.ids) == (Column::Id, Ids::Hashed) => {
                    let [high, low] = [(id >> 32) as u32, id as u32].map(u32::to_le_bytes);
                    self.record.extend(high.into_iter().chain(low));
                    continue;
                }
                Cell::Whole(number) => number.map_or(Ok(-1.0), exact)?,
                Cell::Number(number) => number.unwrap_or(f64::NAN),
            };
            self.record.extend_from_slice(&number.to_le_bytes());
        }
        self.file.record(&self.record)
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.file.finish()
    }
}
