//! Reads CSV.

use super::table::{Table, columns};
use super::{Format, Place, PointFile, ReadError, RunInfo};
use csv::{ByteRecord, ReaderBuilder};

const FORMAT: Format = Format::Csv;

pub(super) fn read(bytes: &[u8]) -> Result<PointFile, ReadError> {
    let lines = bytes.split_inclusive(|b| *b == b'\n');
    let comments = lines.take_while(|line| matches!(line, [b'#' | b'\n', ..] | [b'\r', b'\n']));
    let (skipped, size) = comments.fold((0, 0), |(n, size), line| (n + 1, size + line.len()));
    let bytes = &bytes[size..];
    let in_one_line = |record: &ByteRecord| in_one_line(skipped, bytes, record);
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(bytes))
        .flexible(true)
        .from_reader(bytes);
    let failed = |e: csv::Error| FORMAT.malformed(Place::Offset(0), e.to_string());
    let header = reader.byte_headers().map_err(failed)?.clone();
    let place = in_one_line(&header)?;
    let names: Vec<String> = header
        .iter()
        .map(|name| String::from_utf8_lossy(name).trim().to_owned())
        .collect();
    let columns = columns(FORMAT, names.iter().map(String::as_str), place)?;
    let mut table = Table::new(FORMAT);
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(failed)? {
        let place = in_one_line(&record)?;
        let (fields, wanted) = (record.len(), header.len());
        if fields != wanted {
            let mut problem = format!("{fields} fields, but the header has {wanted}");
            if record.get(0).is_some_and(|first| first.starts_with(b"#")) {
                problem += "; comments stand before the header only";
            }
            return Err(FORMAT.malformed(place, problem));
        }
        for (text, column) in record.iter().zip(&columns) {
            if let Some(column) = *column {
                table.add_text(column, text.trim_ascii(), place)?;
            }
        }
        table.end_row(place)?;
    }
    table.finish(RunInfo::default())
}

/// Returns the line of a record of `bytes`, which begin after `skipped` lines. Refuses line breaks in fields: a quote
/// that is not closed would hide the rows that follow it.
fn in_one_line(skipped: u64, bytes: &[u8], record: &ByteRecord) -> Result<Place, ReadError> {
    let begin = record.position();
    let (byte, line) = begin.map_or((0, 1), |begin| (begin.byte(), begin.line()));
    // It begins before the empty lines, and before the `\n` that follows a `\r`.
    let rest = bytes.iter().skip(byte as usize);
    let ends = rest.take_while(|b| matches!(b, b'\n' | b'\r'));
    let before = ends.filter(|b| **b == b'\n').count();
    let place = Place::Line(skipped + line + before as u64);
    let text = record.as_slice();
    if text.contains(&b'\n') || text.contains(&b'\r') {
        let problem = "a quote is not closed in its line; fields with line breaks are not read";
        return Err(FORMAT.malformed(place, problem));
    }
    Ok(place)
}

/// Returns the delimiter of the header, the first line: a comma if it contains any, else a semicolon or a tab.
fn delimiter(bytes: &[u8]) -> u8 {
    let first = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let has = |b: u8| first.contains(&b);
    match () {
        () if has(b',') => b',',
        () if has(b';') => b';',
        () if has(b'\t') => b'\t',
        () => b',',
    }
}
