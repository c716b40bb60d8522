//! Access to the collection of files beside the project, if it is there.
#![allow(dead_code, reason = "what includes it uses some of it")]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Returns the collection's folder of this name. If it is missing, prints so and returns `None`.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let _ = writeln!(io::stderr(), "SKIPPED: there is no {}", folder.display());
    None
}

/// Returns all paths in a folder, by name.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}
