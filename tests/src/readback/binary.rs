//! Reads PLY and NPY.

use super::Point;
use std::collections::BTreeMap;

/// Reads `binary_little_endian` PLY whose only element is `vertex`. All properties are doubles
/// except the two halves of an id. The comment `dimensions 2` drops z.
///
/// # Panics
/// If the file is not of this form.
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
            ["property", "uint", name @ ("id_hi" | "id_lo")] => names.push((name, 4)),
            ["property", "double", name] => names.push((name, 8)),
            _ => panic!("unexpected line {line}"),
        }
    }
    let count = count.expect("an element");
    let stride = names.iter().map(|n| n.1).sum();
    assert_eq!(body.len(), count * stride, "bytes for {count} vertices");
    body.chunks_exact(stride)
        .map(|mut record| {
            let mut cells = BTreeMap::new();
            for &(name, size) in &names {
                let (bytes, rest) = record.split_at(size);
                let mut word = [0; 8];
                word[..size].copy_from_slice(bytes);
                cells.insert(name, u64::from_le_bytes(word));
                record = rest;
            }
            let get = |name: &str| f64::from_bits(cells[name]);
            let maybe = |name| cells.contains_key(name).then(|| whole(get(name))).flatten();
            let id = match cells.get("id_hi") {
                Some(high) => high << 32 | cells["id_lo"],
                None => maybe("id").expect("an id"),
            };
            let small = |name| maybe(name).map(|n| u32::try_from(n).expect("a u32"));
            Point {
                id,
                position: ["x", "y", "z"][..dimensions]
                    .iter()
                    .map(|n| get(n))
                    .collect(),
                min_dist: get("min_dist"),
                value: get("value"),
                parent: maybe("parent"),
                rank: small("rank"),
                layer: small("layer"),
            }
        })
        .collect()
}

/// Returns the integer that a double holds, or `None` for -1.
fn whole(number: f64) -> Option<u64> {
    assert!(number.fract() == 0.0 && (-1.0..=9_007_199_254_740_992.0).contains(&number));
    (number >= 0.0).then_some(number as u64)
}

/// Reads NPY 1.0 with the fields of our documentation.
///
/// # Panics
/// If the file is not of this form.
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
            let maybe = |name| {
                let bits = cells.get(&(name, "<i8"))?;
                u64::try_from(*bits as i64).ok()
            };
            let small = |name| maybe(name).map(|n| u32::try_from(n).expect("a u32"));
            let float = |name: &str| cells.get(&(name, "<f8")).map(|bits| f64::from_bits(*bits));
            Point {
                id: cells[&("id", "<u8")],
                position: ["x", "y", "z"].into_iter().filter_map(float).collect(),
                min_dist: float("min_dist").expect("min_dist"),
                value: float("value").expect("value"),
                parent: maybe("parent"),
                rank: small("rank"),
                layer: small("layer"),
            }
        })
        .collect()
}

/// Returns the little-endian eight-byte words of a record.
fn numbers(record: &[u8]) -> impl Iterator<Item = u64> + '_ {
    record
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
}
