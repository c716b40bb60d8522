//! PLY and NPY.

use super::Point;
use std::collections::BTreeMap;

/// Reads `binary_little_endian` PLY whose only element is `vertex`, all properties doubles.
/// The comment `dimensions 2` drops z.
///
/// # Panics
/// When it is not that.
pub fn read_ply(bytes: &[u8]) -> Vec<Point> {
    let end = b"end_header\n";
    let at = bytes
        .windows(end.len())
        .position(|w| w == end)
        .expect("a header");
    let header = std::str::from_utf8(&bytes[..at]).expect("text");
    let body = &bytes[at + end.len()..];
    let mut lines = header.lines();
    assert_eq!(lines.next(), Some("ply"));
    assert_eq!(lines.next(), Some("format binary_little_endian 1.0"));

    let (mut count, mut names, mut dimensions) = (None, Vec::new(), 3);
    for line in lines {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["comment", "dimensions", d] => dimensions = d.parse().expect("a number"),
            ["comment", ..] => {}
            ["element", "vertex", n] => count = Some(n.parse::<usize>().expect("a count")),
            ["property", "double", name] => names.push(name),
            _ => panic!("unexpected line {line}"),
        }
    }
    let count = count.expect("an element");
    let stride = names.len() * 8;
    assert_eq!(body.len(), count * stride, "bytes for {count} vertices");
    body.chunks_exact(stride)
        .map(|record| {
            let cells: BTreeMap<_, _> = names.iter().copied().zip(numbers(record)).collect();
            let get = |name: &str| f64::from_bits(cells[name]);
            Point {
                id: whole(get("id")).expect("an id"),
                position: ["x", "y", "z"][..dimensions]
                    .iter()
                    .map(|n| get(n))
                    .collect(),
                min_dist: get("min_dist"),
                value: get("value"),
                parent: cells
                    .contains_key("parent")
                    .then(|| whole(get("parent")))
                    .flatten(),
            }
        })
        .collect()
}

/// The integer that a double holds; `None` for -1.
fn whole(number: f64) -> Option<u64> {
    assert!(number.fract() == 0.0 && (-1.0..=9_007_199_254_740_992.0).contains(&number));
    (number >= 0.0).then_some(number as u64)
}

/// Reads NPY 1.0 with the fields of our documentation.
///
/// # Panics
/// When it is not that.
pub fn read_npy(bytes: &[u8]) -> Vec<Point> {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (header, body) = bytes[10..].split_at(length);
    assert_eq!((10 + length) % 64, 0, "data must be aligned");
    let header = std::str::from_utf8(header).expect("text");
    assert!(header.ends_with('\n'));

    let after = |key: &str| header.split_once(key).expect("a key").1;
    let fields: Vec<(&str, &str)> = after("'descr': [")
        .split_once(']')
        .expect("a list")
        .0
        .split("), ")
        .map(|pair| {
            let (name, kind) = pair.split_once(", ").expect("a pair");
            (
                name.trim_matches(['(', '\'']),
                kind.trim_matches([')', '\'']),
            )
        })
        .collect();
    assert!(after("'fortran_order': ").starts_with("False,"));
    let shape = after("'shape': (").split_once(",)").expect("one axis").0;
    let count: usize = shape.parse().expect("a count");

    let stride = fields.len() * 8;
    assert_eq!(body.len(), count * stride, "bytes for {count} records");
    body.chunks_exact(stride)
        .map(|record| {
            let cells: BTreeMap<_, _> = fields.iter().copied().zip(numbers(record)).collect();
            let float = |name: &str| cells.get(&(name, "<f8")).map(|bits| f64::from_bits(*bits));
            Point {
                id: cells[&("id", "<u8")],
                position: ["x", "y", "z"].into_iter().filter_map(float).collect(),
                min_dist: float("min_dist").expect("min_dist"),
                value: float("value").expect("value"),
                parent: cells
                    .get(&("parent", "<i8"))
                    .and_then(|bits| u64::try_from(*bits as i64).ok()),
            }
        })
        .collect()
}

/// The little-endian eight-byte words of a record.
fn numbers(record: &[u8]) -> impl Iterator<Item = u64> + '_ {
    record
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
}
