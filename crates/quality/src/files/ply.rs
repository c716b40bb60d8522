//! Reads Stanford PLY.

use super::table::{Column, Field, Kind, Records, Table, columns};
use super::{Format, Place, PointFile, ReadError, RunInfo, rule_named, y_axis_named};
use crate::domain::Edges;

const FORMAT: Format = Format::Ply;

pub(super) fn read(bytes: &[u8]) -> Result<PointFile, ReadError> {
    let head = Head::parse(bytes)?;
    let mut table = Table::new(FORMAT);
    let place = Place::Offset(head.data);
    let names = head.properties().iter().map(|p| p.name.as_str());
    let columns = columns(FORMAT, names, place)?;
    match head.encoding {
        Encoding::Ascii => ascii(bytes, &head, &columns, &mut table)?,
        Encoding::Little | Encoding::Big => binary(bytes, &head, &columns, &mut table)?,
    }
    if head.flat {
        table.flatten();
    }
    table.finish(head.run)
}

fn malformed(place: Place, problem: impl Into<String>) -> ReadError {
    FORMAT.malformed(place, problem)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Ascii,
    Little,
    Big,
}

/// Returns the kind of a type, as little-endian: the byte order may not be known yet.
fn kind(name: &str) -> Option<Kind> {
    Kind::parse(match name {
        "char" | "int8" => "i1",
        "uchar" | "uint8" => "u1",
        "short" | "int16" => "i2",
        "ushort" | "uint16" => "u2",
        "int" | "int32" => "i4",
        "uint" | "uint32" => "u4",
        "float" | "float32" => "f4",
        "double" | "float64" => "f8",
        _ => return None,
    })
}

#[derive(Debug)]
struct Property {
    name: String,
    kind: Kind,
}

#[derive(Debug)]
struct Head {
    encoding: Encoding,
    elements: Vec<Element>,
    /// Index of the element `vertex`: the points.
    vertex: usize,
    run: RunInfo,
    /// Whether a comment declares the points as flat.
    flat: bool,
    /// Offset of the data.
    data: usize,
    /// Number of the first line of data, from 1.
    line: u64,
}

/// An element; `properties` is `None` if it has lists, and so no fixed size.
#[derive(Debug)]
struct Element {
    name: String,
    count: u64,
    properties: Option<Vec<Property>>,
}

/// Returns the number of rows of some elements.
fn rows(elements: &[Element]) -> u64 {
    let counts = elements.iter().map(|element| element.count);
    counts.fold(0, u64::saturating_add)
}

/// Returns the size of some elements in the binary encodings; `None` if there are lists.
fn bytes_of(elements: &[Element]) -> Option<u64> {
    elements.iter().try_fold(0_u64, |sum, element| {
        let sizes = element.properties.as_ref()?.iter();
        let size = sizes.map(|p| p.kind.size as u64).sum();
        Some(sum.saturating_add(element.count.saturating_mul(size)))
    })
}

impl Head {
    fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut comments = Comments::default();
        let (mut at, mut number) = (0, 0);
        loop {
            number += 1;
            let place = Place::Line(number);
            let rest = &bytes[at..];
            let Some(length) = rest.iter().position(|b| *b == b'\n') else {
                return Err(malformed(place, "the header does not end with end_header"));
            };
            at += length + 1;
            let Ok(line) = std::str::from_utf8(&rest[..length]) else {
                return Err(malformed(place, "the header is not text"));
            };
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words.as_slice() {
                ["ply"] if number == 1 => {}
                _ if number == 1 => return Err(malformed(place, "the file must begin with 'ply'")),
                ["end_header"] => break,
                [] | ["obj_info", ..] => {}
                ["comment", words @ ..] => comments.take(words, place),
                ["format", name, _] => {
                    encoding = Some(match *name {
                        "ascii" => Encoding::Ascii,
                        "binary_little_endian" => Encoding::Little,
                        "binary_big_endian" => Encoding::Big,
                        _ => return Err(malformed(place, format!("unknown format {name}"))),
                    });
                }
                ["element", name, count] => elements.push(Element {
                    name: (*name).to_owned(),
                    count: count
                        .parse()
                        .map_err(|_| malformed(place, format!("bad count {count}")))?,
                    properties: Some(Vec::new()),
                }),
                ["property", words @ ..] => property(elements.last_mut(), words, place)?,
                _ => return Err(malformed(place, format!("unknown line '{line}'"))),
            }
        }
        let place = Place::Line(number);
        let encoding = encoding.ok_or_else(|| malformed(place, "no format line"))?;
        let vertex = elements.iter().position(|e| e.name == "vertex");
        let vertex = vertex.ok_or_else(|| malformed(place, "no element vertex"))?;
        let mut first = elements[..=vertex].iter();
        if let Some(Element { name, .. }) = first.find(|e| e.properties.is_none()) {
            let problem = format!("element {name} has lists; only flat ones can be read");
            return Err(malformed(place, problem));
        }
        let (run, flat) = comments.run()?;
        Ok(Self {
            encoding,
            elements,
            vertex,
            run,
            flat,
            data: at,
            line: number + 1,
        })
    }

    /// Returns the properties of the points.
    fn properties(&self) -> &[Property] {
        let vertex = &self.elements[self.vertex];
        vertex.properties.as_deref().unwrap_or_default()
    }
}

