//! Reads `NumPy` arrays (NEP 1, 2007): one array, structured or plain.

use super::table::{Column, Kind, Table, columns};
use super::{Format, Place, PointFile, ReadError, RunInfo};

const FORMAT: Format = Format::Npy;

pub(super) fn read(bytes: &[u8]) -> Result<PointFile, ReadError> {
    let (text, data) = split(bytes)?;
    let head = Head::parse(text)?;
    let mut table = Table::new(FORMAT);
    let layout = Layout::new(&head)?;
    let begin = Place::Offset(data);
    let bytes_promised = layout
        .rows
        .checked_mul(layout.row_size)
        .ok_or_else(|| malformed(begin, "the shape is too large for a file"))?;
    let body = &bytes[data..];
    if bytes_promised > body.len() as u64 {
        let problem = format!(
            "the header states {} points of {} bytes, but the file ends here",
            layout.rows, layout.row_size
        );
        return Err(malformed(Place::Offset(bytes.len()), problem));
    }
    for row in 0..layout.rows as usize {
        let place = Place::Offset(data + row * layout.stride);
        for field in &layout.fields {
            let at = field.offset + row * layout.stride;
            table.add(field.column, field.kind.decode(&body[at..]), place)?;
        }
        table.end_row(place)?;
    }
    table.finish(RunInfo::default())
}

fn malformed(place: Place, problem: impl Into<String>) -> ReadError {
    ReadError::Malformed {
        format: FORMAT.name(),
        place,
        problem: problem.into(),
    }
}

/// Returns the header's text, and the offset of the data.
fn split(bytes: &[u8]) -> Result<(&str, usize), ReadError> {
    let cut = || malformed(Place::Offset(bytes.len()), "the file ends in its header");
    if !bytes.starts_with(b"\x93NUMPY") {
        let problem = "the file must begin with the bytes \\x93NUMPY";
        return Err(malformed(Place::Offset(0), problem));
    }
    let number = |at: usize, size: usize| -> Result<usize, ReadError> {
        let raw = bytes.get(at..at + size).ok_or_else(cut)?;
        Ok(raw.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b)))
    };
    let (begin, length) = match bytes.get(6) {
        Some(1) => (10, number(8, 2)?),
        Some(2 | 3) => (12, number(8, 4)?),
        _ => {
            return Err(malformed(
                Place::Offset(6),
                "unknown version, not 1, 2 or 3",
            ));
        }
    };
    let head = bytes.get(begin..begin + length).ok_or_else(cut)?;
    let text = std::str::from_utf8(head)
        .map_err(|_| malformed(Place::Offset(begin), "the header is not text"))?;
    Ok((text, begin + length))
}

/// Returns the size of a field in bytes, for numbers and other types. A size counts bytes, for `U`
/// units of four bytes.
fn size_of(text: &str) -> Option<usize> {
    if let Some(kind) = Kind::parse(text) {
        return Some(kind.size);
    }
    let rest = text.trim_start_matches(['<', '>', '|', '=']);
    let mut letters = rest.chars();
    let letter = letters.next()?;
    let size: usize = letters.as_str().parse().ok()?;
    let unit = match letter {
        'U' => 4,
        'S' | 'V' | 'c' | 'f' | 'b' | 'a' => 1,
        _ => return None,
    };
    (size <= 1 << 20).then_some(size * unit)
}

#[derive(Debug)]
enum Descr {
    Plain(String),
    Fields(Vec<(String, String)>),
}

#[derive(Debug)]
struct Head {
    descr: Descr,
    columns_first: bool,
    shape: Vec<u64>,
}

