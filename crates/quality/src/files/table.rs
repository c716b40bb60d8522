//! Columns of numbers, before they are made into a set of points.

use super::{Format, Place, PointFile, Points, ReadError, RunInfo};
use crate::set::{Columns, PointSet, SetError};

/// The columns that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    X,
    Y,
    Z,
    Id,
    MinDist,
    Parent,
    Rank,
    Layer,
    /// The upper 32 bits of an id, for formats without 64-bit integers.
    IdHigh,
    /// The lower 32 bits of an id.
    IdLow,
}

impl Column {
    pub(super) const ALL: [Self; 10] = [
        Self::X,
        Self::Y,
        Self::Z,
        Self::Id,
        Self::MinDist,
        Self::Parent,
        Self::Rank,
        Self::Layer,
        Self::IdHigh,
        Self::IdLow,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::Id => "id",
            Self::MinDist => "min_dist",
            Self::Parent => "parent",
            Self::Rank => "rank",
            Self::Layer => "layer",
            Self::IdHigh => "id_hi",
            Self::IdLow => "id_lo",
        }
    }

    /// Returns the column of this name, in any case.
    pub(super) fn named(name: &str) -> Option<Self> {
        let name = name.trim();
        Self::ALL
            .into_iter()
            .find(|c| c.name().eq_ignore_ascii_case(name))
    }
}

/// Doubles are exact whole numbers up to 2^53.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// One number of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    Whole(u64),
    /// A whole number in quotes: valid as an id, not as a measure.
    Quoted(u64),
    Number(f64),
    Nothing,
}

impl Cell {
    fn number(self) -> Option<f64> {
        match self {
            Self::Whole(n) => Some(n as f64),
            Self::Number(x) => Some(x),
            Self::Quoted(_) | Self::Nothing => None,
        }
    }

    /// Returns the value if it is a whole number.
    fn whole(self) -> Option<u64> {
        match self {
            Self::Whole(n) | Self::Quoted(n) => Some(n),
            Self::Number(x) if (0.0..=MAX_EXACT).contains(&x) && x == x.trunc() => Some(x as u64),
            _ => None,
        }
    }

    /// Returns the text of the number in a file of this format.
    fn text(self, format: Format) -> String {
        match self {
            Self::Whole(n) => n.to_string(),
            Self::Quoted(n) => format!("\"{n}\""),
            Self::Number(x) => x.to_string(),
            Self::Nothing => match format {
                Format::Json | Format::GeoJson => "null".to_owned(),
                _ => String::new(),
            },
        }
    }
}

/// The encoding of a number: its letter in `NumPy`'s notation, its size in bytes, and its byte
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) letter: u8,
    pub(super) size: usize,
    pub(super) big: bool,
}

impl Kind {
    /// Reads a type in `NumPy`'s notation, like `<f8`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (big, rest) = match bytes.first()? {
            b'<' | b'|' | b'=' => (false, &bytes[1..]),
            b'>' => (true, &bytes[1..]),
            _ => (false, bytes),
        };
        let (&letter, size) = rest.split_first()?;
        let size = std::str::from_utf8(size).ok()?.parse().ok()?;
        let kind = Self { letter, size, big };
        matches!((letter, size), (b'f', 4 | 8) | (b'i' | b'u', 1 | 2 | 4 | 8)).then_some(kind)
    }

    /// Returns the number in the first `size` bytes.
    pub(super) fn decode(self, bytes: &[u8]) -> Cell {
        let mut raw = [0; 8];
        raw[..self.size].copy_from_slice(&bytes[..self.size]);
        if self.big {
            raw[..self.size].reverse();
        }
        let whole = u64::from_le_bytes(raw);
        match self.letter {
            b'f' if self.size == 4 => Cell::Number(f64::from(f32::from_bits(whole as u32))),
            b'f' => Cell::Number(f64::from_bits(whole)),
            b'u' => Cell::Whole(whole),
            _ => {
                let unused = 64 - 8 * self.size as u32;
                let signed = (whole << unused) as i64 >> unused;
                match u64::try_from(signed) {
                    Ok(n) => Cell::Whole(n),
                    Err(_) => Cell::Number(signed as f64),
                }
            }
        }
    }
}