fn property(element: Option<&mut Element>, words: &[&str], place: Place) -> Result<(), ReadError> {
    let element = element.ok_or_else(|| malformed(place, "a property before any element"))?;
    match *words {
        ["list", ..] => element.properties = None,
        [named, name] => {
            let kind =
                kind(named).ok_or_else(|| malformed(place, format!("unknown type {named}")))?;
            if let Some(properties) = &mut element.properties {
                properties.push(Property {
                    name: name.to_owned(),
                    kind,
                });
            }
        }
        _ => return Err(malformed(place, "a property needs a type and a name")),
    }
    Ok(())
}

/// The metadata in the comments of this library's files.
#[derive(Default)]
struct Comments {
    run: RunInfo,
    /// Whether the points are flat.
    flat: bool,
    /// The corners of the domain and of the window.
    domain: [Option<Vec<f64>>; 2],
    window: [Option<Vec<f64>>; 2],
    /// An unknown name.
    fault: Option<ReadError>,
}

impl Comments {
    fn take(&mut self, words: &[&str], place: Place) {
        let faults = &mut self.fault;
        let mut fault = |problem: String| *faults = Some(malformed(place, problem));
        let corner = |words: &[&str]| words.iter().map(|w| w.parse().ok()).collect();
        let run = &mut self.run;
        match words {
            ["rule", name] => run.rule = rule_named(name).map_err(&mut fault).ok(),
            ["dimensions", "2"] => self.flat = true,
            ["y_axis", name] => run.y_axis = y_axis_named(name).map_err(&mut fault).ok(),
            ["domain_min", words @ ..] => self.domain[0] = corner(words),
            ["domain_max", words @ ..] => self.domain[1] = corner(words),
            ["tile", "true"] => run.edges = Edges::Torus,
            ["window_min", words @ ..] => self.window[0] = corner(words),
            ["window_max", words @ ..] => self.window[1] = corner(words),
            ["scale_factor", factor] => run.scale_factor = factor.parse().ok(),
            _ => {}
        }
    }

    /// Returns the run, and whether the points are flat. Comments of other programs' files may hold any words, and are
    /// passed over: only this library's files state a domain.
    fn run(self) -> Result<(RunInfo, bool), ReadError> {
        if self.domain[0].is_none() {
            return Ok(Default::default());
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let corners = |[min, max]: [Option<Vec<f64>>; 2]| Some([min?, max?]);
        let run = RunInfo {
            domain: corners(self.domain),
            window: corners(self.window),
            ..self.run
        };
        Ok((run, self.flat))
    }
}

fn ascii(
    bytes: &[u8],
    head: &Head,
    columns: &[Option<Column>],
    table: &mut Table,
) -> Result<(), ReadError> {
    let skipped = rows(&head.elements[..head.vertex]);
    let end = rows(&head.elements[..=head.vertex]);
    let all = rows(&head.elements);
    let mut row = 0;
    for (i, line) in bytes[head.data..].split(|b| *b == b'\n').enumerate() {
        let place = Place::Line(head.line + i as u64);
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_ascii_whitespace().peekable();
        if words.peek().is_none() {
            continue;
        }
        if row == all {
            let problem = format!("the header states {all} rows, but there are more");
            return Err(malformed(place, problem));
        }
        if (skipped..end).contains(&row) {
            for column in columns {
                let word = words
                    .next()
                    .ok_or_else(|| malformed(place, "the row has too few numbers"))?;
                if let Some(column) = *column {
                    table.add_text(column, word.as_bytes(), place)?;
                }
            }
            if words.next().is_some() {
                return Err(malformed(place, "the row has too many numbers"));
            }
            table.end_row(place)?;
        }
        row += 1;
    }
    if row < end {
        let problem = format!("the header states {end} rows, but there are {row}");
        return Err(malformed(Place::Offset(bytes.len()), problem));
    }
    Ok(())
}

fn binary(
    bytes: &[u8],
    head: &Head,
    columns: &[Option<Column>],
    table: &mut Table,
) -> Result<(), ReadError> {
    let mut size = 0;
    let mut fields = Vec::new();
    for (property, column) in head.properties().iter().zip(columns) {
        if let Some(column) = *column {
            let kind = Kind {
                big: head.encoding == Encoding::Big,
                ..property.kind
            };
            fields.push(Field {
                column,
                kind,
                offset: size,
            });
        }
        size += property.kind.size;
    }
    let records = Records {
        rows: head.elements[head.vertex].count,
        size: size as u64,
        stride: size,
        fields,
    };
    // Elements before the points have no lists.
    let before = bytes_of(&head.elements[..head.vertex]).unwrap_or_default();
    let begin = (head.data as u64).saturating_add(before);
    let after = bytes_of(&head.elements[head.vertex + 1..]);
    table.add_records(bytes, begin, &records, after)
}
