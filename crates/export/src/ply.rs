//! Writes Stanford PLY.

use crate::column::{Cell, Column, MAX_EXACT_DOUBLE, Table, within};
use crate::counted::{COUNT_DIGITS, Layout};
use crate::{ExportError, Header, Ids};

const OUTPUT: &str = "PLY";

/// Returns the layout of [`Format::Ply`](crate::Format::Ply).
pub(crate) fn layout<const D: usize>(header: &Header<D>) -> Layout {
    let table = Table::new(3, header);
    let mut before = vec!["ply".into(), "format binary_little_endian 1.0".into()];
    before.extend(header.lines().iter().map(|line| format!("comment {line}")));
    let properties = table
        .columns
        .iter()
        .map(|column| match (column, table.ids) {
            (Column::Id, Ids::Hashed) => "property uint id_hi\nproperty uint id_lo".into(),
            _ => format!("property double {}", name(*column)),
        });
    let after: Vec<String> = properties.chain(["end_header".into()]).collect();
    Layout {
        table,
        before: lines(&before),
        slot,
        after: lines(&after),
        cell,
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

fn cell(column: Column, cell: Cell, ids: Ids, record: &mut Vec<u8>) -> Result<(), ExportError> {
    let exact = |id| within(OUTPUT, column.name(), id, MAX_EXACT_DOUBLE).map(|id| id as f64);
    let number = match cell {
        Cell::Whole(Some(id)) if (column, ids) == (Column::Id, Ids::Hashed) => {
            let [high, low] = [(id >> 32) as u32, id as u32].map(u32::to_le_bytes);
            record.extend(high.into_iter().chain(low));
            return Ok(());
        }
        Cell::Whole(number) => number.map_or(Ok(-1.0), exact)?,
        Cell::Number(number) => number.unwrap_or(f64::NAN),
    };
    record.extend_from_slice(&number.to_le_bytes());
    Ok(())
}