/// Columns that grow row by row.
#[derive(Debug)]
pub(super) struct Table {
    format: Format,
    axes: [Vec<f64>; 3],
    ids: Vec<u64>,
    min_dist: Vec<f64>,
    parents: Vec<Option<u64>>,
    ranks: Vec<u64>,
    layers: Vec<u64>,
    id_halves: [Vec<u64>; 2],
    rows: usize,
    /// Number of entries of each column.
    lengths: [usize; Column::ALL.len()],
}

/// The positions of the numbers in a file of records of fixed size.
pub(super) struct Records {
    pub(super) rows: u64,
    /// Number of bytes of a record.
    pub(super) size: u64,
    /// Number of bytes from a column's number in one record to that in the next.
    pub(super) stride: usize,
    pub(super) fields: Vec<Field>,
}

/// A column of records.
pub(super) struct Field {
    pub(super) column: Column,
    pub(super) kind: Kind,
    /// Offset of its first number from the beginning of the records.
    pub(super) offset: usize,
}

impl Table {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            axes: [const { Vec::new() }; 3],
            ids: Vec::new(),
            min_dist: Vec::new(),
            parents: Vec::new(),
            ranks: Vec::new(),
            layers: Vec::new(),
            id_halves: [const { Vec::new() }; 2],
            rows: 0,
            lengths: [0; Column::ALL.len()],
        }
    }

    /// Adds all records, which begin at byte `begin`. `after` is the number of bytes that follow them; `None` if it is
    /// unknown.
    pub(super) fn add_records(
        &mut self,
        bytes: &[u8],
        begin: u64,
        records: &Records,
        after: Option<u64>,
    ) -> Result<(), ReadError> {
        let Records { rows, size, .. } = *records;
        let end = begin.saturating_add(rows.saturating_mul(size));
        let stated = format!("the header states {rows} points of {size} bytes");
        if end > bytes.len() as u64 {
            let problem = format!("{stated}, but the file ends here");
            return Err(self.format.malformed(Place::Offset(bytes.len()), problem));
        }
        let end = after.map_or(u64::MAX, |after| end.saturating_add(after));
        if end < bytes.len() as u64 {
            let problem = format!("{stated}, but the file goes on here");
            return Err(self.format.malformed(Place::Offset(end as usize), problem));
        }
        for row in 0..rows as usize {
            let at = begin as usize + row * records.stride;
            let place = Place::Offset(at);
            for field in &records.fields {
                let number = field.kind.decode(&bytes[at + field.offset..]);
                self.add(field.column, number, place)?;
            }
            self.end_row(place)?;
        }
        Ok(())
    }

    /// Adds one number of a text file to the current row.
    pub(super) fn add_text(
        &mut self,
        column: Column,
        bytes: &[u8],
        place: Place,
    ) -> Result<(), ReadError> {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        // First as a whole number: doubles would lose digits of a large id.
        let whole = text.parse().ok().map(Cell::Whole);
        let cell = match whole.or_else(|| text.parse().ok().map(Cell::Number)) {
            Some(cell) => cell,
            None if bytes.is_empty() => Cell::Nothing,
            None => {
                return Err(ReadError::BadNumber {
                    format: self.format.name(),
                    place,
                    column: column.name(),
                    text: String::from_utf8_lossy(bytes).chars().take(40).collect(),
                    wanted: match column {
                        Column::Id | Column::Parent | Column::Rank | Column::Layer => {
                            "a whole number from 0; rename the column to have it ignored"
                        }
                        _ => "a number with a decimal point, like 4.5",
                    },
                });
            }
        };
        self.add(column, cell, place)
    }

    /// Adds one number to the current row.
    pub(super) fn add(
        &mut self,
        column: Column,
        cell: Cell,
        place: Place,
    ) -> Result<(), ReadError> {
        let is_rounded = matches!(cell, Cell::Number(x) if x > MAX_EXACT && x == x.trunc());
        let wanted = match column {
            Column::Id | Column::Parent if is_rounded => {
                "a whole number with all its digits, which a spreadsheet has lost: format the column \
                 as text there, or remove it"
            }
            Column::X | Column::Y | Column::Z | Column::MinDist => "a number",
            Column::Id | Column::Rank | Column::Layer => "a whole number from 0",
            Column::IdHigh | Column::IdLow => "a whole number from 0, below 2^32",
            Column::Parent => "a whole number from 0, or empty (-1 where empty is impossible)",
        };
        let bad = || ReadError::BadNumber {
            format: self.format.name(),
            place,
            column: column.name(),
            text: cell.text(self.format),
            wanted,
        };
        match column {
            Column::X | Column::Y | Column::Z => {
                let number = cell.number().ok_or_else(bad)?;
                self.axes[column as usize].push(number);
            }
            Column::MinDist => self.min_dist.push(cell.number().ok_or_else(bad)?),
            Column::Id => self.ids.push(cell.whole().ok_or_else(bad)?),
            Column::Rank => self.ranks.push(cell.whole().ok_or_else(bad)?),
            Column::Layer => self.layers.push(cell.whole().ok_or_else(bad)?),
            Column::IdHigh | Column::IdLow => {
                let half = cell.whole().filter(|n| *n >> 32 == 0).ok_or_else(bad)?;
                self.id_halves[usize::from(column == Column::IdLow)].push(half);
            }
            Column::Parent => self.parents.push(match cell {
                Cell::Nothing | Cell::Number(-1.0) => None,
                _ => Some(cell.whole().ok_or_else(bad)?),
            }),
        }
        self.lengths[column as usize] += 1;
        Ok(())
    }

    /// Ends a row. Every row must have the columns of the first.
    pub(super) fn end_row(&mut self, place: Place) -> Result<(), ReadError> {
        self.rows += 1;
        for (column, length) in Column::ALL.into_iter().zip(self.lengths) {
            let needed = matches!(column, Column::X | Column::Y);
            if length != self.rows && (length > 0 || needed) {
                let problem = format!(
                    "every point needs the same columns, each once, but {} does not fit \
                     (x and y are always needed)",
                    column.name()
                );
                return Err(self.format.malformed(place, problem));
            }
        }
        Ok(())
    }

    /// Makes a set of points, flat unless there is a column `z` that is not 0 everywhere.
    pub(super) fn finish(mut self, run: RunInfo) -> Result<PointFile, ReadError> {
        if self.axes[2].iter().all(|&z| z == 0.0) {
            self.flatten();
        }
        let [x, y, z] = std::mem::take(&mut self.axes);
        let plane = x.into_iter().zip(y);
        let points = if z.is_empty() {
            Points::Flat(self.set(plane.map(|(x, y)| [x, y]).collect())?)
        } else {
            Points::Solid(self.set(plane.zip(z).map(|((x, y), z)| [x, y, z]).collect())?)
        };
        Ok(PointFile { points, run })
    }

    fn set<const D: usize>(self, positions: Vec<[f64; D]>) -> Result<PointSet<D>, SetError> {
        let [high, low] = self.id_halves;
        let ids = if self.ids.is_empty() && high.len() == low.len() {
            let halves = high.into_iter().zip(low);
            halves.map(|(high, low)| high << 32 | low).collect()
        } else {
            self.ids
        };
        PointSet::new(Columns {
            positions,
            ids: stated(ids),
            min_dist: stated(self.min_dist),
            parents: stated(self.parents),
            ranks: stated(self.ranks),
            layers: stated(self.layers),
        })
    }

    /// Turns the `y` axis around.
    pub(super) fn turn(&mut self) {
        for y in &mut self.axes[1] {
            *y = -*y;
        }
    }

    /// Removes the third axis.
    pub(super) fn flatten(&mut self) {
        self.axes[2] = Vec::new();
    }
}

/// Returns a column that the file has.
fn stated<T>(column: Vec<T>) -> Option<Vec<T>> {
    (!column.is_empty()).then_some(column)
}

/// Returns the columns for the names in a file, `None` for columns to be passed over.
pub(super) fn columns<'a>(
    format: Format,
    names: impl IntoIterator<Item = &'a str>,
    place: Place,
) -> Result<Vec<Option<Column>>, ReadError> {
    let names: Vec<&str> = names.into_iter().collect();
    let columns: Vec<Option<Column>> = names.iter().map(|name| Column::named(name)).collect();
    for wanted in Column::ALL {
        let count = columns.iter().filter(|c| **c == Some(wanted)).count();
        if count == 0 && matches!(wanted, Column::X | Column::Y) {
            let mut found: String = names.join(", ").chars().take(200).collect();
            if names.iter().all(|n| n.trim().parse::<f64>().is_ok()) {
                found += "; is the header missing?";
            }
            return Err(ReadError::MissingColumn {
                format: format.name(),
                column: wanted.name(),
                found,
            });
        }
        if count > 1 {
            let problem = format!("column {} occurs {count} times", wanted.name());
            return Err(format.malformed(place, problem));
        }
    }
    Ok(columns)
}
