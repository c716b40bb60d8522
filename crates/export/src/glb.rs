//! Writes binary glTF.

mod document;

use crate::held::{Held, y_up};
use document::Document;
use std::io::{self, Write};

/// The greatest number of instances. They take 64 bytes each, and the head needs some room; the
/// file's 32-bit length allows 4 GiB.
pub(crate) const MOST: usize = 66_000_000;

/// Writes [`Format::Glb`](crate::Format::Glb).
pub(crate) fn file<W: Write>(out: &mut W, held: &Held) -> io::Result<()> {
    let mut document = Document::new(y_up(held.pivot()));
    for layer in held.layers() {
        document.add(layer);
    }
    let body = document.length();
    let run = serde_json::from_str(&held.json)?;
    let mut json = serde_json::to_vec(&document.json(&run))?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunk = |length: usize| if length == 0 { 0 } else { 8 + length };
    let whole = 12 + chunk(json.len()) + chunk(body);
    let word = |out: &mut dyn Write, length: usize| {
        let word = u32::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
        out.write_all(&word.to_le_bytes())
    };
    out.write_all(b"glTF")?;
    word(out, 2)?;
    word(out, whole)?;
    word(out, json.len())?;
    out.write_all(b"JSON")?;
    out.write_all(&json)?;
    if body > 0 {
        word(out, body)?;
        out.write_all(b"BIN\0")?;
    }
    for layer in held.layers() {
        document::body(out, layer)?;
    }
    Ok(())
}