impl Head {
    /// Reads the dictionary, a Python literal.
    fn parse(text: &str) -> Result<Self, ReadError> {
        let wrong = |what: &str| malformed(Place::Offset(10), format!("the header's {what}"));
        let value = |key: &str| -> Result<&str, ReadError> {
            let quoted = [format!("'{key}'"), format!("\"{key}\"")];
            // A column may have the same name; only a key is followed by a colon.
            let mut found = quoted.iter().flat_map(|q| text.match_indices(q.as_str()));
            found
                .find_map(|(at, q)| text[at + q.len()..].trim_start().strip_prefix(':'))
                .map(str::trim_start)
                .ok_or_else(|| wrong(&format!("{key} is missing")))
        };
        let descr = value("descr")?;
        let descr = if let Some(list) = descr.strip_prefix('[') {
            let fields = fields(list)
                .ok_or_else(|| wrong("descr must list ('name', 'type') pairs of single numbers"))?;
            Descr::Fields(fields)
        } else {
            let (name, _) = string(descr).ok_or_else(|| wrong("descr cannot be read"))?;
            Descr::Plain(name.to_owned())
        };
        let shape = value("shape")?
            .strip_prefix('(')
            .and_then(|s| s.split_once(')'))
            .ok_or_else(|| wrong("shape cannot be read"))?
            .0;
        let shape = shape
            .split(',')
            .map(|n| n.trim().trim_end_matches('L'))
            .filter(|n| !n.is_empty())
            .map(|n| n.parse().map_err(|_| wrong("shape cannot be read")))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            descr,
            columns_first: value("fortran_order")?.starts_with("True"),
            shape,
        })
    }
}

/// Returns the quoted string at the beginning, and the text after it.
fn string(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

/// Reads a list like `('x', '<f8'), ('y', '<f8')]`, without its opening bracket.
fn fields(mut text: &str) -> Option<Vec<(String, String)>> {
    let mut fields = Vec::new();
    loop {
        text = text.trim_start_matches([',', ' ', '\n']);
        if text.starts_with(']') {
            return Some(fields);
        }
        let (name, rest) = string(text.strip_prefix('(')?.trim_start())?;
        let rest = rest.trim_start().strip_prefix(',')?.trim_start();
        let (kind, rest) = string(rest)?;
        // A third entry would be a shape: not a single number.
        text = rest.trim_start().strip_prefix(')')?;
        fields.push((name.to_owned(), kind.to_owned()));
    }
}

struct Field {
    column: Column,
    kind: Kind,
    offset: usize,
}

/// The positions of the numbers.
struct Layout {
    rows: u64,
    row_size: u64,
    /// Number of bytes from a field's number in one row to that in the next.
    stride: usize,
    fields: Vec<Field>,
}

impl Layout {
    fn new(head: &Head) -> Result<Self, ReadError> {
        let place = Place::Offset(10);
        let unknown = |kind: &str| malformed(place, format!("numbers of type '{kind}'"));
        match (&head.descr, head.shape.as_slice()) {
            (Descr::Fields(all), &[rows]) => {
                let columns = columns(FORMAT, all.iter().map(|f| f.0.as_str()), place)?;
                let mut fields = Vec::new();
                let mut offset = 0;
                for ((_, text), column) in all.iter().zip(columns) {
                    if let Some(column) = column {
                        let kind = Kind::parse(text).ok_or_else(|| unknown(text))?;
                        fields.push(Field {
                            column,
                            kind,
                            offset,
                        });
                    }
                    offset += size_of(text).ok_or_else(|| unknown(text))?;
                }
                Ok(Self {
                    rows,
                    row_size: offset as u64,
                    stride: offset,
                    fields,
                })
            }
            (Descr::Plain(text), &[rows, axes @ (2 | 3)]) => {
                let kind = Kind::parse(text).ok_or_else(|| unknown(text))?;
                let axes = axes as usize;
                let row_size = axes * kind.size;
                // By columns or by rows.
                let (stride, step) = if head.columns_first {
                    let column = usize::try_from(rows)
                        .ok()
                        .and_then(|rows| rows.checked_mul(kind.size))
                        .ok_or_else(|| malformed(place, "the shape is too large for a file"))?;
                    (kind.size, column)
                } else {
                    (row_size, kind.size)
                };
                let fields = [Column::X, Column::Y, Column::Z];
                let fields = fields.into_iter().take(axes).enumerate();
                Ok(Self {
                    rows,
                    row_size: row_size as u64,
                    stride,
                    fields: fields
                        .map(|(axis, column)| Field {
                            column,
                            kind,
                            offset: axis.saturating_mul(step),
                        })
                        .collect(),
                })
            }
            (_, shape) => Err(malformed(
                place,
                format!(
                    "an array of shape {shape:?}; give (n, 2), (n, 3), or (n,) with named fields"
                ),
            )),
        }
    }
}
