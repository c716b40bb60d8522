//! Binary answers: the length of a JSON text as a little-endian `u32`, the text, further bytes.

use serde_json::Value;

/// Returns an answer of `json` and `bytes`.
pub(crate) fn frame(json: &Value, bytes: &[u8]) -> Vec<u8> {
    let text = json.to_string();
    let mut all = Vec::with_capacity(4 + text.len() + bytes.len());
    all.extend((text.len() as u32).to_le_bytes());
    all.extend(text.into_bytes());
    all.extend(bytes);
    all
}
