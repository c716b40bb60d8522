//! The text of a species file, and the positions of mistakes in it.

use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::DeTable;

/// A mistake in a species file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--species {}:{line}:{column}: {problem}", path.display())]
pub(crate) struct Fault {
    pub(crate) path: PathBuf,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column in characters, from 1; one past the line's last character where something is missing.
    pub(crate) column: usize,
    pub(crate) problem: String,
}

/// The text and path of a species file.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) path: PathBuf,
    pub(super) text: String,
}

impl Text {
    pub(crate) fn new(path: &Path, bytes: Vec<u8>) -> Result<Self, Fault> {
        let path = path.to_owned();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { path, text }),
            Err(e) => {
                let end = e.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(&e.as_bytes()[..end]).into_owned();
                let problem = "this is not UTF-8 text: save the file as UTF-8";
                Err(Self { path, text }.fault_in(&(end..end), problem))
            }
        }
    }

    /// Returns a mistake at a value: `layer.2.min_dist` is that key of the third layer. If the value is not in the
    /// text, the mistake is at the innermost table around it.
    pub(crate) fn fault(&self, at: &str, problem: impl Display) -> Fault {
        let mut place = 0..0;
        if let Ok(root) = DeTable::parse(&self.text) {
            let mut keys = at.split('.');
            let mut value = keys.next().and_then(|key| root.get_ref().get(key));
            while let Some(found) = value {
                place = found.span();
                value = keys.next().and_then(|key| match key.parse::<usize>() {
                    Ok(number) => found.get_ref().get(number),
                    Err(_) => found.get_ref().get(key),
                });
            }
        }
        self.fault_in(&place, problem)
    }

    /// Returns a mistake at a byte range of the text.
    pub(super) fn fault_in(&self, at: &Range<usize>, problem: impl Display) -> Fault {
        let mut start = at.start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &self.text[..start];
        // Editors do not show a byte-order mark.
        let before = before.strip_prefix('\u{feff}').unwrap_or(before);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before
            .rsplit('\n')
            .next()
            .map_or(0, |rest| rest.chars().count());
        Fault {
            path: self.path.clone(),
            line,
            column,
            problem: problem.to_string(),
        }
    }
}
