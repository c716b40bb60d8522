//! Reads `NumPy` arrays (NEP 1, 2007): one array, structured or plain.

use super::table::{Field, Kind, Records, Table, columns};
use super::{Format, Place, PointFile, ReadError, RunInfo};

const FORMAT: Format = Format::Npy;

pub(super) fn read(bytes: &[u8]) -> Result<PointFile, ReadError> {
    let (text, data) = split(bytes)?;
    let head = Head::parse(text)?;
    let mut table = Table::new(FORMAT);
    let records = head.records()?;
    if records.rows.checked_mul(records.size).is_none() {
        return Err(too_large(Place::Offset(data)));
    }
    table.add_records(bytes, data as u64, &records, Some(0))?;
    table.finish(RunInfo::default())
}

fn malformed(place: Place, problem: impl Into<String>) -> ReadError {
    FORMAT.malformed(place, problem)
}

fn too_large(place: Place) -> ReadError {
    malformed(place, "the shape is too large for a file")
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

    /// Returns the positions of the numbers.
    fn records(&self) -> Result<Records, ReadError> {
        let place = Place::Offset(10);
        let (rows, fields, by_columns): (_, Vec<(&str, &str)>, _) = match (
            &self.descr,
            self.shape.as_slice(),
        ) {
            (Descr::Fields(all), &[rows]) => {
                let fields = all.iter().map(|(name, kind)| (&**name, &**kind));
                (rows, fields.collect(), false)
            }
            (Descr::Plain(kind), &[rows, axes @ (2 | 3)]) => {
                let names = ["x", "y", "z"].into_iter().take(axes as usize);
                let fields = names.map(|name| (name, &**kind));
                (rows, fields.collect(), self.columns_first)
            }
            (_, shape) => {
                let problem = format!(
                    "an array of shape {shape:?}; give (n, 2), (n, 3), or (n,) with named fields"
                );
                return Err(malformed(place, problem));
            }
        };
        let columns = columns(FORMAT, fields.iter().map(|f| f.0), place)?;
        // Number of a column's entries that stand together.
        let together = if by_columns { rows } else { 1 };
        let mut found = Vec::new();
        let (mut size, mut offset) = (0, 0_usize);
        for ((_, text), column) in fields.iter().zip(columns) {
            let unknown = || malformed(place, format!("numbers of type '{text}'"));
            let own = size_of(text).ok_or_else(unknown)?;
            if let Some(column) = column {
                let kind = Kind::parse(text).ok_or_else(unknown)?;
                found.push(Field {
                    column,
                    kind,
                    offset,
                });
            }
            size += own;
            let step = together.checked_mul(own as u64);
            offset = offset.saturating_add(step.ok_or_else(|| too_large(place))? as usize);
        }
        Ok(Records {
            rows,
            size: size as u64,
            // Columns of a plain array have the same type.
            stride: if by_columns {
                size / fields.len()
            } else {
                size
            },
            fields: found,
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
