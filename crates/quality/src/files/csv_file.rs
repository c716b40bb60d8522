//! Reads CSV.

use super::table::{Cell, Column, Table, columns};
use super::{Format, Place, PointFile, ReadError, RunInfo};
use csv::{ByteRecord, ReaderBuilder, Trim};

const FORMAT: Format = Format::Csv;

pub(super) fn read(bytes: &[u8]) -> Result<PointFile, ReadError> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(bytes))
        .trim(Trim::All)
        .comment(Some(b'#'))
        .from_reader(bytes);
    let header = reader.byte_headers().map_err(|e| malformed(&e))?.clone();
    let names: Vec<String> = header
        .iter()
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    let columns = columns(FORMAT, names.iter().map(String::as_str), Place::Line(1))?;
    let mut table = Table::new(FORMAT);
    let mut record = ByteRecord::new();
    while reader
        .read_byte_record(&mut record)
        .map_err(|e| malformed(&e))?
    {
        let place = Place::Line(record.position().map_or(0, csv::Position::line));
        for (text, column) in record.iter().zip(&columns) {
            if let Some(column) = *column {
                table.add(column, cell(text, column, place)?, place)?;
            }
        }
        table.end_row(place)?;
    }
    table.finish(RunInfo::default())
}

/// Returns the delimiter of the header: a comma if it contains any, else a semicolon or a tab.
fn delimiter(bytes: &[u8]) -> u8 {
    let first = bytes
        .split(|b| *b == b'\n')
        // The CSV reader passes over the other lines.
        .find(|line| !matches!(line, [] | [b'\r'] | [b'#', ..]))
        .unwrap_or_default();
    let has = |b: u8| first.contains(&b);
    match () {
        () if has(b',') => b',',
        () if has(b';') => b';',
        () if has(b'\t') => b'\t',
        () => b',',
    }
}

fn cell(bytes: &[u8], column: Column, place: Place) -> Result<Cell, ReadError> {
    if bytes.is_empty() {
        return Ok(Cell::Nothing);
    }
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let is_whole = matches!(
        column,
        Column::Id | Column::Parent | Column::Rank | Column::Layer
    );
    // First as whole numbers: doubles would lose digits of a large id.
    let whole = is_whole.then(|| text.parse().ok().map(Cell::Whole));
    whole
        .flatten()
        .or_else(|| text.parse().ok().map(Cell::Number))
        .ok_or_else(|| ReadError::BadNumber {
            format: FORMAT.name(),
            place,
            column: column.name(),
            text: String::from_utf8_lossy(bytes).chars().take(40).collect(),
            wanted: if is_whole {
                "a whole number from 0; rename the column to have it ignored"
            } else {
                "a number with a decimal point, like 4.5"
            },
        })
}

fn malformed(error: &csv::Error) -> ReadError {
    let (line, problem) = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => (
            pos.as_ref().map_or(0, csv::Position::line),
            format!("{len} fields, but the header has {expected_len}"),
        ),
        _ => (
            error.position().map_or(0, csv::Position::line),
            error.to_string(),
        ),
    };
    FORMAT.malformed(Place::Line(line), problem)
}
