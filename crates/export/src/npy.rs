//! Writes `NumPy` arrays.

use crate::column::{Cell, Column, Kind, Table, check_dimension, within};
use crate::counted::{COUNT_DIGITS, CountedFile, Head};
use crate::{ExportError, Header, PointWriter};
use sampler::Sample;
use std::io::{Seek, Write};

const OUTPUT: &str = "NPY";
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// Data begin at a multiple of this many bytes, as the format requires.
const ALIGN: usize = 64;

/// The writer of [`Format::Npy`](crate::Format::Npy).
#[derive(Debug)]
pub(crate) struct NpyWriter<const D: usize, W: Write + Seek> {
    table: Table,
    file: CountedFile<W>,
    record: Vec<u8>,
}

impl<const D: usize, W: Write + Seek> NpyWriter<D, W> {
    /// Starts a file with the columns of `header`. Buffers its output. Seeks only once, at the end,
    /// back to the head, to fill in the number of points.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3, or the output fails to take the head.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        check_dimension::<D>(OUTPUT)?;
        let table = Table::new(D, header);
        Ok(Self {
            file: CountedFile::new(OUTPUT, out, &head(&table.columns))?,
            table,
            record: Vec::new(),
        })
    }
}

fn head(columns: &[Column]) -> Head {
    let fields: Vec<String> = columns
        .iter()
        .map(|column| format!("('{}', '{}')", column.name(), dtype(column.kind())))
        .collect();
    let dict = format!(
        "{{'descr': [{}], 'fortran_order': False, 'shape': ",
        fields.join(", ")
    );
    // The head's length in bytes, a u16, precedes the dictionary.
    let unpadded = MAGIC.len() + 2 + dict.len() + slot("?").len() + 1;
    let padded = unpadded.next_multiple_of(ALIGN);
    let length = (padded - MAGIC.len() - 2) as u16;
    let mut before = MAGIC.to_vec();
    before.extend_from_slice(&length.to_le_bytes());
    before.extend_from_slice(dict.as_bytes());
    let mut after = vec![b' '; padded - unpadded];
    after.push(b'\n');
    Head {
        before,
        slot,
        after,
    }
}

/// Returns the shape and the dictionary's end, padded by spaces to a fixed length.
fn slot(count: &str) -> String {
    let rest = COUNT_DIGITS.saturating_sub(count.len());
    format!("({count},), }}{}", " ".repeat(rest))
}

fn dtype(kind: Kind) -> &'static str {
    match kind {
        Kind::Id => "<u8",
        Kind::Number | Kind::MaybeNumber => "<f8",
        Kind::MaybeId | Kind::MaybeSmall => "<i8",
    }
}

impl<const D: usize, W: Write + Seek> PointWriter<D> for NpyWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let entry = self.table.entry(sample)?;
        self.record.clear();
        for column in &self.table.columns {
            let signed =
                |id| within(OUTPUT, column.name(), id, i64::MAX as u64).map(|id| id as i64);
            let bytes = match column.cell(&entry) {
                Cell::Number(number) => number.unwrap_or(f64::NAN).to_le_bytes(),
                Cell::Whole(Some(id)) if *column == Column::Id => id.to_le_bytes(),
                Cell::Whole(number) => number.map_or(Ok(-1), signed)?.to_le_bytes(),
            };
            self.record.extend_from_slice(&bytes);
        }
        self.file.record(&self.record)
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.file.finish()
    }
}
