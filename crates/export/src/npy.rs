//! Writes `NumPy` arrays.

use crate::column::{Cell, Column, Kind, Table, within};
use crate::counted::{COUNT_DIGITS, Layout};
use crate::{ExportError, Header, Ids};

const OUTPUT: &str = "NPY";
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// Data begin at a multiple of this many bytes, as the format requires.
const ALIGN: usize = 64;

/// Returns the layout of [`Format::Npy`](crate::Format::Npy).
pub(crate) fn layout<const D: usize>(header: &Header<D>) -> Layout {
    let table = Table::new(D, header);
    let columns = table.columns.iter();
    let fields: Vec<String> = columns
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
    Layout {
        table,
        before,
        slot,
        after,
        cell,
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

fn cell(column: Column, cell: Cell, _: Ids, record: &mut Vec<u8>) -> Result<(), ExportError> {
    let signed = |id| within(OUTPUT, column.name(), id, i64::MAX as u64).map(|id| id as i64);
    let bytes = match cell {
        Cell::Number(number) => number.unwrap_or(f64::NAN).to_le_bytes(),
        Cell::Whole(Some(id)) if column == Column::Id => id.to_le_bytes(),
        Cell::Whole(number) => number.map_or(Ok(-1), signed)?.to_le_bytes(),
    };
    record.extend_from_slice(&bytes);
    Ok(())
}
